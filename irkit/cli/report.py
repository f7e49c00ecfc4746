"""`irkit report`: write one HTML page about several runs."""

import shlex
from pathlib import Path
from typing import Any

import click

from irkit.cli.files import check_order, settled
from irkit.cli.options import by_option, evaluation_options, out_option, parted, runs_and_qrels, topics_option
from irkit.cli.run_output import command_words
from irkit.cli.stderr import say
from irkit.errors import FormatError
from irkit.evaluation.scoring import DEFAULT_MEASURES
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN


@click.command("report")
@runs_and_qrels("RUN... QRELS")
@evaluation_options(DEFAULT_MEASURES)
@topics_option("Topics file, table or list: texts and fields to show, and the topics of --average topics.")
@click.option("--documents", metavar="FILE", help="Documents as JSON lines; their texts are shown.")
@by_option("Show means for each value of this topic field, such as a category.")
@click.option(
    "--baseline",
    metavar="RUN",
    show_default="the first run",
    help="Baseline run, by name or file.",
)
@click.option("--title", metavar="TEXT", show_default="the runs", help="Title of the page.")
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Number of documents to show for each ranking.",
)
@click.option(
    "--size",
    type=click.FloatRange(min=1.5),
    default=10,
    show_default=True,
    metavar="MB",
    help="Largest size of the page. With many topics, it holds rankings and texts of the topics on which the runs "
    "differ most.",
)
@out_option
def command(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    topics: str | None,
    documents: str | None,
    field: str | None,
    baseline: str | None,
    title: str | None,
    depth: int,
    size: float,
    out: str,
    **options: Any,
) -> None:
    """Write one HTML page about several runs: a single file that needs no network.

    It has the leaderboard with intervals and tests, two runs topic by topic with their rankings side by side, curves,
    what was not judged, all pairs tested, what each run contributes, and how the runs were made.

    \b
    irkit report run.txt qrels.txt --out report.html
    irkit report runs/*.txt qrels.txt --topics topics.txt --documents documents.jsonl --by category --out report.html
    """
    from irkit.report.page import write_report

    if out != STDIN and Path(out).suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"--out {out}: the name of a report ends in .html; irkit plot writes figures")

    check_apart([*files, *filter(None, [topics, documents])], out)
    runs, qrels = parted(files, least=1, wants="report needs at least one run")
    if options["average"] == "topics" and topics is None:
        raise click.UsageError("--average topics needs --topics FILE, whose topics are averaged")
    try:
        write_report(
            runs,
            qrels,
            out,
            measures=measures or None,
            topics=topics,
            documents=documents,
            by=field,
            baseline=0 if baseline is None else runs.index(baseline) if baseline in runs else baseline,
            title=title,
            depth=depth,
            largest=int(size * 1_000_000),
            command=shlex.join(command_words()),
            **settled(options),
        )
    except FormatError:
        check_order(runs, qrels)
        raise
    if out != STDIN:
        say(f"{out}: {Path(out).stat().st_size / 1e6:.1f} MB", err=False)
