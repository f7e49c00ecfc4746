"""Find the documents, topics and qrels files of a folder by their usual names."""

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.conversion.detect import form_of, has_relevant_ids, holds_judgments
from irkit.conversion.report import Note
from irkit.errors import DataError, UsageError
from irkit.files.compression import COMPRESSED

DEFAULT_SPLIT: Final = "test"
# The parts of a collection.
ROLES: Final = ("documents", "topics", "qrels")
# Endings of files that are about a collection and no part of it.
_UNREAD: Final = "data files that are no known part, not read"
_PROSE: Final = (".md", ".rst", ".toml", ".yaml", ".yml", ".py", ".ipynb", ".sh", ".html", ".pdf", ".log", ".readme")
_DATA: Final = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".txt", ".trec", ".xml", ".sgml", ".qrels", ".topics")


@dataclass(frozen=True, slots=True)
class Layout:
    """A usual layout of the files of a collection.

    Attributes
    ----------
    name, summary : str
    documents, topics, qrels : tuple of str
        Patterns of file names in small letters, without the suffix of a compression; empty where there is no such file.
    judged_only : bool
        The topics file holds those of every split, and only those judged in the one converted belong to it.
    judged_topics : bool
        The judgments stand with the topics.
    """

    name: str
    summary: str
    documents: tuple[str, ...]
    topics: tuple[str, ...]
    qrels: tuple[str, ...]
    judged_only: bool = False
    judged_topics: bool = False


def _called(names: str, ending: str) -> tuple[str, ...]:
    return tuple(f"{name}{ending}" for name in names.split())


_DOCUMENTS, _TOPICS, _QRELS = "documents corpus docs collection", "queries topics", "judgments judgements qrels"
_ANY_DOCUMENTS = ("doc*", "corpus*", "collection*", "passages*")
_ANY_TOPICS = ("topics*", "quer*", "*.topics", "*.queries")

LAYOUTS: Final = {
    layout.name: layout
    for layout in (
        Layout(
            "json-lines",
            "JSON lines: documents, queries and graded judgments",
            _called(_DOCUMENTS, ".jsonl"),
            _called(_TOPICS, ".jsonl"),
            _called(_QRELS, ".jsonl"),
        ),
        Layout(
            "beir",
            "corpus.jsonl, queries.jsonl and a folder of qrels, one file a split",
            ("corpus.jsonl",),
            ("queries.jsonl",),
            ("qrels/*.tsv",),
            judged_only=True,
        ),
        Layout(
            "msmarco",
            "collection.tsv, queries*.tsv and qrels*.tsv",
            ("collection.tsv",),
            ("queries*.tsv",),
            ("qrels*.tsv",),
        ),
        Layout(
            "csv",
            "CSV with a line of names",
            _called(_DOCUMENTS, ".csv"),
            _called(_TOPICS, ".csv"),
            _called(_QRELS, ".csv"),
        ),
        Layout(
            "cranfield",
            "Cranfield's original records .I .T .A .B .W",
            ("cran.all*",),
            ("cran.qry",),
            ("cranqrel",),
        ),
        Layout(
            "by-name",
            "files named after documents, topics or queries, and qrels or judgments, in any known form",
            _ANY_DOCUMENTS,
            _ANY_TOPICS,
            ("*qrels*", "*judgments*", "*judgements*"),
        ),
        Layout(
            "relevant-ids",
            "JSON lines: documents, and queries with relevant_ids",
            _called(_DOCUMENTS, ".jsonl"),
            _called(_TOPICS, ".jsonl"),
            (),
            judged_topics=True,
        ),
        Layout(
            "unjudged", "files named after documents and topics, without judgments", _ANY_DOCUMENTS, _ANY_TOPICS, ()
        ),
    )
}


def find_files(
    folder: Path, name: str | None, split: str | None, given: frozenset[str] = frozenset()
) -> tuple[Layout, dict[str, Path], list[Note]]:
    """Detect the layout of a folder, and find its documents, topics and qrels files."""
    if name is not None and name not in LAYOUTS:
        raise UsageError(f"unknown format {name!r}; {instead(name, LAYOUTS)}")
    if not folder.is_dir():
        raise UsageError(
            f"{folder}: is not a folder; name the folder of the collection (unpack an archive first), or its files "
            "one by one"
        )
    listed = _files_in(folder)
    for layout in [LAYOUTS[name]] if name else LAYOUTS.values():
        candidates = {
            role: _matching(listed, folder, patterns)
            for role in ROLES
            if role not in given and (patterns := getattr(layout, role))
        }
        if not all(candidates.values()):
            continue
        if layout.judged_topics and "topics" in candidates and not any(map(has_relevant_ids, candidates["topics"])):
            continue
        _check_split(folder, split, candidates.get("qrels", []))
        notes: list[Note] = []
        found = {role: _one(paths, role, split, notes) for role, paths in candidates.items()}
        unread = _unread(listed, candidates)
        if not layout.qrels and "qrels" not in given and not any(map(has_relevant_ids, candidates.get("topics", []))):
            _refuse_judgments(folder, unread)
        names = [path.name for path in unread if path.parent == folder]
        return layout, found, [*notes, *([Note.of(_UNREAD, names)] if names else [])]
    raise _not_found(folder, listed, LAYOUTS[name] if name else LAYOUTS["by-name"], given)


