"""The compiled kernel, with the signatures of the NumPy twin; `numpy_twin` documents each function."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit._kernel import _compiled, problems
from irkit._kernel.columns import (
    JudgmentLines,
    Matches,
    Merged,
    QrelsColumns,
    Reranked,
    Retrieved,
    RunColumns,
    RunSurvey,
    most_rows,
)
from irkit._utils.cores import n_cores
from irkit.errors import FormatError
from irkit.files.textio import nul_byte
from irkit.ids import Ids

__all__ = [
    "Pool",
    "Scorer",
    "arrow_table",
    "first_unfit",
    "format_run",
    "gather",
    "judgment_lines",
    "match",
    "merge",
    "parse_file",
    "parse_qrels",
    "parse_run",
    "rank",
    "rerank",
    "score_file",
    "score_mapping",
    "survey_run",
]

CHUNK = 1 << 18  # bytes read at once: they stay in the processor's cache
PIECE = 1 << 22  # bytes that a thread takes at once, where a file is large
N_PIECES = 16  # pieces a thread of a smaller file, so that no thread waits long for another

Told = tuple[int, int, int, int, bytes, bytes]


def parse_run(data: bytes, name: str) -> RunColumns:
    """Read a TREC run and put each topic in trec_eval's order."""
    columns, problem = _compiled.parse_run(data, n_cores())
    if problem is not None:
        raise _error(problem, name)
    topics, starts, ids, offsets, scores, tag = columns
    return RunColumns(topics, starts, Ids(ids, offsets), scores, tag)


def parse_file(descriptor: int, size: int, *, threads: int = 0, piece: int = 0) -> RunColumns | None:
    """Read a TREC run in a regular file, on all cores if `threads` is 0."""
    if not hasattr(_compiled, "parse_file"):  # Windows, where a file is not read at a place
        return None
    n_threads = threads or n_cores()
    columns = _compiled.parse_file(descriptor, size, n_threads, piece or _piece(size, n_threads))
    if columns is None:
        return None
    topics, starts, ids, offsets, scores, tag = columns
    return RunColumns(topics, starts, Ids(ids, offsets), scores, tag)


def parse_qrels(data: bytes, name: str) -> QrelsColumns:
    """Read TREC qrels."""
    columns, problem = _compiled.parse_qrels(data, n_cores())
    if problem is not None:
        _, line, _, _, text, whole = problem
        raise problems.no_grade(name, line, text, whole) if problem[0] == 2 else _error(problem, name)
    topics, starts, ids, offsets, grades, _ = columns
    return QrelsColumns(topics, starts, Ids(ids, offsets), grades)


def rank(topics: Ids, documents: Ids, scores: npt.NDArray[np.float64], tag: bytes) -> RunColumns:
    """Build a run from rows in any order, each topic in trec_eval's order."""
    columns, twice = _compiled.rank(topics.data, topics.offsets, documents.data, documents.offsets, scores, n_cores())
    if twice is not None:
        raise problems.TwiceError(*twice)
    names, starts, ids, offsets, ranked, _ = columns
    return RunColumns(names, starts, Ids(ids, offsets), ranked, tag)


def gather(topics: Ids, documents: Ids, grades: npt.NDArray[np.int64]) -> QrelsColumns:
    """Build qrels from rows in any order; rows of a topic keep their order."""
    columns, twice = _compiled.gather(topics.data, topics.offsets, documents.data, documents.offsets, grades, n_cores())
    if twice is not None:
        raise problems.TwiceError(*twice)
    names, starts, ids, offsets, gathered, _ = columns
    return QrelsColumns(names, starts, Ids(ids, offsets), gathered)


def first_unfit(ids: Ids) -> int:
    """Return the place of the first id that is no valid field of a line; -1 where all are valid."""
    return _compiled.first_unfit(ids.data, ids.offsets)


def format_run(run: RunColumns) -> bytes:
    """Format a ranked run as lines."""
    topics, documents = Ids.of(run.topics), run.documents
    return _compiled.format_run(
        topics.data, topics.offsets, run.starts, documents.data, documents.offsets, run.scores, run.tag, n_cores()
    )


class Pool:
    """Qrels, prepared once for any number of runs."""

    def __init__(self, qrels: QrelsColumns) -> None:
        self.qrels = qrels
        topics = Ids.of(qrels.topics)
        documents = qrels.documents
        self.table = _compiled.Pool(
            topics.data, topics.offsets, qrels.starts, documents.data, documents.offsets, qrels.grades
        )


def match(run: RunColumns, pool: Pool) -> Matches:
    """Find the judged documents of a ranked run; `topic` of a match is the place of the topic in the qrels."""
    place = {topic: place for place, topic in enumerate(run.topics)}
    places = np.array([place.get(topic, -1) for topic in pool.qrels.topics], dtype=np.int64)
    documents = run.documents
    return Matches(*_compiled.match(pool.table, places, run.starts, documents.data, documents.offsets, run.scores))


def merge(runs: Sequence[RunColumns], places: npt.NDArray[np.int64], depth: int | None) -> Merged:
    """Merge the documents of ranked runs for some topics: each document once, with its rank and score in each run."""
    columns = [(run.starts, run.documents.data, run.documents.offsets, run.scores) for run in runs]
    flat = np.ascontiguousarray(places).reshape(-1)
    starts, ids, offsets, ranks, scores = _compiled.merge(columns, flat, most_rows(depth), n_cores())
    shape = (len(runs), len(offsets) - 1)
    return Merged(starts, Ids(ids, offsets), ranks.reshape(shape).T, scores.reshape(shape).T)


