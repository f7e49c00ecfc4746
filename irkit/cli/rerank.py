"""`irkit rerank`: re-rank the top documents of a run with a model."""

import sys
import time
from pathlib import Path
from typing import Any

import click

from irkit._utils.text import counted
from irkit.cli.options import MATCH_TOPICS, out_option, tag_option
from irkit.cli.run_output import check_run_apart, files_of, ir_metadata_option, write_with_record
from irkit.cli.stderr import say, show
from irkit.files.textio import STDIN
from irkit.retrieval.rerank.reranker import DEFAULT, PACKAGED
from irkit.retrieval.rerank.reranking import TAILS


@click.command("rerank")
@click.argument("run", metavar="RUN")
@click.argument("topics", metavar="TOPICS")
@click.argument("documents", metavar="DOCUMENTS")
@click.option(
    "--model",
    default=DEFAULT,
    show_default=True,
    metavar="NAME",
    help="; ".join(f"{name}: {meaning}" for name, meaning in PACKAGED.items())
    + "; or the folder or name of a cross-encoder, which sentence-transformers loads.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of documents to re-rank for each topic.",
)
@click.option(
    "--tail",
    type=click.Choice(TAILS),
    default="keep",
    show_default=True,
    help="Documents below the depth: keep them in their order, or drop them.",
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD",
    show_default="the whole text",
    help="Document field to read. Repeat the option for more.",
)
@click.option("--query-field", metavar="FIELD", help="Topic field that holds the query.")
@MATCH_TOPICS
@click.option("--floor", type=float, help="Return nothing for a topic whose best score is below this.")
@click.option(
    "--max-length", type=click.IntRange(min=1), help="Cross-encoder: largest number of tokens of query and document."
)
@click.option(
    "--batch-size", type=click.IntRange(min=1), show_default="32", help="Cross-encoder: number of pairs at a time."
)
@click.option(
    "--qrels", metavar="QRELS", help="Judgments, to show the gain and the highest value that re-ranking could reach."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    default=("nDCG@10",),
    show_default=True,
    help="Measure to show beside recall. Repeat the option for more.",
)
@tag_option("reranked")
@ir_metadata_option
@out_option
def command(
    run: str,
    topics: str,
    documents: str,
    fields: tuple[str, ...],
    qrels: str | None,
    measures: tuple[str, ...],
    header: bool,
    out: str,
    **options: Any,
) -> None:
    """Re-rank the top documents of a run; show the gain, its upper limit and the time.

    With --qrels a table shows the first stage, the re-ranked run, and the best order of the same documents. The recall
    of the first documents is the ceiling: what the first stage did not return there, no re-ranking finds.

    \b
    irkit rerank bm25.run topics.txt documents.jsonl --depth 50 --qrels qrels.txt --out reranked.run
    irkit rerank bm25.run topics.txt documents.jsonl --model models/my-cross-encoder --out reranked.run
    """
    from irkit.data.qrels import read_qrels
    from irkit.measures import parse_measures
    from irkit.recipes import Recipe, RecipeInputs
    from irkit.recipes.rerank import model_of, reranked

    if [run, topics, documents, qrels].count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once; name a file for the others")
    parameters = {name: value for name, value in options.items() if value is not None}
    if fields:
        parameters["fields"] = list(fields)
    files = {"runs": run, "topics": topics, "documents": documents}
    recipe = Recipe.of("rerank", parameters, {role: (Path(path),) for role, path in files.items()})
    check_run_apart(recipe, out, read=filter(None, [qrels]))
    materials = RecipeInputs()
    for path in files_of(recipe):
        materials.see(path)
    # Inputs that may be wrong are read before the long work starts.
    parsed = parse_measures(measures)
    first = materials.run(Path(run))
    materials.topics(Path(topics), options["query_field"])
    judged = None if qrels is None else read_qrels(qrels)
    started = time.perf_counter()
    model = model_of(recipe, materials)
    loading = time.perf_counter() - started
    reranking = reranked(recipe, materials)
    pairs, n_topics = counted(reranking.latency.n_pairs, "pair"), counted(len(reranking.latency.seconds), "topic")
    say(f"{model.name}: {pairs} of query and document scored in {n_topics}")
    for line in (*reranking.notes, *reranking.latency.lines(loading)):
        say(line)
    write_with_record(reranking, recipe, materials, out, header=header)
    depth = options["depth"]
    if judged is None:
        say(
            f"the ceiling is not known without judgments: --qrels QRELS shows R@{depth} of {first.name}, "
            "above which no re-ranking can go"
        )
        return
    from irkit.report.text import render
    from irkit.report.text.table import TerminalWidth
    from irkit.retrieval.rerank import effect

    stream = sys.stderr if out == STDIN else sys.stdout
    evaluations = effect(first, reranking.run, judged, depth=depth, measures=parsed)
    show(render(evaluations, screen=TerminalWidth.of(stream)), file=stream)
