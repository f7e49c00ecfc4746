"""Both kernels put runs together, and rank documents by new scores, as plain loops over dicts do."""

import importlib.util
from math import inf, nan

import numpy as np
import pytest
import reference_kernel
from hypothesis import example, given
from hypothesis import strategies as st
from kernels import KERNELS, load, plain

from irkit._kernel.columns import Merged, Reranked
from irkit.ids import Ids

# Ids that begin alike, differ in a NUL at the end, fill whole words of 8 bytes, or are longer than the twin's 64 bytes.
IDS = (b"", b"a", b"a\0", b"a\0\0", b"b", b"a" * 7, b"a" * 8, b"a" * 8 + b"\0", b"a" * 9, b"a" * 16, b"\xff", b"\x80")
LONG_IDS = (b"x" * 64, b"x" * 64 + b"\0", b"x" * 65, b"x" * 64 + b"y" * 20, b"x" * 64 + b"y" * 19 + b"z")
ARTICLES = {b"FT911-%d" % number: float(number % 7) for number in range(60)}
ID = st.one_of(st.sampled_from(IDS), st.sampled_from([b"%d" % number for number in range(20)]), st.binary(max_size=12))
ANY_ID = st.one_of(ID, st.sampled_from(LONG_IDS))
SCORE = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 2.5, inf, -inf]), st.floats(allow_nan=False))
TOPICS = st.sampled_from([b"1", b"10", b"2", b"q"])
RUN = st.dictionaries(TOPICS, st.dictionaries(ANY_ID, SCORE, max_size=8), max_size=4)
DEPTHS = st.one_of(st.none(), st.integers(1, 5), st.just(10**30))


@pytest.fixture(scope="session")
def kernels():
    """All that are built here."""
    found = importlib.util.find_spec("irkit._kernel._compiled")
    return [load(name) for name in KERNELS if name == "numpy" or found]


def best(rows, depth):
    """Documents with their scores, score falling, then document falling in bytes."""
    return sorted(rows.items(), key=lambda row: (row[1], row[0]), reverse=True)[:depth]


def plain_merge(runs, topics, depth) -> Merged:
    """`runs` are dicts of dicts; every document of a topic is looked for in each of them."""
    starts, documents, ranks, scores = [0], [], [], []
    for topic in topics:
        ranked = [best(run.get(topic, {}), depth) for run in runs]
        for document in sorted({document for rows in ranked for document, _ in rows}):
            documents.append(document)
            ranks.append([{d: rank for rank, (d, _) in enumerate(rows, 1)}.get(document, nan) for rows in ranked])
            scores.append([dict(rows).get(document, nan) for rows in ranked])
        starts.append(len(documents))
    shape = (len(documents), len(runs))
    matrices = (np.array(rows, dtype=np.float64).reshape(shape) for rows in (ranks, scores))
    return Merged(np.array(starts), Ids.of(documents), *matrices)


def places_of(columns, topics):
    return np.array(
        [[run.topics.index(topic) if topic in run.topics else -1 for run in columns] for topic in topics],
        dtype=np.int64,
    ).reshape(len(topics), len(columns))


def merged_by(one, runs, topics, depth):
    columns = [reference_kernel.rank(run, b"r") for run in runs]
    return one.merge(columns, places_of(columns, topics), depth)


def flat(merged):
    assert all(matrix.flags.f_contiguous for matrix in merged[2:])  # a run's column is in one piece
    shapes = [matrix.shape for matrix in merged[2:]]
    return plain(merged._replace(ranks=merged.ranks.T.ravel(), scores=merged.scores.T.ravel())), shapes


def flat_plain(merged):
    return flat(merged._replace(ranks=np.asfortranarray(merged.ranks), scores=np.asfortranarray(merged.scores)))


@given(st.lists(RUN, min_size=1, max_size=5), DEPTHS, st.randoms(use_true_random=False))
@example([{b"1": {b"a": 1.0}}, {}], None, None)
@example([{b"1": {}}], None, None)
@example([{b"1": dict.fromkeys(LONG_IDS, 1.0)}, {b"1": dict.fromkeys(IDS, 1.0)}], 3, None)
@example([{b"1": ARTICLES}, {b"1": dict(list(ARTICLES.items())[20:])}], 30, None)
def test_runs_are_put_together_as_plain_loops_do(kernels, runs, depth, random):
    topics = sorted({topic for run in runs for topic in run})
    if random is not None:  # a block has some of the topics
        topics = sorted(random.sample(topics, random.randint(0, len(topics))))
    wanted = flat_plain(plain_merge(runs, topics, depth))
    for one in kernels:
        assert flat(merged_by(one, runs, topics, depth)) == wanted


