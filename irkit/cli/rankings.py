"""`irkit rankings`: how measures rank systems, and which of them tells the systems apart."""

import os
from typing import Any

import click

from irkit.cli.compare import BASKET
from irkit.cli.files import evaluate_files
from irkit.cli.options import (
    check_topics,
    evaluation_options,
    format_option,
    parted,
    runs_and_qrels,
    topics_option,
)
from irkit.cli.stderr import say, show
from irkit.evaluation.scoring import fitting
from irkit.report.text import COMPARISON_FORMATS, render, unsaid
from irkit.stats import CORRECTIONS, TESTS, rank_systems
from irkit.stats.paired.corrections import Correction
from irkit.stats.paired.pair_tests import TestName


@click.command("rankings")
@runs_and_qrels("RUN RUN RUN... QRELS")
@evaluation_options(BASKET)
@topics_option("Topics file, table or list: what --average topics averages.")
@click.option("--against", metavar="QRELS", help="Hold the rankings by these qrels against those by the first.")
@click.option(
    "--test",
    type=click.Choice(TESTS),
    default="t",
    show_default=True,
    help="What tells two systems apart.",
)
@click.option(
    "--correct",
    "correction",
    type=click.Choice(CORRECTIONS),
    show_default="holm; Tukey's tests need none",
    help="Of the p-values, for the number of pairs.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="p below which two systems are told apart.")
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    topics: str | None,
    against: str | None,
    test: TestName,
    correction: Correction | None,
    alpha: float,
    form: str,
    **options: Any,
) -> None:
    """Show how measures rank systems, whether they agree, and which of them tells the systems apart.

    Shown are the means of every system with its rank, Kendall's tau-b, tau-AP and Spearman's correlation of the
    rankings by every two measures (with --against: by the two qrels), and the discriminative power of each measure.

    \b
    irkit rankings runs/*.txt qrels.txt -m nDCG@10 -m AP -m RR
    irkit rankings runs/*.txt qrels.txt --test randomised-tukey
    irkit rankings runs/*.txt qrels.nist.txt --against qrels.model.txt
    """
    runs, qrels = parted(files, least=3, wants="rankings needs three runs at least")
    check_topics(options["average"], topics)
    basket = fitting(BASKET, fractional=options["fractional"])
    chosen = measures or basket

    def evaluated(by: str) -> Any:
        return evaluate_files(runs, by, measures=chosen, topics=topics, **options)

    ranked = rank_systems(
        evaluated(qrels),
        None if against is None else evaluated(against),
        test=test,
        correction=correction,
        alpha=alpha,
        judgments=_names(qrels, against),
    )
    for line in unsaid(ranked, form):
        say(line)
    show(render(ranked, form), form)


def _names(qrels: str, against: str | None) -> tuple[str, str]:
    """Names of the two qrels: their file names, or their paths if the file names are equal."""
    paths = (qrels, against or "")
    first, second = map(os.path.basename, paths)
    return paths if first == second else (first, second)
