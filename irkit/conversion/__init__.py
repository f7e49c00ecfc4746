"""Convert collections of other formats to TREC topics, qrels and documents for Pyserini."""

import os
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from irkit.conversion.collection import Judgment, TopicsPart
from irkit.conversion.converted import (
    DocumentsPart,
    convert_judgments,
    convert_topics,
    matched_judgments,
    read_judgments,
)
from irkit.conversion.detect import is_ready, topics_in
from irkit.conversion.layouts import LAYOUTS, Layout, find_files, shown_files
from irkit.conversion.renaming import Renaming, as_table
from irkit.conversion.report import ConversionReport, Note
from irkit.data.documents import write_documents
from irkit.data.qrels import Qrels
from irkit.data.topic_matching import MatchTopics
from irkit.data.topics import Topics
from irkit.errors import DataError, UsageError
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN, shown, write_bytes

__all__ = ["LAYOUTS", "NAME_RULE", "ConversionReport", "Layout", "Note", "convert", "fits_file_names", "is_ready"]

NAME_RULE = "take letters, digits, '.', '_' and '-', 100 at most and not dots alone"

PathLike = str | os.PathLike[str]


def convert(
    source: PathLike | None,
    out: PathLike,
    *,
    name: str | None = None,
    format: str | None = None,
    split: str | None = None,
    documents: PathLike | None = None,
    topics: PathLike | None = None,
    qrels: PathLike | None = None,
    query_field: str | None = None,
    match_topics: MatchTopics | None = None,
    need_judgments: bool = False,
) -> ConversionReport:
    """Convert a collection to TREC topics, qrels and documents for Pyserini.

    Everything is read and checked before anything is written. Written are `topics/topics.NAME.txt` (TREC SGML),
    `qrels/qrels.NAME.txt`, `documents/documents.NAME.jsonl`, and `documents/ids.NAME.tsv` where ids had to change. The
    same collection gives the same bytes; files that hold them already are left alone.

    Parameters
    ----------
    source : path or None
        The folder of the collection; None where its files are named one by one.
    out : path
        The folder to write in; it is made.
    name : str, optional
        What to call the collection in file names; the folder's name by default.
    format : str, optional
        One of `LAYOUTS`; by default the first one that fits.
    split : str, optional
        Which of several topics or qrels files; `test` by default.
    documents, topics, qrels : path, optional
        Files that are these parts, whatever they are called.
    query_field : str, optional
        The field of a topic that is its query.
    match_topics : {"look", "zeros", "number"}, optional
        Judgments are of the topic whose id is the same by this rule, as of `irkit.evaluate`.
    need_judgments : bool
        Refuse a collection without judgments, which otherwise gives documents and topics.

    Raises
    ------
    FormatError
        Where a file is broken, ids are repeated, or a document is judged twice with different grades.
    DataError
        If no layout fits, no judgment is of a topic that there is, or judgments are needed and there are none.
    UsageError
        If the format or folder does not exist, no name is given, or a file is a pipe, which can be read once only.
    """
    paths = {
        role: Path(path) for role, path in (("documents", documents), ("topics", topics), ("qrels", qrels)) if path
    }
    notes: list[Note] = []
    layout = LAYOUTS["by-name"]
    if source is not None:
        layout, found, notes = find_files(Path(source), format, split, frozenset(paths))
        paths = found | paths
    elif format or split:
        raise UsageError("a format or split chooses files in a folder; without one, name the files only")
    for path in paths.values():
        _refuse_pipe(path)
    if not paths:
        raise UsageError("nothing to convert; name a folder, or documents, topics or qrels")
    called = _checked_name(name, source)

    document_ids, topic_ids = Renaming("document", "D"), Renaming("topic", "Q")
    document_part = DocumentsPart(paths["documents"], document_ids, notes) if "documents" in paths else None
    topic_part = topics_in(paths["topics"], judged_elsewhere="qrels" in paths) if "topics" in paths else None
    kept = convert_topics(topic_part, paths["topics"], query_field, topic_ids, notes) if topic_part else None
    judged = _judged(
        paths, topic_part, topic_ids if kept else None, document_ids if document_part else None, notes, match_topics
    )
    if judged is None and need_judgments:
        there = f"there is {shown_files(Path(source))}" if source is not None else "name a file of them"
        raise DataError(
            f"{source or paths['topics']}: no judgments were found; {there}. They stand in a file called "
            "judgments or qrels, as relevant_ids or judgments of the topics, or in any file named (qrels = FILE in an "
            "experiment)"
        )
    if judged is None:
        notes.append(Note("no judgments, and so no qrels"))
    if kept and judged is not None:
        kept = _note_unjudged(kept, judged, layout.judged_only, notes)
    for renaming in (document_ids, topic_ids):
        if renaming.changed:
            pairs = (f"{old or 'none'} -> {new}" for new, old in renaming.changed)
            notes.append(Note.of(f"{renaming.kind} ids changed, listed in ids.{called}.tsv", pairs))

    places = converted_files(Path(out), called)
    writers: dict[Path, Callable[[Path], object]] = {}
    if document_part:
        writers[places.documents] = lambda path: write_documents(path, document_part)
    if kept:
        writers[places.topics] = kept.write
    if judged is not None:
        writers[places.qrels] = judged.write
    if document_ids.changed or topic_ids.changed:
        table = as_table([document_ids, topic_ids])
        writers[places.ids] = lambda path: write_bytes(path, table)
    written = tuple(writers)
    check_apart(paths.values(), implied=written)
    changed = tuple(path for path, write in writers.items() if _changes(path, write))
    return ConversionReport(
        called,
        layout.name,
        tuple(str(paths[role]) for role in ("documents", "topics", "qrels") if role in paths),
        written,
        len(document_part.ids) if document_part else 0,
        len(kept) if kept else 0,
        0 if judged is None else len(judged),
        tuple(notes),
        changed,
    )


