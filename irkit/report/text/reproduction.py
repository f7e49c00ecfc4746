"""Report of a reproduction."""

from collections.abc import Iterator
from typing import Any

from irkit._utils.numerals import four_decimals, shown_pvalue, signed
from irkit._utils.text import counted
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown, some
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import BASIS, Records
from irkit.report.text.sections import Sections
from irkit.report.text.similarity import BLIND, NUMBERING, TIES
from irkit.stats.reproduction.reproduced_runs import RankingReproduced, Reproduction, RunReproduced
from irkit.stats.reproduction.reproduction import EffectReproduced, UnpairedTest, ValuesReproduced


def sheet(found: Reproduction, shown: Shown, *, by_topic: bool) -> Sections:
    """The documents, the values, and the effect, as far as the runs allow."""
    del by_topic
    if found.same_topics:
        basis = summary.head((*found.evaluations, *found.evaluations_reproduced), shown, shared=True)
    else:
        sides = (("original", found.evaluations), ("reproduced", found.evaluations_reproduced))
        basis = [f"{side}: {line}" for side, runs in sides for line in summary.head(runs, shown, shared=True)]
    tables = [*_rankings(found, shown), _values(found, shown), *_effects(found, shown)]
    missing = list(_missing(found, shown))
    wrong = bool(missing) or summary.amiss((*found.evaluations, *found.evaluations_reproduced))
    return Sections([*basis, *missing], wrong, list(_explained(found)), tables, list(map(shown, found.notes)))


def _explained(found: Reproduction) -> Iterator[str]:
    if found.rankings:
        first = found.rankings[0]
        read = "all ranks" if first.overlap.depth is None else counted(first.overlap.depth, "rank")
        yield (
            f"RBO: rank-biased overlap, p={first.overlap.p:g}, extrapolated, documents of one score "
            f"{TIES[first.overlap.ties]} (variant {first.overlap.ties}); 1: the same in {read}"
        )
        yield f"KTU: Kendall's tau union, documents numbered {NUMBERING[first.union.numbering]}; {BLIND}"
    if found.same_topics:
        yield (
            "RMSE: root mean square error over topics, 0 is best; nRMSE: over what it would be at most; p: paired t "
            "test, two-sided (where differences are skewed, the larger p of t and bootstrap-t); a large p does not "
            "show that the values are the same"
        )
    else:
        yield "p: t test of two samples of topics, two-sided; a large p does not show that the means are the same"
    if found.effects:
        yield (
            "effect: mean of the run minus mean of its baseline; ER: effect ratio, 1 is best; RI: effect relative to "
            "the baseline; DeltaRI: RI of the original minus RI of the reproduced, 0 is best"
        )


def _missing(found: Reproduction, shown: Shown) -> Iterator[str]:
    for one in found.rankings:
        for run, topics in (
            (one.union.original, one.union.only_original),
            (one.union.reproduced, one.union.only_reproduced),
        ):
            if topics:
                named = some(list(map(shown, topics)))
                only = f"{counted(len(topics), 'topic')} of this run only"
                yield f"{shown(run)}: {only} (left out of KTU and RBO): {named}"


def _rankings(found: Reproduction, shown: Shown) -> Iterator[tuple[str, Grid]]:
    def line(one: RankingReproduced) -> Line:
        numbers = (
            four_decimals(one.union.mean),
            four_decimals(one.overlap.mean("rbo")),
            str(len(one.union.topics)),
        )
        return Line((shown(one.union.original), shown(one.union.reproduced)), tuple(map(Cell, numbers)))

    if found.rankings:
        lines = tuple(map(line, found.rankings))
        yield "Documents: are they the same, in the same order?", Grid(_LABELS, ("KTU", "RBO", "topics"), (lines,))


_LABELS = ("original", "reproduced")