def shown_files(folder: Path) -> str:
    """List the files of a folder for a message."""
    listed = _files_in(folder)
    more = f" and {len(listed) - 10} more" if len(listed) > 10 else ""
    return (", ".join(str(path.relative_to(folder)) for path in listed[:10]) or "nothing") + more


def _files_in(folder: Path) -> list[Path]:
    return sorted(path for path in (*folder.iterdir(), *folder.glob("*/*")) if path.is_file())


def _not_found(folder: Path, listed: list[Path], layout: Layout, given: frozenset[str]) -> DataError:
    """The error that says which parts are missing, and how to name them."""
    missing = [
        role
        for role in ROLES
        if role not in given and (patterns := getattr(layout, role)) and not _matching(listed, folder, patterns)
    ]
    if not missing and layout.judged_topics:
        return DataError(f"{folder}: the topics have no relevant_ids; there is {shown_files(folder)}")
    looked = "; ".join(f"no {role} (looked for {', '.join(getattr(layout, role))})" for role in missing)
    remedy = "; ".join(option(**{role: "FILE"}) for role in missing)
    return DataError(f"{folder}: {looked}. There is {shown_files(folder)}. Name what is missing: {remedy}")


def _unread(listed: list[Path], candidates: dict[str, list[Path]]) -> list[Path]:
    """Data files beside the collection, and in folders beside it, that play no part in it."""
    known = {path for paths in candidates.values() for path in paths}
    return [
        path
        for path in listed
        if path not in known
        and _bare(path).lower().endswith(_DATA)
        and not path.name.lower().startswith(("readme", "license", "licence"))
    ]


def _refuse_judgments(folder: Path, unread: list[Path]) -> None:
    """Refuse to pass over a file that looks like the judgments of a collection that has no others."""
    if like := [str(path.relative_to(folder)) for path in unread if holds_judgments(path)]:
        raise DataError(
            f"{folder}: {', '.join(like)} looks like judgments, and no name says so; name the file: "
            f"{option(qrels='FILE')}. For topics and documents alone name these two files, and no folder"
        )


def _bare(path: Path) -> str:
    return path.name.removesuffix(path.suffix) if path.suffix in COMPRESSED else path.name


def _matching(listed: list[Path], folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    def matches(path: Path) -> bool:
        bare = path.with_name(_bare(path).lower()).relative_to(folder).as_posix()
        return not bare.endswith(_PROSE) and any(
            fnmatch.fnmatchcase(bare, pattern) and bare.count("/") == pattern.count("/") for pattern in patterns
        )

    return [path for path in listed if matches(path)]


def _splits(path: Path) -> set[str]:
    """The splits that a file may be called by: `queries.dev.small.tsv` is `dev.small`, `test.tsv` is `test`."""
    stem = _bare(path).rpartition(".")[0] or _bare(path)
    return {stem, stem.partition(".")[2], stem.rpartition(".")[2]} - {""}


def _check_split(folder: Path, split: str | None, qrels: list[Path]) -> None:
    """Refuse a split that no file of qrels has."""
    if split is None or any(split in _splits(path) for path in qrels):
        return
    names = [_bare(path).rpartition(".")[0].partition(".")[2] for path in qrels]
    # Without a middle part the whole name is the split in a folder of qrels, and says none beside the documents.
    names = [
        name or _bare(path).rpartition(".")[0]
        for name, path in zip(names, qrels, strict=True)
        if name or path.parent != folder
    ]
    there = (
        f"there are {', '.join(sorted(names))}" if names else "its qrels, if any, are of one split; leave the split out"
    )
    raise DataError(f"{folder}: no split {split!r}; {there}")


def _one(paths: list[Path], role: str, split: str | None, notes: list[Note]) -> Path:
    if split is not None or len(paths) > 1:
        exact = [path for path in paths if (split or DEFAULT_SPLIT) in _splits(path)]
        # `dev.small` is a split of its own: the name after the first dot counts before the name after the last.
        whole = [path for path in exact if _bare(path).split(".")[1:-1] == (split or DEFAULT_SPLIT).split(".")]
        chosen = whole if len(whole) == 1 else exact
        if len(chosen) == 1:
            if len(paths) > 1:
                notes.append(
                    Note.of(f"{role} of other splits, not read", (path.name for path in paths if path != chosen[0]))
                )
            return chosen[0]
    if len(paths) == 1:
        return paths[0]
    if role == "topics":
        ids = {path: {topic.id.text for topic in form_of(path).topics(path).topics} for path in paths}
        fullest = [path for path in paths if all(ids[path] >= other for other in ids.values())]
        if len(fullest) == 1:
            left = [path.name for path in paths if path != fullest[0]]
            notes.append(Note.of(f"topics files whose topics are all in {fullest[0].name} too, not read", left))
            return fullest[0]
    names = ", ".join(path.name for path in paths)
    options = option(**{role: "FILE"}) + (", or a split" if role != "documents" else "")
    raise DataError(f"{paths[0].parent}: several files may be the {role}: {names}; name one of them: {options}")
