"""ir_measures' interface: `from irkit import ir_measures` moves a code base over.

Names, arguments, topics and values are those of ir_measures 0.4.3, computed by irkit. The rules are those of
trec_eval 9, as in pytrec_eval, which computes the most common measures of ir_measures; so only values that are wrong
there change. `docs/how-to/other-libraries.md` lists the intended differences.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, overload

import numpy as np

from irkit import measures as table
from irkit._utils.options import no_options, spelled
from irkit.data.from_tables import is_table
from irkit.data.qrels import Qrels
from irkit.data.runs import Run, RunSource
from irkit.errors import MeasureError, MissingDependencyError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator as Scorer
from irkit.ir_measures.elsewhere import missing
from irkit.ir_measures.rows import (
    GenericQrel,
    GenericScoredDoc,
    Qrel,
    ScoredDoc,
    parse_trec_qrels,
    parse_trec_run,
    read_trec_qrels,
    read_trec_run,
)
from irkit.judged import PerTopic
from irkit.judged.kinds import AnyJudged, JudgmentsSource
from irkit.measures import FAMILIES
from irkit.rules import TREC_EVAL_9

if TYPE_CHECKING:
    from irkit.ir_measures.provider import IrkitProvider

__all__ = [
    "BaseMeasure",
    "CalcResults",
    "Evaluator",
    "GenericQrel",
    "GenericScoredDoc",
    "Measure",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "calc",
    "calc_aggregate",
    "calc_ctxt",
    "convert_trec_name",
    "evaluator",
    "iter_calc",
    "parse_measure",
    "parse_trec_measure",
    "parse_trec_qrels",
    "parse_trec_run",
    "qrel_inputs",
    "read_trec_qrels",
    "read_trec_run",
    "register",
    "run_inputs",
]  # the measures by name follow below
__version__ = "0.4.3"  # version of the interface

# A measure of irkit, its name, or a measure of ir_measures, which need not be installed.
AnyMeasure: TypeAlias = "table.Measure | str | Any"


class Metric(NamedTuple):
    """Value of a measure for a topic."""

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """Summary of each measure (or of a single measure), and values for each topic."""

    aggregated: Any
    per_query: list[Metric]


class Measure(table.Measure):
    """A measure of irkit with the methods of ir_measures, printed with the spelling of ir_measures."""

    __slots__ = ()

    @overload
    def __call__(self, judged: AnyJudged, /) -> PerTopic: ...
    @overload
    def __call__(self, **params: Any) -> "Measure": ...
    def __call__(self, *judged: AnyJudged, **params: Any) -> "PerTopic | Measure":
        """Return the measure with these parameters; or, given judged documents, its value for each topic."""
        if self.name == "NumRet" and "rel" in params:
            return NumRelRet(**params)
        measure: Any = super().__call__(*judged, **params)
        return _with_methods(measure) if isinstance(measure, table.Measure) else measure

    def __matmul__(self, depth: float) -> "Measure":
        return self(**{self.family.at: depth})

    def iter_calc(self, qrels: JudgmentsSource, run: RunSource) -> Iterator[Metric]:
        """Yield the value for every judged topic; parameters and errors as in `Evaluator`."""
        return iter_calc([self], qrels, run)

    def calc_aggregate(self, qrels: JudgmentsSource, run: RunSource) -> float:
        """Return the summary over all judged topics; parameters and errors as in `Evaluator`."""
        return calc_aggregate([self], qrels, run)[self]

    def calc(self, qrels: JudgmentsSource, run: RunSource) -> CalcResults:
        """Return values and summary; parameters and errors as in `Evaluator`."""
        result = calc([self], qrels, run)
        return CalcResults(result.aggregated[self], result.per_query)

    def evaluator(self, qrels: JudgmentsSource) -> "Evaluator":
        """Make an `Evaluator` of this measure and these judgments, for any number of runs."""
        return Evaluator([self], qrels)

    def __eq__(self, other: object) -> bool:
        # Either of the two classes of measures.
        return isinstance(other, table.Measure) and (self.name, self.params) == (other.name, other.params)

    __hash__ = table.Measure.__hash__

    def __reduce__(self) -> tuple[type["Measure"], tuple[str, tuple[tuple[str, Any], ...]]]:
        return Measure, (self.name, self.params)

    def __str__(self) -> str:
        if self.name != "NumRelRet":
            return super().__str__()
        return f"NumRet(rel={dict(self.params).get('rel', 1)})"

    __repr__ = __str__


BaseMeasure = Measure
NumRelRet = Measure("NumRelRet")


def _with_methods(measure: table.Measure) -> Measure:
    return Measure(measure.name, measure.params)


class Evaluator:
    """Judgments and measures for scoring any number of runs; several threads may use it.

    Parameters
    ----------
    measures : iterable of Measure, str, or measure of ir_measures
        These are the keys of results; a name is replaced by its measure.
    qrels : any input of `irkit.evaluate`
        Read once and kept, so it may be a generator. If it is empty (`[]`, `{}`, a table without rows), there is no
        topic to evaluate: no metrics, nan for a mean, 0 for a count.

    Raises
    ------
    MeasureError
        If irkit has no such measure.
    FormatError
        If the qrels do not have a valid format.
    """

    def __init__(self, measures: Iterable[AnyMeasure], qrels: JudgmentsSource) -> None:
        requested: dict[Measure, Any] = {}
        for given in [measures] if isinstance(measures, str | table.Measure) else measures:
            ours = parse_measure(given)
            requested.setdefault(ours, ours if isinstance(given, str) else given)
        self.measures = tuple(requested.values())
        self._of_nothing = [0.0 if measure.summary == "sum" else float("nan") for measure in requested]
        self._scorer = (
            Scorer(qrels, tuple(requested), rules=TREC_EVAL_9) if requested and not _is_empty(qrels) else None
        )

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics, in byte order."""
        return () if self._scorer is None else self._scorer.judged_topics

    def iter_calc(self, run: RunSource) -> Iterator[Metric]:
        """Yield every measure of every judged topic, topics in byte order; errors as in `calc`."""
        return _metrics(self._scored(run), self.measures)

    def calc_aggregate(self, run: RunSource) -> dict[Any, float]:
        """Return the summary of each measure over all judged topics; errors as in `calc`."""
        return self._aggregated(self._scored(run))

    def calc(self, run: RunSource) -> CalcResults:
        """Return values and summaries of a run.

        Parameters
        ----------
        run : any input of `irkit.evaluate`
            An unjudged topic is left out. A judged topic that the run lacks is an empty ranking, with counts of 0; so
            are all judged topics if the run is empty.

        Raises
        ------
        FormatError
            If the run does not have a valid format.
        DataError
            If the run has topics, and none of them is judged, although other topics are.
        """
        evaluation = self._scored(run)
        return CalcResults(self._aggregated(evaluation), list(_metrics(evaluation, self.measures)))

    def _aggregated(self, evaluation: Evaluation | None) -> dict[Any, float]:
        summary = self._of_nothing if evaluation is None else evaluation.summary.tolist()
        return dict(zip(self.measures, summary, strict=True))

    def _scored(self, run: RunSource) -> Evaluation | None:
        """Score the run; None if no topic is judged, or there is no measure."""
        if self._scorer is None:
            Run.of(run)  # raises the usual error if the run is invalid
            return None
        held = run if isinstance(run, str | os.PathLike | dict) else Run.of(run)
        nothing = held == {} or (isinstance(held, Run) and not held.topics)
        with spelled(no_options):  # this interface has no such options
            evaluation = self._scorer.evaluate({topic: {} for topic in self._scorer.judged_topics} if nothing else held)
        lacking = set(evaluation.topics if nothing else evaluation.missing)
        counts = [measure.summary == "sum" for measure in evaluation.measures]
        rows = [topic in lacking for topic in evaluation.topics]
        return replace(evaluation, values=np.where(np.outer(rows, counts), 0.0, evaluation.values))


