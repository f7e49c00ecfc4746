"""Collections in tables: CSV with a header, and tab-separated lines with or without one (MS MARCO, BEIR)."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from irkit.conversion.collection import (
    DOCUMENT_IDS,
    GRADES,
    JUDGED_DOCUMENTS,
    JUDGED_QUERIES,
    Judgment,
    SourceDocument,
    SourceId,
    SourceTopic,
    TopicsPart,
    document_of,
    grade_of,
    judgments_of,
)
from irkit.conversion.relevant import refuse_judgments
from irkit.data.topic_formats import ID_NAMES, TEXT_NAMES, found_in_object
from irkit.errors import FormatError
from irkit.files.field_names import first_named, plain
from irkit.files.formats import REFERENCE, is_reference
from irkit.files.records import decode, stream_lines

Row = dict[str, str]
_KNOWN = {*DOCUMENT_IDS, *ID_NAMES, *JUDGED_QUERIES}
_FEWEST_RANKS: Final = 5  # of a query; few collections have as many grades
# The columns of a tab-separated collection that does not name them: MS MARCO passages and MS MARCO documents.
_UNNAMED = {2: ("id", "text"), 4: ("id", "url", "title", "text")}


def recognises(head: str) -> bool:
    """Whether a file that starts like this is a table: tab-separated, or CSV whose first line names an id."""
    line = head.lstrip().partition("\n")[0]
    return "\t" in line or _delimiter(line) is not None


def named_by(head: str) -> str | None:
    """Return the delimiter of the header line; None where the file has no header."""
    return _delimiter(head.lstrip().partition("\n")[0])


def documents(path: Path) -> Iterator[SourceDocument]:
    """Read documents: each row is a document (see `document_of`), and empty cells give no fields."""
    for line, row in _rows(path, _UNNAMED):
        named = {name: cell for name, cell in row.items() if cell or name in ("text", "contents")}
        yield document_of(dict(named), str(path), line)


def topics(path: Path, *, judged_elsewhere: bool = False) -> TopicsPart:
    """Read topics: each row holds an id, the query, and further columns as fields."""
    found = []
    for line, row in _rows(path, {2: ("id", "text")}, tabs_in_text=True):
        refuse_judgments(row, str(path), line, judged_elsewhere=judged_elsewhere)
        key = first_named(row, ID_NAMES)
        cell = None if key is None else row.pop(key)
        found.append(SourceTopic(SourceId(cell), found_in_object(line, dict(row), None, str(path))))
    return TopicsPart(found, TEXT_NAMES)


def judgments(path: Path) -> Iterator[Judgment]:
    """Read judgments: each row is a judgment.

    Without names there are two forms: query, document, grade; and TREC's query, iteration, document, grade, which may
    be separated by spaces.
    """
    head = next((decode(line, str(path), number) for number, line in stream_lines(path) if line.strip()), "")
    if _names(head) is not None:
        yield from judgments_of(((line, dict(row)) for line, row in _rows(path, {})), str(path))
        return
    n_judged: Counter[str] = Counter()
    counts_up = True
    for number, line in stream_lines(path):
        cells = [cell.decode("utf-8", "surrogateescape") for cell in line.split()]
        if not cells:
            continue
        if len(cells) not in (3, 4):
            found = REFERENCE if is_reference(line) else f"found {len(cells)} fields"
            raise FormatError(str(path), f"expected 'query 0 document grade', or without the 0: {found}", number)
        grade = grade_of(cells[-1], str(path), number)
        n_judged[cells[0]] += 1
        counts_up &= len(cells) == 3 and grade == n_judged[cells[0]]
        yield Judgment(str(path), number, SourceId(cells[0]), SourceId(cells[-2]), grade)
    if counts_up and max(n_judged.values(), default=0) >= _FEWEST_RANKS:
        raise FormatError(
            str(path),
            "grades count up from 1 in every query, as ranks do: this is a run of MS MARCO (query, document, rank); "
            "name the judgments",
        )


def _delimiter(line: str) -> str | None:
    """Separator of the names in a header line; None if it is not a header line."""
    for delimiter in "\t,;":
        names = [plain(name.strip(' "')) for name in line.split(delimiter)]
        if len(names) > 1 and _KNOWN.intersection(names):
            return delimiter
    return None


def _names(line: str) -> list[str] | None:
    """Names of a header line, usual names in the spelling of `plain`."""
    delimiter = _delimiter(line)
    if delimiter is None:
        return None
    usual = _KNOWN.union(JUDGED_DOCUMENTS, GRADES, TEXT_NAMES, ("contents",))
    names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]
    return [plain(name) if plain(name) in usual else name for name in names]


def _rows(path: Path, unnamed: dict[int, tuple[str, ...]], *, tabs_in_text: bool = False) -> Iterator[tuple[int, Row]]:
    """Rows with the line on which they start; the columns are named by the first line or by how many there are.

    `tabs_in_text` says that a last column of texts may hold tabs.
    """
    place = str(path)
    lines = ((number, decode(line, place, number)) for number, line in stream_lines(path))
    number, head = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    names = _names(head)
    delimiter = _delimiter(head) or "\t"
    if names is None:
        names = list(unnamed.get(len(head.split("\t")), ()))
        if not names:
            raise FormatError(place, "the columns are not known; begin the file with a line that names them", number)
        yield number, _row(names, head.split("\t"), place, number)
    if len(set(names)) != len(names):
        raise FormatError(place, "the first line names a column twice; rename one", number)
    if delimiter == "\t":
        most = len(names) - 1 if tabs_in_text and plain(names[-1]) in TEXT_NAMES else -1
        # Tab-separated files of the field quote nothing: a '"' is a letter of the text.
        for number, line in lines:
            if line.strip():
                yield number, _row(names, line.split("\t", most), place, number)
        return
    reader = csv.reader((line + "\n" for _, line in lines), delimiter=delimiter, strict=True)
    csv.field_size_limit(2**31 - 1)
    start = number + 1
    try:
        for cells in reader:
            if cells:
                yield start, _row(names, [cell.rstrip("\n") for cell in cells], place, start)
            start = number + 1 + reader.line_num
    except csv.Error as problem:
        raise FormatError(place, f"broken CSV ({problem}); a quoted cell ends with a quote", start) from problem


def _row(names: list[str], cells: list[str], place: str, number: int) -> Row:
    if len(cells) != len(names):
        raise FormatError(
            place, f"expected {len(names)} columns ({', '.join(names)}), found {len(cells)}; quote or mend", number
        )
    return dict(zip(names, cells, strict=True))
