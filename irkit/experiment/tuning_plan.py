"""The tuning section of an experiment file: parameters, values to try, development and test topics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.experiment.toml import Table
from irkit.measures import Measure, parse_measures
from irkit.tuning.search import Search
from irkit.tuning.space import LIMIT


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Split of topics: files of development and test topics, a share, or folds.

    Attributes
    ----------
    folds : int or None
        How many; 5 where nothing else is said.
    inner : int or None
        Folds within folds: so many inner ones.
    share : float or None
        The share of the topics that chooses; no folds.
    development, test : Path or None
        Files that name the topics of either side; no folds.
    by : str or None
        A topic field whose values are spread evenly.
    seed : int
    """

    folds: int | None = None
    inner: int | None = None
    share: float | None = None
    development: Path | None = None
    test: Path | None = None
    by: str | None = None
    seed: int = 0

    @property
    def reads(self) -> tuple[Path, ...]:
        """The files that it names."""
        return tuple(path for path in (self.development, self.test) if path is not None)

    def __post_init__(self) -> None:
        if (self.development is None) != (self.test is None):
            raise UsageError("development and test topics go together; name a file of each")
        in_folds = self.folds is not None or self.inner is not None
        if (self.development is not None) + (self.share is not None) + in_folds > 1:
            raise UsageError("topics named, a share of them, and folds exclude each other; choose one")


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Plan of a tuning: parameters, measure, split.

    Attributes
    ----------
    configuration : str
    space : mapping of str to values
        Parameters with the values to try, as `irkit.tuning.Space.of` reads them: of the configuration itself, or of one
        that it is made from (`bm25.k1`).
    measure : Measure
    split : SplitPlan
    search : {"grid", "random"}
    n : int or None
        Points of a random search.
    limit : int
        A grid of more points is refused.
    """

    configuration: str
    space: Mapping[str, Any]
    measure: Measure
    split: SplitPlan = SplitPlan()
    search: Search = "grid"
    n: int | None = None
    limit: int = LIMIT


def read_tuning(table: Table, folder: Path, measures: tuple[Measure, ...]) -> TuningPlan:
    """One `[[tuning]]` of an experiment file."""
    settings = table.take("set", dict, required=True)
    name, search = table.take("measure", str), table.take("search", str, "grid")
    if search not in get_args(Search):
        raise table.error("search", f"there is no search '{search}'; {instead(search, get_args(Search))}")
    try:
        measure = measures[0] if name is None else parse_measures([name])[0]
        split = SplitPlan(
            table.take("folds", int),
            table.take("inner", int),
            table.take("share", float),
            table.file("development", folder),
            table.file("test", folder),
            table.take("by", str),
            table.take("seed", int) or 0,
        )
    except UsageError as problem:
        raise table.error("measure" if name is not None else None, str(problem)) from problem
    plan = TuningPlan(
        table.need("configuration", str),
        dict(_flat(settings or {})),
        measure,
        split,
        "random" if search == "random" else "grid",
        table.take("n", int),
        table.take("limit", int) or LIMIT,
    )
    table.done()
    return plan


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Join the names of nested TOML tables with dots."""
    for name, values in settings.items():
        if isinstance(values, Mapping):
            yield from _flat(values, f"{before}{name}.")
        else:
            yield f"{before}{name}", values
