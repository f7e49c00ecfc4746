"""`irkit fuse`: several runs into one."""

import click

from irkit.cli.options import out_option
from irkit.fusion import METHODS, fuse
from irkit.runs import read_run, run_names


@click.command("fuse")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    default="rrf",
    show_default=True,
    help="By ranks, or by scores summed.",
)
@click.option("--k", type=float, show_default="60", help="rrf: the constant added to each rank.")
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    show_default="1 each with rrf",
    help="A run's weight; repeat, one for each run.",
)
@click.option("--depth", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents kept a topic.")
@click.option("--tag", metavar="TAG", show_default="the method", help="The new run's name for itself.")
@out_option
def command(
    runs: tuple[str, ...],
    method: str,
    k: float | None,
    weights: tuple[float, ...],
    depth: int,
    tag: str | None,
    out: str,
) -> None:
    """Fuse runs into one; their order on the command line does not matter.

    \b
    irkit fuse bm25.run dense.run --method rrf --k 60 --out rrf.run
    """
    # One after the other, so that nobody but the fusion holds them.
    read = (read_run(path, name) for path, name in zip(runs, run_names(runs), strict=True))
    options: dict[str, object] = {"depth": depth, "tag": method if tag is None else tag}
    if weights:
        options["weights"] = weights
    if k is not None:
        options["k"] = k
    fuse(read, method, **options).write(out)
