"""`irkit reproduce`: compare a reproduced run with the original run."""

from typing import Any

import click

from irkit.cli.compare import BASKET
from irkit.cli.files import evaluate_files
from irkit.cli.options import check_topics, evaluation_options, format_option, rbo_options, topics_option
from irkit.cli.stderr import say, show
from irkit.data.runs import read_run, run_names
from irkit.evaluation.scoring import fitting
from irkit.files.textio import STDIN
from irkit.report.text import COMPARISON_FORMATS, render, unsaid
from irkit.stats import assess_reproduction, ranking_reproduced
from irkit.stats.rankings.document_order import Numbering
from irkit.stats.rankings.rankings import Ties
from irkit.stats.reproduction.reproduced_runs import ROLES


@click.command("reproduce")
@click.argument("original", metavar="ORIGINAL")
@click.argument("reproduced", metavar="REPRODUCED")
@click.argument("qrels", metavar="QRELS")
@click.option(
    "--baseline",
    "baselines",
    nargs=2,
    metavar="ORIGINAL REPRODUCED",
    help="Baseline of the original run, and the reproduced baseline, to compare effects over a baseline.",
)
@click.option(
    "--qrels2",
    metavar="QRELS",
    help="Judgments of a replication, where the reproduced runs are on other topics. Topics are then not paired.",
)
@evaluation_options(BASKET)
@topics_option("Topics file, table or list: the topics of --average topics.")
@rbo_options
@format_option(*COMPARISON_FORMATS)
def command(
    original: str,
    reproduced: str,
    qrels: str,
    baselines: tuple[str, str] | None,
    qrels2: str | None,
    measures: tuple[str, ...],
    topics: str | None,
    p: float,
    rbo_ties: Ties,
    numbering: Numbering,
    depth: int | None,
    form: str,
    **options: Any,
) -> None:
    """Compare a reproduced run with the original: documents, values, and effect over a baseline.

    \b
    irkit reproduce original.run mine.run qrels.txt
    irkit reproduce original.run mine.run qrels.txt --baseline original.bm25.run my.bm25.run
    irkit reproduce robust.run core17.run qrels.robust.txt --qrels2 qrels.core17.txt \\
        --baseline robust.bm25.run core17.bm25.run
    """
    check_topics(options["average"], topics)
    ours, theirs = [original], [reproduced]
    if baselines is not None:
        ours, theirs = [original, baselines[0]], [reproduced, baselines[1]]
    if STDIN in (*ours, *theirs, qrels, qrels2):
        raise click.UsageError("reproduce reads its files more than once; name files in place of -")
    basket = fitting(BASKET, fractional=options["fractional"])
    options |= {"measures": measures or basket, "topics": topics}
    every = dict(zip((*ours, *theirs), run_names((*ours, *theirs)), strict=True))
    rankings = []
    if qrels2 is None:
        known = {path: read_run(path, name) for path, name in every.items()}
        rankings = [
            ranking_reproduced(
                known[first], known[second], role=role, p=p, ties=rbo_ties, numbering=numbering, depth=depth
            )
            for role, first, second in zip(ROLES, ours, theirs, strict=False)
        ]
        evaluations = evaluate_files([*ours, *theirs], qrels, **options)
    else:
        evaluations = [*evaluate_files(ours, qrels, **options), *evaluate_files(theirs, qrels2, **options)]
    first, second = evaluations[: len(ours)], evaluations[len(ours) :]
    reproduction = assess_reproduction(
        first[0],
        second[0],
        baseline=None if baselines is None else (first[1], second[1]),
        same_topics=qrels2 is None,
        rankings=rankings,
    )
    for line in unsaid(reproduction, form):
        say(line)
    show(render(reproduction, form), form)
