"""`irkit index`: documents into an index that `irkit retrieve` searches."""

import click

from irkit.cli.groups import Group
from irkit.cli.say import say
from irkit.documents import read_documents
from irkit.spelling import counted

ENCODER = "all-MiniLM-L6-v2"


@click.group("index", cls=Group)
def command() -> None:
    """Index documents for retrieval: JSON lines as `irkit convert` writes them."""


@command.command("bm25")
@click.argument("documents", metavar="DOCUMENTS")
@click.option("--out", "-o", required=True, metavar="FOLDER", help="The index; it appears whole or not at all.")
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="A field to index apart, to weigh it in search; repeat for more.",
)
@click.option("--language", default="en", show_default=True, metavar="CODE", help="The language of the texts, as de.")
@click.option("--stemmer", default="porter", show_default=True, help="For English: porter, krovetz or none.")
@click.option("--keep-stop-words", is_flag=True, help="For English: index the, of and the like as well.")
@click.option("--pretokenized", is_flag=True, help="Split the texts at white space and change nothing.")
@click.option("--feedback", is_flag=True, help="Store which words documents have, for --rm3 and --rocchio in search.")
def index_bm25(
    documents: str,
    out: str,
    fields: tuple[str, ...],
    language: str,
    stemmer: str,
    keep_stop_words: bool,
    pretokenized: bool,
    feedback: bool,
) -> None:
    """Build a Lucene index for BM25."""
    from irkit.retrieval import bm25

    manifest = bm25.build_index(
        read_documents(documents),
        out,
        fields=fields,
        language=language,
        stemmer=stemmer,
        keep_stop_words=keep_stop_words,
        pretokenized=pretokenized,
        feedback=feedback,
    )
    say(f"{out}: {manifest.indexed} of {counted(manifest.documents, 'document')} indexed")


@command.command("dense")
@click.argument("documents", metavar="DOCUMENTS")
@click.option("--out", "-o", required=True, metavar="FOLDER", help="The index; it appears whole or not at all.")
@click.option("--encoder", default=ENCODER, show_default=True, help="A sentence-transformers model, name or folder.")
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD",
    show_default="the whole text",
    help="A field to encode; repeat for more.",
)
def index_dense(documents: str, out: str, encoder: str, fields: tuple[str, ...]) -> None:
    """Encode documents and build a FAISS index of their vectors."""
    from irkit.retrieval import dense
    from irkit.retrieval.encoder import load_encoder

    index = dense.build_index(read_documents(documents), load_encoder(encoder), fields=fields or None)
    dense.save_index(index, out)
    truncated = "" if index.manifest is None else f", {index.manifest.truncated} of them truncated"
    say(f"{out}: {counted(len(index.ids), 'document')}{truncated}")
