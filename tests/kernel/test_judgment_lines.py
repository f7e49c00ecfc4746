"""Files of judgments with more columns: both kernels beside plain loops, and beside the reader of single lines."""

import importlib.util
import math
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kernels import BAD_SCORE, BLANKS, ID, KERNELS, MANY, SCORE, TOPIC, load, plain

from irkit import _kernel
from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit.data.judgments.prels import read_prels
from irkit.data.judgments.strata import read_strata
from irkit.data.judgments.subtopics import read_subtopic_qrels
from irkit.errors import FormatError

NUMBER = st.one_of(SCORE, BAD_SCORE, st.sampled_from([b"NA", b"0", b"1", b"0.25", b"1e-101", b"nan"]))
WHOLE = st.one_of(
    st.from_regex(rb"\A[+-]?[0-9]{1,20}(\.0*)?\Z"),
    st.sampled_from([b"-999", b"-1", b"0", b"1", b"2", b"4", b"3", b"2.0", b"x"]),
)
FEW = st.sampled_from([b"a", b"b", b"aa", b"A", b"\xe9"])
FIELD = {
    "t": st.sampled_from([b"1", b"2", b"10", b"#2"]) | TOPIC,
    "d": FEW | ID,
    "i": FEW,
    "n": WHOLE,
    "f": NUMBER,
    "-": FEW,
}
READERS = {"tidn": read_subtopic_qrels, "t-din": read_strata, "tdnnf": read_prels}


@pytest.fixture(scope="session")
def kernels() -> list[ModuleType]:
    """All that are built here, for tests of many examples."""
    found = importlib.util.find_spec("irkit._kernel._compiled")
    return [load(name) for name in KERNELS if name == "numpy" or found]


@st.composite
def files(draw) -> tuple[str, bytes]:
    kinds = draw(st.sampled_from(["tidn", "t-din", "tdnnf", "t-df"]))
    usual = {"n": st.sampled_from([b"0", b"1", b"2", b"-1"]), "f": st.sampled_from([b"0.5", b"1", b"0", b"NA"])}
    fields = FIELD if draw(st.booleans()) else FIELD | usual
    lines = [
        draw(BLANKS).join([draw(fields[kind]) for kind in kinds])
        for _ in range(draw(st.integers(min_value=0, max_value=8)))
    ]
    others = draw(
        st.lists(st.sampled_from([b"", b"# a note", b" \t", b"1 0 d", b"1 0 d 1 1 1", b"1 a\0 d 1"]), max_size=1)
    )
    text = draw(st.sampled_from([b"\n", b"\r\n"])).join(draw(st.permutations(lines + others)))
    return kinds, text + draw(st.sampled_from([b"", b"\n"]))


def by_loops(data: bytes, kinds: str):
    """What `judgment_lines` has to give, as `plain` shows it."""
    rows = [line.split() for line in data.split(b"\n")]
    rows = [row for row in rows if row and not row[0].startswith(b"#")]
    if b"\0" in data or any(len(row) != len(kinds) for row in rows):
        return None
    numbers = []
    for row in rows:
        wholes = [grade_of(text) for text, kind in zip(row, kinds, strict=True) if kind == "n"]
        texts = [text for text, kind in zip(row, kinds, strict=True) if kind == "f"]
        decimals = [math.nan if text == b"NA" else score_of(text) for text in texts]
        if None in wholes or None in decimals or any(map(math.isinf, decimals)):
            return None
        numbers.append((wholes, decimals))
    topic, document, name = (
        [row[kinds.index(kind)] if kind in kinds else b"" for row in rows] for kind in ("t", "d", "i")
    )
    order = sorted(range(len(rows)), key=lambda row: (topic[row], document[row], name[row]))
    pairs = sorted(set(zip(topic, document, strict=True)))
    topics, names = sorted(set(topic)), sorted(set(name) if "i" in kinds else [])
    return (
        topics,
        [sum(before < text for before, _ in pairs) for text in topics] + [len(pairs)],
        [text for _, text in pairs],
        [pairs.index((topic[row], document[row])) for row in order],
        names,
        [names.index(name[row]) for row in order] if names else [],
        [[numbers[row][0][place] for row in order] for place in range(kinds.count("n"))],
        [[str(numbers[row][1][place]) for row in order] for place in range(kinds.count("f"))],
    )


def shown(found):
    if found is None:
        return None
    return (
        found.topics,
        plain(found.starts),
        list(found.documents),
        plain(found.document),
        found.names,
        plain(found.name),
        [plain(column) for column in found.wholes],
        [list(map(str, column.tolist())) for column in found.decimals],
    )


@MANY
@given(files())
@example(("tidn", b""))
@example(("tidn", b"1 0 d 1\n1 0 dd 1\n1 0 d 2"))
@example(("tidn", b"1 0 prefix-2345678 1\n1 0 prefix-23456789 1\n1 0 prefix-1 2\n"))
@example(("t-din", b"2 0 d A 1\n10 0 d B -1\n2 0 c B 9223372036854775807\n"))
@example(("tdnnf", b"1 d 1 1 NA\n1 c 1 1 -0.0\n"))
@example(("tdnnf", b"1 d 1 1 inf\n"))
@example(("t-df", b"1 0 d 5\n"))
def test_both_kernels_sort_the_lines_as_plain_loops_do(kernels, file):
    kinds, data = file
    expected = by_loops(data, kinds)
    for kernel in kernels:
        assert shown(kernel.judgment_lines(data, kinds)) == expected


def outcome(read, path: Path):
    try:
        judgments = read(path)
    except FormatError as problem:
        return str(problem), problem.line
    fields = {name: getattr(judgments, name) for name in type(judgments).__dataclass_fields__ if name != "places"}
    places = judgments.places
    return (
        places.topics,
        [plain(column) for column in (places.starts, places.documents, places.grades)],
        {name: plain(value) for name, value in fields.items()},
    )


@MANY
@given(files())
@example(("tidn", b"1 0 d 1\n1 1 d 2\n1 0 d 2"))
@example(("tidn", b"1 0 d -1\n1 1 d -2\n1 1 e -1\n1 0 e 3\n2 1 d 1\n"))
@example(("t-din", b"1 0 d A 1\n1 0 d B 1"))
@example(("tdnnf", b"1 a 1 0 0.5\n1 b 0 1 0.25\n2 a 1 0 1\n3 a -999 7 NA\n3 b 1 2 0.1\n"))
@example(("tdnnf", b"1 a 1 0 0.5\n"))
@example(("tdnnf", b"1 a -999 1 0.5\n1 a 1 1 0.5\n"))
@example(("tdnnf", b"1 a 1 1 0\n"))
@example(("tdnnf", b"1 a 0 1 0\n1 b 1 1 2\n1 c 1 1 -1\n1 d 2 4 0.5\n"))
def test_columns_of_a_file_are_what_its_lines_one_by_one_are(tmp_path_factory, file):
    kinds, data = file
    if kinds not in READERS:
        return
    path = tmp_path_factory.getbasetemp() / "judgments"
    path.write_bytes(data)
    found = outcome(READERS[kinds], path)
    with patch.object(_kernel, "judgment_lines", lambda *_: None):
        assert found == outcome(READERS[kinds], path)
