"""`irkit retrieve`: topics against an index, into a run."""

from typing import TYPE_CHECKING

import click

from irkit.cli.groups import Group
from irkit.cli.index import ENCODER
from irkit.cli.options import out_option, tag_option
from irkit.cli.say import say
from irkit.topics import read_topics

if TYPE_CHECKING:
    from irkit.retrieval.ranking import Retrieved


@click.group("retrieve", cls=Group)
def command() -> None:
    """Make a run: search an index that `irkit index` built for every topic."""


@command.command("bm25")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="The index, by 'irkit index bm25'.")
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents a topic.")
@click.option("--k1", type=float, default=0.9, show_default=True, help="How slowly repeated words stop counting.")
@click.option("--b", type=float, default=0.4, show_default=True, help="How much long documents lose, from 0 to 1.")
@click.option(
    "--field",
    "fields",
    type=(str, float),
    multiple=True,
    metavar="FIELD WEIGHT",
    show_default="the whole text",
    help="A field to search and its weight; repeat for more.",
)
@tag_option("bm25")
@out_option
def retrieve_bm25(
    topics: str, index: str, depth: int, k1: float, b: float, fields: tuple[tuple[str, float], ...], tag: str, out: str
) -> None:
    """Search by BM25."""
    from irkit.retrieval import bm25

    _write(bm25.search(index, read_topics(topics), k=depth, k1=k1, b=b, fields=dict(fields) or None, tag=tag), out)


@command.command("dense")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="The index, by 'irkit index dense'.")
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents a topic.")
@click.option("--encoder", default=ENCODER, show_default=True, help="The encoder that made the index.")
@click.option("--floor", type=float, help="A topic whose best score is lower gets no answer.")
@tag_option("dense")
@out_option
def retrieve_dense(topics: str, index: str, depth: int, encoder: str, floor: float | None, tag: str, out: str) -> None:
    """Search by the inner product of vectors."""
    from irkit.retrieval import dense
    from irkit.retrieval.encoder import load_encoder

    found = dense.search_index(
        dense.load_index(index), read_topics(topics), encoder=load_encoder(encoder), k=depth, floor=floor, tag=tag
    )
    _write(found, out)


def _write(found: "Retrieved", out: str) -> None:
    found.run.write(out)
    for note in found.notes:
        say(note)
