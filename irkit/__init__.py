"""irkit: is this ranking better, and can I trust that? TREC topics, qrels and runs, made, scored, compared.

The public names are loaded when they are first used, so that `import irkit` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from irkit._version import __version__ as __version__

if TYPE_CHECKING:
    from irkit.changes import RunDiff, diff
    from irkit.checking import CheckReport, SubmissionRules, check, mend
    from irkit.conversion import convert
    from irkit.data.documents import Document, read_documents, write_documents
    from irkit.data.judgments.fractional import FractionalQrels, read_fractional_qrels
    from irkit.data.judgments.grouped import GroupedQrels, read_qrels_jg
    from irkit.data.judgments.preferences import Preferences, read_prefs, read_qrels_prefs
    from irkit.data.judgments.prels import Prels, read_prels
    from irkit.data.judgments.strata import Strata, read_strata
    from irkit.data.judgments.subtopics import SubtopicQrels, read_subtopic_qrels
    from irkit.data.qrels import Qrels, read_qrels
    from irkit.data.runs import Run, read_run
    from irkit.data.topics import Topic, Topics, read_topics
    from irkit.errors import DataError, FormatError, IrkitError, MeasureError, UsageError
    from irkit.evaluation.bounds import bounds, with_judged
    from irkit.evaluation.result import Evaluation
    from irkit.evaluation.scoring import Evaluator, evaluate, evaluator
    from irkit.fusion import Training, fuse, linear, rrf
    from irkit.gate import GateResult, accept_baseline, check_regression
    from irkit.holes import Holes, find_holes
    from irkit.judged import Judged, judge
    from irkit.judged.fractional import JudgedFractional, judge_fractional
    from irkit.judged.groups import JudgedGroups, judge_groups
    from irkit.judged.preferences import JudgedPreferences, judge_preferences
    from irkit.judged.prels import JudgedPrels, judge_prels
    from irkit.judged.strata import JudgedStrata, judge_strata
    from irkit.judged.subtopics import JudgedSubtopics, judge_subtopics
    from irkit.measures import Measure, parse_measure, parse_measures
    from irkit.recipes import verify
    from irkit.report.page import report_page, write_report
    from irkit.report.text import render
    from irkit.stats import (
        Comparison,
        Contrast,
        PairedTest,
        assess_reproduction,
        compare,
        kendall_tau,
        paired_t_test,
        pilot_spreads,
        plan_topics,
        rank_biased_overlap,
        rank_systems,
        ranking_reproduced,
        run_overlap,
        run_similarity,
        spearman,
        tau_ap,
        topics_needed,
    )
    from irkit.tuning import (
        Folds,
        LearnedFloor,
        Nested,
        Separate,
        Share,
        Space,
        Tuned,
        fusion_maker,
        learn_floor,
        tune,
    )

_HOME = {
    "CheckReport": "checking",
    "Comparison": "stats",
    "Contrast": "stats",
    "DataError": "errors",
    "Document": "data.documents",
    "Evaluation": "evaluation.result",
    "Evaluator": "evaluation.scoring",
    "Folds": "tuning",
    "FormatError": "errors",
    "FractionalQrels": "data.judgments.fractional",
    "GateResult": "gate",
    "GroupedQrels": "data.judgments.grouped",
    "Holes": "holes",
    "IrkitError": "errors",
    "Judged": "judged",
    "JudgedFractional": "judged.fractional",
    "JudgedGroups": "judged.groups",
    "JudgedPreferences": "judged.preferences",
    "JudgedPrels": "judged.prels",
    "JudgedStrata": "judged.strata",
    "JudgedSubtopics": "judged.subtopics",
    "LearnedFloor": "tuning",
    "Measure": "measures",
    "MeasureError": "errors",
    "Nested": "tuning",
    "PairedTest": "stats",
    "Preferences": "data.judgments.preferences",
    "Prels": "data.judgments.prels",
    "Qrels": "data.qrels",
    "Run": "data.runs",
    "RunDiff": "changes",
    "Separate": "tuning",
    "Share": "tuning",
    "Space": "tuning",
    "Strata": "data.judgments.strata",
    "SubmissionRules": "checking",
    "SubtopicQrels": "data.judgments.subtopics",
    "Topic": "data.topics",
    "Topics": "data.topics",
    "Training": "fusion",
    "Tuned": "tuning",
    "UsageError": "errors",
    "accept_baseline": "gate",
    "assess_reproduction": "stats",
    "bounds": "evaluation.bounds",
    "check": "checking",
    "check_regression": "gate",
    "compare": "stats",
    "convert": "conversion",
    "diff": "changes",
    "evaluate": "evaluation.scoring",
    "evaluator": "evaluation.scoring",
    "find_holes": "holes",
    "fuse": "fusion",
    "fusion_maker": "tuning",
    "judge": "judged",
    "judge_fractional": "judged.fractional",
    "judge_groups": "judged.groups",
    "judge_preferences": "judged.preferences",
    "judge_prels": "judged.prels",
    "judge_strata": "judged.strata",
    "judge_subtopics": "judged.subtopics",
    "kendall_tau": "stats",
    "learn_floor": "tuning",
    "linear": "fusion",
    "mend": "checking",
    "paired_t_test": "stats",
    "parse_measure": "measures",
    "parse_measures": "measures",
    "pilot_spreads": "stats",
    "plan_topics": "stats",
    "rank_biased_overlap": "stats",
    "rank_systems": "stats",
    "ranking_reproduced": "stats",
    "read_documents": "data.documents",
    "read_fractional_qrels": "data.judgments.fractional",
    "read_prefs": "data.judgments.preferences",
    "read_prels": "data.judgments.prels",
    "read_qrels": "data.qrels",
    "read_qrels_jg": "data.judgments.grouped",
    "read_qrels_prefs": "data.judgments.preferences",
    "read_run": "data.runs",
    "read_strata": "data.judgments.strata",
    "read_subtopic_qrels": "data.judgments.subtopics",
    "read_topics": "data.topics",
    "render": "report.text",
    "report_page": "report.page",
    "rrf": "fusion",
    "run_overlap": "stats",
    "run_similarity": "stats",
    "spearman": "stats",
    "tau_ap": "stats",
    "topics_needed": "stats",
    "tune": "tuning",
    "verify": "recipes",
    "with_judged": "evaluation.bounds",
    "write_documents": "data.documents",
    "write_report": "report.page",
}

__all__ = [
    "CheckReport",
    "Comparison",
    "Contrast",
    "DataError",
    "Document",
    "Evaluation",
    "Evaluator",
    "Folds",
    "FormatError",
    "FractionalQrels",
    "GateResult",
    "GroupedQrels",
    "Holes",
    "IrkitError",
    "Judged",
    "JudgedFractional",
    "JudgedGroups",
    "JudgedPreferences",
    "JudgedPrels",
    "JudgedStrata",
    "JudgedSubtopics",
    "LearnedFloor",
    "Measure",
    "MeasureError",
    "Nested",
    "PairedTest",
    "Preferences",
    "Prels",
    "Qrels",
    "Run",
    "RunDiff",
    "Separate",
    "Share",
    "Space",
    "Strata",
    "SubmissionRules",
    "SubtopicQrels",
    "Topic",
    "Topics",
    "Training",
    "Tuned",
    "UsageError",
    "accept_baseline",
    "assess_reproduction",
    "bounds",
    "check",
    "check_regression",
    "compare",
    "convert",
    "diff",
    "evaluate",
    "evaluator",
    "find_holes",
    "fuse",
    "fusion_maker",
    "judge",
    "judge_fractional",
    "judge_groups",
    "judge_preferences",
    "judge_prels",
    "judge_strata",
    "judge_subtopics",
    "kendall_tau",
    "learn_floor",
    "linear",
    "mend",
    "paired_t_test",
    "parse_measure",
    "parse_measures",
    "pilot_spreads",
    "plan_topics",
    "rank_biased_overlap",
    "rank_systems",
    "ranking_reproduced",
    "read_documents",
    "read_fractional_qrels",
    "read_prefs",
    "read_prels",
    "read_qrels",
    "read_qrels_jg",
    "read_qrels_prefs",
    "read_run",
    "read_strata",
    "read_subtopic_qrels",
    "read_topics",
    "render",
    "report_page",
    "rrf",
    "run_overlap",
    "run_similarity",
    "spearman",
    "tau_ap",
    "topics_needed",
    "tune",
    "verify",
    "with_judged",
    "write_documents",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