def _values(found: Reproduction, shown: Shown) -> tuple[str, Grid]:
    def line(one: RunReproduced) -> Line:
        means = [four_decimals(one.mean), four_decimals(one.mean_reproduced)]
        if isinstance(one.compared, ValuesReproduced):
            errors = [four_decimals(one.compared.rmse), four_decimals(one.compared.nrmse)]
            numbers = [*means, *errors, shown_pvalue(one.compared.pvalue), str(one.compared.n_topics)]
        else:
            compared = one.compared
            numbers = [*means, shown_pvalue(compared.pvalue), str(compared.n_second), str(compared.n_first)]
        return Line((one.measure, *map(shown, (one.original, one.reproduced))), tuple(map(Cell, numbers)))

    columns = (
        ("mean", "reproduced", "RMSE", "nRMSE", "p", "topics")
        if found.same_topics
        else ("mean", "reproduced", "p", "topics", "reproduced")
    )
    by_measure: dict[str, list[Line]] = {}
    for one in found.values:
        by_measure.setdefault(one.measure, []).append(line(one))
    title = "Values: are they the same, topic by topic?" if found.same_topics else "Values: are the means alike?"
    return title, Grid(("measure", *_LABELS), columns, tuple(map(tuple, by_measure.values())))


def _effects(found: Reproduction, shown: Shown) -> Iterator[tuple[str, Grid]]:
    def line(measure: str, one: EffectReproduced) -> Line:
        numbers = (
            signed(one.effect),
            signed(one.effect_reproduced),
            four_decimals(one.effect_ratio),
            signed(one.improvement),
            signed(one.improvement_reproduced),
            signed(one.delta_improvement),
        )
        return Line((shown(measure),), tuple(map(Cell, numbers)))

    if found.effects:
        columns = ("effect", "reproduced", "ER", "RI", "reproduced", "DeltaRI")
        lines = tuple(line(measure, effect) for measure, effect in found.effects)
        yield "Effect over the baseline: is it there again?", Grid(("measure",), columns, (lines,))


def records(found: Reproduction, *, by_topic: bool) -> Records:
    """A record for each number: of the documents (no measure), of the values, and of the effect."""
    del by_topic
    fields = ("role", "original", "reproduced", "measure", "quantity", "value", "n_topics", *BASIS[:-1], "tie_order")
    first = found.evaluations[0]
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    return Records(fields, tuple((*row, *basis) for row in _rows(found)))


def _rows(found: Reproduction) -> Iterator[tuple[Any, ...]]:
    for ranking in found.rankings:
        names = (ranking.role, ranking.union.original, ranking.union.reproduced, None)
        yield *names, "tau_union", ranking.union.mean, len(ranking.union.topics)
        yield *names, "rbo", ranking.overlap.mean("rbo"), len(ranking.overlap.topics)
    for one in found.values:
        names_of_values = (one.role, one.original, one.reproduced, one.measure)
        compared = one.compared
        n_reproduced = compared.n_topics if isinstance(compared, ValuesReproduced) else compared.n_first
        n = compared.n_topics if isinstance(compared, ValuesReproduced) else compared.n_second
        yield *names_of_values, "mean", one.mean, n
        yield *names_of_values, "mean_reproduced", one.mean_reproduced, n_reproduced
        if isinstance(compared, ValuesReproduced):
            yield *names_of_values, "rmse", compared.rmse, n
            yield *names_of_values, "nrmse", compared.nrmse, n
            yield *names_of_values, "paired_t_pvalue", compared.t_pvalue, n
        else:
            yield *names_of_values, "unpaired_t_pvalue", compared.pvalue, n + n_reproduced
        yield from _skewed(names_of_values, compared)
    run, again = found.evaluations[0].name, found.evaluations_reproduced[0].name
    for measure, effect in found.effects:
        names_of_effect = ("effect", run, again, measure)
        n, m = effect.n_topics, effect.n_topics_reproduced
        yield *names_of_effect, "effect", effect.effect, n
        yield *names_of_effect, "effect_reproduced", effect.effect_reproduced, m
        yield *names_of_effect, "effect_ratio", effect.effect_ratio, m
        yield *names_of_effect, "improvement", effect.improvement, n
        yield *names_of_effect, "improvement_reproduced", effect.improvement_reproduced, m
        yield *names_of_effect, "delta_improvement", effect.delta_improvement, m


def _skewed(names: tuple[str, str, str, str], compared: ValuesReproduced | UnpairedTest) -> Iterator[tuple[Any, ...]]:
    """The caution about skewed values; and of a paired test the p-value that decides."""
    if compared.skewed is None:
        return
    n = compared.skewed.n_topics
    yield *names, "skewness", compared.skewed.skewness, n
    yield *names, "skew_topics_wanted", compared.skewed.topics_wanted, n
    if isinstance(compared, ValuesReproduced):
        yield *names, "deciding_pvalue", compared.pvalue, n
