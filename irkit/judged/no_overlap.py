"""Diagnose unjudged documents of a run: look-alike ids, ids of passages, truncated ids."""

import os
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.from_tables import is_table
from irkit.data.look_alikes import difference, look_alikes
from irkit.data.qrels import Qrels
from irkit.data.runs import Run, RunSource
from irkit.files.textio import BYTE_ORDER_MARK, reading, shown
from irkit.judged.kinds import AnyJudgments

NOTHING_JUDGED = "no retrieved document is judged"
# What may part document and passage; only the first is looked for where other documents of the run are judged.
SEPARATORS: Final = ("#", "_", "-", ":", ".", "/", "|", "@", "%")
PASSAGES: Final = b"#"  # the usual one, in a file
_LOOKED_AT: Final = 1 << 20  # bytes of a run's beginning, which are enough for an example
_FEW: Final = 1 << 17  # bytes, where other documents are judged, so that scoring takes no longer
_DOCUMENTS_LOOKED_AT: Final = 20_000  # of a run in memory

Pairs = Sequence[tuple[str, Collection[str], Collection[str]]]  # topic, documents retrieved, documents judged


class Diagnosis(NamedTuple):
    """A likely fault of document ids: the code of `irkit.check`, and a sentence without its full stop."""

    code: Literal["look-alike-id", "passage-id", "truncated-id"]
    text: str


def read_already(run: RunSource) -> bool:
    """Whether the run came through a pipe, which cannot be read again."""
    return isinstance(run, str | os.PathLike) and not Path(run).is_file()


class RunSample(NamedTuple):
    """The first part of a run, and whether more of it follows."""

    run: Run
    part: bool


def _beginning(run: RunSource, name: str | None, topics: Collection[str], most: int) -> RunSample:
    """The first `most` bytes of a file, the first documents of judged topics of a run in memory."""
    if isinstance(run, str | os.PathLike):
        data, part = _first_lines(run, most)
        return RunSample(Run.from_bytes(data, shown(run)), part)
    if type(run) is dict and not is_table(run):
        run = dict(_first_topics(run, topics))
    whole = Run.of(run, name)
    judged = set(topics)
    kept, n_documents = [], 0
    for topic, n in zip(whole.topics, np.diff(whole.starts).tolist(), strict=True):
        if topic in judged and n_documents < _DOCUMENTS_LOOKED_AT:
            kept.append(topic)
            n_documents += n
    looked_at = whole.of_topics(kept).first(_DOCUMENTS_LOOKED_AT)
    return RunSample(looked_at, n_documents >= _DOCUMENTS_LOOKED_AT)


