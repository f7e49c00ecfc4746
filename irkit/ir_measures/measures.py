"""ir_measures.measures: every measure by its name, for scripts that import them from there."""

from typing import Final

from irkit.ir_measures import MEASURES, BaseMeasure, Measure, measure_named

registry: Final = {name: measure_named(__name__, name) for name in MEASURES}

__all__ = ["BaseMeasure", "Measure", "registry", *MEASURES]


def __getattr__(name: str) -> Measure:
    return measure_named(__name__, name)
