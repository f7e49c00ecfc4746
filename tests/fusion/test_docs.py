"""The tables of the page on fusion are those of the code."""

import re
from inspect import getdoc
from pathlib import Path

from irkit.fusion import METHODS, NORMALISATIONS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fusion.md").read_text("utf-8")


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def names(one):
    return ", ".join(f"`{name}`" for name in (one.name, *one.aliases))


def source(function):
    """The first line of its references, which says the paper."""
    return getdoc(function).split("References\n----------\n")[1].splitlines()[0].partition(":")[0].rstrip(".")


def methods_table():
    yield row("method", "by", "weights", "parameters", "what it is", "source")
    yield row(*["---"] * 6)
    for method in METHODS.values():
        parameters = (
            f"`{one.name}`{'' if one.default is None else f' = {one.default:g}'}" for one in method.parameters
        )
        kind = f"{method.by}, trained" if method.learn else method.by
        yield row(names(method), kind, method.weights, ", ".join(parameters), method.help, source(method.function))


def normalisations_table():
    yield row("normalisation", "by", "what becomes of a score s")
    yield row(*["---"] * 3)
    for one in NORMALISATIONS.values():
        yield row(names(one), one.by, one.help.replace("|", "\\|"))


def test_the_tables_are_those_of_the_code():
    tables = re.findall(r"(?:^\|.*\n)+", PAGE, re.M)
    assert tables[0].splitlines() == list(methods_table())
    assert tables[1].splitlines() == list(normalisations_table())
