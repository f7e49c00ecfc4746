"""`irkit topics-needed`: how many topics an experiment needs, from a pilot or from numbers."""

from math import sqrt
from typing import Any

import click

from irkit.cli.compare import BASKET
from irkit.cli.files import evaluate_files
from irkit.cli.options import check_topics, evaluation_options, format_option, parted, topics_option
from irkit.cli.stderr import say, show
from irkit.evaluation.scoring import fitting
from irkit.report.text import COMPARISON_FORMATS, render, unsaid
from irkit.stats import Spread, pilot_spreads, plan_topics
from irkit.stats.topic_plan import DIFFERENCES, TOPICS

ABOVE_0 = click.FloatRange(min=0, min_open=True)


@click.command("topics-needed")
@click.argument("files", nargs=-1, metavar="[RUN RUN... QRELS]")
@click.option(
    "--difference",
    "differences",
    type=float,
    multiple=True,
    metavar="DIFFERENCE",
    show_default=" ".join(f"{difference:g}" for difference in DIFFERENCES),
    help="True mean difference to be found, in the measure's unit; repeat for more.",
)
@click.option("--sd", type=ABOVE_0, metavar="SD", help="Standard deviation of the differences over topics.")
@click.option(
    "--variance",
    type=ABOVE_0,
    metavar="VARIANCE",
    help="In place of --sd, variance of the scores of one system (Sakai); a difference has twice as much.",
)
@click.option(
    "--effect",
    "effects",
    type=float,
    multiple=True,
    metavar="DZ",
    help="True difference in standard deviations, in place of a pilot and --difference; repeat for more.",
)
@click.option(
    "--topics-at-hand",
    "-n",
    "topics_at_hand",
    type=click.IntRange(min=2),
    multiple=True,
    metavar="N",
    show_default=f"{' '.join(map(str, TOPICS))}, and those of the pilot",
    help="What could N topics show? Repeat for more.",
)
@click.option("--power", type=float, default=0.8, show_default=True, help="How often the difference is to be found.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test.")
@click.option("--one-sided", is_flag=True, help="Only a gain is looked for.")
@click.option(
    "--systems",
    type=click.IntRange(min=2),
    metavar="M",
    help="Plan an analysis of variance of M systems too, of which best and worst differ by the difference.",
)
@click.option(
    "--width",
    "widths",
    type=float,
    multiple=True,
    metavar="WIDTH",
    help="Plan an interval of the mean difference of this width too; repeat for more.",
)
@evaluation_options(BASKET)
@topics_option("Topics file, table or list: what --average topics averages.")
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    differences: tuple[float, ...],
    sd: float | None,
    variance: float | None,
    effects: tuple[float, ...],
    topics_at_hand: tuple[int, ...],
    power: float,
    alpha: float,
    one_sided: bool,
    systems: int | None,
    widths: tuple[float, ...],
    measures: tuple[str, ...],
    topics: str | None,
    form: str,
    **options: Any,
) -> None:
    """Plan an experiment: how many topics it needs, and what so many topics could show.

    It rests on how much two systems differ from topic to topic: from the runs of a pilot, or from a number. The
    difference to be found is what would matter, not the one that a pilot happened to show.

    \b
    irkit topics-needed bm25.run dense.run qrels.txt -m nDCG@10 --difference 0.03
    irkit topics-needed --sd 0.2 --difference 0.05
    irkit topics-needed --effect 0.3 --power 0.9
    irkit topics-needed --variance 0.05 --difference 0.1 --systems 10
    """
    given = {"a pilot (RUN RUN... QRELS)": bool(files), "--sd": sd is not None, "--variance": variance is not None}
    given["--effect"] = bool(effects)
    named = [name for name, there in given.items() if there]
    if len(named) != 1:
        raise click.UsageError(f"give one of {', '.join(given)}; got {' and '.join(named) or 'none of them'}")
    if effects and differences:
        raise click.UsageError("--effect and --difference exclude each other: an effect is a difference already")
    check_topics(options["average"], topics)
    spreads, evaluations = None, []
    if files:
        runs, qrels = parted(files, least=2, wants="a pilot needs at least two runs")
        basket = fitting(BASKET, fractional=options["fractional"])
        evaluations = evaluate_files(runs, qrels, measures=measures or basket, topics=topics, **options)
        spreads = pilot_spreads(evaluations)
    elif not effects:
        spreads = (Spread("", sd if sd is not None else sqrt(2 * (variance or 0.0))),)
    pilot = {spread.n_topics for spread in spreads or () if spread.n_topics}
    plan = plan_topics(
        spreads,
        differences=effects or differences or DIFFERENCES,
        topics=topics_at_hand or (*TOPICS, *pilot),
        power=power,
        alpha=alpha,
        alternative="greater" if one_sided else "two-sided",
        n_systems=systems,
        widths=widths,
        pilot=evaluations,
    )
    for line in unsaid(plan, form):
        say(line)
    show(render(plan, form), form)
