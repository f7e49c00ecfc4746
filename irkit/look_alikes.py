"""Ids that look alike and are not the same bytes: normal forms, letters of other scripts, invisible characters."""

import unicodedata
from collections.abc import Iterable, Iterator
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


def folded(identifier: str) -> str:
    """What an id looks like: the same for two ids that a reader would take for one, whatever the case of letters."""
    if identifier.isascii() and identifier.isprintable() and " " not in identifier:
        return identifier.casefold()
    text = _as_utf8("".join(map(_of_byte, identifier)))
    visible = (
        character
        for character in unicodedata.normalize("NFKC", text.translate(_ALIKE)).translate(_ALIKE)
        if unicodedata.category(character) not in ("Cf", "Cc", "Zs", "Zl", "Zp") and character not in _INVISIBLE
    )
    return "".join(map(_digit, visible)).casefold()


def _of_byte(character: str) -> str:
    """A byte that is no UTF-8, read as Latin-1; any other character as it is."""
    return chr(ord(character) - 0xDC00) if "\udc80" <= character <= "\udcff" else character


def _as_utf8(text: str) -> str:
    """The text, and where it is UTF-8 that was read as Latin-1 once more, what it was before."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def look_alikes(ids: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each id with the first of the others that looks like it and is not the same; ids that stand in both have none.

    Time is linear in the number of ids.
    """
    there = dict.fromkeys(others)
    ids = dict.fromkeys(ids)
    by_look: dict[str, str] = {}
    for other in there:
        if other not in ids:
            by_look.setdefault(folded(other), other)
    for identifier in ids if by_look else ():
        if identifier not in there and (alike := by_look.get(folded(identifier))) is not None:
            yield identifier, alike


def difference(one: str, other: str, one_name: str, other_name: str) -> str:
    """What sets apart two ids that look alike, with code points."""
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
    """The part of an id between what it has in common with another one at its beginning and at its end."""
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
