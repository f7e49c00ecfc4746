"""How well an experiment was made again: its values topic by topic, and the effect that it showed."""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError
from irkit.stats.paired.calibrated import calibrated_test, deciding_test
from irkit.stats.paired.checked_arrays import Values, pair_of
from irkit.stats.paired.differences import paired_differences
from irkit.stats.paired.means import TOLERANCE
from irkit.stats.paired.skew import Skewed, skew_caution_of_two
from irkit.stats.paired.skew_notes import skewed_briefly, skewed_samples
from irkit.stats.paired.student import TEST, paired_t_test


@dataclass(frozen=True, slots=True)
class ValuesReproduced:
    """Values of one measure beside those of the reproduced run, over the same topics.

    Attributes
    ----------
    n_topics : int
    rmse : float
        Root mean square error, in the measure's own unit; 0 is best.
    nrmse : float
        The same over what it would be at most; nan for a measure whose values do not lie from 0 to 1.
    pvalue : float
        Of the paired t test, two-sided, or the larger one of it and bootstrap-t where differences are skewed; nan for
        one topic. A large one does not show that the values are the same.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    decided_by : str
        The test that `pvalue` is of.
    t_pvalue : float
        Of the paired t test.
    bootstrap_t_pvalue : float
        Of bootstrap-t; nan where differences are not skewed.
    skewed : Skewed or None
        The caution about skewed differences.
    """

    n_topics: int
    rmse: float
    nrmse: float
    pvalue: float
    note: str = ""
    decided_by: str = TEST
    t_pvalue: float = nan
    bootstrap_t_pvalue: float = nan
    skewed: Skewed | None = None


def values_reproduced(original: npt.ArrayLike, reproduced: npt.ArrayLike, *, unit: bool = True) -> ValuesReproduced:
    """Distance of the values of a reproduced run from the original values, by topic.

    Parameters
    ----------
    original, reproduced : array-like of shape (n,)
        Values of one measure in the same order of topics.
    unit : bool
        The measure's values lie from 0 to 1, as `Measure.unit` says; of another one there is no nRMSE.

    Returns
    -------
    ValuesReproduced

    Raises
    ------
    UsageError
        If the two are not of one shape (n,).
    DataError
        If there is no value, or one that is not finite.

    Notes
    -----
    RMSE = sqrt(mean of (o - r)^2); nRMSE = RMSE / sqrt(mean of max(o, 1 - o)^2).

    References
    ----------
    Breuer et al., SIGIR 2020; repro_eval, rmse and nrmse.
    """
    values, others = pair_of(original, reproduced, "topic")
    test = paired_t_test(others, values)
    beside = calibrated_test(test, paired_differences(others, values))
    decides = test if beside is None else deciding_test(test, beside)
    rmse = sqrt(float(((values - others) ** 2).mean()))
    notes = [test.note, "" if beside is None else skewed_briefly(beside)]
    nrmse = nan
    if not unit or min(values.min(), others.min()) < 0 or max(values.max(), others.max()) > 1:
        notes.append("no nRMSE, which is for measures whose values lie from 0 to 1")
    else:
        nrmse = rmse / sqrt(float((np.maximum(values, 1 - values) ** 2).mean()))
    return ValuesReproduced(
        test.n_topics,
        rmse,
        nrmse,
        decides.pvalue,
        "; ".join(filter(None, notes)),
        decides.test,
        test.pvalue,
        nan if beside is None else beside.test.pvalue,
        None if beside is None else beside.skewed,
    )


@dataclass(frozen=True, slots=True)
class EffectReproduced:
    """Gain of an advanced run over its baseline, in the original and in the reproduction.

    Attributes
    ----------
    effect, effect_reproduced : float
        Mean of the advanced run minus mean of the baseline.
    effect_ratio : float
        The second over the first: 1 is best, below 0 the effect has turned round.
    improvement, improvement_reproduced : float
        The effect relative to the mean of the baseline.
    delta_improvement : float
        The first minus the second; 0 is best. With an effect ratio of 1, another value shows a baseline that moved.
    n_topics, n_topics_reproduced : int
    note : str
        Why a value is nan; else empty.
    """

    effect: float
    effect_reproduced: float
    effect_ratio: float
    improvement: float
    improvement_reproduced: float
    delta_improvement: float
    n_topics: int
    n_topics_reproduced: int
    note: str = ""


