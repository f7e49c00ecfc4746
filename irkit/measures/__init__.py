"""Effectiveness measures: judged documents in, one value for each topic out.

Every measure of the table is here by its name: `from irkit.measures import nDCG, RR`.
"""

from irkit.measures.family import Family
from irkit.measures.measure import Measure
from irkit.measures.names import parse_measure, parse_measures
from irkit.measures.table import FAMILIES

__all__ = ["FAMILIES", "Family", "Measure", "parse_measure", "parse_measures"]


def __getattr__(name: str) -> Measure:
    if name in FAMILIES:
        return Measure(name)
    raise AttributeError(f"module 'irkit.measures' has no measure {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *FAMILIES])
