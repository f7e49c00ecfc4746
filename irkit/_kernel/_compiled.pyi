"""What module.cpp offers; `Told` is a problem: kind, line, first line, number of fields, text, topic."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

_Told: TypeAlias = tuple[int, int, int, int, bytes, bytes]
_Numbers: TypeAlias = npt.NDArray[np.int64]
_Retrieved: TypeAlias = tuple[list[bytes], _Numbers, tuple[_Numbers, ...], bytes]
_Scores: TypeAlias = npt.NDArray[np.float64]
_RunColumns: TypeAlias = tuple[list[bytes], _Numbers, bytes, _Numbers, _Scores, bytes]
_RunSurvey: TypeAlias = tuple[
    int,
    int,
    list[bytes],
    _Numbers,
    _Numbers,
    _Numbers,
    _Numbers,
    _Numbers,
    _Numbers,
    _Numbers,
    list[bytes],
    _Numbers,
    _Numbers,
    int,
    npt.NDArray[np.uint8],
    _Numbers,
    _Numbers,
    _Numbers,
]
_QrelsColumns: TypeAlias = tuple[list[bytes], _Numbers, bytes, _Numbers, _Numbers, bytes]

class Pool:
    def __init__(
        self,
        topics: bytes,
        topic_offsets: _Numbers,
        starts: _Numbers,
        ids: bytes,
        offsets: _Numbers,
        grades: _Numbers,
        /,
    ) -> None: ...

class Stream:
    def __init__(self, pool: Pool, float32: bool, /) -> None: ...
    def feed(self, data: bytes, /) -> None: ...
    def finish(self) -> tuple[_Retrieved | None, _Told | None]: ...

class Table:
    def __init__(self, stream: Any, /) -> None: ...
    def names(self) -> list[str]: ...
    def format(self, column: int, /) -> str: ...
    def column(self, column: int, /) -> tuple[bytes, _Numbers] | npt.NDArray[Any] | list[Any] | None: ...

def parse_run(data: bytes, n_threads: int, /) -> tuple[_RunColumns, _Told | None]: ...
def parse_file(descriptor: int, size: int, n_threads: int, piece: int, /) -> _RunColumns | None: ...
def parse_qrels(data: bytes, n_threads: int, /) -> tuple[_QrelsColumns, _Told | None]: ...
def rank(
    topics: bytes,
    topic_offsets: _Numbers,
    data: bytes,
    offsets: _Numbers,
    scores: _Scores,
    n_threads: int,
    /,
) -> tuple[_RunColumns, tuple[int, int] | None]: ...
def gather(
    topics: bytes, topic_offsets: _Numbers, data: bytes, offsets: _Numbers, grades: _Numbers, n_threads: int, /
) -> tuple[_QrelsColumns, tuple[int, int] | None]: ...
def match(
    pool: Pool,
    places: _Numbers,
    starts: _Numbers,
    data: bytes,
    offsets: _Numbers,
    scores: _Scores,
    /,
) -> tuple[_Numbers, ...]: ...
def merge(
    runs: list[tuple[_Numbers, bytes, _Numbers, _Scores]], places: _Numbers, depth: int, n_threads: int, /
) -> tuple[_Numbers, bytes, _Numbers, _Scores, _Scores]: ...
def rerank(
    starts: _Numbers, data: bytes, offsets: _Numbers, scores: _Scores, depth: int, n_threads: int, /
) -> _RunColumns: ...
def first_unfit(data: bytes, offsets: _Numbers, /) -> int: ...
def format_run(
    topics: bytes,
    topic_offsets: _Numbers,
    starts: _Numbers,
    data: bytes,
    offsets: _Numbers,
    scores: _Scores,
    tag: bytes,
    n_threads: int,
    /,
) -> bytes: ...
def score_mapping(
    run: dict[Any, Any], pool: Pool, float32: bool, text: type, half: type, single: type, full: type, /
) -> tuple[_Retrieved | None, _Told | None] | None: ...
def score_file(
    descriptor: int, size: int, pool: Pool, float32: bool, n_threads: int, piece: int, chunk: int, /
) -> tuple[_Retrieved | None, _Told | None] | None: ...
def survey_run(data: bytes, n_threads: int, piece: int, /) -> _RunSurvey: ...
def judgment_lines(
    data: bytes, kinds: bytes, n_threads: int, /
) -> (
    tuple[list[bytes], _Numbers, bytes, _Numbers, _Numbers, list[bytes], _Numbers, list[_Numbers], list[_Scores]] | None
): ...
