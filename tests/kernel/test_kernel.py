"""Both kernels do what the plain loops of `reference_kernel` do, to the last sign of every message."""

import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from itertools import product
from types import ModuleType
from unittest.mock import patch

import numpy as np
import pytest
import reference_kernel
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kernels import (
    BAD_SCORE,
    CHUNKS,
    FUZZED,
    GRADES,
    HOSTILE,
    KERNELS,
    MANY,
    SCORE,
    load,
    plain,
)
from reference_kernel import is_scattered

from irkit._kernel import numpy_twin
from irkit._kernel.numpy_twin import text as twin_text
from irkit._kernel.numpy_twin.fields import Fields
from irkit._kernel.problems import TwiceError
from irkit.errors import FormatError
from irkit.files.textio import BYTE_ORDER_MARK
from irkit.ids import Ids


@pytest.fixture(scope="session", params=KERNELS)
def kernel(request) -> ModuleType:
    return load(request.param)


@pytest.fixture(scope="session")
def compiled() -> ModuleType:
    return load("compiled")


@pytest.fixture(scope="session")
def kernels() -> list[ModuleType]:
    """All that are built here, for tests of many examples."""
    found = importlib.util.find_spec("irkit._kernel._compiled")
    return [load(name) for name in KERNELS if name == "numpy" or found]


def outcome(work, *arguments, **options):
    try:
        return plain(work(*arguments, **options))
    except FormatError as problem:
        return str(problem), problem.line
    except TwiceError as problem:
        return problem.row, problem.first


def pool_in(kernel: ModuleType, grades: dict[bytes, dict[bytes, int]]):
    return kernel.Pool(reference_kernel.gather(grades))


def scored_file(kernel, tmp_path, data: bytes, grades, **options):
    path = tmp_path / "run"
    path.write_bytes(data)
    with path.open("rb") as stream:
        return kernel.score_file(stream.fileno(), len(data), pool_in(kernel, grades), "r", **options)


def scored_stream(kernel, data: bytes, grades, size: int, float32: bool = False):
    options = {"chunk": size} if kernel is numpy_twin else {}
    scorer = kernel.Scorer(pool_in(kernel, grades), "r", float32=float32, **options)
    for start in range(0, len(data), size):
        scorer.feed(data[start : start + size])
    return scorer.finish()


@MANY
@given(data=HOSTILE, chunk=CHUNKS)
@example(b"1 Q0 a 1 1 r\n1 Q0 b 1 1 r\n1 Q0 a 1 1 r\n1 Q0 b 1 x r", 20)
def test_runs_are_parsed_alike(kernels, data, chunk):
    expected = outcome(reference_kernel.parse_run, data, "r")
    for kernel in kernels:
        with patch.object(twin_text, "CHUNK", chunk):
            assert outcome(kernel.parse_run, data, "r") == expected, kernel.__name__


@MANY
@given(data=HOSTILE, piece=st.integers(1, 200), threads=st.integers(1, 3))
@example(b"1 Q0 a 1 1 r\n2 Q0 b 1 1 r\n1 Q0 c 1 2 s", 13, 2)
@example(b"1 Q0 a 1 1 r\n2 Q0 b 1 1 r\n1 Q0 a 1 2 r\n", 13, 2)
def test_a_run_is_read_from_its_file_as_from_its_bytes_wherever_it_is_cut(
    kernels, tmp_path_factory, data, piece, threads
):
    path = tmp_path_factory.mktemp("files") / "run"
    path.write_bytes(data)
    expected = outcome(reference_kernel.parse_run, data.removeprefix(BYTE_ORDER_MARK), "r")
    is_sound = isinstance(expected, list) and expected[0] and b"\0" not in data
    for kernel in kernels:
        with path.open("rb") as stream:
            found = kernel.parse_file(stream.fileno(), len(data), threads=threads, piece=piece)
            assert kernel.parse_file(stream.fileno(), len(data) + 9, threads=threads, piece=piece) is None  # it shrank
        if kernel is numpy_twin or not is_sound:
            assert found is None
        else:
            assert plain(found) == expected


