"""The compiled kernel does what its twin in Python does, to the last sign of every message."""

import importlib
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from types import ModuleType

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irkit._kernel import numpy_twin
from irkit.errors import FormatError
from irkit.ids import Ids
from irkit.textio import BYTE_ORDER_MARK, check_no_nul

KERNELS = ["numpy", "compiled"]


def load(name: str) -> ModuleType:
    if name == "numpy":
        return numpy_twin
    try:
        return importlib.import_module("irkit._kernel.compiled")
    except ImportError:
        pytest.skip("the compiled kernel is not built here")


@pytest.fixture(params=KERNELS)
def kernel(request) -> ModuleType:
    return load(request.param)


@pytest.fixture(scope="session")
def compiled() -> ModuleType:
    return load("compiled")


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


def outcome(work):
    try:
        return plain(work())
    except FormatError as problem:
        return str(problem), problem.line


def rows(nested):
    """The columns of {topic: {document: number}}: topics, documents, numbers."""
    triples = [(topic, document, number) for topic, numbers in nested.items() for document, number in numbers.items()]
    topics, documents, numbers = zip(*triples, strict=True) if triples else ((), (), ())
    return Ids.of(topics), Ids.of(documents), numbers


def pool_in(kernel: ModuleType, grades: dict[bytes, dict[bytes, int]]):
    topics, documents, numbers = rows(grades)
    return kernel.Pool(kernel.gather(topics, documents, np.array(numbers, dtype=np.int64)))


def scored_file(kernel, tmp_path, data: bytes, grades, **options):
    path = tmp_path / "run"
    path.write_bytes(data)
    with path.open("rb") as stream:
        return kernel.score_file(stream.fileno(), len(data), pool_in(kernel, grades), "r", **options)


def scored_stream(kernel, data: bytes, grades, size: int, float32: bool = False):
    scorer = kernel.Scorer(pool_in(kernel, grades), "r", float32=float32)
    for start in range(0, len(data), size):
        scorer.feed(data[start : start + size])
    return scorer.finish()


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
MANY = settings(max_examples=400, deadline=None)


@MANY
@given(data=HOSTILE)
@example(b"1 Q0 a 1 1 r\n1 Q0 b 1 1 r\n1 Q0 a 1 1 r\n1 Q0 b 1 x r")
def test_runs_are_parsed_alike(compiled, data):
    assert outcome(lambda: compiled.parse_run(data, "r")) == outcome(lambda: numpy_twin.parse_run(data, "r"))


@MANY
@given(data=HOSTILE.map(lambda data: data.replace(b" 1 ", b" ")))
@example(b"1 0 a 1\n1 0 a 1 x y z\n")
def test_qrels_are_parsed_alike(compiled, data):
    assert outcome(lambda: compiled.parse_qrels(data, "q")) == outcome(lambda: numpy_twin.parse_qrels(data, "q"))


@MANY
@given(
    grade=st.one_of(
        st.from_regex(rb"\A[+-]?[0-9]{1,25}(\.[0-9]{0,3})?\Z"),
        st.sampled_from([b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"1.", b".0", b"+"]),
    )
)
def test_grades_are_read_alike(compiled, grade):
    data = b"1 0 a " + grade
    assert outcome(lambda: compiled.parse_qrels(data, "q")) == outcome(lambda: numpy_twin.parse_qrels(data, "q"))


@settings(max_examples=2000, deadline=None)
@given(
    score=st.one_of(SCORE, BAD_SCORE, st.text("0123456789.eE+-infatyINF_x", min_size=1, max_size=30).map(str.encode))
)
@example(b"9007199254740993")  # 2^53 + 1 lies between two doubles
@example(
    b"179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416"
    b"69288791094655554785194040263065748867150582068190890200070838367627385484581771153176447573027006985557136695"
    b"96228429148198608349364752927190741684443655107043427115596995080930428801779041744977919999999999999"
)
@example(b"2.4703282292062327208e-324")
@example(b"0." + b"0" * 400 + b"1e401")
@example(b"1" + b"0" * 400 + b"e-400")
@example(b"0e99999999999999999999")
@example(b"1e-99999999999999999999")
def test_scores_are_read_as_python_reads_them(compiled, score):
    data = b"1 Q0 a 1 " + score + b" r"
    assert outcome(lambda: compiled.parse_run(data, "r")) == outcome(lambda: numpy_twin.parse_run(data, "r"))


@MANY
@given(data=HOSTILE, grades=GRADES, piece=st.integers(1, 200), threads=st.integers(1, 3), float32=st.booleans())
def test_files_are_scored_alike_wherever_they_are_cut(
    compiled, tmp_path_factory, data, grades, piece, threads, float32
):
    folder = tmp_path_factory.mktemp("files")
    expected = outcome(lambda: scored_file(numpy_twin, folder, data, grades, float32=float32))
    options = {"float32": float32, "threads": threads, "piece": piece}
    found = outcome(lambda: scored_file(compiled, folder, data, grades, **options))
    assert found == expected or (found is None and is_scattered(data))


