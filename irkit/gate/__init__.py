"""The gate: compare a run with its accepted baseline, and fail a build that got worse."""

from irkit.gate.acceptance import AcceptedBaseline, accept_baseline
from irkit.gate.acceptance_record import Acceptance
from irkit.gate.baseline import Baseline
from irkit.gate.baseline_file import read_baseline
from irkit.gate.checks import Change, Check
from irkit.gate.limit import Limit
from irkit.gate.limits import Limits
from irkit.gate.regression import check_regression
from irkit.gate.result import GateResult

__all__ = [
    "Acceptance",
    "AcceptedBaseline",
    "Baseline",
    "Change",
    "Check",
    "GateResult",
    "Limit",
    "Limits",
    "accept_baseline",
    "check_regression",
    "read_baseline",
]
