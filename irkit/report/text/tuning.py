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

# Points that a table lists; programs get all.
_MOST_LISTED: Final = 10
_BAR: Final = 30
# What a record has of the test of tuned against default.
_OF_THE_TEST: Final = (
    *("mean_difference", "pvalue", "test", "exact", "n_resamples", "seed"),
    *("low", "high", "level", "interval_method"),
)


def sheet(found: Tuned, shown: Shown, *, by_topic: bool) -> Sections:
    """The test of tuned against default, what each fold chose, and the development curve."""
    evaluations = (found.evaluation_of_default, found.evaluation_of_tuned)
    tables = [_test(found, shown), *_folds(found, shown), *_curve(found, shown), _points(found, shown)]
    if by_topic:
        tables.append(_topics(found, shown))
    basis = summary.head(evaluations, shown, shared=True)
    return Sections(basis, summary.amiss(evaluations), _explained(found, shown), tables, list(map(shown, found.notes)))


def _explained(found: Tuned, shown: Shown) -> list[str]:
    return [
        f"{found.search}, {counted(len(found.points), 'point')}, tuned for the mean of {shown(str(found.measure))}",
        f"topics: {found.split.said}",
        f"default: {shown(str(found.default_parameters))}",
        f"chosen by {_choosers(found)}: {shown(str(found.parameters))}",
    ]


def _choosers(found: Tuned) -> str:
    n = counted(len(found.split.development), "topic")
    return f"all {n}" if found.split.crossed else f"the {n} of development"


def _test(found: Tuned, shown: Shown) -> tuple[str, Grid]:
    """Means on the topics that chose and on those that did not, and what the difference is worth."""
    test, interval = found.contrast.deciding, found.contrast.deciding_interval
    lines = (
        Line(("default",), _numbers(found.default_development, test.baseline_mean)),
        Line(("tuned",), _numbers(found.development_value, test.candidate_mean)),
        Line(
            ("difference",),
            (
                Cell(signed(found.development_gain)),
                Cell(signed(found.test_gain)),
                Cell("-" if isnan(interval.low) else f"[{signed(interval.low)}, {signed(interval.high)}]"),
                Cell(shown_pvalue(test.pvalue)),
                Cell(f"{test.wins}/{test.ties}/{test.losses}"),
            ),
        ),
    )
    title = (
        f"Worth: {shown(str(found.measure))} on the topics that chose, and on {counted(test.n_topics, 'topic')} that "
        f"did not ({_named(test)})"
    )
    columns = ("development", "test", shown(_named_interval(interval)), "p", "win/tie/loss")
    return title, Grid(("",), columns, (lines,))


def _named(test: PairedTest) -> str:
    """The test, and whether it counted every sign pattern or how many it drew."""
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


def _folds(found: Tuned, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if len(found.folds) == 1:
        return
    names = found.space.names
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
        for number, fold in enumerate(found.folds, 1)
    )
    columns = (*map(shown, names), "development", "test", "default", "topics")
    yield (
        "What each fold was given by the others: means of those (development) and of itself (test)",
        Grid(("fold",), columns, (lines,)),
    )


def _curve(found: Tuned, shown: Shown) -> Iterator[tuple[str, Grid]]:
    """Bars for each value of a parameter; of two listed parameters their table."""
    tried = found.space.tried
    if len(tried) == 2 and all(isinstance(axis, ListedValues) for axis in tried) and found.search.startswith("grid"):
        yield _table_of_two(found, shown)
        return
    for axis in tried:
        if isinstance(axis, ListedValues) and axis.n_values > 1:
            yield _bars(found, axis, shown)


def _bars(found: Tuned, axis: ListedValues, shown: Shown) -> tuple[str, Grid]:
    rows = [one for one in found.marginals() if one.parameter == axis.name]
    means = [one.best for one in rows if not isnan(one.best)]
    low, high = min(means), max(means)

    def bar(mean: float) -> str:
        if isnan(mean):
            return ""
        return "=" * (1 + round((_BAR - 1) * (mean - low) / (high - low))) if high > low else ""

    lines = tuple(
        Line((shown(_marked(found, axis.name, one.value)), bar(one.best)), (Cell(four_decimals(one.best)),))
        for one in rows
    )
    best = "" if len(found.space.axes) == 1 else ", the best of the points that have it"
    bars = f"; bars go from {low:.4f} to {high:.4f}" if high > low else ""
    title = f"Development mean by {shown(axis.name)}{best}{bars}"
    return title, Grid((shown(axis.name), ""), ("mean",), (lines,))


def _marked(found: Tuned, name: str, value: Value) -> str:
    is_default, is_chosen = found.default_parameters[name] == value, found.parameters[name] == value
    marks = [mark for mark, wanted in (("chosen", is_chosen), ("default", is_default)) if wanted]
    return _short(value) + (f" ({', '.join(marks)})" if marks else "")


