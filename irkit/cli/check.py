"""`irkit check`: find faults in files before they become wrong numbers."""

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
@_file_option("run", "Read this file as a run, whatever it looks like. Repeat the option for more.")
@_file_option("qrels", "Read this file as qrels or other judgments, and check every run against it.")
@_file_option("topics", "Read this file as topics.")
@_file_option("documents", "Documents as JSON lines with id and contents; ids in other files must be among them.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    show_default="those of irkit score",
    help="Report ties that could change this measure. Repeat the option for more.",
)
@click.option(
    "--max-per-topic", type=click.IntRange(min=1), metavar="N", help="Error if a topic has more documents than this."
)
@click.option(
    "--min-per-topic", type=click.IntRange(min=1), metavar="N", help="Error if a topic has fewer documents than this."
)
@click.option(
    "--tag-pattern", metavar="REGEX", help="Error if a tag does not match this regular expression as a whole."
)
@click.option("--all-topics", is_flag=True, help="Error if a run lacks a topic of the topics file (or of the qrels).")
@click.option(
    "--profile", metavar="FILE.toml", help="Read the four options above from a file, such as max-per-topic = 1000."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option(
    "--all", "every", is_flag=True, help="Show all findings; by default, the first five of each kind in a file."
)
@click.option("--fix", is_flag=True, help="Write a repaired copy FILE.fixed, list each repair, and check the copy.")
@click.option(
    "--out", "-o", metavar="FILE", help="With --fix and one file: path of the repaired copy; - is standard output."
)
@click.option("--tag", metavar="TAG", help="With --fix: write this tag if tags are mixed or not allowed.")
@click.option("--decimal-commas", is_flag=True, help="With --fix: read a comma in a score as a decimal point.")
@click.option("--by-score", is_flag=True, help="With --fix: if ranks and scores disagree, trust the scores.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")
@click.option("--codes", is_flag=True, help="List all kinds of faults, and check nothing.")
@click.option("--explain", metavar="CODE", help="Explain one kind of fault.")
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
    """Find faults in runs, judgments, topics and documents, with line and remedy.

    The kind of each file is detected from its lines. Runs are checked against the judgments, topics and documents given
    with them. Exit code: 0 if there is no error, 1 if there is an error (with --strict, or a warning), 2 for bad usage.

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
    held_to = _submission_rules(profile, rules)
    kinds = {"runs": run, "qrels": qrels, "topics": topics, "documents": documents}
    n_files = len(files) + sum(map(len, kinds.values()))
    shared: dict[str, Any] = {**kinds, "measures": measures or None, "rules": held_to}
    with progress("checking files", n_files) as done:
        if fix:
            wishes: dict[str, Any] = {"tag": tag, "decimal_commas": decimal_commas, "by_score": by_score}
            report = mend(files, out=out, done=done, **wishes, **shared)
        else:
            report = check(files, done=done, **shared)
    to_standard_error = fix and out == STDIN  # because the copy goes to standard output
    stream = sys.stderr if to_standard_error else sys.stdout
    show(render_check(report, form, every=every, screen=TerminalWidth.of(stream)), form, file=stream)
    return int(not report.passes(strict=strict))


def _submission_rules(file: str | None, rules: dict[str, Any]) -> SubmissionRules:
    """Combine the rules of a file with those of the command line, which take precedence."""
    given = {name: value for name, value in rules.items() if value not in (None, False)}
    return SubmissionRules(**{**(_profile(file) if file is not None else {}), **given})


def _profile(file: str) -> dict[str, Any]:
    """Read submission rules from a TOML file; errors name file and line."""
    from irkit.experiment.toml import read_toml

    kinds: dict[str, type] = {"max-per-topic": int, "min-per-topic": int, "tag-pattern": str, "all-topics": bool}
    profile: dict[str, Any] = {}
    try:
        table = read_toml(Path(file))
        for key, kind in kinds.items():
            if (value := table.take(key, kind)) is not None:
                profile[key.replace("-", "_")] = value
                try:
                    SubmissionRules(**profile)
                except UsageError as problem:
                    raise table.error(key, str(problem)) from problem
        table.done()
    except FormatError as problem:
        raise UsageError(str(problem)) from problem
    return profile