def evaluator(measures: Iterable[AnyMeasure], qrels: JudgmentsSource) -> Evaluator:
    """Make an `Evaluator` of these measures and judgments, for any number of runs."""
    return Evaluator(measures, qrels)


def iter_calc(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> Iterator[Metric]:
    """Yield every measure of every judged topic; parameters and errors as in `Evaluator`."""
    return Evaluator(measures, qrels).iter_calc(run)


def calc_aggregate(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> dict[Any, float]:
    """Return the summary of each measure over all judged topics; parameters and errors as in `Evaluator`."""
    return Evaluator(measures, qrels).calc_aggregate(run)


@contextmanager
def calc_ctxt(measures: Iterable[AnyMeasure], qrels: JudgmentsSource) -> Iterator[Callable[[RunSource], Any]]:
    """Context with `iter_calc` of an `Evaluator` of these measures and judgments."""
    yield Evaluator(measures, qrels).iter_calc


def run_inputs(measures: Iterable[AnyMeasure]) -> list[str]:
    """Return the run columns that these measures need; they are the same for all measures."""
    return list(ScoredDoc._fields)


def qrel_inputs(measures: Iterable[AnyMeasure]) -> list[str]:
    """Return the qrels columns that these measures need; measures by subtopic also need the iteration.

    Raises
    ------
    MeasureError
        If irkit has no such measure.
    """
    kinds = {parse_measure(measure).family.judgments[0] for measure in measures}
    return list(Qrel._fields if "subtopics" in kinds else Qrel._fields[:3])


def calc(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> CalcResults:
    """Return values and summaries; parameters and errors as in `Evaluator`."""
    return Evaluator(measures, qrels).calc(run)


def parse_measure(measure: AnyMeasure) -> Measure:
    """Return the measure of a name such as `nDCG@10`, or irkit's measure for one of ir_measures.

    Raises
    ------
    MeasureError
        If irkit has no such measure.
    """
    if hasattr(measure, "runtime_impl"):
        raise MeasureError(f"{measure} was defined by ir_measures.define: only ir_measures can compute it")
    known = isinstance(measure, table.Measure | str) or not hasattr(measure, "SUPPORTED_PARAMS")
    return _with_methods(table.parse_measure(measure if known else str(measure)))


def parse_trec_measure(name: str) -> list[Measure]:
    """Return the measures of a trec_eval name: `ndcg_cut`, `P_5,10`, `official`.

    The measures of a nickname do not include texts such as runid.

    Raises
    ------
    MeasureError
        If the measure is unknown.
    """
    return [_with_methods(measure) for measure in table.parse_measures(name)]


def register() -> "IrkitProvider":
    """Make irkit a provider of ir_measures, which then computes all measures that irkit has.

    `ir_measures.calc_aggregate` and related functions use irkit first; `ir_measures.irkit` is the provider. Measures
    defined by `ir_measures.define` do not change. A second call has no effect.

    Raises
    ------
    MissingDependencyError
        If ir_measures is not installed.
    """
    try:
        from irkit.ir_measures.provider import registered
    except ImportError as problem:
        raise MissingDependencyError(
            "ir_measures is not installed, so there is nothing to register with: pip install ir-measures"
        ) from problem
    return registered()


convert_trec_name = parse_trec_measure  # its name before ir_measures 0.2


def _is_empty(qrels: JudgmentsSource) -> bool:
    """Whether an object in memory holds nothing; False for an iterator, whose length is unknown."""
    held = getattr(qrels, "topics", qrels) if isinstance(qrels, Qrels) else qrels
    if isinstance(held, dict) and is_table(held):  # of columns
        held = next(iter(held.values()))
    return isinstance(held, Sized) and not isinstance(held, str) and len(held) == 0


def _metrics(evaluation: Evaluation | None, measures: Iterable[Any]) -> Iterator[Metric]:
    if evaluation is None:
        return
    for topic, values in zip(evaluation.topics, evaluation.values.tolist(), strict=True):
        for measure, value in zip(measures, values, strict=True):
            if value == value:  # nan: the measure is not averaged over this topic
                yield Metric(topic, measure, value)


# Other names, such as MRR, and names that set a parameter.
_OTHER_NAMES: Final = {
    **{name: Measure(of.name) for of in FAMILIES.values() for name in of.aliases if name.isidentifier()},
    "SetRelP": Measure("SetP", (("relative", True),)),
}
_MODULES: Final = ("measures", "providers", "util")
MEASURES: Final = sorted({*FAMILIES, *_OTHER_NAMES})

__all__ += MEASURES


def measure_named(module: str, name: str) -> Measure:
    """Return the measure of this name for a module of the interface; errors as in `missing`."""
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    if name in FAMILIES:
        return Measure(name)
    raise missing(module, name)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"irkit.ir_measures.{name}")
    return measure_named(__name__, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *FAMILIES})
