"""Runs side by side, block by block, and a run of them again: laws of every fusion, with both kernels."""

import random
from itertools import permutations
from math import fsum, inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import KERNELS, load
from numpy.testing import assert_array_equal

from irkit import _kernel
from irkit.data import runs as runs_module
from irkit.data.runs import Run, read_run
from irkit.errors import DataError, UsageError
from irkit.fusion import abstain, fuse, linear, prior_run, rrf, union
from irkit.fusion.exact_sum import ordered_sum
from irkit.fusion.union import UnionOfRuns, fused
from irkit.ids import Ids, to_bytes

few = settings(max_examples=40)


@pytest.fixture(autouse=True, params=KERNELS)
def kernel(request, monkeypatch):
    for name in ("merge", "rerank"):
        monkeypatch.setattr(_kernel, name, getattr(load(request.param), name))


# Few ids, topics and scores, so that documents are found by several runs and ties are common.
DOCUMENTS = ["a", "b", "B", "10", "9", "é", "long-document-id-1", "long-document-id-2", "long-document-id-10"]
TOPICS = ["1", "10", "2", "q"]
RUN = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 1.0, 1.5, 2.25, -1.0, 1e-3, 0.1]), max_size=9),
    min_size=1,
)
RUNS = st.lists(RUN, min_size=1, max_size=5)
WEIGHTS = [1, 0.1, 2.5, 1 / 3, 0]


def ranked(run, topic, depth=None):
    """The documents of a dict of dicts: score falling, id falling in bytes."""
    rows = run.get(topic, {})
    return sorted(rows, key=lambda document: (rows[document], to_bytes(document)), reverse=True)[:depth]


def plain_rrf(runs, weights, depth, k=60):
    """Reciprocal rank fusion by dicts."""
    found = {}
    for run, weight in zip(runs, weights, strict=True):
        for topic in run if weight else ():
            shares = found.setdefault(topic, {})
            for rank, document in enumerate(ranked(run, topic, depth), 1):
                shares.setdefault(document, []).append(weight * (1 / (k + rank)))
    summed = {topic: {document: fsum(terms) for document, terms in rows.items()} for topic, rows in found.items()}
    return {
        topic: {document: rows[document] for document in ranked(summed, topic, depth)} for topic, rows in summed.items()
    }


def files(runs, folder, shuffle=None):
    """The runs as files; with their lines in another order."""
    paths = []
    for number, run in enumerate(runs):
        lines = [f"{topic} Q0 {d} 0 {score!r} r{number}\n" for topic, rows in run.items() for d, score in rows.items()]
        if shuffle is not None:
            shuffle.shuffle(lines)
        paths.append(folder / f"{number}.run")
        paths[-1].write_text("".join(lines), "utf-8")
    return paths


# Laws of fusion -------------------------------------------------------------------------------------------------------


@few
@given(RUNS, st.integers(1, 9))
def test_rrf_is_what_plain_loops_over_dicts_find(runs, depth):
    weights = WEIGHTS[: len(runs)]
    found = rrf([Run.of(run) for run in runs], weights=weights, depth=depth).to_dict()
    wanted = plain_rrf(runs, weights, depth)
    assert sorted(found) == sorted(wanted)
    for topic, rows in wanted.items():
        assert list(found[topic].items()) == [(d, pytest.approx(s, rel=1e-15)) for d, s in rows.items()]


@pytest.mark.parametrize("method", ["rrf", "linear"])
@few
@given(runs=st.lists(RUN, min_size=2, max_size=4))
def test_no_order_of_runs_with_their_weights_changes_a_byte(method, runs):
    read, weights = [Run.of(run) for run in runs], WEIGHTS[: len(runs)]
    texts = {
        fuse([read[n] for n in order], method, weights=[weights[n] for n in order], depth=5).as_trec()
        for order in permutations(range(len(runs)))
    }
    assert len(texts) == 1


FILLED = st.lists(RUN.filter(lambda run: any(run.values())), min_size=1, max_size=4)