@MANY
@given(data=HOSTILE, chunk=CHUNKS, float32=st.booleans())
def test_documents_of_one_score_stay_in_the_order_of_the_file_where_that_is_asked_for(data, chunk, float32):
    expected = outcome(reference_kernel.parse_run_as_given, data, "r", float32)
    with patch.object(twin_text, "CHUNK", chunk):
        assert outcome(numpy_twin.parse_run_as_given, data, "r", float32=float32) == expected


@MANY
@given(data=HOSTILE.map(lambda data: data.replace(b" 1 ", b" ")), chunk=CHUNKS)
@example(b"1 0 a 1\n1 0 a 1 x y z\n", 20)
def test_qrels_are_parsed_alike(kernels, data, chunk):
    expected = outcome(reference_kernel.parse_qrels, data, "q")
    for kernel in kernels:
        with patch.object(twin_text, "CHUNK", chunk):
            assert outcome(kernel.parse_qrels, data, "q") == expected, kernel.__name__


GRADE = st.one_of(
    st.from_regex(rb"\A[+-]?[0-9]{1,25}(\.[0-9]{0,3})?\Z"),
    st.sampled_from([b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"1.", b".0", b"+"]),
)


@MANY
@given(grades=st.lists(GRADE, min_size=1, max_size=4))
def test_grades_are_read_alike(kernels, grades):
    data = b"\n".join(b"1 0 %d %s" % (place, grade) for place, grade in enumerate(grades))
    expected = outcome(reference_kernel.parse_qrels, data, "q")
    for kernel in kernels:
        assert outcome(kernel.parse_qrels, data, "q") == expected, kernel.__name__


@settings(max_examples=600, deadline=None)
@given(
    scores=st.lists(
        st.one_of(SCORE, BAD_SCORE, st.text("0123456789.eE+-infatyINF_x", min_size=1, max_size=30).map(str.encode)),
        min_size=1,
        max_size=4,
    )
)
@example([b"9007199254740993"])  # 2^53 + 1 lies between two doubles
@example([b"-0.0", b"0.1", b"+.5", b"5.", b"-00012345.6789012", b"123456789012345", b"1234567890.12345"])
@example(
    [
        b"179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416"
        b"69288791094655554785194040263065748867150582068190890200070838367627385484581771153176447573027006985557136695"
        b"96228429148198608349364752927190741684443655107043427115596995080930428801779041744977919999999999999"
    ]
)
@example([b"2.4703282292062327208e-324"])
@example([b"0." + b"0" * 400 + b"1e401"])
@example([b"1" + b"0" * 400 + b"e-400"])
@example([b"0e99999999999999999999"])
@example([b"1e-99999999999999999999"])
def test_scores_are_read_as_python_reads_them(kernels, scores):
    data = b"\n".join(b"1 Q0 %d 1 %s r" % (place, score) for place, score in enumerate(scores))
    expected = outcome(reference_kernel.parse_run, data, "r")
    for kernel in kernels:
        assert outcome(kernel.parse_run, data, "r") == expected, kernel.__name__


@MANY
@given(data=HOSTILE, grades=GRADES, piece=st.integers(1, 200), threads=st.integers(1, 3), float32=st.booleans())
def test_files_are_scored_alike_wherever_they_are_cut(kernels, tmp_path_factory, data, grades, piece, threads, float32):
    folder = tmp_path_factory.mktemp("files")
    options = {"float32": float32, "threads": threads, "piece": piece}
    expected = outcome(reference_kernel.score, data, grades, "r", float32)
    for kernel in kernels:
        found = outcome(scored_file, kernel, folder, data, grades, **options)
        assert found == expected or (found is None and is_scattered(data)), kernel.__name__


@MANY
@given(data=HOSTILE, grades=GRADES, size=st.integers(1, 200), float32=st.booleans())
def test_streams_are_scored_alike_wherever_they_are_cut(kernels, data, grades, size, float32):
    expected = outcome(reference_kernel.score, data, grades, "r", float32)
    for kernel in kernels:
        found = outcome(scored_stream, kernel, data, grades, size, float32)
        assert found == expected or (found is None and is_scattered(data)), kernel.__name__


@MANY
@given(data=HOSTILE, grades=GRADES, size=st.integers(1, 200))
def test_ids_are_told_apart_by_their_bytes_where_all_hashes_are_the_same(data, grades, size):
    with patch.object(Fields, "hashes", lambda fields, group: np.zeros(len(fields), dtype=np.uint64)):
        run = outcome(numpy_twin.parse_run, data, "r")
        found = outcome(scored_stream, numpy_twin, data, grades, size)
    assert run == outcome(reference_kernel.parse_run, data, "r")
    expected = outcome(reference_kernel.score, data, grades, "r")
    assert found == expected or (found is None and is_scattered(data))


