"""Report of a tuning."""

from collections.abc import Iterator
from math import isnan
from typing import Any, Final

from irkit._utils.numerals import four_decimals, shown_pvalue, signed
from irkit._utils.text import counted
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import BASIS, Records
from irkit.report.text.sections import Sections
from irkit.stats import Interval, PairedTest
from irkit.stats.paired.cross_validation import NO_INTERVAL, REPEATED_CHOICE
from irkit.tuning import ListedValues, Tuned
from irkit.tuning.points import Value, shown_value

# Points in a table; formats for programs have all.
_MOST_LISTED: Final = 10
_BAR: Final = 30
# Fields of the test of tuned against default in each record.
_OF_THE_TEST: Final = (
    *("mean_difference", "pvalue", "test", "exact", "n_resamples", "seed"),
    *("low", "high", "level", "interval_method"),
)


def sheet(tuned: Tuned, shown: Shown, *, by_topic: bool) -> Sections:
    """Show the test of tuned against default, the choice of each fold, and the development curve."""
    evaluations = (tuned.evaluation_of_default, tuned.evaluation_of_tuned)
    tables = [_test(tuned, shown), *_folds(tuned, shown), *_curve(tuned, shown), _points(tuned, shown)]
    if by_topic:
        tables.append(_topics(tuned, shown))
    basis = summary.head(evaluations, shown, shared=True)
    return Sections(basis, summary.amiss(evaluations), _explained(tuned, shown), tables, list(map(shown, tuned.notes)))


def _explained(tuned: Tuned, shown: Shown) -> list[str]:
    return [
        f"{tuned.search}, {counted(len(tuned.points), 'point')}, tuned for the mean of {shown(str(tuned.measure))}",
        f"topics: {tuned.split.said}",
        f"default: {shown(str(tuned.default_parameters))}",
        f"chosen by {_choosers(tuned)}: {shown(str(tuned.parameters))}",
    ]


def _choosers(tuned: Tuned) -> str:
    n = counted(len(tuned.split.development), "topic")
    return f"all {n}" if tuned.split.crossed else f"the {n} of development"


def _test(tuned: Tuned, shown: Shown) -> tuple[str, Grid]:
    """Compare tuned and default on the topics that chose and on the test topics, with interval and p-value."""
    test, interval = tuned.contrast.deciding, tuned.contrast.deciding_interval
    lines = (
        Line(("default",), _numbers(tuned.default_development, test.baseline_mean)),
        Line(("tuned",), _numbers(tuned.development_value, test.candidate_mean)),
        Line(
            ("difference",),
            (
                Cell(signed(tuned.development_gain)),
                Cell(signed(tuned.test_gain)),
                Cell("-" if isnan(interval.low) else f"[{signed(interval.low)}, {signed(interval.high)}]"),
                Cell(shown_pvalue(test.pvalue)),
                Cell(f"{test.wins}/{test.ties}/{test.losses}"),
            ),
        ),
    )
    title = (
        f"Effect: {shown(str(tuned.measure))} on the development topics, and on {counted(test.n_topics, 'test topic')} "
        f"({_named(test)})"
    )
    columns = ("development", "test", shown(_named_interval(interval)), "p", "win/tie/loss")
    return title, Grid(("",), columns, (lines,))


def _named(test: PairedTest) -> str:
    """Name the test, and whether it was exact or the number of samples."""
    named = f"{test.test}, {test.alternative}"
    if test.n_resamples is not None:
        seed = "" if test.seed is None else f", seed {test.seed}"
        return f"{named}, {test.n_resamples:,} samples{seed}"
    return f"{named}, exact" if test.test == REPEATED_CHOICE else named


def _named_interval(interval: Interval) -> str:
    if interval.method == NO_INTERVAL:
        return "interval"
    return f"{100 * interval.level:g}% {interval.method} interval"


def _numbers(development: float, test: float) -> tuple[Cell, ...]:
    return (Cell(four_decimals(development)), Cell(four_decimals(test)), Cell(""), Cell(""), Cell(""))


