"""Runs and qrels in tables and columns are what they are in files, whoever made the table."""

import struct
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from arrow_by_hand import Producer

import irkit
from irkit import _kernel
from irkit._kernel import numpy_twin
from irkit.data.qrels import Qrels, read_qrels
from irkit.data.runs import Run, read_run
from irkit.errors import FormatError, WrongTypeError

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=["numpy", "compiled"], autouse=True)
def kernel(request, monkeypatch):
    if request.param == "compiled":
        return pytest.importorskip("irkit._kernel.compiled")
    for name in set(_kernel.__all__) - {"NAME"}:
        monkeypatch.setattr(_kernel, name, getattr(numpy_twin, name))
    return numpy_twin


def structured(columns, text="U30", number="f8"):
    types = [text, text, number]
    return np.array(list(zip(*columns.values(), strict=True)), dtype=list(zip(columns, types, strict=True)))


def sliced(columns):
    """A table of three chunks, cut out of a longer one."""
    longer = {name: [values[0], *values, values[0]] for name, values in columns.items()}
    return pa.concat_tables([pa.table(longer).slice(1, 2), pa.table(longer).slice(2, 0), pa.table(longer).slice(3)])[
        :-1
    ]


def as_types(topic, document, number=None):
    def made(columns):
        names = list(columns)
        table = pa.table(columns)
        kinds = [topic, document, number or table.schema.field(2).type]
        return table.cast(pa.schema(list(zip(names, kinds, strict=True))))

    return made


def enumerated(columns):
    topic, document, _ = columns
    kinds = {topic: pl.Categorical, document: pl.Enum(sorted(set(columns[document])))}
    return pl.DataFrame(columns).cast(kinds)


def reader(columns):
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))


class OnlyAStream:
    def __init__(self, columns):
        self.table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


KINDS = {
    "pandas": pd.DataFrame,
    "pandas, objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas, categories": lambda columns: pd.DataFrame(columns).astype(dict.fromkeys(list(columns)[:2], "category")),
    "pandas, numpy text": lambda columns: pd.DataFrame(columns).astype(
        dict.fromkeys(list(columns)[:2], pd.StringDtype("python"))
    ),
    "pandas, 32 bits, own index, a column of anything": lambda columns: (
        pd.DataFrame(columns, index=pd.Index(range(len(columns["qid"]), 0, -1)))
        .astype({list(columns)[2]: "float32"})
        .assign(other=object())
    ),
    "polars": pl.DataFrame,
    "polars, categories": enumerated,
    "polars, objects beside it": lambda columns: pl.DataFrame(columns).with_columns(other=pl.lit([1, 2])),
    "pyarrow": pa.table,
    "pyarrow, chunks": sliced,
    "pyarrow, batch": lambda columns: pa.table(columns).combine_chunks().to_batches()[0],
    "pyarrow, reader": reader,
    "pyarrow, large": as_types(pa.large_string(), pa.large_binary()),
    "pyarrow, views": as_types(pa.string_view(), pa.binary_view()),
    "pyarrow, dictionaries": as_types(pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint64(), pa.string())),
    "pyarrow, 16 bits": as_types(pa.string(), pa.binary(), pa.float16()),
    "arrow": OnlyAStream,
    "numpy": structured,
    "numpy, bytes and 16 bits": lambda columns: structured(columns, "S30", ">f2"),
    "numpy, objects": lambda columns: structured(columns, "O", "O"),
    "numpy, records": lambda columns: structured(columns).view(np.recarray),
}

# Scores that 16 bits hold, and whole grades.
ROWS = {
    "qid": ["2", "10", "10", "2", "10"],
    "docno": ["FT911-1", "b", "a-document-with-a-long-name", "b", "c"],
    "score": [1.5, 2.0, 2.0, -0.25, 7.0],
}
RUN = {"10": {"c": 7.0, "b": 2.0, "a-document-with-a-long-name": 2.0}, "2": {"FT911-1": 1.5, "b": -0.25}}
GRADES = {"10": {"b": 2, "a-document-with-a-long-name": 2, "c": 7}, "2": {"FT911-1": 1, "b": 0}}


@pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)
def test_a_table_is_the_run_in_it(made):
    run = Run.of(made(ROWS), name="mine")
    assert [(topic, list(documents.items())) for topic, documents in run.to_dict().items()] == [
        (topic, list(documents.items())) for topic, documents in RUN.items()
    ]
    assert (run.tag, run.name) == ("mine", "mine")


@pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)
def test_a_table_is_the_qrels_in_it(made):
    qrels = Qrels.of(made({"qid": ROWS["qid"], "docno": ROWS["docno"], "rel": [1.0, 2.0, 2.0, 0.0, 7.0]}))
    assert {topic: list(grades.items()) for topic, grades in qrels.to_dict().items()} == {
        topic: list(grades.items()) for topic, grades in GRADES.items()
    }


@pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)
def test_tables_are_scored_as_dicts_are(made):
    grades = {name: values for name, values in ROWS.items() if name != "score"} | {"label": [1.0, 2.0, 2.0, 0.0, 7.0]}
    # Topic 10: gains 7, 2, 2, the best there is. Topic 2: 1, 0 likewise.
    found = irkit.evaluate(run=made(ROWS), qrels=made(grades), measures="nDCG RR P@2", name="mine")
    assert (found.name, found.topics) == ("mine", ("10", "2"))
    assert found.values.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 0.5]]
    assert str(found) == str(irkit.evaluate(run=RUN, qrels=GRADES, measures="nDCG RR P@2", name="mine"))


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, reader, structured])
def test_a_file_in_a_table_is_the_file(made):
    path = ROOT / "runs" / "run.services.bm25.txt"
    fields = list(zip(*(line.split() for line in path.read_text().splitlines()), strict=True))
    columns = {"qid": list(fields[0]), "docno": list(fields[2]), "score": list(map(float, fields[4]))}
    run = read_run(path)
    assert Run.of(made(columns)).as_trec(run.tag) == run.as_trec()
    qrels = read_qrels(ROOT / "qrels" / "qrels.services.txt")
    found = irkit.evaluate(run=made(columns), qrels=qrels, name="x")
    assert str(found) == str(irkit.evaluate(run=path, qrels=qrels, name="x"))


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, OnlyAStream])
@pytest.mark.parametrize(
    "numbers",
    [
        pa.array([3, 1, 2, -4, 5], pa.int8()),
        pa.array([3, 1, 2, 4, 5], pa.uint64()),
        pa.array([3, 1, 2, -4, 5], pa.float32()),
    ],
)
def test_numbers_of_any_width_are_scores_and_grades(made, numbers):
    column = numbers.to_numpy() if made in (pd.DataFrame, pl.DataFrame) else numbers
    table = made({"topic": ["1"] * 5, "document": list("abcde"), "score": column, "grade": column})
    expected = dict(zip("abcde", numbers.to_pylist(), strict=True))
    assert Run.of(table).to_dict() == Qrels.of(table).to_dict() == {"1": expected}


# What is wrong with a table --------------------------------------------------------------------------------------

