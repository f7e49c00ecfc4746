"""Provenance on a page: how its runs were made and scored."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from irkit._utils.visible import visible
from irkit.errors import IrkitError
from irkit.files.overwrite import record_place
from irkit.files.textio import STDIN, sha256_of
from irkit.recipes import Record, read_record

LONGEST: Final = 300  # maximum characters of a value


def records_of(files: Sequence[str | None]) -> list[Record | None]:
    """Read the record beside each file, if there is one and it can be read."""
    return [None if file is None else _record(file) for file in files]


def _record(file: str) -> Record | None:
    if file == STDIN or not record_place(file).is_file():
        return None
    try:
        return read_record(file)
    except IrkitError:
        return None


def hash_of(file: str | os.PathLike[str] | None) -> str:
    """Compute the SHA-256 of a file; empty if it is not a file."""
    return "" if file is None or not Path(file).is_file() else sha256_of(Path(file))


def provenance(file: str | None, record: Record | None) -> dict[str, Any]:
    """Return what is known about a run as rows of names and values, and whether the file matches its record."""
    sha256 = hash_of(file)
    rows = [("file", "" if file is None else Path(file).name), ("SHA-256", sha256)]
    if record is None:
        return {"rows": _shown(rows), "state": "none" if file is None or not record_place(file).is_file() else "unread"}
    rows += [("method", record.method)]
    rows += [(f"parameter {name}", _text(value)) for name, value in record.parameters.items()]
    for role, sources in record.files.items():
        rows += [(role, f"{Path(source.path).name}, SHA-256 {source.sha256[:16]}…") for source in sources]
    rows += [(f"version of {name}", value) for name, value in record.versions.items()]
    rows += [(name, _text(value)) for name, value in record.details.items()]
    rows += [("note", note) for note in record.notes]
    rows += [("command", " ".join(record.command))] if record.command else []
    changed = bool(sha256) and record.run.get("sha256") != sha256
    return {"rows": _shown(rows), "state": "changed" if changed else "recorded"}


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return str(value)


def _shown(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(visible(name), visible(value[:LONGEST] + "…" * (len(value) > LONGEST))) for name, value in rows if value]


def parts_of(files: Sequence[str | None], records: Sequence[Record | None]) -> dict[int, list[int]]:
    """Find runs fused from other runs of the page, with the places of their parts; files are matched by content."""
    places = {digest: place for place, file in enumerate(files) if (digest := hash_of(file))}
    fused_parts = {}
    for place, record in enumerate(records):
        if record is not None and record.method == "fuse":
            parts = [places[file.sha256] for file in record.files.get("runs", ()) if file.sha256 in places]
            if len(parts) > 1:
                fused_parts[place] = parts
    return fused_parts
