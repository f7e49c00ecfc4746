"""`irkit compare`: test whether runs are better than a baseline."""

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
@by_option("Test each group of topics too, by the values of this topic field. One correction covers all tests.")
@topics_option("Topics file, table or list: the topics of --average topics, and the field of --by.")
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    show_default="the first run",
    help="Baseline run, by name or file. Repeat the option for several.",
)
@click.option("--all-pairs", is_flag=True, help="Compare every pair of runs.")
@click.option(
    "--test",
    type=click.Choice(PAIRED_TESTS),
    show_default="t",
    help="Test for each pair. 'bootstrap' is bootstrap-t. With t, if differences are skewed, the larger p of t and "
    "bootstrap-t decides. sign-flip, wilcoxon and sign do not assume a normal distribution; wilcoxon and sign do not "
    "test the mean.",
)
@click.option(
    "--alternative",
    type=click.Choice(get_args(Alternative)),
    default="two-sided",
    show_default=True,
    help="Alternative hypothesis; greater: the candidate is better than the baseline.",
)
@click.option(
    "--correct",
    "correction",
    type=click.Choice(FAMILY_CORRECTIONS),
    default="holm",
    show_default=True,
    help="Correction of p-values for the number of tests. max-t uses the same sign flips for all tests; tukey and "
    "randomised-tukey need --all-pairs.",
)
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals. A difference is significant if p < 1 - level.",
)
@click.option(
    "--interval",
    type=click.Choice(get_args(IntervalMethod)),
    default="t",
    show_default=True,
    help="Interval of means and differences; percentile and BCa use the bootstrap.",
)
@click.option(
    "--equivalent",
    type=float,
    metavar="MARGIN",
    help="Also test whether two runs differ by less than this margin, in units of the measure. Choose it before you "
    "look at results.",
)
@click.option(
    "--non-inferior",
    type=float,
    metavar="MARGIN",
    help="Also test whether the candidate is worse by less than this margin.",
)
@click.option(
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=1),
    show_default="100,000 sign flips, else 10,000",
    help="Number of resamples.",
)
@click.option("--seed", "rng", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the resampling.")
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
    """Test whether runs are better than a baseline, topic by topic.

    The table shows both means, the difference with its interval, the p-value, the p-value corrected for all tests in
    the table, and the number of topics on which the candidate wins, ties and loses. json and csv also have effect
    sizes.

    \b
    irkit compare bm25.run dense.run qrels.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --baseline runs/bm25.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --all-pairs --correct max-t
    """
    runs, qrels = parted(files, least=2, wants="compare needs at least two runs")
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
    # Tables number runs with the same name in this way.
    numbered = [
        name if names.count(name) == 1 else f"{name} ({names[: n + 1].count(name)})" for n, name in enumerate(names)
    ]
    for baseline in baselines:
        if baseline not in (*names, *numbered, *runs):
            raise click.UsageError(f"--baseline {baseline}: no such run; there are {', '.join(numbered)}")
    return [
        next(known for known in (names, numbered, runs) if baseline in known).index(baseline) for baseline in baselines
    ]