NAN = float("nan")
FEW = {"qid": ["q", "q"], "docno": ["a", "b"], "score": [2.0, 1.0]}
MADE = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "arrow": OnlyAStream}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
@pytest.mark.parametrize(
    ("columns", "kind", "message"),
    [
        ({"qid": ["q", None]}, FormatError, "mine: row 2 of the table has no qid; fill it or leave the row out"),
        ({"docno": [None, "b"]}, FormatError, "mine: row 1 of the table has no docno; fill it or leave the row out"),
        ({"docno": [None, None]}, FormatError, "mine: row 1 of the table has no docno; fill it or leave the row out"),
        (
            {"score": [1.0, None]},
            FormatError,
            "mine: row 2 of the table has no score for document 'b' in topic 'q'; fill it or leave the row out",
        ),
        (
            {"score": [NAN, 1.0]},
            FormatError,
            "mine: row 1 of the table has no score for document 'a' in topic 'q'; fill it or leave the row out",
        ),
        (
            {"score": [True, False]},
            WrongTypeError,
            "mine: row 1 of the table, column score: the score of document 'a' in topic 'q' is True; a "
            "score is a number",
        ),
        (
            {"score": ["2", "1"]},
            WrongTypeError,
            "mine: row 1 of the table, column score: the score of document 'a' in topic 'q' is '2'; a "
            "score is a number",
        ),
        (
            {"score": [2**53, 2**53 + 1]},
            FormatError,
            "mine: row 2 of the table, column score: the score of document 'b' in topic 'q' is a number with "
            "more digits than a score can hold; give smaller ones, or the documents in ranked order",
        ),
        (
            {"qid": [7, 8]},
            WrongTypeError,
            "mine: row 1 of the table, column qid: the topic id 7 is of type int; ids are strings: str(id)",
        ),
        (
            {"docno": [0.5, 1.0]},
            WrongTypeError,
            "mine: row 1 of the table, column docno: the document id 0.5 is of type float; ids are strings: str(id)",
        ),
        (
            {"docno": ["a", "a"]},
            FormatError,
            "mine: row 2 of the table: document 'a' occurs twice in topic 'q', first in row 1; keep one of them",
        ),
        (
            {"score": None, "points": [1, 2]},
            FormatError,
            "mine: no column named score or sim; the table has qid, docno, points",
        ),
    ],
)
def test_what_is_wrong_is_said_with_row_and_column(made, columns, kind, message):
    columns = {name: values for name, values in (FEW | columns).items() if values is not None}
    with pytest.raises(FormatError) as found:
        Run.of(made(columns), "mine")
    assert str(found.value) == message
    assert type(found.value) is kind


def of_each_library(*columns):
    """The same columns, of which some have one name, as each library can have them."""
    values = [column for _, column in columns]
    names = [name for name, _ in columns]
    frame = pd.DataFrame(dict(enumerate(values)))
    frame.columns = names
    return [frame, pa.table(values, names), pa.RecordBatch.from_arrays(list(map(pa.array, values)), names)]


def test_a_column_twice_is_refused_and_one_that_does_not_matter_is_not():
    for table in of_each_library(("qid", ["q"]), ("docno", ["a"]), ("docno", ["b"]), ("score", [1.0])):
        with pytest.raises(FormatError, match="run: the table has 2 columns named docno; keep one of them"):
            Run.of(table)
    for table in of_each_library(("qid", ["q"]), ("x", ["a"]), ("x", ["b"]), ("docno", ["c"]), ("score", [1.0])):
        assert Run.of(table).to_dict() == {"q": {"c": 1.0}}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame(FEW).assign(docno=pd.Categorical(["a", None])), "row 2 .* has no docno"),
        (pd.DataFrame(FEW).assign(qid=pd.Categorical([1, 2])), "the topic id 1 is of type int"),
        (pd.DataFrame(FEW).assign(score=pd.array([1, None], dtype="Int64")), "row 2 .* has no score for document 'b'"),
        (
            pd.DataFrame(FEW).assign(score=pd.to_datetime(["2020-01-01"] * 2)),
            "'a' in topic 'q' is Timestamp.*is a number",
        ),
        (pd.DataFrame(FEW).assign(score=pd.Series([1.5, True], dtype=object)), "score of document 'b' .* is True;"),
        (pd.DataFrame(FEW).assign(docno=pd.Series(["a", 7], dtype=object)), "document id 7 is of type int"),
        (pd.DataFrame(FEW).assign(docno=pd.Series(["a", "\ud800"], dtype=object)), "row 2 .*holds half a character"),
        (pl.DataFrame(FEW).with_columns(docno=pl.Series(["a", None], dtype=pl.Categorical)), "row 2 .* has no docno"),
        (
            pl.DataFrame(FEW).with_columns(docno=pl.Series([["a"], ["b"]])),
            r"row 1 .* has a list in column docno: \['a'\]",
        ),
        (
            pl.DataFrame(FEW).with_columns(score=pl.Series([1, 2], dtype=pl.Decimal(9, 2))),
            r"is Decimal.*a score is a number",
        ),
        (
            structured({**FEW, "score": [0, 1]}, number="datetime64[s]"),
            r"row 1 .* is np.datetime64.*a score is a number",
        ),
        (structured(FEW, number="?"), "the score of document 'a' in topic 'q' is True"),
        (np.ma.array(structured(FEW), mask=[(0, 0, 0), (0, 0, 1)]), "row 2 .* has no score for document 'b'"),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_column_of_its_own_type(table, message):
    with pytest.raises(FormatError, match=message):
        Run.of(table)


