"""Codes of faults in files of any kind."""

from typing import Final

from irkit.checking.codes.code import ANY, BINARY, MALFORMED, UNREAD, Code

CODES: Final = (
    Code(
        "unreadable-file",
        "error",
        ANY,
        meaning="The file cannot be opened.",
        remedy="check its name and who may read it",
        trec_eval=UNREAD,
    ),
    Code(
        "damaged-archive",
        "error",
        ANY,
        meaning="A compressed file is cut off or damaged.",
        remedy="fetch or make it again",
        trec_eval=BINARY,
    ),
    Code(
        "unpacked-limit",
        "error",
        ANY,
        meaning="A compressed file holds more than irkit unpacks: a quarter of the machine's memory, 4 to 64 GiB.",
        remedy="raise the limit where the file is meant, as with IRKIT_MOST_UNPACKED=100G",
        trec_eval=BINARY,
    ),
    Code(
        "other-format",
        "error",
        ANY,
        meaning="A binary file of another format, as Parquet, HDF5 or lz4; or one compressed more than three times.",
        remedy="read it with the library that wrote it, and write it as TREC lines; or unpack it",
        trec_eval=BINARY,
    ),
    Code(
        "archive-of-files",
        "error",
        ANY,
        meaning="A tar, zip, 7z or rar archive, which may hold several files.",
        remedy="unpack it, and check what was in it",
        trec_eval=BINARY,
    ),
    Code(
        "cr-line-ends",
        "error",
        ANY,
        meaning="Lines end in CR alone, as on computers of old.",
        remedy="save the file with LF line ends",
        mended="writes LF",
        trec_eval="Both take the whole file for one line: a run of a single document, or malformed qrels.",
    ),
    Code(
        "utf-16",
        "error",
        ANY,
        meaning="The text is UTF-16, every second byte of it NUL.",
        remedy="save the file as UTF-8",
        mended="writes UTF-8",
        trec_eval="Neither reads it: they take the first NUL byte for the end, and crash (9 in runs) or stop.",
    ),
    Code(
        "nul-byte",
        "error",
        ANY,
        meaning="A NUL byte, which is no text.",
        remedy="remove it",
        mended="takes it out",
        trec_eval="Both take it for the end of the file while they count the lines to its real end; 9 crashes.",
    ),
    Code(
        "empty-file",
        "error",
        ANY,
        meaning="No line of data: nothing, or blank lines and comments alone.",
        remedy="look why the program that should have written it did not",
        trec_eval=UNREAD,
    ),
    Code(
        "unknown-format",
        "error",
        ANY,
        meaning="Neither a run, nor judgments, topics or documents in any form that is known.",
        remedy="write it in a form that is known, or convert it (irkit convert)",
        trec_eval=MALFORMED,
    ),
    Code(
        "wrong-kind",
        "error",
        ANY,
        meaning="The file was given as one kind and looks like another.",
        remedy="swap the files, or say what each is",
        trec_eval=MALFORMED,
    ),
    Code(
        "byte-order-mark",
        "warning",
        ANY,
        meaning="A UTF-8 byte order mark before the first line. irkit passes it over.",
        remedy="save the file without it",
        mended="takes it out",
        trec_eval=(
            "Both take it for a part of the first topic's id, so that this line belongs to a topic nobody knows."
        ),
    ),
    Code(
        "not-utf-8",
        "warning",
        ANY,
        meaning="An id or a tag is not UTF-8. irkit keeps its bytes.",
        remedy="save the file as UTF-8, and the other files with the same ids too",
        trec_eval="Both compare bytes and score it; other programs stop, or change the id.",
    ),
    Code(
        "invisible-character",
        "warning",
        ANY,
        meaning=(
            "An id or a tag holds a no-break space, a control character or another sign that cannot be "
            "seen. It is a part of the id."
        ),
        remedy="write the id as the other files have it",
        trec_eval=(
            "Both take it for a part of the id, as irkit does; programs that split lines at any Unicode space do not."
        ),
    ),
    Code(
        "compressed-file",
        "note",
        ANY,
        meaning="The file is compressed. irkit reads it whatever its name.",
        remedy="decompress it for other programs",
        mended="writes it decompressed",
        trec_eval=BINARY,
    ),
    Code(
        "crlf-line-ends",
        "note",
        ANY,
        meaning="Lines end in CR and LF.",
        remedy="save the file with LF line ends, for programs that split at blanks alone",
        mended="writes LF",
        trec_eval="Both take CR for a blank and score it.",
    ),
    Code(
        "no-final-newline",
        "note",
        ANY,
        meaning="The last line has no line end, as in a file that was cut off.",
        remedy="see that the last line is whole",
        mended="adds it",
        trec_eval="Both add it.",
    ),
    Code(
        "comment-line",
        "note",
        ANY,
        meaning="Lines that begin with '#', which irkit passes over.",
        remedy="take them out for trec_eval 9",
        mended="takes it out of qrels; leaves it in runs",
        trec_eval="10 passes them over; 9 knows no comments, and stops or takes them for data.",
    ),
    Code(
        "too-large",
        "warning",
        ANY,
        meaning=(
            "More than trec_eval can hold: 2 GiB of qrels, or 178,956,970 lines of a run. irkit has no such limit."
        ),
        remedy="score it with irkit",
        trec_eval="Sizes overflow 32 bits: both stop or crash.",
    ),
)
