"""Vectors of texts, kept in the cache under the content of the text, so that no text is encoded twice.

A file of the cache holds a batch of n texts: their keys (32 bytes each), their vectors (float32, little-endian), and
whether each text was truncated (a byte each), block after block, after a checksum of all. Files are written completely
and never changed, so processes do not disturb each other, and the next run uses the vectors of an interrupted one. A
damaged file counts as absent; its texts are encoded again.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.notices import notice
from irkit._utils.progress import progress
from irkit.errors import DataError
from irkit.retrieval.cache import CHECKSUM_BYTES, cache_folder, drop, keep, kept
from irkit.retrieval.encoder import Encoder, card_of

Array: TypeAlias = npt.NDArray[np.float32]

SAVED_AT_ONCE: Final = 512  # texts; about ten seconds of encoding
SHOWN_AT_ONCE: Final = 64
KEY_BYTES: Final = 32
ENDING: Final = ".vectors"
LENGTH_WITHIN: Final = 1e-2  # tolerance around 1, because 16-bit models are inexact


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Vectors of n texts.

    Attributes
    ----------
    vectors : float32 array of shape (n, dimensions)
        Each has length 1, unless the encoder's `normalised` is False.
    truncated : bool array of shape (n,)
        Whether the encoder truncated the text.
    """

    vectors: Array
    truncated: npt.NDArray[np.bool_]


def encode(
    texts: Sequence[str], encoder: Encoder, *, folder: Path | None = None, description: str = "encoding"
) -> EncodedTexts:
    """Return the vectors of texts, from the cache if they are known."""
    with progress(description, len(texts)) as advance:
        return VectorStore(encoder, folder).encode(texts, advance)


class VectorStore:
    """Cached vectors of an encoder; opened once for documents that come in batches.

    Memory holds the keys of all files, and the vectors of one file at a time.

    Parameters
    ----------
    encoder : Encoder
    folder : path, optional
        The cache; the user's own by default.
    """

    def __init__(self, encoder: Encoder, folder: Path | None = None) -> None:
        self._encoder = encoder
        self._card = card_of(encoder)
        self._folder = _folder_of(encoder, folder)
        self._keeps = self._folder is not None
        self._where: dict[bytes, tuple[Path, int]] = {}
        self._open: tuple[Path | None, EncodedTexts | None] = None, None
        for path in _files(self._folder):
            self._learn(path, _keys(path, encoder.dimensions))

    def encode(self, texts: Sequence[str], advance: Callable[[int], None]) -> EncodedTexts:
        """Encode texts as `encode` does; `advance` receives the number of finished texts."""
        keys = [text_key(text) for text in texts]
        rows: dict[bytes, list[int]] = {}
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
        encoded = EncodedTexts(
            np.empty((len(keys), self._encoder.dimensions), dtype=np.float32), np.zeros(len(keys), dtype=np.bool_)
        )
        missing = self._recall(rows, encoded, advance)
        # Batches of similar lengths need little padding.
        missing.sort(key=lambda key: (len(texts[rows[key][0]]), key))
        parts: list[Path] = []
        step = max(SHOWN_AT_ONCE, self._card.batch)
        for start in range(0, len(missing), SAVED_AT_ONCE):
            batch = missing[start : start + SAVED_AT_ONCE]
            for low in range(0, len(batch), step):
                some = batch[low : low + step]
                fresh = self._computed([texts[rows[key][0]] for key in some])
                for place, key in enumerate(some):
                    encoded.vectors[rows[key]] = fresh.vectors[place]
                    encoded.truncated[rows[key]] = fresh.truncated[place]
                advance(sum(len(rows[key]) for key in some))
            if path := self._keep(batch, rows, encoded):
                parts.append(path)
        if len(parts) > 1 and self._keep(missing, rows, encoded):
            for path in parts:  # one file now holds all vectors
                with suppress(OSError):
                    path.unlink()
        return encoded

    def _recall(
        self, rows: Mapping[bytes, list[int]], encoded: EncodedTexts, advance: Callable[[int], None]
    ) -> list[bytes]:
        """Fill in the vectors in the cache, and return the keys that it lacks."""
        missing: list[bytes] = []
        keys_by_file: dict[Path, list[bytes]] = {}
        for key in rows:
            if key in self._where:
                keys_by_file.setdefault(self._where[key][0], []).append(key)
            else:
                missing.append(key)
        for path, keys in keys_by_file.items():
            recalled = self._read(path)
            if recalled is None:  # damaged or removed
                missing += keys
                continue
            for key in keys:
                place = self._where[key][1]
                encoded.vectors[rows[key]] = recalled.vectors[place]
                encoded.truncated[rows[key]] = recalled.truncated[place]
                advance(len(rows[key]))
        return missing

    def _computed(self, texts: list[str]) -> EncodedTexts:
        encoder = self._encoder
        vectors = np.asarray(encoder.encode(texts), dtype=np.float32)
        if vectors.shape != (len(texts), encoder.dimensions):
            raise DataError(
                f"encoder {encoder.name} gave vectors of shape {vectors.shape} for {len(texts)} texts, "
                f"not {(len(texts), encoder.dimensions)}"
            )
        if not np.isfinite(vectors).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
            raise DataError(f"encoder {encoder.name} gave a vector that is not finite for the text {texts[row][:60]!r}")
        if self._card.normalised:
            lengths = np.linalg.norm(vectors, axis=1)
            wrong = np.flatnonzero((np.abs(lengths - 1) > LENGTH_WITHIN) & (lengths > LENGTH_WITHIN))
            if len(wrong):
                raise DataError(
                    f"encoder {encoder.name} gave a vector of length {lengths[wrong[0]]:.4g} for the text "
                    f"{texts[wrong[0]][:60]!r}; scale its vectors to length 1, or set normalised = False on the encoder"
                )
        return EncodedTexts(vectors, np.asarray(encoder.truncated(texts), dtype=np.bool_))

    def _keep(self, keys: Sequence[bytes], rows: Mapping[bytes, list[int]], encoded: EncodedTexts) -> Path | None:
        if self._folder is None or not self._keeps:
            return None
        places = [rows[key][0] for key in keys]
        path = _save(self._folder, keys, EncodedTexts(encoded.vectors[places], encoded.truncated[places]))
        if path is None:
            self._keeps = False  # the next file would fail too; a single notice is enough
            return None
        self._learn(path, keys)
        return path

    def _learn(self, path: Path, keys: Iterable[bytes]) -> None:
        self._where.update((key, (path, row)) for row, key in enumerate(keys))

    def _read(self, path: Path) -> EncodedTexts | None:
        if self._open[0] != path:
            self._open = path, _load(path, self._encoder.dimensions)
        return self._open[1]


