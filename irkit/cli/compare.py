"""`irkit compare`: differences between runs, and whether they can be trusted."""

import click

from irkit.cli.files import evaluate_files
from irkit.cli.options import evaluation_options, format_option, parted, runs_and_qrels
from irkit.cli.say import say
from irkit.report import COMPARISON_FORMATS, render_comparison, unsaid
from irkit.rules import AverageOver, NoRelevant
from irkit.runs import run_names
from irkit.scoring import DEFAULT_MEASURES
from irkit.stats import ALL_PAIRS, compare

BASKET = tuple(measure for measure in DEFAULT_MEASURES if measure.compared)


@click.command("compare")
@runs_and_qrels("RUN RUN... QRELS")
@evaluation_options(BASKET)
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
    average: AverageOver,
    no_relevant: NoRelevant,
    fractional: bool,
    rules: str,
    baseline: str | None,
    all_pairs: bool,
    form: str,
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
    names = run_names(runs)
    if baseline is not None and baseline not in (*names, *runs):
        raise click.UsageError(f"--baseline {baseline}: no such run; there are {', '.join(names)}")
    held_against = 0 if baseline is None else (names if baseline in names else runs).index(baseline)
    basket = [measure for measure in BASKET if not fractional or "fractional" in measure.family.judgments]
    evaluations = evaluate_files(
        runs,
        qrels,
        measures=measures or basket,
        average=average,
        no_relevant=no_relevant,
        fractional=fractional,
        rules=rules,
    )
    comparison = compare(evaluations, baseline=ALL_PAIRS if all_pairs else held_against)
    for line in unsaid(comparison, form):
        say(line)
    click.echo(render_comparison(comparison, form), nl=False)
