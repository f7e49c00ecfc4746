"""The page of the manual that explains every measure, in Markdown."""

from collections.abc import Iterator

from irkit.measures.docstrings import Explanation, called, explain
from irkit.measures.family import Family
from irkit.measures.table import SUBJECTS

_INTRODUCTION = """\
# Every measure

This page is what `irkit measures` prints as Markdown; `irkit measures NAME` says the same of one measure. How
names are written, and what else there is to know, stands in [Measures](measures.md). `@k` is a cutoff that is needed,
`[@k]` one that may be given.

In the formulas r is a rank, and a sum over ranks ends with the ranking. In the examples log is the natural logarithm,
and a ranking is written from its first rank on."""


def page() -> str:
    """All of it: a table of the measures, then a section for each, by subject."""
    return "\n\n".join([_INTRODUCTION, _table(), *_sections()])


def section(family: Family) -> str:
    """Section of the manual about one measure."""
    return "\n\n".join(_parts(family.name, explain(family)))


def _table() -> str:
    rows = [
        f"| `{called(family)}` | {family.help} "
        f"| {_code(parameter.name for parameter in family.parameters if parameter.name != family.at)} "
        f"| {_code((*family.aliases, *(trec.name for trec in family.trec)))} |"
        for families in SUBJECTS.values()
        for family in families
    ]
    return "\n".join(["| measure | meaning | parameters | also named |", "| --- | --- | --- | --- |", *rows])


def _sections() -> Iterator[str]:
    for subject, families in SUBJECTS.items():
        yield f"## {subject[0].upper()}{subject[1:]}"
        yield from map(section, families)


def _parts(name: str, said: Explanation) -> Iterator[str]:
    yield f"### {name}"
    yield from said.meaning
    yield "```text\n" + "\n".join([said.name, *(f"  {line}" for line in said.formula)]) + "\n```"
    if said.letters:
        yield f"{said.letters}."
    yield "\n".join(_points(said))
    yield "```text\n" + "\n".join(said.examples) + "\n```"
    yield f"({said.notation}.)"


def _points(said: Explanation) -> Iterator[str]:
    yield f"- Values: {said.values}"
    yield from (f"- `{name}`: {may_be}" for name, may_be in said.parameters)
    if said.names:
        yield f"- Also called {_code(said.names)}"
    if said.trec_names:
        yield f"- trec_eval: {_code(said.trec_names)}"
    if said.ranx_names:
        yield f"- ranx: {_code(said.ranx_names)}"
    yield f"- Judgments: {said.judgments}"
    yield f"- Topics are {said.topics}"
    yield f"- Source: {said.source}"


def _code(names: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
