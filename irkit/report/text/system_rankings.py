"""Report of how measures rank systems."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from irkit._utils.numerals import four_decimals, shown_pvalue
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import BASIS, Records
from irkit.report.text.sections import Sections
from irkit.stats.rankings.discrimination import DiscriminativePower
from irkit.stats.rankings.system_rankings import RankingAgreement, SystemRankings

_CORRECTIONS: Final = {
    "none": "not corrected",
    "bonferroni": "corrected by Bonferroni",
    "holm": "corrected by Holm",
    "hochberg": "corrected by Hochberg",
    "benjamini-hochberg": "corrected by Benjamini and Hochberg",
}
FAMILY: Final = "of one family"


def sheet(rankings: SystemRankings, shown: Shown, *, by_topic: bool) -> Sections:
    """Show means with ranks, the agreement of rankings, and how well each measure separates the systems."""
    del by_topic
    basis = []
    for name, evaluations in zip(rankings.judgments, rankings.evaluations, strict=True):
        lines = summary.head(evaluations, shown, shared=True)
        basis += [f"{shown(name)}: {line}" for line in lines] if len(rankings.judgments) > 1 else lines
    tables = [*_means(rankings, shown), *_agreements(rankings, shown), _powers(rankings, shown)]
    wrong = any(map(summary.amiss, rankings.evaluations))
    return Sections(basis, wrong, _explained(rankings, shown), tables, list(map(shown, rankings.notes)))


def _explained(rankings: SystemRankings, shown: Shown) -> list[str]:
    n = len(rankings.systems)
    power = rankings.powers[0][0]
    correction = _correction(rankings)
    over = "" if correction in (FAMILY, "not corrected") else " over these"
    lines = [
        f"told apart: share of the {power.n_pairs} pairs of systems with p < {power.alpha:g} ({rankings.test}, "
        f"two-sided, {correction}{over}); it depends on these systems, topics and this test, and does not show that "
        "the measure is right"
    ]
    if rankings.agreements:
        several = len(rankings.judgments) > 1
        first, second = map(shown, rankings.judgments) if several else ("the first", "the second")
        lines.insert(
            0,
            f"agreement of the rankings of {n} systems by two {'judgments' if several else 'measures'}, 1 to -1: tau-b "
            f"is Kendall's; tau-AP weighs the top more, with {first} (1) or {second} (2) for the reference",
        )
    return lines


def _correction(rankings: SystemRankings) -> str:
    return FAMILY if "Tukey" in rankings.test else _CORRECTIONS[rankings.correction]


def _means(rankings: SystemRankings, shown: Shown) -> Iterator[tuple[str, Grid]]:
    columns = tuple(map(shown, rankings.measures))
    for name, means, ranks in zip(rankings.judgments, rankings.means.tolist(), rankings.ranks.tolist(), strict=True):
        lines = [
            Line(
                (shown(system),), tuple(Cell(f"{four_decimals(v)} ({r})", r == 1) for v, r in zip(row, of, strict=True))
            )
            for system, row, of in zip(rankings.systems, means, ranks, strict=True)
        ]
        title = "Means, with ranks" if len(rankings.judgments) == 1 else f"Means by {shown(name)}, with ranks"
        yield title, Grid(("system",), columns, (tuple(lines),))


def _agreements(rankings: SystemRankings, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if not rankings.agreements:
        return
    ties = any(_tied(agreement) for agreement in rankings.agreements)

    def line(agreement: RankingAgreement) -> Line:
        four = (agreement.tau, agreement.tau_ap, agreement.tau_ap_turned, agreement.spearman)
        cells = [Cell(four_decimals(correlation.value)) for correlation in four]
        labels = (agreement.measure,) if agreement.measure else (agreement.first, agreement.second)
        return Line(tuple(map(shown, labels)), tuple([*cells, Cell(_tied(agreement) or "none")] if ties else cells))

    columns = ("tau-b", "tau-AP (1)", "tau-AP (2)", "Spearman", *(("tau-AP's ties",) if ties else ()))
    labels = ("measure", "and") if len(rankings.judgments) == 1 else ("measure",)
    title = "Agreement of the rankings"
    if len(rankings.judgments) > 1:
        title += f" by {shown(rankings.judgments[0])} (1) and {shown(rankings.judgments[1])} (2)"
    yield title, Grid(labels, columns, (tuple(map(line, rankings.agreements)),))


def _tied(agreement: RankingAgreement) -> str:
    """Variant of tau-AP for ties: a, b, or empty if there are no ties."""
    return agreement.tau_ap.coefficient.partition(",")[2]


def _powers(rankings: SystemRankings, shown: Shown) -> tuple[str, Grid]:
    several = len(rankings.judgments) > 1

    def line(name: str, power: DiscriminativePower) -> Line:
        known = power.curve
        numbers = (
            four_decimals(power.power),
            f"{power.n_significant} of {power.n_pairs}",
            shown_pvalue(float(np.median(known))) if len(known) else "-",
            str(power.n_topics),
        )
        labels = (power.measure, name) if several else (power.measure,)
        return Line(tuple(map(shown, labels)), tuple(map(Cell, numbers)))

    lines = [
        line(name, power) for name, powers in zip(rankings.judgments, rankings.powers, strict=True) for power in powers
    ]
    labels = ("measure", "judgments") if several else ("measure",)
    columns = ("told apart", "pairs", "median p", "topics")
    return "How well each measure tells the systems apart", Grid(labels, columns, (tuple(lines),))


def records(rankings: SystemRankings, *, by_topic: bool) -> Records:
    """Make a record for each number; `kind` is mean, rank, tau-b, tau-AP, spearman, power, pvalue or skewed-pairs.

    `skewed-pairs` is the number of pairs with skewed differences. `first` and `second` are the two sides of a
    correlation or p-value: measures, judgments, or systems. The reference of a tau-AP is `first`. `method` is the
    variant of a correlation, or the test and its correction.
    """
    del by_topic
    fields = ("kind", "judgments", "measure", "first", "second", "value", "method", "n", *BASIS[:-1], "tie_order")
    first = rankings.evaluations[0][0]
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    return Records(fields, tuple((*row, *basis) for row in _rows(rankings)))


def _rows(rankings: SystemRankings) -> Iterator[tuple[Any, ...]]:
    for name, means, ranks, powers in zip(
        rankings.judgments, rankings.means.tolist(), rankings.ranks.tolist(), rankings.powers, strict=True
    ):
        for place, measure in enumerate(rankings.measures):
            for system, row, of in zip(rankings.systems, means, ranks, strict=True):
                yield "mean", name, measure, system, None, row[place], None, powers[place].n_topics
                yield "rank", name, measure, system, None, of[place], None, powers[place].n_topics
    n_systems = len(rankings.systems)
    for agreement in rankings.agreements:
        by, pair = agreement.measure or None, (agreement.first, agreement.second)
        for kind, names, found_here in (
            ("tau-b", pair, agreement.tau),
            ("tau-AP", pair, agreement.tau_ap),
            ("tau-AP", pair[::-1], agreement.tau_ap_turned),
            ("spearman", pair, agreement.spearman),
        ):
            yield kind, None, by, *names, found_here.value, found_here.coefficient, n_systems
    method = f"{rankings.test}, {_correction(rankings)}"
    for name, powers in zip(rankings.judgments, rankings.powers, strict=True):
        for power in powers:
            yield "power", name, power.measure, None, None, power.power, method, power.n_pairs
            yield "skewed-pairs", name, power.measure, None, None, power.n_skewed, method, power.n_pairs
            for pair, pvalue in zip(power.pairs, power.pvalues.tolist(), strict=True):
                yield "pvalue", name, power.measure, *pair, pvalue, method, power.n_topics
