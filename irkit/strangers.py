"""Why documents of a run are not judged: ids that look alike, ids of passages, ids that are cut off."""

import os
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple

from irkit.kinds import AnyJudgments
from irkit.look_alikes import difference, look_alikes
from irkit.qrels import Qrels
from irkit.runs import Run, RunSource
from irkit.spelling import counted
from irkit.tables import is_table
from irkit.textio import BYTE_ORDER_MARK, reading, shown

STRANGERS = "no retrieved document is judged"
# What may part document and passage; only the first is looked for where other documents of the run are judged.
SEPARATORS: Final = ("#", "_", "-", ":", ".", "/", "|", "@", "%")
PASSAGES: Final = b"#"  # the usual one, in a file
_LOOKED_AT: Final = 1 << 20  # bytes of a run's beginning, which are enough for an example
_FEW: Final = 1 << 17  # bytes, where other documents are judged, so that scoring takes no longer
_TOPICS_LOOKED_AT: Final = 50  # of a dict

Pairs = Sequence[tuple[str, Collection[str], Collection[str]]]  # topic, documents retrieved, documents judged


class Clue(NamedTuple):
    """What may be wrong with document ids: a sentence without its end, and the code that `irkit.check` has for it."""

    code: Literal["look-alike-id", "passage-id", "truncated-id"]
    text: str


def read_already(run: RunSource) -> bool:
    """Whether the run came through a pipe, which is empty by now."""
    return isinstance(run, str | os.PathLike) and not Path(run).is_file()


def beginning(run: RunSource, name: str | None) -> Run:
    """The run; of a file only the first lines, which are enough for an example."""
    if not isinstance(run, str | os.PathLike):
        return Run.of(run, name)
    return Run.from_bytes(_first_lines(run), shown(run))


def _first_lines(run: str | os.PathLike[str], most: int = _LOOKED_AT) -> bytes:
    with reading(run) as stream:
        start = stream.read(most)
        lines = start if len(start) < most else start[: start.rfind(b"\n") + 1] or start + stream.read()
        return lines.removeprefix(BYTE_ORDER_MARK)


def none_judged(run: Run, judgments: AnyJudgments, part: bool) -> tuple[str, ...]:
    """The note that the documents of run and judgments, which have topics in common, are strangers to each other.

    `part` says that the run goes on.
    """
    note = f"{STRANGERS}: are the document ids alike?"
    pairs = _pairs(run, judgments)
    if not pairs:
        return (note,) if part else ()
    if known := [clue.text for clue in clues(pairs)]:
        return (f"{note} {'. '.join(known)}",)
    topic, found, pool = pairs[0]
    return (f"{note} In topic {topic!r} the run has {next(iter(found))!r}, the qrels have {min(pool)!r}",)


def some_unjudged(run: RunSource, name: str | None, judgments: AnyJudgments) -> tuple[str, ...]:
    """Notes of documents of a run, of which others are judged, that look like judged ones or like their passages.

    Looked at is the beginning of the run, and only where an id is not ASCII or holds the usual separator of passages.
    """
    qrels = judgments if isinstance(judgments, Qrels) else getattr(judgments, "places", None)
    if not isinstance(qrels, Qrels):  # preferences and judgment groups
        return ()
    plain = qrels.documents.data.isascii()
    if isinstance(run, str | os.PathLike):
        data = _first_lines(run, _FEW)
        if plain and data.isascii() and PASSAGES not in data:
            return ()
        part = len(data) > _FEW // 2
        looked_at = Run.from_bytes(data, shown(run))
    else:
        if type(run) is dict and not is_table(run):
            run = dict(islice(run.items(), _TOPICS_LOOKED_AT))
        part, looked_at = False, Run.of(run, name)
        data = looked_at.documents.data
        if plain and data.isascii() and PASSAGES not in data:
            return ()
    pairs = _pairs(looked_at, qrels.of_topics(looked_at.topics))
    pairs = pairs[:-1] if part and len(pairs) > 1 else pairs  # the last topic may go on
    return tuple(clue.text for clue in clues_beside_judged(pairs))


