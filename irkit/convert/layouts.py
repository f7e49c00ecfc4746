"""Which files of a folder are its documents, topics and qrels, by the names in use; and in what form a file is."""

import fnmatch
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from irkit.convert import cranfield, json_lines, tables, trec
from irkit.convert.parts import Judgment, SourceDocument, TopicsPart
from irkit.convert.report import Note
from irkit.errors import DataError, FormatError, UsageError
from irkit.records import stream_lines

COMPRESSED: Final = (".gz", ".bz2", ".xz", ".zst")
DEFAULT_SPLIT: Final = "test"
ROLES: Final = ("documents", "topics", "qrels")


@dataclass(frozen=True, slots=True)
class Layout:
    """A way in which collections are handed on.

    Attributes
    ----------
    name, summary : str
    documents, topics, qrels : tuple of str
        Patterns of file names, without the suffix of a compression; empty where there is no such file.
    judged_only : bool
        The topics file holds those of every split, and only those judged in the one converted belong to it.
    """

    name: str
    summary: str
    documents: tuple[str, ...]
    topics: tuple[str, ...]
    qrels: tuple[str, ...]
    judged_only: bool = False


LAYOUTS: Final = {
    layout.name: layout
    for layout in (
        Layout(
            "services",
            "JSON lines: documents, queries and graded judgments",
            ("documents.jsonl",),
            ("queries.jsonl",),
            ("judgments.jsonl",),
        ),
        Layout(
            "passages",
            "JSON lines: documents, and queries with relevant_ids",
            ("documents.jsonl",),
            ("queries.jsonl",),
            (),
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
        Layout("csv", "CSV with a line of names", ("documents.csv",), ("queries.csv",), ("judgments.csv",)),
        Layout(
            "cranfield",
            "Cranfield's original records .I .T .A .B .W",
            ("cran.all*",),
            ("cran.qry",),
            ("cranqrel",),
        ),
        Layout(
            "trec",
            "files named after documents, topics or queries, and qrels, in any known form",
            ("doc*", "corpus*", "collection*", "passages*"),
            ("topics*", "quer*"),
            ("qrels*", "*.qrels", "judgments*"),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Form:
    """How a file is written: what knows its beginning, and what reads it as documents or as topics."""

    recognises: Callable[[str], bool]
    documents: Callable[[Path], Iterator[SourceDocument]]
    topics: Callable[[Path], TopicsPart]


# Asked in this order, by how the file begins.
FORMS: Final = (
    Form(cranfield.recognises, cranfield.documents, cranfield.topics),
    Form(trec.recognises, trec.documents, trec.topics),
    Form(json_lines.recognises, json_lines.documents, json_lines.topics),
    Form(tables.recognises, tables.documents, tables.topics),
)


def form_of(path: Path) -> Form:
    """The form of a file, known by its beginning.

    Raises
    ------
    FormatError
        If it is in none of the known forms.
    """
    head = _head(path)
    for form in FORMS:
        if form.recognises(head):
            return form
    raise FormatError(
        str(path),
        "not in a known form; it may hold JSON lines, CSV with a line of names, tab-separated lines, TREC SGML or "
        "Cranfield's .I records",
    )


def judgments_in(path: Path) -> Iterator[Judgment]:
    """The judgments in a file: JSON lines, or lines of fields."""
    return json_lines.judgments(path) if json_lines.recognises(_head(path)) else tables.judgments(path)


def _head(path: Path) -> str:
    return b"\n".join(line for _, line in islice(stream_lines(path), 5)).decode("utf-8", "replace") + "\n"


def is_cranfield(path: Path | None) -> bool:
    """Whether the file is in Cranfield's own form, so that judgments beside it hold codes."""
    return path is not None and form_of(path) is FORMS[0]


def find_files(
    folder: Path, name: str | None, split: str | None, given: frozenset[str] = frozenset()
) -> tuple[Layout, dict[str, Path], list[Note]]:
    """The layout of a folder and the files that play its parts.

    Parameters
    ----------
    folder : Path
    name : str, optional
        The layout; by default the first one whose files are all there.
    split : str, optional
        Which of several files of topics or qrels; `test` by default.
    given : frozenset of str
        Roles whose files are known already and not looked for.

    Raises
    ------
    UsageError
        If there is no such layout or folder.
    DataError
        If no layout fits, or several files could play a part.
    """
    if name is not None and name not in LAYOUTS:
        raise UsageError(f"unknown format {name!r}; there are {', '.join(LAYOUTS)}")
    if not folder.is_dir():
        raise UsageError(f"{folder}: is no folder; name the folder of the collection, or its files one by one")
    listed = sorted(path for path in (*folder.iterdir(), *folder.glob("*/*")) if path.is_file())
    for layout in [LAYOUTS[name]] if name else LAYOUTS.values():
        candidates = {
            role: _matching(listed, folder, patterns)
            for role in ROLES
            if role not in given and (patterns := getattr(layout, role))
        }
        if all(candidates.values()):
            notes: list[Note] = []
            return layout, {role: _one(paths, role, split, notes) for role, paths in candidates.items()}, notes
    wanted = LAYOUTS[name].summary if name else "documents, topics (or queries) and qrels (or judgments)"
    names = ", ".join(str(path.relative_to(folder)) for path in listed[:10]) or "nothing"
    raise DataError(f"{folder}: no {wanted} found; there is {names}. Name the files one by one")


def _bare(path: Path) -> str:
    return path.name.removesuffix(path.suffix) if path.suffix in COMPRESSED else path.name


def _matching(listed: list[Path], folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    def matches(path: Path) -> bool:
        bare = path.with_name(_bare(path)).relative_to(folder).as_posix()
        return any(fnmatch.fnmatchcase(bare, pattern) and bare.count("/") == pattern.count("/") for pattern in patterns)

    return [path for path in listed if matches(path)]


def _splits(path: Path) -> set[str]:
    """The splits that a file may be called by: `queries.dev.small.tsv` is `dev.small`, `test.tsv` is `test`."""
    stem = _bare(path).rpartition(".")[0] or _bare(path)
    return {stem, stem.partition(".")[2], stem.rpartition(".")[2]} - {""}


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
    raise DataError(f"{paths[0].parent}: several files may be the {role}: {names}; name one of them, or a split")