def test_objects_in_polars_are_what_they_are_and_not_where_they_lie():
    table = pl.DataFrame(FEW)
    assert Run.of(table.with_columns(docno=pl.Series(["a", "b"], dtype=pl.Object))).to_dict() == {
        "q": {"a": 2.0, "b": 1.0}
    }
    with pytest.raises(TypeError, match="row 2 of the table, column docno: the document id 7 is of type int"):
        Run.of(table.with_columns(docno=pl.Series(["a", 7], dtype=pl.Object)))


def test_a_column_of_no_type_that_fits_is_refused():
    table = OnlyAStream(FEW | {"docno": pa.array([["a"], ["b"]])})
    with pytest.raises(FormatError, match=r"Arrow type '\+l'; ids are strings, scores and|has a list in column docno"):
        Run.of(table)


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_table_without_rows_is_a_run_without_topics(made):
    assert Run.of(made({"qid": [], "docno": [], "score": []})).to_dict() == {}


@pytest.mark.parametrize("source", [5, pl.DataFrame(FEW).lazy(), np.zeros(3)], ids=lambda source: type(source).__name__)
def test_what_is_no_table_is_refused(source):
    with pytest.raises(TypeError, match="a run is a file, a dict, a table of rows with named columns, or an iterable"):
        Run.of(source)
    with pytest.raises(TypeError, match="qrels are a file, a dict, a table of rows with named columns, or an iterable"):
        Qrels.of(source)


def test_a_column_alone_and_a_stream_that_breaks_off_are_no_tables():
    def batches():
        yield from pa.table(FEW).to_batches()
        raise OSError("the disk is gone")

    broken = pa.RecordBatchReader.from_batches(pa.table(FEW).schema, batches())
    for source in (pl.Series(["a"]), pd.Series(["a"]), pa.chunked_array([["a"]]), broken):
        with pytest.raises(FormatError, match=r"run: the .* cannot be read as a table with named columns"):
            Run.of(source)


def test_what_is_wrong_with_qrels():
    table = pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "rel": [1.0, 0.5]})
    with pytest.raises(
        ValueError, match=r"qrels: row 2 of the table, column rel: the grade of document 'b' .* is 0.5; a"
    ):
        Qrels.of(table)
    with pytest.raises(
        TypeError, match="row 1 of the table, column rel: the grade of document 'a' in topic 'q' is True"
    ):
        Qrels.of(table.with_columns(rel=pl.lit(True)))
    with pytest.raises(FormatError, match="the grade of document 'b' in topic 'q' is 9223372036854775808; a grade is"):
        Qrels.of(table.with_columns(rel=pl.Series([1, 2**63], dtype=pl.UInt64)))


# Columns ---------------------------------------------------------------------------------------------------------

TEXTS = {
    "list": list,
    "tuple": tuple,
    "U": np.array,
    "U, from the end": lambda texts: np.array(texts[::-1])[::-1],
    "U, of the other byte order": lambda texts: np.array(texts).astype(">U9"),
    "S": lambda texts: np.array([text.encode() for text in texts]),
    "object": lambda texts: np.array(texts, dtype=object),
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": pa.array,
}
if hasattr(np.dtypes, "StringDType"):
    TEXTS["StringDType"] = lambda texts: np.array(texts, dtype=np.dtypes.StringDType())


