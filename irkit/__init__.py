"""irkit: is this ranking better, and can I trust that? TREC topics, qrels and runs, made, scored, compared.

The public names are loaded when they are first used, so that `import irkit` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irkit.convert import convert
    from irkit.documents import Document, read_documents, write_documents
    from irkit.errors import DataError, FormatError, IrkitError, MeasureError, UsageError
    from irkit.evaluation import Evaluation
    from irkit.fractional_qrels import FractionalQrels, read_fractional_qrels
    from irkit.fusion import fuse, linear, rrf
    from irkit.grouped_qrels import GroupedQrels, read_qrels_jg
    from irkit.judged import Judged, judge
    from irkit.judged_fractional import JudgedFractional, judge_fractional
    from irkit.judged_groups import JudgedGroups, judge_groups
    from irkit.judged_preferences import JudgedPreferences, judge_preferences
    from irkit.judged_prels import JudgedPrels, judge_prels
    from irkit.judged_strata import JudgedStrata, judge_strata
    from irkit.judged_subtopics import JudgedSubtopics, judge_subtopics
    from irkit.measures import Measure, parse_measure, parse_measures
    from irkit.preferences import Preferences, read_prefs, read_qrels_prefs
    from irkit.prels import Prels, read_prels
    from irkit.qrels import Qrels, read_qrels
    from irkit.report import render
    from irkit.runs import Run, read_run
    from irkit.scoring import Evaluator, evaluate, evaluator
    from irkit.stats import Comparison, PairedTest, compare, paired_t_test
    from irkit.strata import Strata, read_strata
    from irkit.subtopic_qrels import SubtopicQrels, read_subtopic_qrels
    from irkit.topics import Topic, Topics, read_topics
    from irkit.unjudged import bounds, with_judged

__version__ = "0.1.0"

_HOME = {
    "Comparison": "stats",
    "DataError": "errors",
    "Document": "documents",
    "Evaluation": "evaluation",
    "Evaluator": "scoring",
    "FormatError": "errors",
    "FractionalQrels": "fractional_qrels",
    "GroupedQrels": "grouped_qrels",
    "IrkitError": "errors",
    "Judged": "judged",
    "JudgedFractional": "judged_fractional",
    "JudgedGroups": "judged_groups",
    "JudgedPreferences": "judged_preferences",
    "JudgedPrels": "judged_prels",
    "JudgedStrata": "judged_strata",
    "JudgedSubtopics": "judged_subtopics",
    "Measure": "measures",
    "MeasureError": "errors",
    "PairedTest": "stats",
    "Preferences": "preferences",
    "Prels": "prels",
    "Qrels": "qrels",
    "Run": "runs",
    "Strata": "strata",
    "SubtopicQrels": "subtopic_qrels",
    "Topic": "topics",
    "Topics": "topics",
    "UsageError": "errors",
    "bounds": "unjudged",
    "compare": "stats",
    "convert": "convert",
    "evaluate": "scoring",
    "evaluator": "scoring",
    "fuse": "fusion",
    "judge": "judged",
    "judge_fractional": "judged_fractional",
    "judge_groups": "judged_groups",
    "judge_preferences": "judged_preferences",
    "judge_prels": "judged_prels",
    "judge_strata": "judged_strata",
    "judge_subtopics": "judged_subtopics",
    "linear": "fusion",
    "paired_t_test": "stats",
    "parse_measure": "measures",
    "parse_measures": "measures",
    "read_documents": "documents",
    "read_fractional_qrels": "fractional_qrels",
    "read_prefs": "preferences",
    "read_prels": "prels",
    "read_qrels": "qrels",
    "read_qrels_jg": "grouped_qrels",
    "read_qrels_prefs": "preferences",
    "read_run": "runs",
    "read_strata": "strata",
    "read_subtopic_qrels": "subtopic_qrels",
    "read_topics": "topics",
    "render": "report",
    "rrf": "fusion",
    "with_judged": "unjudged",
    "write_documents": "documents",
}

__all__ = [
    "Comparison",
    "DataError",
    "Document",
    "Evaluation",
    "Evaluator",
    "FormatError",
    "FractionalQrels",
    "GroupedQrels",
    "IrkitError",
    "Judged",
    "JudgedFractional",
    "JudgedGroups",
    "JudgedPreferences",
    "JudgedPrels",
    "JudgedStrata",
    "JudgedSubtopics",
    "Measure",
    "MeasureError",
    "PairedTest",
    "Preferences",
    "Prels",
    "Qrels",
    "Run",
    "Strata",
    "SubtopicQrels",
    "Topic",
    "Topics",
    "UsageError",
    "bounds",
    "compare",
    "convert",
    "evaluate",
    "evaluator",
    "fuse",
    "judge",
    "judge_fractional",
    "judge_groups",
    "judge_preferences",
    "judge_prels",
    "judge_strata",
    "judge_subtopics",
    "linear",
    "paired_t_test",
    "parse_measure",
    "parse_measures",
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
    "rrf",
    "with_judged",
    "write_documents",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
