"""Index documents with Lucene, as Anserini does."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from irkit._utils.progress import progress
from irkit.errors import DataError, IrkitError, UsageError
from irkit.retrieval import java
from irkit.retrieval.analysis import ENGLISH, PORTER, Analysis
from irkit.retrieval.atomic_folder import new_folder
from irkit.retrieval.lucene import Searcher
from irkit.retrieval.manifest import Fingerprint, LuceneManifest
from irkit.retrieval.texts import CONTENTS, FieldCheck, field_text, without_surrogates

if TYPE_CHECKING:
    from os import PathLike

    from irkit.data.documents import Document

WRITE_LOCK: Final = "write.lock"
RESERVED: Final = frozenset({"id", "raw", "entity", "vector"})  # reserved by Anserini


def build_index(
    documents: "Iterable[Document]",
    folder: "str | PathLike[str]",
    *,
    fields: Sequence[str] | None = None,
    language: str = ENGLISH,
    stemmer: str = PORTER,
    keep_stop_words: bool = False,
    pretokenized: bool = False,
    feedback: bool = False,
) -> LuceneManifest:
    """Build a Lucene index, completely or not at all.

    The index is the same as that of Anserini's IndexCollection from a JsonCollection with its
    DefaultLuceneDocumentGenerator, without stored text. Lucene leaves out documents without text; the manifest counts
    them.

    Parameters
    ----------
    documents : iterable of Document
        Read once.
    folder : path
        A new or empty folder, or an index of irkit, which is replaced.
    fields : sequence of str, optional
        Document fields to index separately too, so that `search` can weight them; `contents`, the whole text, is
        always indexed.
    language, stemmer, keep_stop_words, pretokenized
        How texts become words; see `Analysis`. The default is that of Anserini: English with Porter stems and without
        stop words. The manifest records it for searches.
    feedback : bool
        Store the words of each document (Anserini's document vectors), which `Rm3` and `Rocchio` need in a search.

    Raises
    ------
    DataError
        If a document id is repeated, or Lucene refuses a document.
    IrkitError
        If the index cannot be written, for example because the disk is full.
    UsageError
        If the folder holds something else, the name of a field is reserved by Anserini, no document has a field, or
        the language or stemmer is unknown.
    MissingDependencyError
        If Pyserini or Java is missing, or this Java has no word splitting for the language.
    """
    analysis = Analysis(language, stemmer, keep_stop_words, pretokenized)
    names = tuple(name for name in fields or () if name != CONTENTS)
    if taken := RESERVED.intersection(names):
        raise UsageError(f"the field name {min(taken)!r} is reserved by the index; rename that field of the documents")
    indexer_class = java.java_class("io.anserini.index.SimpleIndexer")
    analysis.analyzer()  # raises an error for a language that this Java does not support
    seen: set[str] = set()
    indexed = 0
    fingerprint = Fingerprint()
    check = FieldCheck(names)
    with new_folder(Path(folder)) as part, progress("indexing", _length(documents)) as advance:
        chosen = [*analysis.words, *(["-storeDocvectors"] if feedback else []), *(["-fields", *names] if names else [])]
        indexer = indexer_class(["-collection", "JsonCollection", "-input", "memory", "-index", str(part), *chosen])
        try:
            for document in documents:
                if document.id in seen:
                    raise DataError(f"document id {document.id!r} stands twice; each document needs its own id")
                seen.add(document.id)
                check.see(document)
                record = _record(document, names)
                fingerprint.add(document.id, list(record.values())[1:])
                indexed += _add(indexer, document.id, record)
                advance(1)
            check.finish()
        except BaseException:
            with suppress(Exception):  # report the first problem only
                indexer.close()
            raise
        _finish(indexer, part, analysis, indexed, folder)
        versions = {"anserini": java.find_jar().name.removeprefix("anserini-").removesuffix("-fatjar.jar")}
        manifest = LuceneManifest(
            "bm25",
            documents=len(seen),
            indexed=indexed,
            ids=fingerprint.ids,
            content=fingerprint.content,
            fields=names,
            versions=versions,
            analysis=analysis.as_record(),
        )
        manifest.write(part)
    return manifest


def _record(document: "Document", names: Sequence[str]) -> dict[str, str]:
    try:
        document.id.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise DataError(f"document id {document.id!r} is not UTF-8, which Lucene needs; change it") from problem
    parts = {name: without_surrogates(field_text(document.fields[name])) for name in names if name in document.fields}
    # Anserini leaves out a document with empty contents even if its fields hold words.
    contents = document.text if document.text.strip() else " ".join(parts.values())
    return {"id": document.id, CONTENTS: without_surrogates(contents), **parts}


def _add(indexer: Any, identifier: str, record: Mapping[str, str]) -> bool:
    try:
        return bool(indexer.addRawDocument(json.dumps(record)))
    except java.java_exception() as problem:
        raise DataError(f"document {identifier!r}: Lucene refuses it: {java.cause(problem)}") from problem


def _finish(indexer: Any, part: Path, analysis: Analysis, indexed: int, folder: "str | PathLike[str]") -> None:
    """Write what Lucene holds in memory, and check that all of it was written.

    The check is necessary because Anserini's indexer only logs write errors, and continues.
    """
    failed = f"{folder}: Lucene cannot write the complete index; is the disk full?"
    try:
        indexer.close()
        with Searcher(part, analysis) as searcher:
            searcher.check_integrity()
            size = searcher.size
    except (DataError, java.java_exception()) as problem:
        raise IrkitError(failed) from problem
    if size != indexed:
        raise IrkitError(failed)
    (part / WRITE_LOCK).unlink(missing_ok=True)  # Lucene leaves an empty file


def _length(documents: "Iterable[Document]") -> int | None:
    return len(documents) if isinstance(documents, Sequence) else None
