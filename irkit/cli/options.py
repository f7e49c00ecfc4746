"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from irkit.rules import RULES, TREC_EVAL_10

F = TypeVar("F", bound=Callable[..., Any])


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def evaluation_options(function: F) -> F:
    """What decides a number: measures, topics averaged, conventions, rules."""
    return _all(
        click.option(
            "-m",
            "--measure",
            "measures",
            multiple=True,
            metavar="MEASURE",
            help="A measure such as nDCG@10, P(rel=2)@10 or ndcg_cut_10; repeat for more. 'irkit measures' lists them.",
        ),
        click.option(
            "--average",
            type=click.Choice(["judged", "intersection"]),
            default="judged",
            show_default=True,
            help="Topics averaged: all in the qrels (one missing from the run counts 0), or those in both.",
        ),
        click.option(
            "--no-relevant",
            type=click.Choice(["zero", "one", "skip", "abstain"]),
            default="zero",
            show_default=True,
            help="What a topic without relevant documents counts; abstain: 1 where the run returned nothing, else 0.",
        ),
        click.option(
            "--rules",
            type=click.Choice(list(RULES)),
            default=TREC_EVAL_10.name,
            show_default=True,
            help="The trec_eval whose rules are followed.",
        ),
    )(function)


def out_option(function: F) -> F:
    """The file that a command writes."""
    return click.option(
        "--out", "-o", required=True, metavar="FILE", help="File to write, whole or not at all; - is standard output."
    )(function)
