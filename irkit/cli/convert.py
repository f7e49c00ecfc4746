"""`irkit convert`: convert a collection to topics, qrels and documents."""

from typing import TYPE_CHECKING

import click

from irkit.cli.options import MATCH_TOPICS
from irkit.cli.stderr import say
from irkit.conversion import LAYOUTS, convert

if TYPE_CHECKING:
    from irkit.data.topic_matching import MatchTopics


@click.command("convert")
@click.argument("source", metavar="SOURCE", required=False)
@click.option("--out", "-o", required=True, metavar="FOLDER", help="Folder for topics/, qrels/ and documents/.")
@click.option(
    "--name",
    metavar="NAME",
    show_default="that of the folder",
    help="Name of the collection, used in file names.",
)
@click.option("--from", "layout", type=click.Choice(list(LAYOUTS)), show_default="detected", help="Layout of SOURCE.")
@click.option("--split", metavar="SPLIT", show_default="test", help="Split of the qrels to convert, such as dev.")
@click.option("--documents", metavar="FILE", help="Documents file, if SOURCE does not show which it is.")
@click.option("--topics", metavar="FILE", help="Topics file, if SOURCE does not show which it is.")
@click.option("--qrels", metavar="FILE", help="Judgments file, if SOURCE does not show which it is.")
@click.option("--query-field", metavar="FIELD", help="Topic field that holds the query.")
@MATCH_TOPICS
def command(
    source: str | None,
    out: str,
    name: str | None,
    layout: str | None,
    split: str | None,
    documents: str | None,
    topics: str | None,
    qrels: str | None,
    query_field: str | None,
    match_topics: "MatchTopics | None",
) -> None:
    """Convert a collection to topics, qrels and documents, and report what was kept, changed and dropped.

    \b
    irkit convert my-fixtures --name mine --out .
    irkit convert beir/scifact --split test --out .
    irkit convert --documents docs.trec.gz --topics topics.txt --qrels qrels.txt --name robust --out .
    """
    report = convert(
        source,
        out,
        name=name,
        format=layout,
        split=split,
        documents=documents,
        topics=topics,
        qrels=qrels,
        query_field=query_field,
        match_topics=match_topics,
    )
    for line in report.lines():
        say(line, err=False)
