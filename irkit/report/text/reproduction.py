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


def sheet(reproduction: Reproduction, shown: Shown, *, by_topic: bool) -> Sections:
    """Compare documents, values and effect, as far as the runs allow."""
    del by_topic
    if reproduction.same_topics:
        basis = summary.head((*reproduction.evaluations, *reproduction.evaluations_reproduced), shown, shared=True)
    else:
        sides = (("original", reproduction.evaluations), ("reproduced", reproduction.evaluations_reproduced))
        basis = [f"{side}: {line}" for side, runs in sides for line in summary.head(runs, shown, shared=True)]
    tables = [*_rankings(reproduction, shown), _values(reproduction, shown), *_effects(reproduction, shown)]
    missing = list(_missing(reproduction, shown))
    wrong = bool(missing) or summary.amiss((*reproduction.evaluations, *reproduction.evaluations_reproduced))
    return Sections(
        [*basis, *missing], wrong, list(_explained(reproduction)), tables, list(map(shown, reproduction.notes))
    )


def _explained(reproduction: Reproduction) -> Iterator[str]:
    if reproduction.rankings:
        first = reproduction.rankings[0]
        read = "all ranks" if first.overlap.depth is None else counted(first.overlap.depth, "rank")
        yield (
            f"RBO: rank-biased overlap, p={first.overlap.p:g}, extrapolated, documents of one score "
            f"{TIES[first.overlap.ties]} (variant {first.overlap.ties}); 1: the same in {read}"
        )
        yield f"KTU: Kendall's tau union, documents numbered {NUMBERING[first.union.numbering]}; {BLIND}"
    if reproduction.same_topics:
        yield (
            "RMSE: root mean square error over topics, 0 is best; nRMSE: RMSE over its largest possible value; p: "
            "paired t test, two-sided (where differences are skewed, the larger p of t and bootstrap-t); a large p "
            "does not show that the values are the same"
        )
    else:
        yield "p: t test of two samples of topics, two-sided; a large p does not show that the means are the same"
    if reproduction.effects:
        yield (
            "effect: mean of the run minus mean of its baseline; ER: effect ratio, 1 is best; RI: effect relative to "
            "the baseline; DeltaRI: RI of the original minus RI of the reproduced, 0 is best"
        )


def _missing(reproduction: Reproduction, shown: Shown) -> Iterator[str]:
    for ranking in reproduction.rankings:
        for run, topics in (
            (ranking.union.original, ranking.union.only_original),
            (ranking.union.reproduced, ranking.union.only_reproduced),
        ):
            if topics:
                named = some(list(map(shown, topics)))
                only = f"{counted(len(topics), 'topic')} of this run only"
                yield f"{shown(run)}: {only} (left out of KTU and RBO): {named}"


def _rankings(reproduction: Reproduction, shown: Shown) -> Iterator[tuple[str, Grid]]:
    def line(ranking: RankingReproduced) -> Line:
        numbers = (
            four_decimals(ranking.union.mean),
            four_decimals(ranking.overlap.mean("rbo")),
            str(len(ranking.union.topics)),
        )
        return Line((shown(ranking.union.original), shown(ranking.union.reproduced)), tuple(map(Cell, numbers)))

    if reproduction.rankings:
        lines = tuple(map(line, reproduction.rankings))
        yield "Documents: are they the same, in the same order?", Grid(_LABELS, ("KTU", "RBO", "topics"), (lines,))


_LABELS = ("original", "reproduced")


def _values(reproduction: Reproduction, shown: Shown) -> tuple[str, Grid]:
    def line(run: RunReproduced) -> Line:
        means = [four_decimals(run.mean), four_decimals(run.mean_reproduced)]
        if isinstance(run.compared, ValuesReproduced):
            errors = [four_decimals(run.compared.rmse), four_decimals(run.compared.nrmse)]
            numbers = [*means, *errors, shown_pvalue(run.compared.pvalue), str(run.compared.n_topics)]
        else:
            compared = run.compared
            numbers = [*means, shown_pvalue(compared.pvalue), str(compared.n_second), str(compared.n_first)]
        return Line((run.measure, *map(shown, (run.original, run.reproduced))), tuple(map(Cell, numbers)))

    columns = (
        ("mean", "reproduced", "RMSE", "nRMSE", "p", "topics")
        if reproduction.same_topics
        else ("mean", "reproduced", "p", "topics", "reproduced")
    )
    by_measure: dict[str, list[Line]] = {}
    for value in reproduction.values:
        by_measure.setdefault(value.measure, []).append(line(value))
    title = "Values: are they the same, topic by topic?" if reproduction.same_topics else "Values: are the means alike?"
    return title, Grid(("measure", *_LABELS), columns, tuple(map(tuple, by_measure.values())))


