"""`irkit score`: a table of runs and measures."""

from typing import Any

import click

from irkit.cli.files import evaluate_files
from irkit.cli.options import by_option, evaluation_options, format_option, parted, runs_and_qrels, topics_option
from irkit.cli.stderr import say, show
from irkit.cli.topic_groups import read_slices
from irkit.data.qrels import JudgmentKind
from irkit.evaluation.scoring import DEFAULT_MEASURES, default_measures
from irkit.measures import Measure
from irkit.report.text import FORMATS, render, unsaid


@click.command("score")
@runs_and_qrels("RUN... QRELS")
@evaluation_options(DEFAULT_MEASURES)
@click.option("--by-topic", is_flag=True, help="Show the values of each topic before the mean.")
@by_option("Show means for each value of this topic field, such as a category.")
@click.option("--judged", is_flag=True, help="Show the share of judged documents beside each measure with a cutoff.")
@click.option(
    "--unjudged",
    is_flag=True,
    help="Show the lowest and highest value that judging all retrieved documents could give.",
)
@topics_option("Topics file, table or list: the topics of --average topics, and the field of --by.")
@format_option(*FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str | Measure, ...],
    by_topic: bool,
    field: str | None,
    judged: bool,
    unjudged: bool,
    topics: str | None,
    form: str,
    **options: Any,
) -> None:
    """Score one or more runs against qrels, in one table.

    \b
    irkit score run.txt qrels.txt
    irkit score runs/*.txt qrels.txt -m nDCG@10 -m 'P(rel=2)@5' --by-topic
    irkit score run.txt.gz qrels.txt --by category --topics topics.txt
    """
    runs, qrels = parted(files, least=1, wants="score needs at least one run")
    slices = read_slices(topics, field, options["average"])
    if judged:
        from irkit.evaluation.bounds import with_judged

        kind: JudgmentKind = "fractional" if options["fractional"] else "qrels"
        measures = with_judged(measures or default_measures(kind))
    options |= {"topics": slices.averaged, "bounds": unjudged}
    evaluations = evaluate_files(runs, qrels, measures=measures, **options)
    slices = slices.matched(evaluations, options["match_topics"])
    text = render(evaluations, form, by_topic=by_topic, groups=slices.groups(evaluations))
    for line in unsaid(evaluations, form):
        say(line)
    show(text, form)
