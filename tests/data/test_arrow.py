"""Arrow's streams as the compiled kernel reads them: every layout by hand, and whatever PyArrow makes of it."""

import ctypes
import gc
import importlib
import struct

import numpy as np
import pytest
from arrow_by_hand import ArrowArray, ArrowArrayStream, ArrowSchema, Producer, new_capsule
from hypothesis import given, settings
from hypothesis import strategies as st

from irkit.ids import Ids

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def kernel():
    try:
        return importlib.import_module("irkit._kernel.compiled")
    except ImportError:
        pytest.skip("the compiled kernel is not built here")


def plain(column):
    """A column as a list, ids as bytes."""
    return list(column) if isinstance(column, Ids) else column if isinstance(column, list) else column.tolist()


def read(kernel, kind, *batches):
    return plain(kernel.arrow_table(Producer([("x", kind)], [(rows, [column]) for rows, column in batches])).column(0))


def packed(kind, *numbers):
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)


def view(text, number=0, start=0):
    """The 16 bytes of a string view."""
    if len(text) <= 12:
        return packed("i", len(text)) + text.ljust(12, b"\0")
    return packed("i", len(text)) + text[:4] + packed("i", number, start)


LONG = b"more than twelve bytes"

WHOLE = [("c", "b", 8), ("s", "h", 16), ("i", "i", 32), ("l", "q", 64)]


@pytest.mark.parametrize(("kind", "code", "bits"), WHOLE)
def test_whole_numbers_of_every_width(kernel, kind, code, bits):
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    assert read(kernel, kind, (3, {"buffers": [None, packed(code, low, 7, high)]})) == [low, 7, high]
    assert read(kernel, kind.upper(), (2, {"buffers": [None, packed(code.upper(), 0, 2**bits - 1)]})) == [
        0,
        2**bits - 1,
    ]


def test_16_bit_floats(kernel):
    bits = packed("H", 0x3E00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0xFC00, 0x7E00, 0x8000)
    found = read(kernel, "e", (8, {"buffers": [None, bits]}))
    # 1.5, -2, the largest, the smallest, the smallest of full precision, -inf
    assert found[:6] == [1.5, -2.0, 65504.0, 2.0**-24, 2.0**-14, float("-inf")]
    assert np.isnan(found[6])
    assert (found[7], np.signbit(found[7])) == (0.0, True)


def test_wider_floats(kernel):
    assert read(kernel, "f", (2, {"buffers": [None, packed("f", 0.1, -0.0)]})) == [float(np.float32(0.1)), 0.0]
    assert read(kernel, "g", (2, {"buffers": [None, packed("d", 0.1, 5e-324)]})) == [0.1, 5e-324]


TEXTS = [
    ("u", [None, packed("i", 0, 1, 1, 3), b"abb"]),
    ("U", [None, packed("q", 0, 1, 1, 3), b"abb"]),
    ("z", [None, packed("i", 5, 6, 6, 8), b"-----abb"]),
    ("Z", [None, packed("q", 0, 1, 1, 3), b"abb"]),
    ("vu", [None, view(b"a") + view(b"") + view(b"bb"), b""]),
    ("vz", [None, view(b"a") + view(b"") + view(b"bb"), b""]),
]


@pytest.mark.parametrize(("kind", "buffers"), TEXTS)
def test_texts_of_every_layout(kernel, kind, buffers):
    assert read(kernel, kind, (3, {"buffers": buffers})) == [b"a", b"", b"bb"]
    # The last row of a longer column, twice.
    part = {"buffers": buffers, "offset": 2, "length": 1}
    assert read(kernel, kind, (1, part), (0, {"buffers": [None, None, None]}), (1, part)) == [b"bb", b"bb"]


def test_long_texts_lie_in_buffers_of_their_own(kernel):
    views = view(LONG, 1, 3) + view(b"exactly 12 b") + view(LONG, 0, 0)
    buffers = [None, views, LONG, b"---" + LONG, packed("q", len(LONG), len(LONG) + 3)]
    assert read(kernel, "vu", (3, {"buffers": buffers})) == [LONG, b"exactly 12 b", LONG]


