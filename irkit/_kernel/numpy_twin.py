"""The kernel in plain Python and NumPy.

Fields are split on ASCII white space (space, tab, CR, VT, FF), lines on LF, as trec_eval's readers do. Blank lines and
lines whose first sign is `#` are passed over. Ids are compared as bytes.

References
----------
trec_eval 10.0: get_trec_results.c, get_qrels.c, form_res_rels.c.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import INT64_MAX, Matches, QrelsColumns, RunColumns
from irkit.errors import FormatError
from irkit.ids import Ids, to_text

RUN_LINE = "A run line is 'topic Q0 document rank score tag'"
QRELS_LINE = "A qrels line is 'topic iteration document grade'"


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
    topics: dict[bytes, dict[bytes, float]] = {}
    tag = b""
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split(None, 6)
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            raise FormatError(name, f"expected 6 fields, found {len(fields)}: {_quoted(line)}. {RUN_LINE}", number)
        topic, _, document, _, text, tag = fields[:6]
        score = _score(text, name, number)
        documents = topics.setdefault(topic, {})
        if document in documents:
            raise _twice(data, name, topic, document, number)
        documents[document] = score
    return rank(topics, tag)


def rank(topics: Mapping[bytes, Mapping[bytes, float]], tag: bytes) -> RunColumns:
    """Put the documents of each topic in trec_eval's order: score falling, then document id falling in bytes.

    Parameters
    ----------
    topics : mapping of topic to mapping of document to score
        No score is nan.
    tag : bytes
        The run's name for itself.
    """
    ordered = sorted(topics)
    ranked = [sorted(zip(topics[topic].values(), topics[topic], strict=True), reverse=True) for topic in ordered]
    return RunColumns(
        ordered,
        _starts(map(len, ranked)),
        Ids.of(document for rows in ranked for _, document in rows),
        np.array([score for rows in ranked for score, _ in rows], dtype=np.float64),
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
    topics: dict[bytes, dict[bytes, int]] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != 4:
            raise FormatError(name, f"expected 4 fields, found {len(fields)}: {_quoted(line)}. {QRELS_LINE}", number)
        topic, _, document, text = fields
        grade = _grade(text, name, number)
        documents = topics.setdefault(topic, {})
        if document in documents:
            raise _twice(data, name, topic, document, number)
        documents[document] = grade
    return gather(topics)


def gather(topics: Mapping[bytes, Mapping[bytes, int]]) -> QrelsColumns:
    """Put the judgments of the topics end to end, topics in byte order, documents as they come."""
    ordered = sorted(topics)
    return QrelsColumns(
        ordered,
        _starts(len(topics[topic]) for topic in ordered),
        Ids.of(chain.from_iterable(topics[topic] for topic in ordered)),
        np.fromiter(chain.from_iterable(topics[topic].values() for topic in ordered), dtype=np.int64),
    )


def match(run: RunColumns, qrels: QrelsColumns, topics: Sequence[bytes]) -> Matches:
    """Find the judged documents of a ranked run.

    Parameters
    ----------
    run : RunColumns
    qrels : QrelsColumns
    topics : sequence of bytes
        The topics to look at, in byte order. Each is in the qrels; one that is not in the run has no matches.
    """
    run_place = {topic: place for place, topic in enumerate(run.topics)}
    qrels_place = {topic: place for place, topic in enumerate(qrels.topics)}
    rows: list[tuple[int, int, int]] = []
    for index, topic in enumerate(topics):
        if topic not in run_place:
            continue
        judged, retrieved = qrels_place[topic], run_place[topic]
        span = slice(qrels.starts[judged], qrels.starts[judged + 1])
        grades = dict(zip(qrels.documents[span], qrels.grades[span].tolist(), strict=True))
        documents = run.documents[run.starts[retrieved] : run.starts[retrieved + 1]]
        rows.extend((index, rank, grades[document]) for rank, document in enumerate(documents, 1) if document in grades)
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    return Matches(*(np.ascontiguousarray(column) for column in table.T))


def _score(text: bytes, name: str, number: int) -> float:
    # float() takes an underscore between digits, and nan; a run has neither.
    try:
        score = float(text)
    except ValueError:
        score = np.nan
    if score != score or b"_" in text:
        raise FormatError(name, f"the score {_quoted(text)} is no decimal number such as 12.5 or 1e-3", number)
    return score


def _grade(text: bytes, name: str, number: int) -> int:
    # At most 19 digits that count: int() itself refuses thousands of them.
    if not re.fullmatch(rb"[+-]?0*[0-9]{1,19}(\.0*)?", text) or abs(grade := int(text.partition(b".")[0])) > INT64_MAX:
        raise FormatError(name, f"the grade {_quoted(text)} is no whole number; round it or map it to one", number)
    return grade


def _twice(data: bytes, name: str, topic: bytes, document: bytes, number: int) -> FormatError:
    for first, line in enumerate(data.split(b"\n"), 1):  # noqa: B007 - the number found is used after the loop
        if (fields := line.split(None, 3))[:1] == [topic] and fields[2:3] == [document]:
            break
    return FormatError(
        name,
        f"document {_quoted(document)} stands twice in topic {_quoted(topic)}, first in line {first}; keep one of them",
        number,
    )


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _quoted(text: bytes) -> str:
    return repr(to_text(text[:80])) + ("..." if len(text) > 80 else "")