@MANY
@given(
    n=st.integers(1, 200),
    n_scores=st.integers(1, 4),
    grades=st.dictionaries(st.integers(0, 200), st.integers(-1, 2)),
    chance=st.randoms(use_true_random=False),
    sort=st.booleans(),
)
def test_ties_have_the_span_that_counting_gives_them(kernels, n, n_scores, grades, chance, sort):
    # More than 64 documents of one score are ranked in another way than fewer; so are scores that do not fall.
    rows = [(chance.randrange(n_scores), b"d%d" % number) for number in range(n)]
    rows = sorted(rows, reverse=True) if sort else rows
    data = b"".join(b"1 Q0 %s 1 %d r\n" % (document, score) for score, document in rows)
    judged = {b"1": {b"d%d" % number: grade for number, grade in grades.items()} or {b"d": 1}}
    expected = outcome(reference_kernel.score, data, judged, "r")
    run = reference_kernel.parse_run(data, "r")
    for kernel in kernels:
        assert outcome(scored_stream, kernel, data, judged, 1 << 20) == expected, kernel.__name__
        assert plain(kernel.match(run, pool_in(kernel, judged))) == expected[2], kernel.__name__


ROWS = st.lists(
    st.tuples(
        st.sampled_from([b"1", b"10", b"2", b"q" * 9]),
        st.sampled_from([b"a", b"a\0", b"ab", b"b", b"\xe9", b"", b"x" * 8, b"x" * 9, b"x" * 70, b"x" * 69 + b"y"]),
        st.integers(-2, 2),
    ),
    max_size=12,
)


@MANY
@given(rows=ROWS)
def test_rows_of_any_order_are_ranked_and_gathered_alike(kernels, rows):
    topics, documents = Ids.of(row[0] for row in rows), Ids.of(row[1] for row in rows)
    numbers = [row[2] for row in rows]
    known: dict[tuple[bytes, bytes], int] = {}
    table: reference_kernel.Table = {}
    twice = None
    for row, (topic, document, number) in enumerate(rows):
        first = known.setdefault((topic, document), row)
        if first != row and twice is None:
            twice = row, first
        table.setdefault(topic, {})[document] = number
    scores, grades = np.array(numbers, dtype=np.float64), np.array(numbers, dtype=np.int64)
    as_given = outcome(numpy_twin.rank_as_given, topics, documents, scores, b"tag")
    assert as_given == (twice or plain(reference_kernel.rank_as_given(table, b"tag")))
    for kernel in kernels:
        ranked = outcome(kernel.rank, topics, documents, scores, b"tag")
        assert ranked == (twice or plain(reference_kernel.rank(table, b"tag"))), kernel.__name__
        gathered = outcome(kernel.gather, topics, documents, grades)
        assert gathered == (twice or plain(reference_kernel.gather(table))), kernel.__name__


@settings(max_examples=400, deadline=None)
@given(scores=st.lists(st.one_of(st.floats(allow_nan=False), st.integers(-(10**10), 10**10).map(lambda n: n / 10**4))))
@example([1e16, 9999999999999998.0, 1e-4, 9.999e-5, -0.0, 5e-324])
@example([1e22, 1.5e300, 123456789.125, 100.0, 0.1, 1e15])
def test_runs_are_written_alike(kernels, scores):
    table = {b"301": {b"FT911-%d" % place: score for place, score in enumerate(scores)}, b"\xe9": {b"x" * 70: 1.0}}
    run = reference_kernel.rank(table, b"tag")
    ranked = sorted(((score, document) for document, score in table[b"301"].items()), reverse=True)
    lines = [b"301 Q0 %s %d %s tag\n" % (ranked[n][1], n + 1, repr(ranked[n][0]).encode()) for n in range(len(ranked))]
    lines.append(b"\xe9 Q0 " + b"x" * 70 + b" 1 1.0 tag\n")
    for kernel in kernels:
        assert kernel.format_run(run) == b"".join(lines), kernel.__name__


