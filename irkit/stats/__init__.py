"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

Each part is loaded when it is asked for: SciPy would double the time of `irkit score`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irkit.stats.bootstrap import bootstrap_shift_test, studentised_bootstrap_test
    from irkit.stats.comparison import ALL_PAIRS, Comparison, compare, few_topics_note
    from irkit.stats.differences import Differences, PairedTest, paired_differences
    from irkit.stats.effects import EffectSize, Moved, effect_size, topics_that_moved
    from irkit.stats.equivalence import Equivalence, equivalence_test, non_inferiority_test
    from irkit.stats.intervals import Interval, bootstrap_intervals, t_interval
    from irkit.stats.power import (
        detectable_effect,
        power_of_t_test,
        residual_variance,
        topics_for_anova,
        topics_for_interval,
        topics_for_t_test,
        topics_needed,
        within_system_variance,
    )
    from irkit.stats.sign import sign_test
    from irkit.stats.signflip import FlipPValues, sign_flip_pvalues, sign_flip_test
    from irkit.stats.student import paired_t_test
    from irkit.stats.wilcoxon import wilcoxon_test
    from irkit.stats.words import cautions, verdict

__all__ = [
    "ALL_PAIRS",
    "Comparison",
    "Differences",
    "EffectSize",
    "Equivalence",
    "FlipPValues",
    "Interval",
    "Moved",
    "PairedTest",
    "bootstrap_intervals",
    "bootstrap_shift_test",
    "cautions",
    "compare",
    "detectable_effect",
    "effect_size",
    "equivalence_test",
    "few_topics_note",
    "non_inferiority_test",
    "paired_differences",
    "paired_t_test",
    "power_of_t_test",
    "residual_variance",
    "sign_flip_pvalues",
    "sign_flip_test",
    "sign_test",
    "studentised_bootstrap_test",
    "t_interval",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t_test",
    "topics_needed",
    "topics_that_moved",
    "verdict",
    "wilcoxon_test",
    "within_system_variance",
]

_HOME: Final = {
    "ALL_PAIRS": "comparison",
    "Comparison": "comparison",
    "Differences": "differences",
    "EffectSize": "effects",
    "Equivalence": "equivalence",
    "FlipPValues": "signflip",
    "Interval": "intervals",
    "Moved": "effects",
    "PairedTest": "differences",
    "bootstrap_intervals": "intervals",
    "bootstrap_shift_test": "bootstrap",
    "cautions": "words",
    "compare": "comparison",
    "detectable_effect": "power",
    "effect_size": "effects",
    "equivalence_test": "equivalence",
    "few_topics_note": "comparison",
    "non_inferiority_test": "equivalence",
    "paired_differences": "differences",
    "paired_t_test": "student",
    "power_of_t_test": "power",
    "residual_variance": "power",
    "sign_flip_pvalues": "signflip",
    "sign_flip_test": "signflip",
    "sign_test": "sign",
    "studentised_bootstrap_test": "bootstrap",
    "t_interval": "intervals",
    "topics_for_anova": "power",
    "topics_for_interval": "power",
    "topics_for_t_test": "power",
    "topics_needed": "power",
    "topics_that_moved": "effects",
    "verdict": "words",
    "wilcoxon_test": "wilcoxon",
    "within_system_variance": "power",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.stats.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit.stats' has no attribute {name!r}")
