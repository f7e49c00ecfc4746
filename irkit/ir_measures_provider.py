"""irkit as a provider of ir_measures, which has to be installed: `irkit.ir_measures.register` makes it one."""

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import providers

from irkit import ir_measures as ours
from irkit.errors import MeasureError
from irkit.kinds import JudgmentsSource
from irkit.runs import RunSource


class IrkitProvider(providers.Provider):  # type: ignore[misc]
    """Every measure of ir_measures that irkit has, by the rules of `irkit.ir_measures`."""

    NAME = "irkit"

    def supports(self, measure: Any) -> bool:
        """Whether irkit has the measure, with these parameters."""
        measure.validate_params()
        try:
            ours.parse_measure(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: JudgmentsSource) -> "IrkitEvaluator":
        return IrkitEvaluator(ours.evaluator(measures, qrels))


class IrkitEvaluator(providers.Evaluator):  # type: ignore[misc]
    """Judgments and measures, for any number of runs."""

    def __init__(self, evaluator: ours.Evaluator) -> None:
        super().__init__(evaluator.measures, evaluator.topics)
        self._evaluator = evaluator

    def _iter_calc(self, run: RunSource) -> Iterator[Any]:
        return (ir_measures.Metric(*metric) for metric in self._evaluator.iter_calc(run))


def registered() -> IrkitProvider:
    """Irkit's provider, which from now on is asked before all others but the measures that its user defined."""
    if "irkit" not in providers.registry:
        provider = providers.register(IrkitProvider())
        chain = ir_measures.DefaultPipeline.providers
        chain.insert(chain.index(ir_measures.runtime) + 1, provider)
        ir_measures.irkit = provider
    known: IrkitProvider = providers.registry["irkit"]
    return known