@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("documents", [["a", "bcd", ""], ["é", "日本", "x"]], ids=["ascii", "more"])
def test_columns_of_any_text_are_ids(made, documents):
    run = Run.from_columns(made(["1", "22", "1"]), made(documents), np.float32([1, 2, 3]), "tag", "mine")
    assert run.to_dict() == {"1": {documents[2]: 3.0, documents[0]: 1.0}, "22": {documents[1]: 2.0}}
    assert (run.tag, run.name) == ("tag", "mine")
    qrels = Qrels.from_columns(made(["1", "22", "1"]), made(documents), [1, 2, 3])
    assert qrels.to_dict() == {"1": {documents[0]: 1, documents[2]: 3}, "22": {documents[1]: 2}}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((["1"], ["a", "b"], [1.0]), "mine: there are 1 topics, 2 documents and 1 scores; each row needs one of each"),
        ((["1", "1"], ["a", "a"], [1, 2]), "row 2 .* document 'a' occurs twice in topic '1', first in row 1; keep one"),
        ((["1"], ["a"], [None]), "mine: row 1 of the table has no score for document 'a' in topic '1'"),
        ((["1"], np.array([7]), [1]), "mine: row 1 of the table, column document: the document id 7 is of type int"),
        ((["1"], ["a"], np.array([[1.0]])), "mine: scores have 2 dimensions; a column has one"),
        (("1", "a", [1]), "mine: topics are a list or an array, not str"),
        (({"1"}, ["a"], [1]), "mine: topics are a list or an array, not set"),
        ((["1"], ["a"], 1.0), "mine: scores are a list or an array, not float"),
    ],
)
def test_columns_that_are_none_are_refused(columns, message):
    with pytest.raises(FormatError, match=message):
        Run.from_columns(*columns, name="mine")


# Dicts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.uint64, int, float])
def test_scores_of_a_dict_may_be_numbers_of_numpy(kind):
    run = {"1": {"a": kind(1), "b": kind(2)}, "2": {"c": 0.5, "d": kind(1)}}
    expected = [[0.5, 1.0], [0.5, 1.0]]  # the relevant document stands second, but for measure P@2
    found = irkit.evaluate(run=run, qrels={"1": {"a": 1}, "2": {"c": 1}}, measures=["RR", "R@2"])
    assert found.values.tolist() == expected
    assert Run.of(run).to_dict() == {"1": {"b": 2.0, "a": 1.0}, "2": {"d": 1.0, "c": 0.5}}


@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
def test_a_ranking_may_be_an_array(made):
    if made(["a"])[0] == b"a":
        with pytest.raises(TypeError, match="the document id b'b' is of type bytes"):
            Run.of({"1": made(["b"])})
        return
    assert Run.of({"1": made(["b", "é", "a"])}).to_dict() == {"1": {"b": 3.0, "é": 2.0, "a": 1.0}}


@pytest.mark.parametrize("ranking", [np.array("a"), np.array([1, 2]), np.array([["a"], ["b"]])])
def test_an_array_that_is_no_ranking_is_refused(ranking):
    with pytest.raises(TypeError):
        Run.of({"1": ranking})


def test_a_topic_without_documents_is_in_the_run_all_the_same():
    run = Run.of({"2": {}, "10": {"a": 1.0}, "1": []})
    assert run.to_dict() == run.rounded_to_float32().to_dict() == {"1": {}, "10": {"a": 1.0}, "2": {}}
    assert Qrels.of({"2": {}, "10": {"a": 1}}).to_dict() == {"10": {"a": 1}, "2": {}}


def test_two_texts_of_the_same_bytes_are_one_document():
    same = {"1": {"é": 1, "\udcc3\udca9": 2}}
    for made in (Run.of, Qrels.of):
        with pytest.raises(FormatError, match="document 'é' occurs twice in topic '1'; keep one of them"):
            made(same)


def test_large_whole_numbers_of_a_dict_do_not_tie_in_silence():
    with pytest.raises(FormatError, match="document 'a' in topic '1' is a number with more digits than"):
        irkit.evaluate(run={"1": {"a": 2**53 + 1, "b": 2**53}}, qrels={"1": {"a": 1}})


def test_errors_of_the_wrong_type_are_type_errors_and_all_are_value_errors():
    for score in (True, "1", None):
        with pytest.raises(TypeError, match="the score of document 'a' in topic '1'"):
            irkit.evaluate(run={"1": {"a": score}}, qrels={"1": {"a": 1}})
    with pytest.raises(
        ValueError, match="the score of document 'a' in topic '1' is nan; give a number or leave it out"
    ):
        irkit.evaluate(run={"1": {"a": NAN}}, qrels={"1": {"a": 1}})
    assert issubclass(WrongTypeError, FormatError)