def _pairs(run: Run, judgments: AnyJudgments) -> Pairs:
    pools = judgments.pools()
    return [(topic, found, pool) for topic, found, _ in run.by_topic() if found and (pool := pools.get(topic))]


def clues_beside_judged(pairs: Pairs) -> Iterator[Clue]:
    """As `clues`, where other documents of the run are judged: only what is no accident."""
    return _clues(pairs, SEPARATORS[:1], ascii_too=False, cut=False)


def clues(pairs: Pairs) -> Iterator[Clue]:
    """What may be wrong with the ids of documents, of which none is judged.

    Parameters
    ----------
    pairs : sequence of topic, documents retrieved, documents judged
    """
    return _clues(pairs, SEPARATORS, ascii_too=True, cut=True)


def _clues(pairs: Pairs, separators: Sequence[str], *, ascii_too: bool, cut: bool) -> Iterator[Clue]:
    """Clues; with `ascii_too` of ids that differ in capitals alone, with `cut` of ids that begin judged ones."""
    alike = [
        (topic, one, other)
        for topic, found, pool in pairs
        for one, other in look_alikes(found, pool)
        if ascii_too or not (one.isascii() and other.isascii())
    ]
    if alike:
        topic, one, other = alike[0]
        apart = difference(one, other, "the run", "the qrels")
        looks = "looks like a judged one and differs in its bytes"
        if len(alike) > 1:
            looks = "look like judged ones and differ in their bytes"
        yield Clue(
            "look-alike-id",
            f"{counted(len(alike), 'document')} {looks}: {one!r} and {other!r} in topic {topic!r}. "
            f"{apart[0].upper()}{apart[1:]}. Ids are compared as bytes: write both files alike",
        )
    if passages := _passages(pairs, separators):
        yield passages
    if cut and not alike and (continued := _continued(pairs)):
        yield continued


def _passages(pairs: Pairs, separators: Iterable[str]) -> Clue | None:
    """The separator by which most documents that are not judged would be passages of judged ones."""
    best: tuple[int, str, str, str, str] | None = None
    unjudged = [(document, pool) for _, found, pool in pairs for document in found if document not in pool]
    for separator in separators:
        held = any(separator in document for _, _, pool in pairs for document in pool)
        for at, split in (("first", str.partition), ("last", str.rpartition)):
            if at == "first" and held:  # then it is a part of the documents' own ids
                continue
            parted = [(document, split(document, separator)) for document, _ in unjudged]
            of = [
                (document, before)
                for (document, (before, found, _)), (_, pool) in zip(parted, unjudged, strict=True)
                if found and before in pool
            ]
            if of and (best is None or len(of) > best[0]):
                best = (len(of), separator, at, *of[0])
    if best is None:
        return None
    n, separator, at, passage, document = best
    total = sum(len(found) for _, found, _ in pairs)
    option = f"--collapse '{separator}'" + (
        " --collapse-at last" if at == "last" and _several(pairs, separator) else ""
    )
    return Clue(
        "passage-id",
        f"{n} of {counted(total, 'document')} ({n / total:.0%}) would be judged if {separator!r} parted document and "
        f"passage, such as {passage!r} of {document!r}: {option}",
    )


def _several(pairs: Pairs, separator: str) -> bool:
    return any(document.count(separator) > 1 for _, found, _ in pairs for document in found)


def _continued(pairs: Pairs) -> Clue | None:
    """That documents are the beginnings of judged ones."""
    cut: dict[str, str] = {}
    for _, found, pool in pairs:
        ordered = sorted(pool)
        for document in found:
            place = bisect_left(ordered, document)
            if document not in pool and place < len(ordered) and ordered[place].startswith(document):
                cut.setdefault(document, ordered[place])
    if not cut:
        return None
    document, whole = next(iter(cut.items()))
    more = f", and so are {len(cut) - 1} more of judged ones" if len(cut) > 1 else ""
    return Clue("truncated-id", f"Ids may be cut off: {document!r} is the beginning of {whole!r}{more}")
