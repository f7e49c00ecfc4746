"""The page as text, and as a file."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from irkit._utils.visible import visible
from irkit.data.runs import RunSource
from irkit.data.topic_subsets import TopicList, topic_list
from irkit.errors import UsageError
from irkit.evaluation.scoring import Measures
from irkit.files.overwrite import check_apart
from irkit.files.textio import write_bytes
from irkit.judged.kinds import JudgmentsSource
from irkit.report.figures import theme, vega_bundle
from irkit.report.figures.theme import palette
from irkit.report.page.embed import asset, document, page_script
from irkit.report.page.inputs import read_material
from irkit.report.page.payload import PageOptions, payload

LARGEST: Final = 10_000_000
LEAST_ROOM: Final = 200_000
DEPTH: Final = 10


def report_page(
    runs: Sequence[RunSource],
    qrels: JudgmentsSource,
    measures: "Measures | None" = None,
    *,
    topics: "TopicList | None" = None,
    documents: str | os.PathLike[str] | None = None,
    by: str | None = None,
    baseline: int | str = 0,
    title: str | None = None,
    depth: int = DEPTH,
    largest: int = LARGEST,
    command: str = "",
    **options: Any,
) -> str:
    """A page of HTML that shows runs beside each other: leaderboard, topics, rankings, curves, tests, provenance.

    It is one file that loads nothing, with all scripts and data in it. The same input gives the same page.

    Parameters
    ----------
    runs : sequence of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least.
    qrels : path, dict, table or Qrels; or judgments of another kind
        As `irkit.evaluate` takes them. Grades and curves are shown of plain judgments only.
    measures : iterable of str or Measure, optional
        As `irkit.evaluate` takes them. The first is shown first.
    topics : path, Topics, mapping, or iterable of Topic, optional
        Their texts and fields.
    documents : path, optional
        Documents as JSON lines, as `irkit.read_documents` reads them: their texts.
    by : str, optional
        The topic field whose values are shown apart.
    baseline : int or str
        Place or name of the run that the others are tested against.
    title : str, optional
    depth : int
        Documents shown of each ranking, 1 to 100.
    largest : int
        Bytes that the page may have. Of many topics it holds rankings and texts of those on which the runs differ most,
        and says so.
    command : str
        What is said to have made the page.
    **options
        The others of `irkit.evaluate`: average, no_relevant, ties, fractional, collapse, collapse_by, collapse_at,
        drop_self, match_topics, rules.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If there is no run, the depth or the size is out of range, or as `irkit.evaluate` and `irkit.compare`.
    FormatError, DataError
        As these, and as `irkit.read_documents`.
    MissingDependencyError
        If Altair or vl-convert is not installed, which draw the figures.
    """
    if not 1 <= depth <= 100:
        raise UsageError(f"a page shows 1 to 100 documents of a ranking, not {depth}")
    bundle, style = vega_bundle(), _style()
    room = largest - len(bundle.encode()) - len(style.encode()) - len(page_script().encode())
    if room < LEAST_ROOM:
        raise UsageError(
            f"a page of {largest:,} bytes has no room for data; allow {largest - room + LEAST_ROOM:,} at least"
        )
    listed = None if topics is None else topic_list(topics)
    if listed is not None:
        listed = replace(listed, name=Path(listed.name).name)
    material = read_material(runs, qrels, measures=measures, topics=listed, by=by, **options)
    sources = {"qrels": _path(qrels), "topics": _path(topics), "documents": documents}
    from irkit._version import __version__

    facts = (("irkit", __version__), ("command", command))
    wanted = PageOptions(visible(title or _title(material.names)), baseline, depth, room, sources, facts)
    data = payload(material, wanted)
    data["core"] |= {"irkit": __version__, "themes": {"light": theme(), "dark": theme(dark=True)}}
    return document(wanted.title, style=style, scripts=[bundle, page_script()], data=data)


def write_report(
    runs: Sequence[RunSource], qrels: JudgmentsSource, path: str | os.PathLike[str], **options: Any
) -> None:
    """Write the page of `report_page`, whose parameters and errors these are, whole or not at all.

    Raises
    ------
    UsageError
        Also if one of the files that are read would be written over.
    """
    read = (*runs, qrels, options.get("topics"), options.get("documents"))
    check_apart(filter(None, map(_path, read)), path)
    write_bytes(path, report_page(runs, qrels, **options).encode())


def _path(source: object) -> str | os.PathLike[str] | None:
    return source if isinstance(source, str | os.PathLike) else None


def _title(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more runs"


def _style() -> str:
    """The style, with the colours of the figures as its variables."""
    style = asset("page.css")
    for name, dark in (("light", False), ("dark", True)):
        its = palette(dark)
        colours = {f"--run-{place}": colour for place, colour in enumerate(its.runs)}
        colours |= {"--above": its.runs[0], "--below": its.runs[1]}
        # On which text can be read.
        colours |= {"--ground-above": its.diverging[2], "--ground-below": its.diverging[0]}
        declared = " ".join(f"{variable}: {colour};" for variable, colour in colours.items())
        style = style.replace(f"/* colours: {name} */", declared)
    return style