@pytest.mark.parametrize(("kind", "code", "_"), WHOLE)
def test_a_dictionary_may_be_indexed_by_any_whole_number(kernel, kind, code, _):
    entries = {"length": 2, "buffers": [None, packed("i", 1, 2, 4), b"-abb"]}
    for index, width in ((kind, code), (kind.upper(), code.upper())):
        column = {"buffers": [None, packed(width, 1, 0, 1)], "dictionary": entries}
        assert read(kernel, (index, "u"), (3, column)) == [b"bb", b"a", b"bb"]


def test_a_dictionary_can_hold_a_missing_entry_and_a_row_can_lack_one(kernel):
    entries = {"length": 2, "buffers": [b"\1", packed("i", 0, 1, 1), b"a"], "null_count": 1}
    column = {"buffers": [b"\3", packed("b", 0, 1, 99)], "null_count": 1, "dictionary": entries}
    assert read(kernel, ("c", "u"), (3, column)) == ["a", None, None]
    empty = {"buffers": [b"\0", packed("b", 7, 7)], "null_count": 2, "dictionary": {"length": 0, "buffers": [None] * 3}}
    assert read(kernel, ("c", "u"), (2, empty)) == [None, None]


def test_missing_values_are_none_and_a_count_that_is_not_known_is_counted(kernel):
    column = {"buffers": [b"\x2d", packed("i", 1, 2, 3, 4, 5)], "offset": 1, "null_count": -1, "length": 4}
    assert read(kernel, "i", (4, column)) == [None, 3, 4, None]  # 101101: rows 0, 2, 3 and 5 of the buffer
    assert read(kernel, "n", (2, {"null_count": 2})) == [None, None]
    assert read(kernel, "b", (3, {"buffers": [b"\5", b"\1"], "null_count": 1})) == [True, None, False]
    assert read(kernel, "vu", (2, {"buffers": [b"\1", view(b"a") + b"\xff" * 16, b""], "null_count": 1})) == ["a", None]
    assert read(kernel, "u", (2, {"buffers": [b"\1", packed("i", 0, 1, 1), b"\xe9"], "null_count": 1})) == [
        "\udce9",
        None,
    ]


def test_a_batch_can_begin_later_and_leave_rows_out(kernel):
    rows = {"length": 2, "offset": 1, "buffers": [b"\2"], "null_count": 1}  # of rows 1 and 2 the first is there
    found = read(
        kernel,
        "i",
        (1, {"buffers": [None, packed("i", 9)]}),
        (rows, {"buffers": [None, packed("i", 1, 2, 3)], "length": 3}),
    )
    assert found == [9, 2, None]


def test_names_and_unknown_types(kernel):
    table = kernel.arrow_table(Producer([("á", "u"), ("", "tdD"), ("á", ("c", "+l")), ("w", "w:8")], []))
    assert table.names == ["á", "", "á", "w"]
    assert plain(table.column(0)) == []
    assert [table.column(place) for place in (1, 2, 3)] == [None, None, None]
    assert table.type_of(1) == "tdD"


BATCH = (1, [{"buffers": [None, packed("i", 0, 1), b"a"]}])


