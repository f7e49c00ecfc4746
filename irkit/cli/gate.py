"""`irkit gate`: compare a run with its accepted baseline."""

import sys
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from irkit._utils.process_end import NO_MEMORY, is_out_of_memory
from irkit._utils.visible import harmless, visible
from irkit.cli.compare import BASKET
from irkit.cli.options import F, by_option, evaluation_options, topics_option
from irkit.cli.stderr import say
from irkit.errors import IrkitError
from irkit.files.overwrite import check_apart
from irkit.files.textio import silence_standard_output, write_bytes
from irkit.gate import accept_baseline, check_regression
from irkit.gate.acceptance import RefusedError
from irkit.report.text import COMPARISON_FORMATS, GATE_FORMATS, render, render_gate, unsaid
from irkit.report.text.gate import headline
from irkit.stats import CORRECTIONS, PAIRED_TESTS

_COULD_NOT = 2
_OF_ACCEPTING = ("why", "who", "even_if_worse", "allow_dirty")
_OF_JUDGING = ("junit", "summary", "annotate")


def _limits(name: str, help_: str, shown: str | bool = False) -> Callable[[F], F]:
    return click.option(name, multiple=True, metavar="[[GROUP:]MEASURE=]AMOUNT", show_default=shown, help=help_)


# Options by heading of the help; options without a heading are under the last one.
_HEADINGS = {
    "What it may lose": (
        *(
            "tolerance",
            "topic_floor",
            "topic_drop",
            "only_if_significant",
            "non_inferior",
            "test",
            "correction",
            "level",
        ),
        "fail_if_stale",
    ),
    "Accepting": ("accept", *_OF_ACCEPTING),
    "Output": ("by_topic", "every", "form", *_OF_JUDGING),
    "Measures, topics and conventions": (),
}