def rerank(
    starts: npt.NDArray[np.int64], documents: Ids, scores: npt.NDArray[np.float64], depth: int | None
) -> Reranked:
    """Rank documents by new scores, each topic in trec_eval's order and cut at a depth."""
    ranked = _compiled.rerank(starts, documents.data, documents.offsets, scores, most_rows(depth), n_cores())
    _, starts, ids, offsets, scores, _ = ranked
    return Reranked(starts, Ids(ids, offsets), scores)


class Scorer:
    """Find the judged documents of a run in one pass over its pieces; memory holds only the current topic."""

    def __init__(self, pool: Pool, name: str, *, float32: bool = False) -> None:
        self._name = name
        self._stream = _compiled.Stream(pool.table, float32)

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the run; `finish` reports errors in them."""
        self._stream.feed(data)

    def finish(self) -> Retrieved | None:
        """Return the judged documents; None where topics are scattered, so that the run must be read whole."""
        return _retrieved(self._stream.finish(), self._name)


def score_file(
    descriptor: int, size: int, pool: Pool, name: str, *, float32: bool = False, threads: int = 0, piece: int = 0
) -> Retrieved | None:
    """Find the judged documents of a run in a regular file, on all cores if `threads` is 0."""
    if not hasattr(_compiled, "score_file"):  # Windows, where a file is not read at a place
        return _streamed(descriptor, size, pool, name, float32)
    n_threads = threads or n_cores()
    chunk = min(piece or CHUNK, CHUNK)
    piece = piece or _piece(size, n_threads)
    found = _compiled.score_file(descriptor, size, pool.table, float32, n_threads, piece, chunk)
    return _streamed(descriptor, size, pool, name, float32) if found is None else _retrieved(found, name)


def score_mapping(run: Mapping[Any, Any], pool: Pool, *, float32: bool = False) -> Retrieved | None:
    """Find the judged documents of a run in a dict; None where a value is not of the plain built-in type."""
    # A class made from a dict may have other words for what it holds.
    if not isinstance(run, dict) or type(run) not in (dict, defaultdict):
        return None
    found = _compiled.score_mapping(run, pool.table, float32, np.str_, np.float16, np.float32, np.float64)
    return None if found is None else _retrieved(found, "run")


def survey_run(data: bytes) -> RunSurvey:
    """Survey a run file, including a faulty one."""
    n_threads = n_cores()
    found = RunSurvey(*_compiled.survey_run(data, n_threads, _piece(len(data), n_threads)))
    return found._replace(misplaced=found.misplaced.reshape(-1, 2), contradiction=found.contradiction.reshape(-1, 2))


def judgment_lines(data: bytes, kinds: str) -> JudgmentLines | None:
    """Read a file of judgments of which each line has these kinds of fields; None where a line has not."""
    found = _compiled.judgment_lines(data, kinds.encode(), n_cores())
    if found is None:
        return None
    topics, starts, ids, offsets, document, names, name, wholes, decimals = found
    return JudgmentLines(topics, starts, Ids(ids, offsets), document, names, name, wholes, decimals)


class ArrowTable:
    """A table of another library, imported by its Arrow stream and read without a copy."""

    def __init__(self, stream: Any) -> None:
        self._table = _compiled.Table(stream)
        self.names = self._table.names()

    def column(self, place: int) -> Ids | npt.NDArray[Any] | list[Any] | None:
        """Read a column, as `columns.ArrowTable` does."""
        column = self._table.column(place)
        return Ids(*column) if isinstance(column, tuple) else column

    def type_of(self, place: int) -> str:
        """Arrow type of a column."""
        return self._table.format(place)


def arrow_table(table: Any) -> ArrowTable | None:
    """Import a table of another library by its Arrow stream."""
    return ArrowTable(table.__arrow_c_stream__())


def _piece(size: int, n_threads: int) -> int:
    """The bytes that a thread takes at once of a file of this size."""
    return min(max(size // (N_PIECES * n_threads), CHUNK), PIECE)


def _streamed(descriptor: int, size: int, pool: Pool, name: str, float32: bool) -> Retrieved | None:
    scorer = Scorer(pool, name, float32=float32)
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        while size > 0:
            if not (data := stream.read(min(size, CHUNK))):
                raise problems.became_shorter(name)
            scorer.feed(data)
            size -= len(data)
    return scorer.finish()


def _retrieved(
    outcome: tuple[
        tuple[list[bytes], npt.NDArray[np.int64], tuple[npt.NDArray[np.int64], ...], bytes] | None, Told | None
    ],
    name: str,
) -> Retrieved | None:
    found, problem = outcome
    if problem is not None:
        raise _error(problem, name)
    if found is None:
        return None
    topics, lengths, matches, tag = found
    return Retrieved(topics, lengths, Matches(*matches), tag)


def _error(problem: Told, name: str) -> FormatError:
    kind, line, first, n_fields, text, topic = problem
    match kind:
        case 1:
            return problems.too_few_fields(name, line, n_fields, text)
        case 2:
            return problems.no_score(name, line, text)
        case 3:
            return problems.twice(name, line, first, topic, text)
        case 4:
            return nul_byte(name, line, text)
        case 6:
            return problems.became_shorter(name)
        case 7:
            return problems.no_rank(name, line, n_fields, text, topic)
        case 8:
            return problems.moved(name, line, n_fields, text, topic)
        case _:
            return problems.not_four_fields(name, line, n_fields, text)
