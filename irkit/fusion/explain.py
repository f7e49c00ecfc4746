"""Explain a fused ranking: the rank and score of each document in each run."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from irkit.data.runs import RunSource
from irkit.files.compression import compressed
from irkit.files.textio import trec_field, writing
from irkit.fusion.request import Request, requested, total
from irkit.fusion.union import fused
from irkit.fusion.votes import Vector
from irkit.ids import to_bytes, to_text


@dataclass(frozen=True, slots=True)
class RunVote:
    """Rank, score and contribution of a document in one run.

    Attributes
    ----------
    run : str
        The run's name.
    rank : int or None
        From 1, in trec_eval's order; None where the run did not find the document, here and below.
    score : float or None
    normalised : float or None
        The score as the method takes it; None for a method that goes by ranks.
    share : float or None
        What the run adds to the fused score. None for a method whose score is no sum over the runs, such as a median or
        a majority. A run may add something to what it did not find (Borda, BayesFuse).
    """

    run: str
    rank: int | None
    score: float | None
    normalised: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class ExplainedDocument:
    """A document of a fused ranking, with its rank and score in each run.

    Attributes
    ----------
    topic, document : str
    rank : int
        From 1.
    score : float
        The fused score: the sum of the shares, where there are any, but for rounding.
    voices : tuple of RunVote
        One a run, in the order in which they were given; those of weight 0 are left out.
    """

    topic: str
    document: str
    rank: int
    score: float
    voices: tuple[RunVote, ...]


def explain(runs: Iterable[RunSource], method: str = "rrf", **options: Any) -> Iterator[ExplainedDocument]:
    """List the documents of the fused run in order, with the rank, score and contribution of each run.

    Parameters
    ----------
    runs, method, **options
        As `fuse` takes them.

    Returns
    -------
    iterator of ExplainedDocument

    Raises
    ------
    UsageError, DataError
        As `fuse`.
    """
    return explained(requested(runs, method, **options))


def explained(request: Request) -> Iterator[ExplainedDocument]:
    """As `explain`, for a request that is already checked."""
    names = [run.name for run in request.runs]
    for block in request.blocks():
        votes = request.votes(block)
        shares = request.shares(votes)
        scores = total(shares)
        added = shares if shares.ndim == 2 else np.full(block.ranks.shape, np.nan)
        ranking = fused([block], lambda _, scores=scores: scores, request.depth, request.tag)  # type: ignore[misc]
        place = {topic: number for number, topic in enumerate(block.topics)}
        for topic, documents, values in ranking.by_topic():
            low, high = block.starts[place[topic]], block.starts[place[topic] + 1]
            row_of = {to_text(name): low + row for row, name in enumerate(block.documents[int(low) : int(high)])}
            for rank, (document, value) in enumerate(zip(documents, values, strict=True), 1):
                row = row_of[document]
                said = zip(
                    names,
                    _known(block.ranks[row]),
                    _known(block.scores[row]),
                    _known(votes.points[row]),
                    _known(added[row]),
                    strict=True,
                )
                voices = tuple(
                    RunVote(name, None if at is None else int(at), score, points, share)
                    for name, at, score, points, share in said
                )
                yield ExplainedDocument(topic, document, rank, value, voices)


def _known(values: Vector) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


def write_explanation(path: str | os.PathLike[str], rows: Iterable[ExplainedDocument]) -> None:
    """Write explained documents as a table, whole or not at all.

    Fields are separated by tabs, with a header line: topic, document, rank, score, and for each run RUN.rank,
    RUN.score, RUN.normalised and RUN.share; a field is empty where there is nothing to say. If the name ends in
    `.jsonl` (or `.jsonl.gz` and the like) each line is a JSON object with the fields of `ExplainedDocument`.

    Parameters
    ----------
    path : str or path
        `-` is standard output.
    rows : iterable of ExplainedDocument
        Such as `explain` gives.

    Raises
    ------
    FormatError
        If an id holds white space, which would end its field.
    """
    lines = _json_lines(rows) if ".jsonl" in os.path.basename(os.fspath(path)) else _tsv_lines(rows)  # noqa: PTH119
    with writing(path) as stream:
        while part := b"".join(islice(lines, 10_000)):
            # Compressed pieces one after the other are a compressed file.
            stream.write(compressed(part, os.fspath(path)))


def _json_lines(rows: Iterable[ExplainedDocument]) -> Iterator[bytes]:
    for row in rows:
        yield (json.dumps(asdict(row), ensure_ascii=True) + "\n").encode()


def _tsv_lines(rows: Iterable[ExplainedDocument]) -> Iterator[bytes]:
    rows = iter(rows)
    first = next(rows, None)
    names = _told_apart([voice.run for voice in first.voices]) if first else []
    fields = ("rank", "score", "normalised", "share")
    yield _line(["topic", "document", "rank", "score", *(f"{name}.{field}" for name in names for field in fields)])
    for row in chain([first] if first else [], rows):
        ids = [trec_field(to_bytes(row.topic), "topic", "explanation")]
        ids.append(trec_field(to_bytes(row.document), "document", "explanation"))
        said = [getattr(voice, field) for voice in row.voices for field in fields]
        yield b"\t".join(ids) + b"\t" + _line([repr(row.rank), repr(row.score), *map(_cell, said)])


def _line(fields: Iterable[str]) -> bytes:
    return "\t".join(fields).encode("utf-8", "surrogateescape") + b"\n"


def _cell(value: float | None) -> str:
    return "" if value is None else repr(value)


def _told_apart(names: list[str]) -> list[str]:
    """The names without white space, with a number behind each where two are alike."""
    words = ["_".join(name.split()) for name in names]
    return [f"{word}.{place}" if words.count(word) > 1 else word for place, word in enumerate(words, 1)]
