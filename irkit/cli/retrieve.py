"""`irkit retrieve`: topics against an index, into a run."""

from typing import TYPE_CHECKING, Any

import click

from irkit.cli.feedback import feedback_of, feedback_options
from irkit.cli.groups import Group
from irkit.cli.index import ENCODER
from irkit.cli.options import F, out_option, tag_option
from irkit.cli.say import say
from irkit.topics import read_topics

if TYPE_CHECKING:
    from irkit.retrieval.ranking import Allowed, Retrieved
    from irkit.topics import Topics


def _filter_options(function: F) -> F:
    """Hard filters, and the documents whose fields they look at."""
    function = click.option("--documents", metavar="FILE", help="The documents, whose fields the filters look at.")(
        function
    )
    return click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="TOPIC_FIELD[=DOCUMENT_FIELD][:RELATION]",
        help="Return only documents whose field stands in this relation to the topic's: equal, which is understood, "
        "at_most or at_least. Repeat for more.",
    )(function)


@click.group("retrieve", cls=Group)
def command() -> None:
    """Make a run: search an index that `irkit index` built for every topic."""


@command.command("bm25")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="The index, by 'irkit index bm25'.")
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents a topic.")
@click.option(
    "--model",
    type=click.Choice(["bm25", "qld"]),
    default="bm25",
    show_default=True,
    help="BM25, or query likelihood with Dirichlet smoothing.",
)
@click.option("--k1", type=float, default=0.9, show_default=True, help="BM25: how slowly repeated words stop counting.")
@click.option("--b", type=float, default=0.4, show_default=True, help="BM25: how much long documents lose, 0 to 1.")
@click.option("--mu", type=float, default=1000, show_default=True, help="Query likelihood: words of smoothing.")
@click.option(
    "--field",
    "fields",
    type=(str, float),
    multiple=True,
    metavar="FIELD WEIGHT",
    show_default="the whole text",
    help="A field to search and its weight; repeat for more.",
)
@feedback_options
@click.option("--floor", type=float, help="A topic whose best score is lower gets no answer.")
@click.option("--threads", type=click.IntRange(min=1), show_default="all cores", help="Topics searched at once.")
@_filter_options
@tag_option("bm25")
@out_option
def retrieve_bm25(
    topics: str,
    index: str,
    depth: int,
    model: str,
    k1: float,
    b: float,
    mu: float,
    fields: tuple[tuple[str, float], ...],
    floor: float | None,
    threads: int | None,
    tag: str,
    filters: tuple[str, ...],
    documents: str | None,
    out: str,
    **feedback: Any,
) -> None:
    """Search by BM25 or query likelihood, with feedback if wanted."""
    from irkit.retrieval import bm25

    grown = feedback_of(feedback)
    asked = read_topics(topics)
    found = bm25.search(
        index,
        asked,
        k=depth,
        model=model,
        k1=k1,
        b=b,
        mu=mu,
        fields=dict(fields) or None,
        feedback=grown,
        allowed=_allowed(filters, documents, asked),
        floor=floor,
        threads=threads,
        tag=tag,
    )
    _write(found, out)


@command.command("dense")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="The index, by 'irkit index dense'.")
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents a topic.")
@click.option("--encoder", default=ENCODER, show_default=True, help="The encoder that made the index.")
@click.option("--floor", type=float, help="A topic whose best score is lower gets no answer.")
@_filter_options
@tag_option("dense")
@out_option
def retrieve_dense(
    topics: str,
    index: str,
    depth: int,
    encoder: str,
    floor: float | None,
    tag: str,
    filters: tuple[str, ...],
    documents: str | None,
    out: str,
) -> None:
    """Search by the inner product of vectors."""
    from irkit.retrieval import dense
    from irkit.retrieval.encoder import load_encoder

    asked = read_topics(topics)
    allowed = _allowed(filters, documents, asked)
    read = dense.load_index(index)
    _write(
        dense.search_index(read, asked, encoder=load_encoder(encoder), k=depth, allowed=allowed, floor=floor, tag=tag),
        out,
    )


def _allowed(filters: tuple[str, ...], documents: str | None, topics: "Topics") -> "Allowed | None":
    """What the filters let through, by the fields of the documents file."""
    if bool(filters) != (documents is not None):
        raise click.UsageError(
            "--filter and --documents FILE go together: the documents' fields are read from the file"
        )
    if documents is None:
        return None
    from irkit.documents import read_documents
    from irkit.retrieval.filters import allowing, filter_from_text

    chosen = [filter_from_text(text) for text in filters]
    for one in chosen:
        topics.field(one.topic_field)  # refuses one that no topic has
    return allowing(list(read_documents(documents)), chosen)


def _write(found: "Retrieved", out: str) -> None:
    for note in found.notes:
        say(note)
    found.run.write(out)
