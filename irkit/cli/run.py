"""`irkit run`: run a whole experiment."""

import click

from irkit.cli.run_output import command_words
from irkit.cli.stderr import say, show
from irkit.experiment import read_experiment, run_experiment
from irkit.report.text import RESULT_FORMATS, render_results


@click.command("run")
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.option(
    "--out", "-o", default=".", show_default=True, metavar="FOLDER", help="Folder for runs/ and other results."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(RESULT_FORMATS)),
    default="table",
    show_default=True,
    help="Output format.",
)
def command(experiment: str, out: str, form: str) -> None:
    """Run the experiment of a file: make its runs, score and compare them.

    Writes runs/run.COLLECTION.CONFIGURATION.txt, each with its record beside it (.provenance.json), and all values to
    build/COLLECTION/evaluation.json.

    A run is kept as it is while its inputs, parameters and engines
    have not changed, so an experiment that was stopped goes on where it was.
    """
    plan = read_experiment(experiment)
    outcome = run_experiment(plan, out, command=command_words())
    for note in outcome.notes:
        say(f"{plan.collection}: {note}")
    shown = render_results(outcome.evaluations, outcome.comparisons, form, groups=outcome.groups or None)
    show(shown, form)
