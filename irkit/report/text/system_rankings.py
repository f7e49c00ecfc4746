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


def sheet(found: SystemRankings, shown: Shown, *, by_topic: bool) -> Sections:
    """Means with their ranks, how far the rankings agree, and how well each measure tells the systems apart."""
    del by_topic
    basis = []
    for name, evaluations in zip(found.judgments, found.evaluations, strict=True):
        lines = summary.head(evaluations, shown, shared=True)
        basis += [f"{shown(name)}: {line}" for line in lines] if len(found.judgments) > 1 else lines
    tables = [*_means(found, shown), *_agreements(found, shown), _powers(found, shown)]
    wrong = any(map(summary.amiss, found.evaluations))
    return Sections(basis, wrong, _explained(found, shown), tables, list(map(shown, found.notes)))


def _explained(found: SystemRankings, shown: Shown) -> list[str]:
    n = len(found.systems)
    power = found.powers[0][0]
    correction = _correction(found)
    over = "" if correction in (FAMILY, "not corrected") else " over these"
    lines = [
        f"told apart: share of the {power.n_pairs} pairs of systems with p < {power.alpha:g} ({found.test}, two-sided, "
        f"{correction}{over}); of these systems, topics and this test, and no proof that the measure is right"
    ]
    if found.agreements:
        several = len(found.judgments) > 1
        first, second = map(shown, found.judgments) if several else ("the first", "the second")
        lines.insert(
            0,
            f"agreement of the rankings of {n} systems by two {'judgments' if several else 'measures'}, 1 to -1: tau-b "
            f"is Kendall's; tau-AP weighs the top more, with {first} (1) or {second} (2) for the reference",
        )
    return lines


def _correction(found: SystemRankings) -> str:
    return FAMILY if "Tukey" in found.test else _CORRECTIONS[found.correction]


def _means(found: SystemRankings, shown: Shown) -> Iterator[tuple[str, Grid]]:
    columns = tuple(map(shown, found.measures))
    for name, means, ranks in zip(found.judgments, found.means.tolist(), found.ranks.tolist(), strict=True):
        lines = [
            Line(
                (shown(system),), tuple(Cell(f"{four_decimals(v)} ({r})", r == 1) for v, r in zip(row, of, strict=True))
            )
            for system, row, of in zip(found.systems, means, ranks, strict=True)
        ]
        title = "Means, with ranks" if len(found.judgments) == 1 else f"Means by {shown(name)}, with ranks"
        yield title, Grid(("system",), columns, (tuple(lines),))


def _agreements(found: SystemRankings, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if not found.agreements:
        return
    ties = any(_tied(one) for one in found.agreements)

    def line(one: RankingAgreement) -> Line:
        four = (one.tau, one.tau_ap, one.tau_ap_turned, one.spearman)
        cells = [Cell(four_decimals(correlation.value)) for correlation in four]
        labels = (one.measure,) if one.measure else (one.first, one.second)
        return Line(tuple(map(shown, labels)), tuple([*cells, Cell(_tied(one) or "none")] if ties else cells))

    columns = ("tau-b", "tau-AP (1)", "tau-AP (2)", "Spearman", *(("tau-AP's ties",) if ties else ()))
    labels = ("measure", "and") if len(found.judgments) == 1 else ("measure",)
    title = "Agreement of the rankings"
    if len(found.judgments) > 1:
        title += f" by {shown(found.judgments[0])} (1) and {shown(found.judgments[1])} (2)"
    yield title, Grid(labels, columns, (tuple(map(line, found.agreements)),))


def _tied(one: RankingAgreement) -> str:
    """The variant of tau-AP for ties, a or b; empty without ties."""
    return one.tau_ap.coefficient.partition(",")[2]


def _powers(found: SystemRankings, shown: Shown) -> tuple[str, Grid]:
    several = len(found.judgments) > 1

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

    lines = [line(name, power) for name, powers in zip(found.judgments, found.powers, strict=True) for power in powers]
    labels = ("measure", "judgments") if several else ("measure",)
    columns = ("told apart", "pairs", "median p", "topics")
    return "How well each measure tells the systems apart", Grid(labels, columns, (tuple(lines),))


def records(found: SystemRankings, *, by_topic: bool) -> Records:
    """A record for each number, told from others by `kind`: mean, rank, tau-b, tau-AP, spearman, power, pvalue.

    `skewed-pairs` is how many pairs have skewed differences.
    `first` and `second` are what a correlation or a p-value is between: measures, judgments, or systems. A tau-AP has
    `first` for its reference. `method` is the variant of a correlation, or the test and its correction.
    """
    del by_topic
    fields = ("kind", "judgments", "measure", "first", "second", "value", "method", "n", *BASIS[:-1], "tie_order")
    first = found.evaluations[0][0]
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    return Records(fields, tuple((*row, *basis) for row in _rows(found)))


def _rows(found: SystemRankings) -> Iterator[tuple[Any, ...]]:
    for name, means, ranks, powers in zip(
        found.judgments, found.means.tolist(), found.ranks.tolist(), found.powers, strict=True
    ):
        for place, measure in enumerate(found.measures):
            for system, row, of in zip(found.systems, means, ranks, strict=True):
                yield "mean", name, measure, system, None, row[place], None, powers[place].n_topics
                yield "rank", name, measure, system, None, of[place], None, powers[place].n_topics
    n_systems = len(found.systems)
    for one in found.agreements:
        by, pair = one.measure or None, (one.first, one.second)
        for kind, names, found_here in (
            ("tau-b", pair, one.tau),
            ("tau-AP", pair, one.tau_ap),
            ("tau-AP", pair[::-1], one.tau_ap_turned),
            ("spearman", pair, one.spearman),
        ):
            yield kind, None, by, *names, found_here.value, found_here.coefficient, n_systems
    method = f"{found.test}, {_correction(found)}"
    for name, powers in zip(found.judgments, found.powers, strict=True):
        for power in powers:
            yield "power", name, power.measure, None, None, power.power, method, power.n_pairs
            yield "skewed-pairs", name, power.measure, None, None, power.n_skewed, method, power.n_pairs
            for pair, pvalue in zip(power.pairs, power.pvalues.tolist(), strict=True):
                yield "pvalue", name, power.measure, *pair, pvalue, method, power.n_topics