def _table_of_two(found: Tuned, shown: Shown) -> tuple[str, Grid]:
    first, second = found.space.tried
    assert isinstance(first, ListedValues)
    assert isinstance(second, ListedValues)
    # With a learned floor the default stands beside the grid, as the last point.
    place_of = {tuple(point.values()): place for place, point in reversed(list(enumerate(found.points)))}
    means = found.choice.means.tolist()

    def cell(place: int) -> Cell:
        text = four_decimals(means[place])
        if place == found.choice.place:
            return Cell(f"[{text}]", best=True)
        return Cell(f"({text})" if place == found.default else f" {text} ")

    lines = tuple(
        Line((shown(_short(value)),), tuple(cell(place_of[value, other]) for other in second.values))
        for value in first.values
    )
    cells = {place_of[value, other] for value in first.values for other in second.values}
    if found.choice.place == found.default:
        marks = ["[chosen and default]"] if found.default in cells else []
    else:
        marks = [m for m, at in (("[chosen]", found.choice.place), ("(default)", found.default)) if at in cells]
    title = f"Development means, {shown(first.name)} down and {shown(second.name)} across"
    title += f"; {', '.join(marks)}" if marks else ""
    columns = tuple(f"{shown(_short(value))} " for value in second.values)
    return title, Grid((shown(first.name),), columns, (lines,))


def _points(found: Tuned, shown: Shown) -> tuple[str, Grid]:
    """The best points, and the default where it is not among them."""
    ranks, means = found.ranks, found.choice.means.tolist()
    order = sorted(
        (place for place, rank in enumerate(ranks) if rank is not None),
        key=lambda place: (ranks[place], place != found.choice.place, place != found.default, place),
    )
    listed = order[:_MOST_LISTED]
    if found.default not in listed:
        listed.append(found.default)
    folds = found.choices

    def line(place: int) -> Line:
        marks = [m for m, at in (("chosen", found.choice.place), ("default", found.default)) if place == at]
        point = found.choice_of(place)
        return Line(
            (str(ranks[place]), ", ".join(marks)),
            (
                *(Cell(shown(_short(point[name]))) for name in found.space.names),
                Cell(four_decimals(means[place]), best=place == found.choice.place),
                *((Cell(str(folds.get(place, 0))),) if len(found.folds) > 1 else ()),
            ),
        )

    columns = (*map(shown, found.space.names), "development", *(("folds",) if len(found.folds) > 1 else ()))
    which = f"Points by their mean over {_choosers(found)}"
    if len(found.folds) > 1:
        which += ", and how many folds chose each"
    if len(listed) < len(order):
        which += (
            f" (the best {_MOST_LISTED} of {len(order)}{', and the default' if len(listed) > _MOST_LISTED else ''})"
        )
    return which, Grid(("rank", ""), columns, (tuple(map(line, listed)),))


def _topics(found: Tuned, shown: Shown) -> tuple[str, Grid]:
    fold_of = {topic: number for number, fold in enumerate(found.folds, 1) for topic in fold.test}
    pairs = zip(found.contrast.topics, found.contrast.baseline_values, found.contrast.candidate_values, strict=True)
    several = len(found.folds) > 1
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
    """A value with no more digits than a table needs; a learned floor has all of them in JSON."""
    return f"{value:.6g}" if isinstance(value, float) else shown_value(value)


def records(found: Tuned, *, by_topic: bool) -> Records:
    """A record for each point, with its development mean; with `by_topic` also one for each topic of it.

    A parameter is called `parameter_NAME`; a learned floor is what all topics of development learned. Every record has
    the test of tuned against default, in fields whose names begin with `tuned_`.
    """
    names = found.space.names
    evaluation = found.evaluation_of_default
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
    test = found.contrast.record()
    basis = (*(test[name] for name in _OF_THE_TEST), *conventions)
    folds, why = found.choices, {one.parameters: one.why for one in found.failed}
    rows = []
    for place, mean in enumerate(found.choice.means.tolist()):
        point = found.choice_of(place)
        values = [_plain(point[name]) for name in names]
        about = (
            found.ranks[place],
            place == found.choice.place,
            place == found.default,
            folds.get(place, 0),
            why.get(found.points[place]),
            *basis,
        )
        n = len(found.split.development)
        rows.append((*values, *((None,) if by_topic else ()), str(found.measure), mean, n, *about))
        if by_topic:
            for topic, value in zip(found.topics, found.values[place].tolist(), strict=True):
                rows.append((*values, topic, str(found.measure), value, None, *about))
    return Records(fields, tuple(rows))


def _plain(value: Value) -> Any:
    return shown_value(value) if isinstance(value, tuple) else value
