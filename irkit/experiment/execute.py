"""Execute an experiment: runs, scores and comparisons; finished parts are kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from irkit._utils.options import spelled
from irkit._utils.text import counted
from irkit.data.documents import read_documents
from irkit.data.qrels import Qrels, read_qrels
from irkit.data.topics import read_topics
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import evaluate
from irkit.experiment.check import check_fields
from irkit.experiment.files import collection_files
from irkit.experiment.keys import as_keys
from irkit.experiment.plan import ComparisonPlan, Experiment
from irkit.experiment.run_store import RunStore
from irkit.files.textio import write_bytes
from irkit.recipes.parameters import DEFAULTS
from irkit.report.text import render_results
from irkit.stats import Comparison, compare


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """Result of an experiment.

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


def run_experiment(experiment: Experiment, out: str | Path, *, command: Sequence[str] = ()) -> ExperimentResult:
    """Write the runs of an experiment, score them and compare them.

    Parameters
    ----------
    experiment : Experiment
    out : path
        Folder for `topics/`, `qrels/`, `documents/` (where the collection is converted), `runs/` and `build/`. A run
        whose inputs, parameters and engines are as they were when it was written is kept. All values and tests go to
        `build/COLLECTION/evaluation.json`, and beside each run its record, `RUN.provenance.json`.
    command : sequence of str
        The words of the command, for the records.

    Raises
    ------
    IrkitError
        If a file, a field or an engine is not what it has to be. Whatever was finished stays.
    """
    folder = Path(out)
    with spelled(as_keys):
        files = collection_files(experiment, folder)
    notes = list(files.notes)
    topics = read_topics(files.topics, files.query_field) if files.topics else None
    qrels = read_qrels(files.qrels)
    if topics is not None:
        check_fields(experiment, read_documents(files.corpus) if files.corpus else (), topics)
    workshop = RunStore(experiment, folder, files, command)
    groups = {} if experiment.by is None or topics is None else topics.field(experiment.by)
    pairs = experiment.of_runs.matched(groups, qrels.topics)
    groups = {pairs[topic]: group for topic, group in groups.items()}
    paths = {name: workshop.make(name, notes) for name in experiment.configurations}
    if workshop.made and workshop.kept:
        notes.append(f"made anew: {', '.join(workshop.made)}; kept as they were: {', '.join(workshop.kept)}")
    qrels, left_out = without_lessons(workshop, qrels, tuple(experiment.configurations))
    notes += left_out
    with spelled(as_keys):
        evaluations = [
            evaluate(
                run=path,
                qrels=qrels,
                measures=experiment.measures,
                average=experiment.conventions.average,
                no_relevant=experiment.conventions.no_relevant,
                ties=experiment.conventions.ties,
                rules=experiment.rules,
                name=name,
                **asdict(experiment.of_runs),
            )
            for name, path in paths.items()
        ]
    for path in paths.values():
        workshop.materials.check_unchanged(path)
    notes += _ceilings(experiment, paths, qrels)
    comparisons = [_compare(plan, evaluations) for plan in experiment.comparisons]
    results = render_results(evaluations, comparisons, "json", groups=groups or None)
    write_bytes(experiment.results_path(folder), results.encode())
    return ExperimentResult(paths, evaluations, comparisons, groups, notes)


def without_lessons(workshop: RunStore, qrels: Qrels, names: Iterable[str]) -> tuple[Qrels, tuple[str, ...]]:
    """Remove the training topics of these configurations from the qrels, with a note.

    A run has no lines for topics that it was trained on: held against others there, it would lose, or win by silence.
    """
    trained = {
        name: frozenset(workshop.experiment.of_runs.matched(workshop.trained_on(name), qrels.topics).values())
        & frozenset(qrels.topics)
        for name in names
    }
    seen = frozenset[str]().union(*trained.values())
    if not seen:
        return qrels, ()
    by = ", ".join(name for name, topics in trained.items() if topics)
    note = f"{counted(len(seen), 'judged topic')} left out of all means, since {by} was trained on them"
    return qrels.of_topics(frozenset(qrels.topics) - seen), (note,)


def _ceilings(experiment: Experiment, paths: Mapping[str, Path], qrels: Qrels) -> Iterator[str]:
    """Ceiling of each re-ranked configuration: relevant documents of the first stage within the re-ranked depth."""
    for name, step in experiment.configurations.items():
        if step.method == "rerank":
            depth = step.parameters.get("depth", DEFAULTS["rerank"]["depth"])
            found = evaluate(run=paths[step.runs[0]], qrels=qrels, measures=f"R@{depth}", **asdict(experiment.of_runs))
            yield (
                f"{name}: the ceiling is R@{depth} of {step.runs[0]}, {found.summary[0]:.4f}; "
                "re-ranking finds no other documents"
            )


def _compare(plan: ComparisonPlan, evaluations: Sequence[Evaluation]) -> Comparison:
    by_name = {evaluation.name: evaluation for evaluation in evaluations}
    chosen = [by_name[name] for name in (plan.baseline, *plan.candidates)]
    return compare(chosen, baseline=plan.baseline, measures=plan.measures, test=plan.test, correction=plan.correction)
