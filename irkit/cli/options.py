"""Options that several commands share."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import click

from irkit.data.topic_matching import TOPIC_RULES
from irkit.measures import Measure
from irkit.rules import RULES, TREC_EVAL_10

F = TypeVar("F", bound=Callable[..., Any])


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


AVERAGE = click.option(
    "--average",
    type=click.Choice(["judged", "intersection", "topics"]),
    default="judged",
    show_default=True,
    help="Topics to average. judged: all topics of the qrels; a topic that the run lacks counts 0. intersection: "
    "topics in both files. topics: topics of --topics that are in the qrels.",
)
COLLAPSE = click.option(
    "--collapse",
    metavar="SEPARATOR",
    help="Merge passages into documents before scoring. With '#', passage doc#3 belongs to document doc.",
)
COLLAPSE_BY = click.option(
    "--collapse-by",
    type=click.Choice(["max", "first"]),
    show_default="max",
    help="max: a document gets the score of its best passage. first: it keeps the rank of its first passage.",
)
COLLAPSE_AT = click.option(
    "--collapse-at",
    type=click.Choice(["first", "last"]),
    show_default="first",
    help="Which separator ends the document id, if an id has several. For a#b#3: first gives a, last gives a#b.",
)
DROP_SELF = click.option(
    "--drop-self", is_flag=True, help="Drop documents that have the id of their topic, and report how many."
)
MATCH_TOPICS = click.option(
    "--match-topics",
    type=click.Choice(TOPIC_RULES),
    help="Match topic ids that are written differently. look: ignore case and look-alike letters. zeros: ignore "
    "leading zeros (051 is 51). number: compare the last number only (MB001 is 1).",
)
FOLLOWED = click.option(
    "--rules",
    type=click.Choice(list(RULES)),
    default=TREC_EVAL_10.name,
    show_default=True,
    help="Follow the rules of this version of trec_eval.",
)


def no_relevant_option(*conventions: str) -> Callable[[F], F]:
    """Option for topics without a relevant document."""
    return click.option(
        "--no-relevant",
        type=click.Choice(conventions),
        default="zero",
        show_default=True,
        help="Value of a topic that has no relevant document; abstain: 1 if the run returned nothing, else 0.",
    )


TIES: Final = {
    "docid": "by descending id",
    "file": "in the order of the file",
    "worst": "better documents last",
    "best": "better documents first",
    "expected": "mean over all orders",
}
ONE_RANK: Final = ("docid", "file")  # ties that give each document a single rank


def ties_option(*orders: str) -> Callable[[F], F]:
    """Option for documents with equal scores."""
    meant = "; ".join(f"{order}, {TIES[order]}" for order in orders)
    return click.option(
        "--ties",
        type=click.Choice(orders),
        default="docid",
        show_default=True,
        help=f"Order of documents with equal scores: {meant}.",
    )


def evaluation_options(basket: Iterable[Measure], ties: Sequence[str] = tuple(TIES)) -> Callable[[F], F]:
    """Options that decide a value: measures (`basket` by default), topics averaged, conventions, ties, rules."""
    return _all(
        click.option(
            "-m",
            "--measure",
            "measures",
            multiple=True,
            metavar="MEASURE",
            show_default=" ".join(map(str, basket)),
            help="Measure, such as nDCG@10, P(rel=2)@10 or ndcg_cut_10. Repeat the option for more, or write 'nDCG@10 "
            "RR'. 'irkit measures' lists all.",
        ),
        AVERAGE,
        no_relevant_option("zero", "one", "skip", "abstain"),
        ties_option(*ties),
        COLLAPSE,
        COLLAPSE_BY,
        COLLAPSE_AT,
        DROP_SELF,
        MATCH_TOPICS,
        click.option(
            "--float-gains",
            "fractional",
            is_flag=True,
            help="Read grades as decimal numbers, each a gain. For nDCG, RBP and other measures without a relevance "
            "level.",
        ),
        FOLLOWED,
    )


def holes_options(function: F) -> F:
    """Options that decide which unjudged documents count, and how a value is computed."""
    conventions = no_relevant_option("zero", "one", "abstain")
    return _all(AVERAGE, conventions, COLLAPSE, COLLAPSE_BY, COLLAPSE_AT, DROP_SELF, MATCH_TOPICS, FOLLOWED)(function)


def topics_option(help_: str) -> Callable[[F], F]:
    """Option for a file of topics."""
    return click.option("--topics", metavar="FILE", help=help_)


def by_option(help_: str) -> Callable[[F], F]:
    """Option for a topic field that groups topics."""
    return click.option("--by", "field", metavar="FIELD", help=help_)


def runs_and_qrels(metavar: str) -> Callable[[F], F]:
    """Argument `files`: runs, then qrels."""
    return click.argument("files", nargs=-1, required=True, metavar=metavar)


def parted(files: Sequence[str], *, least: int, wants: str) -> tuple[tuple[str, ...], str]:
    """Split `RUN... QRELS` into runs and qrels.

    Raises
    ------
    click.UsageError
        If there are fewer runs than required.
    """
    *runs, qrels = files
    if len(runs) < least:
        raise click.UsageError(f"{wants}, and the qrels last; got only {', '.join(files)}")
    return tuple(runs), qrels


def format_option(*forms: str) -> Callable[[F], F]:
    """Option for the output format."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="table",
        show_default=True,
        help="Output format.",
    )


