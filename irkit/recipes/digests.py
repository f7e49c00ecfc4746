"""SHA-256 digests of files and indexes."""

import hashlib
from pathlib import Path

from irkit.errors import DataError
from irkit.files.textio import sha256_of
from irkit.retrieval.manifest import MANIFEST, index_digest


def digest(path: Path) -> str:
    """SHA-256 of a file; of a folder: by its manifest (`index_digest`), or of all files in it where it has none."""
    try:
        if not path.is_dir():
            return sha256_of(path)
        if (path / MANIFEST).is_file():
            return index_digest(path)
        files = sorted(one for one in path.rglob("*") if one.is_file())
        named = (f"{file.relative_to(path).as_posix()} {sha256_of(file)}\n" for file in files)
        return hashlib.sha256("".join(named).encode("utf-8", "surrogateescape")).hexdigest()
    except OSError as problem:
        raise DataError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
