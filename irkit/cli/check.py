"""`irkit check`: every fault of files, before they become wrong numbers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from irkit._utils.progress import progress
from irkit.checking import SubmissionRules, check, code_named, mend
from irkit.cli.stderr import show
from irkit.errors import FormatError, UsageError
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN
from irkit.report.text.checks import FORMATS, code_table, explained, render_check
from irkit.report.text.table import TerminalWidth

F = TypeVar("F", bound=Callable[..., Any])


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
@click.option(
    "--out", "-o", metavar="FILE", help="Where the copy of the one file to mend goes, with --fix; - is standard output."
)
@click.option("--tag", metavar="TAG", help="The tag that --fix writes where tags are mixed or forbidden.")
@click.option("--decimal-commas", is_flag=True, help="--fix takes commas in scores for decimal points.")
@click.option("--by-score", is_flag=True, help="--fix takes the scores as meant where ranks contradict them.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How findings are shown."
)
@click.option("--codes", is_flag=True, help="List all faults, and check nothing.")
@click.option("--explain", metavar="CODE", help="Say all about one of them.")
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
    by_score: bool,
    form: str,
    codes: bool,
    explain: str | None,
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
    if codes and explain is not None:
        raise UsageError("--codes lists all faults, --explain says all about one; choose one of the two")
    if codes or explain is not None:
        click.echo(code_table() if explain is None else explained(code_named(explain)), nl=False)
        return 0
    if not fix and (out is not None or tag is not None or decimal_commas or by_score):
        raise UsageError("--out, --tag, --decimal-commas and --by-score say how --fix mends; add --fix")
    if profile is not None:
        check_apart([profile], out)
    held_to = _held_to(profile, rules)
    kinds = {"runs": run, "qrels": qrels, "topics": topics, "documents": documents}
    n_files = len(files) + sum(map(len, kinds.values()))
    shared: dict[str, Any] = {**kinds, "measures": measures or None, "rules": held_to}
    with progress("checking files", n_files) as done:
        if fix:
            wishes: dict[str, Any] = {"tag": tag, "decimal_commas": decimal_commas, "by_score": by_score}
            report = mend(files, out=out, done=done, **wishes, **shared)
        else:
            report = check(files, done=done, **shared)
    to_standard_error = fix and out == STDIN  # where the copy goes to standard output
    stream = sys.stderr if to_standard_error else sys.stdout
    show(render_check(report, form, every=every, screen=TerminalWidth.of(stream)), form, file=stream)
    return int(not report.passes(strict=strict))


def _held_to(file: str | None, rules: dict[str, Any]) -> SubmissionRules:
    """The rules of a file, and those of the command line, which go first."""
    said = {name: value for name, value in rules.items() if value not in (None, False)}
    return SubmissionRules(**{**(_profile(file) if file is not None else {}), **said})


def _profile(file: str) -> dict[str, Any]:
    """The rules of a file.

    Raises
    ------
    UsageError
        With file and line, if it cannot be read or holds a rule that cannot be.
    """
    from irkit.experiment.toml import read_toml

    kinds: dict[str, type] = {"max-per-topic": int, "min-per-topic": int, "tag-pattern": str, "all-topics": bool}
    found: dict[str, Any] = {}
    try:
        table = read_toml(Path(file))
        for key, kind in kinds.items():
            if (value := table.take(key, kind)) is not None:
                found[key.replace("-", "_")] = value
                try:
                    SubmissionRules(**found)
                except UsageError as problem:
                    raise table.error(key, str(problem)) from problem
        table.done()
    except FormatError as problem:
        raise UsageError(str(problem)) from problem
    return found
