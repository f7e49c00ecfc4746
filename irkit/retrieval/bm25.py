"""BM25 by Lucene: index documents as Anserini does, and search the index."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from irkit.errors import DataError, UsageError
from irkit.progress import progress
from irkit.retrieval import java
from irkit.retrieval.manifest import Fingerprint, Manifest, new_folder, read_manifest
from irkit.retrieval.ranking import Allowed, Detail, Retrieved, check_depth, note_of_topics
from irkit.retrieval.texts import CONTENTS, FieldCheck, field_text, whole
from irkit.runs import Run
from irkit.spelling import counted, instead

if TYPE_CHECKING:
    from os import PathLike

    from irkit.documents import Document
    from irkit.topics import Topic

RESERVED: Final = frozenset({"id", "raw", "entity", "vector"})  # fields of Anserini's own
HIGHEST_K1: Final = 1e6  # beyond it all scores are alike, and Lucene's 32-bit floats overflow
FAINT: Final = 1e-3
DECIMALS: Final = 6  # of Anserini's scores, as Pyserini writes them


def build_index(
    documents: "Iterable[Document]", folder: "str | PathLike[str]", *, fields: Sequence[str] | None = None
) -> Manifest:
    """Build a Lucene index, whole or not at all.

    It is what Anserini's IndexCollection makes of a JsonCollection by its DefaultLuceneDocumentGenerator: English
    stop words and Porter stems, no stored text. Lucene leaves out documents without text; the manifest counts them.

    Parameters
    ----------
    documents : iterable of Document
        Read once.
    folder : path
        A new or empty folder, or an index of irkit, which is replaced.
    fields : sequence of str, optional
        Document fields to index apart as well, so that `search` can weight them; `contents`, the whole text, always is.

    Raises
    ------
    DataError
        If a document id is repeated, or Lucene refuses a document.
    UsageError
        If the folder holds something else, a field has a name that Anserini uses itself, or no document has the field.
    MissingDependencyError
        If Pyserini or Java is missing.
    """
    names = tuple(name for name in fields or () if name != CONTENTS)
    if taken := RESERVED.intersection(names):
        raise UsageError(f"the index has a field {min(taken)!r} of its own; rename that field of the documents")
    indexer_class = java.java_class("io.anserini.index.SimpleIndexer")
    seen: set[str] = set()
    indexed = 0
    fingerprint = Fingerprint()
    check = FieldCheck(names)
    with new_folder(Path(folder)) as part, progress("indexing", _length(documents)) as advance:
        chosen = ["-fields", *names] if names else []
        indexer = indexer_class(["-collection", "JsonCollection", "-input", "memory", "-index", str(part), *chosen])
        try:
            for document in documents:
                if document.id in seen:
                    raise DataError(f"document id {document.id!r} stands twice; ids name one document each")
                seen.add(document.id)
                check.see(document)
                record = _record(document, names)
                fingerprint.add(document.id, list(record.values())[1:])
                indexed += _add(indexer, document.id, record)
                advance(1)
            check.finish()
        except BaseException:
            with suppress(Exception):  # the first problem is the one to tell
                indexer.close()
            raise
        indexer.close()
        versions = {"anserini": java.find_jar().name.removeprefix("anserini-").removesuffix("-fatjar.jar")}
        manifest = Manifest("bm25", len(seen), indexed, fingerprint.ids, fingerprint.content, names, versions)
        manifest.write(part)
    return manifest


def search(
    folder: "str | PathLike[str]",
    topics: "Iterable[Topic]",
    *,
    k: int = 1000,
    k1: float = 0.9,
    b: float = 0.4,
    fields: Mapping[str, float] | None = None,
    allowed: Allowed | None = None,
    tag: str = "bm25",
) -> Retrieved:
    """Search an index; every query is a bag of words, whatever signs stand in it.

    Parameters
    ----------
    folder : path
        The index, by `build_index` or by Anserini.
    topics : iterable of Topic
    k : int
        Documents for each topic at most, at least 1.
    k1, b : float
        BM25's parameters; Anserini's defaults.
    fields : mapping of str to float, optional
        Weights of fields that were indexed apart; a document scores the weighted sum of its fields' BM25. `contents`
        is the whole text. By default that alone is searched.
    allowed : function, optional
        The documents that a topic may return, or None for all. Applied before the cut at k.
    tag : str
        The run's name.

    Returns
    -------
    Retrieved
        The run that Pyserini writes. Anserini rounds scores to four decimals, ranks those that tie by document id,
        rising, also across the cut, and lowers each of them by a millionth below the one before, so that the order
        holds when the run is read again.

    Raises
    ------
    DataError
        If the folder is no index, or Lucene fails on a topic, which is named.
    UsageError
        If a parameter is out of range or a field is not in the index.
    MissingDependencyError
        If Pyserini or Java is missing.
    """
    check_depth(k)
    if not (0 <= k1 <= HIGHEST_K1 and 0 <= b <= 1):
        raise UsageError(f"BM25 needs k1 from 0 to {HIGHEST_K1:g} and b from 0 to 1; got k1 {k1:g} and b {b:g}")
    place = Path(folder)
    manifest = read_manifest(place, "bm25") if place.is_dir() else None
    _check_fields(fields, manifest, place)
    found: dict[str, dict[str, float]] = {}
    blank, nothing, none_allowed, all_removed, faint = [], [], [], [], []
    with _Searcher(place, k1, b, fields) as searcher:
        topics = list(topics)
        with progress("searching", len(topics)) as advance:
            for topic in topics:
                documents = allowed(topic) if allowed else None
                if not topic.text.strip():
                    blank.append(topic.id)
                elif documents is not None and not documents:
                    none_allowed.append(topic.id)
                elif hits := searcher.first(topic, k, documents):
                    found[topic.id] = hits
                    if len(hits) > 1 and max(hits.values()) < FAINT:
                        faint.append(topic.id)
                elif documents is not None and searcher.first(topic, 1, None):
                    all_removed.append(topic.id)
                else:
                    nothing.append(topic.id)
                advance(1)
        size = searcher.size
    notes = (
        *note_of_topics(blank, "without text, not searched"),
        *note_of_topics(none_allowed, "whose filters no document passes"),
        *note_of_topics(all_removed, "whose filters removed every document found"),
        *note_of_topics(nothing, "without a word that is in a document"),
        *note_of_topics(
            faint, f"whose best score is below {FAINT:g}, so that four decimals hardly rank; raise the weights, if any"
        ),
        *_note_of_left_out(manifest),
    )
    weights = "" if fields is None else " ".join(f"{name}={weight:g}" for name, weight in fields.items())
    details: dict[str, Detail] = {"engine": "bm25", "k": k, "k1": k1, "b": b, "fields": weights, "documents": size}
    if manifest is not None:
        details |= {"content": manifest.content, **manifest.versions}
    return Retrieved(Run.from_scores(found, tag), notes, details)


class _Searcher:
    """Anserini's searcher over one index, the very object behind Pyserini's LuceneSearcher."""

    def __init__(self, folder: Path, k1: float, b: float, fields: Mapping[str, float] | None) -> None:
        # Words in a query; Lucene by itself refuses those of more than 1024.
        java.java_class("org.apache.lucene.search.IndexSearcher").setMaxClauseCount(1 << 20)
        self._searcher = _open(folder)
        self._searcher.set_bm25(k1, b)
        self.size: int = self._searcher.get_total_num_docs()
        self._weights = None if fields is None else _java_weights(fields)

    def __enter__(self) -> "_Searcher":
        return self

    def __exit__(self, *_: object) -> None:
        self._searcher.close()

    def first(self, topic: "Topic", k: int, allowed: frozenset[str] | None) -> dict[str, float]:
        """The k best documents among those allowed."""
        try:
            return self._first(whole(topic.text), min(k, self.size), allowed)
        except java.java_exception() as problem:
            raise DataError(f"topic {topic.id!r}: Lucene fails on it: {java.cause(problem)}") from problem

    def _first(self, text: str, k: int, allowed: frozenset[str] | None) -> dict[str, float]:
        depth = k
        while depth:
            hits = self._search(text, depth)
            kept = [(hit.docid, round(hit.score, DECIMALS)) for hit in hits if allowed is None or hit.docid in allowed]
            # Deeper where filters took documents away, until there are k or no more to come.
            if len(kept) >= k or len(hits) < depth or depth == self.size:
                return dict(kept[:k])
            depth = min(4 * depth, self.size)
        return {}

    def _search(self, text: str, depth: int) -> Any:
        if self._weights is None:
            return self._searcher.search(text, depth)
        return self._searcher.search_fields(text, self._weights, depth)


def _open(folder: Path) -> Any:
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no index; build it first, by 'irkit index bm25'")
    if not any(folder.glob("segments_*")):
        raise DataError(f"{folder}: is no Lucene index, which has a file segments_N; build it by 'irkit index bm25'")
    try:
        return java.java_class("io.anserini.search.SimpleSearcher")(str(folder))
    except java.java_exception() as problem:
        raise DataError(f"{folder}: is no Lucene index that can be read ({java.cause(problem)}); build it") from problem


def _java_weights(fields: Mapping[str, float]) -> Any:
    weights = java.java_class("java.util.HashMap")()
    as_float = java.java_class("java.lang.Float")
    for name, weight in fields.items():
        weights.put(name, as_float(weight))
    return weights


def _check_fields(fields: Mapping[str, float] | None, manifest: Manifest | None, place: Path) -> None:
    if fields is None:
        return
    if not fields or not all(math.isfinite(weight) and weight > 0 for weight in fields.values()):
        raise UsageError(f"each searched field has a weight above 0; got {dict(fields)}")
    if manifest is None:
        return
    known = (CONTENTS, *manifest.fields)
    for name in fields:
        if name not in known:
            raise UsageError(f"{place}: no field {name!r} is indexed; {instead(name, known)}")


def _record(document: "Document", names: Sequence[str]) -> dict[str, str]:
    try:
        document.id.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise DataError(f"document id {document.id!r} is not UTF-8, which Lucene needs; change it") from problem
    parts = {name: whole(field_text(document.fields[name])) for name in names if name in document.fields}
    # Anserini leaves out a document without contents even where its fields hold words.
    contents = document.text if document.text.strip() else " ".join(parts.values())
    return {"id": document.id, CONTENTS: whole(contents), **parts}


def _add(indexer: Any, identifier: str, record: Mapping[str, str]) -> bool:
    try:
        return bool(indexer.addRawDocument(json.dumps(record)))
    except java.java_exception() as problem:
        raise DataError(f"document {identifier!r}: Lucene refuses it: {java.cause(problem)}") from problem


def _note_of_left_out(manifest: Manifest | None) -> tuple[str, ...]:
    if manifest is None or manifest.indexed == manifest.documents:
        return ()
    left_out = manifest.documents - manifest.indexed
    return (f"{left_out} of {counted(manifest.documents, 'document')} without text cannot be found",)


def _length(documents: "Iterable[Document]") -> int | None:
    return len(documents) if isinstance(documents, Sequence) else None
