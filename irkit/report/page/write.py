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
    """Make an HTML page that compares runs: leaderboard, topics, rankings, curves, tests, provenance.

    The page is a single file with all scripts and data; it loads nothing. The same input gives the same page.

    Parameters
    ----------
    runs : sequence of paths, dicts, tables or Runs
        Any inputs of `Run.of`, at least one.
    qrels : path, dict, table or Qrels; or judgments of another kind
        As in `irkit.evaluate`. Grades and curves are shown for plain judgments only.
    measures : iterable of str or Measure, optional
        As in `irkit.evaluate`. The page shows the first measure first.
    topics : path, Topics, mapping, or iterable of Topic, optional
        Texts and fields of topics.
    documents : path, optional
        Texts of documents: JSON lines for `irkit.read_documents`.
    by : str, optional
        Topic field whose values form groups.
    baseline : int or str
        Place or name of the run with which the others are compared.
    title : str, optional
    depth : int
        Number of documents shown of each ranking, 1 to 100.
    largest : int
        Maximum bytes of the page. If not all rankings and texts fit, it holds those of the topics with the largest
        differences between runs, and tells the reader.
    command : str
        Program or command that the page names as its maker.
    **options
        Other options of `irkit.evaluate`: average, no_relevant, ties, fractional, collapse, collapse_by, collapse_at,
        drop_self, match_topics, rules.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If there is no run, or the depth or size is out of range; or as in `irkit.evaluate` and `irkit.compare`.
    FormatError, DataError
        As in these functions and `irkit.read_documents`.
    MissingDependencyError
        If Altair or vl-convert, which draw the figures, is not installed.
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
    page_options = PageOptions(visible(title or _title(material.names)), baseline, depth, room, sources, facts)
    data = payload(material, page_options)
    data["core"] |= {"irkit": __version__, "themes": {"light": theme(), "dark": theme(dark=True)}}
    return document(page_options.title, style=style, scripts=[bundle, page_script()], data=data)


def write_report(
    runs: Sequence[RunSource], qrels: JudgmentsSource, path: str | os.PathLike[str], **options: Any
) -> None:
    """Write the page of `report_page`, completely or not at all; parameters and errors are the same.

    Raises
    ------
    UsageError
        Also if the page would overwrite an input file.
    """
    read = (*runs, qrels, options.get("topics"), options.get("documents"))
    check_apart(filter(None, map(_path, read)), path)
    write_bytes(path, report_page(runs, qrels, **options).encode())


def _path(source: object) -> str | os.PathLike[str] | None:
    return source if isinstance(source, str | os.PathLike) else None


def _title(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more runs"


def _style() -> str:
    """Return the style sheet, with the figures' colours as variables."""
    style = asset("page.css")
    for name, dark in (("light", False), ("dark", True)):
        its = palette(dark)
        colours = {f"--run-{place}": colour for place, colour in enumerate(its.runs)}
        colours |= {"--above": its.runs[0], "--below": its.runs[1]}
        # Backgrounds on which text is readable.
        colours |= {"--ground-above": its.diverging[2], "--ground-below": its.diverging[0]}
        declared = " ".join(f"{variable}: {colour};" for variable, colour in colours.items())
        style = style.replace(f"/* colours: {name} */", declared)
    return style
