"""Spell an option of the library as the key of an experiment file."""

from collections.abc import Mapping
from typing import Final

from irkit._utils.options import Value

_OF_COLLECTION: Final = {"documents": "corpus", "topics": "topics", "qrels": "qrels", "split": "split"}


def as_keys(options: Mapping[str, Value]) -> str:
    """Spell options as keys with their values, and name the table that has them."""
    keys = ", ".join(
        _OF_COLLECTION.get(name, name) if value is None else f"{_OF_COLLECTION.get(name, name)} = {value!r}"
        for name, value in options.items()
    )
    return keys if set(options) <= set(_OF_COLLECTION) else f"{keys} in [evaluation]"
