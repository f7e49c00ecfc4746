"""`irkit tune`: parameters chosen on development topics, and what they are worth on others."""

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
    help="A parameter and the values to try: k1=0.6,0.9,1.2 or b=0.2:0.8:0.2 (start:stop:step); bm25.k1 for one of a "
    "configuration that this one is made from; floor=learn learns a floor. Repeat for more.",
)
@click.option("-m", "--measure", metavar="MEASURE", show_default="the experiment's first", help="What is tuned for.")
@click.option("--folds", type=click.IntRange(min=2), show_default="5", help="Folds: each topic is tested once.")
@click.option("--inner", type=click.IntRange(min=2), help="Folds within folds: so many inner ones that choose.")
@click.option("--share", type=float, help="No folds: this share of the topics chooses, the others test.")
@click.option("--development", metavar="FILE", help="No folds: the topics that choose, a topics file or a list of ids.")
@click.option("--test", metavar="FILE", help="And the topics that test, none of which may be among those.")
@click.option("--by", metavar="FIELD", help="Spread the values of a topic field evenly, such as a category.")
@click.option("--seed", type=int, show_default="0", help="Of the split, of random search and of sign flips.")
@click.option("--search", type=click.Choice(["grid", "random"]), show_default="grid", help="All points, or some.")
@click.option("-n", "n", type=click.IntRange(min=1), show_default="50", help="Points of a random search.")
@click.option("--limit", type=click.IntRange(min=1), show_default="1000", help="A grid of more points is refused.")
@click.option("--run", metavar="FILE", help="Write the tuned run: each topic by parameters that it did not choose.")
@click.option("--out", "-o", default=".", show_default=True, metavar="FOLDER", help="Where runs/ and build/ are.")
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
    """Tune parameters of a configuration of an experiment, without fooling yourself.

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
            raise click.UsageError("name the CONFIGURATION that is tuned, or leave all to the [[tuning]] of the file")
        if not plan.tunings:
            raise click.UsageError(f"{experiment} has no [[tuning]]; name a configuration and what to --set")
        plans = plan.tunings
    else:
        plans = (plan_of(plan, configuration, space, **given),)
    if run is not None and len(plans) > 1:
        raise click.UsageError("--run FILE takes one tuned run, and there are several; name a CONFIGURATION")
    if run is not None:
        _check_run(plan, plans, run, Path(out))
    shown = []
    for one in plans:
        tuning = Tuning(plan, one, Path(out), command_words())
        for note in tuning.notes:
            say(note)
        found = tuning.tuned()
        for line in unsaid(found, form):
            say(line)
        shown.append(render(found, form))
        if run is not None:
            tuning.run(found).write(run)
    # Several objects of JSON are a list; anything else stands one below the other.
    several = form == "json" and len(shown) > 1
    show(f"[{','.join(shown)}]\n" if several else "\n".join(shown), form)


def _check_run(experiment: "Experiment", plans: "Sequence[TuningPlan]", run: str, out: Path) -> None:
    """Refuse to write the tuned run over a file of the experiment, or among the lines of the report."""
    from irkit.conversion import converted_files

    if run == STDIN:
        raise click.UsageError("standard output has the report; name a file for --run")
    splits = (path for one in plans for path in one.split.reads)
    reads = (*experiment.other_reads, *experiment.collection_reads, *splits)
    check_apart((*reads, *experiment.writes(out), *converted_files(out, experiment.collection)), run)
