"""Annotations of a GitHub workflow: lines that its log turns into errors, warnings and notices."""

from collections.abc import Iterator
from typing import Final

from irkit._utils.numerals import four_decimals
from irkit._utils.visible import visible
from irkit.gate.checks import Check
from irkit.gate.result import GateResult
from irkit.report.text.gate import headline, worst_topics

_TITLE: Final = "irkit gate"
_NAMED: Final = 3  # topics named in a line


def command(kind: str, message: str, **properties: str) -> str:
    """Format a workflow command; its message and properties are escaped so that neither ends it or begins another.

    References
    ----------
    GitHub, "Workflow commands for GitHub Actions"; the signs are those of the toolkit's own escaping.
    """
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind}{' ' * bool(given)}{given}::{_data(message)}\n"


def gate(result: GateResult) -> str:
    """Format a line for the verdict, and one for each problem and each group of checks with a reason."""
    kind = "notice" if result.passed else "error"
    return command(kind, headline(result, visible), title=_TITLE) + "".join(_lines(result))


def _lines(result: GateResult) -> Iterator[str]:
    for problem in result.problems:
        yield command("error", visible(f"NOT JUDGED: {problem}"), title=_TITLE)
    # A single line for all checks with the same reason, because GitHub shows at most ten annotations of a step.
    for what, checks, reason in result.reasons:
        kind = "error" if checks[0].verdict != "passed" else "notice" if what == "passed" else "warning"
        worse = _worst(result, checks[0]) if len(checks) == 1 else ""
        yield command(
            kind, visible(f"{what}: {reason}") + worse, title=visible(f"{_TITLE}: {', '.join(map(str, checks))}")
        )


def _worst(result: GateResult, check: Check) -> str:
    if check.verdict != "failed" or not (worse := worst_topics(result, check)):
        return ""
    named = ", ".join(
        visible(f"{change.topic} ({four_decimals(change.baseline)} to {four_decimals(change.now)})")
        for change in worse[:_NAMED]
    )
    more = f" and {len(worse) - _NAMED} more" if len(worse) > _NAMED else ""
    return f"; worse: {named}{more}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
