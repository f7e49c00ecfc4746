"""JUnit XML, for build servers."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from irkit._utils.numerals import four_decimals, signed
from irkit._utils.visible import visible
from irkit.gate.checks import Check
from irkit.gate.result import GateResult
from irkit.report.text.gate import headline, worst_topics


def gate(result: GateResult) -> str:
    """Format a test case for each check: a failure if it failed, an error if it was not judged or is stale.

    A problem that prevents the whole judgment is an error of its own test case, so that the file is never empty.
    """
    failures, errors = len(result.of("failed")), len(result.of("not judged")) + len(result.of("stale"))
    problems = result.problems or (("nothing was held to the baseline",) if not result.checks else ())
    counts = f'tests="{len(result.checks) + len(problems)}" failures="{failures}" errors="{errors + len(problems)}"'
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="irkit gate" {counts}>',
            f'  <testsuite name={_quoted(f"irkit gate: {result.run}")} {counts} skipped="0">',
            *(_problem(result, number, problem) for number, problem in enumerate(problems, 1)),
            *(_case(result, check) for check in result.checks),
            *_system_out(result),
            "  </testsuite>",
            "</testsuites>",
            "",
        )
    )


def _problem(result: GateResult, number: int, problem: str) -> str:
    return (
        f'    <testcase classname={_quoted(result.run)} name="gate, problem {number}">\n'
        f'      <error type="not judged" message={_quoted(problem)}/>\n'
        "    </testcase>"
    )


def _case(result: GateResult, check: Check) -> str:
    head = f"    <testcase classname={_quoted(result.run)} name={_quoted(str(check))}"
    body = "".join(f"      {line}\n" for line in _outcome(result, check))
    return f"{head}>\n{body}    </testcase>" if body else f"{head}/>"


def _outcome(result: GateResult, check: Check) -> Iterator[str]:
    reason = check.reason or "the run cannot be held to this baseline"
    if check.verdict in ("not judged", "stale"):
        yield f'<error type="{check.verdict}" message={_quoted(reason)}/>'
    elif check.verdict == "failed":
        topics = "".join(
            f"{_text(worse.topic)}: {four_decimals(worse.baseline)} to {four_decimals(worse.now)} "
            f"({signed(worse.change)})\n"
            for worse in worst_topics(result, check)
        )
        yield f'<failure type="failed" message={_quoted(reason)}>{topics}</failure>'
    elif check.reason:
        yield f"<system-out>{_text(reason)}</system-out>"


def _system_out(result: GateResult) -> Iterator[str]:
    lines = [headline(result, visible), *map(visible, result.notes)]
    yield f"    <system-out>{escape(chr(10).join(lines))}\n    </system-out>"


def _quoted(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape(visible(text))
