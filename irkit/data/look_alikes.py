"""Find ids that look alike but differ in bytes: normal forms, letters of other scripts, invisible characters."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final

# Letters and signs that common fonts draw like those of ASCII, where Unicode's own NFKC keeps them apart.
_CYRILLIC: Final = dict(zip("аеорсхуіјѕһԁԛԝԍАВЕКМНОРСТХУІЈЅԌ", "aeopcxyijshdqwgABEKMHOPCTXYIJSG", strict=True))
_GREEK: Final = dict(zip("αιονρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aiovpuABEZHIKMNOPTYX", strict=True))
_SIGNS: Final = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    **dict.fromkeys("‘’‛′", "'"),
    **dict.fromkeys("“”‟″", '"'),
    **dict.fromkeys("∕⁄", "/"),
    "ı": "i",
    "∶": ":",
    "․": ".",
}  # fmt: skip
_ALIKE: Final = str.maketrans({**_CYRILLIC, **_GREEK, **_SIGNS})
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
_MOST_SHOWN: Final = 3  # characters of a difference


# Ids are folded many at once, with this between them: no id of a file holds it.
_BETWEEN: Final = "\0"


class _Drawn(dict[int, str]):
    """Each character as `_ALIKE` has it; found once, for a table with gaps is slow to translate by."""

    def __missing__(self, code: int) -> str:
        self[code] = _ALIKE.get(code, chr(code))
        return self[code]


class _Seen(dict[int, str]):
    """Translation of each character to its look: nothing for invisible ones, the digit of a number."""

    def __missing__(self, code: int) -> str:
        character = _DRAWN[code]
        hidden = unicodedata.category(character) in ("Cf", "Cc", "Zs", "Zl", "Zp") or character in _INVISIBLE
        self[code] = "" if hidden else _digit(character)
        return self[code]


_DRAWN: Final = _Drawn()
_SEEN: Final = _Seen({ord(_BETWEEN): _BETWEEN})


def folded(identifier: str) -> str:
    """Fold an id so that ids that look alike to a reader become equal, ignoring case."""
    return _folded([identifier.replace(_BETWEEN, "")])[0]


def folded_all(ids: Collection[str]) -> list[str]:
    """Fold each of the ids."""
    if any(_BETWEEN in identifier for identifier in ids):
        return list(map(folded, ids))
    return _folded(ids) if ids else []


def _folded(ids: Collection[str]) -> list[str]:
    """Fold ids that do not contain the separator between them."""
    text = _BETWEEN.join(ids)
    if text.isascii() and text.replace(_BETWEEN, "").isprintable() and " " not in text:
        return text.casefold().split(_BETWEEN)
    if _may_be_misread(text):
        text = _BETWEEN.join(_as_utf8("".join(map(_of_byte, identifier))) for identifier in ids)
    normal = unicodedata.normalize("NFKC", _translated(text, _DRAWN))
    return _translated(normal, _SEEN).casefold().split(_BETWEEN)


def _translated(text: str, table: _Drawn | _Seen) -> str:
    """Translate the text by a table; unchanged if no character changes, since translation is slow."""
    return text if all(table[ord(one)] == one for one in set(text)) else text.translate(table)


def _may_be_misread(text: str) -> bool:
    """Whether it has a byte that is no UTF-8, or U+0080 to U+00BF, as UTF-8 has that was read as Latin-1."""
    try:
        return b"\xc2" in text.encode()
    except UnicodeEncodeError:
        return True


def _of_byte(character: str) -> str:
    """A byte that is no UTF-8, read as Latin-1; any other character as it is."""
    return chr(ord(character) - 0xDC00) if "\udc80" <= character <= "\udcff" else character


def _as_utf8(text: str) -> str:
    """The text; or, if it is UTF-8 that was decoded as Latin-1, the original text."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def look_alikes(ids: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each id with the first look-alike among the others; an id that is in both has none.

    Time is linear in the number of ids.
    """
    there = dict.fromkeys(others)
    ids = dict.fromkeys(ids)
    only_there = [other for other in there if other not in ids]
    by_look: dict[str, str] = {}
    for look, other in zip(folded_all(only_there), only_there, strict=True):
        by_look.setdefault(look, other)
    only_here = [identifier for identifier in ids if identifier not in there] if by_look else []
    for look, identifier in zip(folded_all(only_here), only_here, strict=True):
        if (alike := by_look.get(look)) is not None:
            yield identifier, alike


def difference(one: str, other: str, one_name: str, other_name: str) -> str:
    """Describe the difference of two look-alike ids, with code points."""
    if one.casefold() == other.casefold() and one.isascii() and other.isascii():
        return "they differ in capital and small letters"
    here, there = _apart(one, other), _apart(other, one)
    points = f"{_points(here)} in {one_name}, {_points(there)} in {other_name}"
    if unicodedata.normalize("NFC", one) != unicodedata.normalize("NFC", other):
        return points
    return f"{points}: the same text, {_form(one)} in {one_name} and {_form(other)} in {other_name}"


def _form(identifier: str) -> str:
    return next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, identifier)), "in no normal form")


def _apart(one: str, other: str) -> str:
    """Part of an id between its common prefix and common suffix with another id."""
    shorter = min(len(one), len(other))
    start = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    end = next((place for place in range(shorter - start) if one[-1 - place] != other[-1 - place]), shorter - start)
    return one[start : len(one) - end]


def _points(text: str) -> str:
    if not text:
        return "nothing"
    more = " ..." if len(text) > _MOST_SHOWN else ""
    return ", ".join(map(_point, text[:_MOST_SHOWN])) + more


def _point(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"the byte {ord(character) - 0xDC00:02X}, which is not UTF-8"
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'no name')})"
