"""`irkit run`: a whole experiment."""

import click

from irkit.cli.say import say
from irkit.experiment import read_experiment, run_experiment
from irkit.report import render, render_comparison


@click.command("run")
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.option("--out", "-o", default=".", show_default=True, metavar="FOLDER", help="Where runs/ and the rest go.")
def command(experiment: str, out: str) -> None:
    """Do the experiment of a file: make its runs, score them, compare them.

    Writes runs/run.COLLECTION.CONFIGURATION.txt. A run is kept as it is while its inputs, parameters and engines
    have not changed, so an experiment that was stopped goes on where it was.
    """
    plan = read_experiment(experiment)
    outcome = run_experiment(plan, out)
    for note in outcome.notes:
        say(f"{plan.collection}: {note}")
    click.echo(render(outcome.evaluations, "table", groups=outcome.groups or None), nl=False)
    for comparison in outcome.comparisons:
        click.echo()
        click.echo(render_comparison(comparison, "table"), nl=False)