def _first_topics(run: Mapping[str, Any], topics: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield the topics that a dict has, until there are enough documents."""
    n_documents = 0
    for topic in topics:
        if topic in run and n_documents < _DOCUMENTS_LOOKED_AT:
            yield topic, run[topic]
            n_documents += len(run[topic])


def _first_lines(run: str | os.PathLike[str], most: int) -> tuple[bytes, bool]:
    with reading(run) as stream:
        start = stream.read(most)
        part = len(start) == most
        lines = start[: start.rfind(b"\n") + 1] or start + stream.read() if part else start
        return lines.removeprefix(BYTE_ORDER_MARK), part


def none_judged(
    run: RunSource, name: str | None, judgments: AnyJudgments, collapsed: tuple[str, str] | None = None
) -> tuple[str, ...]:
    """Note that a run and its judgments share topics but no documents.

    `collapsed` holds the separator that ended the ids of documents, and at which place: `first` or `last`.
    """
    note = f"{NOTHING_JUDGED}: are the document ids alike?"
    looked_at, part = _beginning(run, name, judgments.topics, _LOOKED_AT)
    pairs = _pairs(looked_at, judgments)
    if not pairs:
        return (note,) if part else ()
    if collapsed is not None and (other := _other_place(pairs, *collapsed)):
        return (f"{note} {other}",)
    if known := [clue.text for clue in clues(pairs, part=part)]:
        return (f"{note} {'. '.join(known)}",)
    topic, found, pool = pairs[0]
    return (f"{note} In topic {topic!r} the run has {next(iter(found))!r}, the qrels have {min(pool)!r}",)


def some_unjudged(run: RunSource, name: str | None, judgments: AnyJudgments) -> tuple[str, ...]:
    """Notes on unjudged documents that look like judged documents or their passages, in a partly judged run.

    Looked at is the beginning of the run, and only where an id is not ASCII or holds the usual separator of passages.
    """
    qrels = judgments if isinstance(judgments, Qrels) else getattr(judgments, "places", None)
    if not isinstance(qrels, Qrels):  # preferences and judgment groups
        return ()
    plain = qrels.documents.data.isascii()
    looked_at, part = _beginning(run, name, qrels.topics, _FEW)
    data = looked_at.documents.data
    if plain and data.isascii() and PASSAGES not in data:
        return ()
    pairs = _pairs(looked_at, qrels.of_topics(looked_at.topics))
    pairs = pairs[:-1] if part and len(pairs) > 1 else pairs  # the last topic may go on
    return tuple(clue.text for clue in clues_beside_judged(pairs, part=part))


def _pairs(run: Run, judgments: AnyJudgments) -> Pairs:
    pools = judgments.pools()
    return [(topic, found, pool) for topic, found, _ in run.by_topic() if found and (pool := pools.get(topic))]


def clues_beside_judged(pairs: Pairs, *, part: bool = False) -> Iterator[Diagnosis]:
    """As `clues`, for a partly judged run: only faults that are unlikely to be accidental."""
    return _clues(pairs, SEPARATORS[:1], part, ascii_too=False, cut=False)


def clues(pairs: Pairs, *, part: bool = False) -> Iterator[Diagnosis]:
    """Diagnose the document ids of a run without judged documents."""
    return _clues(pairs, SEPARATORS, part, ascii_too=True, cut=True)


def _clues(pairs: Pairs, separators: Sequence[str], part: bool, *, ascii_too: bool, cut: bool) -> Iterator[Diagnosis]:
    """Yield clues; `ascii_too` adds ids that differ in case only, `cut` adds ids that are prefixes of judged ids."""
    total = sum(len(found) for _, found, _ in pairs)
    of_all = f"{'the first ' if part else ''}{counted(total, 'document')}"
    alike = [
        (topic, one, other)
        for topic, found, pool in pairs
        for one, other in look_alikes(found if ascii_too else _could_look_alike(found, pool), pool)
        if ascii_too or not (one.isascii() and other.isascii())
    ]
    if alike:
        topic, one, other = alike[0]
        apart = difference(one, other, "the run", "the qrels")
        looks = "looks like a judged one and differs in its bytes"
        if len(alike) > 1:
            looks = "look like judged ones and differ in their bytes"
        those = f"{len(alike)} of {of_all}" if part else counted(len(alike), "document")
        yield Diagnosis(
            "look-alike-id",
            f"{those} {looks}: {one!r} and {other!r} in topic {topic!r}. "
            f"{apart[0].upper()}{apart[1:]}. Ids are compared as bytes: write both files alike",
        )
    if passages := _passages(pairs, separators, total, of_all):
        yield passages
    if cut and not alike and (continued := _continued(pairs, f" among {of_all}" if part else "")):
        yield continued


def _could_look_alike(found: Collection[str], pool: Collection[str]) -> Collection[str]:
    """Documents that could look like a judged one for more than their case: all, or those with non-ASCII ids.

    Judged ones stay, since they look like no other.
    """
    if not all(map(str.isascii, pool)):
        return found
    return [document for document in found if not document.isascii() or document in pool]


def _other_place(pairs: Pairs, separator: str, at: str) -> str:
    """Hint at the other separator, if it would give ids of judged documents; else empty."""
    for _, found, pool in pairs:
        ordered = sorted(pool) if at == "first" else []
        for document in found:
            if at == "first":
                place = bisect_left(ordered, document + separator)
                whole = ordered[place] if place < len(ordered) else ""
                if whole.startswith(document + separator):
                    return (
                        f"Collapsing left {document!r}, and {whole!r} is judged, so that {separator!r} is a part of "
                        f"documents' ids: {option(collapse_at='last')}"
                    )
            elif separator in document and (whole := document.partition(separator)[0]) in pool:
                return f"Collapsing left {document!r}, and {whole!r} is judged: {option(collapse_at='first')}"
    return ""


def _passages(pairs: Pairs, separators: Iterable[str], total: int, of_all: str) -> Diagnosis | None:
    """Diagnose ids of passages: the separator that would match most unjudged documents to judged ones."""
    best: tuple[int, str, str, str, str] | None = None
    unjudged = [(document, pool) for _, found, pool in pairs for document in found if document not in pool]
    every = "\n".join(document for document, _ in unjudged)
    for separator in separators:
        if separator not in every:
            continue
        held = any(separator in document for _, _, pool in pairs for document in pool)
        for at, split in (("first", str.partition), ("last", str.rpartition)):
            if at == "first" and held:  # then it is a part of the documents' own ids
                continue
            of = [
                (document, before)
                for document, pool in unjudged
                if separator in document and (before := split(document, separator)[0]) in pool
            ]
            if of and (best is None or len(of) > best[0]):
                best = (len(of), separator, at, *of[0])
    if best is None:
        return None
    n, separator, at, passage, document = best
    wanted = {"collapse": separator}
    if at == "last" and _several(pairs, separator):
        wanted["collapse_at"] = "last"
    return Diagnosis(
        "passage-id",
        f"{n} of {of_all} ({_share(n, total)}) would be judged if {separator!r} parted document and "
        f"passage, such as {passage!r} of {document!r}: {option(**wanted) or 'cut the ids there'}",
    )


def _share(n: int, total: int) -> str:
    """A share that is not shown as 0% or 100% where it is neither."""
    return f"{n / total:.0%}" if n == total or 0.01 <= n / total < 0.995 else f"{n / total:.2%}"


def _several(pairs: Pairs, separator: str) -> bool:
    return any(document.count(separator) > 1 for _, found, _ in pairs for document in found)


def _continued(pairs: Pairs, among: str) -> Diagnosis | None:
    """Diagnose ids that are prefixes of judged ids."""
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
    more = f", and so are {len(cut) - 1} more of judged ones{among}" if len(cut) > 1 else ""
    return Diagnosis("truncated-id", f"Ids may be cut off: {document!r} is the beginning of {whole!r}{more}")