class ConvertedFiles(NamedTuple):
    """Files of a converted collection; `ids` exists only if ids were changed."""

    documents: Path
    topics: Path
    qrels: Path
    ids: Path


def converted_files(folder: Path, name: str) -> ConvertedFiles:
    """Paths of the files of a converted collection, by its name and output folder."""
    return ConvertedFiles(
        folder / "documents" / f"documents.{name}.jsonl",
        folder / "topics" / f"topics.{name}.txt",
        folder / "qrels" / f"qrels.{name}.txt",
        folder / "documents" / f"ids.{name}.tsv",
    )


def _changes(path: Path, write: Callable[[Path], object]) -> bool:
    """Whether writing a file created or changed it."""

    def stamp() -> tuple[int, int] | None:
        return (path.stat().st_ino, path.stat().st_mtime_ns) if path.exists() else None

    before = stamp()
    write(path)
    return stamp() != before


def _checked_name(name: str | None, source: PathLike | None) -> str:
    if name is None and source is None:
        raise UsageError("files named one by one need a name for the collection")
    called = name if name is not None else Path(source or "").resolve().name
    if not fits_file_names(called):
        raise UsageError(f"the name {called!r} goes into file names; {NAME_RULE}")
    return called


def _refuse_pipe(path: Path) -> None:
    if os.fspath(path) == STDIN or (path.exists() and not path.is_file() and not path.is_dir()):
        raise UsageError(f"{shown(path)}: is read more than once, which a pipe cannot be; give a file")


def fits_file_names(name: str) -> bool:
    """Whether a name is safe as a part of file and folder names."""
    return re.fullmatch(r"(?!\.+\Z)[\w.-]{1,100}", name) is not None


def _judged(
    paths: dict[str, Path],
    topics: TopicsPart | None,
    topic_ids: Renaming | None,
    document_ids: Renaming | None,
    notes: list[Note],
    rule: MatchTopics | None,
) -> Qrels | None:
    """Qrels from a file of judgments, from judgments beside the topics, or from both."""
    judgments, place = [], ""
    if topics and topics.judgments is not None:
        place = str(paths["topics"])
        judgments.append(iter(topics.judgments))
        graded = any(judgment.grade != 1 for judgment in topics.judgments if judgment.document)
        meant = (
            "stand with the topics, with their grades"
            if graded
            else "are the relevant_ids of the topics: relevant is grade 1"
        )
        notes.append(Note(f"judgments {meant}, nothing else is judged"))
    if "qrels" in paths:
        place = str(paths["qrels"])
        judgments.append(read_judgments(paths["qrels"], [paths.get("documents"), paths.get("topics")], notes))
    if not judgments:
        return None
    all_judgments: Iterator[Judgment] = chain.from_iterable(judgments)
    if rule is not None and topic_ids is not None:
        all_judgments = matched_judgments(all_judgments, topic_ids, rule, notes)
    return convert_judgments(all_judgments, place, topic_ids, document_ids, notes)


def _note_unjudged(topics: Topics, qrels: Qrels, judged_only: bool, notes: list[Note]) -> Topics:
    judged = set(qrels.topics)
    without = [topic.id for topic in topics if topic.id not in judged]
    if not without:
        return topics
    if not judged_only:
        notes.append(Note.of("topics without judgments, kept", without))
        return topics
    notes.append(Note.of("topics that are not judged in this split, left out", without))
    return Topics(tuple(topic for topic in topics if topic.id in judged), topics.name)
