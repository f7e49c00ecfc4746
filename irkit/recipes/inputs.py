"""The files of recipes, each read once; and the indexes built from them, kept for the next recipe."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from irkit._utils.notices import notice
from irkit.data.documents import Document, read_documents
from irkit.data.runs import Run, read_run
from irkit.data.topics import Topics, read_topics
from irkit.errors import DataError, FormatError, UsageError
from irkit.files.locks import alone
from irkit.recipes.base_folders import outside
from irkit.recipes.digests import digest
from irkit.retrieval.atomic_folder import remove_index
from irkit.retrieval.encoder import Encoder, load_encoder
from irkit.retrieval.filters import allowing, filter_from_text
from irkit.retrieval.manifest import MANIFEST
from irkit.retrieval.ranking import Allowed
from irkit.retrieval.rerank import Reranker, load_reranker

T = TypeVar("T")


class RecipeInputs:
    """Inputs of recipes: runs, indexes, models, topics; each loaded once.

    Parameters
    ----------
    build : path, optional
        The folder where indexes are built and kept; recipes that name documents and no index need one.
    hold_runs : bool
        Keep the runs that are read, which may be large, for the next recipe.
    threads : int, optional
        Topics searched at once, where an engine can; all cores if not given. It is no part of a recipe: the run is the
        same.
    may_load : callable, optional
        Whether an encoder or re-ranker of that name may be loaded, whatever names it: a recipe, or an index; every one
        may if not given.
    """

    def __init__(
        self,
        build: Path | None = None,
        *,
        hold_runs: bool = True,
        threads: int | None = None,
        may_load: Callable[[str], bool] = lambda name: True,
    ) -> None:
        self.build = build
        self._may_load = may_load
        self.threads = threads
        self._hold_runs = hold_runs
        self._read: dict[tuple[object, ...], Any] = {}
        self._digests: dict[Path, str] = {}
        self._stamps: dict[Path, tuple[int, ...] | None] = {}
        self._made: dict[Path, Run] = {}

    def put(self, name: Path, run: Run) -> None:
        """Lay a run down under a name that no file has, and that says all of how it was made."""
        self._made[name] = run
        self._digests[name] = str(name)

    def has(self, name: Path) -> bool:
        """Whether a run was laid down under this name."""
        return name in self._made

    def digest(self, path: Path) -> str:
        """Digest of a file or folder."""
        self.see(path)
        if path not in self._digests:
            self._digests[path] = digest(path)
        return self._digests[path]

    def see(self, path: Path) -> None:
        """Note which file has this name, before it is read."""
        if path not in self._stamps:
            self._stamps[path] = _stamp(path)

    def check_unchanged(self, path: Path) -> None:
        """Refuse a file that changed since it was first read, since its digest may be wrong.

        Raises
        ------
        DataError
        """
        if path in self._stamps and _stamp(path) != self._stamps[path]:
            raise DataError(f"{path}: another process changed it meanwhile; run the command again")

    def forget(self, path: Path) -> None:
        """Forget a file that was rewritten."""
        self._digests.pop(path, None)
        self._stamps.pop(path, None)
        self._read.pop(("run", path), None)

    def run(self, path: Path) -> Run:
        """A run, from its file or laid down by `put`."""
        if path in self._made:
            return self._made[path]
        if not self._hold_runs:
            return read_run(path)
        run: Run = self._once(("run", path), lambda: read_run(path))
        return run

    def topics(self, path: Path, query_field: str | None = None) -> Topics:
        """The topics of a file."""
        topics: Topics = self._once(("topics", path, query_field), lambda: read_topics(path, query_field))
        return topics

    def documents(self, path: Path) -> list[Document]:
        """All documents of a file."""
        documents: list[Document] = self._once(("documents", path), lambda: list(read_documents(path)))
        return documents

    def encoder(self, name: str, **options: Any) -> Encoder:
        """An encoder with its options, loaded once."""
        key = ("encoder", name, json.dumps(options, sort_keys=True))
        self._check_may_load(name)
        encoder: Encoder = self._once(key, lambda: load_encoder(name, **options))
        return encoder

    def reranker(self, name: str, **options: Any) -> Reranker:
        """A re-ranker with its options, loaded once."""
        key = ("reranker", name, json.dumps(options, sort_keys=True))
        self._check_may_load(name)
        reranker: Reranker = self._once(key, lambda: load_reranker(name, **options))
        return reranker

    def _check_may_load(self, name: str) -> None:
        if not self._may_load(name):
            raise DataError(outside(f"model {name}"))

    def allowed(self, filters: Sequence[str], documents: Path | None, topics: Topics) -> Allowed | None:
        """Documents that pass the hard filters, given as `irkit.retrieval.filters.filter_from_text` reads them.

        Raises
        ------
        UsageError
            If there are filters and no documents whose fields they could look at, or no topic or document has a field
            that they name.
        """
        if not filters:
            return None
        if documents is None:
            raise UsageError("filters look at the fields of documents; name the file of the documents")
        chosen = [filter_from_text(text) for text in filters]
        for choice in chosen:
            topics.field(choice.topic_field)  # refuses one that no topic has
        allowed: Allowed = self._once(
            ("allowed", documents, tuple(filters)), lambda: allowing(self.documents(documents), chosen)
        )
        return allowed

    def in_index(
        self,
        kind: str,
        documents: Path,
        options: Mapping[str, Any],
        build: Callable[[Path], object],
        use: Callable[[Path], T],
    ) -> T:
        """Apply `use` to the index of these documents with these options; build the index if needed.

        One process builds it, and others wait. An index that is damaged, or was built by an earlier irkit, is built
        again, once, with a notice.

        Raises
        ------
        UsageError
            If there is no folder for indexes.
        """
        if self.build is None:
            raise UsageError("there is no folder to build an index in; name an index")
        key = hashlib.sha256(json.dumps([self.digest(documents), options], sort_keys=True).encode()).hexdigest()
        folder = self.build / f"{kind}.{key[:16]}"
        with alone(folder):
            found_there = (folder / MANIFEST).is_file()
            if not found_there:
                _rebuild(folder, build)
        try:
            return use(folder)
        except (DataError, FormatError):
            if not found_there:  # an index just built says what is wrong
                raise
        with alone(folder):
            try:  # another process may have built it again meanwhile
                return use(folder)
            except (DataError, FormatError) as problem:
                notice(f"{problem}: built again")
            _rebuild(folder, build)
        return use(folder)

    def _once(self, key: tuple[object, ...], read: Callable[[], Any]) -> Any:
        if key not in self._read:
            self._read[key] = read()
        return self._read[key]


def _stamp(path: Path) -> tuple[int, ...] | None:
    """Stamp that changes when a file is written or replaced; None if it is not a file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if path.is_file() else None


def _rebuild(folder: Path, build: Callable[[Path], object]) -> None:
    """Build an index in the place of whatever is there."""
    remove_index(folder)  # what is no index stays, and building refuses it
    build(folder)
