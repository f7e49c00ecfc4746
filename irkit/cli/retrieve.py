"""`irkit retrieve`: search an index with every topic."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irkit.cli.command_group import Group
from irkit.cli.feedback import feedback_options, feedback_table
from irkit.cli.options import F, filter_options, out_option, tag_option
from irkit.cli.run_output import ir_metadata_option, write_run

if TYPE_CHECKING:
    from irkit.recipes import Recipe


def _search_options(function: F) -> F:
    """Options for the search of an approximate index."""
    from irkit.retrieval.index_kinds import SEARCH_PARAMETERS

    for search_parameter in reversed(SEARCH_PARAMETERS):
        function = click.option(
            f"--{search_parameter.name.removeprefix('n_').replace('_', '-')}",
            search_parameter.name,
            type=click.IntRange(min=1),
            metavar="N",
            show_default=search_parameter.default,
            help=f"{' and '.join(search_parameter.kinds)}: {search_parameter.meaning}",
        )(function)
    return function


@click.group("retrieve", cls=Group)
def command() -> None:
    """Search an index with every topic, and write a run."""


@command.command("bm25")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="Index made by 'irkit index bm25'.")
@click.option(
    "--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Number of documents for each topic."
)
@click.option(
    "--model",
    type=click.Choice(["bm25", "qld"]),
    default="bm25",
    show_default=True,
    help="Ranking model: BM25, or query likelihood with Dirichlet smoothing.",
)
@click.option("--k1", type=float, show_default="0.9", help="BM25: saturation of repeated words; higher means slower.")
@click.option("--b", type=float, show_default="0.4", help="BM25: length normalisation, 0 to 1.")
@click.option("--mu", type=float, show_default="1000", help="Query likelihood: amount of smoothing, in words.")
@click.option(
    "--field",
    "fields",
    type=(str, float),
    multiple=True,
    metavar="FIELD WEIGHT",
    show_default="the whole text",
    help="Field to search, and its weight. Repeat the option for more.",
)
@feedback_options
@click.option("--floor", type=float, help="Return nothing for a topic whose best score is below this.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    show_default="all cores",
    help="Number of topics to search at the same time.",
)
@filter_options
@tag_option(None, "the model")
@ir_metadata_option
@out_option
def retrieve_bm25(
    topics: str,
    index: str,
    depth: int,
    model: str,
    k1: float | None,
    b: float | None,
    mu: float | None,
    fields: tuple[tuple[str, float], ...],
    floor: float | None,
    threads: int | None,
    tag: str | None,
    filters: tuple[str, ...],
    documents: str | None,
    header: bool,
    out: str,
    **feedback: Any,
) -> None:
    """Search by BM25 or query likelihood, optionally with feedback."""
    from irkit.recipes import RecipeInputs

    parameters = {
        "depth": depth,
        "model": model,
        "k1": k1,
        "b": b,
        "mu": mu,
        "fields": dict(fields) or None,
        "feedback": feedback_table(feedback),
        "floor": floor,
        "tag": tag or model,
    }
    recipe = _recipe("bm25", parameters, topics, index, filters, documents)
    write_run(recipe, out, RecipeInputs(threads=threads), header=header)


@command.command("dense")
@click.argument("topics", metavar="TOPICS")
@click.option("--index", required=True, metavar="FOLDER", help="Index made by 'irkit index dense'.")
@click.option(
    "--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Number of documents for each topic."
)
@click.option("--encoder", show_default="that of the index", help="Encoder that made the index.")
@click.option("--floor", type=float, help="Return nothing for a topic whose best score is below this.")
@_search_options
@click.option("--query-prefix", metavar="TEXT", show_default="that of the index", help="Text to put before each query.")
@click.option(
    "--recall",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also search exactly, and report how many of the first N documents the index finds.",
)
@filter_options
@tag_option("dense")
@ir_metadata_option
@out_option
def retrieve_dense(
    topics: str,
    index: str,
    tag: str,
    filters: tuple[str, ...],
    documents: str | None,
    header: bool,
    out: str,
    **parameters: Any,
) -> None:
    """Search by the inner product of vectors."""
    write_run(_recipe("dense", {**parameters, "tag": tag}, topics, index, filters, documents), out, header=header)


def _recipe(
    method: str,
    parameters: dict[str, Any],
    topics: str,
    index: str,
    filters: tuple[str, ...],
    documents: str | None,
) -> "Recipe":
    """Build the recipe of a search; parameters that are None keep their defaults."""
    from irkit.recipes import Recipe

    if bool(filters) != (documents is not None):
        raise click.UsageError(
            "--filter and --documents FILE go together: the documents' fields are read from the file"
        )
    given = {name: value for name, value in parameters.items() if value is not None}
    files = {"topics": (Path(topics),), "index": (Path(index),)}
    if documents is not None:
        given["filters"] = list(filters)
        files["documents"] = (Path(documents),)
    return Recipe.of(method, given, files)
