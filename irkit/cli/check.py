"""`irkit check`: every fault of files, before they become wrong numbers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from irkit.checking import SubmissionRules, check, code_named, mend
from irkit.errors import UsageError
from irkit.progress import progress
from irkit.report.checks import FORMATS, code_table, explained, render_check
from irkit.report.table import Screen
from irkit.textio import STDIN

F = TypeVar("F", bound=Callable[..., Any])


def _print_codes(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(code_table(), nl=False)
        context.exit()


def _explain(context: click.Context, _: click.Parameter, code: str | None) -> None:
    if code is not None and not context.resilient_parsing:
        click.echo(explained(code_named(code)), nl=False)
        context.exit()


def _file_option(kind: str, help_: str) -> Callable[[F], F]:
    return click.option(f"--{kind}", kind, multiple=True, metavar="FILE", help=help_)


@click.command("check")
@click.argument("files", nargs=-1, metavar="FILE...")
@_file_option("run", "A file that is a run, whatever it looks like; repeat for more.")
@_file_option("qrels", "The same for qrels and other judgments, which every run is held against.")
@_file_option("topics", "The same for topics.")
@_file_option("documents", "The corpus, as JSON lines with id and contents: which documents there are.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    show_default="those of irkit score",
    help="A measure that ties must not move; repeat for more.",
)
@click.option("--max-per-topic", type=click.IntRange(min=1), metavar="N", help="More documents of a topic: an error.")
@click.option("--min-per-topic", type=click.IntRange(min=1), metavar="N", help="Fewer documents of a topic: an error.")
@click.option("--tag-pattern", metavar="REGEX", help="A tag that this does not match as a whole: an error.")
@click.option("--all-topics", is_flag=True, help="A topic of the topics file (or the qrels) missing: an error.")
@click.option("--profile", metavar="FILE.toml", help="These four rules from a file: max-per-topic = 1000 ...")
@click.option("--strict", is_flag=True, help="Warnings fail the check too.")
@click.option("--all", "every", is_flag=True, help="Show each finding, not the first five of a fault in a file.")
@click.option("--fix", is_flag=True, help="Write a repaired copy, FILE.fixed, say each repair, and check the copy.")
@click.option("--out", "-o", metavar="FILE", help="Where the copy goes, with --fix of one file; - is standard output.")
@click.option("--tag", metavar="TAG", help="The tag that --fix writes where tags are mixed or forbidden.")
@click.option("--decimal-commas", is_flag=True, help="--fix takes commas in scores for decimal points.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How findings are shown."
)
@click.option(
    "--codes", is_flag=True, is_eager=True, expose_value=False, callback=_print_codes, help="List all faults."
)
@click.option(
    "--explain", metavar="CODE", is_eager=True, expose_value=False, callback=_explain, help="Say all about one."
)
def command(
    files: tuple[str, ...],
    run: tuple[str, ...],
    qrels: tuple[str, ...],
    topics: tuple[str, ...],
    documents: tuple[str, ...],
    measures: tuple[str, ...],
    profile: str | None,
    strict: bool,
    every: bool,
    fix: bool,
    out: str | None,
    tag: str | None,
    decimal_commas: bool,
    form: str,
    **rules: Any,
) -> int:
    """Find every fault of runs, judgments, topics and documents, each with its line and what to do about it.

    What a file is, its lines say. Runs are held against the judgments, topics and documents that are named with them.
    Exit code 0 if there is no error, 1 if there is one (with --strict, a warning too), 2 for a wrong request.

    \b
    irkit check run.txt
    irkit check runs/*.txt qrels.txt topics.txt
    irkit check run.txt --max-per-topic 1000 --tag-pattern '[A-Za-z0-9_]{1,20}'
    irkit check run.txt --fix --out mended.txt
    """
    if [*files, *run, *qrels, *topics, *documents].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    if not fix and (out is not None or tag is not None or decimal_commas):
        raise UsageError("--out, --tag and --decimal-commas say how --fix mends; add --fix")
    held_to = _held_to(profile, rules)
    kinds = {"runs": run, "qrels": qrels, "topics": topics, "documents": documents}
    n_files = len(files) + sum(map(len, kinds.values()))
    shared: dict[str, Any] = {**kinds, "measures": measures or None, "rules": held_to}
    with progress("checking files", n_files) as done:
        if fix:
            report = mend(files, out=out, tag=tag, decimal_commas=decimal_commas, done=done, **shared)
        else:
            report = check(files, done=done, **shared)
    to_standard_error = fix and out == STDIN  # where the copy goes to standard output
    screen = Screen.of(sys.stderr if to_standard_error else sys.stdout)
    click.echo(render_check(report, form, every=every, screen=screen), nl=False, err=to_standard_error)
    return int(not report.passes(strict=strict))


def _held_to(file: str | None, rules: dict[str, Any]) -> SubmissionRules:
    """The rules of a file, and those of the command line, which go first."""
    said = {name: value for name, value in rules.items() if value not in (None, False)}
    if file is None:
        return SubmissionRules(**said)
    from irkit.experiment.toml import read_toml

    table = read_toml(Path(file))
    found: dict[str, Any] = {
        "max_per_topic": table.take("max-per-topic", int),
        "min_per_topic": table.take("min-per-topic", int),
        "tag_pattern": table.take("tag-pattern", str),
        "all_topics": table.take("all-topics", bool, False),
    }
    table.done()
    return SubmissionRules(**{**found, **said})
