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
    help="Topics averaged: all in the qrels (one missing from the run counts 0), those in both, or those of "
    "--topics that are in the qrels.",
)
COLLAPSE = click.option(
    "--collapse",
    metavar="SEPARATOR",
    help="Take passages for their documents, before anything is cut or judged: with '#', doc#3 is doc.",
)
COLLAPSE_BY = click.option(
    "--collapse-by",
    type=click.Choice(["max", "first"]),
    show_default="max",
    help="A document has the score of its best passage, or keeps the place of its first.",
)
COLLAPSE_AT = click.option(
    "--collapse-at",
    type=click.Choice(["first", "last"]),
    show_default="first",
    help="The separator that ends the document's id, where an id holds several: of a#b#3, a or a#b.",
)
DROP_SELF = click.option(
    "--drop-self", is_flag=True, help="Leave out documents whose id is that of their topic, and count them."
)
MATCH_TOPICS = click.option(
    "--match-topics",
    type=click.Choice(TOPIC_RULES),
    help="Match topic ids that are written differently; look: whatever case and look-alike letters; zeros: without "
    "leading zeros, 051 is 51; number: by the last number alone, MB001 is 1.",
)
FOLLOWED = click.option(
    "--rules",
    type=click.Choice(list(RULES)),
    default=TREC_EVAL_10.name,
    show_default=True,
    help="The trec_eval whose rules are followed.",
)


def no_relevant_option(*conventions: str) -> Callable[[F], F]:
    """What a topic counts in which nothing is relevant."""
    return click.option(
        "--no-relevant",
        type=click.Choice(conventions),
        default="zero",
        show_default=True,
        help="What a topic without relevant documents counts; abstain: 1 where the run returned nothing, else 0.",
    )


TIES: Final = {
    "docid": "by id falling",
    "file": "as in the file",
    "worst": "the better ones last",
    "best": "the better ones first",
    "expected": "the mean over all their orders",
}
ONE_RANK: Final = ("docid", "file")  # of these, those by which a document has one rank


def ties_option(*orders: str) -> Callable[[F], F]:
    """How documents of one score stand."""
    meant = "; ".join(f"{order}, {TIES[order]}" for order in orders)
    return click.option(
        "--ties",
        type=click.Choice(orders),
        default="docid",
        show_default=True,
        help=f"How documents of one score stand: {meant}.",
    )


def evaluation_options(basket: Iterable[Measure], ties: Sequence[str] = tuple(TIES)) -> Callable[[F], F]:
    """What decides a number: measures (this basket if none is named), topics averaged, conventions, ties, rules."""
    return _all(
        click.option(
            "-m",
            "--measure",
            "measures",
            multiple=True,
            metavar="MEASURE",
            show_default=" ".join(map(str, basket)),
            help="A measure such as nDCG@10, P(rel=2)@10 or ndcg_cut_10; repeat for more, or 'nDCG@10 RR'. "
            "'irkit measures' lists them.",
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
            help="Grades are decimal numbers, each a gain: for nDCG, RBP and what else needs no lowest grade.",
        ),
        FOLLOWED,
    )


def holes_options(function: F) -> F:
    """What decides which documents count as holes of a ranking, and what a value is."""
    conventions = no_relevant_option("zero", "one", "abstain")
    return _all(AVERAGE, conventions, COLLAPSE, COLLAPSE_BY, COLLAPSE_AT, DROP_SELF, MATCH_TOPICS, FOLLOWED)(function)


def topics_option(help_: str) -> Callable[[F], F]:
    """The file that names topics."""
    return click.option("--topics", metavar="FILE", help=help_)


def by_option(help_: str) -> Callable[[F], F]:
    """The topic field whose values are told apart."""
    return click.option("--by", "field", metavar="FIELD", help=help_)


def runs_and_qrels(metavar: str) -> Callable[[F], F]:
    """The files of `RUN... QRELS`, as the argument `files`."""
    return click.argument("files", nargs=-1, required=True, metavar=metavar)


def parted(files: Sequence[str], *, least: int, wants: str) -> tuple[tuple[str, ...], str]:
    """The runs and the qrels of `RUN... QRELS`.

    Raises
    ------
    click.UsageError
        If there are fewer runs than wanted.
    """
    *runs, qrels = files
    if len(runs) < least:
        raise click.UsageError(f"{wants}, and the qrels last; got {', '.join(files)} only")
    return tuple(runs), qrels


def format_option(*forms: str) -> Callable[[F], F]:
    """How the result is printed."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="table",
        show_default=True,
        help="How the result is laid out.",
    )


def check_topics(average: str, topics: str | None) -> None:
    """That the topics file and what is averaged fit together.

    Raises
    ------
    click.UsageError
        If one is there without the other.
    """
    if (average == "topics") != (topics is not None):
        raise click.UsageError(
            "--average topics and --topics FILE go together: the topics averaged are those of the file"
        )


def rbo_options(function: F) -> F:
    """How two rankings of documents are compared: rank-biased overlap and tau union."""
    return _all(
        click.option(
            "--p",
            "p",
            type=float,
            default=0.9,
            show_default=True,
            help="RBO: the chance to go on to the next rank; with 0.9 the first 10 ranks decide 86 %.",
        ),
        click.option(
            "--rbo-ties",
            type=click.Choice(["w", "a", "b"]),
            default="a",
            show_default=True,
            help="RBO: documents of one score are equally good (w), or in an order that is not known (a; b: corrected, "
            "so that a run agrees with itself wholly).",
        ),
        click.option(
            "--numbering",
            type=click.Choice(["appearance", "sorted"]),
            default="appearance",
            show_default=True,
            help="Tau union: documents numbered as the first run has them, or by id, as repro_eval does.",
        ),
        click.option(
            "--depth", type=click.IntRange(min=1), show_default="all", help="Ranks of each run that are read."
        ),
    )(function)


def filter_options(function: F) -> F:
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


def tag_option(default: str | None, shown: str | bool = True) -> Callable[[F], F]:
    """What a new run calls itself."""
    return click.option(
        "--tag",
        metavar="TAG",
        default=default,
        show_default=shown,
        callback=_one_word,
        help="The run's name for itself.",
    )


def _one_word(_: click.Context, __: click.Parameter, tag: str | None) -> str | None:
    if tag is not None and tag.split() != [tag]:
        raise click.BadParameter(f"{tag!r} is not one word; the tag is a field of a run, which white space would end")
    return tag


def out_option(function: F) -> F:
    """The file that a command writes."""
    return click.option(
        "--out", "-o", required=True, metavar="FILE", help="File to write, whole or not at all; - is standard output."
    )(function)
