"""Recognise formats other than TREC files, and name them with a remedy."""

import re
from collections.abc import Mapping
from typing import Final

from irkit.files.field_names import DOCUMENT_COLUMNS, GRADE_COLUMNS, SCORE_COLUMNS, TOPIC_COLUMNS, plain
from irkit.ids import to_text

_SHOWN: Final = 81  # bytes of a line that decide; both kernels hand over as many
_AS_TREC: Final = "write it as TREC lines (irkit.Run.of and irkit.Qrels.of take dicts and tables, and write them)"

# What binary files begin with: the format, and what to do.
_BINARY: Final = {
    b"PAR1": ("a Parquet file", f"read it with pandas or polars, and {_AS_TREC}"),
    b"ARROW1": ("an Arrow file", f"read it with pyarrow, and {_AS_TREC}"),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "unpack it first, or compress it with gzip or zstd"),
    b"\x89HDF": ("an HDF5 file", f"read it with the library that wrote it, and {_AS_TREC}"),
    b"SQLite format 3": ("an SQLite database", f"export the table, and {_AS_TREC}"),
    b"\x93NUMPY": ("a NumPy array", "a run and qrels are text"),
    b"\x1f\x9d": ("compressed with the old compress", "unpack it first, or compress it with gzip or zstd"),
}
# What tables call the columns of runs and qrels.
_CALLED: Final = {
    "topic": (*TOPIC_COLUMNS, "topicid"),
    "iteration": ("q0", "iter", "iteration", "run_iter"),
    "document": (*DOCUMENT_COLUMNS, "document#", "docno#"),
    "rank": ("rank",),
    "score": SCORE_COLUMNS,
    "tag": ("tag", "run", "run_id", "runid", "run_name", "system"),
    "grade": (*GRADE_COLUMNS, "relevancy", "relevance_grade", "gain"),
}
_MEANING: Final = {name: column for column, names in _CALLED.items() for name in names}
_RUN: Final = ("topic", "iteration", "document", "rank", "score", "tag")
_QRELS: Final = ("topic", "iteration", "document", "grade")
_BEIR: Final = (("topic", "document", "score"), ("topic", "document", "grade"))
REFERENCE: Final = (
    "these are the two columns of MS MARCO's reference (topic, document); as qrels write 'topic 0 document 1', a line "
    "for each"
)
# Compiled where they are needed, which is seldom.
_JSON: Final = r'[{\[]\s*(?:["{\[]|$)'
_MARKUP: Final = r"<[A-Za-z?!/]"
_WHOLE: Final = r"[-+]?[0-9]+"


def binary_format(start: bytes) -> tuple[str, str] | None:
    """Name the binary format of a file by its first bytes, and the remedy; None where it may be text."""
    return next((what for mark, what in _BINARY.items() if start.startswith(mark)), None)


def heading(line: bytes) -> tuple[str, ...] | None:
    """Return the content of each column that a header line names; "" for an unknown name.

    None where the line names no topic, no document, or nothing of rank, score and grade. Its first 81 bytes decide.
    """
    names = re.split(r"[\s,;]+", to_text(line[:_SHOWN]).strip())
    columns = tuple(_MEANING.get(plain(name.strip("\"'")), "") for name in names)
    is_heading = {"topic", "document"} <= set(columns) and not {"rank", "score", "grade"}.isdisjoint(columns)
    return columns if is_heading else None


def holds_ranking(record: Mapping[str, object]) -> bool:
    """Whether a JSON object is a run or qrels, `{topic: {document: number}}`, or a row of one of these."""
    if not record:
        return False
    if all(isinstance(its, dict) and its for its in record.values()):
        numbers = [number for its in record.values() if isinstance(its, dict) for number in its.values()]
        return all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers)
    return heading(" ".join(record).encode("utf-8", "replace")) is not None


def is_trec_heading(line: bytes) -> bool:
    """Whether a line is a header of a run or of qrels, with the columns in TREC order."""
    return heading(line) in (_RUN, _QRELS) and not _is_csv(line)


def is_beir_heading(line: bytes) -> bool:
    """Whether a line is the header of BEIR's qrels, with its three columns."""
    return heading(line) in _BEIR and not _is_csv(line) and not line[:1].isspace()  # as before the name of an index


def _is_csv(line: bytes) -> bool:
    return b"," in line or b";" in line


def text_format(line: bytes) -> str | None:
    """Name the format of a file from a line that is no valid line of a run or of qrels; None where it is unknown.

    The first 81 bytes of the line decide.
    """
    text = to_text(line[:_SHOWN]).strip()
    fields = text.split()
    if re.match(_JSON, text):
        return f"this is JSON; read it with Python's json, and {_AS_TREC}"
    if re.match(_MARKUP, text):
        return "this is XML or SGML, as topics are; name the run or the qrels"
    if heading(line) is not None:
        table = "CSV" if _is_csv(line) else "a table"
        way = (
            "take it out, as 'irkit check' does in a repaired copy"
            if is_trec_heading(line)
            else f"read it with pandas, and {_AS_TREC}"
        )
        return f"this line is the header of {table}; {way}"
    if text.count(",") >= 2 and all(field.endswith(",") for field in fields[:-1]):
        return f"this is CSV; read it with pandas, and {_AS_TREC}"
    if len(fields) == 3 and re.fullmatch(_WHOLE, fields[2]):
        return (
            "these are the three columns of MS MARCO (topic, document, rank) or of a table without its heading; as a "
            "run write 'topic Q0 document rank score tag' with a score that falls, such as 1/rank; as qrels "
            "'topic 0 document grade'"
        )
    return REFERENCE if is_reference(line) else None


def is_reference(line: bytes) -> bool:
    """Whether a line consists of two whole numbers, as in MS MARCO's reference."""
    fields = line[:_SHOWN].split()
    return len(fields) == 2 and all(re.fullmatch(_WHOLE, to_text(field)) for field in fields)
