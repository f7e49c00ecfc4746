"""Read and check an experiment file."""

from pathlib import Path
from typing import Any, Final, get_args

from irkit._utils.text import instead
from irkit.conversion import NAME_RULE, fits_file_names
from irkit.data.passages import CollapseAt, CollapseBy
from irkit.data.topic_matching import TOPIC_RULES
from irkit.errors import UsageError
from irkit.evaluation.scoring import DEFAULT_MEASURES
from irkit.experiment.configurations import known, read_configurations
from irkit.experiment.plan import ComparisonPlan, Configuration, Experiment, RunOptions
from irkit.experiment.toml import Table, read_toml
from irkit.experiment.tuning_plan import TuningPlan, read_tuning
from irkit.measures import Measure, parse_measures
from irkit.retrieval.filters import Filter, filters_of
from irkit.rules import Conventions, rules_named
from irkit.stats.paired.families import PAIRED_TESTS, check_family

_OF_RUNS: Final[dict[str, tuple[str, ...]]] = {
    "collapse": (),
    "collapse_by": get_args(CollapseBy),
    "collapse_at": get_args(CollapseAt),
    "match_topics": TOPIC_RULES,
}


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file.

    Raises
    ------
    FormatError
        For an unknown key, a wrong type, a missing file or an unknown name, with the line.
    """
    file = Path(path)
    root = read_toml(file)
    root.only("collection", "filters", "configurations", "evaluation", "comparisons", "tuning")
    collection = root.table("collection")
    if collection is None:
        raise root.error(None, "an experiment needs a [collection] with its name and files")
    name = collection.need("name", str)
    if not fits_file_names(name):
        raise collection.error("name", f"the collection's name is part of file names: {name!r} cannot be; {NAME_RULE}")
    files = {key: _file(collection, key, file.parent) for key in ("source", "corpus", "topics", "qrels")}
    split, query_field = collection.take("split", str), collection.take("query_field", str)
    if split is not None and files["source"] is None:
        raise collection.error("split", "'split' chooses files of a 'source'; there is none here")
    collection.done()
    configurations, filters = read_configurations(root, file.parent), _filters(root)
    evaluation = root.table("evaluation") or Table({}, ("evaluation",), root.place, root.text)
    measures = _measures(evaluation, "measures") or DEFAULT_MEASURES
    try:
        conventions = Conventions(
            average=evaluation.take("average", str, "judged"),  # type: ignore[arg-type]
            no_relevant=evaluation.take("no_relevant", str, "zero"),  # type: ignore[arg-type]
            ties=evaluation.take("ties", str, "docid"),  # type: ignore[arg-type]
        )
        rules = rules_named(evaluation.take("rules", str, "trec_eval-10") or "")
    except UsageError as problem:
        raise evaluation.error(None, str(problem)) from problem
    by = evaluation.take("by", str)
    of_runs = _of_runs(evaluation, conventions)
    evaluation.done()
    searched = bool(filters) or any(step.reads_collection for step in configurations.values())
    _check_parts(collection, files, searched, by is not None)
    return Experiment(
        file,
        root,
        name,
        files["source"],
        files["corpus"],
        files["topics"],
        files["qrels"],
        split,
        query_field,
        filters,
        configurations,
        measures,
        conventions,
        of_runs,
        rules,
        by,
        tuple(_comparison(table, configurations, measures) for table in root.tables("comparisons")),
        tuple(_tuning(table, file.parent, configurations, measures) for table in root.tables("tuning")),
    )


def _of_runs(evaluation: Table, conventions: Conventions) -> RunOptions:
    """Read the options that change runs before scoring."""
    chosen: dict[str, Any] = {}
    for key, known_values in _OF_RUNS.items():
        value = evaluation.take(key, str)
        if value is None:
            continue
        if known_values and value not in known_values:
            raise evaluation.error(key, f"unknown '{key}' {value!r}; {instead(value, known_values)}")
        if not value:
            raise evaluation.error(key, f"'{key}' is empty; name the separator of document and passage, such as '#'")
        chosen[key] = value
    if "collapse" not in chosen and (idle := next((key for key in chosen if key.startswith("collapse")), None)):
        raise evaluation.error(idle, f"'{idle}' needs 'collapse', the separator of document and passage")
    if "collapse" in chosen and conventions.ties == "file":
        raise evaluation.error(
            "collapse", "'collapse' does not work with ties = 'file': documents made of passages have no line order"
        )
    return RunOptions(drop_self=bool(evaluation.take("drop_self", bool)), **chosen)


def _check_parts(collection: Table, files: dict[str, Path | None], searched: bool, by_topic_field: bool) -> None:
    """Refuse a collection without a part that is needed: qrels always, the others where something reads them."""
    needed = ("corpus", "topics", "qrels") if searched else ("topics", "qrels") if by_topic_field else ("qrels",)
    missing = [key for key in needed if files[key] is None]
    if files["source"] is None and missing:
        wanted = f"all of {', '.join(map(repr, needed))}" if len(needed) > 1 else "'qrels'"
        raise collection.error(None, f"[collection] names a 'source' or {wanted}; missing: {', '.join(missing)}")


def _tuning(
    table: Table, folder: Path, configurations: dict[str, Configuration], measures: tuple[Measure, ...]
) -> TuningPlan:
    plan = read_tuning(table, folder, measures)
    known(table, "configuration", (plan.configuration,), configurations)
    return plan


def _file(table: Table, key: str, folder: Path) -> Path | None:
    value = table.take(key, str)
    if value is None:
        return None
    path = folder / value
    if not path.exists():
        raise table.error(key, f"'{key}': {path} does not exist")
    if key != "source" and not path.is_file():
        raise table.error(key, f"'{key}': {path} is a folder or a pipe; name a file")
    return path


def _measures(table: Table, key: str) -> tuple[Measure, ...]:
    try:
        return parse_measures(table.texts(key))
    except UsageError as problem:
        raise table.error(key, str(problem)) from problem


def _filters(root: Table) -> tuple[Filter, ...]:
    section = root.table("filters")
    if section is None:
        return ()
    found: list[Filter] = []
    for name, declared in section.entries.items():
        try:
            found += filters_of({name: declared})
        except UsageError as problem:
            raise section.error(name, str(problem)) from problem
    return tuple(found)


def _comparison(
    table: Table, configurations: dict[str, Configuration], measures: tuple[Measure, ...]
) -> ComparisonPlan:
    baseline = table.need("baseline", str)
    others = tuple(name for name in configurations if name != baseline)
    plan = ComparisonPlan(
        baseline,
        table.texts("candidates", others),
        _measures(table, "measures") or measures,
        table.take("test", str),
        table.take("correction", str) or "holm",
    )
    known(table, "baseline", (baseline,), configurations)
    known(table, "candidates", plan.candidates, configurations)
    if baseline in plan.candidates:
        raise table.error("candidates", f"'{baseline}' is the baseline, which is not compared with itself")
    if twice := next((name for name in plan.candidates if plan.candidates.count(name) > 1), None):
        raise table.error("candidates", f"'{twice}' occurs there twice; keep one")
    for measure in plan.measures:
        if measure not in measures:
            raise table.error("measures", f"{measure} is not among the measures of [evaluation]; add it there")
    try:
        check_family(plan.test, plan.correction, "two-sided", all_pairs=len(plan.candidates) == 1)
    except UsageError as problem:
        raise table.error("correction" if plan.test in (None, *PAIRED_TESTS) else "test", str(problem)) from problem
    table.done()
    return plan
