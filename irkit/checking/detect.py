"""Detect the kind of a file from its lines, never from its name or the text Q0."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from irkit._kernel.numpy_twin.numbers import score_of
from irkit.checking.encoding import quoted
from irkit.checking.kinds import Kind
from irkit.data.topic_formats import ID_NAMES, colon_separated
from irkit.files.field_names import plain
from irkit.files.formats import heading, holds_ranking, is_beir_heading, is_reference, text_format

FORMS: Final = (
    "a run has lines 'topic Q0 document rank score tag'; qrels 'topic iteration document grade'; topics are <top>, "
    "XML, JSON or 'id<TAB>text'; documents are JSON lines with id and contents"
)

_LOOKED_AT: Final = 1 << 20  # bytes from the start
_MOST_LINES: Final = 500
# What stands where a number should, whether or not it can be read: none of these makes a file something else.
_NUMBER_LIKE: Final = re.compile(
    rb"[-+]?(?:[0-9][0-9.,]*|[.,][0-9]+)(?:e[-+]?[0-9]+)?|nan|[-+]?inf(?:inity)?|none|null", re.I
)
_WHOLE: Final = re.compile(rb"[-+]?[0-9]+")
# The start of a JSON object of topics, each with documents and their numbers, over several lines or cut off.
_NUMBERS_BY_TOPIC: Final = re.compile(rb'\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*-?[0-9]')
_METHODS: Final = (b"0", b"1", b"2", b"4")


def kind_of(data: bytes) -> Kind:
    """Detect the kind of a text without byte order mark."""
    start = data[:_LOOKED_AT].lstrip()
    if start[:1] == b"<":
        return "topics"
    if start[:1] in (b"{", b"["):
        return _kind_of_json(start)
    lines = list(islice(_lines_of_data(data[:_LOOKED_AT]), _MOST_LINES))
    if not lines:
        return "unknown"
    if (columns := heading(lines[0][0])) is not None:
        if is_beir_heading(lines[0][0]):
            return "qrels"
        if len(lines) == 1:
            return "qrels" if "grade" in columns else "run"
        lines = lines[1:]
    if all(is_reference(line) for line, _ in lines):
        return "unknown"
    # Of several that fit alike the first: a run and qrels may have tabs too.
    likeness: dict[Kind, float] = {
        "run": sum(map(_is_run_like, lines)) / len(lines),
        "qrels": sum(len(fields) == 4 and _is_number_like(fields[3]) for _, fields in lines) / len(lines),
        "strata": sum(len(fields) == 5 and _is_number_like(fields[4]) for _, fields in lines) / len(lines),
        "topics": _topics_likeness([line for line, _ in lines]),
    }
    kind = max(likeness, key=likeness.__getitem__)
    if likeness[kind] < 0.5:
        return _by_count([fields for _, fields in lines])
    return _kind_of_five([fields for _, fields in lines if len(fields) == 5]) if kind == "strata" else kind


def found_in(data: bytes) -> str:
    """Describe the lines of a file of unknown kind."""
    lines = list(islice(_lines_of_data(data[:_LOOKED_AT]), _MOST_LINES))
    if not lines:
        return "no line of data"
    if lines[0][0].lstrip()[:1] in (b"{", b"["):
        return f"JSON of a run or of qrels, as {quoted(lines[0][0].strip())}"
    count, most = Counter(len(fields) for _, fields in lines).most_common(1)[0]
    return f"{'all' if most == len(lines) else 'most'} lines have {count} fields, as {quoted(lines[0][0].strip())}"


def way_on(data: bytes) -> str | None:
    """Name a foreign format from the first line, and how to go on; None if unknown."""
    line, _ = next(_lines_of_data(data[:_LOOKED_AT]), (b"", []))
    return text_format(line)


def _lines_of_data(data: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    for line in data.split(b"\n"):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield line, fields


def _is_run_like(line: tuple[bytes, Sequence[bytes]]) -> bool:
    _, fields = line
    if len(fields) < 6:
        return False
    # Blanks in an id move rank and score, which stand before the tag.
    return _is_number_like(fields[4]) or _is_number_like(fields[3 if len(fields) == 6 else -2])


def _is_number_like(field: bytes) -> bool:
    return _NUMBER_LIKE.fullmatch(field) is not None


def _topics_likeness(lines: Sequence[bytes]) -> float:
    """The share of lines that are an id, a tab and a text, or as many cells as a first line has names; or `id:text`."""
    cells = [[cell.strip() for cell in line.split(b"\t")] for line in lines]
    if colon_separated(b"\n".join(lines).decode("utf-8", "surrogateescape")) is not None:
        return 1.0
    named = len(cells[0]) > 1 and plain(cells[0][0].decode("latin-1")) in ID_NAMES
    n_cells = len(cells[0]) if named else 2
    fitting = [one for one in cells if len(one) == n_cells and one[0] and b" " not in one[0]]
    return len(fitting) / len(lines)


def _by_count(lines: Sequence[Sequence[bytes]]) -> Kind:
    """The kind of lines of which no number can be read, by their number of fields."""
    counts = Counter(map(len, lines))
    for count, kind in ((6, "run"), (4, "qrels")):
        if counts[count] > len(lines) / 2:
            return "run" if kind == "run" else "qrels"
    return "unknown"


def _kind_of_five(lines: Sequence[Sequence[bytes]]) -> Kind:
    """The kind of lines of five fields: sampled judgments, preferences, or a run without its tags."""
    seconds = {fields[1] for fields in lines}
    whole_last = [_WHOLE.fullmatch(fields[4]) is not None for fields in lines]
    if len(seconds) > len(lines) / 2 and sum(map(_is_prel, lines)) > len(lines) / 2 and len(lines) > 1:
        return "prels"
    ranks = [fields for fields, whole in zip(lines, whole_last, strict=True) if _WHOLE.fullmatch(fields[3])]
    if len(seconds) == 1 and len(ranks) == len(lines) and (not all(whole_last) or _counts_up(lines)):
        return "run"
    return "strata" if len(seconds) == 1 and all(whole_last) else "prefs"


def _is_prel(fields: Sequence[bytes]) -> bool:
    probability = score_of(fields[4])
    return (
        _WHOLE.fullmatch(fields[2]) is not None
        and fields[3] in _METHODS
        and (fields[4] == b"NA" or (probability is not None and 0 <= probability <= 1))
    )


def _counts_up(lines: Sequence[Sequence[bytes]]) -> bool:
    """Whether the fourth field counts the lines of each topic, as ranks do, and the fifth falls."""
    pairs = [(above, below) for above, below in pairwise(lines) if above[0] == below[0]]
    steps = sum(int(below[3]) == int(above[3]) + 1 and int(below[4]) <= int(above[4]) for above, below in pairs)
    return len(pairs) > 1 and steps == len(pairs)


def _kind_of_json(start: bytes) -> Kind:
    """Topics or documents, by the names of the first object; unknown where it holds documents with numbers."""
    text = start.lstrip(b"[ \t\r\n").split(b"\n", 1)[0] if start[:1] == b"[" else start.split(b"\n", 1)[0]
    try:
        first, _ = json.JSONDecoder().raw_decode(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        if _NUMBERS_BY_TOPIC.match(start):
            return "unknown"
        return "documents" if b'"contents"' in start else "topics"
    if isinstance(first, dict) and holds_ranking(first):
        return "unknown"
    names = set(first) if isinstance(first, dict) else set()
    is_document = "contents" in names or {"_id", "title", "text"} <= names  # the latter in BEIR's layout
    return "documents" if is_document else "topics"
