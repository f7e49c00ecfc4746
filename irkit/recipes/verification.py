"""Verify a run: make it again from its record, and compare."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.runs import Run, read_run
from irkit.errors import FormatError, IrkitError
from irkit.files.overwrite import record_place
from irkit.files.textio import read_bytes
from irkit.recipes.base_folders import BaseFolders, outside
from irkit.recipes.digests import digest
from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.make import make
from irkit.recipes.recipe import Recipe
from irkit.recipes.record import Record, plain, read_record, versions_of
from irkit.retrieval.ranking import Retrieved

CLOSE: Final = 2e-6  # by which scores may differ: an encoder's last digits depend on the processor

Outcome = Literal["same bytes", "same ranking", "differs", "not made again"]


@dataclass(frozen=True, slots=True)
class Verified:
    """Outcome of making a run again.

    Attributes
    ----------
    outcome : {"same bytes", "same ranking", "differs", "not made again"}
        same ranking: the documents of every topic in the same order, scores closer than 2e-6. not made again: a file
        that it was made from is missing or was changed since, or the run itself was; nothing else was tried then.
    findings : tuple of str
        One sentence each: what is as it was, what is not.
    record : Record
    """

    outcome: Outcome
    findings: tuple[str, ...]
    record: Record

    @property
    def holds(self) -> bool:
        """Whether the run agrees with its record."""
        return self.outcome in ("same bytes", "same ranking")


def verify(
    run: str | os.PathLike[str],
    *,
    look_in: Sequence[str | os.PathLike[str]] = (),
    roots: Sequence[str | os.PathLike[str]] = (),
) -> Verified:
    """Make a run again by the record beside it, and compare.

    A record may be a stranger's: what it names is read only inside certain folders, wherever links lead, and what it
    names elsewhere is not looked for.

    Parameters
    ----------
    run : path
        A run that irkit made, with its record `RUN.provenance.json` beside it.
    look_in : sequence of path
        Folders where files are looked for by name that are not where the record says; these may be read too.
    roots : sequence of path
        Folders that may be read; if there are none, those of the run and the working folder.

    Returns
    -------
    Verified

    Raises
    ------
    DataError
        If there is no record.
    FormatError
        If record or run cannot be read.
    IrkitError
        If the run cannot be made again: an engine is missing, say.
    """
    path = Path(run)
    record = read_record(path)
    allowed = BaseFolders.of([*(roots or (path.parent, Path.cwd())), *look_in])
    places, findings = _find(record, path.parent, [Path(folder) for folder in look_in], allowed)
    if digest(path) != record.run["sha256"]:
        findings.insert(0, f"{path.name}: was changed since it was made")
    if findings:
        return Verified("not made again", tuple(findings), record)
    recipe = Recipe(record.method, record.parameters, places)
    here = versions_of(recipe)
    versions = tuple(
        f"made by {name} {record.versions.get(name, 'of no version told')}; here is {here.get(name, 'none')}"
        for name in sorted(here.keys() | record.versions.keys())
        if here.get(name) != record.versions.get(name)
    )
    with tempfile.TemporaryDirectory() as build:
        made = _made_again(recipe, RecipeInputs(Path(build), may_load=allowed.may_load), path)
    was, again = read_run(path), made.run
    counts = {"topics": len(was.topics), "documents": len(was)}
    if wrong := [name for name, n in counts.items() if record.run.get(name) != n]:
        return Verified("differs", tuple(f"the record counts other {name} than the run has" for name in wrong), record)
    differences = [*_differences(was, again), *(_false_details(record, made) if not versions else ())]
    if not differences and _lines(read_bytes(path)) == again.as_trec():
        return Verified("same bytes", ("made again, byte for byte", *versions), record)
    outcome: Outcome = "differs" if differences else "same ranking"
    said = differences or [f"made again: the same rankings, scores within {CLOSE:g}"]
    return Verified(outcome, (*said, *versions), record)


def _made_again(recipe: Recipe, materials: RecipeInputs, path: Path) -> Retrieved:
    try:
        return make(recipe, materials)
    except (TypeError, AttributeError, ValueError) as problem:
        if isinstance(problem, IrkitError):
            raise
        raise FormatError(str(record_place(path)), "says what no method takes; make the run again") from problem


def _find(
    record: Record, folder: Path, look_in: Sequence[Path], roots: BaseFolders
) -> tuple[Mapping[str, tuple[Path, ...]], list[str]]:
    """Places of the files of a record, and problems with them."""
    places: dict[str, tuple[Path, ...]] = {}
    wrong = [
        f"{name}: {outside(value)}"
        for name in ("encoder", "model")
        if isinstance(value := record.parameters.get(name), str) and not roots.may_load(value)
    ]
    for role, sources in record.files.items():
        found = []
        for source in sources:
            named = [folder / source.path, *(place / Path(source.path).name for place in look_in)]
            candidates = [place for place in named if roots.hold(place)]
            if not candidates:
                wrong.append(f"{role}: {outside(source.path)}")
                continue
            there = [candidate for candidate in candidates if _is_source(candidate)]
            same = next((candidate for candidate in there if digest(candidate) == source.sha256), None)
            if same is not None:
                found.append(same)
            elif there:
                wrong.append(f"{role}: {there[0]} was changed since the run was made")
            else:
                wrong.append(
                    f"{role}: {candidates[0]} is not there; name the folder where it is ({option(look_in='FOLDER')})"
                )
        places[role] = tuple(found)
    return places, wrong


def _is_source(path: Path) -> bool:
    """Whether it is a file or a folder; a pipe or a device would be read without end."""
    try:
        return path.is_file() or path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _lines(data: bytes) -> bytes:
    """Lines of the file without irkit's leading comments."""
    end = b"# ir_metadata.end\n"
    return data.partition(end)[2] if data.startswith(b"# ir_metadata.start\n") and end in data else data


def _false_details(record: Record, made: Retrieved) -> Iterator[str]:
    """Details and notes of the record that are wrong."""
    true = plain(made.details)
    for name in sorted(true.keys() | record.details.keys()):
        if true.get(name) != record.details.get(name):
            yield f"the record says {name} {record.details.get(name)!r}; it is {true.get(name)!r}"
    if tuple(made.notes) != record.notes:
        yield "the record has other notes than were made"


def _differences(was: Run, again: Run) -> Iterator[str]:
    """Differences of the rankings, a sentence each."""
    before, now = set(was.topics), set(again.topics)
    for topics, where in ((before - now, "the run alone"), (now - before, "what was made again alone")):
        if topics:
            yield f"{counted(len(topics), 'topic')} in {where}: {', '.join(sorted(topics)[:10])}"
    old = {topic: (documents, scores) for topic, documents, scores in was.by_topic()}
    moved, apart = [], 0.0
    for topic, documents, scores in again.by_topic():
        if topic not in old:
            continue
        if old[topic][0] != documents:
            moved.append(topic)
        else:
            apart = max(apart, float(np.abs(np.subtract(scores, old[topic][1])).max()))
    if moved:
        yield f"{counted(len(moved), 'topic')} ranked otherwise: {', '.join(moved[:10])}"
    if not apart <= CLOSE:
        yield f"scores differ by up to {apart:g}"
