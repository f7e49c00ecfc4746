"""The comparison of two runs on one measure: test, interval, effect size."""

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import nan
from typing import Any

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.calibrated import Calibrated, deciding_test, wider_interval
from irkit.stats.paired.cross_validation import OF_A_CHOICE
from irkit.stats.paired.differences import Differences, PairedTest, paired_differences
from irkit.stats.paired.effects import EffectSize, TopicDifference, effect_size, topics_that_moved
from irkit.stats.paired.equivalence import MarginTest
from irkit.stats.paired.intervals import Interval
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.power import detectable_effect, topics_needed
from irkit.stats.paired.skew import Skewed, rarest_seen, skew_caution, skewness
from irkit.stats.paired.skew_notes import sampled_margin, skewed_sentence
from irkit.stats.paired.verdicts import Caution, cautions_by_kind, near_the_level, verdict


@dataclass(frozen=True)
class Contrast:
    """Comparison of one pair of runs on one measure.

    Attributes
    ----------
    test : PairedTest
    adjusted_pvalue : float
        The p-value corrected for all tests of the comparison; that of the test where nothing is corrected.
    family : str
        What it was corrected for, "Holm over 6 tests"; empty where nothing is corrected.
    interval : Interval
        Of the mean difference.
    least_pvalue : float
        The smallest corrected p-value that the test could have given with so many topics; 0 where there is none.
    n_tests : int
        By how many the first step of the correction multiplies a p-value; 1 where none is multiplied.
    margin : MarginTest or None
        Whether the two are equivalent, or the candidate no worse, where that was asked.
    group : str or None
        The group whose topics they are; None for all topics.
    topics : tuple of n str
    candidate_values, baseline_values : float64 arrays of shape (n,)
        The scores of each topic.
    calibrated : Calibrated or None
        Bootstrap-t, where the differences are too skewed for the test.
    """

    test: PairedTest
    adjusted_pvalue: float
    family: str
    interval: Interval
    margin: MarginTest | None
    group: str | None
    topics: tuple[str, ...] = field(repr=False)
    candidate_values: FloatArray = field(repr=False, compare=False)
    baseline_values: FloatArray = field(repr=False, compare=False)
    calibrated: Calibrated | None = None
    least_pvalue: float = 0.0
    n_tests: int = 1

    def __post_init__(self) -> None:
        freeze(self, "candidate_values", "baseline_values")

    def __str__(self) -> str:
        return f"{self.measure}, {self.test.candidate} against {self.test.baseline}"

    @property
    def measure(self) -> str:
        """The measure, and the group of topics where it is not over all: `AP (easy)`."""
        return self.test.measure if self.group is None else f"{self.test.measure} ({self.group})"

    @property
    def alpha(self) -> float:
        """Significance level of the corrected p: 1 minus the level of the interval."""
        return round(1 - self.interval.level, 12)

    @property
    def shown(self) -> bool:
        """Whether the corrected p of the test that decides is below alpha."""
        return self.adjusted_pvalue < self.alpha

    @property
    def deciding(self) -> PairedTest:
        """The test whose p-value is corrected and claimed from; see `deciding_test`."""
        return deciding_test(self.test, self.calibrated)

    @property
    def deciding_interval(self) -> Interval:
        """The interval to show; for skewed differences it covers those of t and bootstrap-t."""
        beside = self.calibrated
        return wider_interval(self.interval, beside if beside is not None and beside.decides else None)

    @property
    def within_margin(self) -> bool:
        """Whether the test against the margin is significant."""
        return self.margin is not None and self.margin.adjusted_pvalue < self.alpha

    @property
    def can_be_shown(self) -> bool:
        """Whether so many topics could show any difference; where not, no power says anything."""
        return not self.least_pvalue >= self.alpha

    @cached_property
    def differences(self) -> Differences:
        """Candidate minus baseline, topic by topic."""
        return paired_differences(self.candidate_values, self.baseline_values)

    @cached_property
    def skewed(self) -> Skewed | None:
        """The caution that so few topics of so skewed differences spoil test and interval; None where they do not."""
        if self.calibrated is not None:
            return self.calibrated.skewed
        if self.differences.constant:
            return None
        return skew_caution(self.differences.values, one_sided=self.test.alternative != "two-sided")

    @cached_property
    def effect(self) -> EffectSize:
        """Effect sizes: relative change, dz with its interval, and others.

        Where folds chose the candidate the interval of dz would be too short: there is none, and the note says so.
        """
        found = effect_size(self.candidate_values, self.baseline_values, level=self.interval.level)
        if self.test.test not in OF_A_CHOICE:
            return found
        notes = filter(None, (found.note, "folds chose the candidate: dz has no interval"))
        return replace(found, low=nan, high=nan, note="; ".join(notes))

    @property
    def moved(self) -> tuple[TopicDifference, ...]:
        """The five topics whose scores differ most, largest difference first."""
        return topics_that_moved(self.topics, self.candidate_values, self.baseline_values)

    @property
    def detectable_difference(self) -> float:
        """The true mean difference that a t test of so many topics finds in 80% of samples; nan where none is known.

        In the measure's own unit, with nothing corrected, and for differences that are normally distributed and vary as
        these do: where many topics do not differ, or there are fewer than 10, t finds it less often. nan too where
        differences are too skewed for that, where folds chose the candidate, and where the test can show no difference
        with so many topics.
        """
        return self._detectable(self.alpha)

    @property
    def detectable_corrected(self) -> float:
        """Detectable difference at alpha divided by the number of tests, the first step of the correction."""
        return self._detectable(self.alpha / self.n_tests)

    def _detectable(self, alpha: float) -> float:
        if not self.can_be_shown or self.test.test in OF_A_CHOICE or self.calibrated is not None:
            return nan
        if not self.test.standard_deviation > 0 or self.differences.constant:
            return nan
        least = detectable_effect(self.test.n_topics, alpha=alpha, alternative=self.test.alternative)
        return least * self.test.standard_deviation

    @property
    def topics_needed(self) -> int | None:
        """With how many topics a t test would find a true effect of the size seen here in 80% of samples.

        For planning other topics; of these it says no more than the p-value. None where no number is enough, and where
        folds chose the candidate.
        """
        if self.test.test in OF_A_CHOICE:
            return None
        try:
            return topics_needed(self.effect.dz, alpha=self.alpha, alternative=self.test.alternative)
        except UsageError:
            return None

    @property
    def verdict(self) -> str:
        """Verdict in one sentence."""
        adjusted = (self.adjusted_pvalue, self.family) if self.family else None
        test = replace(self.test, measure=self.measure)
        return verdict(
            test,
            self.interval,
            alpha=self.alpha,
            adjusted=adjusted,
            margin=self.margin,
            calibrated=self.calibrated,
            least=self.least_pvalue,
        )

    @property
    def cautions(self) -> tuple[str, ...]:
        """Cautions about the result, a sentence each."""
        return tuple(one.sentence for one in self.cautions_by_kind())

    def cautions_by_kind(self) -> tuple[Caution, ...]:
        """Cautions with their kinds, so that those of several pairs can be merged."""
        shared = self.family.startswith("max-T")
        found = cautions_by_kind(
            self.deciding, self.differences, alpha=self.alpha, adjusted=self.adjusted_pvalue, shared=shared
        )
        beside, margin = self.calibrated, self.margin
        if beside is None:
            return found
        skewed = Caution("skewed", skewed_sentence(self.test.test, self.interval, beside))
        n_drawn = beside.test.n_resamples
        if margin is None or n_drawn is None or margin.decided_by != "bootstrap-t":
            return *found, skewed
        if not near_the_level(margin.pvalue, margin.adjusted_pvalue, self.alpha, n_drawn):
            return *found, skewed
        return *found, skewed, Caution("sampled margin", sampled_margin(self.alpha, n_drawn))

    def record(self) -> dict[str, Any]:
        """Everything but the topics under names of its own; None where a number is not defined."""
        effect, margin = self.effect, self.margin
        return {
            "group": self.group,
            **asdict(self.test),
            "adjusted_pvalue": self.adjusted_pvalue,
            "family": self.family,
            "low": self.interval.low,
            "high": self.interval.high,
            "level": self.interval.level,
            "interval_method": self.interval.method,
            "relative_change": effect.relative_change,
            "dz": effect.dz,
            "dz_low": effect.low,
            "dz_high": effect.high,
            "g": effect.g,
            "least_pvalue": self.least_pvalue,
            "detectable_difference": self.detectable_difference,
            "topics_needed": self.topics_needed,
            "decided_by": self.deciding.test,
            **self._skewed(),
            "margin_test": None if margin is None else margin.kind,
            "margin": None if margin is None else margin.margin,
            "margin_pvalue": None if margin is None else margin.pvalue,
            "margin_adjusted_pvalue": None if margin is None else margin.adjusted_pvalue,
            "margin_family": None if margin is None else margin.family,
            "margin_decided_by": None if margin is None else margin.decided_by,
            "margin_t_pvalue": None if margin is None else margin.t_pvalue,
            "verdict": self.verdict,
        }

    def _skewed(self) -> dict[str, Any]:
        """The skew caution, with bootstrap-t if there is one."""
        beside, skewed = self.calibrated, self.skewed
        return {
            "skewness": skewness(self.differences.values),
            "skew_caution": None if skewed is None else skewed.code,
            "skew_topics_wanted": None if skewed is None else skewed.topics_wanted,
            "bootstrap_t_pvalue": None if beside is None else beside.test.pvalue,
            "bootstrap_t_low": None if beside is None else beside.interval.low,
            "bootstrap_t_high": None if beside is None else beside.interval.high,
            "hall_pvalue": None if beside is None else beside.hall_pvalue,
            "level_held": None if beside is None else beside.skewed.held,
            "rarest_seen": rarest_seen(self.test.n_topics),
        }

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain Python values, with the whole interval, the topics that moved most, and the cautions."""
        return {
            **self.record(),
            "interval": asdict(self.interval),
            "moved": [one._asdict() for one in self.moved],
            "cautions": list(self.cautions),
            "calibrated": None if self.calibrated is None else self.calibrated.to_dict(),
        }
