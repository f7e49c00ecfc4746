"""Merge the documents of several runs, and rank documents by new scores."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import Merged, Reranked, RunColumns, most_rows
from irkit._kernel.numpy_twin.fields import PADDING, Fields, Places
from irkit._kernel.numpy_twin.order import in_bytes, packed, ranking
from irkit.ids import Ids


def merge(runs: Sequence[RunColumns], places: Places, depth: int | None) -> Merged:
    """Merge the documents of ranked runs for some topics: each document once, with its rank and score in each run.

    Parameters
    ----------
    runs : sequence of R RunColumns
        One at least.
    places : int64 array of shape (T, R)
        Where each topic stands in each run, -1 where it does not.
    depth : int, optional
        So many documents of a topic are taken from each run; all if not given.

    Returns
    -------
    Merged
    """
    n_topics, n_runs = places.shape
    topics, rows = zip(*(_rows(run, places[:, number], depth) for number, run in enumerate(runs)), strict=True)
    fields = _joined([run.documents for run in runs], rows)
    topic, number = np.concatenate(topics), np.repeat(np.arange(n_runs), list(map(len, rows)))
    order = in_bytes(topic, fields)
    topic = topic[order]
    new = ~fields.take(order).repeat()
    new[1:] |= topic[1:] != topic[:-1]
    cell = number[order], np.cumsum(new) - 1
    ranks, scores = np.full((2, n_runs, int(np.count_nonzero(new))), np.nan)
    firsts = [run.starts[places[kept, number]] for number, (run, kept) in enumerate(zip(runs, topics, strict=True))]
    ranks[cell] = (np.concatenate(rows) - np.concatenate(firsts) + 1)[order]
    scores[cell] = np.concatenate([run.scores[kept] for run, kept in zip(runs, rows, strict=True)])[order]
    starts = np.concatenate(([0], np.cumsum(np.bincount(topic[new], minlength=n_topics))))
    return Merged(starts, packed(fields, order[new]), ranks.T, scores.T)


def rerank(starts: Places, documents: Ids, scores: npt.NDArray[np.float64], depth: int | None) -> Reranked:
    """Rank documents by new scores, each topic in trec_eval's order and cut at a depth.

    Parameters
    ----------
    starts : int64 array of shape (T + 1,)
        Topic `t` holds the documents `starts[t]` up to `starts[t + 1]`, in any order, none of them twice.
    documents : Ids of N ids
    scores : float64 array of shape (N,)
        None of them is nan.
    depth : int, optional
        So many documents of a topic are kept; all if not given.

    Returns
    -------
    Reranked
    """
    lengths = np.diff(starts)
    fields = Fields.of(documents)
    order = ranking(np.repeat(np.arange(len(lengths)), lengths), fields, scores)
    order = order[np.arange(len(order)) - np.repeat(starts[:-1], lengths) < most_rows(depth)]
    lengths = np.minimum(lengths, most_rows(depth))
    return Reranked(np.concatenate(([0], np.cumsum(lengths))), packed(fields, order), scores[order])


def _rows(run: RunColumns, places: Places, depth: int | None) -> tuple[Places, Places]:
    """The rows that are taken from a run, and which of the topics each is of."""
    topics = np.flatnonzero(places >= 0)
    first, end = run.starts[places[topics]], run.starts[places[topics] + 1]
    lengths = np.minimum(end - first, most_rows(depth))
    before = np.cumsum(lengths) - lengths
    return np.repeat(topics, lengths), np.arange(lengths.sum()) + np.repeat(first - before, lengths)


def _joined(columns: Sequence[Ids], rows: Sequence[Places]) -> Fields:
    """Ids of these rows of each column, joined; only the needed part of the text is copied."""
    texts: list[bytes] = []
    starts: list[Places] = []
    sizes: list[Places] = []
    n_before = 0
    for ids, kept in zip(columns, rows, strict=True):
        low, high = ids.offsets[kept], ids.offsets[kept + 1]
        begin = int(low.min(initial=len(ids.data)))
        texts.append(ids.data[begin : int(high.max(initial=0))])
        starts.append(low - begin + n_before)
        sizes.append(high - low)
        n_before += len(texts[-1])
    return Fields(b"".join(texts) + PADDING, np.concatenate(starts), np.concatenate(sizes))
