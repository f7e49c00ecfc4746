"""The kernel in plain Python and NumPy.

Fields are split on ASCII white space (space, tab, CR, VT, FF), lines on LF, as trec_eval's readers do. Blank lines and
lines whose first sign is `#` are passed over. Ids are compared as bytes.

References
----------
trec_eval 10.0: get_trec_results.c, get_qrels.c, form_res_rels.c.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit._kernel import problems
from irkit._kernel.columns import INT64_MAX, ArrowTable, Matches, QrelsColumns, Retrieved, RunColumns
from irkit.errors import FormatError
from irkit.ids import Ids
from irkit.textio import BYTE_ORDER_MARK, check_no_nul


def parse_run(data: bytes, name: str) -> RunColumns:
    """Read a TREC run and put each topic in trec_eval's order: score falling, then document id falling in bytes.

    Parameters
    ----------
    data : bytes
        The file. Fields after the tag are ignored, and so are the second field and the rank.
    name : str
        What the file is called in messages.

    Raises
    ------
    FormatError
        For a line with fewer than six fields, a score that is no decimal number, or a document twice in a topic.
    """
    topics: list[bytes] = []
    documents: list[bytes] = []
    scores: list[float] = []
    seen: set[tuple[bytes, bytes]] = set()
    tag = b""
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split(None, 6)
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            raise problems.too_few_fields(name, number, len(fields), line)
        topic, _, document, _, text, tag = fields[:6]
        scores.append(_score(text, name, number))
        if (topic, document) in seen:
            raise _twice(data, name, topic, document, number)
        seen.add((topic, document))
        topics.append(topic)
        documents.append(document)
    return rank(Ids.of(topics), Ids.of(documents), np.array(scores, dtype=np.float64), tag)


def rank(topics: Ids, documents: Ids, scores: npt.NDArray[np.float64], tag: bytes) -> RunColumns:
    """Group rows by topic and put each in trec_eval's order: score falling, then document id falling in bytes.

    Parameters
    ----------
    topics, documents : Ids
        Of the rows, which come in any order.
    scores : float64 array
        One a row, none of them nan.
    tag : bytes
        The run's name for itself.

    Raises
    ------
    TwiceError
        If a document stands twice in a topic.
    """
    ordered, rows = _grouped(topics, documents, scores.tolist())
    for documents_of_topic in rows:
        documents_of_topic.sort(key=lambda row: (row[1], row[0]), reverse=True)
    return RunColumns(
        ordered,
        _starts(map(len, rows)),
        Ids.of(document for topic in rows for document, _ in topic),
        np.array([score for topic in rows for _, score in topic], dtype=np.float64),
        tag,
    )


def parse_qrels(data: bytes, name: str) -> QrelsColumns:
    """Read TREC qrels.

    Parameters
    ----------
    data : bytes
        The file. The iteration field is not used.
    name : str
        What the file is called in messages.

    Raises
    ------
    FormatError
        For a line that does not have four fields, a grade that is no whole number, or a document twice in a topic.
    """
    topics: list[bytes] = []
    documents: list[bytes] = []
    grades: list[int] = []
    seen: set[tuple[bytes, bytes]] = set()
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != 4:
            raise problems.not_four_fields(name, number, len(fields), line)
        topic, _, document, text = fields
        grades.append(_grade(text, name, number))
        if (topic, document) in seen:
            raise _twice(data, name, topic, document, number)
        seen.add((topic, document))
        topics.append(topic)
        documents.append(document)
    return gather(Ids.of(topics), Ids.of(documents), np.array(grades, dtype=np.int64))


def gather(topics: Ids, documents: Ids, grades: npt.NDArray[np.int64]) -> QrelsColumns:
    """Group rows by topic, topics in byte order, rows of a topic as they come; parameters and errors as `rank`."""
    ordered, rows = _grouped(topics, documents, grades.tolist())
    return QrelsColumns(
        ordered,
        _starts(map(len, rows)),
        Ids.of(document for topic in rows for document, _ in topic),
        np.array([grade for topic in rows for _, grade in topic], dtype=np.int64),
    )


def first_unfit(ids: Ids) -> int:
    """The place of the first id that cannot be a field of a line, empty or with white space or NUL; -1: all can."""
    return next((place for place, name in enumerate(ids) if name.split() != [name] or b"\0" in name), -1)


def format_run(run: RunColumns) -> bytes:
    """The lines `topic Q0 document rank score tag` of a ranked run.

    Ranks count from 1; scores have the fewest digits that read back equal.

    Parameters
    ----------
    run : RunColumns
        Its ids and tag can be fields of a line.
    """
    lines: list[bytes] = []
    for topic, (low, high) in zip(run.topics, pairwise(run.starts.tolist()), strict=True):
        rows = zip(run.documents[low:high], run.scores[low:high].tolist(), strict=True)
        lines.extend(
            b"%s Q0 %s %d %s %s\n" % (topic, document, rank, repr(score).encode(), run.tag)
            for rank, (document, score) in enumerate(rows, 1)
        )
    return b"".join(lines)


class Pool:
    """Qrels, prepared once for any number of runs."""

    def __init__(self, qrels: QrelsColumns) -> None:
        self.qrels = qrels


def match(run: RunColumns, pool: Pool) -> Matches:
    """Find the judged documents of a ranked run; `topic` of a match is the place in the qrels."""
    qrels = pool.qrels
    run_place = {topic: place for place, topic in enumerate(run.topics)}
    rows: list[tuple[int, int, int]] = []
    for judged, topic in enumerate(qrels.topics):
        if topic not in run_place:
            continue
        retrieved = run_place[topic]
        span = slice(qrels.starts[judged], qrels.starts[judged + 1])
        grades = dict(zip(qrels.documents[span], qrels.grades[span].tolist(), strict=True))
        documents = run.documents[run.starts[retrieved] : run.starts[retrieved + 1]]
        rows.extend(
            (judged, rank, grades[document]) for rank, document in enumerate(documents, 1) if document in grades
        )
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    return Matches(*(np.ascontiguousarray(column) for column in table.T))


class Scorer:
    """A run that comes in pieces and only once -> its judged documents.

    Parameters
    ----------
    pool : Pool
    name : str
        What the run is called in messages.
    float32 : bool
        Scores are compared as 32-bit floats.
    """

    def __init__(self, pool: Pool, name: str, *, float32: bool = False) -> None:
        self._pool, self._name, self._float32 = pool, name, float32
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the run. What is wrong in them is said by `finish`."""
        self._pieces.append(data)

    def finish(self) -> Retrieved | None:
        """What was found; None where topics lie scattered and the run has to be read whole, which never is so here.

        Raises
        ------
        FormatError
            For a NUL byte, wherever it is; else for the first bad line, as `parse_run`.
        """
        data = b"".join(self._pieces).removeprefix(BYTE_ORDER_MARK)
        check_no_nul(data, self._name)
        run = parse_run(data, self._name)
        if self._float32:
            run = _rounded(run)
        return Retrieved(run.topics, np.diff(run.starts), match(run, self._pool), run.tag)


