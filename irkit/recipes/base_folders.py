"""Folders from which the files of a record may be read."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from irkit._utils.options import option


def outside(what: str) -> str:
    """Say that a file or a model is outside the folders that may be read."""
    return f"{what} is outside the folders that may be read; name one that holds it ({option(roots='FOLDER')})"


class BaseFolders(NamedTuple):
    """Folders that may be read, by where they really are."""

    folders: frozenset[Path]

    @classmethod
    def of(cls, folders: Iterable[str | os.PathLike[str]]) -> "BaseFolders":
        """Resolve the given folders."""
        return cls(frozenset(Path(os.path.realpath(folder)) for folder in folders))

    def hold(self, path: Path) -> bool:
        """Whether a file or folder lies inside one of the folders, with links resolved."""
        try:
            if not self._holds(path):
                return False
            return not path.is_dir() or all(self._holds(one) for one in path.rglob("*") if one.is_symlink())
        except (OSError, RuntimeError, ValueError):  # a name that no file can have
            return False

    def may_load(self, model: str) -> bool:
        """Whether a model is inside one of the folders, or its name is not a path."""
        is_path = os.path.isabs(model) or model.startswith("~") or ".." in Path(model).parts  # noqa: PTH117
        return self._holds(Path(model)) or not (is_path or Path(model).exists())

    def _holds(self, path: Path) -> bool:
        place = Path(os.path.realpath(path))
        return not self.folders.isdisjoint((place, *place.parents))
