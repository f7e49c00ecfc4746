"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

Each part is loaded when it is asked for: SciPy would double the time of `irkit score`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irkit.stats.agreement import FleissKappa, KrippendorffAlpha, fleiss_kappa, krippendorff_alpha
    from irkit.stats.bootstrap import bootstrap_shift_test
    from irkit.stats.bootstrap_t import bootstrap_t_interval, studentised_bootstrap_test
    from irkit.stats.comparison import Comparison, Mean, compare
    from irkit.stats.contrast import Contrast
    from irkit.stats.corrections import CORRECTIONS, Corrected, correct
    from irkit.stats.correlation import RankCorrelation, kendall_tau, spearman, tau_ap
    from irkit.stats.cross_validation import RepeatedChoice, repeated_choice
    from irkit.stats.differences import Differences, PairedTest, paired_differences
    from irkit.stats.discrimination import DiscriminativePower, discriminative_power, pair_by_pair
    from irkit.stats.document_order import TauUnion, run_tau_union, tau_union
    from irkit.stats.effects import EffectSize, Moved, effect_size, topics_that_moved
    from irkit.stats.equivalence import Equivalence, MarginTest, equivalence_test, non_inferiority_test
    from irkit.stats.families import FAMILY_CORRECTIONS, PAIRED_TESTS
    from irkit.stats.hall import hall_interval, hall_test
    from irkit.stats.intervals import Interval, bootstrap_intervals, t_interval
    from irkit.stats.kappa import CohenKappa, cohen_kappa
    from irkit.stats.maxt import MaxT, max_t
    from irkit.stats.means import few_topics_note
    from irkit.stats.overlap import RunOverlap, overlaps, run_overlap
    from irkit.stats.pairing import ALL_PAIRS
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
    from irkit.stats.rbo import RankBiasedOverlap, rank_biased_overlap
    from irkit.stats.reproduced_runs import RankingReproduced, Reproduction, assess_reproduction, ranking_reproduced
    from irkit.stats.reproduction import (
        EffectReproduced,
        UnpairedTest,
        ValuesReproduced,
        effect_reproduced,
        unpaired_t_test,
        values_reproduced,
    )
    from irkit.stats.sign import sign_test
    from irkit.stats.signflip import FlipPValues, sign_flip_pvalues, sign_flip_test
    from irkit.stats.similarity import Similarity, run_similarity
    from irkit.stats.skew import Skewed, skew_caution, skewness
    from irkit.stats.student import paired_t_test
    from irkit.stats.system_rankings import RankingAgreement, SystemRankings, rank_systems
    from irkit.stats.topic_plan import Spread, TopicPlan, pilot_spreads, plan_topics
    from irkit.stats.tukey import TukeyHSD, tukey_hsd
    from irkit.stats.tukey_randomised import RandomisedTukey, randomised_tukey
    from irkit.stats.wilcoxon import wilcoxon_test
    from irkit.stats.words import cautions, verdict

__all__ = [
    "ALL_PAIRS",
    "CORRECTIONS",
    "FAMILY_CORRECTIONS",
    "PAIRED_TESTS",
    "TESTS",
    "CohenKappa",
    "Comparison",
    "Contrast",
    "Corrected",
    "Differences",
    "DiscriminativePower",
    "EffectReproduced",
    "EffectSize",
    "Equivalence",
    "FleissKappa",
    "FlipPValues",
    "Interval",
    "KrippendorffAlpha",
    "MarginTest",
    "MaxT",
    "Mean",
    "Moved",
    "PairedTest",
    "RandomisedTukey",
    "RankBiasedOverlap",
    "RankCorrelation",
    "RankingAgreement",
    "RankingReproduced",
    "RepeatedChoice",
    "Reproduction",
    "RunOverlap",
    "Similarity",
    "Skewed",
    "Spread",
    "SystemRankings",
    "TauUnion",
    "TopicPlan",
    "TukeyHSD",
    "UnpairedTest",
    "ValuesReproduced",
    "assess_reproduction",
    "bootstrap_intervals",
    "bootstrap_shift_test",
    "bootstrap_t_interval",
    "cautions",
    "cohen_kappa",
    "compare",
    "correct",
    "detectable_effect",
    "discriminative_power",
    "effect_reproduced",
    "effect_size",
    "equivalence_test",
    "few_topics_note",
    "fleiss_kappa",
    "hall_interval",
    "hall_test",
    "kendall_tau",
    "krippendorff_alpha",
    "max_t",
    "non_inferiority_test",
    "overlaps",
    "pair_by_pair",
    "paired_differences",
    "paired_t_test",
    "pilot_spreads",
    "plan_topics",
    "power_of_t_test",
    "randomised_tukey",
    "rank_biased_overlap",
    "rank_systems",
    "ranking_reproduced",
    "repeated_choice",
    "residual_variance",
    "run_overlap",
    "run_similarity",
    "run_tau_union",
    "sign_flip_pvalues",
    "sign_flip_test",
    "sign_test",
    "skew_caution",
    "skewness",
    "spearman",
    "studentised_bootstrap_test",
    "t_interval",
    "tau_ap",
    "tau_union",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t_test",
    "topics_needed",
    "topics_that_moved",
    "tukey_hsd",
    "unpaired_t_test",
    "values_reproduced",
    "verdict",
    "wilcoxon_test",
    "within_system_variance",
]

