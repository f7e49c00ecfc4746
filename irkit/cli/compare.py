"""`irkit compare`: differences between runs, and whether they can be trusted."""

from collections.abc import Sequence
from typing import Any, get_args

import click

from irkit.cli.files import evaluate_files
from irkit.cli.options import (
    by_option,
    evaluation_options,
    format_option,
    parted,
    runs_and_qrels,
    topics_option,
)
from irkit.cli.stderr import say, show
from irkit.cli.topic_groups import read_slices
from irkit.data.runs import run_names
from irkit.evaluation.scoring import DEFAULT_MEASURES, fitting
from irkit.report.text import COMPARISON_FORMATS, render_comparison, unsaid
from irkit.stats import ALL_PAIRS, FAMILY_CORRECTIONS, PAIRED_TESTS, compare
from irkit.stats.paired.comparison import IntervalMethod
from irkit.stats.paired.differences import Alternative

BASKET = tuple(measure for measure in DEFAULT_MEASURES if measure.compared)


@click.command("compare")
@runs_and_qrels("RUN RUN... QRELS")
@evaluation_options(BASKET)
@by_option("Test each value of a topic field apart too; the correction spans them all.")
@topics_option("Topics file, table or list: what --average topics averages, and where --by takes the field from.")
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    show_default="the first run",
    help="Name or file of the run that the others are held against; repeat for several.",
)
@click.option("--all-pairs", is_flag=True, help="Compare every run with every other.")
@click.option(
    "--test",
    type=click.Choice(PAIRED_TESTS),
    show_default="t",
    help="The test of each pair. 'bootstrap' is bootstrap-t; where differences are skewed, the larger p of t and "
    "bootstrap-t decides. sign-flip, wilcoxon and sign assume no normal distribution, and the last two are not tests "
    "of the mean.",
)
@click.option(
    "--alternative",
    type=click.Choice(get_args(Alternative)),
    default="two-sided",
    show_default=True,
    help="What is looked for; greater: the candidate above the baseline.",
)
@click.option(
    "--correct",
    "correction",
    type=click.Choice(FAMILY_CORRECTIONS),
    default="holm",
    show_default=True,
    help="How p-values are corrected for the number of tests; max-t by sign flips that all share, tukey and "
    "randomised-tukey for --all-pairs.",
)
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Of the intervals; a difference is shown where its p is below 1 less this.",
)
@click.option(
    "--interval",
    type=click.Choice(get_args(IntervalMethod)),
    default="t",
    show_default=True,
    help="Of each mean and difference; the others are the bootstrap's.",
)
@click.option(
    "--equivalent",
    type=float,
    metavar="MARGIN",
    help="Test too whether two runs lie within this of each other, in the measure's unit; set it before you look.",
)
@click.option(
    "--non-inferior",
    type=float,
    metavar="MARGIN",
    help="Test too whether the candidate is worse by less than this.",
)
@click.option(
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=1),
    show_default="100,000 sign flips, else 10,000",
    help="Size of what is sampled.",
)
@click.option("--seed", "rng", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is sampled.")
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    field: str | None,
    topics: str | None,
    baselines: tuple[str, ...],
    all_pairs: bool,
    test: str | None,
    alternative: Alternative,
    correction: str,
    level: float,
    interval: IntervalMethod,
    equivalent: float | None,
    non_inferior: float | None,
    n_resamples: int | None,
    rng: int,
    form: str,
    **options: Any,
) -> None:
    """Compare runs topic by topic: differences with intervals, and p-values corrected for their number.

    Shown are the means of both runs, their difference with its interval, its p-value, the same corrected for all tests
    shown, and on how many topics the candidate wins, ties and loses. json and csv have effect sizes and more.

    \b
    irkit compare bm25.run dense.run qrels.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --baseline runs/bm25.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --all-pairs --correct max-t
    """
    runs, qrels = parted(files, least=2, wants="compare needs two runs at least")
    if baselines and all_pairs:
        raise click.UsageError("--baseline and --all-pairs exclude each other")
    slices = read_slices(topics, field, options["average"])
    held_against = _places(baselines, runs) or [0]
    basket = fitting(BASKET, fractional=options["fractional"])
    evaluations = evaluate_files(runs, qrels, measures=measures or basket, topics=slices.averaged, **options)
    slices = slices.matched(evaluations, options["match_topics"])
    comparison = compare(
        evaluations,
        baseline=ALL_PAIRS if all_pairs else held_against,
        groups=slices.groups(evaluations),
        test=test,
        alternative=alternative,
        correction=correction,
        level=level,
        interval=interval,
        equivalent=equivalent,
        non_inferior=non_inferior,
        n_resamples=n_resamples,
        rng=rng,
    )
    for line in unsaid(comparison, form):
        say(line)
    show(render_comparison(comparison, form), form)


def _places(baselines: Sequence[str], runs: Sequence[str]) -> list[int]:
    names = run_names(runs)
    # As tables number runs of one name.
    numbered = [
        name if names.count(name) == 1 else f"{name} ({names[: n + 1].count(name)})" for n, name in enumerate(names)
    ]
    for one in baselines:
        if one not in (*names, *numbered, *runs):
            raise click.UsageError(f"--baseline {one}: no such run; there are {', '.join(numbered)}")
    return [next(known for known in (names, numbered, runs) if one in known).index(one) for one in baselines]
