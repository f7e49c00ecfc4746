"""A Lucene index opened for search by Anserini's SimpleSearcher, the very object behind Pyserini's LuceneSearcher."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.errors import DataError, UsageError
from irkit.retrieval import java
from irkit.retrieval.analysis import ENGLISH, Analysis
from irkit.retrieval.feedback import Feedback
from irkit.retrieval.texts import CONTENTS, without_surrogates

MOST_WORDS: Final = 1 << 20  # words of a query; Lucene's own limit is 1024
DECIMALS: Final = 6  # decimals of Anserini's scores in the runs of Pyserini


class Searcher:
    """An open index for search by BM25 or query likelihood; several threads may use it.

    Raises
    ------
    DataError
        If the folder holds no readable index.
    UsageError
        If feedback is requested, and the index does not store the words of its documents.
    """

    def __init__(
        self,
        folder: Path,
        analysis: Analysis,
        *,
        fields: Mapping[str, float] | None = None,
        feedback: Feedback | None = None,
    ) -> None:
        java.java_class("org.apache.lucene.search.IndexSearcher").setMaxClauseCount(MOST_WORDS)
        self._folder = folder
        self._searcher = _open(folder, analysis)
        if feedback is not None:
            _check_words_stored(self._searcher, folder)
            feedback.set_on(self._searcher, english=analysis.language == ENGLISH and not analysis.pretokenized)
        self.size: int = self._searcher.get_total_num_docs()
        self._weights = _java_weights(fields or {})
        self._writer = _hits_writer()
        self._list_of = java.java_class("java.util.Collections").singletonList

    def __enter__(self) -> "Searcher":
        return self

    def __exit__(self, *_: object) -> None:
        self._searcher.close()

    def check_integrity(self) -> None:
        """Verify Lucene's own checksums, for indexes without a manifest of irkit; DataError if a file is damaged."""
        try:
            for leaf in self._searcher.reader.leaves().toArray():
                leaf.reader().checkIntegrity()
        except java.java_exception() as problem:
            raise _unreadable(self._folder, problem) from problem

    def use_bm25(self, k1: float, b: float) -> None:
        """Score by BM25."""
        self._searcher.set_bm25(k1, b)

    def use_query_likelihood(self, mu: float) -> None:
        """Score by query likelihood with Dirichlet smoothing."""
        self._searcher.set_qld(mu)

    def first(self, text: str, depth: int) -> list[tuple[str, float]]:
        """Return at most `depth` documents with their scores, best first; raises Java's exception if Lucene fails."""
        query = without_surrogates(text)
        depth = min(depth, self.size)
        try:
            # A batch with a single query, because Java can write its hits as JSON; single hits cross to Python slowly.
            batch = self._searcher.batch_search_fields(self._list_of(query), self._list_of(""), depth, 1, self._weights)
        except java.java_exception():
            self._searcher.search(query, depth)  # raises the cause, which the batch hides
            raise
        hits = json.loads(bytes(self._writer.writeValueAsBytes(batch)))[""]
        # JSON has the shortest digits of a 32-bit float, the type of Anserini's scores.
        scores = np.array([score for _, score in hits], np.float32).astype(np.float64).round(DECIMALS)
        _separate_ties(scores)
        return [(document, score) for (document, _), score in zip(hits, scores.tolist(), strict=True)]


def _separate_ties(scores: npt.NDArray[np.float64]) -> None:
    """Lower each score that is not below the previous one to a millionth below it, as Anserini intends.

    Its scores have 32 bits, which cannot hold a millionth above about 16; the order would be lost in a file.
    """
    for place in (np.flatnonzero(np.diff(scores) >= 0) + 1).tolist():
        while place < len(scores) and scores[place] >= scores[place - 1]:
            scores[place] = round(scores[place - 1] - 10.0**-DECIMALS, DECIMALS)
            place += 1


def _open(folder: Path, analysis: Analysis) -> Any:
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no index; build it first, by 'irkit index bm25'")
    if not any(folder.glob("segments_*")):
        raise DataError(f"{folder}: is no Lucene index, which has a file segments_N; build it by 'irkit index bm25'")
    analyzer = analysis.analyzer()
    try:
        # An absolute path, because Java keeps the working folder of its start.
        return java.java_class("io.anserini.search.SimpleSearcher")(str(folder.absolute()), analyzer)
    except java.java_exception() as problem:
        raise _unreadable(folder, problem) from problem


def _unreadable(folder: Path, problem: Exception) -> DataError:
    return DataError(f"{folder}: is no Lucene index that can be read ({java.cause(problem)}); build it again")


def _check_words_stored(searcher: Any, folder: Path) -> None:
    infos = java.java_class("org.apache.lucene.index.FieldInfos").getMergedFieldInfos(searcher.reader)
    contents = infos.fieldInfo(CONTENTS)
    if contents is not None and not contents.hasVectors():
        raise UsageError(
            f"{folder}: the index does not store which words its documents have, which feedback reads; "
            f"build it again ({option(feedback=True)})"
        )


def check_fields(fields: Mapping[str, float], known: tuple[str, ...] | None, place: Path) -> None:
    """Raise UsageError for invalid weights, and for fields that a known index lacks."""
    if not fields or not all(math.isfinite(weight) and weight > 0 for weight in fields.values()):
        raise UsageError(f"each searched field has a weight above 0; got {dict(fields)}")
    for name in fields:
        if known is not None and name not in known:
            raise UsageError(f"{place}: no field {name!r} is indexed; {instead(name, known)}")


def _java_weights(fields: Mapping[str, float]) -> Any:
    weights = java.java_class("java.util.HashMap")()
    as_float = java.java_class("java.lang.Float")
    for name, weight in fields.items():
        weights.put(name, as_float(weight))
    return weights


def _hits_writer() -> Any:
    """Make a JSON writer for hits, each `["document", score]`, without Lucene's internal fields."""
    from jnius import find_javaclass

    writer = java.java_class("com.fasterxml.jackson.databind.ObjectMapper")()
    yes = java.java_class("java.lang.Boolean")(True)
    whole_number = java.java_class("java.lang.Integer").TYPE
    for ignored in (find_javaclass("org.apache.lucene.document.Document"), whole_number):
        writer.configOverride(ignored).setIsIgnoredType(yes)
    array = java.java_class("com.fasterxml.jackson.annotation.JsonFormat$Shape").ARRAY
    form = java.java_class("com.fasterxml.jackson.annotation.JsonFormat$Value").forShape(array)
    writer.configOverride(find_javaclass("io.anserini.search.ScoredDoc")).setFormat(form)
    return writer