def test_all_that_was_given_is_given_back_once(kernel):
    producer = Producer([("x", "u")], [BATCH, BATCH])
    table = kernel.arrow_table(producer)
    assert producer.released == {"schema": 0, "array": 0, "stream": 1}
    ids = table.column(0)
    del table
    gc.collect()
    assert producer.released == producer.given == {"schema": 1, "array": 2, "stream": 1}
    assert list(ids) == [b"a", b"a"]  # which were copied


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Producer([("x", "u")], [BATCH], fails="schema"), "the disk is gone"),
        (lambda: Producer([("x", "u")], [BATCH, BATCH], fails=1), "the disk is gone"),
        (lambda: Producer([("x", "u")], [BATCH], fails=0, message=b""), "Input/output error"),
        (lambda: Producer([], [], root="u"), "no columns"),
        (lambda: Producer([("x", "u"), ("y", "u")], [BATCH]), "not as the format has them"),
        (lambda: Producer([("x", "u")], [({"length": -1}, [{"length": 0}])]), "not as the format has them"),
    ],
)
def test_what_breaks_off_is_an_error_and_given_back_too(kernel, made, message):
    producer = made()
    with pytest.raises(RuntimeError, match=message):
        kernel.arrow_table(producer)
    gc.collect()
    assert producer.released == producer.given


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        ("u", {"buffers": [None, packed("i", 0, 2, 1), b"ab"]}),
        ("u", {"buffers": [None, packed("i", -1, 0, 1), b"ab"]}),
        ("u", {"buffers": [None, packed("i", 0, 1, 2), None]}),
        ("u", {"buffers": [None, None, b"ab"]}),
        ("i", {"buffers": [None]}),
        ("i", {"buffers": [None, packed("i", 1)], "length": 1}),
        ("i", {"buffers": [None, packed("i", 1, 2)], "offset": -1}),
        ("vu", {"buffers": [None, view(LONG, 1) * 2, LONG, packed("q", 22)]}),
        ("vu", {"buffers": [None, view(LONG, -1) * 2, LONG, packed("q", 22)]}),
        ("vu", {"buffers": [None, packed("i", -1) * 8, b""]}),
        (
            ("c", "u"),
            {"buffers": [None, packed("b", 0, 1)], "dictionary": {"length": 1, "buffers": BATCH[1][0]["buffers"]}},
        ),
        (
            ("c", "u"),
            {"buffers": [None, packed("b", 0, -1)], "dictionary": {"length": 1, "buffers": BATCH[1][0]["buffers"]}},
        ),
        (("c", "u"), {"buffers": [None, packed("b", 0, 1)]}),
        (("c", "u"), {"buffers": [None, packed("b", 0, 1)], "dictionary": {"length": -1, "buffers": [None] * 3}}),
        ("i", {"buffers": [None, packed("i", 1, 2)], "offset": 2**63 - 1}),
        ("i", {"buffers": [None, packed("i", 1, 2)], "offset": 2**62, "length": 2**62}),
        ("vu", {"buffers": [None, packed("i", 13, 0, 0, 0) * 2, LONG, packed("q", 12)]}),
        ("vu", {"buffers": [None, view(LONG, 0, 1) * 2, LONG, packed("q", len(LONG))]}),
        ("vu", {"buffers": [None, view(LONG, 0, 2**31 - 1) * 2, LONG, packed("q", len(LONG))]}),
        ("vu", {"buffers": [None, view(LONG) * 2, LONG, packed("q", -1)]}),
        ("vu", {"buffers": [None, view(LONG) * 2, LONG, None]}),
    ],
)
def test_arrays_that_cannot_be_are_refused(kernel, kind, column):
    with pytest.raises(RuntimeError, match="not as the format has them"):
        read(kernel, kind, (2, column))


@pytest.mark.parametrize("index", ["b", "n", "e", "f", "g", "u", "vu", "+l", "tdD"])
def test_a_dictionary_is_indexed_by_whole_numbers_alone(kernel, index):
    with pytest.raises(RuntimeError, match="not as the format has them"):
        kernel.arrow_table(Producer([("x", "u"), ("y", (index, "u"))], []))


# Row 0 of a batch whose rows are said to begin near the end of all numbers would lie before its first buffer.
@pytest.mark.parametrize("offset", [2**63 - 1, 2**63 - 2, 2**60])
def test_a_batch_does_not_begin_where_no_row_is(kernel, offset):
    rows = {"length": 2, "offset": offset, "buffers": [None]}
    table = kernel.arrow_table(Producer([("x", "i")], [(rows, [{"buffers": [None, packed("i", 1, 2)]}])]))
    with pytest.raises(RuntimeError, match="not as the format has them"):
        table.column(0)


class Without(Producer):
    """Leaves out pointers that have to be there: of the schema, of a batch, or of a column of either."""

    def __init__(self, where, name):
        super().__init__([("x", ("c", "u"))], [(1, [{"buffers": [None, b"\0"], "dictionary": ENTRIES}])])
        self.where, self.name = where, name

    def leave_out(self, made, what):
        if self.where == what:
            setattr(made, self.name, None)
        if self.where == f"child of the {what}":
            setattr(made.children[0].contents, self.name, None)
        if self.where == f"children of the {what}":
            made.children[0] = None
        if self.where == f"dictionary of the {what}":
            setattr(made.children[0].contents.dictionary.contents, self.name, None)

    def get_schema(self, _, out):
        code = super().get_schema(_, out)
        self.leave_out(ArrowSchema.from_address(out), "schema")
        return code

    def get_next(self, _, out):
        code = super().get_next(_, out)
        if (made := ArrowArray.from_address(out)).release:
            self.leave_out(made, "batch")
        return code