SEVERAL = np.dtype([("qid", "U1"), ("docno", "U1"), ("score", "f8", (2,))])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(2, SEVERAL), r"column score holds several values in a row, of shape \(2,\); a row has one"),
        (np.zeros(2, [("qid", "U1", (1, 1)), *structured(FEW).dtype.descr[1:]]), r"column qid holds .*shape \(1, 1\)"),
        (structured(FEW).reshape(1, 2), "the array has 2 dimensions; a table has one, its rows"),
        (structured(FEW)[:1].reshape(()), "the array has 0 dimensions; a table has one, its rows"),
        (
            structured({**FEW, "score": [1, 2]}, number="m8[s]"),
            r"row 1 .*is np.timedelta64\(1,'s'\); a score is a number",
        ),
        (structured({**FEW, "score": [1, "NaT"]}, number="m8[s]"), "row 1 .*a score is a number"),
        (structured({**FEW, "score": ["NaT", 1]}, number="M8[D]"), "row 1 of the table has no score for document 'a'"),
        (structured(FEW, number=[("x", "f8")]), "a score is a number|has a void in column score"),
        (structured(FEW, number="c16"), r"row 1 .*\(2\+0j\); a score is a number"),
    ],
    ids=str,
)
def test_arrays_that_are_no_table_of_ids_and_numbers_are_refused(table, message):
    with pytest.raises(FormatError, match=message):
        Run.of(table)


@pytest.mark.parametrize(
    "value", [np.timedelta64(1, "s"), np.timedelta64("NaT"), np.datetime64("2020-01-01"), Decimal("sNaN")]
)
def test_times_and_decimals_are_no_scores_and_no_grades(value):
    for source in (
        {"q": {"a": value}},
        np.array([("q", "a", value)], [("qid", "U1"), ("docno", "U1"), ("score", "O")]),
    ):
        with pytest.raises(
            FormatError, match=r"the score of document 'a' in topic 'q' is .*; a score is a number|has no score"
        ):
            Run.of(source)
    with pytest.raises(
        WrongTypeError, match=r"the grade of document 'a' in topic 'q' is .*; a grade is a whole number"
    ):
        Qrels.of({"q": {"a": value}})
    with pytest.raises(FormatError, match=r"'a' in topic 'q'.*a number|has no score"):
        Run.from_columns(["q"], ["a"], [value])
    with pytest.raises(FormatError, match=r"the grade of document 'a' in topic 'q'|has no grade"):
        Qrels.from_columns(["q"], ["a"], np.array([value]))


def test_a_fraction_beyond_all_floats_is_no_score_and_no_grade():
    for size in (Fraction(10**400), -Fraction(10**400)):
        with pytest.raises(FormatError, match="in topic 'q' is a number with more digits than a score can hold"):
            Run.of({"q": {"a": size}})
        with pytest.raises(FormatError, match=r"in topic 'q' is Fraction.*a grade is a whole number"):
            Qrels.of({"q": {"a": size}})


class Once(Mapping):
    """A mapping that can be read once, whose length is another, and whose pairs can hold a key twice."""

    def __init__(self, *pairs):
        self.pairs = list(pairs)

    def items(self):
        pairs, self.pairs = self.pairs, []
        return pairs

    def __len__(self):
        return 7

    def __iter__(self):
        raise AssertionError("read another way")

    def __getitem__(self, key):
        raise AssertionError("read another way")


def test_a_mapping_is_read_once():
    assert Run.of(Once(("q", Once(("a", 1), ("b", 2))))).to_dict() == {"q": {"b": 2.0, "a": 1.0}}
    assert Qrels.of(Once(("q", Once(("a", 1), ("b", 2))), ("p", {}))).to_dict() == {"p": {}, "q": {"a": 1, "b": 2}}
    for kind in (Run, Qrels):
        with pytest.raises(FormatError, match="document 'a' occurs twice in topic 'q'; keep one of them"):
            kind.of({"q": Once(("a", 1), ("a", 2))})
    result = irkit.evaluate(run=Once(("q", Once(("a", 1), ("b", 2)))), qrels={"q": {"a": 1}}, measures=["RR"])
    assert result.value("RR") == 0.5  # b is first


