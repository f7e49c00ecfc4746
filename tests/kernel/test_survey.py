"""What a run file holds, faults and all: known answers; both kernels beside the plain loops of `reference_survey`."""

import importlib.util
import time
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import reference_survey
from hypothesis import example, given
from hypothesis import strategies as st
from kernels import CHUNKS, FUZZED, HOSTILE, KERNELS, MANY, load, mutated

from irkit._kernel import numpy_twin
from irkit._kernel.columns import MOST_TAGS, LineFault, RunSurvey
from irkit._kernel.numpy_twin import text as twin_text
from irkit._kernel.numpy_twin.fields import Fields
from irkit.errors import FormatError


@pytest.fixture(scope="session", params=KERNELS)
def kernel(request) -> ModuleType:
    return load(request.param)


@pytest.fixture(scope="session")
def kernels() -> list[ModuleType]:
    """All that are built here, for tests of many examples."""
    found = importlib.util.find_spec("irkit._kernel._compiled")
    return [load(name) for name in KERNELS if name == "numpy" or found]


def plain(survey: RunSurvey) -> dict[str, Any]:
    """What two kernels have to agree in, types and shapes included."""
    values: dict[str, Any] = {}
    for name, value in survey._asdict().items():
        if isinstance(value, np.ndarray):
            assert value.dtype == (np.uint8 if name == "kind" else np.int64), name
            value = value.shape, value.tolist()
        values[name] = value
    return values


def in_pieces(kernel: ModuleType, data: bytes, size: int) -> RunSurvey:
    """A survey of a file that is cut after so many bytes."""
    if kernel is numpy_twin:
        with patch.object(twin_text, "CHUNK", size):
            return kernel.survey_run(data)
    with patch.multiple(kernel, PIECE=size, n_cores=lambda: 1 + size % 3):
        return kernel.survey_run(data)


def faults_of(survey: RunSurvey) -> list[tuple[str, int, int, int]]:
    columns = (survey.kind, survey.line, survey.start, survey.other)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(LineFault(kind).name, line, start, other) for kind, line, start, other in rows]


# Files, good and bad -----------------------------------------------------------------------------------------------