def _folds(tuned: Tuned, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if len(tuned.folds) == 1:
        return
    names = tuned.space.names
    lines = tuple(
        Line(
            (str(number),),
            (
                *(Cell(shown(_short(fold.choice.parameters[name]))) for name in names),
                *(
                    Cell(four_decimals(value))
                    for value in (fold.choice.development, fold.test_value, fold.default_test)
                ),
                Cell(str(len(fold.test))),
            ),
        )
        for number, fold in enumerate(tuned.folds, 1)
    )
    columns = (*map(shown, names), "development", "test", "default", "topics")
    yield (
        "Parameters that the other folds chose for each fold: means of those (development) and of the fold (test)",
        Grid(("fold",), columns, (lines,)),
    )


def _curve(tuned: Tuned, shown: Shown) -> Iterator[tuple[str, Grid]]:
    """Lay out bars for each value of a parameter, or a table for two listed parameters."""
    tried = tuned.space.tried
    if len(tried) == 2 and all(isinstance(axis, ListedValues) for axis in tried) and tuned.search.startswith("grid"):
        yield _table_of_two(tuned, shown)
        return
    for axis in tried:
        if isinstance(axis, ListedValues) and axis.n_values > 1:
            yield _bars(tuned, axis, shown)


def _bars(tuned: Tuned, axis: ListedValues, shown: Shown) -> tuple[str, Grid]:
    rows = [marginal for marginal in tuned.marginals() if marginal.parameter == axis.name]
    means = [row.best for row in rows if not isnan(row.best)]
    low, high = min(means), max(means)

    def bar(mean: float) -> str:
        if isnan(mean):
            return ""
        return "=" * (1 + round((_BAR - 1) * (mean - low) / (high - low))) if high > low else ""

    lines = tuple(
        Line((shown(_marked(tuned, axis.name, row.value)), bar(row.best)), (Cell(four_decimals(row.best)),))
        for row in rows
    )
    best = "" if len(tuned.space.axes) == 1 else ", the best of the points that have it"
    bars = f"; bars go from {low:.4f} to {high:.4f}" if high > low else ""
    title = f"Development mean by {shown(axis.name)}{best}{bars}"
    return title, Grid((shown(axis.name), ""), ("mean",), (lines,))


def _marked(tuned: Tuned, name: str, value: Value) -> str:
    is_default, is_chosen = tuned.default_parameters[name] == value, tuned.parameters[name] == value
    marks = [mark for mark, applies in (("chosen", is_chosen), ("default", is_default)) if applies]
    return _short(value) + (f" ({', '.join(marks)})" if marks else "")


def _table_of_two(tuned: Tuned, shown: Shown) -> tuple[str, Grid]:
    first, second = tuned.space.tried
    assert isinstance(first, ListedValues)
    assert isinstance(second, ListedValues)
    # With a learned floor, the default is outside the grid, as the last point.
    place_of = {tuple(point.values()): place for place, point in reversed(list(enumerate(tuned.points)))}
    means = tuned.choice.means.tolist()

    def cell(place: int) -> Cell:
        text = four_decimals(means[place])
        if place == tuned.choice.place:
            return Cell(f"[{text}]", best=True)
        return Cell(f"({text})" if place == tuned.default else f" {text} ")

    lines = tuple(
        Line((shown(_short(value)),), tuple(cell(place_of[value, other]) for other in second.values))
        for value in first.values
    )
    cells = {place_of[value, other] for value in first.values for other in second.values}
    if tuned.choice.place == tuned.default:
        marks = ["[chosen and default]"] if tuned.default in cells else []
    else:
        marks = [m for m, at in (("[chosen]", tuned.choice.place), ("(default)", tuned.default)) if at in cells]
    title = f"Development means, {shown(first.name)} down and {shown(second.name)} across"
    title += f"; {', '.join(marks)}" if marks else ""
    columns = tuple(f"{shown(_short(value))} " for value in second.values)
    return title, Grid((shown(first.name),), columns, (lines,))


def _points(tuned: Tuned, shown: Shown) -> tuple[str, Grid]:
    """List the best points, and the default if it is not among them."""
    ranks, means = tuned.ranks, tuned.choice.means.tolist()
    order = sorted(
        (place for place, rank in enumerate(ranks) if rank is not None),
        key=lambda place: (ranks[place], place != tuned.choice.place, place != tuned.default, place),
    )
    listed = order[:_MOST_LISTED]
    if tuned.default not in listed:
        listed.append(tuned.default)
    folds = tuned.choices

    def line(place: int) -> Line:
        marks = [m for m, at in (("chosen", tuned.choice.place), ("default", tuned.default)) if place == at]
        point = tuned.choice_of(place)
        return Line(
            (str(ranks[place]), ", ".join(marks)),
            (
                *(Cell(shown(_short(point[name]))) for name in tuned.space.names),
                Cell(four_decimals(means[place]), best=place == tuned.choice.place),
                *((Cell(str(folds.get(place, 0))),) if len(tuned.folds) > 1 else ()),
            ),
        )

    columns = (*map(shown, tuned.space.names), "development", *(("folds",) if len(tuned.folds) > 1 else ()))
    which = f"Points by their mean over {_choosers(tuned)}"
    if len(tuned.folds) > 1:
        which += ", and how many folds chose each"
    if len(listed) < len(order):
        which += (
            f" (the best {_MOST_LISTED} of {len(order)}{', and the default' if len(listed) > _MOST_LISTED else ''})"
        )
    return which, Grid(("rank", ""), columns, (tuple(map(line, listed)),))


def _topics(tuning: Tuned, shown: Shown) -> tuple[str, Grid]:
    fold_of = {topic: number for number, fold in enumerate(tuning.folds, 1) for topic in fold.test}
    pairs = zip(tuning.contrast.topics, tuning.contrast.baseline_values, tuning.contrast.candidate_values, strict=True)
    several = len(tuning.folds) > 1
    lines = tuple(
        Line(
            (shown(topic),),
            (
                *map(Cell, (four_decimals(default), four_decimals(tuned), signed(tuned - default))),
                *((Cell(str(fold_of[topic])),) if several else ()),
            ),
        )
        for topic, default, tuned in pairs
    )
    columns = ("default", "tuned", "difference", *(("fold",) if several else ()))
    return "Topic by topic, on test", Grid(("topic",), columns, (lines,))


def _short(value: Value) -> str:
    """Format a value with the digits a table needs; JSON has all digits of a learned floor."""
    return f"{value:.6g}" if isinstance(value, float) else shown_value(value)


def records(tuned: Tuned, *, by_topic: bool) -> Records:
    """Make a record for each point with its development mean; with `by_topic` also for each topic.

    The field of a parameter is `parameter_NAME`; a learned floor has the value learned from all development topics.
    Every record has the test of tuned against default, in fields whose names begin with `tuned_`.
    """
    names = tuned.space.names
    evaluation = tuned.evaluation_of_default
    conventions = (
        str(evaluation.rules),
        evaluation.conventions.average,
        evaluation.conventions.no_relevant,
        evaluation.conventions.ties,
    )
    fields = (
        *(f"parameter_{name}" for name in names),
        *(("topic",) if by_topic else ()),
        *("measure", "value", "n_topics", "rank", "is_chosen", "is_default", "n_folds", "failed"),
        *(f"tuned_{name}" for name in _OF_THE_TEST),
        *BASIS,
    )
    test = tuned.contrast.record()
    basis = (*(test[name] for name in _OF_THE_TEST), *conventions)
    folds, why = tuned.choices, {point.parameters: point.why for point in tuned.failed}
    rows = []
    for place, mean in enumerate(tuned.choice.means.tolist()):
        point = tuned.choice_of(place)
        values = [_plain(point[name]) for name in names]
        about = (
            tuned.ranks[place],
            place == tuned.choice.place,
            place == tuned.default,
            folds.get(place, 0),
            why.get(tuned.points[place]),
            *basis,
        )
        n = len(tuned.split.development)
        rows.append((*values, *((None,) if by_topic else ()), str(tuned.measure), mean, n, *about))
        if by_topic:
            for topic, value in zip(tuned.topics, tuned.values[place].tolist(), strict=True):
                rows.append((*values, topic, str(tuned.measure), value, None, *about))
    return Records(fields, tuple(rows))


def _plain(value: Value) -> Any:
    return shown_value(value) if isinstance(value, tuple) else value
