"""Formats that are no TREC file: named for what they are, with the way on."""

import re
from typing import Final

from irkit.ids import to_text

_SHOWN: Final = 81  # bytes of a line that decide; both kernels hand over as many
_AS_TREC: Final = "write it as TREC lines (irkit.Run.of and irkit.Qrels.of take dicts and tables, and write them)"

# What binary files begin with.
_BINARY: Final = {
    b"PAR1": f"a Parquet file; read it with pandas or polars, and {_AS_TREC}",
    b"ARROW1": f"an Arrow file; read it with pyarrow, and {_AS_TREC}",
    b"\x04\x22\x4d\x18": "compressed with lz4; unpack it first, or compress it with gzip or zstd",
    b"\x89HDF": f"an HDF5 file; read it with the library that wrote it, and {_AS_TREC}",
    b"SQLite format 3": f"an SQLite database; export the table, and {_AS_TREC}",
    b"\x93NUMPY": "a NumPy array; a run and qrels are text",
    b"\x1f\x9d": "compressed with the old compress; unpack it first, or compress it with gzip or zstd",
}
# What tables call the columns of runs and qrels.
_COLUMN_NAMES: Final = frozenset(
    "qid query query_id topic topic_id topicid q0 iter iteration run_iter doc docid doc_id docno document document_id "
    "pid corpus_id passage_id rank score sim tag run run_id runid run_name system grade rel relevance label rating "
    "judgment".split()
)
_WHOLE: Final = re.compile(r"[-+]?[0-9]+")


def binary_format(start: bytes) -> str | None:
    """What a file is that begins with these bytes, and the way on; None where it may be text."""
    return next((what for mark, what in _BINARY.items() if start.startswith(mark)), None)


def names_columns(line: bytes) -> bool:
    """Whether a line names columns, as the first line of a table does; its first 81 bytes decide."""
    fields = re.split(r"[\s,;]+", to_text(line[:_SHOWN]).lower())[:6]
    return sum(field.strip("\"'").replace("-", "_") in _COLUMN_NAMES for field in fields) >= 3


def text_format(line: bytes) -> str | None:
    """What the file is of which this line of a run or of qrels cannot be read; None where that is not known.

    The first 81 bytes of the line decide.
    """
    text = to_text(line[:_SHOWN]).strip()
    fields = text.split()
    if text[:1] in ("{", "["):
        return f"this is JSON; read it with Python's json, and {_AS_TREC}"
    if text[:1] == "<":
        return "this is XML or SGML, as topics are; name the run or the qrels"
    if names_columns(line):
        table = "CSV" if "," in text or ";" in text else "a table"
        way = f"read it with pandas, and {_AS_TREC}" if table == "CSV" else "'irkit check --fix' takes the line out"
        return f"this line names the columns of {table}; {way}"
    if len(fields) == 1 and text.count(",") >= 2:
        return f"this is CSV; read it with pandas, and {_AS_TREC}"
    if len(fields) == 3 and _WHOLE.fullmatch(fields[2]):
        return (
            "these are the three columns of MS MARCO (topic, document, rank) or of a table without its heading; as a run "
            "write 'topic Q0 document rank score tag' with a score that falls, such as 1/rank; as qrels 'topic 0 document grade'"
        )
    if len(fields) == 2 and all(map(_WHOLE.fullmatch, fields)):
        return "these are the two columns of MS MARCO's reference (topic, document); as qrels write 'topic 0 document 1'"
    return None