def text_key(text: str) -> bytes:
    """Return the key of a text: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _folder_of(encoder: Encoder, folder: Path | None) -> Path | None:
    root = folder or cache_folder()
    return root / "vectors" / hashlib.sha256(encoder.identity.encode()).hexdigest()[:24] if root else None


def _files(folder: Path | None) -> list[Path]:
    """List the files of the cache in a folder; none, with a notice, if it cannot be read."""
    if folder is None:
        return []
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ENDING)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        notice(f"{folder}: the cache cannot be read ({problem.strerror}); irkit continues without it")
        return []


def _save(folder: Path, keys: Sequence[bytes], encoded: EncodedTexts) -> Path | None:
    joined = b"".join(keys)
    path = folder / (hashlib.sha256(joined).hexdigest()[:32] + ENDING)
    blocks = joined, encoded.vectors.astype("<f4", copy=False).tobytes(), encoded.truncated.tobytes()
    return path if keep(path, b"".join(blocks)) else None


def _keys(path: Path, dimensions: int) -> list[bytes]:
    """Read only the keys of a file; its checksum is verified when its vectors are read."""
    try:
        n = _n_texts(path.stat().st_size - CHECKSUM_BYTES, dimensions)
        with path.open("rb") as stream:
            stream.seek(CHECKSUM_BYTES)
            keys = stream.read((n or 0) * KEY_BYTES)
    except FileNotFoundError:  # removed meanwhile
        return []
    except OSError as problem:
        notice(f"{path}: the cache cannot be read ({problem.strerror}); irkit continues without it")
        return []
    if n is None:
        drop(path)
    return [keys[start : start + KEY_BYTES] for start in range(0, len(keys), KEY_BYTES)]


def _n_texts(size: int, dimensions: int) -> int | None:
    """Return the number of texts in a content of this size; None if the size is impossible."""
    n, rest = divmod(size, KEY_BYTES + 4 * dimensions + 1)
    return n if n > 0 and not rest else None


def _load(path: Path, dimensions: int) -> EncodedTexts | None:
    content = kept(path)
    if content is None:
        return None
    n = _n_texts(len(content), dimensions)
    if n is not None:
        vectors = np.frombuffer(content, "<f4", n * dimensions, n * KEY_BYTES).reshape(n, dimensions)
        truncated = np.frombuffer(content, np.bool_, n, n * (KEY_BYTES + 4 * dimensions))
        if np.isfinite(vectors).all():
            return EncodedTexts(vectors.astype(np.float32, copy=False), truncated)
    drop(path)
    return None
