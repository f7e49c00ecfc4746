"""The record beside a run: how it was made, from what, by which versions; nothing of the machine it was made on."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any, Final

from irkit.errors import DataError, FormatError, UsageError
from irkit.files.locks import alone
from irkit.files.overwrite import record_place
from irkit.files.textio import read_bytes, writing
from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.recipe import Recipe
from irkit.retrieval.ranking import Retrieved

FORMAT: Final = "irkit provenance 1"
SHA256_DIGITS: Final = 64
CLIMBED: Final = 2  # folders up to which a path is told; what lies farther off is told by its name alone


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a run was made from: where it was, seen from the run's folder, and the SHA-256 of its content."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Record:
    """Record of how a run was made.

    Attributes
    ----------
    method : str
    parameters : mapping of str to value
        As the recipe has them.
    files : mapping of str to tuple of Source
        By what they are: topics, documents, index, runs, ...
    versions : mapping of str to str
        Of all programs that decide how the method ranks.
    details : mapping of str to value
        What the engine says of itself: every parameter, also those left to their defaults; encoder, maximal length and
        truncated documents; hash of the index.
    notes : tuple of str
        What a reader of the run has to know.
    command : tuple of str
        The words of the command; empty where the run was made from Python.
    run : mapping
        `sha256` of the run file, and the numbers of its `topics` and `documents`.
    """

    method: str
    parameters: Mapping[str, Any]
    files: Mapping[str, tuple[Source, ...]]
    versions: Mapping[str, str]
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict)

    def same_recipe(self, other: "Record") -> bool:
        """Whether both make the same run: by the same method, with the same parameters, content and versions."""
        return self._recipe() == other._recipe()

    def _recipe(self) -> tuple[Any, ...]:
        files = {role: [source.sha256 for source in sources] for role, sources in self.files.items()}
        return self.method, plain(self.parameters), files, dict(self.versions)


def record_of(recipe: Recipe, materials: RecipeInputs, folder: Path) -> Record:
    """The record of a run that is to be made, paths seen from the folder where it is to be."""
    files = {
        role: tuple(Source(_seen_from(folder, path), materials.digest(path)) for path in paths)
        for role, paths in recipe.files.items()
        if paths
    }
    return Record(recipe.method, plain(recipe.parameters), files, versions_of(recipe))


def versions_of(recipe: Recipe) -> dict[str, str]:
    """Versions of the installed programs that affect a ranking."""
    found = {}
    for package in recipe.engines:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def write_made(
    made: Retrieved,
    path: Path,
    recipe: Recipe,
    materials: RecipeInputs,
    *,
    command: Sequence[str] = (),
    header: bool = False,
) -> Record:
    """Write a run and its record, each whole or not at all, and the two together.

    Of several processes that write the same run, one writes at a time, so that each record is that of its run. A
    process that is killed between the two leaves a record of another run, which `verify` finds.

    Parameters
    ----------
    made : Retrieved
    path : Path
        The run file.
    recipe : Recipe
        What it was made by.
    materials : RecipeInputs
    command : sequence of str
        The words of the command that made it.
    header : bool
        The run begins with comments in the form of ir_metadata, which irkit passes over; not every program does.

    Raises
    ------
    DataError
        If a file that the run was made from was changed meanwhile.
    IrkitError
        As `Run.write`.
    """
    from irkit.recipes.ir_metadata import header_of

    record = replace(
        record_of(recipe, materials, path.parent),
        details=plain(made.details),
        notes=made.notes,
        command=tuple(command),
    )
    if os.path.isdir(record_place(path)):  # noqa: PTH112 - which takes any name
        raise UsageError(f"{record_place(path)}: is a folder, where the record of the run has to be; move it")
    counts = {"topics": len(made.run.topics), "documents": len(made.run)}

    def content(sha256: str) -> bytes:
        return _as_json({"format": FORMAT, **asdict(replace(record, run={"sha256": sha256, **counts}))})

    for paths in recipe.files.values():
        for source in paths:
            materials.check_unchanged(source)
    with alone(path), writing(record_place(path)) as beside:
        # The record's room on the disk is taken before the run is put in place, so that neither appears alone.
        beside.write(content("0" * SHA256_DIGITS))
        beside.flush()
        os.fsync(beside.fileno())
        made.run.write(path, head=header_of(record, made.run.tag) if header else b"")
        materials.forget(path)
        sha256 = materials.digest(path)
        beside.seek(0)
        beside.write(content(sha256))
    return replace(record, run={"sha256": sha256, **counts})


def _as_json(content: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # the name of a file that is no UTF-8, which JSON can carry only as an escape
        return json.dumps(content, indent=1).encode("ascii") + b"\n"


def read_record(run: str | os.PathLike[str]) -> Record:
    """The record beside a run.

    Raises
    ------
    DataError
        If there is none.
    FormatError
        If it is damaged, or of another form.
    """
    place = record_place(run)
    if not place.is_file():
        raise DataError(f"{place}: there is no such file, which says how the run was made; irkit writes it beside runs")
    try:
        content = json.loads(read_bytes(place))
        if content.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        files = {role: tuple(Source(**source) for source in sources) for role, sources in content.pop("files").items()}
        record = Record(
            files=files, notes=tuple(content.pop("notes")), command=tuple(content.pop("command")), **content
        )
        _check(record)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise FormatError(str(place), "is no record of a run as irkit writes it; make the run again") from problem
    return record


def _check(record: Record) -> None:
    tables = (record.parameters, record.versions, record.details, record.run)
    if not isinstance(record.method, str) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("a part of it is missing")
    texts: Iterable[object] = (
        *record.notes,
        *record.command,
        *record.versions.values(),
        *(text for sources in record.files.values() for source in sources for text in (source.path, source.sha256)),
        record.run.get("sha256"),
    )
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text of it is none")


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """The value as it would be read back from JSON."""
    found: dict[str, Any] = json.loads(json.dumps(dict(values)))
    return found


def _seen_from(folder: Path, path: Path) -> str:
    """The way to a file from a folder, where it is short; else its name: the rest is of the machine."""
    try:
        way = PurePosixPath(Path(os.path.relpath(path, folder)).as_posix())
    except ValueError:  # another drive
        return path.name
    return str(way) if way.parts.count("..") <= CLIMBED else path.name
