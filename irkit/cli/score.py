"""`irkit score`: one table of runs and measures."""

import click

from irkit.cli.files import evaluate_files
from irkit.cli.options import evaluation_options, format_option, parted, runs_and_qrels
from irkit.cli.say import say
from irkit.report import FORMATS, render, unsaid
from irkit.rules import AverageOver, NoRelevant
from irkit.scoring import DEFAULT_MEASURES


@click.command("score")
@runs_and_qrels("RUN... QRELS")
@evaluation_options(DEFAULT_MEASURES)
@click.option("--by-topic", is_flag=True, help="Show each topic before the average.")
@click.option("--by", "field", metavar="FIELD", help="Show each value of a topic field apart, such as a category.")
@click.option("--topics", "topics_file", metavar="FILE", help="Topics file that --by takes the field from.")
@format_option(*FORMATS)
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    average: AverageOver,
    no_relevant: NoRelevant,
    fractional: bool,
    rules: str,
    by_topic: bool,
    field: str | None,
    topics_file: str | None,
    form: str,
) -> None:
    """Score runs against qrels: one or many runs, one table.

    \b
    irkit score run.txt qrels.txt
    irkit score runs/*.txt qrels.txt -m nDCG@10 -m 'P(rel=2)@5' --by-topic
    irkit score run.txt.gz qrels.txt --by category --topics topics.txt
    """
    if (field is None) != (topics_file is None):
        raise click.UsageError("--by FIELD and --topics FILE go together: the field is read from the topics file")
    runs, qrels = parted(files, least=1, wants="score needs a run at least")
    groups = None
    if field is not None and topics_file is not None:
        from irkit.topics import read_topics

        groups = read_topics(topics_file).field(field)
    evaluations = evaluate_files(
        runs,
        qrels,
        measures=measures,
        average=average,
        no_relevant=no_relevant,
        fractional=fractional,
        rules=rules,
    )
    for line in unsaid(evaluations, form):
        say(line)
    click.echo(render(evaluations, form, by_topic=by_topic, groups=groups), nl=False)
