"""The kernels that are built here, what they have to agree in, and files for both of them, good and bad."""

import importlib
import os
import struct
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from irkit._kernel import numpy_twin
from irkit.ids import Ids

# `make sanitize` asks for the compiled one alone: the other has nothing that sanitizers see.
KERNELS = os.environ.get("IRKIT_TEST_KERNELS", "numpy compiled").split()


def load(name: str) -> ModuleType:
    if name == "numpy":
        return numpy_twin
    try:
        return importlib.import_module("irkit._kernel.compiled")
    except ImportError:
        pytest.skip("the compiled kernel is not built here")


def plain(value):
    """What two kernels have to agree in: values, their types, and every bit of a score."""
    if isinstance(value, np.ndarray):
        assert value.dtype in (np.int64, np.float64)
        return [struct.pack("<d", v) for v in value] if value.dtype == np.float64 else value.tolist()
    if isinstance(value, Ids):
        return value.data, value.offsets.tolist()
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value


# Files, good and bad -----------------------------------------------------------------------------------------------

BLANKS = st.sampled_from([b" ", b"\t", b"  ", b"\x0b", b"\x0c", b" \r ", b"\t "])
ID = st.one_of(
    st.sampled_from([b"a", b"b", b"aa", b"ab", b"10", b"9", b"FT911-123", b"0123456789abcdef", b"\xe9", b"x" * 70]),
    st.binary(min_size=1, max_size=12).filter(lambda text: text.split() == [text] and b"\0" not in text),
)
TOPIC = st.one_of(st.sampled_from([b"1", b"2", b"301", b"q-1", b"1" * 9]), ID)
SCORE = st.one_of(
    st.sampled_from(
        [b"1", b"2.5", b"2.50", b"-0.0", b"0", b"1e3", b"+.5E+1", b"inf", b"-Infinity", b"1e999", b"1e-400"]
    ),
    st.floats(allow_nan=False).map(lambda score: repr(score).encode()),
    st.from_regex(rb"\A[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?\Z"),
)
BAD_SCORE = st.sampled_from(
    [b"nan", b"1_0", b"0x1p3", b"1,5", b"1.2.3", b"e5", b".", b"1e", b"--1", b"infin", b"\xc3\xa9"]
)


@st.composite
def run_lines(draw, topic, score=SCORE):
    blank = draw(BLANKS)
    document, value, tag = draw(ID), draw(score), draw(ID)
    return blank.join([topic, b"Q0", document, b"1", value, tag]) + draw(st.sampled_from([b"", b" more", b"\r", b"  "]))


@st.composite
def run_files(draw):
    """Topics that mostly lie together, lines of which some are no data, and now and then a line that is wrong."""
    lines = [draw(st.sampled_from([b"", b"# comment", b"\xef\xbb\xbf"]))] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 5))):
        topic = draw(TOPIC)
        lines += draw(st.lists(run_lines(topic), max_size=6))
        if draw(st.integers(0, 9)) == 0:
            lines.append(
                draw(st.one_of(st.just(b""), st.just(b"  # x"), st.just(b"1 Q0 a"), run_lines(topic, BAD_SCORE)))
            )
    if draw(st.integers(0, 5)) == 0:
        lines = draw(st.permutations(lines))
    return b"\n".join(lines) + draw(st.sampled_from([b"", b"\n", b"\n\n", b" \n#"]))


@st.composite
def mutated(draw, files):
    data = bytearray(draw(files))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 2))] = draw(
            st.sampled_from([b"", b"\n", b" ", b"\0", b"\r", b"#", b"7"])
        )
    return bytes(data)


HOSTILE = st.one_of(run_files(), mutated(run_files()), st.binary(max_size=200))
GRADES = st.dictionaries(TOPIC, st.dictionaries(ID, st.integers(-2, 4), min_size=1, max_size=6), max_size=5)
MANY = settings(max_examples=200, deadline=None)


CHUNKS = st.sampled_from([1, 7, 40, 1 << 20])

FUZZED = sorted((Path(__file__).resolve().parents[1] / "fuzz" / "corpus").iterdir())