def score_file(
    descriptor: int, size: int, pool: Pool, name: str, *, float32: bool = False, threads: int = 1, piece: int = 0
) -> Retrieved | None:
    """A run in a regular file -> its judged documents.

    Parameters
    ----------
    descriptor : int
        The file, not compressed.
    size : int
        Its size in bytes.
    pool : Pool
    name : str
        What the run is called in messages.
    float32 : bool
        Scores are compared as 32-bit floats.
    threads : int
        How many may read; here one does.
    piece : int
        Bytes that a thread takes at once; 0 leaves it to the kernel.

    Returns
    -------
    Retrieved, or None
        None where topics lie scattered and the run has to be read whole, which never is so here.

    Raises
    ------
    FormatError
        As `Scorer.finish`.
    """
    scorer = Scorer(pool, name, float32=float32)
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        scorer.feed(stream.read(size))
    return scorer.finish()


def score_mapping(run: Mapping[Any, Any], pool: Pool, *, float32: bool = False) -> Retrieved | None:
    """A run in a dict -> its judged documents.

    Parameters
    ----------
    run : mapping of topic to mapping of document to score, or to documents in ranked order
    pool : Pool
    float32 : bool
        Scores are compared as 32-bit floats.

    Returns
    -------
    Retrieved, or None
        None where the mapping has to be checked and ranked by `irkit.runs`, which here is always so.
    """
    return None


def arrow_table(table: Any) -> ArrowTable | None:
    """A table of another library, by its Arrow stream.

    Parameters
    ----------
    table : object with `__arrow_c_stream__`

    Returns
    -------
    ArrowTable, or None
        None where the table has to be read by Python, which here is always so.

    Raises
    ------
    Exception
        Whatever its library raises, such as pandas where PyArrow is not installed; RuntimeError where the stream breaks
        off or holds no columns.
    """
    return None


def _rounded(run: RunColumns) -> RunColumns:
    with np.errstate(over="ignore"):
        scores = run.scores.astype(np.float32).astype(np.float64)
    lengths = np.diff(run.starts).tolist()
    topics = Ids.of(topic for topic, length in zip(run.topics, lengths, strict=True) for _ in range(length))
    return rank(topics, run.documents, scores, run.tag)


def _grouped(topics: Ids, documents: Ids, numbers: list[Any]) -> tuple[list[bytes], list[list[tuple[bytes, Any]]]]:
    """Topics in byte order, and the (document, number) of each."""
    rows: dict[bytes, list[tuple[bytes, Any]]] = {}
    first: dict[tuple[bytes, bytes], int] = {}
    for row, (topic, document, number) in enumerate(zip(topics, documents, numbers, strict=True)):
        if (known := first.setdefault((topic, document), row)) != row:
            raise problems.TwiceError(row, known)
        rows.setdefault(topic, []).append((document, number))
    ordered = sorted(rows)
    return ordered, [rows[topic] for topic in ordered]


def _score(text: bytes, name: str, number: int) -> float:
    # float() takes an underscore between digits, and nan; a run has neither.
    try:
        score = float(text)
    except ValueError:
        score = np.nan
    if score != score or b"_" in text:
        raise problems.no_score(name, number, text)
    return score


def _grade(text: bytes, name: str, number: int) -> int:
    # At most 19 digits that count: int() itself refuses thousands of them.
    if not re.fullmatch(rb"[+-]?0*[0-9]{1,19}(\.0*)?", text) or abs(grade := int(text.partition(b".")[0])) > INT64_MAX:
        raise problems.no_grade(name, number, text)
    return grade


def _twice(data: bytes, name: str, topic: bytes, document: bytes, number: int) -> FormatError:
    for first, line in enumerate(data.split(b"\n"), 1):  # noqa: B007 - the number found is used after the loop
        if (fields := line.split(None, 3))[:1] == [topic] and fields[2:3] == [document]:
            break
    return problems.twice(name, number, first, topic, document)


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)
