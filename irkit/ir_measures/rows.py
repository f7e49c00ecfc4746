"""The rows of runs and qrels as ir_measures has them, and files read into such rows."""

import os
from typing import IO, NamedTuple, TypeAlias

from irkit._kernel.numpy_twin.numbers import grade_of
from irkit._kernel.problems import no_grade, not_four_fields
from irkit.data.beir import as_trec_lines, is_beir
from irkit.data.runs import Run
from irkit.files.textio import BYTE_ORDER_MARK, check_no_nul, read_bytes, shown
from irkit.ids import to_bytes, to_text

# A path, a text of lines, or an open file.
TrecFile: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes]"


class Qrel(NamedTuple):
    """Grade of a document for a topic; `iteration` is its subtopic in qrels with subtopics."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """Score of a document for a topic."""

    query_id: str
    doc_id: str
    score: float


def read_trec_qrels(file: TrecFile) -> list[Qrel]:
    """Yield the lines `topic iteration document grade` of qrels, in their order.

    Parameters
    ----------
    file : path, text, or open file
        A text with several lines is read as the lines themselves. Lines that begin with `#` are comments.

    Raises
    ------
    FormatError
        With file and line: if a line does not have these four fields, or its grade is not a whole number.
    """
    place, data = _content(file)
    if is_beir(data):
        data = as_trec_lines(data)
    check_no_nul(data, place)
    lines = enumerate(data.split(b"\n"), 1)
    return [_qrel(line, place, number) for number, line in lines if (text := line.lstrip()) and text[:1] != b"#"]


def read_trec_run(file: TrecFile) -> list[ScoredDoc]:
    """Yield the lines `topic Q0 document rank score tag` of a run: topics in byte order, documents by rank.

    Parameters as in `read_trec_qrels`. `calc` and related functions take a path too, with a tenth of the time and
    memory.

    Raises
    ------
    FormatError
        With file and line, as in `irkit.read_run`.
    """
    place, data = _content(file)
    return [
        ScoredDoc(topic, document, score)
        for topic, documents, scores in Run.from_bytes(data, place).by_topic()
        for document, score in zip(documents, scores, strict=True)
    ]


def _content(file: TrecFile) -> tuple[str, bytes]:
    if isinstance(file, str) and "\n" in file:
        return "text", to_bytes(file).removeprefix(BYTE_ORDER_MARK)
    if isinstance(file, str | os.PathLike):
        return shown(file), read_bytes(file)
    content = file.read()
    data = to_bytes(content) if isinstance(content, str) else content
    return str(getattr(file, "name", "file")), data.removeprefix(BYTE_ORDER_MARK)


def _qrel(text_line: bytes, place: str, line: int) -> Qrel:
    fields = text_line.split()
    if len(fields) != 4:
        raise not_four_fields(place, line, len(fields), text_line)
    topic, iteration, document = map(to_text, fields[:3])
    if (grade := grade_of(fields[3])) is None:
        raise no_grade(place, line, fields[3], text_line)
    return Qrel(topic, document, grade, iteration)


# Names before ir_measures 0.2.
GenericQrel = Qrel
GenericScoredDoc = ScoredDoc
parse_trec_qrels = read_trec_qrels
parse_trec_run = read_trec_run
