"""An experiment in one file: collection, configurations, measures, comparisons."""

from irkit.experiment.config import read_experiment
from irkit.experiment.execute import Outcome, run_experiment
from irkit.experiment.plan import Experiment

__all__ = ["Experiment", "Outcome", "read_experiment", "run_experiment"]
