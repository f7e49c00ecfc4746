"""A run of which no document is judged: what may have gone wrong."""

import os
from bisect import bisect_left
from pathlib import Path

from irkit.kinds import AnyJudgments
from irkit.runs import Run, RunSource
from irkit.textio import BYTE_ORDER_MARK, reading, shown

STRANGERS = "no retrieved document is judged"


def read_already(run: RunSource) -> bool:
    """Whether the run came through a pipe, which is empty by now."""
    return isinstance(run, str | os.PathLike) and not Path(run).is_file()


def beginning(run: RunSource, name: str | None) -> Run:
    """The run; of a file only the first lines, which are enough for an example."""
    if not isinstance(run, str | os.PathLike):
        return Run.of(run, name)
    with reading(run) as stream:
        start = stream.read(1 << 20).removeprefix(BYTE_ORDER_MARK)
        lines = start if len(start) < 1 << 20 else start[: start.rfind(b"\n") + 1] or start + stream.read()
    return Run.from_bytes(lines, shown(run))


def none_judged(run: Run, judgments: AnyJudgments, part: bool) -> tuple[str, ...]:
    """The note that the documents of run and judgments, which have topics in common, are strangers to each other.

    `part` says that the run goes on.
    """
    note = f"{STRANGERS}: are the document ids alike?"
    pools = {topic: sorted(documents) for topic, documents in judgments.pools().items()}
    pairs = [(topic, found, pools[topic]) for topic, found, _ in run.by_topic() if found and pools.get(topic)]
    if not pairs:
        return (note,) if part else ()
    topic, found, pool = pairs[0]
    note = f"{note} In topic {topic!r} the run has {found[0]!r}, the qrels have {pool[0]!r}"
    for _, found, pool in pairs:
        for document in found:
            place = bisect_left(pool, document)
            if place < len(pool) and pool[place].startswith(document):
                return (f"{note}. Ids may be cut off: {document!r} is the beginning of {pool[place]!r}",)
    return (note,)
