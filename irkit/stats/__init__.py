"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

Each part is loaded when it is asked for: SciPy would double the time of `irkit score`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irkit.stats.comparison import ALL_PAIRS, Comparison, compare, few_topics_note
    from irkit.stats.student import PairedTest, paired_t_test

__all__ = ["ALL_PAIRS", "Comparison", "PairedTest", "compare", "few_topics_note", "paired_t_test"]

_HOME: Final = {
    "ALL_PAIRS": "comparison",
    "Comparison": "comparison",
    "PairedTest": "student",
    "compare": "comparison",
    "few_topics_note": "comparison",
    "paired_t_test": "student",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.stats.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit.stats' has no attribute {name!r}")