@MANY
@given(data=HOSTILE, grades=GRADES, size=st.integers(1, 200), float32=st.booleans())
def test_streams_are_scored_alike_wherever_they_are_cut(compiled, data, grades, size, float32):
    expected = outcome(lambda: scored_stream(numpy_twin, data, grades, 1 << 20, float32))
    found = outcome(lambda: scored_stream(compiled, data, grades, size, float32))
    assert found == expected or (found is None and is_scattered(data))


@settings(max_examples=1000, deadline=None)
@given(
    topics=st.dictionaries(
        ID,
        st.dictionaries(
            ID, st.one_of(st.floats(allow_nan=False), st.integers(-(10**10), 10**10).map(lambda n: n / 10**4))
        ),
    )
)
@example({b"1": {b"a": 1e16, b"b": 9999999999999998.0, b"c": 1e-4, b"d": 9.999e-5, b"e": -0.0, b"f": 5e-324}})
@example({b"1": {b"a": 1e22, b"b": 1.5e300, b"c": 123456789.125, b"d": 100.0, b"e": 0.1, b"f": 1e15}})
def test_runs_are_written_alike(compiled, topics):
    names, documents, scores = rows(topics)
    run = numpy_twin.rank(names, documents, np.array(scores, dtype=np.float64), b"tag")
    assert compiled.format_run(run) == numpy_twin.format_run(run)


@given(ids=st.lists(st.binary(max_size=12), max_size=5))
def test_ids_that_cannot_be_fields_are_found_alike(compiled, ids):
    assert compiled.first_unfit(Ids.of(ids)) == numpy_twin.first_unfit(Ids.of(ids))


def is_scattered(data: bytes) -> bool:
    fields = [line.split() for line in data.removeprefix(BYTE_ORDER_MARK).split(b"\n")]
    topics = [line[0] for line in fields if line and not line[0].startswith(b"#")]
    starts = [topic for place, topic in enumerate(topics) if place == 0 or topics[place - 1] != topic]
    return len(set(starts)) < len(starts)


# Known answers, both kernels ---------------------------------------------------------------------------------------


def test_ranks_and_grades_of_judged_documents(kernel, tmp_path):
    data = b"2 Q0 d 1 1 r\n1 Q0 a 1 1 r\n1 Q0 x 2 3 r\n1 Q0 b 3 2 r\n1 Q0 c 4 1 last\n"
    found = scored_file(kernel, tmp_path, data, {b"1": {b"a": 2, b"b": 0, b"q": 1}, b"3": {b"d": 1}})
    assert (found.topics, found.lengths.tolist(), found.tag) == ([b"1", b"2"], [4, 1], b"last")
    # x 3, b 2, then c before a: ids falling in bytes
    assert plain(found.matches) == [[0, 0], [2, 4], [0, 2]]


def test_ties_under_32_bit_scores_go_by_document(kernel, tmp_path):
    data = b"1 Q0 a 1 5.000000001 r\n1 Q0 b 2 5.0 r\n"
    assert scored_file(kernel, tmp_path, data, {b"1": {b"a": 1}}).matches.rank.tolist() == [1]
    assert scored_file(kernel, tmp_path, data, {b"1": {b"a": 1}}, float32=True).matches.rank.tolist() == [2]


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_ids_that_differ_in_one_byte_or_in_length_are_different(kernel, size):
    ids = [b"x" * size, b"x" * (size - 1) + b"y", b"x" * (size + 1), b"y" + b"x" * (size - 1)]
    ids = list(dict.fromkeys(ids))
    data = b"".join(b"1 Q0 %s 1 %d r\n" % (document, -place) for place, document in enumerate(ids))
    found = scored_stream(kernel, data, {b"1": {document: place for place, document in enumerate(ids)}}, 100)
    assert found.matches.grade.tolist() == list(range(len(ids)))