class Half(float):
    def __float__(self):
        return float.__mul__(self, 0.5)


class Reversed(dict):
    """As a dict of which another order or another number was made."""

    def items(self):
        return [(key, -value) for key, value in super().items()]

    def values(self):
        return [value for _, value in self.items()]


class Backwards(list):
    def __iter__(self):
        return reversed(self[:])


class Renamed(str):
    def encode(self, *_):
        return b"b" if self == "a" else b"a"

    __hash__ = str.__hash__


class Other(dict):
    def items(self):
        return [("q", {"b": 2.0, "a": 1.0})]


# Each has b before a, by its own methods; what lies in its memory has a before b.
@pytest.mark.parametrize(
    "run",
    [
        {"q": {"a": Half(4.0), "b": 3.0}},
        {"q": Reversed(a=2.0, b=1.0)},
        {"q": Backwards(["a", "b"])},
        {"q": {Renamed("a"): 2.0, Renamed("b"): 1.0}},
        {"q": [Renamed("a"), Renamed("b")]},
        Other(q={"a": 2.0, "b": 1.0}),
    ],
    ids=repr,
)
def test_what_was_made_from_a_type_of_python_is_what_it_says_it_is(run):
    result = irkit.evaluate(run=run, qrels={"q": {"a": 1}}, measures=["RR"])
    assert result.value("RR") == 0.5
    assert list(Run.of(run).to_dict()["q"]) == ["b", "a"]


@pytest.mark.parametrize("number", [float, np.float16, np.float32, np.float64])
@pytest.mark.parametrize("text", [str, np.str_])
def test_numbers_and_texts_of_numpy_are_read_as_those_of_python(number, text):
    run = {text("q"): {text("a"): number(1), text("b"): number(2)}}
    assert irkit.evaluate(run=run, qrels={"q": {"a": 1}}, measures=["RR"]).value("RR") == 0.5


def packed(kind, *numbers):
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)


INTO = packed("i", 0, 1)
PRODUCERS = []  # what they gave is given back to them when the last error is forgotten, whenever that is


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        (("b", "u"), {"buffers": [None, b"\0"], "dictionary": {"length": 1, "buffers": [None, INTO, b"a"]}}),
        (("n", "u"), {"null_count": 1, "dictionary": {"length": 1, "buffers": [None, INTO, b"a"]}}),
        (("c", "u"), {"buffers": [None, b"\1"], "dictionary": {"length": 1, "buffers": [None, INTO, b"a"]}}),
        (("c", "u"), {"buffers": [None, b"\xff"], "dictionary": {"length": 1, "buffers": [None, INTO, b"a"]}}),
        ("u", {"buffers": [None, packed("i", 0, -1), b"a"]}),
        ("vu", {"buffers": [None, packed("i", 13, 0, 0, 5), b"a" * 13, packed("q", 13)]}),
    ],
    ids=str,
)
def test_a_damaged_column_is_no_table_in_the_same_words(kind, column):
    number = {"buffers": [None, packed("d", 1.0)]}
    topic = {"buffers": [None, INTO, b"q"]}
    table = Producer([("qid", "u"), ("docno", kind), ("score", "g")], [(1, [topic, column, number])])
    PRODUCERS.append(table)
    with pytest.raises(FormatError) as found:
        Run.of(table, "mine")
    assert str(found.value) == "mine: the Producer cannot be read as a table with named columns"


@pytest.mark.parametrize("offsets", [(0, 3, 2**30), (0, 9, 7), (-8, 3, 7)], ids=str)
def test_a_damaged_table_of_pyarrow_is_never_followed(offsets):
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, pa.table(FEW | {"docno": ["aaa", "bbbb"]}).schema) as writer:
        writer.write(pa.table(FEW | {"docno": ["aaa", "bbbb"]}))
    data = stream.getvalue().to_pybytes()
    assert data.count(packed("i", 0, 3, 7)) == 1
    table = pa.ipc.open_stream(data.replace(packed("i", 0, 3, 7), packed("i", *offsets))).read_all()
    with pytest.raises(FormatError, match="mine: the Table cannot be read as a table with named columns"):
        Run.of(table, "mine")