@st.composite
def close_runs(draw):
    """Few ids, scores and ranks, so that nearly everything stands twice, ties or is out of its order."""
    blank = draw(st.sampled_from([b" ", b"\t"]))
    ids = st.sampled_from([b"a", b"ab", b"b", b"\xc3\xa9", b"\xe9", b"\xed\xa0\x80", b"x" * 70])
    row = st.tuples(
        st.sampled_from([b"1", b"2", b"10"]),
        st.just(b"Q0"),
        ids,
        st.sampled_from([b"1", b"2", b"3", b"03", b"-1", b"2.0", b"x", b"9223372036854775808"]),
        st.sampled_from([b"1", b"1.0", b"1.00000001", b"-0", b"0", b"1e39", b"2e39", b"1e999", b"-inf", b"y"]),
        st.sampled_from([b"r", b"s", b"\xc3\xa9", b"\xff", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80"]),
    )
    rows = [list(fields) for fields in draw(st.lists(row, max_size=12))]
    if draw(st.booleans()):  # ranks that could be right
        for fields in rows:
            fields[3] = b"%d" % draw(st.integers(1, 4))
    return b"\n".join(map(blank.join, rows)) + draw(st.sampled_from([b"", b"\n", b"\r\n", b" \xff"]))


@MANY
@given(data=st.one_of(HOSTILE, close_runs(), mutated(close_runs())), chunk=CHUNKS)
@example(b"# \0\n\0\n1 Q0 a 1 1 r\0\n1 Q0 a 1 1 r \0 x\n1 Q0 \0\n", 1)
@example(b"1 Q0 a 3 1 r\n2 Q0 a 1 1 r\n1 Q0 b 1 2 r\n1 Q0 a 2 3 r", 7)
def test_a_file_holds_what_its_lines_hold_wherever_it_is_cut(kernels, data, chunk):
    expected = plain(reference_survey.survey_run(data))
    for one in kernels:
        assert plain(in_pieces(one, data, chunk)) == expected, one.__name__


def line_refused(kernel: ModuleType, data: bytes) -> int | None:
    try:
        kernel.parse_run(data, "r")
    except FormatError as problem:
        return problem.line
    return None


@MANY
@given(data=st.one_of(HOSTILE, close_runs()).map(lambda data: data.replace(b"\0", b"0")))
def test_the_first_fault_that_a_run_is_refused_for_is_the_one_that_reading_it_tells(kernels, data):
    refused = {LineFault[name] for name in ("TOO_FEW_FIELDS", "NO_RANK", "NO_SCORE", "MOVED", "TWICE")}
    for one in kernels:
        found = one.survey_run(data)
        lines = found.line[np.isin(found.kind, list(refused))]
        assert line_refused(one, data) == (lines[0] if len(lines) else None)
        if len(lines):
            continue
        run = one.parse_run(data, "r")
        assert found.topics == run.topics
        assert found.n_documents.tolist() == np.diff(run.starts).tolist()
        assert run.tag in (found.tags or [b""])


@given(data=close_runs(), chunk=CHUNKS)
def test_ids_are_told_apart_by_their_bytes_where_all_hashes_are_the_same(data, chunk):
    with patch.object(Fields, "hashes", lambda fields, group: np.zeros(len(fields), dtype=np.uint64)):
        found = in_pieces(numpy_twin, data, chunk)
    assert plain(found) == plain(reference_survey.survey_run(data))


@pytest.mark.parametrize("path", FUZZED, ids=lambda path: path.name[:12])
def test_what_the_fuzzer_found_holds_what_its_lines_hold(kernels, path):
    data = path.read_bytes()
    expected = plain(reference_survey.survey_run(data))
    for one in kernels:
        assert plain(in_pieces(one, data, 50)) == expected, one.__name__


SHAPES = {
    "a topic a line": lambda: [b"%d Q0 a 1 1 r" % (number * 7919 % 100_003) for number in range(100_000)],
    "topics that come back": lambda: [
        b"%d Q0 d%d 1 %d r" % (number % 1000, number, number) for number in range(100_000)
    ],
    "one topic": lambda: [b"1 Q0 d%d %d %d r" % (number, number, number) for number in range(100_000)],
    "one score": lambda: [b"1 Q0 d%d %d 1 r" % (number, number) for number in range(100_000)],
    "one line": lambda: [b"1 Q0 a 1 1 r"] * 100_000,
    "a tag a line": lambda: [b"1 Q0 d%d 1 1 r%d" % (number, number) for number in range(100_000)],
    "lines that are none": lambda: [b"1 Q0 a 1 x r", b"1 Q0 a", b"\0"] * 30_000,
    "all faults": lambda: [b"1 Q0 a x inf \xff y"] * 100_000,
    "a line without end": lambda: [b"1 Q0 a 1 1 r" + b" " * 5_000_000, b"1 Q0 " + b"x" * 5_000_000 + b" 1 1 r"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_a_file_takes_long(kernels, shape):
    data = b"\n".join(SHAPES[shape]())
    start = time.process_time()
    found = [plain(one.survey_run(data)) for one in kernels]
    assert all(one == found[0] for one in found)
    # Where time went with the square of the lines, it would be minutes.
    assert time.process_time() - start < 20


# Known answers -----------------------------------------------------------------------------------------------------

RUN = b"""# a comment

2 Q0 b 1 3.5 r
1 Q0 a 1 2.5 r
1 Q0 b 2 2.5 r
1 Q0 c 3 1.5 s
2 Q0 c 2 3.4 r
"""


def test_a_run_holds_topics_documents_and_tags(kernel):
    found = kernel.survey_run(RUN)
    assert (found.n_lines, found.n_rows) == (7, 5)
    assert found.topics == [b"1", b"2"]
    assert found.first.tolist() == [4, 3]
    assert found.n_documents.tolist() == [3, 2]
    assert found.n_parts.tolist() == [1, 2]  # line 7 comes back to topic 2
    assert found.n_tied.tolist() == [2, 0]
    assert found.misplaced.tolist() == [[4, 5], [0, 0]]  # a before b, which trec_eval puts first
    assert found.contradiction.tolist() == [[0, 0], [0, 0]]
    assert (found.tags, found.tag_first.tolist(), found.tag_rows.tolist()) == ([b"r", b"s"], [3, 6], [4, 1])
    assert (found.n_other_tags, faults_of(found)) == (0, [])


def test_every_fault_is_told_with_its_line_and_where_that_begins(kernel):
    lines = [
        b"# \0",
        b"1 Q0 a 1 9 r",
        b"1 Q0 b 2 8",
        b"1 Q0 c 3 x r",
        b"1 Q0 a 4 7 r",
        b"1 Q0 d 5 6 r more",
        b"1 Q0 \xe9 6 5 r",
        b"1 Q0 e first 4 r",
        b"1 Q0 f 8 -inf r",
        b"1 Q0 a 10 1e999 \xff more",
        b"1 Q0 nul x",
    ]
    lines[-1] += b"\0"
    start = [0]
    for line in lines:
        start.append(start[-1] + len(line) + 1)
    found = kernel.survey_run(b"\n".join(lines))
    assert faults_of(found) == [
        ("NUL", 1, 0, 0),
        ("TOO_FEW_FIELDS", 3, start[2], 0),
        ("NO_SCORE", 4, start[3], 0),
        ("TWICE", 5, start[4], 2),
        ("EXTRA_FIELDS", 6, start[5], 0),
        ("NOT_UTF8", 7, start[6], 0),
        ("NO_RANK", 8, start[7], 0),
        ("INFINITE", 9, start[8], 0),
        ("TWICE", 10, start[9], 2),
        ("EXTRA_FIELDS", 10, start[9], 0),
        ("NOT_UTF8", 10, start[9], 0),
        ("INFINITE", 10, start[9], 0),
        ("NUL", 11, start[10], 0),
    ]
    assert (found.n_lines, found.n_rows) == (11, 6)


def topic_of(kernel, *rows: str) -> RunSurvey:
    """Rows `document rank score`, one a line."""
    lines = [" ".join(["1 Q0", *row.split(), "r"]) for row in rows]
    return kernel.survey_run("\n".join(lines).encode())


@dataclass
class Pairs:
    rows: list[str]
    misplaced: list[int]
    contradiction: list[int]


@pytest.mark.parametrize(
    "case",
    [
        Pairs(["a 1 3", "b 2 2", "c 3 1"], [0, 0], [0, 0]),
        Pairs(["b 1 1", "a 2 1"], [0, 0], [0, 0]),  # id falling, as trec_eval
        Pairs(["a 1 1", "b 2 1"], [1, 2], [0, 0]),
        Pairs(["b 2 1", "a 1 1"], [2, 1], [0, 0]),  # where lines stand does not count
        Pairs(["a 1 1", "ab 2 1"], [1, 2], [0, 0]),  # the longer one is greater
        Pairs(["a 1 1", "b 1 1"], [0, 0], [0, 0]),  # all ranks equal: the column says nothing
        Pairs(["a 1 2", "b 1 1"], [0, 0], [0, 0]),
        Pairs(["a 1 1", "b 1 1", "c 2 1"], [1, 3], [0, 0]),  # by rank, then b before a: the neighbour of c is a
        Pairs(["a 2 9", "b 1 8"], [0, 0], [1, 2]),
        Pairs(["b 1 8", "a 2 9"], [0, 0], [2, 1]),
        Pairs(["a 1 1", "b 2 2", "c 3 3"], [0, 0], [3, 2]),  # from the highest score on
        Pairs(["a 1 1", "b 2 2", "c 3 x"], [0, 0], [2, 1]),  # a line that is no row has no rank
        Pairs(["a 1 1", "b 2 2", "c x 3"], [0, 0], [2, 1]),  # nor has one whose rank is not a whole number
        Pairs(["a 0 1", "b 1 1", "c 2 1"], [1, 2], [0, 0]),
        Pairs(["a 1 1", "a 2 1"], [0, 0], [0, 0]),
        Pairs(["a -9223372036854775807 1", "b 9223372036854775807 1"], [1, 2], [0, 0]),
        Pairs(["a 1.0 1", "b 2. 1"], [1, 2], [0, 0]),  # whole numbers, read as grades are
        Pairs(["a 1 0", "b 2 -0.0"], [1, 2], [0, 0]),
        Pairs(["a 1 inf", "b 2 1e999"], [1, 2], [0, 0]),
    ],
    ids=lambda case: "; ".join(case.rows),
)
def test_ranks_beside_scores(kernel, case):
    found = topic_of(kernel, *case.rows)
    assert found.misplaced.tolist() == [case.misplaced]
    assert found.contradiction.tolist() == [case.contradiction]


def test_32_bit_floats_tie_scores_that_a_double_tells_apart(kernel):
    # A float has 24 bits: 2^24 and 2^24 + 1 are one; beyond 3.4e38 all are inf.
    found = topic_of(kernel, "a 1 1e39", "b 2 2e39", "c 3 16777216", "d 4 16777217", "e 5 5", "f 6 5", "g 7 4")
    assert (found.n_tied.tolist(), found.n_tied_float32.tolist()) == ([2], [6])


def test_a_document_that_stands_thrice_points_to_its_first_line(kernel):
    data = b"1 Q0 a 1 3 r\n2 Q0 a 1 9 r\n1 Q0 a 2 2 r\n1 Q0 a 3 1 r\n"
    found = kernel.survey_run(data)
    assert faults_of(found) == [("TWICE", 3, 26, 1), ("TWICE", 4, 39, 1)]
    assert found.n_documents.tolist() == [3, 1]


def test_lines_that_are_no_rows_part_no_topic(kernel):
    found = kernel.survey_run(b"1 Q0 a 1 3 r\n# x\n\n2 Q0\n1 Q0 b 2 2 r")
    assert (found.n_lines, found.topics, found.n_parts.tolist()) == (5, [b"1"], [1])


@pytest.mark.parametrize(("data", "n_lines"), [(b"", 0), (b"\n", 1), (b"#", 1), (b"#\n", 1), (b"\n\n ", 3)])
def test_a_last_line_needs_no_line_end(kernel, data, n_lines):
    found = kernel.survey_run(data)
    assert (found.n_lines, found.n_rows, found.topics, found.tags) == (n_lines, 0, [], [])


def test_a_hundred_tags_are_told_apart(kernel):
    # t0 to t149, twice each, and t0 once more: 99 of 2 rows, one of 3, and 50 others of 2
    lines = [b"1 Q0 d%d 1 1 t%d" % (number, number % 150) for number in range(301)]
    found = kernel.survey_run(b"\n".join(lines))
    assert found.tags == [b"t%d" % number for number in range(MOST_TAGS)]
    assert found.tag_first.tolist() == list(range(1, 101))
    assert found.tag_rows.tolist() == [3] + [2] * 99
    assert found.n_other_tags == 100
