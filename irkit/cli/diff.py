"""`irkit diff`: show which topics changed between two runs, and which documents caused it."""

from typing import Any

import click

from irkit._utils.text import counted
from irkit.changes import DEFAULT_MEASURES, MOST, Order, RunDiff, diff, document_texts, first_words
from irkit.cli.files import reading_in_order, settled
from irkit.cli.options import (
    ONE_RANK,
    by_option,
    evaluation_options,
    format_option,
    parted,
    runs_and_qrels,
    topics_option,
)
from irkit.cli.stderr import say, show
from irkit.cli.topic_groups import Slices, read_slices
from irkit.data.runs import run_names
from irkit.evaluation.scoring import fitting
from irkit.evaluation.summary import some
from irkit.ids import to_bytes
from irkit.report.text import COMPARISON_FORMATS, render, unsaid


@click.command("diff")
@runs_and_qrels("RUN_A RUN_B QRELS")
@evaluation_options(DEFAULT_MEASURES, ties=ONE_RANK)
@topics_option("Topics file: texts to show, the topics of --average topics, and the field of --by.")
@click.option("--documents", metavar="FILE", help="Documents as JSON lines; their first words are shown.")
@by_option("Also show means for each value of this topic field.")
@click.option(
    "--most", "n", type=click.IntRange(min=0), default=MOST, show_default=True, help="Number of topics to show."
)
@click.option("--worst", "order", flag_value="worst", help="Show only topics that got worse, largest change first.")
@click.option("--best", "order", flag_value="best", help="Show only topics that got better, largest change first.")
@click.option(
    "--topic",
    "chosen",
    multiple=True,
    metavar="TOPIC",
    help="Show only this topic, with all documents that changed. Repeat the option for more.",
)
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    topics: str | None,
    documents: str | None,
    field: str | None,
    n: int,
    order: Order | None,
    chosen: tuple[str, ...],
    form: str,
    **options: Any,
) -> None:
    """Show which topics changed between two runs, and which documents caused it.

    Topics stand in the order of their change, losses and gains alike. Under each stand the relevant documents gained,
    lost and moved, with their ranks in both runs and what each contributes to the difference of the measure (the first
    one, if -m names several), and the new ones that pushed others down. csv, tsv, json and jsonl have all topics.

    Whether a difference can be trusted says irkit compare.

    \b
    irkit diff bm25.run dense.run qrels.txt
    irkit diff bm25.run dense.run qrels.txt --topics topics.txt --documents documents.jsonl --worst --most 3
    irkit diff bm25.run dense.run qrels.txt -m AP --topic q05
    """
    runs, qrels = parted(files, least=2, wants="diff needs two runs")
    if len(runs) > 2:
        raise click.UsageError(f"diff takes two runs, and the qrels last; got {', '.join(files)}")
    if chosen and order:
        raise click.UsageError(f"--topic and --{order} exclude each other")
    slices = read_slices(topics, field, options["average"], texts=True)
    measured = measures or fitting(DEFAULT_MEASURES, fractional=options["fractional"])
    (first, second), (name, other) = runs, run_names(runs)
    with reading_in_order(runs, qrels):
        changes = diff(first, second, qrels, measured, names=(name, other), topics=slices.averaged, **settled(options))
    slices = slices.matched(changes.evaluations, options["match_topics"])
    if (groups := slices.groups(changes.evaluations)) is not None:
        changes = changes.with_groups(groups)
    changes = _with_texts(changes.showing(order or "most", n, chosen), slices, documents)
    for line in unsaid(changes, form):
        say(line)
    show(render(changes, form), form)


def _with_texts(diff: RunDiff, slices: Slices, documents: str | None) -> RunDiff:
    """Add the texts of topics and of the documents shown; report documents without text."""
    if slices.listed is not None:
        queries = {topic.id: first_words(topic.text) for topic in slices.listed if topic.text}
        diff = diff.with_texts(queries=queries)
    if documents is not None:
        document_ids = diff.ids_shown()
        texts = document_texts(documents, document_ids)
        if lacking := sorted(document_ids - texts.keys(), key=to_bytes):
            say(f"{documents} has no text of {counted(len(lacking), 'document')} shown: {some(lacking)}")
        diff = diff.with_texts(documents=texts)
    return diff