ENTRIES = {"length": 1, "buffers": [None, packed("i", 0, 1), b"a"]}


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("schema", "format"),
        ("schema", "children"),
        ("children of the schema", ""),
        ("child of the schema", "format"),
        ("dictionary of the schema", "format"),
        ("batch", "buffers"),
        ("batch", "children"),
        ("children of the batch", ""),
        ("child of the batch", "buffers"),
        ("child of the batch", "dictionary"),
        ("dictionary of the batch", "buffers"),
    ],
)
def test_pointers_to_nothing_are_not_followed(kernel, where, name):
    producer = Without(where, name)
    with pytest.raises(RuntimeError, match="not as the format has them"):
        kernel.arrow_table(producer).column(0)
    gc.collect()
    assert producer.released == producer.given
    assert read(kernel, ("c", "u"), (1, {"buffers": [None, b"\0"], "dictionary": ENTRIES})) == [
        b"a"
    ]  # with all of them


def test_a_schema_that_was_never_made_and_a_stream_without_functions_are_refused(kernel):
    class Empty(Producer):
        def get_schema(self, _, out):
            ctypes.memset(out, 0, ctypes.sizeof(ArrowSchema))
            return 0

    class Bare(Producer):
        def __arrow_c_stream__(self, requested_schema=None):
            stream = self.keep(ArrowArrayStream(release=self.release("stream", ArrowArrayStream)))
            return new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)

    for made in (Empty, Bare):
        with pytest.raises(RuntimeError, match="not as the format has them"):
            kernel.arrow_table(made([("x", "u")], []))


def test_a_stream_is_read_once_and_a_capsule_of_another_kind_not_at_all(kernel):
    class Again:
        def __init__(self):
            self.capsule = Producer([("x", "u")], [BATCH]).__arrow_c_stream__()

        def __arrow_c_stream__(self):
            return self.capsule

    again = Again()
    kernel.arrow_table(again)
    with pytest.raises(RuntimeError, match="read already"):
        kernel.arrow_table(again)
    again.capsule = pa.schema([]).__arrow_c_schema__()
    with pytest.raises(ValueError, match="PyCapsule_GetPointer"):
        kernel.arrow_table(again)


# Against PyArrow ---------------------------------------------------------------------------------------------------

TYPES = [
    (pa.string(), st.text(max_size=20)),
    (pa.large_string(), st.text(max_size=20)),
    (pa.string_view(), st.text(max_size=20)),
    (pa.binary(), st.binary(max_size=20)),
    (pa.large_binary(), st.binary(max_size=20)),
    (pa.binary_view(), st.binary(max_size=20)),
    (pa.dictionary(pa.int8(), pa.string()), st.sampled_from(["a", "bb", ""])),
    (pa.dictionary(pa.uint32(), pa.large_string()), st.sampled_from(["a", "bb", ""])),
    (pa.dictionary(pa.int16(), pa.float64()), st.sampled_from([0.5, 1.0])),
    (pa.bool_(), st.booleans()),
    (pa.null(), st.none()),
    (pa.int8(), st.integers(-(2**7), 2**7 - 1)),
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.uint16(), st.integers(0, 2**16 - 1)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.float16(), st.floats(width=16, allow_nan=False)),
    (pa.float32(), st.floats(width=32, allow_nan=False)),
    (pa.float64(), st.floats(allow_nan=False)),
]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_columns_are_what_pyarrow_says_they_are(kernel, data):
    kind, values = data.draw(st.sampled_from(TYPES))
    missing = st.none() if data.draw(st.booleans()) else st.nothing()
    chunks = data.draw(st.lists(st.lists(st.one_of(values, missing), max_size=20), max_size=3))
    column = pa.chunked_array([pa.array(chunk, kind) for chunk in chunks], kind)
    table = pa.table({"other": column, "x": column})
    table = table.slice(data.draw(st.integers(0, len(column))), data.draw(st.integers(0, len(column))))
    expected = table.column("x").to_pylist()
    found = kernel.arrow_table(table).column(1)
    if isinstance(found, Ids):
        expected = [value.encode() if isinstance(value, str) else value for value in expected]
    assert plain(found) == expected


def test_what_pyarrow_holds_is_given_back(kernel):
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(3):
        kernel.arrow_table(pa.table({"x": ["a" * 1000] * 1000, "y": list(range(1000))})).column(0)
    gc.collect()
    assert pa.total_allocated_bytes() - before < 100_000  # of three million
