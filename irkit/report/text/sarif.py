"""Findings of a check as SARIF, the format that code hosts and editors read.

References
----------
Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS Standard, 27 March 2020.
"""

import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from irkit._utils.options import option, worded
from irkit._utils.visible import visible
from irkit.checking import CODES, CheckReport, Code, Finding

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT: Final = "ROOT"
_STREAMS: Final = {"standard input": "stdin", "standard output": "stdout"}


def log(report: CheckReport) -> dict[str, Any]:
    """Make the log of a check: the rules of the codes found, and a result for each finding.

    Files below the working folder have relative URIs, others absolute ones; links keep their given names. Standard
    input is called `stdin`.
    """
    from irkit._version import __version__

    rules = [CODES[name] for name in report.codes]
    place = {code.name: number for number, code in enumerate(rules)}
    root = Path.cwd()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "irkit", "version": __version__, "rules": [_rule(code) for code in rules]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri()}/"}},
                "results": [_result(finding, place[finding.code], root) for finding in report.findings],
            }
        ],
    }


def _rule(code: Code) -> dict[str, Any]:
    fix = f" {option(fix=True)}: {worded(code.mended)}." if code.mended else ""
    help_ = f"{worded(code.meaning)} Remedy: {worded(code.remedy)}.{fix} trec_eval: {code.trec_eval}"
    return {
        "id": code.name,
        "shortDescription": {"text": worded(code.meaning)},
        "fullDescription": {"text": f"{worded(code.meaning)} ({code.about})"},
        "help": {"text": help_},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(finding: Finding, rule: int, root: Path) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(finding.file, root)}
    if finding.line is not None:
        location["region"] = {"startLine": finding.line}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": visible(f"{finding.message}. Fix: {finding.fix}")},
        "locations": [{"physicalLocation": location}],
    }
    if finding.n > 1:
        result["occurrenceCount"] = finding.n
    return result


def _artifact(file: str, root: Path) -> dict[str, str]:
    if file in _STREAMS:
        return {"uri": _STREAMS[file]}
    path = Path(os.path.normpath(root / file))  # links stay as they were named
    if path.is_relative_to(root):
        return {"uri": quote(path.relative_to(root).as_posix(), errors="surrogateescape"), "uriBaseId": _ROOT}
    return {"uri": path.as_uri()}
