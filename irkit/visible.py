"""Names and ids as text that can do no harm to a terminal or a table."""

import unicodedata


def visible(name: str) -> str:
    r"""A name on one line with every control character shown as an escape, such as `\x1b`.

    So are marks that turn the direction of text, and bytes that were not UTF-8 (`\xff`).
    """
    return "".join(character if _harmless(character) else _escape(character) for character in name)


def _harmless(character: str) -> bool:
    return (character.isascii() and character.isprintable()) or unicodedata.category(character)[0] not in "CZ"


def _escape(character: str) -> str:
    point = ord(character)
    if 0xDC80 <= point <= 0xDCFF:  # a byte that was not UTF-8, as `ids.to_text` keeps it
        return f"\\x{point - 0xDC00:02x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or (
        f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    )