def effect_reproduced(
    advanced: npt.ArrayLike,
    baseline: npt.ArrayLike,
    advanced_reproduced: npt.ArrayLike,
    baseline_reproduced: npt.ArrayLike,
) -> EffectReproduced:
    """Effect ratio and difference of relative improvements (ER and DeltaRI) of one measure.

    Parameters
    ----------
    advanced, baseline : array-like of shape (n,)
        Original values in the same order of topics.
    advanced_reproduced, baseline_reproduced : array-like of shape (m,)
        Values of the runs that were made again, over the same topics or over those of another collection.

    Returns
    -------
    EffectReproduced
        The ratio is nan where the original has no effect, an improvement where a baseline's mean is 0.

    Raises
    ------
    UsageError
        If a pair is not of one shape.
    DataError
        If there is no value, or one that is not finite.

    References
    ----------
    Breuer et al., SIGIR 2020; repro_eval, ER and deltaRI.
    """
    original = pair_of(advanced, baseline, "topic")
    again = pair_of(advanced_reproduced, baseline_reproduced, "topic")
    effect, effect_again = _effect(*original), _effect(*again)
    base, base_again = float(original[1].mean()), float(again[1].mean())
    improvement = effect / base if base else nan
    improvement_again = effect_again / base_again if base_again else nan
    notes = [
        "the original has no effect: no ratio" if not effect else "",
        "" if base and base_again else "the mean of a baseline is 0: no relative improvement",
    ]
    return EffectReproduced(
        effect,
        effect_again,
        effect_again / effect if effect else nan,
        improvement,
        improvement_again,
        improvement - improvement_again,
        len(original[0]),
        len(again[0]),
        "; ".join(filter(None, notes)),
    )


def _effect(advanced: Values, baseline: Values) -> float:
    """Mean difference, 0 if it is only a rounding error."""
    mean = float((advanced - baseline).mean())
    return mean if abs(mean) > TOLERANCE * max(abs(advanced).max(), abs(baseline).max()) else 0.0


@dataclass(frozen=True, slots=True)
class UnpairedTest:
    """Outcome of Student's t test of two samples of topics, two-sided.

    Attributes
    ----------
    statistic : float
        t, first minus second; nan or infinite where the note says why.
    pvalue : float
    degrees_of_freedom : int
    n_first, n_second : int
        Topics.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    skewed : Skewed or None
        The caution that values are so skewed that p is off; see `skew_caution_of_two`.
    """

    statistic: float
    pvalue: float
    degrees_of_freedom: int
    n_first: int
    n_second: int
    note: str = ""
    skewed: Skewed | None = None


def unpaired_t_test(first: npt.ArrayLike, second: npt.ArrayLike) -> UnpairedTest:
    """Student's t test of one measure on two collections with different topics, assuming one variance.

    Parameters
    ----------
    first : array-like of shape (n,)
    second : array-like of shape (m,)

    Returns
    -------
    UnpairedTest
        p is nan for one topic on each side. Where neither side varies it is 1 if all values are equal, else 0.

    Raises
    ------
    DataError
        If a side has no value, or one that is not finite.

    References
    ----------
    Student, Biometrika 1908; repro_eval, ttest_ind.
    """
    from scipy.special import stdtr

    sides = [np.asarray(side, dtype=np.float64).ravel() for side in (first, second)]
    if not all(len(side) and np.isfinite(side).all() for side in sides):
        raise DataError("an unpaired test needs finite values of one topic at least on both sides")
    n, m = map(len, sides)
    df = n + m - 2
    if not df:
        return UnpairedTest(nan, nan, df, n, m, "one topic on each side: no test is possible")
    difference = float(sides[0].mean() - sides[1].mean())
    noise = TOLERANCE * max(float(abs(side).max()) for side in sides)
    deviation = sqrt(sum(float(((side - side.mean()) ** 2).sum()) for side in sides) / df)
    if deviation <= noise:
        if abs(difference) <= noise:
            return UnpairedTest(nan, 1.0, df, n, m, "identical: all values are the same")
        note = "neither side varies: t has no noise to measure the difference by"
        return UnpairedTest(inf if difference > 0 else -inf, 0.0, df, n, m, note)
    statistic = difference / (deviation * sqrt(1 / n + 1 / m))
    skewed = skew_caution_of_two(*sides)
    note = "" if skewed is None else skewed_samples(skewed)
    return UnpairedTest(statistic, float(2 * stdtr(df, -abs(statistic))), df, n, m, note, skewed)
