"""Vectors of texts, kept in the cache under the content of the text, so that no text is encoded twice.

A file of the cache holds a batch of texts: their keys, their vectors, and which of them were cut short. Files are
written whole and never changed, so processes cannot disturb one another, and what an interrupted run has done is there
for the next. A file that is damaged counts as absent; its texts are encoded again.
"""

import hashlib
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError
from irkit.progress import progress
from irkit.retrieval.cache import cache_folder, keep
from irkit.retrieval.encoder import Encoder

Array: TypeAlias = npt.NDArray[np.float32]

SAVED_AT_ONCE: Final = 512  # texts; about ten seconds of work
SHOWN_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class Encoded:
    """The vectors of n texts.

    Attributes
    ----------
    vectors : float32 array of shape (n, dimensions)
        Each of length 1.
    truncated : bool array of shape (n,)
        The encoder did not read the text to its end.
    """

    vectors: Array
    truncated: npt.NDArray[np.bool_]


def encode(
    texts: Sequence[str], encoder: Encoder, *, folder: Path | None = None, description: str = "encoding"
) -> Encoded:
    """The vectors of texts, from the cache where they are known.

    Parameters
    ----------
    texts : sequence of n str
    encoder : Encoder
    folder : path, optional
        The cache; the user's own by default.
    description : str
        For the progress bar.

    Raises
    ------
    DataError
        If the encoder gives something else than n finite vectors of its dimensions.
    """
    keys = [text_key(text) for text in texts]
    place = _folder_of(encoder, folder)
    known = _load(place, set(keys), encoder.dimensions) if place else {}
    # Texts of like length together waste no work on padding.
    missing = dict(sorted({k: t for k, t in zip(keys, texts, strict=True) if k not in known}.items(), key=_length))
    todo = list(missing.items())
    parts: list[Path] = []
    with progress(description, len(todo)) as advance:
        for start in range(0, len(todo), SAVED_AT_ONCE):
            batch = todo[start : start + SAVED_AT_ONCE]
            fresh: _Known = {}
            for low in range(0, len(batch), SHOWN_AT_ONCE):
                fresh |= _encode(batch[low : low + SHOWN_AT_ONCE], encoder)
                advance(min(SHOWN_AT_ONCE, len(batch) - low))
            known |= fresh
            if place and (path := _save(place, fresh)):
                parts.append(path)
    if place and len(parts) > 1 and _save(place, {key: known[key] for key in missing}):
        for path in parts:  # one file for the corpus now
            path.unlink(missing_ok=True)
    vectors = np.empty((len(keys), encoder.dimensions), dtype=np.float32)
    truncated = np.zeros(len(keys), dtype=np.bool_)
    for row, key in enumerate(keys):
        vectors[row], truncated[row] = known[key]
    return Encoded(vectors, truncated)


def text_key(text: str) -> bytes:
    """What a text is known by: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


_Known: TypeAlias = dict[bytes, tuple[Array, bool]]


def _folder_of(encoder: Encoder, folder: Path | None) -> Path | None:
    root = folder or cache_folder()
    return root / "vectors" / hashlib.sha256(encoder.identity.encode()).hexdigest()[:24] if root else None


def _length(item: tuple[bytes, str]) -> tuple[int, bytes]:
    return len(item[1]), item[0]


def _encode(batch: Sequence[tuple[bytes, str]], encoder: Encoder) -> _Known:
    texts = [text for _, text in batch]
    vectors = np.asarray(encoder.encode(texts), dtype=np.float32)
    if vectors.shape != (len(texts), encoder.dimensions):
        raise DataError(
            f"encoder {encoder.name} gave vectors of shape {vectors.shape} for {len(texts)} texts, "
            f"not {(len(texts), encoder.dimensions)}"
        )
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise DataError(f"encoder {encoder.name} gave a vector that is not finite for the text {texts[row][:60]!r}")
    truncated = encoder.truncated(texts)
    return {key: (vectors[row], bool(truncated[row])) for row, (key, _) in enumerate(batch)}


def _save(place: Path, known: _Known) -> Path | None:
    path = place / (hashlib.sha256(b"".join(known)).hexdigest()[:32] + ".npz")
    keys = np.frombuffer(b"".join(known), dtype=np.uint8).reshape(-1, 32)
    vectors = np.stack([vector for vector, _ in known.values()])
    truncated = np.array([cut for _, cut in known.values()], dtype=np.bool_)
    written = keep(path, lambda stream: np.savez(stream, keys=keys, vectors=vectors, truncated=truncated))
    return path if written else None


def _load(place: Path, wanted: set[bytes], dimensions: int) -> _Known:
    known: _Known = {}
    for path in sorted(place.glob("*.npz")):
        # Damage shows as a checksum that fails, or as arrays of other shapes.
        damage = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
        with suppress(*damage), path.open("rb") as stream, np.load(stream) as arrays:
            keys = [row.tobytes() for row in arrays["keys"]]
            rows = [row for row, key in enumerate(keys) if key in wanted and key not in known]
            if not rows:
                continue
            vectors, truncated = arrays["vectors"], arrays["truncated"]
            if vectors.shape == (len(keys), dimensions) and truncated.shape == (len(keys),):
                known |= {keys[row]: (vectors[row].astype(np.float32), bool(truncated[row])) for row in rows}
    return known