@given(RUN, st.integers(2, 5))
def test_a_run_that_comes_several_times_has_one_column_each_time(kernels, run, n_times):
    for one in kernels:
        once = merged_by(one, [run], sorted(run), None)
        often = merged_by(one, [run] * n_times, sorted(run), None)
        assert plain(often[:2]) == plain(once[:2])
        for column in range(n_times):
            assert plain(often.ranks[:, column]) == plain(once.ranks[:, 0])
            assert plain(often.scores[:, column]) == plain(once.scores[:, 0])


@given(st.lists(RUN, min_size=2, max_size=4), DEPTHS, st.randoms(use_true_random=False))
def test_another_order_of_the_runs_is_another_order_of_the_columns_and_nothing_else(kernels, runs, depth, random):
    topics = sorted({topic for run in runs for topic in run})
    order = random.sample(range(len(runs)), len(runs))
    for one in kernels:
        merged = merged_by(one, runs, topics, depth)
        other = merged_by(one, [runs[place] for place in order], topics, depth)
        moved = merged._replace(
            ranks=np.asfortranarray(merged.ranks[:, order]), scores=np.asfortranarray(merged.scores[:, order])
        )
        assert flat(other) == flat(moved)


def test_many_topics_of_thousands_of_documents(kernels):
    rng = np.random.default_rng(1)
    runs = []
    for _ in range(3):
        drawn = {b"%03d" % topic: rng.choice(4000, 1500, replace=False).tolist() for topic in range(12)}
        runs.append({topic: {b"%d" % d: float(d % 7) for d in documents} for topic, documents in drawn.items()})
    columns = [reference_kernel.rank(run, b"r") for run in runs]
    topics = columns[0].topics
    found = [flat(one.merge(columns, places_of(columns, topics), 1000)) for one in kernels]
    assert all(other == found[0] for other in found)
    (starts, (_, offsets), *_), shapes = found[0]
    documents = {topic: {d for run in columns for d in first(run, topic, 1000)} for topic in topics}
    assert np.diff(starts).tolist() == [len(documents[topic]) for topic in topics]
    assert shapes == [(len(offsets) - 1, 3)] * 2


def first(run, topic, depth):
    place = run.topics.index(topic)
    low, high = int(run.starts[place]), int(run.starts[place + 1])
    return run.documents[low : min(high, low + depth)]


# Documents with new scores --------------------------------------------------------------------------------------------


def plain_rerank(topics, depth) -> Reranked:
    ranked = [best(rows, depth) for rows in topics]
    rows = [row for one in ranked for row in one]
    starts = np.cumsum([0, *map(len, ranked)])
    return Reranked(starts, Ids.of(d for d, _ in rows), np.array([s for _, s in rows], dtype=np.float64))


def reranked_by(one, topics, depth):
    starts = np.cumsum([0, *map(len, topics)])
    documents = Ids.of(document for rows in topics for document in rows)
    scores = np.array([score for rows in topics for score in rows.values()], dtype=np.float64)
    return one.rerank(starts, documents, scores, depth)


@given(st.lists(st.dictionaries(ANY_ID, SCORE, max_size=12), max_size=5), DEPTHS)
@example([], None)
@example([{}, {b"a": 1.0, b"a\0": 1.0, b"b": 1.0}, {}], 2)
@example([dict.fromkeys((*IDS, *LONG_IDS), 0.5)], 15)
@example([{b"a": 0.0, b"b": -0.0, b"c": 0.0}], None)
def test_documents_are_ranked_by_new_scores_as_sorted_does(kernels, topics, depth):
    wanted = plain(plain_rerank(topics, depth))
    for one in kernels:
        assert plain(reranked_by(one, topics, depth)) == wanted


@pytest.mark.parametrize("depth", [1, 999, 1000, 1001, None])
def test_a_long_ranking_is_cut_where_ties_are(kernels, depth):
    topics = [{b"%d" % d: float(d % 5) for d in range(2000)}, {b"%d" % d: 1.0 for d in range(1000)}]
    wanted = plain(plain_rerank(topics, depth))
    for one in kernels:
        assert plain(reranked_by(one, topics, depth)) == wanted


def test_columns_that_do_not_fit_are_refused_before_they_are_followed():
    compiled = load("compiled")
    run = reference_kernel.rank({b"t": {b"a": 1.0, b"b": 2.0}}, b"r")
    for wrong in (run._replace(scores=run.scores[:1]), run._replace(starts=np.array([0, 9]))):
        with pytest.raises(ValueError, match="columns of one length"):
            compiled.merge([wrong], np.array([[0]]), None)
        with pytest.raises(ValueError, match="columns of one length"):
            compiled.rerank(wrong.starts, wrong.documents, wrong.scores, None)
    with pytest.raises(ValueError, match="no such place"):
        compiled.merge([run], np.array([[1]]), None)
    with pytest.raises(ValueError, match="a place for each topic and run"):
        compiled.merge([run, run], np.array([[0, 0, 0]]), None)
