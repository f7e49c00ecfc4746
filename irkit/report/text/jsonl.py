"""Records as JSON lines: an object each."""

import json
from typing import Any

from irkit.report.text.json import finite
from irkit.report.text.records import Records


def text(records: Records) -> str:
    """Format each record as an object on a line; null where there is no value, or a number that JSON cannot hold."""
    return "".join(f"{_line(records.fields, row)}\n" for row in records.rows)


def _line(names: tuple[str, ...], row: tuple[Any, ...]) -> str:
    return json.dumps(finite(dict(zip(names, row, strict=True))), allow_nan=False)
