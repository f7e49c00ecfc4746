"""Where the runs of an experiment are made: each by its recipe, and none twice."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from irkit._utils.text import instead
from irkit.data.runs import Run
from irkit.data.topic_subsets import read_topic_list
from irkit.errors import DataError, FormatError, UsageError
from irkit.experiment.files import CollectionFiles
from irkit.experiment.plan import Configuration, Experiment
from irkit.fusion import METHODS as FUSIONS
from irkit.recipes import Recipe, RecipeInputs, make, read_record, record_of, write_made
from irkit.recipes.parameters import checked
from irkit.retrieval.rerank import Reranked


class RunStore:
    """Runs of one collection, made and stored in a folder.

    Parameters
    ----------
    experiment : Experiment
    folder : Path
        Runs go to `runs/` in it, what they are made from to `build/COLLECTION/`.
    files : CollectionFiles
    command : sequence of str
        The words of the command, for the records.
    """

    def __init__(
        self, experiment: Experiment, folder: Path, files: CollectionFiles, command: Sequence[str] = ()
    ) -> None:
        self.experiment = experiment
        self.folder = folder
        self.files = files
        self.command = tuple(command)
        self.build = experiment.build_path(folder)
        self.materials = RecipeInputs(self.build)
        self.made: list[str] = []
        self.kept: list[str] = []

    def make(self, name: str, notes: list[str]) -> Path:
        """The file of a configuration's run, made unless it is there and nothing behind it has changed."""
        step, path = self.experiment.configurations[name], self.path(name)
        if step.method == "file":
            return path
        recipe = self._recipe(step, {role: self.path(role) for role in step.upstream})
        recipe = replace(recipe, parameters={**recipe.parameters, "tag": name})
        said = self._kept(path, recipe)
        (self.made if said is None else self.kept).append(name)
        if said is None:
            made = make(recipe, self.materials)
            if not made.run.topics:
                raise DataError(
                    f"{path}: not written, since {name} returned nothing for any topic; "
                    f"{'; '.join(made.notes) or 'look at its floor'}"
                )
            said = write_made(made, path, recipe, self.materials, command=self.command).notes
            if isinstance(made, Reranked):  # how long it took is said once, and not recorded
                notes.extend(f"{name}: {line}" for line in made.latency.lines())
        notes.extend(f"{name}: {note}" for note in said)
        return path

    def trained_on(self, name: str) -> frozenset[str]:
        """Topics that a configuration, or any of its inputs, was trained on."""
        step = self.experiment.configurations[name]
        found = frozenset[str]().union(*map(self.trained_on, step.upstream))
        if step.method == "fuse" and FUSIONS[step.parameters["fusion"]].learn is not None:
            topics = step.files.get("training_topics")
            found |= frozenset(read_topic_list(topics).ids if topics else ())
        return found

    def path(self, name: str) -> Path:
        """Path of a configuration's run."""
        return self.experiment.run_path(name, self.folder)

    def run(self, name: str, changed: Mapping[str, Any]) -> Run:
        """Make the run of a configuration in memory with changed parameters; unaffected parts are reused."""
        step = self.experiment.configurations[name]
        below, own = parted(changed, step.upstream)
        if step.method == "file" and own:
            raise UsageError(f"the run of '{name}' comes from a file; it has no parameters")
        paths = {other: self._laid_down(other, below.get(other, {})) for other in step.upstream}
        recipe = self._recipe(replace(step, parameters=with_changes(step, own)), paths)
        return make(recipe, self.materials).run if changed else self.materials.run(self.make(name, []))

    def _laid_down(self, name: str, changed: Mapping[str, Any]) -> Path:
        """Path by which the inputs know the run of a configuration with these changes."""
        if not changed:
            return self.make(name, [])
        place = Path(f"{self.path(name)} with {json.dumps(changed, sort_keys=True)}")
        if not self.materials.has(place):
            self.materials.put(place, self.run(name, changed))
        return place

    def _kept(self, path: Path, recipe: Recipe) -> tuple[str, ...] | None:
        """The notes of a run that need not be made again; None where it has to be."""
        if not path.is_file():
            return None
        try:
            record = read_record(path)
        except (DataError, FormatError):
            return None
        wanted = record_of(recipe, self.materials, path.parent)
        as_made = record.run.get("sha256") == self.materials.digest(path)
        return record.notes if as_made and record.same_recipe(wanted) else None

    def _recipe(self, step: Configuration, upstream: Mapping[str, Path]) -> Recipe:
        """The recipe of a configuration, from the runs of others where they are."""
        files: dict[str, tuple[Path, ...]] = {role: (path,) for role, path in step.files.items()}
        parameters = dict(step.parameters)
        if step.runs:
            files["runs"] = tuple(upstream[name] for name in step.runs)
        if step.evidence is not None:
            files["evidence"] = (upstream[step.evidence],)
        if step.method == "fuse" and FUSIONS[parameters["fusion"]].learn is not None:
            files.setdefault("training_qrels", (self.files.qrels,))
        if self.experiment.filters and step.method != "rerank":
            parameters["filters"] = [str(each) for each in self.experiment.filters]
        if self.files.topics and (step.method != "fuse" or "filters" in parameters):
            files["topics"] = (self.files.topics,)
            if self.files.query_field is not None:
                parameters["query_field"] = self.files.query_field
        if self.files.corpus and (step.reads_collection or "filters" in parameters):
            files["documents"] = (self.files.corpus,)
        return Recipe.of(step.method, parameters, files, self.experiment.path.parent)


def parted(changed: Mapping[str, Any], upstream: Sequence[str]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Changes of configurations upstream, by their name, and the others."""
    below: dict[str, dict[str, Any]] = {}
    own: dict[str, Any] = {}
    for name, value in changed.items():
        head, dot, rest = name.partition(".")
        if dot and head in upstream:
            below.setdefault(head, {})[rest] = value
        else:
            own[name] = value
    return below, own


def with_changes(step: Configuration, changed: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a configuration, with changes."""
    parameters = dict(step.parameters)
    for name, value in changed.items():
        head, dot, key = name.partition(".")
        if name in ("alpha", "weights"):
            parameters = {key: kept for key, kept in parameters.items() if key not in ("alpha", "weights")}
        if dot:
            table = parameters.get(head)
            if not isinstance(table, dict) or key not in table:
                known = table if isinstance(table, dict) else ()
                raise UsageError(f"'{head}' has no '{key}' here; {instead(key, known)}")
            value = {**table, key: value}
        parameters[head] = checked(step.parameters.get("fusion", step.method), head, value)
    return parameters
