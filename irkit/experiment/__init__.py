"""An experiment in one file: collection, configurations, measures, comparisons."""

from irkit.experiment.config import Experiment, read_experiment
from irkit.experiment.steps import Outcome, run_experiment

__all__ = ["Experiment", "Outcome", "read_experiment", "run_experiment"]
