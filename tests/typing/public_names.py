"""What a type checker sees of the public names: `make check` runs mypy on this file; no test runs the code."""

from collections.abc import Iterator, Sequence
from typing import assert_type

import irkit
from irkit.stats.topic_plan import Spread


def files() -> None:
    assert_type(irkit.read_run("run.txt"), irkit.Run)
    assert_type(irkit.read_qrels("qrels.txt"), irkit.Qrels)
    assert_type(irkit.read_subtopic_qrels("qrels.txt"), irkit.SubtopicQrels)
    assert_type(irkit.read_fractional_qrels("qrels.txt"), irkit.FractionalQrels)
    assert_type(irkit.read_strata("strata.txt"), irkit.Strata)
    assert_type(irkit.read_prels("prels.txt"), irkit.Prels)
    assert_type(irkit.read_prefs("prefs.txt"), irkit.Preferences)
    assert_type(irkit.read_qrels_prefs("prefs.txt"), irkit.Preferences)
    assert_type(irkit.read_qrels_jg("groups.txt"), irkit.GroupedQrels)
    assert_type(irkit.read_topics("topics.txt"), irkit.Topics)
    assert_type(irkit.read_documents("documents.jsonl"), Iterator[irkit.Document])
    assert_type(irkit.write_documents("copy.jsonl", irkit.read_documents("documents.jsonl")), int)
    assert_type(irkit.check("run.txt"), irkit.CheckReport)
    assert_type(irkit.mend("run.txt"), irkit.CheckReport)


def scoring() -> None:
    result = irkit.evaluate(
        run={"q1": {"d1": 1.0}}, qrels={"q1": {"d1": 1}}, measures=["nDCG@10", irkit.parse_measure("RR")]
    )
    assert_type(result, irkit.Evaluation)
    assert_type(result.value("nDCG@10"), float)
    assert_type(irkit.parse_measures("nDCG@10 RR"), tuple[irkit.Measure, ...])
    assert_type(irkit.with_judged(["P@5"]), tuple[irkit.Measure, ...])
    assert_type(irkit.evaluator("qrels.txt", ["AP"]), irkit.Evaluator)
    assert_type(irkit.judge("run.txt", "qrels.txt"), irkit.Judged)
    assert_type(irkit.judge_subtopics("run.txt", "qrels.txt"), irkit.JudgedSubtopics)
    assert_type(irkit.judge_strata("run.txt", irkit.read_strata("strata.txt")), irkit.JudgedStrata)
    assert_type(irkit.judge_prels("run.txt", irkit.read_prels("prels.txt")), irkit.JudgedPrels)
    assert_type(irkit.judge_fractional("run.txt", irkit.read_fractional_qrels("qrels.txt")), irkit.JudgedFractional)
    assert_type(irkit.judge_groups("run.txt", irkit.read_qrels_jg("groups.txt")), irkit.JudgedGroups)
    assert_type(irkit.judge_preferences("run.txt", irkit.read_prefs("prefs.txt")), irkit.JudgedPreferences)


def comparing(evaluations: Sequence[irkit.Evaluation]) -> None:
    comparison = irkit.compare(evaluations)
    assert_type(comparison, irkit.Comparison)
    assert_type(comparison.contrasts[0], irkit.Contrast)
    assert_type(irkit.paired_t_test([0.1, 0.2], [0.2, 0.4]), irkit.PairedTest)
    assert_type(irkit.render(comparison, "json"), str)
    assert_type(irkit.diff("a.run", "b.run", "qrels.txt", "nDCG@10"), irkit.RunDiff)
    assert_type(irkit.find_holes(["a.run", "b.run"], "qrels.txt"), irkit.Holes)
    assert_type(irkit.check_regression(run="a.run", qrels="qrels.txt", baseline="baseline.json"), irkit.GateResult)
    assert_type(irkit.pilot_spreads(evaluations), tuple[Spread, ...])
    assert_type(irkit.topics_needed(0.5), int)


def making() -> None:
    runs = [irkit.read_run("a.run"), irkit.read_run("b.run")]
    assert_type(irkit.fuse(runs), irkit.Run)
    assert_type(irkit.rrf(runs), irkit.Run)
    assert_type(irkit.linear(runs, weights=[0.5, 0.5]), irkit.Run)
    assert_type(irkit.learn_floor("a.run", "b.run", "qrels.txt"), irkit.LearnedFloor)
    tuned = irkit.tune(irkit.fusion_maker(runs), {"k": [10, 60]}, "qrels.txt", default={"k": 60}, split=irkit.Folds(5))
    assert_type(tuned, irkit.Tuned)
