"""Records as comma- or tab-separated values: a line each, under their names."""

import csv
import io
import math
from typing import Any

from irkit._utils.visible import visible
from irkit.report.text.records import Records


def text(records: Records, separator: str = ",") -> str:
    """Format records as a header and a line each; no value is an empty cell, and the topic of a summary is `all`."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerow(records.fields)
    for row in records.rows:
        named = zip(records.fields, row, strict=True)
        writer.writerow("all" if value is None and name == "topic" else _cell(value) for name, value in named)
    return stream.getvalue()


def safe(name: str) -> str:
    """Make a name safe for spreadsheets: on one line, with ' in front if it begins like a formula."""
    text = visible(name)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not _is_number(text) else text


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None or math.isnan(value) else repr(value)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
