"""`irkit measures`: what can be measured, and under which names."""

import textwrap

import click

from irkit.measures import FAMILIES, Family
from irkit.measures.family import NEEDS
from irkit.measures.names import families_named
from irkit.report import Screen

INDENT = 14
SUMMARISED = {"mean": "averaged", "sum": "summed", "geometric mean": "averaged geometrically"}


@click.command("measures")
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="How the list is laid out.",
)
def command(name: str | None, form: str) -> None:
    """List the measures, or explain the one of that NAME: its parameters and the names it is known by.

    \b
    irkit measures
    irkit measures nDCG@10
    irkit measures recip_rank
    """
    if name is None and form == "markdown":
        click.echo(_markdown())
    elif name is None:
        click.echo("\n".join(_wrapped(_line(family), INDENT) for family in FAMILIES.values()))
    else:
        for family in families_named(name):
            lines = [_wrapped(line, 4) for line in _details(family)]
            click.echo("\n".join([_wrapped(_line(family), INDENT), *lines]))


def _wrapped(line: str, indent: int) -> str:
    """The line within the width of the terminal, if there is one."""
    width = Screen.standard_output().width
    if width is None:
        return line
    return textwrap.fill(line, max(width, 2 * INDENT), subsequent_indent=" " * indent, break_on_hyphens=False)


def _line(family: Family) -> str:
    return f"{_called(family):<{INDENT - 1}} {family.help}"


def _called(family: Family) -> str:
    """The name, with what follows it after @: in brackets where it may be left out."""
    at = "@k" if family.at == "cutoff" else f"@{family.at}"
    return family.name + {"required": at, "optional": f"[{at}]", "none": ""}[family.cutoff]


def _details(family: Family) -> list[str]:
    lines = [
        f"  {parameter.name}: {parameter.help}; {parameter.takes}"
        + ("" if parameter.default in (None, ()) else f" (default {parameter.default!r})")
        for parameter in family.parameters
    ]
    if family.aliases:
        lines.append(f"  also called {', '.join(family.aliases)}")
    if family.trec:
        lines.append(f"  trec_eval: {', '.join(trec.name for trec in family.trec)}")
    if "qrels" not in family.judgments:
        lines.append(f"  needs {NEEDS[family.judgments[0]]}")
    lines.append(f"  topics are {SUMMARISED[family.summary]}")
    if family.normalised:
        lines.append(
            "  a share of what could be found: --no-relevant says what a topic without relevant documents counts"
        )
    return lines


def _markdown() -> str:
    rows = [
        f"| `{_called(family)}` | {family.help} "
        f"| {', '.join(f'`{parameter.name}`' for parameter in family.parameters if parameter.name != family.at)} "
        f"| {', '.join(f'`{name}`' for name in (*family.aliases, *(trec.name for trec in family.trec)))} |"
        for family in FAMILIES.values()
    ]
    return "\n".join(["| measure | meaning | parameters | also named |", "| --- | --- | --- | --- |", *rows])
