"""Subsets and groups of topics from a file: topics, a table with a header, or a plain list."""

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from irkit._utils.text import counted
from irkit.data.topic_formats import ID_NAMES, TEXT_NAMES, fold
from irkit.data.topics import Topic, Topics, TopicsSource, check_ids, topics_in
from irkit.errors import DataError, FormatError
from irkit.files.field_names import TOPIC_COLUMNS, plain
from irkit.files.textio import check_no_nul, read_bytes, shown

TopicList: TypeAlias = "TopicsSource | Iterable[str]"

NO_VALUE: Final = "(none)"
# What the column of topics may be called; a cell `query` may be the text of a topic in a file without names.
_NAMES: Final = {*TOPIC_COLUMNS, *ID_NAMES} - {"query"}


def topic_list(source: TopicList) -> Topics:
    """Read the topics to average: a file (see `read_topic_list`), a source for `Topics.of`, or ids."""
    if isinstance(source, str | os.PathLike):
        return read_topic_list(source)
    if not isinstance(source, Topics):
        source = Topics.of([Topic(one, "") if isinstance(one, str) else one for one in source])
    if not source.topics:
        raise DataError(f"{source.name}: there is no topic to average; give one at least")
    return source


def read_topic_list(path: str | os.PathLike[str]) -> Topics:
    """Read a list of topics: ids, with optional fields and texts."""
    place = shown(path)
    data = read_bytes(path)
    check_no_nul(data, place)
    text = data.decode("utf-8", "surrogateescape")
    numbered = enumerate(text.split("\n"), 1)
    lines = [(number, line) for number, line in numbered if line.strip() and not line.startswith("# ")]
    delimiter = _delimiter(lines[0][1]) if lines else None
    if delimiter is not None:
        query, found = _table(text, lines[0][0], delimiter, place)
    elif lines and text.lstrip()[0] not in "<[{" and all(len(line.split()) == 1 for _, line in lines):
        query, found = None, [(number, Topic(line.strip(), "")) for number, line in lines]
    else:
        return topics_in(data, place)
    check_ids([(number, topic.id) for number, topic in found], place)
    return Topics(tuple(topic for _, topic in found), place, query)


def with_no_value(groups: Mapping[str, str], evaluated: Sequence[str], place: str) -> dict[str, str]:
    """Append a group `(none)` with the evaluated topics that have no value.

    A topic that a file forgot stays in sight so, and the groups have all the topics of the average.
    """
    if evaluated and groups.keys().isdisjoint(evaluated):
        from irkit.data.topic_matching import as_end, topic_hint

        raise DataError(
            f"{place} has a value for {counted(len(groups), 'topic')}, such as {next(iter(groups))!r}, and for none of "
            f"the {len(evaluated)} evaluated, such as {evaluated[0]!r}. Ids are compared as text: '007' is not '7'"
            + as_end(topic_hint(list(groups), evaluated))
        )
    return {**groups, **{topic: NO_VALUE for topic in evaluated if topic not in groups}}


def _delimiter(line: str) -> str | None:
    """Separator of the names in a header line; None if it is not a header line."""
    for delimiter in "\t,;":
        names = [plain(name.strip(' "\r')) for name in line.split(delimiter)]
        if len(names) > 1 and _NAMES.intersection(names):
            return delimiter
    return None


def _table(text: str, first: int, delimiter: str, place: str) -> tuple[str | None, list[tuple[int, Topic]]]:
    """Name of the column of texts, or None; and the topics with their lines."""
    # Tab-separated files of the field quote nothing: a '"' is a letter of the text.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    lines = text.split("\n")[first - 1 :]
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, quoting=quoting, strict=True)
    try:
        names = list(map(fold, next(reader)))
        if len(set(names)) < len(names):
            raise FormatError(place, "the first line names a column twice; rename one", first)
        column = next(column for column, name in enumerate(names) if plain(name) in _NAMES)
        query = next((name for wanted in TEXT_NAMES for name in names if name.lower() == wanted), None)
        found = []
        line = first + reader.line_num
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) != len(names):
                    listed = ", ".join(names)
                    raise FormatError(
                        place, f"expected {len(names)} cells ({listed}), found {len(cells)}; quote or mend", line
                    )
                fields = {name: value for name, cell in zip(names, cells, strict=True) if (value := fold(cell))}
                fields.pop(names[column], None)
                asked = "" if query is None else fields.pop(query, "")
                found.append((line, Topic(fold(cells[column]), asked, fields)))
            line = first + reader.line_num
        return query, found
    except csv.Error as problem:
        raise FormatError(place, f"broken CSV ({problem}); a quoted cell ends with a quote", line) from problem