_HOME: Final = {
    "ALL_PAIRS": "pairing",
    "CORRECTIONS": "corrections",
    "FAMILY_CORRECTIONS": "families",
    "PAIRED_TESTS": "families",
    "TESTS": "pair_tests",
    "CohenKappa": "kappa",
    "Comparison": "comparison",
    "Contrast": "contrast",
    "Corrected": "corrections",
    "Differences": "differences",
    "DiscriminativePower": "discrimination",
    "EffectReproduced": "reproduction",
    "EffectSize": "effects",
    "Equivalence": "equivalence",
    "FleissKappa": "agreement",
    "FlipPValues": "signflip",
    "Interval": "intervals",
    "KrippendorffAlpha": "agreement",
    "MarginTest": "equivalence",
    "MaxT": "maxt",
    "Mean": "comparison",
    "Moved": "effects",
    "PairedTest": "differences",
    "RandomisedTukey": "tukey_randomised",
    "RankBiasedOverlap": "rbo",
    "RankCorrelation": "correlation",
    "RankingAgreement": "system_rankings",
    "RankingReproduced": "reproduced_runs",
    "RepeatedChoice": "cross_validation",
    "Reproduction": "reproduced_runs",
    "RunOverlap": "overlap",
    "Similarity": "similarity",
    "Skewed": "skew",
    "Spread": "topic_plan",
    "SystemRankings": "system_rankings",
    "TauUnion": "document_order",
    "TopicPlan": "topic_plan",
    "TukeyHSD": "tukey",
    "UnpairedTest": "reproduction",
    "ValuesReproduced": "reproduction",
    "assess_reproduction": "reproduced_runs",
    "bootstrap_intervals": "intervals",
    "bootstrap_shift_test": "bootstrap",
    "bootstrap_t_interval": "bootstrap_t",
    "cautions": "words",
    "cohen_kappa": "kappa",
    "compare": "comparison",
    "correct": "corrections",
    "detectable_effect": "power",
    "discriminative_power": "discrimination",
    "effect_reproduced": "reproduction",
    "effect_size": "effects",
    "equivalence_test": "equivalence",
    "few_topics_note": "means",
    "hall_interval": "hall",
    "hall_test": "hall",
    "fleiss_kappa": "agreement",
    "kendall_tau": "correlation",
    "krippendorff_alpha": "agreement",
    "max_t": "maxt",
    "non_inferiority_test": "equivalence",
    "overlaps": "overlap",
    "pair_by_pair": "discrimination",
    "paired_differences": "differences",
    "paired_t_test": "student",
    "pilot_spreads": "topic_plan",
    "plan_topics": "topic_plan",
    "power_of_t_test": "power",
    "randomised_tukey": "tukey_randomised",
    "rank_biased_overlap": "rbo",
    "rank_systems": "system_rankings",
    "ranking_reproduced": "reproduced_runs",
    "repeated_choice": "cross_validation",
    "residual_variance": "power",
    "run_overlap": "overlap",
    "run_similarity": "similarity",
    "run_tau_union": "document_order",
    "sign_flip_pvalues": "signflip",
    "sign_flip_test": "signflip",
    "sign_test": "sign",
    "skew_caution": "skew",
    "skewness": "skew",
    "spearman": "correlation",
    "studentised_bootstrap_test": "bootstrap_t",
    "t_interval": "intervals",
    "tau_ap": "correlation",
    "tau_union": "document_order",
    "topics_for_anova": "power",
    "topics_for_interval": "power",
    "topics_for_t_test": "power",
    "topics_needed": "power",
    "topics_that_moved": "effects",
    "tukey_hsd": "tukey",
    "unpaired_t_test": "reproduction",
    "values_reproduced": "reproduction",
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
