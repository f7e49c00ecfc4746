"""Results as tables: one for a terminal; an overview and all of them for the manual.

`python -m benchmarks.tables` writes those of the manual again between their markers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import Results, read

PAGE = Path(__file__).resolve().parents[1] / "docs" / "speed.md"
BEGIN, END = "<!-- make bench -->\n", "<!-- make bench: end -->\n"
# Works of the overview.
SHORT_WORKS = ("passage", "news", "startup", "many", "dicts", "write", "gzip")


def text(result: dict[str, Any]) -> str:
    """A work for a terminal."""
    rows: list[tuple[str, ...]] = [("", "median", "min", "max", "x irkit", "memory", "values")]
    rows += [_row(contender) for contender in result["contenders"]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"{result['title']} ({size(result)}); {conditions([result])}", ""]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join((f"{first:<{widths[0]}}", *cells)).rstrip())
    return "\n".join(lines) + "\n"


def _row(contender: dict[str, Any]) -> tuple[str, ...]:
    name = f"{contender['name']} {contender['version']}".strip()
    if "problem" in contender:
        return (name, contender["problem"], "", "", "", "", "")
    ratio = "" if contender["ratio"] is None else f"{contender['ratio']:.2f}"
    times = (seconds(contender[which]) for which in ("median", "min", "max"))
    return (name, *times, ratio, memory(contender), {True: "same", False: "DIFFERENT", None: ""}[contender["agrees"]])


def overview(results: Results) -> str:
    """A row for each work, a column for each program that takes part in half of them at least; irkit first."""
    works = [results[work] for work in SHORT_WORKS if work in results]
    names = list(dict.fromkeys(_column(contender) for work in works for contender in work["contenders"]))
    kept = [name for name in names if 2 * sum(_find(work, name) is not None for work in works) >= len(works)]
    lines = ["| " + " | ".join(("seconds", *kept)) + " |", "| --- |" + " ---: |" * len(kept)]
    for work in works:
        cells = [_cell(_find(work, name)) for name in kept]
        lines.append("| " + " | ".join((f"{work['title']} ({size(work)})", *cells)) + " |")
        if work is results.get("passage"):
            cells = [memory(found) if (found := _find(work, name)) else "" for name in kept]
            lines.append("| " + " | ".join(("its peak memory", *cells)) + " |")
    return "\n".join([*lines, "", f"{conditions(works)}.", *_remarks(results)]) + "\n"


def manual(results: Results) -> str:
    """The overview, then all works, each with a table of its own."""
    return "\n".join([overview(results), *map(_manual, results.values())])


def _manual(result: dict[str, Any]) -> str:
    rows: list[tuple[str, ...]] = [("program", "median", "least", "most", "times irkit's", "memory", "values")]
    rows += [("---", *["---:"] * 5, "---")]
    rows += [_row(contender) for contender in result["contenders"]]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"### {result['title'].capitalize()}\n\n{size(result)}; {conditions([result])}.\n\n{table}\n"


def _remarks(results: Results) -> list[str]:
    """What nothing can be faster than, and what a longer run takes, in sentences."""
    medians = {
        contender["name"]: seconds(contender["median"])
        for work in ("passage", "startup")
        for contender in results.get(work, {"contenders": []})["contenders"]
        if "problem" not in contender
    }
    said = []
    if "bare C, 1 thread" in medians:
        said.append(
            f"A bare program in C that parses every line of the passage run once, and looks its document up, takes "
            f"{medians['bare C, 1 thread']} on one core and {medians['bare C, 2 threads']} on two."
        )
    if "import numpy" in medians:
        said.append(f"`python -c 'import numpy'` takes {medians['import numpy']}.")
    if "long" in results and "problem" not in (ours := results["long"]["contenders"][0]):
        said.append(f"Ten times the passage run takes irkit {seconds(ours['median'])} and {memory(ours)}.")
    return said


def _column(contender: dict[str, Any]) -> str:
    """What heads a program's column; `gzip and trec_eval` stands below trec_eval."""
    return f"{contender['name'].removeprefix('gzip and ')} {contender['version']}"


def _find(work: dict[str, Any], column: str) -> dict[str, Any] | None:
    found = (contender for contender in work["contenders"] if _column(contender) == column)
    return next((contender for contender in found if "problem" not in contender), None)


def _cell(contender: dict[str, Any] | None) -> str:
    if contender is None:
        return ""
    marked = " (other values)" if contender["agrees"] is False else ""
    ratio = "" if contender["ratio"] in (1, None) else f" ({contender['ratio']:.1f}×)"
    return f"{seconds(contender['median']).removesuffix(' s')}{ratio}{marked}"


def seconds(value: float) -> str:
    """A time with three digits or so."""
    return f"{value:.3f} s" if value < 1 else f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def memory(contender: dict[str, Any]) -> str:
    """A size in MB."""
    return f"{contender['megabytes']:,.0f} MB"


def size(result: dict[str, Any]) -> str:
    """How much there is to read."""
    megabytes = result["megabytes"]
    return f"{result['lines']:,} lines" + (f", {megabytes:,.0f} MB" if megabytes >= 1 else "")


def conditions(works: Sequence[dict[str, Any]]) -> str:
    """When and where the works were timed, and how often."""
    said = {
        f"Median of {work['repeat']}, {work['date']}, {machine['cores']} cores of {machine['processor']}, "
        f"{machine['system']}, Python {machine['python']}": None
        for work in works
        for machine in [work["machine"]]
    }
    return "; ".join(said)


def replaced(page: str, content: str) -> str:
    """The page with this between its markers."""
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the page lacks the lines {BEGIN.strip()} and {END.strip()}")
    return f"{before}{BEGIN}\n{content}\n{END}{after}"


def page(results: Results) -> str:
    """The manual's page with the tables of these results."""
    return replaced(PAGE.read_text("utf-8"), manual(results) if results else "Nothing is measured yet.\n")


def write_page(results: Results) -> None:
    """Put the tables into the manual."""
    PAGE.write_text(page(results), "utf-8")


if __name__ == "__main__":
    write_page(read())
