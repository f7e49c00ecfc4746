"""`irkit compare`: differences between runs, and whether they can be trusted."""

import click

from irkit.cli.files import evaluate_files, run_names
from irkit.cli.options import evaluation_options
from irkit.report import FORMATS, render_comparison
from irkit.rules import AverageOver, NoRelevant
from irkit.stats import ALL_PAIRS, compare


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.argument("qrels", metavar="QRELS")
@evaluation_options
@click.option("--baseline", metavar="RUN", help="Name or file of the run that the others are held against; the first.")
@click.option("--all-pairs", is_flag=True, help="Compare every run with every other.")
@click.option(
    "--format", "form", type=click.Choice([f for f in FORMATS if f != "trec_eval"]), default="table", show_default=True
)
def command(
    runs: tuple[str, ...],
    qrels: str,
    measures: tuple[str, ...],
    average: AverageOver,
    no_relevant: NoRelevant,
    rules: str,
    baseline: str | None,
    all_pairs: bool,
    form: str,
) -> None:
    """Compare runs topic by topic with a paired t test.

    Shown are the mean difference, its p-value, and on how many topics each run wins.

    \b
    irkit compare bm25.run dense.run qrels.txt
    irkit compare runs/*.txt qrels.txt -m nDCG@10 --baseline runs/bm25.txt
    """
    if len(runs) < 2:
        raise click.UsageError("a comparison needs two runs at least, and the qrels last: RUN RUN... QRELS")
    if baseline is not None and all_pairs:
        raise click.UsageError("--baseline and --all-pairs exclude each other")
    names = run_names(runs)
    if baseline is not None and baseline not in names:
        if baseline not in runs:
            raise click.UsageError(f"--baseline {baseline}: no such run; there are {', '.join(names)}")
        baseline = names[runs.index(baseline)]
    evaluations = evaluate_files(runs, qrels, measures=measures, average=average, no_relevant=no_relevant, rules=rules)
    comparison = compare(evaluations, baseline=ALL_PAIRS if all_pairs else baseline or 0)
    click.echo(render_comparison(comparison, form), nl=False)
