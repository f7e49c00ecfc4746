"""Options of pseudo-relevance feedback."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from irkit.cli.options import F


def feedback_options(function: F) -> F:
    """Options for RM3 or Rocchio and their parameters."""
    options = (
        click.option("--rm3", is_flag=True, help="Let queries grow by words of the first documents (RM3)."),
        click.option("--rocchio", is_flag=True, help="Let queries grow by words of the first documents (Rocchio)."),
        _option("--fb-terms", "10", int, "Feedback: words that are added at most."),
        _option("--fb-docs", "10", int, "Feedback: documents that are taken for relevant."),
        _option("--original-weight", "0.5", float, "RM3: weight of the query as it was, from 0 to 1."),
        _option("--alpha", "1", float, "Rocchio: weight of the query as it was."),
        _option("--beta", "0.75", float, "Rocchio: weight of the relevant documents."),
        _option("--gamma", "0.15", float, "Rocchio: weight of the nonrelevant documents."),
        _option("--bottom-terms", "10", int, "Rocchio: words of nonrelevant documents at most."),
        _option("--bottom-docs", "10", int, "Rocchio: documents that are taken for nonrelevant."),
        click.option("--use-negative", is_flag=True, default=None, help="Rocchio: take the last ones for nonrelevant."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def feedback_table(options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Build the feedback table of a recipe from the options; None without feedback."""
    from irkit.retrieval.feedback import METHODS

    given = {name: value for name, value in options.items() if value is not None and name not in METHODS}
    methods = [name for name in METHODS if options[name]]
    if len(methods) > 1:
        raise click.UsageError("--rm3 and --rocchio exclude each other; give one of them")
    if not methods:
        if given:
            raise click.UsageError(f"{_word(min(given))} is a parameter of feedback; give --rm3 or --rocchio as well")
        return None
    (method,) = methods
    known = METHODS[method].names
    if others := given.keys() - known.keys():
        raise click.UsageError(
            f"{_word(min(others))} is not a parameter of --{method}; its parameters are {_words(known)}"
        )
    return {"method": method, **given}


def _option(word: str, default: str, kind: type, help_: str) -> Any:
    return click.option(word, type=kind, show_default=default, help=help_)


def _word(name: str) -> str:
    return "--" + name.replace("_", "-")


def _words(names: Iterable[str]) -> str:
    return ", ".join(map(_word, names))