def test_a_topic_of_many_documents_after_and_before_small_ones(kernel, tmp_path):
    lines = [b"1 Q0 a 1 1 r"]
    lines += [b"2 Q0 d%d %d %d r" % (number, number, -number) for number in range(5000)]
    lines += [b"3 Q0 a 1 1 r", b"4 Q0 d4999 1 1 r"]
    grades = {b"2": {b"d4999": 1, b"d0": 2}, b"4": {b"d4999": 3}}
    found = scored_file(kernel, tmp_path, b"\n".join(lines), grades, threads=2, piece=1000)
    assert found.lengths.tolist() == [1, 5000, 1, 1]
    assert plain(found.matches) == [[0, 0, 1], [1, 5000, 1], [2, 1, 3]]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_bad_line_is_told_whatever_the_threads(kernel, tmp_path, threads):
    lines = [b"%d Q0 d%d 1 1 r" % (number // 10, number) for number in range(4000)]
    lines[1500] = lines[2500] = lines[3500] = b"short"
    with pytest.raises(FormatError, match=r"r:1501: expected 6 fields, found 1: 'short'"):
        scored_file(kernel, tmp_path, b"\n".join(lines), {}, threads=threads, piece=500)


def test_a_duplicate_far_apart_is_told_with_both_lines(kernel, tmp_path):
    lines = [b"# head", *(b"1 Q0 d%d 1 1 r" % number for number in range(3000)), b"1 Q0 d10 1 1 r"]
    with pytest.raises(FormatError, match=r"r:3002: document 'd10' stands twice in topic '1', first in line 12;"):
        scored_file(kernel, tmp_path, b"\n".join(lines), {}, threads=2, piece=700)


def test_a_nul_byte_comes_before_all_else(kernel, tmp_path):
    data = b"short\n1 Q0 a 1 1 r\n# \0\n"
    for work in (lambda: scored_file(kernel, tmp_path, data, {}), lambda: scored_stream(kernel, data, {}, 3)):
        with pytest.raises(FormatError, match=r"r:3: a NUL byte is no text; remove it"):
            work()


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_utf_16_is_named(kernel, size):
    with pytest.raises(FormatError, match=r"r:1: .* looks like UTF-16"):
        scored_stream(kernel, "1 Q0 a 1 1 r\n".encode("utf-16"), {}, size)


def test_a_line_without_end_is_read_in_time(kernel, tmp_path):
    line = b"1 Q0 a 1 1 r " + b"x" * 20_000_000
    for data in (line, b"\n" * 3_000_000 + line + b"\n2 Q0 a 1 1 r"):
        assert scored_file(kernel, tmp_path, data, {b"1": {b"a": 1}}).matches.rank.tolist() == [1]


def test_a_file_that_shrinks_while_it_is_read_is_an_error(compiled, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"1 Q0 a 1 1 r\n")
    with path.open("rb") as stream, pytest.raises(OSError, match="shorter"):
        compiled.score_file(stream.fileno(), 1000, pool_in(compiled, {}), "r")


def test_other_threads_go_on_while_a_file_is_scored(compiled, tmp_path):
    data = b"".join(b"%d Q0 d%d 1 1 r\n" % (number // 1000, number) for number in range(400_000))
    (tmp_path / "run").write_bytes(data)
    pool, results = pool_in(compiled, {b"7": {b"d7000": 1}}), []

    def work():
        with (tmp_path / "run").open("rb") as stream:
            results.append(plain(compiled.score_file(stream.fileno(), len(data), pool, "r", threads=2)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_all_threads_at_once(compiled, tmp_path, threads):
    data = b"".join(b"%d Q0 d%d 1 1 r\n" % (number // 10, number) for number in range(100_000))
    path, pool = tmp_path / "run", pool_in(compiled, {})
    path.write_bytes(data)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    # Pieces of one byte make it last; a run of this size takes some milliseconds otherwise.
    with path.open("rb") as stream, pytest.raises(KeyboardInterrupt):
        compiled.score_file(stream.fileno(), len(data), pool, "r", threads=threads, piece=1)
    assert time.perf_counter() - start < 3  # 7 s where nobody asks
    timer.join()


def test_scattered_topics_are_left_to_the_slower_way(compiled, tmp_path):
    data = b"1 Q0 a 1 1 r\n2 Q0 b 1 1 r\n1 Q0 c 1 1 r\n"
    assert scored_file(compiled, tmp_path, data, {}) is None
    assert scored_stream(compiled, data, {}, 5) is None


def test_a_nul_byte_in_the_twin_is_told_as_textio_tells_it():
    with pytest.raises(FormatError) as expected:
        check_no_nul(b"\n\0", "r")
    with pytest.raises(FormatError) as found:
        scored_stream(numpy_twin, b"\n\0", {}, 10)
    assert str(found.value) == str(expected.value)


# Which kernel ------------------------------------------------------------------------------------------------------


def version_with(asked: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "IRKIT_KERNEL": asked}
    command = [sys.executable, "-c", "from irkit.cli import main; raise SystemExit(main(['--version']))"]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_environment_asks_for_a_kernel(kernel):
    name = kernel.__name__.rpartition(".")[2].removesuffix("_twin")
    assert f"(kernel: {name};" in version_with(name).stdout


def test_an_unknown_kernel_is_refused():
    done = version_with("fast")
    assert done.returncode == 2
    assert "IRKIT_KERNEL is 'fast'; it can be compiled or numpy, or be left out" in done.stderr