def _effects(reproduction: Reproduction, shown: Shown) -> Iterator[tuple[str, Grid]]:
    def line(measure: str, effect: EffectReproduced) -> Line:
        numbers = (
            signed(effect.effect),
            signed(effect.effect_reproduced),
            four_decimals(effect.effect_ratio),
            signed(effect.improvement),
            signed(effect.improvement_reproduced),
            signed(effect.delta_improvement),
        )
        return Line((shown(measure),), tuple(map(Cell, numbers)))

    if reproduction.effects:
        columns = ("effect", "reproduced", "ER", "RI", "reproduced", "DeltaRI")
        lines = tuple(line(measure, effect) for measure, effect in reproduction.effects)
        yield "Effect over the baseline: is it there again?", Grid(("measure",), columns, (lines,))


def records(reproduction: Reproduction, *, by_topic: bool) -> Records:
    """Make a record for each number: documents (no measure), values, effect."""
    del by_topic
    fields = ("role", "original", "reproduced", "measure", "quantity", "value", "n_topics", *BASIS[:-1], "tie_order")
    first = reproduction.evaluations[0]
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    return Records(fields, tuple((*row, *basis) for row in _rows(reproduction)))


def _rows(reproduction: Reproduction) -> Iterator[tuple[Any, ...]]:
    for ranking in reproduction.rankings:
        names = (ranking.role, ranking.union.original, ranking.union.reproduced, None)
        yield *names, "tau_union", ranking.union.mean, len(ranking.union.topics)
        yield *names, "rbo", ranking.overlap.mean("rbo"), len(ranking.overlap.topics)
    for value in reproduction.values:
        names_of_values = (value.role, value.original, value.reproduced, value.measure)
        compared = value.compared
        n_reproduced = compared.n_topics if isinstance(compared, ValuesReproduced) else compared.n_first
        n = compared.n_topics if isinstance(compared, ValuesReproduced) else compared.n_second
        yield *names_of_values, "mean", value.mean, n
        yield *names_of_values, "mean_reproduced", value.mean_reproduced, n_reproduced
        if isinstance(compared, ValuesReproduced):
            yield *names_of_values, "rmse", compared.rmse, n
            yield *names_of_values, "nrmse", compared.nrmse, n
            yield *names_of_values, "paired_t_pvalue", compared.t_pvalue, n
        else:
            yield *names_of_values, "unpaired_t_pvalue", compared.pvalue, n + n_reproduced
        yield from _skewed(names_of_values, compared)
    run, again = reproduction.evaluations[0].name, reproduction.evaluations_reproduced[0].name
    for measure, effect in reproduction.effects:
        names_of_effect = ("effect", run, again, measure)
        n, m = effect.n_topics, effect.n_topics_reproduced
        yield *names_of_effect, "effect", effect.effect, n
        yield *names_of_effect, "effect_reproduced", effect.effect_reproduced, m
        yield *names_of_effect, "effect_ratio", effect.effect_ratio, m
        yield *names_of_effect, "improvement", effect.improvement, n
        yield *names_of_effect, "improvement_reproduced", effect.improvement_reproduced, m
        yield *names_of_effect, "delta_improvement", effect.delta_improvement, m


def _skewed(names: tuple[str, str, str, str], compared: ValuesReproduced | UnpairedTest) -> Iterator[tuple[Any, ...]]:
    """Yield the records about skewed values; for a paired test also the p-value that decides."""
    if compared.skewed is None:
        return
    n = compared.skewed.n_topics
    yield *names, "skewness", compared.skewed.skewness, n
    yield *names, "skew_topics_wanted", compared.skewed.topics_wanted, n
    if isinstance(compared, ValuesReproduced):
        yield *names, "deciding_pvalue", compared.pvalue, n