def check_topics(average: str, topics: str | None) -> None:
    """Check that --average and --topics fit together.

    Raises
    ------
    click.UsageError
        If only one of them is given.
    """
    if (average == "topics") != (topics is not None):
        raise click.UsageError(
            "--average topics and --topics FILE go together: the topics averaged are those of the file"
        )


def rbo_options(function: F) -> F:
    """Options of rank-biased overlap and tau union."""
    return _all(
        click.option(
            "--p",
            "p",
            type=float,
            default=0.9,
            show_default=True,
            help="RBO: probability that the user continues to the next rank. With 0.9 the first 10 ranks have 86 % of "
            "the weight.",
        ),
        click.option(
            "--rbo-ties",
            type=click.Choice(["w", "a", "b"]),
            default="a",
            show_default=True,
            help="RBO with equal scores. w: tied documents share a rank. a: their order is unknown. b: as a, corrected "
            "so that a run agrees fully with itself.",
        ),
        click.option(
            "--numbering",
            type=click.Choice(["appearance", "sorted"]),
            default="appearance",
            show_default=True,
            help="Tau union: number documents in the order of the first run, or by id as repro_eval does.",
        ),
        click.option(
            "--depth", type=click.IntRange(min=1), show_default="all", help="Number of ranks to read from each run."
        ),
    )(function)


def filter_options(function: F) -> F:
    """Options for hard filters and the documents they read."""
    function = click.option(
        "--documents", metavar="FILE", help="Documents file (JSON lines) with the fields that the filters compare."
    )(function)
    return click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="TOPIC_FIELD[=DOCUMENT_FIELD][:RELATION]",
        help="Hard filter: return a document only if its field and the topic's field have this relation: equal "
        "(default), at_most or at_least. Repeat the option for more.",
    )(function)


def tag_option(default: str | None, shown: str | bool = True) -> Callable[[F], F]:
    """Option for the tag of a new run."""
    return click.option(
        "--tag",
        metavar="TAG",
        default=default,
        show_default=shown,
        callback=_one_word,
        help="Tag of the run, the last field of each line.",
    )


def _one_word(_: click.Context, __: click.Parameter, tag: str | None) -> str | None:
    if tag is not None and tag.split() != [tag]:
        raise click.BadParameter(f"{tag!r} is not one word; the tag is a field of a run, which white space would end")
    return tag


def out_option(function: F) -> F:
    """Option for the output file."""
    return click.option(
        "--out",
        "-o",
        required=True,
        metavar="FILE",
        help="Output file; - is standard output. The file appears whole or not at all.",
    )(function)
