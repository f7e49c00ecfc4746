"""`irkit measures`: list the measures, or explain one."""

import textwrap
from collections.abc import Iterator
from contextlib import suppress

import click

from irkit.errors import MeasureError
from irkit.measures.docstrings import Explanation, called, explain
from irkit.measures.family import Family
from irkit.measures.names import families_named, parse_measures
from irkit.measures.table import SUBJECTS
from irkit.report.text import TerminalWidth

LABEL = 13
LEAST_TEXT = 20


@click.command("measures")
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="How it is laid out; markdown makes the page of the manual.",
)
def command(name: str | None, form: str) -> None:
    """List the measures by subject, or explain a measure, given by any of its names.

    \b
    irkit measures
    irkit measures nDCG@10
    irkit measures recip_rank
    """
    families = () if name is None else families_named(name)
    if form == "markdown":
        from irkit.measures import manual

        click.echo("\n\n".join(map(manual.section, families)) if families else manual.page())
    elif name is not None:
        shown = [*_resolved(name), *("\n".join(_explained(family)) for family in families)]
        click.echo("\n\n".join(shown))
    else:
        click.echo("\n\n".join("\n".join(_listed(*subject)) for subject in SUBJECTS.items()))


def _resolved(name: str) -> Iterator[str]:
    """Resolve a short name of a single measure with more parameters than a cutoff: `rbp.95`, `ndcg@10-l2`."""
    with suppress(MeasureError):
        measures = parse_measures(name)
        more = dict(measures[0].params).keys() - {measures[0].family.at}
        if len(measures) == 1 and more and str(measures[0]) != name.strip():
            yield f"{name} is {measures[0]}"


def _listed(subject: str, families: tuple[Family, ...]) -> Iterator[str]:
    """Yield the title of a subject, and a line for each of its measures."""
    column = 2 + max(len(called(family)) for family in families) + 2
    yield from _wrapped(subject[0].upper() + subject[1:], 0)
    for family in families:
        yield from _wrapped(f"{'  ' + called(family):<{column}}{family.help}", column)


def _explained(family: Family) -> Iterator[str]:
    explanation = explain(family)
    yield from _wrapped(f"{explanation.name}: {explanation.help}", 2)
    for paragraph in explanation.meaning:
        yield ""
        yield from _wrapped(_plain(paragraph), 0)
    yield ""
    for label, texts in _entries(explanation):
        for place, text in enumerate(filter(None, texts)):
            yield from _wrapped(f"{'' if place else label:<{LABEL}}{_plain(text)}", LABEL)


def _entries(explanation: Explanation) -> Iterator[tuple[str, list[str]]]:
    yield "formula", [*explanation.formula, explanation.letters and f"({explanation.letters})"]
    yield "values", [explanation.values]
    yield "parameters", [f"{name}: {may_be}" for name, may_be in explanation.parameters]
    yield "example", [*_examples(explanation), f"({explanation.notation})"]
    yield "also called", [", ".join(explanation.names)]
    yield "trec_eval", [", ".join(explanation.trec_names)]
    yield "ranx", [", ".join(explanation.ranx_names)]
    yield "judgments", [explanation.judgments]
    yield "topics", [explanation.topics]
    yield "source", [explanation.source]


def _examples(explanation: Explanation) -> Iterator[str]:
    """Yield each ranking once, followed by the computations on it."""
    before = ""
    for example in explanation.examples:
        ranking, _, computed = example.partition(": ")
        if ranking != before:
            yield f"{ranking}:"
        yield f"  {computed}"
        before = ranking


def _plain(text: str) -> str:
    return text.replace("`", "")


def _wrapped(line: str, indent: int) -> list[str]:
    """Wrap a line to the width of the terminal, if there is a terminal."""
    width = TerminalWidth.standard_output().width
    if width is None:
        return [line.rstrip()]
    return textwrap.wrap(line, max(width, indent + LEAST_TEXT), subsequent_indent=" " * indent, break_on_hyphens=False)
