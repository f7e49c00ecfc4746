"""The leaderboard of a page: means with intervals, tests, significant differences."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, Final

from irkit._utils.numerals import four_decimals
from irkit._utils.text import counted
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.measures.docstrings import explain
from irkit.report.page.numbers import plain, plain_all
from irkit.report.text.layout import best_marked
from irkit.stats import ALL_PAIRS, Comparison, Contrast, compare, skew_caution, t_interval

MOST_PAIRED: Final = 20  # with more runs, pairs are not tested; 20 runs have 190 pairs
LETTERS: Final = "abcdefghijklmnoprstu"
LEVEL: Final = 0.95


def measures_shown(evaluations: Sequence[Evaluation]) -> list[dict[str, Any]]:
    """Describe each measure: name, meaning and number format."""
    return [
        {
            "name": str(measure),
            "meaning": _meaning(measure),
            "count": measure.summary == "sum",
            "summary": measure.summary,
            "quality": measure.family.quality,
            "tested": measure.compared,
        }
        for measure in evaluations[0].measures
    ]


def _meaning(measure: Measure) -> str:
    meaning = explain(measure.family).meaning
    return meaning[0] if meaning else measure.family.help


def board(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return the mean of every run on every measure with its interval, and whether it is the best."""
    summaries = [evaluation.summary.tolist() for evaluation in evaluations]
    best = []
    for column, measure in enumerate(evaluations[0].measures):
        values = [summary[column] for summary in summaries]
        texts = [four_decimals(value, count=measure.summary == "sum") for value in values]
        marked = best_marked(texts, values) if measure.family.quality else []
        best.append([place for place, cell in enumerate(marked) if cell.best])
    return {
        "level": LEVEL,
        "means": [
            [_mean(evaluation, column, summary[column]) for column in range(len(evaluation.measures))]
            for evaluation, summary in zip(evaluations, summaries, strict=True)
        ],
        "best": best,
    }


def _mean(evaluation: Evaluation, column: int, value: float) -> list[float | int | None]:
    """Return a summary, both ends of its interval, and the number of topics."""
    low, high = interval_of(evaluation, column)
    return [*plain_all((value, low, high)), int(evaluation.n_averaged[column])]


def interval_of(evaluation: Evaluation, column: int) -> tuple[float, float]:
    """Return the t interval of a mean as in figures; nan for other summaries and for a single topic."""
    values = evaluation.values[:, column]
    values = values[values == values]  # nan is left out of the mean
    if evaluation.measures[column].summary != "mean" or not len(values):
        return nan, nan
    return t_interval(values, level=LEVEL).drawn(evaluation.measures[column])


def skewed_intervals(evaluations: Sequence[Evaluation], of_topic: Mapping[str, str] | None = None) -> str:
    """Return the caution that values behind intervals are skewed, of all topics or a group; empty if none are."""
    parts = [(evaluation.name, evaluation) for evaluation in evaluations]
    for evaluation in evaluations if of_topic is not None else ():
        parts += [(f"{evaluation.name} ({name})", part) for name, part in evaluation.by_group(of_topic or {}).items()]
    columns = {
        f"{measure} of {name}": part.values[:, column]
        for name, part in parts
        for column, measure in enumerate(part.measures)
        if measure.summary == "mean" and measure.compared
    }
    cautions = {which: skew_caution(values[values == values]) for which, values in columns.items()}
    skewed = [which for which, caution in cautions.items() if caution is not None]
    if not skewed:
        return ""
    named = skewed[0] if len(skewed) == 1 else f"{skewed[0]} and {counted(len(skewed) - 1, 'more mean')}"
    return (
        f"{counted(len(skewed), 'interval')} of {len(columns)} "
        f"{'is' if len(skewed) == 1 else 'are'} over values too skewed for so few topics, and may hold the mean less "
        f"often than {LEVEL:.0%} says: {named}."
    )


def groups(evaluations: Sequence[Evaluation], of_topic: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the means of each group of topics, in the order of the topics file."""
    parts = [evaluation.by_group(of_topic) for evaluation in evaluations]
    return [
        {"name": name, "topics": parts[0][name].n_topics, "means": board([part[name] for part in parts])["means"]}
        for name in parts[0]
    ]


def tests(evaluations: Sequence[Evaluation], baseline: int | str) -> dict[str, Any] | None:
    """Return the tests of all runs against the baseline, and of all pairs; None if there is nothing to test.

    The two are separate families of tests, with the results of `irkit.compare` with `baseline=0` and for all pairs.
    """
    measures = [measure for measure in evaluations[0].measures if measure.compared]
    if len(evaluations) < 2 or not measures:
        return None
    against = compare(evaluations, measures=measures, baseline=baseline)
    place = {evaluation.name: number for number, evaluation in enumerate(evaluations)}
    columns = {str(measure): number for number, measure in enumerate(evaluations[0].measures)}
    paired = compare(evaluations, measures=measures, baseline=ALL_PAIRS) if len(evaluations) <= MOST_PAIRED else None
    return {
        "baseline": place[against.contrasts[0].test.baseline],
        "alpha": against.contrasts[0].alpha,
        "family": against.family or "one test, not corrected",
        "against": [_contrast(contrast, place, columns) for contrast in against.contrasts],
        "notes": list(against.notes),
        "pairs_family": "" if paired is None else paired.family or "one test, not corrected",
        "pairs": None if paired is None else [_contrast(contrast, place, columns) for contrast in paired.contrasts],
        "letters": _letters(paired, place, columns) if paired is not None and len(evaluations) > 2 else None,
        "not_paired": len(evaluations) if paired is None else 0,
    }


def _contrast(contrast: Contrast, place: Mapping[str, int], columns: Mapping[str, int]) -> dict[str, Any]:
    test = contrast.test
    return {
        "a": place[test.baseline],
        "b": place[test.candidate],
        "m": columns[test.measure],
        "difference": plain(test.mean_difference),
        "interval": plain_all((contrast.deciding_interval.low, contrast.deciding_interval.high)),
        "p": plain(contrast.deciding.pvalue),
        "skewed": None if contrast.calibrated is None else contrast.calibrated.skewed.code,
        "adjusted": plain(contrast.adjusted_pvalue),
        "shown": contrast.shown,
        "wins": test.wins,
        "ties": test.ties,
        "losses": test.losses,
        "verdict": contrast.verdict,
    }


def _letters(paired: Comparison, place: Mapping[str, int], columns: Mapping[str, int]) -> list[list[str]]:
    """Return, by run and measure, the letters of the runs that are significantly below."""
    above = [[""] * len(columns) for _ in place]
    for contrast in paired.contrasts:
        test = contrast.test
        if contrast.shown and test.mean_difference:
            pair = (test.candidate, test.baseline)
            better, worse = pair if test.mean_difference > 0 else pair[::-1]
            above[place[better]][columns[test.measure]] += LETTERS[place[worse]]
    return [["".join(sorted(letters)) for letters in row] for row in above]
