"""The value of parameters chosen by folds; the test repeats the choice."""

from dataclasses import replace

import numpy as np

from irkit.stats.paired.attainable import least_pvalue
from irkit.stats.paired.comparison import Comparison
from irkit.stats.paired.cross_validation import (
    corrected_interval,
    corrected_t_test,
    repeated_choice_test,
    widened_interval,
)
from irkit.stats.paired.differences import PairedTest
from irkit.stats.paired.notes import remarks
from irkit.tuning.floors import tolerance
from irkit.tuning.score_table import ScoreTable
from irkit.tuning.splits import Split


def compared_by_folds(comparison: Comparison, scored: ScoreTable, split: Split, seed: int) -> Comparison:
    """The comparison of tuned with default, with a test and intervals that hold where folds chose.

    Points that learn nothing from data are chosen anew under flipped signs, which is what nested folds choose too;
    those that learn would have to learn anew, so they get the corrected t test.
    """
    (contrast,), n_folds = comparison.contrasts, len(split.parts)
    if scored.space.learned is None:
        test, wider = _repeated(comparison, scored, split, seed), widened_interval
    else:
        test, wider = corrected_t_test(contrast.differences, n_folds), corrected_interval
    test = replace(
        test, measure=contrast.test.measure, baseline=contrast.test.baseline, candidate=contrast.test.candidate
    )
    interval = wider(contrast.interval, n_folds)
    # Bootstrap-t knows nothing of folds.
    contrast = replace(
        contrast,
        test=test,
        adjusted_pvalue=test.pvalue,
        interval=interval,
        calibrated=None,
        least_pvalue=least_pvalue(test),
    )
    # The mean of tuned owes as much to what folds share as its difference to the default does.
    default, tuned = comparison.means
    means = (default, tuned._replace(interval=wider(tuned.interval, n_folds)))
    notes = remarks(
        [contrast],
        n_topics=len(contrast.topics),
        left_out=(),
        measures=comparison.evaluations[0].measures,
        family="",
    )
    return replace(comparison, contrasts=(contrast,), means=means, test=test.test, notes=tuple(notes))


def _repeated(comparison: Comparison, scored: ScoreTable, split: Split, seed: int) -> PairedTest:
    (contrast,) = comparison.contrasts
    order = scored.order_of_ties
    fold_of = {topic: fold for fold, part in enumerate(split.parts) for topic in part.test}
    rows = [place for place, topic in enumerate(scored.topics) if topic in fold_of]
    values = scored.values[order][:, rows]
    differences = np.asarray((values - scored.values[scored.default, rows]).T)
    folds = np.array([fold_of[scored.topics[row]] for row in rows])
    means = values.mean(axis=1)
    return repeated_choice_test(contrast.differences, differences, folds, tolerance=tolerance(means), rng=seed)
