"""irkit as a provider of ir_measures, which has to be installed: `irkit.ir_measures.register` makes it one."""

import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice, tee
from typing import Any, Final

import ir_measures
from ir_measures import providers

from irkit import ir_measures as ours
from irkit.data.runs import RunSource
from irkit.errors import MeasureError, NoCommonTopicError
from irkit.judged.kinds import JudgmentsSource


class IrkitProvider(providers.Provider):  # type: ignore[misc]
    """Provider of all measures of ir_measures that irkit has, with the rules of `irkit.ir_measures`."""

    NAME = "irkit"

    def supports(self, measure: Any) -> bool:
        """Whether irkit has the measure with these parameters."""
        measure.validate_params()
        try:
            ours.parse_measure(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: JudgmentsSource) -> "IrkitEvaluator":
        return IrkitEvaluator(ours.evaluator(measures, _rows_of(qrels)))


class IrkitEvaluator(providers.Evaluator):  # type: ignore[misc]
    """Judgments and measures for scoring any number of runs."""

    def __init__(self, evaluator: ours.Evaluator) -> None:
        super().__init__(evaluator.measures, evaluator.topics)
        self._evaluator = evaluator

    def _iter_calc(self, run: RunSource) -> Iterator[Any]:
        try:
            values = self._evaluator.iter_calc(_rows_of(run))
        except NoCommonTopicError as problem:
            # In ir_measures a run of other topics is valid: every judged topic then counts as nothing retrieved.
            warnings.warn(f"every judged topic counts as nothing retrieved: {problem}", stacklevel=2)
            values = iter(())
        return (ir_measures.Metric(*metric) for metric in values)


_COPY: Final[Any] = type(tee(())[0])


def _rows_of(rows: Any) -> Any:
    """Return the rows; an empty iterator of ir_measures becomes a tuple, because irkit refuses used iterators."""
    if not isinstance(rows, _COPY):
        return rows
    first = [*islice(rows, 1)]
    return chain(first, rows) if first else ()


def registered() -> IrkitProvider:
    """Register irkit's provider before all others, except measures defined by the user."""
    if "irkit" not in providers.registry:
        provider = providers.register(IrkitProvider())
        chain = ir_measures.DefaultPipeline.providers
        chain.insert(chain.index(ir_measures.runtime) + 1, provider)
        ir_measures.irkit = provider
    known: IrkitProvider = providers.registry["irkit"]
    return known
