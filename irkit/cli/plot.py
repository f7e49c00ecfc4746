"""`irkit plot`: draw a figure of runs."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import click
from click.core import ParameterSource

from irkit._utils.text import counted, instead
from irkit.cli.files import evaluate_files, settled
from irkit.cli.options import by_option, check_topics, evaluation_options, parted, topics_option
from irkit.cli.stderr import say
from irkit.cli.topic_groups import Slices, read_slices
from irkit.data.qrels import read_qrels
from irkit.data.runs import Run, read_run, run_names
from irkit.errors import UsageError
from irkit.evaluation.scoring import Evaluator
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN
from irkit.measures import Measure, parse_measures
from irkit.report.figures.drawing import LEAST, MOST
from irkit.report.text import unsaid
from irkit.stats import ALL_PAIRS, FAMILY_CORRECTIONS, PAIRED_TESTS, compare
from irkit.stats.paired.means import few_topics_note

DEFAULT: Final = parse_measures("nDCG@10")


class Kind(NamedTuple):
    """A kind of figure on the command line.

    Attributes
    ----------
    runs : (int, int or None)
        Minimum and maximum number of runs.
    options : tuple of str
        Options that only some kinds use, and this kind does.
    many : bool
        Whether the figure can show several measures.
    """

    runs: tuple[int, int | None]
    options: tuple[str, ...] = ()
    many: bool = False


PAIRED: Final = ("scatter", "differences")
_OF_VALUES: Final = ("no_relevant", "ties", "fractional")
KINDS: Final = {
    "leaderboard": Kind((1, None), ("level", *_OF_VALUES), many=True),
    "scatter": Kind((2, 2), _OF_VALUES),
    "differences": Kind((2, 2), _OF_VALUES),
    "precision-recall": Kind((1, None), _OF_VALUES, many=True),
    "recall": Kind((1, None), _OF_VALUES, many=True),
    "unjudged": Kind((1, None), _OF_VALUES, many=True),
    "categories": Kind((1, None), ("level", *_OF_VALUES)),
    "significance": Kind((2, None), ("level", "test", "correction", *_OF_VALUES)),
    "contribution": Kind((3, None), ("part_depth",)),
}
_ONLY_SOME: Final = {
    "level": "--level",
    "test": "--test",
    "correction": "--correct",
    "part_depth": "--part-depth",
    "no_relevant": "--no-relevant",
    "ties": "--ties",
    "fractional": "--float-gains",
}
_PIXELS: Final = click.FloatRange(LEAST, MOST)


def _kind(_: click.Context, __: click.Parameter, word: str) -> str:
    if word not in KINDS:
        raise click.BadParameter(f"no figure is called {word!r}; {instead(word, KINDS)}")
    return word


@click.command("plot")
@click.argument("kind", callback=_kind)
@click.argument("files", nargs=-1, required=True, metavar="RUN... QRELS")
@click.option(
    "--out",
    "-o",
    required=True,
    metavar="FILE",
    help="Output file; its ending selects the format: .svg, .png, .pdf or .json (Vega-Lite).",
)
@evaluation_options(DEFAULT)
@topics_option("Topics file, table or list: the topics of --average topics, and the field of --by.")
@by_option("Topic field whose values are the categories.")
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level of intervals; a pair differs significantly if p < 1 - level.",
)
@click.option("--test", type=click.Choice(PAIRED_TESTS), show_default="t", help="significance: test for each pair.")
@click.option(
    "--correct",
    "correction",
    type=click.Choice(FAMILY_CORRECTIONS),
    default="holm",
    show_default=True,
    help="significance: correction of p-values for the number of pairs.",
)
@click.option(
    "--part-depth",
    type=click.IntRange(min=1),
    show_default="as deep as is counted",
    help="contribution: number of documents to use from each part.",
)
@click.option("--width", type=_PIXELS, show_default="317, which is 3.3 inches", help="Width of the figure in pixels.")
@click.option("--height", type=_PIXELS, show_default="what the plot needs", help="Height of the figure in pixels.")
@click.option("--dark", is_flag=True, help="Use light colours on a dark background.")
@click.option(
    "--scale", type=click.FloatRange(0.1, 20), default=3.0, show_default=True, help="For PNG: dots for each pixel."
)
@click.pass_context
def command(
    context: click.Context,
    /,
    kind: str,
    files: tuple[str, ...],
    out: str,
    measures: tuple[str, ...],
    topics: str | None,
    field: str | None,
    level: float,
    test: str | None,
    correction: str,
    part_depth: int | None,
    width: float | None,
    height: float | None,
    dark: bool,
    scale: float,
    **options: Any,
) -> None:
    """Draw a figure of runs: SVG, PNG or PDF for a paper, or a Vega-Lite specification for a page.

    KIND is leaderboard: means of runs with intervals; scatter or differences: two runs, topic by topic;
    precision-recall; recall or unjudged: by depth; categories: means by a field of --topics; significance: every run
    against every other; contribution: which part found what in a fusion, FUSED PART PART... QRELS.

    \b
    irkit plot leaderboard runs/*.txt qrels.txt -m nDCG@10 -m AP --out leaderboard.pdf
    irkit plot scatter bm25.run dense.run qrels.txt -m AP --out topics.svg
    irkit plot contribution rrf.run bm25.run dense.run qrels.txt -m P@20 --out parts.png
    """
    from irkit.report import figures
    from irkit.report.figures.pictures import form_of

    form = form_of(out)
    _check_options(context, kind, form)
    check_apart([*files, *filter(None, [topics])], out)
    fewest, most = KINDS[kind].runs
    runs, qrels = parted(files, least=fewest, wants=f"{kind} needs {counted(fewest, 'run')} at least")
    if most is not None and len(runs) > most:
        raise click.UsageError(f"{kind} shows {counted(most, 'run')}, and the qrels last; got {len(runs)} runs")
    size: dict[str, Any] = {"height": height} | ({} if width is None else {"width": width})
    chosen = parse_measures(measures) if measures else ()
    if kind == "contribution":
        chart = _contribution(runs, qrels, chosen, topics, size | {"part_depth": part_depth}, options)
    else:
        if len(chosen) > 1 and not KINDS[kind].many:
            raise click.UsageError(f"{kind} shows one measure; got {', '.join(map(str, chosen))}")
        slices = _slices(kind, topics, field, options["average"])
        measures_to_score = _measures_of(kind, chosen)
        evaluations = evaluate_files(runs, qrels, measures=measures_to_score, topics=slices.averaged, **options)
        notes = unsaid(evaluations, "csv")
        slices = slices.matched(evaluations, options["match_topics"])
        groups = slices.groups(evaluations)
        if kind == "leaderboard":
            chart = figures.leaderboard(evaluations, measures_to_score, level=level, **size)
            notes += filter(None, [few_topics_note(evaluations)])
        elif kind == "categories":
            chart = figures.categories(evaluations, groups or {}, level=level, **size)
        elif kind == "significance":
            comparison = compare(evaluations, baseline=ALL_PAIRS, test=test, correction=correction, level=level)
            chart = figures.significance(comparison, **size)
            notes = unsaid(comparison, "csv")
        elif kind in PAIRED:
            draw = figures.scatter if kind == "scatter" else figures.differences
            chart = draw(evaluations[0], evaluations[1], texts=slices.listed, groups=groups, **size)
        else:
            chart = getattr(figures, kind.replace("-", "_"))(evaluations, **size)
        for line in notes:
            say(line)
    figures.write(chart, out, dark=dark, scale=scale)


def _check_options(context: click.Context, kind: str, form: str) -> None:
    """Refuse options without effect on this figure."""

    def given(name: str) -> bool:
        return context.get_parameter_source(name) is ParameterSource.COMMANDLINE

    for name, option in _ONLY_SOME.items():
        if given(name) and name not in KINDS[kind].options:
            raise click.UsageError(f"{option} changes nothing in a figure of {kind}; leave it out")
    if given("scale") and form != "png":
        raise click.UsageError(f"--scale works only with PNG; this figure is {form}")


def _slices(kind: str, topics: str | None, field: str | None, average: str) -> Slices:
    """Read `--topics`; in figures of two runs the file may give only the texts of the topics."""
    if kind == "categories" and field is None:
        raise click.UsageError(
            "categories needs --topics FILE and --by FIELD, the field with the category of each topic"
        )
    if field is not None and kind not in ("categories", *PAIRED):
        raise click.UsageError(f"--by changes nothing in a figure of {kind}; leave it out")
    if kind in PAIRED and topics is not None and field is None and average != "topics":
        from irkit.data.topic_subsets import read_topic_list

        return Slices(None, read_topic_list(topics), None)
    return read_slices(topics, field, average)


def _measures_of(kind: str, chosen: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures to evaluate for a figure that shows the chosen ones."""
    from irkit.report import figures

    usual = {
        "precision-recall": figures.PRECISION_RECALL,
        "recall": figures.RECALL,
        "unjudged": figures.UNJUDGED,
    }
    if not chosen:
        return usual.get(kind, DEFAULT)
    lengths = (figures.NUMBER,) if kind in ("recall", "unjudged") and figures.NUMBER not in chosen else ()
    return (*lengths, *chosen)


def _contribution(
    runs: Sequence[str],
    qrels: str,
    chosen: Sequence[Measure],
    topics: str | None,
    drawn: dict[str, Any],
    options: dict[str, Any],
) -> Any:
    from irkit.report import figures

    measure = chosen[0] if chosen else Measure("P") @ 10
    given = dict(measure.params)
    if len(chosen) > 1 or measure.name != "P" or given.keys() - {"cutoff", "rel"}:
        raise click.UsageError(
            "contribution counts relevant documents up to a cutoff; its measure is P: -m P@20, -m 'P(rel=2)@20'"
        )
    if [*runs, qrels].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    check_topics(options["average"], topics)
    judged = read_qrels(qrels)
    if topics is not None:
        from irkit.data.topic_subsets import read_topic_list

        judged = judged.of_topics(read_topic_list(topics).ids)
    run_options = {name: value for name, value in settled(options).items() if name in _OF_RUNS}
    scorer = Evaluator(judged, (measure,), **run_options)
    fused, *parts = [_prepared(path, name, scorer) for path, name in zip(runs, run_names(runs), strict=True)]
    return figures.contribution(fused, parts, judged, depth=given["cutoff"], rel=given.get("rel", 1), **drawn)


# Options that change a run before it is judged.
_OF_RUNS: Final = ("collapse", "collapse_by", "collapse_at", "drop_self", "match_topics", "rules")


def _prepared(path: str, name: str, scorer: Evaluator) -> Run:
    """Return the run with the documents and the order that scoring uses."""
    prepared = scorer.prepare(read_run(path, name))
    for note in prepared.notes:
        say(f"{name}: {note}")
    run = Run.of(prepared.run)
    return run.rounded_to_float32() if scorer.rules.float32_scores else run
