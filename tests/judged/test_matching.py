"""A file that is scored while it is read gives what it gives when it is read whole."""

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irkit import _kernel
from irkit.data.qrels import Qrels, read_qrels
from irkit.data.runs import Run, read_run
from irkit.errors import DataError, FormatError
from irkit.evaluation.scoring import evaluate
from irkit.judged import judge
from irkit.judged.matching import retrieved
from irkit.rules import TREC_EVAL_9, TREC_EVAL_10

TOGETHER = b"1 Q0 a 1 3.0 r\n1 Q0 x 2 2.0 r\n1 Q0 b 3 2.0 r\n2 Q0 c 1 5.000000001 r\n2 Q0 d 2 5 r\n9 Q0 e 1 1 r\n"
SCATTERED = b"".join(sorted(TOGETHER.splitlines(keepends=True), key=lambda line: line[5:]))
QRELS = Qrels.from_grades({"1": {"a": 1, "b": 2, "q": 1}, "2": {"c": 1}, "3": {"z": 0}})


def alike(one, other):
    for name in ("topics", "missing", "unjudged", "top_grade", "rules"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("topic", "rank", "grade", "n_retrieved", "pool_topic", "pool_grade", "tie_first", "tie_last"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("data", [TOGETHER, SCATTERED], ids=["together", "scattered"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("rules", [TREC_EVAL_10, TREC_EVAL_9], ids=str)
@pytest.mark.parametrize("average", ["judged", "intersection"])
def test_a_file_is_judged_as_the_run_in_it(tmp_path, data, compress, rules, average):
    path = tmp_path / "run"
    path.write_bytes(compress(data))
    found = judge(path, QRELS, rules=rules, average=average)
    assert found.rank.tolist() == ([1, 3, 1] if rules == TREC_EVAL_10 else [1, 3, 2])
    alike(found, judge(read_run(path), QRELS, rules=rules, average=average))


@pytest.mark.skipif(_kernel.NAME != "compiled", reason="the twin leaves every dict to Python")
def test_a_dict_with_a_default_as_pytrec_eval_reads_one_is_walked_in_the_kernel(monkeypatch):
    run = defaultdict(dict, {"1": {"x": 3.0, "a": 2.0}})
    monkeypatch.setattr(Run, "of", None)
    assert retrieved(run, QRELS).matches.rank.tolist() == [2]


@pytest.mark.skipif(_kernel.NAME != "compiled", reason="the twin reads every file from its start to its end")
@pytest.mark.parametrize("data", [TOGETHER, SCATTERED], ids=["together", "scattered"])
def test_where_a_file_cannot_be_read_at_a_place_it_is_read_from_its_start(tmp_path, monkeypatch, data):
    path = tmp_path / "run"
    path.write_bytes(data)
    whole = judge(path, QRELS)
    assert whole.rank.tolist() == [1, 3, 1]
    monkeypatch.delattr("irkit._kernel._compiled.score_file")  # as on Windows
    alike(judge(path, QRELS), whole)


@pytest.mark.parametrize("data", [TOGETHER, SCATTERED], ids=["together", "scattered"])
def test_a_pipe_is_read_once(tmp_path, data):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    assert retrieved(pipe, QRELS).matches.rank.tolist() == [1, 3, 1]
    writer.join()


@pytest.mark.parametrize("data", [TOGETHER, SCATTERED], ids=["together", "scattered"])
def test_of_two_byte_order_marks_the_second_is_part_of_the_text(tmp_path, data):
    # Topic 1 of the first line is another one, U+FEFF 1, which nobody judged: of topic 1 the first document is gone.
    path, pipe = tmp_path / "run", tmp_path / "pipe"
    path.write_bytes(b"\xef\xbb\xbf" * 2 + data)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(path.read_bytes(),))
    writer.start()
    for found in (retrieved(pipe, QRELS), retrieved(path, QRELS), retrieved(read_run(path), QRELS)):
        assert found.topics == [b"1", b"2", b"9", b"\xef\xbb\xbf1"]
        assert found.lengths.tolist() == [2, 2, 1, 1]
    writer.join()


@pytest.mark.parametrize("data", [TOGETHER, gzip.compress(SCATTERED)], ids=["together", "scattered"])
def test_standard_input_is_scored(tmp_path, data):
    QRELS.write(tmp_path / "qrels")
    words = ["score", "-", str(tmp_path / "qrels"), "-m", "nDCG@10", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "irkit", *words], input=data, stdout=subprocess.PIPE, check=True, env={**os.environ}
    )
    (tmp_path / "run").write_bytes(data)
    expected = evaluate(run=tmp_path / "run", qrels=QRELS, measures="nDCG@10")
    (found,) = json.loads(done.stdout)["evaluations"]
    assert found["measures"]["nDCG@10"]["value"] == expected.value("nDCG@10")


@pytest.mark.parametrize(
    "data", [b"", b"\n# nothing\n", gzip.compress(b"", mtime=0)], ids=["nothing", "comments", "archive"]
)
def test_a_run_without_lines_is_said_to_be_empty(tmp_path, data):
    (tmp_path / "run").write_bytes(data)
    with pytest.raises(FormatError, match="run: the run file is empty"):
        retrieved(tmp_path / "run", QRELS)


def test_a_truncated_archive_is_an_error_and_never_a_short_run(tmp_path):
    (tmp_path / "run").write_bytes(gzip.compress(TOGETHER * 1000)[:-20])
    with pytest.raises(FormatError, match="run: the file or its archive is cut off or damaged"):
        retrieved(tmp_path / "run", QRELS)


def test_the_same_error_as_when_read_whole(tmp_path):
    (tmp_path / "run").write_bytes(SCATTERED + b"1 Q0 a 1 1 r\nbad\n")
    with pytest.raises(FormatError) as whole:
        read_run(tmp_path / "run")
    with pytest.raises(FormatError) as found:
        retrieved(tmp_path / "run", QRELS)
    assert str(found.value) == str(whole.value)
    assert "occurs twice in topic '1', first in line 1" in str(found.value)


def test_runs_of_trec_eval_are_judged_as_when_read_whole(shared):
    suite = shared / "trec_eval" / "suite"
    qrels = read_qrels(suite / "qrels.test")
    alike(judge(suite / "results.test", qrels), judge(read_run(suite / "results.test"), qrels))


IDS = st.text("abé0\udce9", min_size=1, max_size=3)
SCORES = st.one_of(st.integers(-3, 3), st.floats(allow_nan=False), st.just(np.float64(2.5)), st.just(np.float32(1.5)))
RUNS = st.dictionaries(
    IDS, st.one_of(st.dictionaries(IDS, SCORES, max_size=8), st.lists(IDS, unique=True, max_size=8)), min_size=1
)


@settings(max_examples=300, deadline=None)
@given(
    rules=st.sampled_from([TREC_EVAL_10, TREC_EVAL_9]),
    run=RUNS,
    grades=st.dictionaries(IDS, st.dictionaries(IDS, st.integers(0, 2), min_size=1), min_size=1),
)
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_a_dict_is_judged_as_the_run_made_of_it(rules, run, grades):
    qrels = Qrels.from_grades({**grades, **{topic: {"a": 1} for topic in run}})
    alike(judge(run, qrels, rules=rules), judge(Run.of(run), qrels, rules=rules))


@pytest.mark.parametrize(
    "run",
    [
        {"1": {"a": float("nan")}},
        {"1": {"a": True}},
        {"1": {"a": "2"}},
        {"1": {"a": None}},
        {"1": {7: 1.0}},
        {1: {"a": 1.0}},
        {"1": ["a", "b", "a"]},
        {"1": ["a", 2]},
        {"1": "ab"},
        {"1": 3},
    ],
    ids=repr,
)
def test_what_is_no_run_is_refused_as_when_it_is_made_one(run):
    with pytest.raises(FormatError) as expected:
        Run.of(run, "mine")
    with pytest.raises(FormatError) as found:
        judge(run, QRELS, name="mine")
    assert str(found.value) == str(expected.value)


def test_a_run_in_memory_is_called_by_its_name_where_no_topic_fits():
    with pytest.raises(DataError, match="no topic in common: mine has 1 topic, such as 'x'"):
        evaluate(run={"x": {"a": 1}}, qrels=QRELS, name="mine")
