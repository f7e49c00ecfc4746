"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

Each part is loaded when it is asked for: SciPy would double the time of `irkit score`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irkit.stats.agreement import FleissKappa, KrippendorffAlpha, fleiss_kappa, krippendorff_alpha
    from irkit.stats.comparison import ALL_PAIRS, Comparison, compare, few_topics_note
    from irkit.stats.corrections import CORRECTIONS, Corrected, correct
    from irkit.stats.correlation import RankCorrelation, kendall_tau, spearman, tau_ap
    from irkit.stats.discrimination import DiscriminativePower, discriminative_power, pair_by_pair
    from irkit.stats.document_order import TauUnion, run_tau_union, tau_union
    from irkit.stats.kappa import CohenKappa, cohen_kappa
    from irkit.stats.maxt import MaxT, max_t
    from irkit.stats.overlap import RunOverlap, overlaps, run_overlap
    from irkit.stats.rbo import RankBiasedOverlap, rank_biased_overlap
    from irkit.stats.reproduction import (
        EffectReproduced,
        UnpairedTest,
        ValuesReproduced,
        effect_reproduced,
        unpaired_t_test,
        values_reproduced,
    )
    from irkit.stats.student import PairedTest, paired_t_test
    from irkit.stats.tukey import TukeyHSD, tukey_hsd
    from irkit.stats.tukey_randomised import RandomisedTukey, randomised_tukey

__all__ = [
    "ALL_PAIRS",
    "CORRECTIONS",
    "CohenKappa",
    "Comparison",
    "Corrected",
    "DiscriminativePower",
    "EffectReproduced",
    "FleissKappa",
    "KrippendorffAlpha",
    "MaxT",
    "PairedTest",
    "RandomisedTukey",
    "RankBiasedOverlap",
    "RankCorrelation",
    "RunOverlap",
    "TauUnion",
    "TukeyHSD",
    "UnpairedTest",
    "ValuesReproduced",
    "cohen_kappa",
    "compare",
    "correct",
    "discriminative_power",
    "effect_reproduced",
    "few_topics_note",
    "fleiss_kappa",
    "kendall_tau",
    "krippendorff_alpha",
    "max_t",
    "overlaps",
    "pair_by_pair",
    "paired_t_test",
    "randomised_tukey",
    "rank_biased_overlap",
    "run_overlap",
    "run_tau_union",
    "spearman",
    "tau_ap",
    "tau_union",
    "tukey_hsd",
    "unpaired_t_test",
    "values_reproduced",
]

_HOME: Final = {
    "ALL_PAIRS": "comparison",
    "CORRECTIONS": "corrections",
    "CohenKappa": "kappa",
    "Comparison": "comparison",
    "Corrected": "corrections",
    "DiscriminativePower": "discrimination",
    "EffectReproduced": "reproduction",
    "FleissKappa": "agreement",
    "KrippendorffAlpha": "agreement",
    "MaxT": "maxt",
    "PairedTest": "student",
    "RandomisedTukey": "tukey_randomised",
    "RankBiasedOverlap": "rbo",
    "RankCorrelation": "correlation",
    "RunOverlap": "overlap",
    "TauUnion": "document_order",
    "TukeyHSD": "tukey",
    "UnpairedTest": "reproduction",
    "ValuesReproduced": "reproduction",
    "cohen_kappa": "kappa",
    "compare": "comparison",
    "correct": "corrections",
    "discriminative_power": "discrimination",
    "effect_reproduced": "reproduction",
    "few_topics_note": "comparison",
    "fleiss_kappa": "agreement",
    "kendall_tau": "correlation",
    "krippendorff_alpha": "agreement",
    "max_t": "maxt",
    "overlaps": "overlap",
    "pair_by_pair": "discrimination",
    "paired_t_test": "student",
    "randomised_tukey": "tukey_randomised",
    "rank_biased_overlap": "rbo",
    "run_overlap": "overlap",
    "run_tau_union": "document_order",
    "spearman": "correlation",
    "tau_ap": "correlation",
    "tau_union": "document_order",
    "tukey_hsd": "tukey",
    "unpaired_t_test": "reproduction",
    "values_reproduced": "reproduction",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.stats.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit.stats' has no attribute {name!r}")
