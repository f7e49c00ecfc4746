"""JUnit XML, for build servers."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from irkit._utils.numerals import four_decimals, signed
from irkit._utils.visible import visible
from irkit.gate.checks import Check
from irkit.gate.result import GateResult
from irkit.report.text.gate import headline, worst_topics


def gate(found: GateResult) -> str:
    """A test case for each check: a failure where it failed, an error where it could not be judged or is stale.

    What kept all of it from being judged is an error of a case of its own, so that no such file is without one.
    """
    failures, errors = len(found.of("failed")), len(found.of("not judged")) + len(found.of("stale"))
    problems = found.problems or (("nothing was held to the baseline",) if not found.checks else ())
    counts = f'tests="{len(found.checks) + len(problems)}" failures="{failures}" errors="{errors + len(problems)}"'
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="irkit gate" {counts}>',
            f'  <testsuite name={_quoted(f"irkit gate: {found.run}")} {counts} skipped="0">',
            *(_problem(found, number, problem) for number, problem in enumerate(problems, 1)),
            *(_case(found, check) for check in found.checks),
            *_said(found),
            "  </testsuite>",
            "</testsuites>",
            "",
        )
    )


def _problem(found: GateResult, number: int, problem: str) -> str:
    return (
        f'    <testcase classname={_quoted(found.run)} name="gate, problem {number}">\n'
        f'      <error type="not judged" message={_quoted(problem)}/>\n'
        "    </testcase>"
    )


def _case(found: GateResult, check: Check) -> str:
    head = f"    <testcase classname={_quoted(found.run)} name={_quoted(str(check))}"
    body = "".join(f"      {line}\n" for line in _outcome(found, check))
    return f"{head}>\n{body}    </testcase>" if body else f"{head}/>"


def _outcome(found: GateResult, check: Check) -> Iterator[str]:
    reason = check.reason or "the run cannot be held to this baseline"
    if check.verdict in ("not judged", "stale"):
        yield f'<error type="{check.verdict}" message={_quoted(reason)}/>'
    elif check.verdict == "failed":
        topics = "".join(
            f"{_text(one.topic)}: {four_decimals(one.baseline)} to {four_decimals(one.now)} ({signed(one.change)})\n"
            for one in worst_topics(found, check)
        )
        yield f'<failure type="failed" message={_quoted(reason)}>{topics}</failure>'
    elif check.reason:
        yield f"<system-out>{_text(reason)}</system-out>"


def _said(found: GateResult) -> Iterator[str]:
    lines = [headline(found, visible), *map(visible, found.notes)]
    yield f"    <system-out>{escape(chr(10).join(lines))}\n    </system-out>"


def _quoted(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape(visible(text))
