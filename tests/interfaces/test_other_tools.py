"""The committed topics, qrels and runs are read by the tools of the field, and give the numbers that irkit gives."""

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from irkit.data.topics import read_topics
from irkit.evaluation.scoring import evaluate

ROOT = Path(__file__).resolve().parents[2]
RUNS = sorted((ROOT / "runs").glob("run.*.txt"))
NAMES = ["map", "recip_rank", "P_5", "recall_100", "ndcg", "ndcg_cut_10", "Rprec", "bpref", "num_ret", "num_rel_ret"]


def qrels_of(run: Path) -> Path:
    return ROOT / "qrels" / f"qrels.{run.name.split('.')[1]}.txt"


def test_the_runs_of_both_collections_are_there():
    assert [run.name for run in RUNS] == [
        "run.passages.bm25.txt",
        "run.passages.dense.txt",
        "run.passages.hybrid.txt",
        "run.passages.rrf.txt",
        "run.services.bm25.txt",
        "run.services.dense.txt",
        "run.services.fused.txt",
    ]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_trec_eval_prints_the_same_digits(trec_eval, run):
    marked = [
        word
        for name in (
            "map",
            "recip_rank",
            "P.5",
            "recall.100",
            "ndcg",
            "ndcg_cut.10",
            "Rprec",
            "bpref",
            "num_ret",
            "num_rel_ret",
        )
        for word in ("-m", name)
    ]
    shown = subprocess.run(
        [trec_eval, "-q", "-c", *marked, qrels_of(run), run], capture_output=True, text=True, check=True
    )
    theirs = {}
    for line in shown.stdout.splitlines():
        name, topic, value = line.split("\t")
        theirs[name.strip(), topic] = value
    ours = evaluate(run=run, qrels=qrels_of(run), measures=NAMES, rules="trec_eval-9")
    compared = 0
    for measure in ours.measures:
        form = "%d" if measure.summary == "sum" else "%6.4f"
        assert theirs[measure.trec_name, "all"] == form % ours.value(measure)
        for topic in ours.topics:
            if (measure.trec_name, topic) in theirs:  # 9.0 has no lines for a topic that the run lacks
                assert theirs[measure.trec_name, topic] == form % ours.value(measure, topic)
                compared += 1
    assert compared >= len(NAMES) * 6


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_pytrec_eval_gives_the_same_values(run):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    with qrels_of(run).open() as qrels_file, run.open() as run_file:
        judged, ranked = pytrec_eval.parse_qrel(qrels_file), pytrec_eval.parse_run(run_file)
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"map", "recip_rank", "ndcg_cut.10"}).evaluate(ranked)
    ours = evaluate(run=run, qrels=qrels_of(run), measures=["map", "recip_rank", "ndcg_cut_10"], rules="trec_eval-9")
    for topic, values in theirs.items():
        for name, value in values.items():
            assert ours.value(name, topic) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_ir_measures_gives_the_same_averages(run):
    ir_measures = pytest.importorskip("ir_measures")
    names = ["nDCG@10", "AP", "RR", "P@5", "R@100"]
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in names],
        ir_measures.read_trec_qrels(str(qrels_of(run))),
        ir_measures.read_trec_run(str(run)),
    )
    ours = evaluate(run=run, qrels=qrels_of(run), measures=names, rules="trec_eval-9")
    assert {str(measure): pytest.approx(value, abs=1e-9) for measure, value in theirs.items()} == {
        name: ours.value(name) for name in names
    }


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_pandas_reads_ranks_and_scores_in_one_order(run):
    columns = ["topic", "q0", "document", "rank", "score", "tag"]
    frame = pd.read_csv(run, sep=" ", names=columns, dtype={"topic": str, "document": str})
    configuration = run.name.split(".")[2]
    assert set(frame["q0"]) == {"Q0"}
    assert set(frame["tag"]) == {configuration}
    for _, topic in frame.groupby("topic"):
        assert topic["rank"].tolist() == list(range(1, len(topic) + 1))
        assert (np.diff(topic["score"]) <= 0).all()
    again = evaluate(run=frame, qrels=qrels_of(run), measures=["nDCG@10"])
    assert again.value("nDCG@10") == evaluate(run=run, qrels=qrels_of(run), measures=["nDCG@10"]).value("nDCG@10")


@pytest.mark.parametrize("collection", ["services", "passages"])
def test_the_committed_files_are_those_that_the_fixtures_give(collection, tmp_path):
    from irkit.conversion import convert

    convert(ROOT / "irkit" / "collections" / collection, tmp_path, name=collection)
    for kind in ("topics", "qrels"):
        name = f"{kind}/{kind}.{collection}.txt"
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()


def test_every_service_is_judged_for_every_query():
    frame = pd.read_csv(ROOT / "qrels" / "qrels.services.txt", sep=" ", names=["topic", "zero", "document", "grade"])
    assert len(frame) == 15 * 18 == 270
    assert set(frame["grade"]) == {0, 1, 2, 3}
    categories = read_topics(ROOT / "topics" / "topics.services.txt").field("category")
    assert pd.Series(categories).value_counts().to_dict() == dict.fromkeys(
        ["exact-name", "paraphrase", "filtered", "no-result", "adversarial"], 3
    )


def test_bm25_falls_behind_on_paraphrases_and_dense_does_not():
    topics = read_topics(ROOT / "topics" / "topics.services.txt").field("category")
    found = {}
    for name in ("bm25", "dense"):
        run, qrels = ROOT / "runs" / f"run.services.{name}.txt", ROOT / "qrels" / "qrels.services.txt"
        parts = evaluate(run=run, qrels=qrels, measures=["nDCG(dcg='exp-log2')@10"]).by_group(topics)
        found[name] = float(parts["paraphrase"].summary[0])
    assert found["bm25"] < 0.25
    assert found["dense"] > 0.9
