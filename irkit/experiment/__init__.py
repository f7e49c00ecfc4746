"""An experiment in one file: collection, configurations, measures, comparisons."""

from irkit.experiment.config import read_experiment
from irkit.experiment.execute import ExperimentResult, run_experiment
from irkit.experiment.plan import Experiment

__all__ = ["Experiment", "ExperimentResult", "read_experiment", "run_experiment"]
