"""`irkit fuse`: several runs into one."""

from typing import Any

import click

from irkit.cli.options import F, out_option
from irkit.cli.say import say
from irkit.errors import UsageError
from irkit.fusion import METHODS, NORMALISATIONS, Training, write_explanation
from irkit.fusion.explain import explained
from irkit.fusion.request import requested
from irkit.fusion.table import Method, Parameter
from irkit.runs import read_run, run_names
from irkit.textio import STDIN


def _parameter_options(function: F) -> F:
    """An option for each parameter that a method has."""
    takers: dict[str, list[str]] = {}
    parameters: dict[str, Parameter] = {}
    for method in METHODS.values():
        for parameter in method.parameters:
            takers.setdefault(parameter.name, []).append(method.name)
            parameters[parameter.name] = parameter
    for name, parameter in reversed(parameters.items()):
        function = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=parameter.kind,
            show_default=None if parameter.default is None else f"{parameter.default:g}",
            help=f"{', '.join(takers[name])}: {parameter.help}.",
        )(function)
    return function


def _list_methods(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        for method in METHODS.values():
            click.echo(_line(method))
        context.exit()


def _line(method: Method) -> str:
    also = f" (or {', '.join(method.aliases)})" if method.aliases else ""
    takes = [f"--{parameter.name.replace('_', '-')}" for parameter in method.parameters]
    takes += ["--weight"] if method.weights != "none" else []
    takes += ["--train-qrels"] if method.learn else []
    return f"{method.name}{also}: {method.help}. By {method.by}{'; ' + ' '.join(takes) if takes else ''}"


@click.command("fuse")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--methods", is_flag=True, is_eager=True, expose_value=False, callback=_list_methods, help="List the methods."
)
@click.option("--method", metavar="METHOD", default="rrf", show_default=True, help="One of those of --methods.")
@click.option(
    "--normalise",
    type=click.Choice(list(NORMALISATIONS)),
    show_default="min-max",
    help="Methods by scores: how the scores of a topic are brought to one scale.",
)
@_parameter_options
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    show_default="1 each where none is needed",
    help="A run's weight; repeat, one for each run.",
)
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents kept a topic.")
@click.option(
    "--depth-in", type=click.IntRange(min=1), show_default="as --depth", help="Documents read from each run a topic."
)
@click.option("--train-qrels", metavar="QRELS", help="Trained methods: judgments to learn from.")
@click.option("--train-topics", metavar="FILE", help="Topics to learn from.", show_default="all judged")
@click.option(
    "--train-run",
    "train_runs",
    metavar="RUN",
    multiple=True,
    show_default="the runs to fuse, whose topics learned from are left out",
    help="A run to learn from; repeat, one for each run to fuse, in their order.",
)
@click.option(
    "--explain",
    metavar="FILE",
    help="Write what each run said of each document: a table with tabs, or JSON lines if it ends in .jsonl.",
)
@click.option("--tag", metavar="TAG", show_default="the method", help="The new run's name for itself.")
@out_option
def command(
    runs: tuple[str, ...],
    weights: tuple[float, ...],
    train_qrels: str | None,
    train_topics: str | None,
    train_runs: tuple[str, ...],
    explain: str | None,
    out: str,
    **options: Any,
) -> None:
    """Fuse runs into one; their order on the command line does not matter.

    \b
    irkit fuse bm25.run dense.run --method rrf --k 60 --out rrf.run
    irkit fuse bm25.run dense.run --method linear --alpha 0.3 --out hybrid.run --explain why.tsv
    irkit fuse bm25.run dense.run --method mapfuse --train-qrels qrels --train-topics train.txt --out trained.run
    """
    if [*runs, *train_runs].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    request = requested(
        # One after the other, so that nobody but the fusion holds them.
        (read_run(path, name) for path, name in zip(runs, run_names(runs), strict=True)),
        weights=weights or None,
        training=_training(train_qrels, train_topics, train_runs),
        **{name: value for name, value in options.items() if value is not None},
    )
    for note in request.notes:
        say(note)
    request.run().write(out)
    if explain is not None:
        write_explanation(explain, explained(request))


def _training(qrels: str | None, topics: str | None, runs: tuple[str, ...]) -> Training | None:
    if qrels is None:
        if topics is not None or runs:
            raise UsageError("--train-topics and --train-run go with --train-qrels QRELS, the judgments to learn from")
        return None
    return Training(
        qrels,
        topics,
        (read_run(path, name) for path, name in zip(runs, run_names(runs), strict=True)) if runs else None,
    )
