"""What an experiment file may say, checked before anything is run."""

from math import isnan
from pathlib import Path

from irkit.convert import NAME_RULE, fits_file_names
from irkit.errors import UsageError
from irkit.experiment.plan import Bm25, ComparisonPlan, Configuration, Dense, Experiment, Fused
from irkit.experiment.toml import Table, read_toml
from irkit.measures import Measure, parse_measures
from irkit.retrieval.bm25 import HIGHEST_K1
from irkit.retrieval.filters import Filter, filters_of
from irkit.rules import Conventions, rules_named
from irkit.scoring import DEFAULT_MEASURES
from irkit.spelling import counted
from irkit.stats.families import PAIRED_TESTS, check_family


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file.

    Raises
    ------
    FormatError
        For an unknown key, a wrong type, a missing file or an unknown name, with the line.
    """
    file = Path(path)
    root = read_toml(file)
    root.only("collection", "filters", "configurations", "evaluation", "comparisons")
    collection = root.table("collection")
    if collection is None:
        raise root.error(None, "an experiment needs a [collection] with its name and files")
    name = collection.need("name", str)
    if not fits_file_names(name):
        raise collection.error("name", f"the collection's name is part of file names: {name!r} cannot be; {NAME_RULE}")
    files = {key: _file(collection, key, file.parent) for key in ("source", "corpus", "topics", "qrels")}
    missing = [key for key in ("corpus", "topics", "qrels") if files[key] is None]
    if files["source"] is None and missing:
        raise collection.error(
            None,
            f"[collection] names a 'source' or all of 'corpus', 'topics' and 'qrels'; missing: {', '.join(missing)}",
        )
    split, query_field = collection.take("split", str), collection.take("query_field", str)
    if split is not None and files["source"] is None:
        raise collection.error("split", "'split' chooses files of a 'source'; there is none here")
    collection.done()
    configurations = _configurations(root)
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
    evaluation.done()
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
        _filters(root),
        configurations,
        measures,
        conventions,
        rules,
        by,
        tuple(_comparison(table, configurations, measures) for table in root.tables("comparisons")),
    )


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


def _configurations(root: Table) -> dict[str, Configuration]:
    section = root.table("configurations")
    if section is None or not section.entries:
        raise root.error(None, "an experiment needs at least one [configurations.NAME]")
    made: dict[str, Configuration] = {}
    for name in section.entries:
        if not fits_file_names(name):
            raise section.error(name, f"a configuration's name is part of file names: {name!r} cannot be; {NAME_RULE}")
        table = section.table(name)
        assert table is not None
        method = table.need("method", str)
        if method not in ("bm25", "dense", "rrf", "linear"):
            raise table.error("method", f"unknown method '{method}'; there are bm25, dense, rrf and linear")
        made[name] = (
            _bm25(table) if method == "bm25" else _dense(table) if method == "dense" else _fused(table, method, made)
        )
        table.done()
    return made


def _bm25(table: Table) -> Bm25:
    weights = table.table("fields")
    fields = {} if weights is None else {name: _positive(weights, name) for name in weights.entries}
    k1, b = _non_negative(table, "k1", 0.9), _non_negative(table, "b", 0.4)
    if k1 > HIGHEST_K1:
        raise table.error("k1", f"'k1' is at most {HIGHEST_K1:g}, not {k1}")
    if b > 1:
        raise table.error("b", f"'b' is a number from 0 to 1, not {b}")
    return Bm25(_depth(table), k1, b, fields)


def _dense(table: Table) -> Dense:
    encoder = table.take("encoder", str, "all-MiniLM-L6-v2")
    assert encoder is not None
    return Dense(encoder, _depth(table), table.texts("fields"), _floor(table))


def _fused(table: Table, method: str, made: dict[str, Configuration]) -> Fused:
    runs = table.texts("runs")
    _known(table, "runs", runs, made)
    weights = table.numbers("weights")
    if weights and len(weights) != len(runs):
        raise table.error(
            "weights", f"{counted(len(weights), 'weight')} for {counted(len(runs), 'run')}; give one to each"
        )
    if weights and not (all(0 <= weight < float("inf") for weight in weights) and any(weights)):
        raise table.error("weights", f"weights are numbers from 0 on, one above 0 at least; not {list(weights)}")
    if (alpha := table.take("alpha", float)) is not None:
        if len(runs) != 2 or weights or not 0 <= alpha <= 1:
            raise table.error(
                "alpha", "'alpha' is the first run's weight in [0, 1]; it needs two runs and no 'weights'"
            )
        weights = (alpha, 1 - alpha)
    prior = table.table("prior")
    abstain = table.table("abstain")
    fused = Fused(
        method,
        runs,
        _depth(table),
        _positive(table, "k", 60.0) if method == "rrf" else 0.0,
        weights,
        None if prior is None else prior.need("field", str),
        1.0 if prior is None else _non_negative(prior, "weight", 1.0),
        None if abstain is None else abstain.need("run", str),
        0.0 if abstain is None else _needed_floor(abstain),
    )
    if prior is not None:
        prior.done()
    if abstain is not None:
        _known(abstain, "run", (fused.floor_run or "",), made)
        abstain.done()
    return fused


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
    _known(table, "baseline", (baseline,), configurations)
    _known(table, "candidates", plan.candidates, configurations)
    if baseline in plan.candidates:
        raise table.error("candidates", f"'{baseline}' is the baseline, which is not compared with itself")
    if twice := next((name for name in plan.candidates if plan.candidates.count(name) > 1), None):
        raise table.error("candidates", f"'{twice}' stands there twice; keep one")
    for measure in plan.measures:
        if measure not in measures:
            raise table.error("measures", f"{measure} is not among the measures of [evaluation]; add it there")
    try:
        check_family(plan.test, plan.correction, "two-sided", all_pairs=len(plan.candidates) == 1)
    except UsageError as problem:
        raise table.error("correction" if plan.test in (None, *PAIRED_TESTS) else "test", str(problem)) from problem
    table.done()
    return plan


def _known(table: Table, key: str, names: tuple[str, ...], made: dict[str, Configuration]) -> None:
    if not names:
        raise table.error(key, f"{table.called} needs '{key}', one configuration at least")
    for name in names:
        if name not in made:
            raise table.error(
                key, f"'{name}' is no configuration above this one; there are {', '.join(made) or 'none'}"
            )


def _depth(table: Table) -> int:
    depth = table.take("depth", int, 1000)
    if depth is None or not 1 <= depth < 2**31:
        raise table.error(
            "depth", f"'depth' is the number of documents a topic gets, at least 1 and below 2**31, not {depth}"
        )
    return depth


def _non_negative(table: Table, key: str, default: float | None = None) -> float:
    value = table.take(key, float, default)
    if value is None or not 0 <= value < float("inf"):
        raise table.error(key, f"'{key}' is a number from 0 on, not {value}")
    return value


def _positive(table: Table, key: str, default: float | None = None) -> float:
    value = _non_negative(table, key, default)
    if value == 0:
        raise table.error(key, f"'{key}' is a number above 0, not {value}")
    return value


def _floor(table: Table) -> float | None:
    floor = table.take("floor", float)
    if floor is not None and isnan(floor):
        raise table.error("floor", "'floor' is a number, not nan: the least score that is evidence enough")
    return floor


def _needed_floor(table: Table) -> float:
    table.need("floor", float)
    floor = _floor(table)
    assert floor is not None
    return floor
