"""Compare runs: tests on several measures, corrected together."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.rules import Conventions, Rules
from irkit.stats.paired.attainable import least_adjusted
from irkit.stats.paired.calibrated import calibrated_tests
from irkit.stats.paired.corrections import CORRECTIONS
from irkit.stats.paired.differences import Alternative, PairedTest
from irkit.stats.paired.equivalence import MarginKind
from irkit.stats.paired.families import Chance, check_family, family_of_tests, margin_tests
from irkit.stats.paired.intervals import Interval, bootstrap_intervals, check_level, t_interval
from irkit.stats.paired.notes import remarks
from irkit.stats.paired.paired_result import Contrast
from irkit.stats.paired.pairing import (
    Baseline,
    Pair,
    Scores,
    checked_evaluations,
    measures_to_test,
    paired,
    places_of_pairs,
    scores_of,
)

if TYPE_CHECKING:
    import pandas as pd

IntervalMethod = Literal["t", "percentile", "BCa"]


class Mean(NamedTuple):
    """The mean of a run on a measure, with its interval; `group` is None where it is over all topics."""

    group: str | None
    run: str
    measure: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tests of several runs, on several measures.

    Attributes
    ----------
    contrasts : tuple of Contrast
        Group by group where there are groups, all topics last; then pair by pair, each with its measures in the order
        of the first evaluation.
    means : tuple of Mean
        Of every run on every measure tested, in the same groups.
    test : str
        What kind of test they are.
    alternative : {'two-sided', 'greater', 'less'}
    correction : str
    family : str
        What the p-values were corrected for in words, "Holm over 6 tests"; empty where nothing was corrected.
    n_tests : int
        The same as a number.
    level : float
        Of the intervals. A difference counts as shown where its corrected p is below 1 - level.
    rules : Rules
    conventions : Conventions
    notes : tuple of str
        Sentences that belong under the table: what was found, what was not tested, and what to be careful about.
    evaluations : tuple of Evaluation
        What was compared, each with the topics compared and with all that its run lacks.
    """

    contrasts: tuple[Contrast, ...]
    means: tuple[Mean, ...]
    test: str
    alternative: Alternative
    correction: str
    family: str
    n_tests: int
    level: float
    rules: Rules
    conventions: Conventions
    notes: tuple[str, ...] = ()
    evaluations: tuple[Evaluation, ...] = field(default=(), compare=False, repr=False)

    @property
    def tests(self) -> tuple[PairedTest, ...]:
        """The test of each contrast."""
        return tuple(contrast.test for contrast in self.contrasts)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; a statistic may be infinite or nan, and the test's note says why."""
        return {
            "test": self.test,
            "alternative": self.alternative,
            "correction": self.correction,
            "family": self.family,
            "n_tests": self.n_tests,
            "level": self.level,
            "rules": str(self.rules),
            "average": self.conventions.average,
            "no_relevant": self.conventions.no_relevant,
            "tie_order": self.conventions.ties,
            "runs": [self._run(evaluation) for evaluation in self.evaluations],
            "means": [{**mean._asdict(), "interval": asdict(mean.interval)} for mean in self.means],
            "comparisons": [contrast.to_dict() for contrast in self.contrasts],
            "notes": list(self.notes),
        }

    def _run(self, evaluation: Evaluation) -> dict[str, Any]:
        """Missing topics of a run, and its value of each tested measure for each topic."""
        whole = evaluation.to_dict()
        tested = {mean.measure for mean in self.means}
        return {name: whole[name] for name in whole if name.startswith("topics_") or name in _OF_A_RUN} | {
            "topics": {
                topic: {measure: value for measure, value in values.items() if measure in tested}
                for topic, values in whole["topics"].items()
            }
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A frame with a row for each test, and columns as `Contrast.record` calls them."""
        import pandas as pd

        return pd.DataFrame([contrast.record() for contrast in self.contrasts])


_OF_A_RUN = ("run", "n_topics", "notes")


def compare(
    evaluations: Iterable[Evaluation],
    *,
    baseline: Baseline = 0,
    measures: Sequence[str | Measure] | None = None,
    groups: Mapping[str, Hashable] | None = None,
    test: str | None = None,
    alternative: Alternative = "two-sided",
    correction: str = "holm",
    level: float = 0.95,
    interval: IntervalMethod = "t",
    equivalent: float | None = None,
    non_inferior: float | None = None,
    n_resamples: int | None = None,
    rng: Chance = 0,
) -> Comparison:
    """Compare runs over topics, aligned by topic id, and correct for the number of tests.

    All tests of a comparison are one family: of all pairs of runs, all measures, and all groups of topics.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Two at least, of the same rules and conventions. Averages over all judged topics have to be of the same topics;
        averages over an intersection are taken over the topics that every run has.
    baseline : int or str, or a sequence of these
        Place or name of the run that the others are compared with; of several, none is compared with another. Or "all
        pairs", where the earlier run of each pair is its baseline.
    measures : sequence of str or Measure, optional
        Those to test; all that every evaluation has if not given. Counts and Judged say nothing of quality, and a
        geometric mean (GMAP) is no mean of the topics' values; they are not tested.
    groups : mapping of topic to group, optional
        Each group of topics is tested too, before all topics.
    test : {'t', 'sign-flip', 'wilcoxon', 'sign', 'bootstrap', 'bootstrap-shift'}, optional
        't' if not given; 'bootstrap' is bootstrap-t. Where differences are skewed (see `skew_caution`) the larger p of
        these two is corrected and decides, whichever was asked for; where they are all the same, that of the sign test
        in the place of t. The corrections 'max-t', which is made of sign flips, and 'tukey' and 'randomised-tukey'
        bring their own.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate is above the baseline.
    correction : str
        'holm', 'none', 'bonferroni', 'hochberg' or 'benjamini-hochberg', as of `correct`; 'max-t', from sign flips that
        all tests share, step down; 'tukey' or 'randomised-tukey', of all pairs of runs for each measure and group, with
        Bonferroni over these. The last three are two-sided.
    level : float
        Of the intervals; a difference counts as shown where its corrected p is below 1 - level.
    interval : {'t', 'percentile', 'BCa'}
        Of every mean and every difference; those of the bootstrap share their resampled topics.
    equivalent : float, optional
        A margin in the measure's own unit, set before the data are seen: are the two within it of each other? Two
        one-sided t tests (where differences are skewed, the larger p of t and bootstrap-t), corrected as a family of
        their own.
    non_inferior : float, optional
        The same for one side: is the candidate worse by less than that?
    n_resamples : int, optional
        Of whatever is sampled; 100,000 sign flips, and 10,000 resamples or permutations, if not given.
    rng : int or numpy.random.Generator
        What they are drawn with.

    Returns
    -------
    Comparison
        A topic that the convention `skip` leaves out of a measure in either run is left out of that test (with the
        Tukey tests, in any run). Identical runs, a single topic and constant differences have the answers of their
        test, and a note.

    Raises
    ------
    UsageError
        If there are fewer than two evaluations, or something else than evaluations, or a run or measure is unknown, or
        no measure that can be tested is left, or the name of a run is not its own, or every run is a baseline; if a
        test, correction or another option does not exist, or not together with the others, or a margin or a number is
        out of range.
    DataError
        If the evaluations differ in topics, rules or conventions, or have no topic or no measure in common, or a topic
        has no group.
    """
    evaluations = checked_evaluations(evaluations)
    chosen, left_out = measures_to_test(evaluations, measures)
    places = places_of_pairs(evaluations, baseline)
    check_family(test, correction, alternative, all_pairs=len(places) == len(evaluations) * (len(evaluations) - 1) // 2)
    check_level(level)
    if interval not in get_args(IntervalMethod):
        raise UsageError(f"there is no interval {interval!r}; {instead(str(interval), get_args(IntervalMethod))}")
    if n_resamples is not None and n_resamples < 1:
        raise UsageError(f"sampling needs at least one sample, got n_resamples={n_resamples}")
    kind, margin = _margin(equivalent, non_inferior)
    scores = scores_of(evaluations, chosen, groups)
    pairs, without = paired(scores, places, complete=correction in ("tukey", "randomised-tukey"))
    calibrated = calibrated_tests(
        pairs,
        alternative=alternative,
        one_sided=alternative != "two-sided" or margin is not None,
        decides=test in (None, "t", "bootstrap") and correction in CORRECTIONS,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
    )
    tested = family_of_tests(
        scores,
        pairs,
        test=test,
        alternative=alternative,
        correction=correction,
        n_resamples=n_resamples,
        rng=rng,
        calibrated=calibrated,
    )
    against = None if margin is None else margin_tests(pairs, kind, margin, correction, calibrated)
    intervals, means = _intervals(scores, pairs, interval, level, n_resamples, rng)
    contrasts = tuple(
        Contrast(
            one,
            adjusted,
            tested.family,
            intervals[place],
            None if against is None else against[place],
            pair.group,
            pair.topics,
            pair.candidate_values,
            pair.baseline_values,
            calibrated[place],
        )
        for place, (one, adjusted, pair) in enumerate(zip(tested.tests, tested.adjusted, pairs, strict=True))
    )
    leasts = least_adjusted([contrast.deciding for contrast in contrasts], correction)
    first_step = tested.n_tests if correction in CORRECTIONS and correction != "none" else 1
    contrasts = tuple(
        replace(one, least_pvalue=least, n_tests=first_step) for one, least in zip(contrasts, leasts, strict=True)
    )
    notes = remarks(
        contrasts,
        n_topics=len(scores.topics),
        left_out=left_out,
        measures=chosen,
        family=tested.family,
    )
    first = scores.evaluations[0]
    return Comparison(
        contrasts,
        means,
        tested.tests[0].test,
        alternative,
        correction,
        tested.family,
        tested.n_tests,
        level,
        first.rules,
        first.conventions,
        (*notes, *without, *filter(None, [tested.note])),
        scores.evaluations,
    )


def _margin(equivalent: float | None, non_inferior: float | None) -> tuple[MarginKind, float | None]:
    if equivalent is not None and non_inferior is not None:
        raise UsageError("equivalent and non_inferior exclude each other: equivalence holds non-inferiority")
    return ("equivalence", equivalent) if non_inferior is None else ("non-inferiority", non_inferior)


def _intervals(
    scores: Scores, pairs: Sequence[Pair], method: IntervalMethod, level: float, n_resamples: int | None, rng: Chance
) -> tuple[list[Interval], tuple[Mean, ...]]:
    """The interval of each pair's mean difference; and the means of the runs, each with its own."""
    about: list[tuple[str | None, str, str]] = []
    columns = [(pair.places, pair.candidate_values - pair.baseline_values) for pair in pairs]
    for group, places in scores.groups:
        for column, measure in enumerate(scores.measures):
            for run, evaluation in enumerate(scores.evaluations):
                values = scores.values[run, column, places]
                if len(kept := np.flatnonzero(~np.isnan(values))):
                    about.append((group, evaluation.name, str(measure)))
                    columns.append((places[kept], values[kept]))
    found: list[Interval | None] = [None] * len(columns)
    if method == "t":
        found = [t_interval(values, level=level) for _, values in columns]
    else:
        # Columns of the same topics share their resamples.
        alike: dict[bytes, list[int]] = {}
        for place, (places, _) in enumerate(columns):
            alike.setdefault(places.tobytes(), []).append(place)
        for together in alike.values():
            table = np.column_stack([columns[place][1] for place in together])
            given = bootstrap_intervals(table, method=method, level=level, n_resamples=n_resamples or 10_000, rng=rng)
            for place, one in zip(together, given, strict=True):
                found[place] = one
    intervals = [one for one in found if one is not None]
    means = (Mean(*names, one) for names, one in zip(about, intervals[len(pairs) :], strict=True))
    return intervals[: len(pairs)], tuple(means)