class _Command(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by heading, after those that every use needs."""
        first = {"baseline": "", "may_abstain": ""}
        of = {name: heading for heading, names in _HEADINGS.items() for name in names}
        *_, rest = _HEADINGS
        for heading in ("", *_HEADINGS):
            lines = [
                line
                for param in self.get_params(ctx)
                if isinstance(param, click.Option)
                and {**of, **first}.get(param.name or "", rest) == heading
                and (line := param.get_help_record(ctx))
            ]
            with formatter.section(heading or "Options"):
                formatter.write_dl(lines)


@click.command("gate", cls=_Command)
@click.argument("run", metavar="RUN")
@click.argument("qrels", metavar="QRELS")
@click.option("--baseline", required=True, metavar="FILE", help="File of the accepted baseline; --accept writes it.")
@_limits(
    "--tolerance",
    "How far a mean may fall: 0.02, 2% (of the baseline), nDCG@10=0.01, paraphrase:0.05 or paraphrase:RR=5%. "
    "'none' removes a limit. Repeat the option for more; the most specific one applies.",
    "0.02",
)
@_limits("--topic-floor", "What no topic may fall below; written likewise.")
@_limits("--topic-drop", "What no topic may lose more than; written likewise.")
@click.option(
    "--only-if-significant/--always",
    default=False,
    show_default="--always",
    help="Fail on a drop beyond its tolerance only if a one-sided paired test shows it, or always.",
)
@click.option(
    "--non-inferior",
    type=click.FloatRange(min=0),
    metavar="MARGIN",
    help="Instead of tolerances: pass only if a t test shows that the mean fell by less than this (if differences are "
    "skewed, bootstrap-t must show it too). 0 removes it.",
)
@click.option(
    "--test", type=click.Choice(PAIRED_TESTS), default="t", show_default=True, help="Test of --only-if-significant."
)
@click.option(
    "--correct",
    "correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="Correction of its p-values for the number of means tested.",
)
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level; a result is significant if p < 1 - level.",
)
@click.option(
    "--fail-if-stale/--warn-if-stale",
    default=True,
    show_default="--fail-if-stale",
    help="If a mean rose by more than it may fall: exit with 2 until the new baseline is accepted, or only warn.",
)
@click.option(
    "--may-abstain",
    is_flag=True,
    help="Score a topic that the run lacks as an empty ranking, which the system returned on purpose.",
)
@click.option("--accept", is_flag=True, help="Replace the values in the baseline file by those of RUN.")
@click.option("--why", metavar="TEXT", help="With --accept: the reason, kept in the file.")
@click.option(
    "--by-whom", "who", metavar="NAME", show_default="git's user", help="With --accept: name of the person who accepts."
)
@click.option(
    "--even-if-worse", is_flag=True, help="With --accept: accept a run that fails against the current baseline."
)
@click.option("--allow-dirty", is_flag=True, help="With --accept: allow uncommitted changes in the repository.")
@evaluation_options(BASKET)
@by_option("Also check each group of topics, by the values of this topic field.")
@topics_option("Topics file, table or list, with the field of --by and the texts to show.")
@click.option("--by-topic", is_flag=True, help="List all topics that got worse; by default, ten.")
@click.option("--all", "every", is_flag=True, help="Also show groups that passed and did not change.")
@click.option(
    "--format", "form", type=click.Choice(GATE_FORMATS), default="table", show_default=True, help="Output format."
)
@click.option("--annotate", is_flag=True, help="Also print annotations for a GitHub workflow.")
@click.option("--junit", metavar="FILE", help="Also write JUnit XML.")
@click.option("--summary", metavar="FILE", help="Also write Markdown, such as to $GITHUB_STEP_SUMMARY.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    """Compare RUN with a baseline, and fail if a measure fell by more than it may.

    Exit code 0: passed. 1: something got worse. 2: the gate could not judge, and is never green: a topic is missing
    from the run, the judgments, topics or conventions are others, a file cannot be read; or the run is so much better
    that it has to be accepted. What is not named here is as
    in the baseline: measures, conventions, groups, limits.

    \b
    irkit gate run.txt qrels.txt --baseline baseline.json --accept --why 'The first one' --by-whom Ada --may-abstain
    irkit gate run.txt qrels.txt --baseline baseline.json
    irkit gate run.txt qrels.txt --baseline baseline.json --junit gate.xml --annotate
    """
    named = {name for name in given if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    other, belongs = (_OF_JUDGING, "cannot be used with") if given["accept"] else (_OF_ACCEPTING, "needs")
    if stray := [name for name in other if name in named]:
        option = {"who": "by-whom"}.get(stray[0], stray[0].replace("_", "-"))
        raise click.UsageError(f"--{option} {belongs} --accept")
    read = [given["run"], given["qrels"], *filter(None, [given["topics"]])]
    if given["accept"]:
        check_apart(read, given["baseline"])
    else:
        check_apart([*read, given["baseline"]], given["junit"], given["summary"])
    try:
        return _accept(given, _options(given, named)) if given["accept"] else _judge(given, _options(given, named))
    except RefusedError as refused:
        say(f"irkit: {refused.path}: not accepted:")
        for reason in refused.reasons:
            say(f"  {reason}")
    except IrkitError as problem:
        say(f"irkit: {f'{NO_MEMORY}; nothing was judged' if is_out_of_memory(problem) else problem}")
    except click.ClickException:
        raise
    except Exception as problem:  # after any exception there is no verdict, so the exit code must not be 0 or 1
        if is_out_of_memory(problem):
            say(f"irkit: {NO_MEMORY}; nothing was judged")
            return _COULD_NOT
        click.echo(harmless(traceback.format_exc()), err=True, nl=False)
        say("irkit: the gate could not run because of an error in irkit; nothing was judged")
    return _COULD_NOT


_NOT_OPTIONS = {
    "run",
    "qrels",
    "baseline",
    "accept",
    "may_abstain",
    "form",
    "by_topic",
    "every",
    *_OF_ACCEPTING,
    *_OF_JUDGING,
}


def _options(given: dict[str, Any], named: set[str]) -> dict[str, Any]:
    """Return the arguments of the library call: required ones, and options named on the command line."""
    options = {name: given[name] for name in named - _NOT_OPTIONS}
    if options.get("non_inferior") == 0:
        options["non_inferior"] = None
    if "field" in options:
        options["by"] = options.pop("field")
    return {
        "run": given["run"],
        "qrels": given["qrels"],
        "baseline": given["baseline"],
        "may_abstain": given["may_abstain"],
        **options,
    }


def _judge(given: dict[str, Any], options: dict[str, Any]) -> int:
    result = check_regression(**options)
    form, shown = given["form"], {"by_topic": given["by_topic"], "every": given["every"]}
    text = harmless(render_gate(result, form, **shown), form)
    beside = unsaid(result, form)
    if given["annotate"]:
        text += harmless(render_gate(result, "github"), "github")
    for line in beside:
        say(line)
    problems = [
        *_problems_of("output", lambda: _print(text)),
        *(
            problem
            for name, its in (("junit", "junit"), ("summary", "markdown"))
            if given[name] is not None
            for report in [render_gate(result, its, **shown).encode("utf-8")]
            for problem in _problems_of(given[name], partial(write_bytes, given[name], report))
        ),
    ]
    if any(problem.startswith("output: ") for problem in problems):  # show at least the verdict
        say(headline(result, visible))
    for problem in problems:
        say(f"irkit: {problem}")
    return _COULD_NOT if problems and result.verdict != "failed" else result.exit_code


def _problems_of(place: str, write: Callable[[], None]) -> list[str]:
    """Run a write and return its errors as messages; the verdict does not change."""
    try:
        write()
    except IrkitError as problem:
        return [str(problem)]
    except OSError as problem:
        return [f"{place}: cannot be written: {problem.strerror or problem}"]
    return []


def _print(text: str) -> None:
    """Print and flush, so that a full disk is an error here; a reader that ended early is not an error."""
    try:
        click.echo(text, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        silence_standard_output()
    except OSError:
        silence_standard_output()
        raise


def _accept(given: dict[str, Any], options: dict[str, Any]) -> int:
    if given["why"] is None:
        raise click.UsageError("--accept needs --why TEXT: the reason, for readers of the file's history")
    if given["form"] not in COMPARISON_FORMATS:
        raise click.UsageError(
            f"--format {given['form']} is only for checks; with --accept, use one of {', '.join(COMPARISON_FORMATS)}"
        )
    accepted = accept_baseline(
        why=given["why"],
        who=given["who"],
        even_if_worse=given["even_if_worse"],
        allow_dirty=given["allow_dirty"],
        **options,
    )
    for line in unsaid(accepted, given["form"]):
        say(line)
    problems = _problems_of("output", lambda: _print(harmless(render(accepted, given["form"]), given["form"])))
    for problem in problems:
        say(f"irkit: {problem}; {accepted.baseline.name} was written all the same")
    return _COULD_NOT if problems else 0