@pytest.mark.parametrize("method", ["rrf", "linear"])
@few
@given(runs=FILLED, shuffle=st.randoms(use_true_random=False))
def test_no_order_of_lines_in_the_files_changes_a_byte_and_what_is_written_reads_back(
    method, runs, shuffle, tmp_path_factory
):
    folder, weights = tmp_path_factory.mktemp("fused"), [1.0] * len(runs)
    one = fuse(files(runs, folder), method, weights=weights)
    other = fuse(files(runs, folder, shuffle), method, weights=weights)
    one.write(folder / "fused.run")
    assert (folder / "fused.run").read_bytes() == other.as_trec()
    back = read_run(folder / "fused.run")
    assert [list(rows.items()) for rows in back.to_dict().values()] == [
        list(rows.items()) for rows in one.to_dict().values()
    ]


@pytest.mark.parametrize("method", ["rrf", "linear"])
@few
@given(runs=RUNS, size=st.integers(1, 30))
def test_blocks_of_any_size_give_the_same(method, runs, size):
    read, weights = [Run.of(run) for run in runs], [1.0] * len(runs)
    whole = fuse(read, method, weights=weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "BLOCK", size)
        patch.setattr(runs_module, "_PIECE", size)
        assert fuse(read, method, weights=weights).as_trec() == whole.as_trec()
        blocks = list(union.pooled(read, None))
        assert sum(len(block.documents) for block in blocks) == len(whole)
    assert [topic for block in blocks for topic in block.topics] == list(whole.topics)


def test_a_topic_that_no_run_found_anything_for_stays_a_topic():
    assert rrf([{"t": [], "u": ["a"]}, {"v": []}]).to_dict() == {"t": {}, "u": {"a": 1 / 61}, "v": {}}
    assert rrf([Run.of({})]).to_dict() == {}


def test_runs_are_read_one_after_the_other_and_only_to_their_depth(monkeypatch):
    cut = []
    whole = Run.first
    monkeypatch.setattr(Run, "first", lambda run, depth: cut.append(run.name) or whole(run, depth))
    seen = []

    def one_by_one():
        for name in ("one", "two"):
            yield Run.of({"t": list("abc")}, name)
            seen.append((name, list(cut)))

    assert list(rrf(one_by_one(), depth=2).to_dict()["t"]) == ["a", "b"]
    assert seen == [("one", ["one"]), ("two", ["one", "two"])]  # each is cut before the next one is asked for


@pytest.mark.parametrize(("k", "n_documents"), [(1e16, 6), (2.0**53, 4), (1e17, 2)])
def test_a_k_with_which_any_two_ranks_tie_is_refused(k, n_documents):
    # 1e16 + 4 and 1e16 + 5 are one number, 1e16 + 6 is another: it is not the last two ranks that tie.
    assert len({1 / (k + rank) for rank in range(1, n_documents + 1)}) < n_documents
    with pytest.raises(UsageError, match=f"so large that ranks of {n_documents} documents tie"):
        rrf([{"t": [str(number) for number in range(n_documents)]}], k=k)
    assert len(rrf([{"t": ["only"]}], k=k)) == 1


# Documents side by side -----------------------------------------------------------------------------------------------


def test_documents_stand_side_by_side_in_the_order_of_their_bytes():
    runs = [Run.of({"t": ["b", "a", "é"], "u": ["x"]}), Run.of({"s": ["x"], "t": {"é": 2.0, "c": 9.0, "b": 1.0}})]
    (block,) = union.pooled(runs, None)
    assert (block.topics, block.starts.tolist()) == (("s", "t", "u"), [0, 1, 5, 6])
    assert list(block.documents) == [b"x", b"a", b"b", b"c", "é".encode(), b"x"]
    assert_array_equal(block.ranks, [[nan, 1], [2, nan], [1, 3], [nan, 1], [3, 2], [1, nan]])
    assert_array_equal(block.scores, [[nan, 1], [2, nan], [3, 1], [nan, 9], [1, 2], [1, nan]])
    assert block.topic_of.tolist() == [0, 1, 1, 1, 1, 2]
    assert block.lengths.tolist() == [[0, 1], [3, 3], [1, 0]]
    (cut,) = union.pooled(runs, 2)
    assert list(cut.documents) == [b"x", b"a", b"b", b"c", "é".encode(), b"x"]
    assert cut.lengths.tolist() == [[0, 1], [2, 2], [1, 0]]  # é is second in the second run, and third in the first
    assert_array_equal(cut.ranks[4], [nan, 2])


