"""The record of a run as comments at its head, in the form of ir_metadata.

References
----------
Breuer, Keller and Schaer, "ir_metadata: An Extensible Metadata Schema for IR Experiments", SIGIR 2022.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irkit.recipes.record import Record


def header_of(record: "Record", tag: str) -> bytes:
    """The comments, from `# ir_metadata.start` to `# ir_metadata.end`; between them is YAML."""
    content: dict[str, Any] = {
        "tag": tag,
        "platform": {"software": {"libraries": dict(record.versions)}},
        "implementation": {"executable": {"cmd": " ".join(record.command) or "irkit, from Python"}},
        "data": {
            role: [{"name": source.path, "sha256": source.sha256} for source in sources]
            for role, sources in record.files.items()
        },
        "method": {
            "automatic": True,
            "retrieval": [{"method": record.method, **record.parameters, "details": dict(record.details)}],
        },
    }
    lines = ["ir_metadata.start", *_yaml(content, 0), "ir_metadata.end"]
    return "".join(f"# {line}\n" for line in lines).encode("utf-8", "replace")


def _yaml(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """A table as YAML in block style; texts and numbers as JSON has them, which YAML reads alike."""
    margin = "  " * depth
    for key, entry in value.items():
        name = json.dumps(key, ensure_ascii=False)
        if isinstance(entry, Mapping) and entry:
            yield f"{margin}{name}:"
            yield from _yaml(entry, depth + 1)
        elif isinstance(entry, list) and entry and all(isinstance(one, Mapping) and one for one in entry):
            yield f"{margin}{name}:"
            for one in entry:
                first, *rest = _yaml(one, depth + 2)
                yield f"{margin}  - {first.strip()}"
                yield from rest
        else:
            yield f"{margin}{name}: {json.dumps(entry, ensure_ascii=False)}"
