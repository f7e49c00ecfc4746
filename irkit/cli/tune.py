"""`irkit tune`: choose parameters on development topics, and test them on others."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irkit.cli.options import format_option
from irkit.cli.run_output import command_words
from irkit.cli.stderr import say, show
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN
from irkit.report.text import COMPARISON_FORMATS, render, unsaid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irkit.experiment import Experiment
    from irkit.experiment.tuning_plan import TuningPlan


@click.command("tune")
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.argument("configuration", required=False)
@click.option(
    "--set",
    "space",
    multiple=True,
    metavar="NAME=VALUES",
    help="Parameter and values to try: k1=0.6,0.9,1.2 or b=0.2:0.8:0.2 (start:stop:step). bm25.k1 is a parameter of "
    "configuration bm25, which this one uses. floor=learn learns a floor. Repeat the option for more.",
)
@click.option("-m", "--measure", metavar="MEASURE", show_default="the experiment's first", help="Measure to optimise.")
@click.option(
    "--folds", type=click.IntRange(min=2), show_default="5", help="Number of folds; each topic is tested once."
)
@click.option("--inner", type=click.IntRange(min=2), help="Number of inner folds, for nested cross-validation.")
@click.option("--share", type=float, help="Without folds: share of the topics for development; the others test.")
@click.option(
    "--development", metavar="FILE", help="Without folds: development topics, as a topics file or a list of ids."
)
@click.option("--test", metavar="FILE", help="Without folds: test topics; no topic may be in both files.")
@click.option("--by", metavar="FIELD", help="Split each group of topics evenly, by the values of this topic field.")
@click.option("--seed", type=int, show_default="0", help="Seed of the split, the random search and the sign flips.")
@click.option(
    "--search", type=click.Choice(["grid", "random"]), show_default="grid", help="Try all points, or a random sample."
)
@click.option("-n", "n", type=click.IntRange(min=1), show_default="50", help="Number of points of a random search.")
@click.option(
    "--limit", type=click.IntRange(min=1), show_default="1000", help="Refuse a grid with more points than this."
)
@click.option("--run", metavar="FILE", help="Write the tuned run. Each topic uses parameters chosen without it.")
@click.option("--out", "-o", default=".", show_default=True, metavar="FOLDER", help="Folder of runs/ and build/.")
@format_option(*COMPARISON_FORMATS)
def command(
    experiment: str,
    configuration: str | None,
    space: tuple[str, ...],
    run: str | None,
    out: str,
    form: str,
    **options: Any,
) -> None:
    """Choose parameters of a configuration on some topics, and test them on others.

    Development topics choose among the values; other topics test the choice against the parameters as they are. With no
    CONFIGURATION, what the file says in its [[tuning]] is done. Indexes and runs that a parameter does not touch are
    made once.

    \b
    irkit tune experiment.toml bm25 --set k1=0.6:1.5:0.3 --set b=0.2,0.4,0.75 --folds 5
    irkit tune experiment.toml hybrid --set alpha=0:1:0.1 --development dev.txt --test test.txt
    irkit tune experiment.toml fused --set k=10,60,100 --set floor=learn --measure nDCG@10
    """
    from irkit.experiment import read_experiment
    from irkit.experiment.tuning import Tuning, plan_of

    plan = read_experiment(experiment)
    given = {name: value for name, value in options.items() if value is not None}
    if configuration is None:
        if space or given:
            raise click.UsageError("name a CONFIGURATION to tune; without it, only [[tuning]] in the file counts")
        if not plan.tunings:
            raise click.UsageError(f"{experiment} has no [[tuning]]; name a CONFIGURATION and use --set")
        plans = plan.tunings
    else:
        plans = (plan_of(plan, configuration, space, **given),)
    if run is not None and len(plans) > 1:
        raise click.UsageError("--run FILE takes one tuned run, and there are several; name a CONFIGURATION")
    if run is not None:
        _check_run(plan, plans, run, Path(out))
    shown = []
    for tuning_plan in plans:
        tuning = Tuning(plan, tuning_plan, Path(out), command_words())
        for note in tuning.notes:
            say(note)
        tuned = tuning.tuned()
        for line in unsaid(tuned, form):
            say(line)
        shown.append(render(tuned, form))
        if run is not None:
            tuning.run(tuned).write(run)
    # Several JSON objects form a list; reports in other formats follow each other.
    several = form == "json" and len(shown) > 1
    show(f"[{','.join(shown)}]\n" if several else "\n".join(shown), form)


def _check_run(experiment: "Experiment", plans: "Sequence[TuningPlan]", run: str, out: Path) -> None:
    """Refuse to write the tuned run over a file of the experiment, or to standard output with the report."""
    from irkit.conversion import converted_files

    if run == STDIN:
        raise click.UsageError("the report goes to standard output; name a file for --run")
    splits = (path for plan in plans for path in plan.split.reads)
    reads = (*experiment.other_reads, *experiment.collection_reads, *splits)
    check_apart((*reads, *experiment.writes(out), *converted_files(out, experiment.collection)), run)
