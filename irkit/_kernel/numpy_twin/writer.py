"""Format a ranked run as the lines of a file."""

from itertools import pairwise

import numpy as np

from irkit._kernel.columns import RunColumns
from irkit.ids import Ids


def first_unfit(ids: Ids) -> int:
    """Return the place of the first id that is empty or holds white space or NUL; -1 without such an id."""
    signs = np.frombuffer(ids.data, dtype=np.uint8)
    unfit = np.flatnonzero((signs == ord(" ")) | (signs - np.uint8(ord("\t")) <= 4) | (signs == 0))
    # The id that holds a sign is the last one that starts at or before it.
    holders = np.searchsorted(ids.offsets, unfit[:1], side="right") - 1
    empty = np.flatnonzero(np.diff(ids.offsets) == 0)
    return int(min([*holders, *empty[:1]], default=-1))


def format_run(run: RunColumns) -> bytes:
    """Format a ranked run as lines `topic Q0 document rank score tag`.

    Ranks count from 1; scores have the fewest digits that read back equal.

    Parameters
    ----------
    run : RunColumns
        Its ids and tag can be fields of a line.
    """
    texts: list[bytes] = []
    for topic, (low, high) in zip(run.topics, pairwise(run.starts.tolist()), strict=True):
        rows = zip(run.documents[low:high], run.scores[low:high].tolist(), strict=True)
        texts.append(
            b"".join(
                b"%s Q0 %s %d %s %s\n" % (topic, document, rank, repr(score).encode(), run.tag)
                for rank, (document, score) in enumerate(rows, 1)
            )
        )
    return b"".join(texts)
