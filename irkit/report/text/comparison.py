"""Report of a comparison."""

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

from irkit._utils.numerals import MISSING_VALUE, four_decimals, shown_pvalue, signed
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.report.text import board
from irkit.report.text.layout import Cell, Grid, Line
from irkit.stats import Comparison, Contrast, Interval
from irkit.stats.paired.bootstrap_t import TEST as BOOTSTRAP_T


def head(comparison: Comparison, shown: Shown = str) -> list[str]:
    """Say what was averaged and what is missing, as for runs alone, and then the kind of test."""
    baseline = _same([test.baseline for test in comparison.tests])
    against = "the baseline" if baseline is None else f"the baseline {shown(baseline)}"
    lines = [
        *summary.head(comparison.evaluations, shown, shared=True),
        f"{_test(comparison)}; difference: mean of the candidate minus mean of {against}",
    ]
    if margin := comparison.contrasts[0].margin:
        equivalent = margin.kind == "equivalence"
        which = "two one-sided t tests, within {:g} either way" if equivalent else "t test, not worse by {:g} or more"
        if any(
            contrast.margin is not None and contrast.margin.decided_by == "bootstrap-t"
            for contrast in comparison.contrasts
        ):
            which += " (the larger p of t and bootstrap-t where differences are skewed)"
        lines.append(
            f"{margin.kind} p: {which.format(margin.margin)}"
            + (f"; corrected as a family of their own: {margin.family}" if margin.family else "")
        )
    if board.has_table(comparison):
        which = "adjusted p" if comparison.family else "p"
        lines.append(f"a raised letter names a run that is lower, with {which} below {comparison.contrasts[0].alpha:g}")
    elif board.lacks_letters(comparison):
        lines.append("there are more runs than letters, so no table of runs: 'irkit score' has their means")
    return lines


def notes(comparison: Comparison, shown: Shown = str) -> list[str]:
    """Return the notes shown below the table."""
    return list(map(shown, comparison.notes))


def grids(comparison: Comparison, shown: Shown, raised: Callable[[str], str]) -> list[Grid]:
    """Lay out the runs with those that they exceed, if there are several baselines, and a line for each test."""
    if board.has_table(comparison):
        return [board.grid(comparison, shown, raised), _grid(comparison, shown, means=False)]
    return [_grid(comparison, shown, means=True)]


def _test(comparison: Comparison) -> str:
    sides = {
        "two-sided": "two-sided",
        "greater": "one-sided (above; intervals are two-sided)",
        "less": "one-sided (below; intervals are two-sided)",
    }
    description = f"{comparison.test}, {sides[comparison.alternative]}"
    sampled = [test for test in comparison.tests if test.n_resamples is not None]
    if sampled:
        seed = "" if sampled[0].seed is None else f", seed {sampled[0].seed}"
        description += f", {sampled[0].n_resamples:,} samples{seed}"
    return f"{description}; adjusted p: {comparison.family}" if comparison.family else description


def _grid(comparison: Comparison, shown: Shown, *, means: bool) -> Grid:
    """Lay out a line for each test; baseline and number of topics are columns only if they differ."""
    contrasts = comparison.contrasts
    several_baselines = _same([contrast.test.baseline for contrast in contrasts]) is None
    several_sizes = len({(contrast.group, contrast.test.n_topics) for contrast in contrasts}) > len(
        {contrast.group for contrast in contrasts}
    )
    # A test of all pairs together has no p-value of a single pair.
    single = not comparison.correction.endswith("tukey")
    margin = contrasts[0].margin
    skewed = any(contrast.calibrated is not None for contrast in contrasts)
    beside = skewed and comparison.test != BOOTSTRAP_T
    columns = [
        *(("mean", "baseline") if means else ()),
        "difference",
        shown(f"{100 * comparison.level:g}% {contrasts[0].interval.method} interval"),
        *((shown(f"{100 * comparison.level:g}% bootstrap-t interval"),) if skewed else ()),
        *(("p",) if single else ()),
        *(("bootstrap-t p",) if beside else ()),
        *(("adjusted p",) if comparison.family or not single else ()),
        *((f"{margin.kind} p",) if margin else ()),
        "win/tie/loss",
        *(("topics",) if several_sizes else ()),
    ]

    def line(contrast: Contrast) -> Line:
        test = contrast.test
        names = (test.measure, test.candidate, test.baseline) if several_baselines else (test.measure, test.candidate)
        numbers = [
            *((four_decimals(test.candidate_mean), four_decimals(test.baseline_mean)) if means else ()),
            signed(test.mean_difference),
            _ends(contrast.interval),
            *((_ends(contrast.calibrated.interval) if contrast.calibrated else MISSING_VALUE,) if skewed else ()),
            *((shown_pvalue(test.pvalue),) if single else ()),
            *(
                (shown_pvalue(contrast.calibrated.test.pvalue) if contrast.calibrated else MISSING_VALUE,)
                if beside
                else ()
            ),
            *((shown_pvalue(contrast.adjusted_pvalue),) if comparison.family or not single else ()),
            *((shown_pvalue(contrast.margin.adjusted_pvalue),) if contrast.margin else ()),
            f"{test.wins}/{test.ties}/{test.losses}",
            *((str(test.n_topics),) if several_sizes else ()),
        ]
        return Line(tuple(map(shown, names)), tuple(map(Cell, numbers)))

    labels = ("measure", "candidate", "against") if several_baselines else ("measure", "candidate")
    if all(contrast.group is None for contrast in contrasts):
        measures = dict.fromkeys(contrast.test.measure for contrast in contrasts)
        sections = [
            tuple(line(contrast) for contrast in contrasts if contrast.test.measure == measure) for measure in measures
        ]
    else:
        sections = []
        for group in dict.fromkeys(contrast.group for contrast in contrasts):
            inside = [line(contrast) for contrast in contrasts if contrast.group == group]
            lines = (row._replace(labels=(f"  {row.labels[0]}", *row.labels[1:])) for row in inside)
            sections.append((board.title(comparison, group, shown), *lines))
    return Grid(labels, tuple(columns), tuple(sections))


def _ends(interval: Interval) -> str:
    return MISSING_VALUE if isnan(interval.low) else f"[{signed(interval.low)}, {signed(interval.high)}]"


def _same(values: Sequence[Any]) -> Any:
    return values[0] if len(set(values)) == 1 else None
