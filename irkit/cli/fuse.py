"""`irkit fuse`: fuse several runs into one."""

from pathlib import Path
from typing import Any, Final

import click

from irkit.cli.options import F, filter_options, out_option
from irkit.cli.run_output import ir_metadata_option, write_run
from irkit.errors import UsageError
from irkit.files.textio import STDIN
from irkit.fusion import METHODS, NORMALISATIONS, write_explanation
from irkit.fusion.explain import explained
from irkit.fusion.table import Method, Parameter
from irkit.recipes import Recipe, RecipeInputs
from irkit.recipes.fuse import request_of


def _parameter_options(function: F) -> F:
    """Add an option for each parameter of the fusion methods."""
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


def _list_methods(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
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
@click.option(
    "--method", metavar="METHOD", default="rrf", show_default=True, help="Fusion method; --methods lists all."
)
@click.option(
    "--normalise",
    type=click.Choice(list(NORMALISATIONS)),
    show_default="min-max",
    help="For methods that use scores: how to bring the scores of a topic to one scale.",
)
@_parameter_options
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    show_default="1 each where none is needed",
    help="Weight of a run. Repeat the option, once for each run, in their order.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of documents to keep for each topic.",
)
@click.option(
    "--depth-in",
    type=click.IntRange(min=1),
    show_default="as --depth",
    help="Number of documents to read for each topic of each run.",
)
@click.option("--train-qrels", metavar="QRELS", help="For trained methods: judgments to learn from.")
@click.option("--train-topics", metavar="FILE", help="Topics to learn from.", show_default="all judged")
@click.option(
    "--train-run",
    "train_runs",
    metavar="RUN",
    multiple=True,
    show_default="the runs to fuse, whose topics learned from are left out",
    help="Run to learn from. Repeat the option, once for each run to fuse, in their order.",
)
@click.option(
    "--explain",
    metavar="FILE",
    help="Write the rank and score that each run gave to each document, as TSV, or as JSON lines if FILE ends in "
    ".jsonl.",
)
@click.option(
    "--prior", metavar="FILE", help="Weights of documents, a line 'document<TAB>weight' each. They act as one more run."
)
@click.option("--prior-weight", type=float, show_default="1", help="Weight of the prior among the runs.")
@filter_options
@click.option("--topics", metavar="FILE", help="Topics file with the fields that the filters compare.")
@click.option("--floor", type=float, help="Return nothing for a topic whose best score is below this.")
@click.option(
    "--floor-run", metavar="RUN", show_default="the fused run", help="Run whose best score is compared with --floor."
)
@click.option("--tag", metavar="TAG", show_default="the method", help="Tag of the new run.")
@ir_metadata_option
@out_option
def command(
    runs: tuple[str, ...],
    filters: tuple[str, ...],
    weights: tuple[float, ...],
    explain: str | None,
    header: bool,
    out: str,
    **options: Any,
) -> None:
    """Fuse runs into one. The order of runs matters only for --alpha, --weight and --train-run.

    \b
    irkit fuse bm25.run dense.run --method rrf --k 60 --out rrf.run
    irkit fuse bm25.run dense.run --method linear --alpha 0.3 --out hybrid.run --explain why.tsv
    irkit fuse bm25.run dense.run --prior popularity.tsv --floor 0.3 --floor-run dense.run --out f.run
    irkit fuse bm25.run dense.run --method mapfuse --train-qrels qrels.txt --train-topics train.txt --out trained.run
    """
    read = {role: _paths(options.pop(option)) for role, option in _FILES.items()}
    files = {"runs": _paths(runs), **{role: paths for role, paths in read.items() if paths}}
    _check_together(files, filters, options)
    parameters = {name: value for name, value in options.items() if value is not None}
    if filters:
        parameters["filters"] = list(filters)
    if weights:
        parameters["weights"] = list(weights)
    recipe = Recipe("fuse", {"fusion": parameters.pop("method"), **parameters}, files)
    # The explanation needs the runs a second time, and standard input cannot be read again.
    materials = write_run(recipe, out, RecipeInputs(hold_runs=explain is not None), header=header, beside=explain)
    if explain is not None:
        write_explanation(explain, explained(request_of(recipe, materials)))


# Role of a file in the recipe, and the option that names the file.
_FILES: Final = {
    "training_qrels": "train_qrels",
    "training_topics": "train_topics",
    "training_runs": "train_runs",
    "prior": "prior",
    "topics": "topics",
    "documents": "documents",
    "evidence": "floor_run",
}


def _paths(named: str | tuple[str, ...] | None) -> tuple[Path, ...]:
    return tuple(map(Path, (named,) if isinstance(named, str) else named or ()))


def _check_together(files: dict[str, tuple[Path, ...]], filters: tuple[str, ...], options: dict[str, Any]) -> None:
    if sum(path == Path(STDIN) for paths in files.values() for path in paths) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    if "training_qrels" not in files and files.keys() & {"training_topics", "training_runs"}:
        raise UsageError("--train-topics and --train-run need --train-qrels QRELS, the judgments to learn from")
    if len({bool(filters), "topics" in files, "documents" in files}) > 1:
        raise UsageError("--filter, --topics FILE and --documents FILE go together: the filters look at their fields")
    if "prior" not in files and options["prior_weight"] is not None:
        raise UsageError("--prior-weight needs --prior FILE, the weights of the documents")
    if "evidence" in files and options["floor"] is None:
        raise UsageError("--floor-run needs --floor, the lowest score that is enough evidence")