@given(ids=st.lists(st.one_of(st.sampled_from([b"a", b"ab", b"", b"a b", b"\0"]), st.binary(max_size=12)), max_size=5))
def test_ids_that_cannot_be_fields_are_found_alike(kernels, ids):
    unfit = [place for place, name in enumerate(ids) if name.split() != [name] or b"\0" in name]
    for kernel in kernels:
        assert kernel.first_unfit(Ids.of(ids)) == (unfit[0] if unfit else -1), kernel.__name__


def test_there_are_files_that_the_fuzzer_found():
    assert len(FUZZED) > 50


@pytest.mark.parametrize("path", FUZZED, ids=lambda path: path.name[:12])
def test_what_the_fuzzer_found_is_read_alike(compiled, tmp_path, path):
    data = path.read_bytes()[:-3]
    judged, _, run = data.partition(b"\n---\n")
    run = run or judged
    for read, text in product(("parse_run", "parse_qrels"), (run, judged)):
        found, expected = (outcome(partial(getattr(kernel, read), text, "f")) for kernel in (compiled, numpy_twin))
        assert found == expected
    grades = {line.split()[0]: {line.split()[2]: 1} for line in run.split(b"\n") if len(line.split()) > 2}
    expected = outcome(lambda: scored_stream(numpy_twin, run, grades, 1 << 20))
    for found in (
        outcome(lambda: scored_stream(compiled, run, grades, 7)),
        outcome(lambda: scored_file(compiled, tmp_path, run, grades, piece=40)),
    ):
        assert found == expected or (found is None and is_scattered(run))


# Known answers, both kernels ---------------------------------------------------------------------------------------