def test_some_documents_of_a_block_leave_out_topics_that_have_none_of_them():
    (block,) = union.pooled([Run.of({"s": ["x"], "t": ["b", "a"], "u": ["y", "z"]})], None)
    kept = block.only(np.array([False, True, False, True, True]))
    assert (kept.topics, kept.starts.tolist(), list(kept.documents)) == (("t", "u"), [0, 1, 3], [b"a", b"y", b"z"])
    assert kept.ranks.tolist() == [[2], [1], [2]]


def a_block(topics, documents):
    """A block of one document a topic, found by one run."""
    ones = np.ones((len(documents), 1))
    return UnionOfRuns(topics, np.arange(len(topics) + 1), Ids.of(documents), ones, ones)


@pytest.mark.parametrize("score", [nan, inf, -inf])
def test_a_score_that_is_not_finite_is_refused_with_its_document(score):
    block = a_block(("t", "u"), [b"a", b"b"])
    with pytest.raises(DataError, match="the fused score of document 'b' in topic 'u' is not finite"):
        fused([block], lambda _: np.array([1.0, score]), None, "r")


def test_equal_scores_are_ranked_by_id_falling_and_cut_at_the_depth():
    documents = Ids.of([b"a", b"b", b"c", b"d", b"z"])
    block = UnionOfRuns(("t", "u"), np.array([0, 4, 5]), documents, np.ones((5, 1)), np.ones((5, 1)))
    run = fused([block], lambda _: np.array([1.0, 2.0, 1.0, 1.0, -0.0]), 3, "tag")
    assert run.to_dict() == {"t": {"b": 2.0, "d": 1.0, "c": 1.0}, "u": {"z": 0.0}}
    assert list(run.to_dict()["t"]) == ["b", "d", "c"]
    assert (run.tag, run.name) == ("tag", "tag")


# Sums -----------------------------------------------------------------------------------------------------------------

NUMBER = st.floats(-1e300, 1e300) | st.sampled_from([0.1, 0.2, 0.3, 1e16, -1e16, 1.0, 0.0, -0.0, nan])
ROWS = st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(NUMBER, min_size=n, max_size=n), min_size=1, max_size=8))


@given(ROWS, st.randoms(use_true_random=False))
def test_a_sum_does_not_show_the_order_of_the_columns(rows, shuffle):
    matrix = np.array(rows)
    order = list(range(matrix.shape[1]))
    shuffle.shuffle(order)
    before = matrix.tobytes()
    assert ordered_sum(matrix[:, order]).tobytes() == ordered_sum(matrix).tobytes()
    assert ordered_sum(np.asfortranarray(matrix)).tobytes() == ordered_sum(matrix).tobytes()
    assert matrix.tobytes() == before


def test_numbers_of_all_sizes_have_one_sum_in_all_720_orders():
    rows = list(permutations([1e32, 1e16, 1.0, -1e32, -1e16, 0.1]))
    assert len({total.tobytes() for total in ordered_sum(np.array(rows))}) == 1


@pytest.mark.parametrize("n_columns", [1, 2, 3, 10])
def test_sums_are_those_of_fsum(n_columns):
    rng = np.random.default_rng(n_columns)
    matrix = rng.normal(size=(3000, n_columns)) * 10.0 ** rng.integers(-8, 8, (3000, n_columns))
    matrix[rng.random(matrix.shape) < 0.3] = nan
    matrix[:, 0] = 1.0
    wanted = [fsum(value for value in row if value == value) for row in matrix.tolist()]
    assert ordered_sum(matrix) == pytest.approx(wanted, rel=3e-16, abs=0)


