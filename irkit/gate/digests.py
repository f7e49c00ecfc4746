"""Digests of judgments and topics by meaning: comments, white space and line order do not change them."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.qrels import JudgmentKind, Qrels
from irkit.data.runs import RunSource
from irkit.data.topics import Topics
from irkit.errors import FormatError
from irkit.files.textio import STDIN, sha256_of
from irkit.ids import to_bytes
from irkit.judged.kinds import AnyJudgments


def judgments_digest(judgments: Mapping[JudgmentKind, AnyJudgments]) -> str:
    """SHA-256 of the judgments; for qrels, of triples topic, document and grade in byte order.

    Judgments that say more than a grade are taken as they were read, in the order of their file.
    """
    found = hashlib.sha256()
    for kind in sorted(judgments):
        found.update(f"{kind}\n".encode())
        for line in _lines(judgments[kind]):
            found.update(line)
    return found.hexdigest()


def topics_digest(topics: Topics) -> str:
    """SHA-256 of the ids of topics, their texts and their fields, in byte order of the ids."""
    rows = [(one.id, one.text, sorted(one.fields.items())) for one in sorted(topics, key=lambda one: to_bytes(one.id))]
    return hashlib.sha256(json.dumps(rows).encode("ascii")).hexdigest()


def run_digest(run: RunSource) -> str | None:
    """SHA-256 of a run's file as stored; None for a run without a file."""
    if not isinstance(run, str | os.PathLike) or os.fspath(run) == STDIN or not Path(run).is_file():
        return None
    try:
        return sha256_of(Path(run))
    except OSError as problem:
        raise FormatError(os.fspath(run), f"cannot be read: {problem.strerror or problem}") from problem


def _lines(judgments: AnyJudgments) -> Iterable[bytes]:
    if isinstance(judgments, Qrels | FractionalQrels):
        return sorted(
            to_bytes(f"{topic} {document} {grade!r}\n")
            for topic, documents, grades in judgments.by_topic()
            for document, grade in zip(documents, grades, strict=True)
        )
    return [to_bytes(repr(_plain(judgments)))]


def _plain(value: Any) -> Any:
    """Judgments without their name, in a form with the same text on every machine."""
    if isinstance(value, Qrels):
        return list(value.by_topic())
    if is_dataclass(value):
        return [(one.name, _plain(getattr(value, one.name))) for one in fields(value) if one.name != "name"]
    return value.tolist() if isinstance(value, np.ndarray) else value
