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
HIGHEST_K1: Final = 1e6  # beyond it all scores are alike, and Lucene's 32-bit floats overflow
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
    """Search an index; every query is a bag of words, whatever signs stand in it.

    Parameters
    ----------
    folder : path
        The index, by `build_index` or by Anserini.
    topics : iterable of Topic
    k : int
        Documents for each topic at most, at least 1.
    model : {"bm25", "qld"}
        Okapi BM25, or query likelihood with Dirichlet smoothing (Zhai and Lafferty, SIGIR 2001).
    k1, b : float
        BM25's parameters; Anserini's defaults.
    mu : float
        Query likelihood's words of smoothing; Anserini's default.
    fields : mapping of str to float, optional
        Weights of fields that were indexed apart; a document scores the weighted sum of its fields' scores. `contents`
        is the whole text. By default that alone is searched.
    feedback : Rm3 or Rocchio, optional
        Search again by a query that has grown by words of the first documents, whatever the filters. The index has to
        store the words of documents.
    analysis : Analysis, optional
        How the texts of the index became words, where it was made by another program and is not Anserini's default.
        An index of irkit says so itself.
    allowed : function, optional
        The documents that a topic may return, or None for all. Applied before the cut at k.
    floor : float, optional
        Abstain: a topic whose best allowed document scores less returns nothing.
    threads : int, optional
        Topics searched at once; as many as there are cores if not given. The run is the same.
    tag : str
        The run's name.

    Returns
    -------
    Retrieved
        The run that Pyserini writes. Anserini rounds scores to four decimals, ranks those that tie by document id,
        rising, also across the cut, and lowers each of them by a millionth below the one before, so that the order
        holds when the run is read again. A topic on which Lucene fails is named in a note, and the others go on.

    Raises
    ------
    DataError
        If the folder is no index, or Lucene fails on every topic.
    UsageError
        If a parameter is out of range, a field is not in the index, parameters do not go together, or feedback is
        asked of an index without the words of documents.
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

            def answered(asked: "tuple[Topic, frozenset[str] | None]") -> TopicAnswer:
                found = answer(searcher, *asked, k=k, feedback=feedback, floor=floor)
                advance(1)
                return found

            asked = ((topic, allowed(topic) if allowed else None) for topic in topics)
            answers = java.in_threads(answered, asked, min(n_threads, max(1, len(topics))))
    check_some_found(topics, answers)
    found = {topic.id: got.hits for topic, got in zip(topics, answers, strict=True) if got.hits}
    details: dict[str, Detail] = {"engine": model, "k": k, **parameters, "fields": _weights(fields), "documents": size}
    details["analysis"] = str(read_as)
    if feedback is not None:
        details["feedback"] = str(feedback)
    if floor is not None:
        details["floor"] = floor
    if manifest is not None:
        details |= {"content": manifest.content, **manifest.versions}
    notes = (*notes_of(topics, answers, floor), *_notes_of_index(manifest, analysis))
    return Retrieved(Run.from_scores(found, tag), notes, details)


def _notes_of_index(manifest: Manifest | None, analysis: Analysis | None) -> Iterator[str]:
    if manifest is None:
        if analysis is None:
            yield f"the index does not say how its texts became words; taken for Anserini's default ({Analysis()})"
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
            "feedback ranks by the whole text alone, and would forget the weights of fields; leave one of them out"
        )
    if isinstance(feedback, Rocchio) and feedback.use_negative and allowed is not None:
        raise UsageError(
            "Rocchio takes the last of the k documents found for nonrelevant, and filters need more than k; "
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