def test_what_additions_round_off_is_not_lost():
    assert ordered_sum(np.array([[0.3, 0.1, 0.2], [1e16, 1.0, -1e16]])).tolist() == [0.6, 1.0]


def test_a_sum_past_the_largest_number_is_not_finite_and_warns_of_nothing():
    assert not np.isfinite(ordered_sum(np.array([[1.7e308, 1.7e308], [-1.7e308, -1.7e308]]))).any()
    assert not np.isfinite(ordered_sum(np.array([[1.7e308, nan, 1.7e308]]))).any()


def test_zeros_keep_their_sign_where_nothing_is_added_to_them():
    assert ordered_sum(np.array([[-0.0, nan], [-0.0, -0.0], [-0.0, 0.0]])).tolist() == [0.0, 0.0, 0.0]
    signs = np.signbit(ordered_sum(np.array([[-0.0, nan], [-0.0, -0.0], [-0.0, 0.0]])))
    assert signs.tolist() == [True, True, False]


# Parts of a run -------------------------------------------------------------------------------------------------------


@given(RUN, st.integers(1, 10), st.sets(st.sampled_from([*TOPICS, "other"])))
def test_the_first_documents_and_some_topics_of_a_run_are_those_of_its_dict(run, depth, topics):
    whole = Run.of(run, "name")
    plain = whole.to_dict()
    first, some = whole.first(depth), whole.of_topics(topics)
    assert first.to_dict() == {topic: dict(list(rows.items())[:depth]) for topic, rows in plain.items()}
    assert [list(rows) for rows in first.to_dict().values()] == [list(rows)[:depth] for rows in plain.values()]
    assert some.to_dict() == {topic: rows for topic, rows in plain.items() if topic in topics}
    assert {(part.tag, part.name) for part in (first, some)} == {(whole.tag, "name")}


@given(RUNS, st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0, 1, 2.5, -3.0])))
def test_a_prior_lists_what_has_a_weight_of_what_was_found(runs, weights):
    found = prior_run([Run.of(run) for run in runs], weights)
    wanted = {}
    for run in runs:
        for topic, rows in run.items():
            if set(rows) & set(weights):
                wanted.setdefault(topic, {}).update({d: weights[d] for d in rows if d in weights})
    assert found.to_dict() == wanted
    assert [list(rows) for rows in found.to_dict().values()] == [ranked(wanted, topic) for topic in found.topics]


@given(RUN, RUN, st.sampled_from([-inf, -1.0, 0.0, 1.0, 1.5, inf]))
def test_a_topic_stays_where_its_best_score_in_the_evidence_reaches_the_floor(run, evidence, floor):
    kept = abstain(Run.of(run), Run.of(evidence), floor).to_dict()
    enough = {topic for topic, rows in evidence.items() if rows and max(rows.values()) >= floor}
    assert kept == {topic: rows for topic, rows in run.items() if topic in enough}


def test_min_max_of_many_runs_is_what_its_formula_says():
    rng = random.Random(1)
    runs = [{"t": {str(d): rng.random() for d in rng.sample(range(60), 40)}} for _ in range(3)]
    weights = [0.5, 0.25, 1.0]
    found = linear(runs, weights=weights, depth=30).to_dict()["t"]
    wanted = {}
    for run, weight in zip(runs, weights, strict=True):
        first = ranked(run, "t", 30)
        high, low = run["t"][first[0]], run["t"][first[-1]]
        for document in first:
            share = weight * (run["t"][document] - low) / (high - low)
            wanted[document] = wanted.get(document, 0.0) + share
    best = sorted(wanted, key=lambda document: wanted[document], reverse=True)[:30]
    assert found == pytest.approx({document: wanted[document] for document in best}, rel=1e-12)
