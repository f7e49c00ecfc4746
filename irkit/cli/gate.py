"""`irkit gate`: a run held to the baseline that somebody accepted."""

import traceback
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from irkit.cli.apart import check_apart
from irkit.cli.compare import BASKET
from irkit.cli.options import F, by_option, evaluation_options, topics_option
from irkit.cli.say import say
from irkit.errors import IrkitError
from irkit.gate import accept_baseline, check_regression
from irkit.report import COMPARISON_FORMATS, GATE_FORMATS, render, render_gate, unsaid
from irkit.stats import CORRECTIONS, PAIRED_TESTS
from irkit.textio import write_bytes

_COULD_NOT = 2
_OF_ACCEPTING = ("why", "who", "even_if_worse", "allow_dirty")
_OF_JUDGING = ("junit", "summary", "annotate")


def _limits(name: str, help_: str, shown: str | bool = False) -> Callable[[F], F]:
    return click.option(name, multiple=True, metavar="[[GROUP:]MEASURE=]AMOUNT", show_default=shown, help=help_)


@click.command("gate")
@click.argument("run", metavar="RUN")
@click.argument("qrels", metavar="QRELS")
@click.option("--baseline", required=True, metavar="FILE", help="What was accepted; --accept writes it.")
@_limits(
    "--tolerance",
    "By how much a mean may fall: 0.02, 2% of the baseline's, nDCG@10=0.01, paraphrase:0.05 or paraphrase:RR=5%; "
    "'none' takes one away. Repeat for more; the most special decides.",
    "0.02",
)
@_limits("--topic-floor", "What no topic may fall below; written likewise.")
@_limits("--topic-drop", "What no topic may lose more than; written likewise.")
@click.option(
    "--only-if-significant/--always",
    default=False,
    show_default="--always",
    help="Fail a drop beyond its tolerance only where a one-sided paired test shows it, or always.",
)
@click.option(
    "--non-inferior",
    type=click.FloatRange(min=0),
    metavar="MARGIN",
    help="In place of tolerances: pass only what a t test shows to have fallen by less than this; 0 takes it back.",
)
@click.option(
    "--test", type=click.Choice(PAIRED_TESTS), default="t", show_default=True, help="Of --only-if-significant."
)
@click.option(
    "--correct",
    "correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="How its p-values are corrected for the number of means tested.",
)
@click.option(
    "--level", type=float, default=0.95, show_default=True, help="A p-value below 1 less this shows something."
)
@click.option(
    "--fail-if-stale/--warn-if-stale",
    default=True,
    show_default="--fail-if-stale",
    help="What becomes of a mean that rose by more than it may fall: exit 2 until it is accepted, or a warning.",
)
@click.option(
    "--may-abstain",
    is_flag=True,
    help="A topic that the run lacks is empty on purpose, and scored as an empty ranking.",
)
@click.option(
    "--accept", is_flag=True, help="Write RUN's values to the baseline's file, in the place of what it holds."
)
@click.option("--why", metavar="TEXT", help="With --accept: the reason, for the file.")
@click.option("--by-whom", "who", metavar="NAME", show_default="git's user", help="With --accept: who accepts it.")
@click.option("--even-if-worse", is_flag=True, help="With --accept: also what the baseline before would not let pass.")
@click.option("--allow-dirty", is_flag=True, help="With --accept: also with changes that are not committed.")
@evaluation_options(BASKET)
@by_option("Hold each value of a topic field to its tolerance too.")
@topics_option("Topics file, table or list: where --by takes the field from, and the texts that are shown.")
@click.option("--by-topic", is_flag=True, help="Name every topic that got worse, not only ten.")
@click.option(
    "--format", "form", type=click.Choice(GATE_FORMATS), default="table", show_default=True, help="What is printed."
)
@click.option("--annotate", is_flag=True, help="Print annotations of a GitHub workflow behind it.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML too.")
@click.option("--summary", metavar="FILE", help="Write Markdown too, such as to $GITHUB_STEP_SUMMARY.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    """Hold RUN to a baseline: fail where a measure fell by more than it may.

    Exit code 0: passed. 1: something got worse. 2: the gate could not judge, and is never green: a topic is missing
    from the run, the judgments, topics or conventions are others, a file cannot be read. What is not named here is as
    in the baseline: measures, conventions, groups, limits.

    \b
    irkit gate run.txt qrels.txt --baseline baseline.json --accept --why 'The first one' --by-whom Ada --may-abstain
    irkit gate run.txt qrels.txt --baseline baseline.json
    irkit gate run.txt qrels.txt --baseline baseline.json --junit gate.xml --annotate
    """
    named = {name for name in given if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    other, belongs = (_OF_JUDGING, "stands without") if given["accept"] else (_OF_ACCEPTING, "goes with")
    if stray := [name for name in other if name in named]:
        option = {"who": "by-whom"}.get(stray[0], stray[0].replace("_", "-"))
        raise click.UsageError(f"--{option} {belongs} --accept")
    read = [given["run"], given["qrels"], *filter(None, [given["topics"]])]
    check_apart(read, given["baseline"], given["junit"], given["summary"])
    try:
        return _accept(given, _options(given, named)) if given["accept"] else _judge(given, _options(given, named))
    except IrkitError as problem:
        say(f"irkit: {problem}")
    except (click.ClickException, BrokenPipeError):
        raise
    except Exception:  # whatever it is, nothing was judged
        traceback.print_exc()
        say("irkit: the gate could not run, by a fault of its own; nothing was judged")
    return _COULD_NOT


_NOT_OPTIONS = {"run", "qrels", "baseline", "accept", "may_abstain", "form", "by_topic", *_OF_ACCEPTING, *_OF_JUDGING}


def _options(given: dict[str, Any], named: set[str]) -> dict[str, Any]:
    """What the library is asked, of what was named."""
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
    found = check_regression(**options)
    form, by_topic = given["form"], given["by_topic"]
    for name, its in (("junit", "junit"), ("summary", "markdown")):
        if given[name] is not None:
            write_bytes(given[name], render_gate(found, its, by_topic=by_topic).encode("utf-8"))
    for line in unsaid(found, form):
        say(line)
    click.echo(render_gate(found, form, by_topic=by_topic), nl=False)
    if given["annotate"]:
        click.echo(render_gate(found, "github"), nl=False)
    return found.exit_code


def _accept(given: dict[str, Any], options: dict[str, Any]) -> int:
    if given["why"] is None:
        raise click.UsageError("--accept goes with --why TEXT: the reason, for whoever reads the file's history")
    if given["form"] not in COMPARISON_FORMATS:
        raise click.UsageError(
            f"--format {given['form']} is of the gate's checks; --accept has {', '.join(COMPARISON_FORMATS)}"
        )
    found = accept_baseline(
        why=given["why"],
        who=given["who"],
        even_if_worse=given["even_if_worse"],
        allow_dirty=given["allow_dirty"],
        **options,
    )
    for line in unsaid(found, given["form"]):
        say(line)
    click.echo(render(found, given["form"]), nl=False)
    return 0
