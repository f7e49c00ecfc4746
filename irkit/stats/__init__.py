"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

Each part is loaded when it is asked for: SciPy would double the time of `irkit score`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irkit.stats.paired.bootstrap import bootstrap_shift_test
    from irkit.stats.paired.bootstrap_t import bootstrap_t_interval, studentised_bootstrap_test
    from irkit.stats.paired.comparison import Comparison, Mean, compare
    from irkit.stats.paired.corrections import CORRECTIONS, Corrected, correct
    from irkit.stats.paired.cross_validation import RepeatedChoice, repeated_choice
    from irkit.stats.paired.differences import Differences, PairedTest, paired_differences
    from irkit.stats.paired.effects import EffectSize, TopicDifference, effect_size, topics_that_moved
    from irkit.stats.paired.equivalence import Equivalence, MarginTest, equivalence_test, non_inferiority_test
    from irkit.stats.paired.families import FAMILY_CORRECTIONS, PAIRED_TESTS
    from irkit.stats.paired.hall import hall_interval, hall_test
    from irkit.stats.paired.intervals import Interval, bootstrap_intervals, t_interval
    from irkit.stats.paired.maxt import MaxT, max_t
    from irkit.stats.paired.means import few_topics_note
    from irkit.stats.paired.paired_result import Contrast
    from irkit.stats.paired.pairing import ALL_PAIRS
    from irkit.stats.paired.power import (
        detectable_effect,
        power_of_t_test,
        residual_variance,
        topics_for_anova,
        topics_for_interval,
        topics_for_t_test,
        topics_needed,
        within_system_variance,
    )
    from irkit.stats.paired.sign import sign_test
    from irkit.stats.paired.signflip import FlipPValues, sign_flip_pvalues, sign_flip_test
    from irkit.stats.paired.skew import Skewed, skew_caution, skewness
    from irkit.stats.paired.student import paired_t_test
    from irkit.stats.paired.tukey import TukeyHSD, tukey_hsd
    from irkit.stats.paired.tukey_randomised import RandomisedTukey, randomised_tukey
    from irkit.stats.paired.verdicts import cautions, verdict
    from irkit.stats.paired.wilcoxon import wilcoxon_test
    from irkit.stats.rankings.agreement import FleissKappa, KrippendorffAlpha, fleiss_kappa, krippendorff_alpha
    from irkit.stats.rankings.correlation import RankCorrelation, kendall_tau, spearman, tau_ap
    from irkit.stats.rankings.discrimination import DiscriminativePower, discriminative_power, pair_by_pair
    from irkit.stats.rankings.document_order import TauUnion, run_tau_union, tau_union
    from irkit.stats.rankings.kappa import CohenKappa, cohen_kappa
    from irkit.stats.rankings.overlap import RunOverlap, overlaps, run_overlap
    from irkit.stats.rankings.rbo import RankBiasedOverlap, rank_biased_overlap
    from irkit.stats.rankings.similarity import Similarity, run_similarity
    from irkit.stats.rankings.system_rankings import RankingAgreement, SystemRankings, rank_systems
    from irkit.stats.reproduction.reproduced_runs import (
        RankingReproduced,
        Reproduction,
        assess_reproduction,
        ranking_reproduced,
    )
    from irkit.stats.reproduction.reproduction import (
        EffectReproduced,
        UnpairedTest,
        ValuesReproduced,
        effect_reproduced,
        unpaired_t_test,
        values_reproduced,
    )
    from irkit.stats.topic_plan import Spread, TopicPlan, pilot_spreads, plan_topics

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
    "TopicDifference",
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
    "ALL_PAIRS": "paired.pairing",
    "CORRECTIONS": "paired.corrections",
    "FAMILY_CORRECTIONS": "paired.families",
    "PAIRED_TESTS": "paired.families",
    "TESTS": "paired.pair_tests",
    "CohenKappa": "rankings.kappa",
    "Comparison": "paired.comparison",
    "Contrast": "paired.paired_result",
    "Corrected": "paired.corrections",
    "Differences": "paired.differences",
    "DiscriminativePower": "rankings.discrimination",
    "EffectReproduced": "reproduction.reproduction",
    "EffectSize": "paired.effects",
    "Equivalence": "paired.equivalence",
    "FleissKappa": "rankings.agreement",
    "FlipPValues": "paired.signflip",
    "Interval": "paired.intervals",
    "KrippendorffAlpha": "rankings.agreement",
    "MarginTest": "paired.equivalence",
    "MaxT": "paired.maxt",
    "Mean": "paired.comparison",
    "TopicDifference": "paired.effects",
    "PairedTest": "paired.differences",
    "RandomisedTukey": "paired.tukey_randomised",
    "RankBiasedOverlap": "rankings.rbo",
    "RankCorrelation": "rankings.correlation",
    "RankingAgreement": "rankings.system_rankings",
    "RankingReproduced": "reproduction.reproduced_runs",
    "RepeatedChoice": "paired.cross_validation",
    "Reproduction": "reproduction.reproduced_runs",
    "RunOverlap": "rankings.overlap",
    "Similarity": "rankings.similarity",
    "Skewed": "paired.skew",
    "Spread": "topic_plan",
    "SystemRankings": "rankings.system_rankings",
    "TauUnion": "rankings.document_order",
    "TopicPlan": "topic_plan",
    "TukeyHSD": "paired.tukey",
    "UnpairedTest": "reproduction.reproduction",
    "ValuesReproduced": "reproduction.reproduction",
    "assess_reproduction": "reproduction.reproduced_runs",
    "bootstrap_intervals": "paired.intervals",
    "bootstrap_shift_test": "paired.bootstrap",
    "bootstrap_t_interval": "paired.bootstrap_t",
    "cautions": "paired.verdicts",
    "cohen_kappa": "rankings.kappa",
    "compare": "paired.comparison",
    "correct": "paired.corrections",
    "detectable_effect": "paired.power",
    "discriminative_power": "rankings.discrimination",
    "effect_reproduced": "reproduction.reproduction",
    "effect_size": "paired.effects",
    "equivalence_test": "paired.equivalence",
    "few_topics_note": "paired.means",
    "hall_interval": "paired.hall",
    "hall_test": "paired.hall",
    "fleiss_kappa": "rankings.agreement",
    "kendall_tau": "rankings.correlation",
    "krippendorff_alpha": "rankings.agreement",
    "max_t": "paired.maxt",
    "non_inferiority_test": "paired.equivalence",
    "overlaps": "rankings.overlap",
    "pair_by_pair": "rankings.discrimination",
    "paired_differences": "paired.differences",
    "paired_t_test": "paired.student",
    "pilot_spreads": "topic_plan",
    "plan_topics": "topic_plan",
    "power_of_t_test": "paired.power",
    "randomised_tukey": "paired.tukey_randomised",
    "rank_biased_overlap": "rankings.rbo",
    "rank_systems": "rankings.system_rankings",
    "ranking_reproduced": "reproduction.reproduced_runs",
    "repeated_choice": "paired.cross_validation",
    "residual_variance": "paired.power",
    "run_overlap": "rankings.overlap",
    "run_similarity": "rankings.similarity",
    "run_tau_union": "rankings.document_order",
    "sign_flip_pvalues": "paired.signflip",
    "sign_flip_test": "paired.signflip",
    "sign_test": "paired.sign",
    "skew_caution": "paired.skew",
    "skewness": "paired.skew",
    "spearman": "rankings.correlation",
    "studentised_bootstrap_test": "paired.bootstrap_t",
    "t_interval": "paired.intervals",
    "tau_ap": "rankings.correlation",
    "tau_union": "rankings.document_order",
    "topics_for_anova": "paired.power",
    "topics_for_interval": "paired.power",
    "topics_for_t_test": "paired.power",
    "topics_needed": "paired.power",
    "topics_that_moved": "paired.effects",
    "tukey_hsd": "paired.tukey",
    "unpaired_t_test": "reproduction.reproduction",
    "values_reproduced": "reproduction.reproduction",
    "verdict": "paired.verdicts",
    "wilcoxon_test": "paired.wilcoxon",
    "within_system_variance": "paired.power",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"irkit.stats.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'irkit.stats' has no attribute {name!r}")
