"""Records as JSON lines: an object each."""

import json
from typing import Any

from irkit.report.text.json import finite
from irkit.report.text.records import Records


def text(records: Records) -> str:
    """An object for each record; null where there is no value, or none that JSON has."""
    return "".join(f"{_line(records.fields, row)}\n" for row in records.rows)


def _line(names: tuple[str, ...], row: tuple[Any, ...]) -> str:
    return json.dumps(finite(dict(zip(names, row, strict=True))), allow_nan=False)
