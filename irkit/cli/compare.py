"""`irkit compare`: differences between runs, and whether they can be trusted."""

from typing import Any

import click

from irkit.cli.files import evaluate_files
from irkit.cli.options import evaluation_options, format_option, parted, runs_and_qrels, topics_option
from irkit.cli.say import say
from irkit.report import COMPARISON_FORMATS, render_comparison, unsaid
from irkit.runs import run_names
from irkit.scoring import DEFAULT_MEASURES
from irkit.stats import ALL_PAIRS, compare

BASKET = tuple(measure for measure in DEFAULT_MEASURES if measure.compared)


@click.command("compare")
@runs_and_qrels("RUN RUN... QRELS")
@evaluation_options(BASKET)
@topics_option("Topics file, table or list: what --average topics averages.")
@click.option(
    "--baseline",
    metavar="RUN",
    show_default="the first run",
    help="Name or file of the run that the others are held against.",
)
@click.option("--all-pairs", is_flag=True, help="Compare every run with every other.")
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    topics: str | None,
    baseline: str | None,
    all_pairs: bool,
    form: str,
    **options: Any,
) -> None:
    """Compare runs topic by topic with a paired t test.

    Shown are the means of both runs, their difference, its p-value, and on how many topics each run wins.

    \b
    irkit compare bm25.run dense.run qrels.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --baseline runs/bm25.txt
    """
    runs, qrels = parted(files, least=2, wants="compare needs two runs at least")
    if baseline is not None and all_pairs:
        raise click.UsageError("--baseline and --all-pairs exclude each other")
    if (options["average"] == "topics") != (topics is not None):
        raise click.UsageError(
            "--average topics and --topics FILE go together: the topics averaged are those of the file"
        )
    names = run_names(runs)
    if baseline is not None and baseline not in (*names, *runs):
        raise click.UsageError(f"--baseline {baseline}: no such run; there are {', '.join(names)}")
    held_against = 0 if baseline is None else (names if baseline in names else runs).index(baseline)
    basket = [one for one in BASKET if not options["fractional"] or "fractional" in one.family.judgments]
    evaluations = evaluate_files(runs, qrels, measures=measures or basket, topics=topics, **options)
    comparison = compare(evaluations, baseline=ALL_PAIRS if all_pairs else held_against)
    for line in unsaid(comparison, form):
        say(line)
    click.echo(render_comparison(comparison, form), nl=False)
