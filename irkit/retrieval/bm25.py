"""BM25 by Lucene: index documents as Anserini does, and search the index."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irkit._utils.cores import n_cores
from irkit._utils.progress import progress
from irkit._utils.text import counted, instead
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.retrieval import java
from irkit.retrieval.analysis import Analysis, analysis_of
from irkit.retrieval.feedback import Feedback, Rm3, Rocchio
from irkit.retrieval.indexing import build_index
from irkit.retrieval.lucene import Searcher, check_fields
from irkit.retrieval.lucene_search import TopicAnswer, answer, check_some_found, notes_of
from irkit.retrieval.manifest import MANIFEST, LuceneManifest, Manifest, read_manifest
from irkit.retrieval.ranking import Allowed, Detail, Retrieved, check_depth, check_floor, check_topics
from irkit.retrieval.texts import CONTENTS

if TYPE_CHECKING:
    from os import PathLike

    from irkit.data.topics import Topic

__all__ = ["HIGHEST_K1", "HIGHEST_MU", "MODELS", "Analysis", "Rm3", "Rocchio", "build_index", "search"]

MODELS: Final = ("bm25", "qld")
HIGHEST_K1: Final = 1e6  # above this limit scores hardly differ, and Lucene's 32-bit floats overflow
HIGHEST_MU: Final = 1e6


def search(
    folder: "str | PathLike[str]",
    topics: "Iterable[Topic]",
    *,
    k: int = 1000,
    model: str = "bm25",
    k1: float = 0.9,
    b: float = 0.4,
    mu: float = 1000.0,
    fields: Mapping[str, float] | None = None,
    feedback: Feedback | None = None,
    analysis: Analysis | None = None,
    allowed: Allowed | None = None,
    floor: float | None = None,
    threads: int | None = None,
    tag: str = "bm25",
) -> Retrieved:
    """Search an index with every topic; a query is a bag of words, without operators.

    Parameters
    ----------
    folder : path
        The index, made by `build_index` or by Anserini.
    topics : iterable of Topic
    k : int
        Maximum number of documents for each topic, at least 1.
    model : {"bm25", "qld"}
        Okapi BM25, or query likelihood with Dirichlet smoothing (Zhai and Lafferty, SIGIR 2001).
    k1, b : float
        BM25's parameters; Anserini's defaults.
    mu : float
        Dirichlet smoothing of query likelihood, in words; Anserini's default.
    fields : mapping of str to float, optional
        Weights of separately indexed fields; the score of a document is the weighted sum of the scores of its fields.
        `contents` is the whole text, the only field searched by default.
    feedback : Rm3 or Rocchio, optional
        Search again with a query expanded by words of the first documents, whether filters allow these or not. The
        index must store the words of documents.
    analysis : Analysis, optional
        Analysis of an index made by another program, if it is not Anserini's default. An index of irkit records its
        own.
    allowed : function, optional
        Returns the documents allowed for a topic, or None for all. Applied before the cut at k.
    floor : float, optional
        Abstain: a topic returns nothing if the score of its best allowed document is below the floor.
    threads : int, optional
        Topics searched in parallel; by default the number of cores. The run does not depend on it.
    tag : str
        Name of the run.

    Returns
    -------
    Retrieved
        The same run as Pyserini writes. Anserini rounds scores to four decimals, ranks ties by ascending document id,
        also across the cut, and lowers each tied score to a millionth below the previous one, so that the order
        remains when the run is read again. A note names each topic on which Lucene fails; other topics are searched.

    Raises
    ------
    DataError
        If the folder is not an index, or Lucene fails on every topic.
    UsageError
        If a parameter is out of range, a field is not in the index, parameters do not fit together, or the index does
        not store the words of documents that feedback needs.
    MissingDependencyError
        If Pyserini or Java is missing.
    """
    check_depth(k)
    check_floor(floor)
    parameters = _model_parameters(model, k1, b, mu)
    n_threads = n_cores() if threads is None else threads
    if n_threads < 1:
        raise UsageError(f"at least one thread is needed to search; got {threads}")
    _check_feedback(feedback, fields, allowed)
    place = Path(folder)
    manifest = read_manifest(place, "bm25") if place.is_dir() else None
    if fields is not None:
        check_fields(fields, (CONTENTS, *manifest.fields) if manifest else None, place)
    read_as = _analysis(manifest, analysis, place)
    topics = list(topics)
    check_topics(topics)
    if manifest is not None:
        manifest.check_files(place)
    with Searcher(place, read_as, fields=fields, feedback=feedback) as searcher:
        if manifest is None:
            searcher.check_integrity()
        else:
            manifest.check_still_there(place)
        if model == "qld":
            searcher.use_query_likelihood(mu)
        else:
            searcher.use_bm25(k1, b)
        size = searcher.size
        if manifest is not None and manifest.indexed != size:
            raise DataError(
                f"{place}: {manifest.indexed} documents in its manifest, {size} in the index; build it again"
            )
        with progress("searching", len(topics)) as advance:

            def answered(query: "tuple[Topic, frozenset[str] | None]") -> TopicAnswer:
                result = answer(searcher, *query, k=k, feedback=feedback, floor=floor)
                advance(1)
                return result

            queries = ((topic, allowed(topic) if allowed else None) for topic in topics)
            answers = java.in_threads(answered, queries, min(n_threads, max(1, len(topics))))
    check_some_found(topics, answers)
    hits = {topic.id: got.hits for topic, got in zip(topics, answers, strict=True) if got.hits}
    details: dict[str, Detail] = {"engine": model, "k": k, **parameters, "fields": _weights(fields), "documents": size}
    details["analysis"] = str(read_as)
    if feedback is not None:
        details["feedback"] = str(feedback)
    if floor is not None:
        details["floor"] = floor
    if manifest is not None:
        details |= {"content": manifest.content, **manifest.versions}
    notes = (*notes_of(topics, answers, floor), *_notes_of_index(manifest, analysis))
    return Retrieved(Run.from_scores(hits, tag), notes, details)


def _notes_of_index(manifest: Manifest | None, analysis: Analysis | None) -> Iterator[str]:
    if manifest is None:
        if analysis is None:
            yield f"the index does not record how its texts became words; Anserini's default is assumed ({Analysis()})"
    elif manifest.indexed != manifest.documents:
        left_out = manifest.documents - manifest.indexed
        yield f"{left_out} of {counted(manifest.documents, 'document')} without text cannot be found"


def _model_parameters(model: str, k1: float, b: float, mu: float) -> dict[str, Detail]:
    if model not in MODELS:
        raise UsageError(f"unknown model {model!r}; {instead(model, MODELS)}")
    if not (0 <= k1 <= HIGHEST_K1 and 0 <= b <= 1):
        raise UsageError(f"BM25 needs k1 from 0 to {HIGHEST_K1:g} and b from 0 to 1; got k1 {k1:g} and b {b:g}")
    if not 0 < mu <= HIGHEST_MU:
        raise UsageError(f"query likelihood needs mu above 0 and up to {HIGHEST_MU:g}; got {mu:g}")
    return {"mu": mu} if model == "qld" else {"k1": k1, "b": b}


def _check_feedback(feedback: Feedback | None, fields: Mapping[str, float] | None, allowed: Allowed | None) -> None:
    if feedback is None:
        return
    if fields is not None:
        raise UsageError(
            "feedback ranks by the whole text only, and ignores the weights of fields; leave one of them out"
        )
    if isinstance(feedback, Rocchio) and feedback.use_negative and allowed is not None:
        raise UsageError(
            "Rocchio assumes that the last of the k documents are nonrelevant, and filters need more than k; "
            "leave out use_negative or the filters"
        )


def _analysis(manifest: Manifest | None, given: Analysis | None, place: Path) -> Analysis:
    if manifest is None:
        return given or Analysis()
    assert isinstance(manifest, LuceneManifest)
    recorded = analysis_of(manifest.analysis, str(place / MANIFEST))
    if given is not None and given != recorded:
        raise UsageError(f"{place}: was indexed as {recorded}, and cannot be searched as {given}; leave it out")
    return recorded


def _weights(fields: Mapping[str, float] | None) -> str:
    return " ".join(f"{name}={weight:g}" for name, weight in (fields or {}).items())