def test_ranks_and_grades_of_judged_documents(kernel, tmp_path):
    data = b"2 Q0 d 1 1 r\n1 Q0 a 1 1 r\n1 Q0 x 2 3 r\n1 Q0 b 3 2 r\n1 Q0 c 4 1 last\n"
    found = scored_file(kernel, tmp_path, data, {b"1": {b"a": 2, b"b": 0, b"q": 1}, b"3": {b"d": 1}})
    assert (found.topics, found.lengths.tolist(), found.tag) == ([b"1", b"2"], [4, 1], b"last")
    # x 3, b 2, then c before a: ids falling in bytes; a shares ranks 3 and 4 with c
    assert plain(found.matches) == [[0, 0], [2, 4], [0, 2], [2, 3], [2, 4]]


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
    assert plain(found.matches) == [[0, 0, 1], [1, 5000, 1], [2, 1, 3], [1, 5000, 1], [1, 5000, 1]]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_bad_line_is_told_whatever_the_threads(kernel, tmp_path, threads):
    lines = [b"%d Q0 d%d 1 1 r" % (number // 10, number) for number in range(4000)]
    lines[1500] = lines[2500] = lines[3500] = b"short"
    with pytest.raises(FormatError, match=r"r:1501: expected 6 fields, found 1: 'short'"):
        scored_file(kernel, tmp_path, b"\n".join(lines), {}, threads=threads, piece=500)


def test_a_duplicate_far_apart_is_told_with_both_lines(kernel, tmp_path):
    lines = [b"# head", *(b"1 Q0 d%d 1 1 r" % number for number in range(3000)), b"1 Q0 d10 1 1 r"]
    with pytest.raises(FormatError, match=r"r:3002: document 'd10' occurs twice in topic '1', first in line 12;"):
        scored_file(kernel, tmp_path, b"\n".join(lines), {}, threads=2, piece=700)


def test_a_nul_byte_comes_before_all_else(kernel, tmp_path):
    data = b"short\n1 Q0 a 1 1 r\n# \0\n"
    for work in (lambda: scored_file(kernel, tmp_path, data, {}), lambda: scored_stream(kernel, data, {}, 3)):
        with pytest.raises(FormatError, match=r"r:3: a NUL byte is no text; remove it"):
            work()


@pytest.mark.parametrize("size", [1, 2, 3, 261, 1000])
@pytest.mark.parametrize("mark", [b"", BYTE_ORDER_MARK])
def test_what_has_nul_bytes_is_named_on_every_path(kernel, tmp_path, size, mark):
    tar = b"1 Q0 a 1 1 r\n".ljust(257, b"\0") + b"ustar\0" + b"00" * 100
    for data, said in (
        (tar, "r:2: .* a tar archive; unpack"),
        ("\ufeff1 Q0".encode("utf-16-be"), "r:1: .* looks like UTF-16"),
    ):
        for work in (
            lambda data=mark + data: scored_file(kernel, tmp_path, data, {}, piece=size),
            lambda data=mark + data: scored_stream(kernel, data, {}, size),
        ):
            with pytest.raises(FormatError, match=said):
                work()


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_utf_16_is_named(kernel, size):
    with pytest.raises(FormatError, match=r"r:1: .* looks like UTF-16"):
        scored_stream(kernel, "1 Q0 a 1 1 r\n".encode("utf-16"), {}, size)


def test_a_line_without_end_is_read_in_time(kernel, tmp_path):
    line = b"1 Q0 a 1 1 r " + b"x" * 20_000_000
    for data in (line, b"\n" * 3_000_000 + line + b"\n2 Q0 a 1 1 r"):
        assert scored_file(kernel, tmp_path, data, {b"1": {b"a": 1}}).matches.rank.tolist() == [1]


@pytest.mark.parametrize(
    ("before", "sign", "after", "said"),
    [
        (b"1 Q0 a 1 1 r\n1 Q0 ", b"x", b" 1 2 r\n", None),
        (b"", b" ", b"1 Q0 b 1 2 r\n1 Q0 a 1 1 r", None),
        (b"1 Q0 b 1 2.", b"5", b" r\n1 Q0 a 1 1 r", None),
        (b"", b"x", b"", r"r:1: expected 6 fields, found 1: 'x{80}'\.{4} A run line is"),
        (b"\n\n", b"x", b"\0", r"r:3: a NUL byte is no text"),
    ],
    ids=["document", "blanks", "digits", "no line end", "NUL"],
)
def test_a_line_of_a_hundred_megabytes_is_a_line(kernel, tmp_path, before, sign, after, said):
    data = before + sign * 100_000_000 + after
    for work in (
        lambda: scored_file(kernel, tmp_path, data, {b"1": {b"a": 1}}),
        lambda: scored_stream(kernel, data, {b"1": {b"a": 1}}, 1 << 20),
    ):
        if said is None:
            found = work()
            assert (found.lengths.tolist(), found.matches.rank.tolist()) == ([2], [2])
        else:
            with pytest.raises(FormatError, match=said):
                work()
    (tmp_path / "run").unlink()


@pytest.mark.parametrize("data", [b"", b"1 Q0 a 1 1 r\n", b"1 Q0 a\n", b"1 Q0 a 1 1 r\n" * 2, b"1\0"], ids=repr)
@pytest.mark.parametrize("piece", [0, 5])
def test_a_file_that_shrinks_while_it_is_read_is_an_error(kernel, tmp_path, monkeypatch, data, piece):
    path = tmp_path / "run"
    path.write_bytes(data)

    def said():
        with path.open("rb") as stream, pytest.raises(FormatError) as found:
            kernel.score_file(stream.fileno(), 1000, pool_in(kernel, {}), "r", piece=piece)
        return str(found.value)

    assert said() == "r: the file became shorter while it was read; score it once it is written"
    if hasattr(kernel, "_compiled"):
        monkeypatch.delattr("irkit._kernel._compiled.score_file")  # as on Windows
        assert said() == "r: the file became shorter while it was read; score it once it is written"


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
    data = b"".join(b"%d Q0 d%d 1 1 r\n" % (number // 10, number) for number in range(40_000))
    path, pool = tmp_path / "run", pool_in(compiled, {})
    path.write_bytes(data)
    # Pieces of one byte make it last; a run of this size takes less than a millisecond otherwise.
    with path.open("rb") as stream:
        work = partial(compiled.score_file, stream.fileno(), len(data), pool, "r", threads=threads, piece=1)
        start = time.process_time()
        work()
        whole = time.process_time() - start
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        start = time.process_time()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        assert time.process_time() - start < whole / 2  # of the processor's time, whatever else it does
    timer.join()


def test_scattered_topics_are_left_to_the_slower_way(kernel, tmp_path):
    data = b"1 Q0 a 1 1 r\n2 Q0 b 1 1 r\n1 Q0 c 1 1 r\n"
    assert scored_file(kernel, tmp_path, data, {}) is None
    assert scored_stream(kernel, data, {}, 5) is None


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
