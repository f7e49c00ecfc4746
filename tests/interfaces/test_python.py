"""What Python users hand over, and what they get back."""

import html
import tracemalloc
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from math import log2
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from evaluations import evaluation
from kernels import KERNELS, load

import irkit
from irkit import _kernel
from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.errors import FormatError, UsageError

pytestmark = pytest.mark.usefixtures("kernel")


@pytest.fixture(params=KERNELS)
def kernel(request, monkeypatch):
    module = load(request.param)
    for name in set(_kernel.__all__) - {"NAME"}:
        monkeypatch.setattr(_kernel, name, getattr(module, name))


# The namedtuples of ir_datasets (formats/trec.py, formats/base.py).
TrecQrel = namedtuple("TrecQrel", "query_id doc_id relevance iteration")
GenericScoredDoc = namedtuple("GenericScoredDoc", "query_id doc_id score")

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 0.5, "e": 0.25}}
QRELS = {"q1": {"a": 0, "b": 1, "z": 1}, "q2": {"e": 2}}
# q1: b at rank 2, one of two relevant documents: AP (1/2) / 2, RR 1/2. q2: e at rank 2: AP and RR 1/2.
AP, RR = (1 / 4 + 1 / 2) / 2, 1 / 2


def scored_docs(run=RUN):
    return [GenericScoredDoc(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]


def trec_qrels(qrels=QRELS):
    return [TrecQrel(topic, doc, grade, "0") for topic, docs in qrels.items() for doc, grade in docs.items()]


def as_given(found):
    return found.value("AP"), found.value("RR")


# An evaluation, shown


def test_a_prompt_shows_the_head_each_topic_and_all():
    found = irkit.evaluate(run=RUN, qrels=QRELS | {"q3": {"d": 1}}, measures="AP RR NumRel", name="bm25")
    assert repr(found) == (
        "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "1 judged topic missing from the run (counted as returning nothing): q3\n"
        "bm25      AP      RR  NumRel\n"
        "q1    0.2500  0.5000       2\n"
        "q2    0.5000  0.5000       1\n"
        "q3    0.0000  0.0000       1\n"
        "all   0.2500  0.3333       4"
    )
    assert str(found) == "bm25: AP 0.2500, RR 0.3333, NumRel 4 (3 topics)"


@pytest.mark.parametrize("n", [1, 11])
def test_of_one_topic_and_of_many_only_the_summary_is_shown(n):
    topics = "1 topic" if n == 1 else f"{n} topics"
    assert repr(evaluation("r", {"AP": [0.5] * n})) == (
        f"{topics} averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "r        AP\n"
        "all  0.5000"
    )


def test_a_value_that_is_left_out_of_the_average_is_shown_as_such():
    shown = repr(evaluation("r", {"AP": [0.5, np.nan]}))
    assert shown.splitlines()[-3:] == ["1    0.5000", "2         -", "all  0.5000"]


class Cells(HTMLParser):
    """The text of each cell, and the tags that there are."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.tags = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert not attrs
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


def test_a_notebook_shows_the_same_cells_as_the_prompt():
    found = irkit.evaluate(run=RUN, qrels=QRELS, measures="AP RR", name="bm25")
    shown = found._repr_html_()
    assert Cells(shown).cells == [cell for line in repr(found).splitlines()[1:] for cell in line.split()]
    assert html.escape(repr(found).splitlines()[0]) in shown


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "</table>", "a&b", "\x1b[31m", '"q"'])
def test_hostile_names_and_ids_are_nothing_but_text(hostile):
    found = irkit.evaluate(
        run={hostile: ["a"], "q": ["a"], "u" + hostile: ["a"]},
        qrels={hostile: {"a": 1}, "q": {"a": 1}, "m" + hostile: {"a": 1}},
        measures="AP",
        name=hostile,
    )
    shown = Cells(found._repr_html_())
    assert shown.tags == {"div", "table", "thead", "tbody", "tr", "th", "td"}
    visible = hostile.replace("\x1b", "\\x1b")
    assert shown.cells[0] == visible
    assert visible in shown.cells[1:]
    for text in (found._repr_html_(), repr(found)):
        assert text.replace("\n", "").isprintable()


# The values of one topic, and the frame


def test_a_topic_has_its_values_by_measure():
    found = irkit.evaluate(run=RUN, qrels=QRELS, measures=["nDCG@10", "P(rel=2)@10", "NumRel"])
    # q2: its one relevant document, of grade 2, at rank 2
    assert found.topic("q2") == pytest.approx({"nDCG@10": 1 / log2(3), "P(rel=2)@10": 0.1, "NumRel": 1})


@pytest.mark.parametrize(("topic", "end"), [("q11", "; did you mean 'q1'?"), ("zzz", ""), (7, "")])
def test_an_unknown_topic_is_refused_with_the_nearest(topic, end):
    found = irkit.evaluate(run=RUN, qrels=QRELS, measures="AP", name="bm25")
    for ask in (found.topic, lambda topic: found.value("AP", topic)):
        with pytest.raises(UsageError) as problem:
            ask(topic)
        assert str(problem.value) == f"topic {topic!r} is not among the 2 topics of bm25{end}"


def test_the_frame_has_a_row_for_each_topic_and_is_a_copy():
    found = irkit.evaluate(run=RUN, qrels=QRELS, measures="AP RR")
    frame = found.to_pandas()
    expected = pd.DataFrame(
        {"AP": [0.25, 0.5], "RR": [0.5, 0.5]}, index=pd.Index(["q1", "q2"], name="topic", dtype=object)
    )
    pd.testing.assert_frame_equal(frame, expected)
    frame.loc["q1", "AP"] = 1.0
    assert found.topic("q1")["AP"] == 0.25


# Rows as objects


class DataSet:
    """As a data set of ir_datasets: new iterators each time it is asked."""

    def qrels_iter(self):
        return iter(trec_qrels())

    def scoreddocs_iter(self):
        return iter(scored_docs())


SOURCES = {
    "list": list,
    "tuple": tuple,
    "generator": lambda rows: (row for row in rows),
    "mixed up": lambda rows: sorted(rows, key=lambda row: row.doc_id[::-1], reverse=True),
    "other objects": lambda rows: [SimpleNamespace(**row._asdict()) for row in rows],
    "data set": lambda rows: DataSet(),
}


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES)
def test_objects_are_read_as_dicts_are(made):
    assert as_given(irkit.evaluate(run=made(scored_docs()), qrels=made(trec_qrels()), measures="AP RR")) == (AP, RR)
    assert Run.of(made(scored_docs())).to_dict() == RUN
    assert Qrels.of(made(trec_qrels())).to_dict() == QRELS


def test_objects_of_ir_measures_are_read():
    ir_measures = pytest.importorskip("ir_measures")
    run = (ir_measures.ScoredDoc(*row) for row in scored_docs())
    qrels = (ir_measures.Qrel(*row) for row in trec_qrels())
    assert as_given(irkit.evaluate(run=run, qrels=qrels, measures="AP RR")) == (AP, RR)


@pytest.mark.parametrize("number", [np.float32(2), np.float64(2), np.int64(2), np.int32(2), np.uint8(2), 2])
def test_b44_numbers_of_numpy_are_numbers(number):
    run = [GenericScoredDoc("q", "a", number), GenericScoredDoc("q", "b", 1.0)]
    assert irkit.evaluate(run=run, qrels=[TrecQrel("q", "a", number, "0")], measures="RR").value("RR") == 1
    assert irkit.evaluate(run={"q": {"a": number}}, qrels={"q": {"a": number}}, measures="RR").value("RR") == 1


def scored(*rows):
    return [GenericScoredDoc(*row) for row in rows]


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (
            scored(("q", "a", 1.0), ("q", "b", 2.0), ("q", "a", 3.0)),
            ValueError,
            "mine: row 3 of the objects: document 'a' occurs twice in topic 'q', first in row 1; keep one of them",
        ),
        (
            scored(("q", "a", 1.0), ("q", "b", "2")),
            TypeError,
            "mine: row 2 of the objects, column score: the score of document 'b' in topic 'q' is '2'; a score is a "
            "number",
        ),
        (
            scored(("q", "a", True)),
            TypeError,
            "mine: row 1 of the objects, column score: the score of document 'a' in topic 'q' is True; a score is a "
            "number",
        ),
        (
            scored(("q", "a", 1), ("q", 7, 1)),
            TypeError,
            "mine: row 2 of the objects, column doc_id: the document id 7 is of type int; ids are strings: str(id)",
        ),
        (
            scored(("q", "a", None)),
            ValueError,
            "mine: row 1 of the objects has no score for document 'a' in topic 'q'; fill it or leave the row out",
        ),
        (
            [("q", "a", 1.0)],
            TypeError,
            "mine: row 1 of the objects is a tuple that has no field "
            "topic or query_id or qid or q_id or topic_id or question_id or query; a row "
            "says which of its values is which, as a namedtuple does",
        ),
        (
            [{"query_id": "q", "doc_id": "a", "score": 1.0}],
            TypeError,
            "mine: row 1 of the objects is a dict that has no field "
            "topic or query_id or qid or q_id or topic_id or question_id or query; make a "
            "table of such rows: pandas.DataFrame(rows)",
        ),
        (
            trec_qrels(),
            TypeError,
            "mine: row 1 of the objects is a TrecQrel that has no field score or sim; a row says which of its values "
            "is which, as a namedtuple does",
        ),
        (
            [*scored(("q", "a", 1.0)), TrecQrel("q", "a", 1, "0")],
            TypeError,
            "mine: row 2 of the objects is a TrecQrel that has no field score, as row 1 has it",
        ),
        (
            iter([]),
            ValueError,
            "mine: the list_iterator gives no objects; one that was read before is used up: give a list",
        ),
    ],
)
def test_what_is_wrong_with_objects_is_said_with_its_place(rows, error, message):
    with pytest.raises(error) as problem:
        Run.of(rows, "mine")
    assert str(problem.value) == message


def test_rows_are_counted_from_the_first_of_all():
    # more than are held at a time
    rows = [GenericScoredDoc("q", f"d{place}", 1.0) for place in range(40_000)]
    assert len(Run.of(iter(rows))) == 40_000
    with pytest.raises(FormatError, match=r"row 40001 of the objects: document 'd7' occurs twice .* first in row 8;"):
        Run.of(iter([*rows, rows[7]]))
    with pytest.raises(TypeError, match="row 40001 of the objects, column doc_id: the document id 7 is of type int"):
        Run.of(iter([*rows, GenericScoredDoc("q", 7, 1.0)]))


def test_a_grade_among_objects_is_a_whole_number():
    with pytest.raises(ValueError, match=r"qrels: row 1 of the objects, column relevance: .* in topic 'q' is 0.5; a"):
        Qrels.of([TrecQrel("q", "a", 0.5, "0")])


def test_of_a_generator_only_some_objects_are_held():
    # 200,000 objects with their ids and scores are some 40 MB in Python (a tuple of 64 bytes, an id of 60, a float of
    # 24, and their places in a list); their columns are 200,000 * (4 + 8 + 9 + 8 + 8) bytes = 7 MB, doubled when joined
    def rows():
        for topic in range(200):
            for place in range(1000):
                yield GenericScoredDoc(f"q{topic:03}", f"d{topic * 1000 + place:08}", float(-place))

    tracemalloc.start()
    try:
        run = Run.of(rows())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(run) == 200_000
    assert peak < 30e6


# An evaluator


def sources(folder):
    """Every kind of run, each made anew whenever it is asked for, and every kind of qrels."""
    Run.of(RUN).write(folder / "run.txt")
    Qrels.of(QRELS).write(folder / "qrels.txt")
    run, qrels = pd.DataFrame(scored_docs()), pd.DataFrame(trec_qrels())
    runs = {
        "path": lambda: folder / "run.txt",
        "dict": lambda: RUN,
        "rankings": lambda: {"q1": ["a", "b", "c"], "q2": ["d", "e"]},
        "rankings from iterators": lambda: {"q1": iter("abc"), "q2": iter("de")},
        "Run": lambda: Run.of(RUN),
        "pandas": lambda: run,
        "Polars": lambda: pl.from_pandas(run),
        "stream": lambda: pl.from_pandas(run).to_arrow().to_reader(),
        "array": lambda: run.astype({"query_id": "U4", "doc_id": "U4"}).to_records(index=False).view(np.ndarray),
        "objects": scored_docs,
        "generator": lambda: (row for row in scored_docs()),
        "data set": DataSet,
    }
    judgments = {
        "path": folder / "qrels.txt",
        "dict": QRELS,
        "Qrels": Qrels.of(QRELS),
        "pandas": qrels,
        "stream": pl.from_pandas(qrels).to_arrow().to_reader(),
        "objects": trec_qrels(),
        "generator": (row for row in trec_qrels()),
        "data set": DataSet(),
    }
    return runs, judgments


def test_b45_an_evaluator_gives_the_same_again_whatever_it_is_given(tmp_path):
    runs, judgments = sources(tmp_path)
    for qrels in judgments.values():
        evaluator = irkit.evaluator(qrels, "AP RR")
        assert evaluator.judged_topics == ("q1", "q2")
        for run in (*runs.values(), *runs.values()):
            found = evaluator.evaluate(run(), "mine")
            assert (found.name, *as_given(found)) == ("mine", AP, RR)


def test_b45_a_generator_that_was_read_before_is_refused():
    run, qrels = iter(scored_docs()), iter(trec_qrels())
    assert as_given(irkit.evaluate(run=run, qrels=qrels, measures="AP RR")) == (AP, RR)
    with pytest.raises(FormatError, match="qrels: the list_iterator gives no objects; one that was read before is"):
        irkit.evaluate(run=scored_docs(), qrels=qrels)
    with pytest.raises(FormatError, match="run: the list_iterator gives no objects; one that was read before is used"):
        irkit.evaluate(run=run, qrels=trec_qrels())


def test_an_evaluator_is_used_by_many_threads_at_once(tmp_path):
    runs, judgments = sources(tmp_path)
    for qrels in judgments.values():
        evaluator = irkit.evaluator(qrels, "AP RR")
        made = [run() for run in runs.values() for _ in range(8)]
        with ThreadPoolExecutor(8) as threads:
            assert {as_given(found) for found in threads.map(evaluator.evaluate, made)} == {(AP, RR)}


def test_threads_that_score_different_runs_get_their_own_values():
    # the relevant document of each topic at rank n: RR is 1 / n
    evaluator = irkit.evaluator({f"q{topic}": {"x": 1} for topic in range(300)}, "RR")
    rankings = {n: {f"q{topic}": [*map(str, range(n - 1)), "x"] for topic in range(300)} for n in range(1, 9)}
    with ThreadPoolExecutor(8) as threads:
        found = threads.map(lambda n: (n, evaluator.evaluate(rankings[n]).value("RR")), [*rankings] * 25)
    assert all(value == pytest.approx(1 / n) for n, value in found)


def test_what_becomes_of_the_judgments_afterwards_changes_nothing():
    qrels = {"q1": {"b": 1}}
    evaluator = irkit.evaluator(qrels, "RR")
    qrels["q1"] = {"c": 1}
    assert evaluator.evaluate(RUN).value("RR") == 1 / 2


def test_an_evaluator_needs_a_measure():
    with pytest.raises(UsageError, match="there is no measure to score with; give one at least"):
        irkit.evaluator(QRELS, [])


def test_a_generator_of_qrels_serves_measures_of_two_kinds():
    qrels = [TrecQrel("q", "a", 1, "1"), TrecQrel("q", "b", 2, "2")]
    asked = "AP alpha_nDCG@5"
    run = {"q": ["b", "x", "a"]}
    np.testing.assert_array_equal(
        irkit.evaluate(run=run, qrels=iter(qrels), measures=asked).values,
        irkit.evaluate(run=run, qrels=qrels, measures=asked).values,
    )
