"""Faults of files, found before they become wrong numbers."""

from irkit.checking.checker import check
from irkit.checking.codes import CODES, Code, code_named
from irkit.checking.findings import CheckedFile, CheckReport, Finding, Repair, Repaired
from irkit.checking.repaired_copies import mend
from irkit.checking.submission import SubmissionRules

__all__ = [
    "CODES",
    "CheckReport",
    "CheckedFile",
    "Code",
    "Finding",
    "Repair",
    "Repaired",
    "SubmissionRules",
    "check",
    "code_named",
    "mend",
]
