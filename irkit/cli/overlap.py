"""`irkit overlap`: compare the rankings of runs without judgments."""

from typing import Any

import click

from irkit._utils.progress import progress
from irkit.cli.options import format_option, rbo_options
from irkit.cli.stderr import say, show
from irkit.data.runs import read_run, run_names
from irkit.errors import UsageError
from irkit.files.textio import STDIN
from irkit.report.text import COMPARISON_FORMATS, render, unsaid
from irkit.stats import run_similarity
from irkit.stats.rankings.rankings import Ties


@click.command("overlap")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option(
    "-k",
    "cutoffs",
    type=click.IntRange(min=1),
    multiple=True,
    default=(10,),
    show_default=True,
    help="Depth of overlap@k. Repeat the option for more; average overlap uses the largest.",
)
@rbo_options
@click.option("--by-topic", is_flag=True, help="Also show each topic.")
@format_option(*COMPARISON_FORMATS)
def command(runs: tuple[str, ...], rbo_ties: Ties, by_topic: bool, form: str, **options: Any) -> None:
    """Compare the rankings of runs: which documents they return, and in which order. No judgments are needed.

    Shown are, for every two runs, overlap@k, average overlap, rank-biased overlap (RBO) and Kendall's tau union;
    then the topics in which the runs differ most.

    \b
    irkit overlap bm25.run dense.run
    irkit overlap runs/*.txt -k 5 -k 10 -k 100 --p 0.98 --by-topic
    """
    if len(runs) < 2:
        raise click.UsageError(f"overlap needs at least two runs, got only {runs[0]}")
    if runs.count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    read = [read_run(path, name) for path, name in zip(runs, run_names(runs), strict=True)]
    with progress("comparing pairs of runs", len(runs) * (len(runs) - 1) // 2) as done:
        similarity = run_similarity(read, ties=rbo_ties, done=done, **options)
    for line in unsaid(similarity, form):
        say(line)
    show(render(similarity, form, by_topic=by_topic), form)
