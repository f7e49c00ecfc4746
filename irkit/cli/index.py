"""`irkit index`: index documents for `irkit retrieve`."""

from typing import TYPE_CHECKING, Any

import click

from irkit._utils.text import counted
from irkit.cli.command_group import Group
from irkit.cli.options import F
from irkit.cli.stderr import say
from irkit.data.documents import read_documents
from irkit.files.overwrite import check_apart

if TYPE_CHECKING:
    from irkit.retrieval.dense import DenseIndex

ENCODER = "all-MiniLM-L6-v2"


@click.group("index", cls=Group)
def command() -> None:
    """Index documents for retrieval: JSON lines as `irkit convert` writes them."""


@command.command("bm25")
@click.argument("documents", metavar="DOCUMENTS")
@click.option(
    "--out", "-o", required=True, metavar="FOLDER", help="Folder of the index. It appears whole or not at all."
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="Index this field separately, so that search can weight it. Repeat the option for more.",
)
@click.option("--language", show_default="en", metavar="CODE", help="Language of the texts, such as de.")
@click.option("--stemmer", show_default="porter", help="For English: porter, krovetz or none.")
@click.option("--keep-stop-words", is_flag=True, help="For English: also index stop words such as the and of.")
@click.option("--pretokenized", is_flag=True, help="Split texts at white space, without stemming or lower case.")
@click.option("--feedback", is_flag=True, help="Store the words of each document, for --rm3 and --rocchio in search.")
def index_bm25(
    documents: str,
    out: str,
    fields: tuple[str, ...],
    feedback: bool,
    **analysis: Any,
) -> None:
    """Build a Lucene index for BM25."""
    from irkit.recipes.parameters import check_together
    from irkit.retrieval import bm25

    check_apart([documents], out)
    chosen = {name: value for name, value in analysis.items() if value}
    check_together("bm25", chosen)
    manifest = bm25.build_index(read_documents(documents), out, fields=fields, feedback=feedback, **chosen)
    say(f"{out}: {manifest.indexed} of {counted(manifest.documents, 'document')} indexed")


def _kind_options(function: F) -> F:
    """Options for the kind of index and the parameters of each kind."""
    from irkit.retrieval.index_kinds import KIND_PARAMETERS, KINDS

    for name, (parameter, kinds) in reversed(KIND_PARAMETERS.items()):
        function = click.option(
            f"--{name.removeprefix('n_').replace('_', '-')}",
            name,
            type=click.IntRange(parameter.least, parameter.most),
            metavar="N",
            show_default=parameter.default,
            help=f"{' and '.join(kinds)}: {parameter.meaning}",
        )(function)
    return click.option(
        "--kind",
        type=click.Choice(list(KINDS)),
        default="flat",
        show_default=True,
        help=" ".join(f"{kind.name}: {kind.meaning}" for kind in KINDS.values()),
    )(function)


@command.command("dense")
@click.argument("documents", metavar="DOCUMENTS")
@click.option(
    "--out", "-o", required=True, metavar="FOLDER", help="Folder of the index. It appears whole or not at all."
)
@click.option(
    "--encoder", default=ENCODER, show_default=True, help="Model of sentence-transformers, by name or folder."
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD",
    show_default="the whole text",
    help="Encode this field. Repeat the option for more.",
)
@_kind_options
@click.option(
    "--query-prefix",
    metavar="TEXT",
    show_default="the encoder's own",
    help="Text to put before each query, such as 'query: '. The index keeps it.",
)
@click.option(
    "--document-prefix",
    metavar="TEXT",
    show_default="the encoder's own",
    help="Text to put before each document, such as 'passage: '.",
)
@click.option("--no-normalise", is_flag=True, help="Keep the length of vectors, for models trained with dot products.")
@click.option("--batch", type=click.IntRange(min=1), show_default="8", help="Number of texts to encode at a time.")
def index_dense(
    documents: str,
    out: str,
    encoder: str,
    fields: tuple[str, ...],
    kind: str,
    query_prefix: str | None,
    document_prefix: str | None,
    no_normalise: bool,
    batch: int | None,
    **parameters: int | None,
) -> None:
    """Encode documents and build a FAISS index of their vectors."""
    from irkit.retrieval import dense
    from irkit.retrieval.encoder import load_encoder
    from irkit.retrieval.index_kinds import kind_of

    check_apart([documents], out)
    index = dense.build_index(
        read_documents(documents),
        load_encoder(encoder, normalise=not no_normalise, batch=batch),
        fields=fields or None,
        kind=kind_of(kind, parameters),
        query_prefix=query_prefix,
        document_prefix=document_prefix,
    )
    dense.save_index(index, out)
    _report_built(index, out)


@command.command("join")
@click.argument("indexes", nargs=-1, required=True, metavar="INDEX...")
@click.option(
    "--out", "-o", required=True, metavar="FOLDER", help="Folder of the index. It appears whole or not at all."
)
def index_join(indexes: tuple[str, ...], out: str) -> None:
    """Join dense indexes into one."""
    from irkit.retrieval import dense

    check_apart(indexes, out)
    index = dense.join_indexes([dense.load_index(index) for index in indexes])
    dense.save_index(index, out)
    _report_built(index, out)


def _report_built(index: "DenseIndex", out: str) -> None:
    manifest = index.manifest
    assert manifest is not None
    counts = [f"{manifest.truncated} of them truncated", f"{manifest.empty} without text" if manifest.empty else ""]
    if index.kind != "flat":
        chosen = ", ".join(f"{name} {value}" for name, value in manifest.parameters.items())
        counts.append(f"{index.kind}{f' ({chosen})' if chosen else ''}")
    say(", ".join([f"{out}: {counted(len(index.ids), 'document')}", *filter(None, counts)]))
