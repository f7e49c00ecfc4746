"""pytest plugin of the gate: a test fails if a run is worse than its baseline, or cannot be judged.

pytest loads this module in every session of an environment that has irkit, so it imports nothing of irkit before a test
asks for it.
"""

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from irkit.data.runs import RunSource
    from irkit.gate import GateResult
    from irkit.gate.baseline import BaselineSource
    from irkit.judged.kinds import JudgmentsSource

Gate = Callable[..., "GateResult"]

_FILES: Final = ("qrels", "baseline", "topics")


class GateWarning(UserWarning):
    """Warning for a passed gate with a note, such as a stale baseline."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the settings for files that the tests of a project share."""
    for name in _FILES:
        parser.addini(f"irkit_{name}", f"irkit: the {name} of irkit_gate, where a test names none")


def assert_no_regression(
    run: "RunSource", qrels: "JudgmentsSource", baseline: "BaselineSource", **options: Any
) -> "GateResult":
    """Fail if a run is worse than its baseline.

    Parameters
    ----------
    run : path, dict, table or Run
        Any input of `irkit.evaluate`.
    qrels : path, dict, table or Qrels
    baseline : path
        File written by `irkit.accept_baseline`.
    **options
        Options of `irkit.check_regression`: `topics`, `measures`, `tolerance` ...

    Returns
    -------
    GateResult
        Result of a run that passed. A note of the gate is given as a `GateWarning`.

    Raises
    ------
    AssertionError
        If a measure got worse by more than it may, or the run could not be judged; the message has the measures and
        topics that got worse.
    UsageError
        If an option is invalid.
    """
    __tracebackhide__ = True
    from irkit.gate import check_regression

    return _passed(check_regression(run=run, qrels=qrels, baseline=baseline, **options))


def _passed(result: "GateResult") -> "GateResult":
    """Return the result if the run passed; else raise AssertionError."""
    __tracebackhide__ = True
    from irkit._utils.visible import harmless, visible

    if not result.passed:
        from irkit.report.text import TerminalWidth, render_gate

        text = render_gate(result, every=True, screen=TerminalWidth())
        raise AssertionError(harmless(text).rstrip("\n"))
    for word, checks, reason in result.reasons:
        if word == "passed":  # not a reason for a warning
            continue
        text = visible(f"{word}: {', '.join(map(str, checks))}: {reason}")
        warnings.warn(harmless(text), GateWarning, stacklevel=3)
    return result


@pytest.fixture
def irkit_gate(request: pytest.FixtureRequest) -> Gate:
    """`assert_no_regression` for the tests of a project: `irkit_gate(run, qrels=None, baseline=None, **options)`.

    By default, qrels, baseline and topics are `irkit_qrels`, `irkit_baseline` and `irkit_topics` in the configuration
    of pytest. Relative paths start at the root folder of the tests, wherever pytest was started. The means become
    properties of the test in the JUnit file of pytest, if there is one.
    """
    config = request.config

    def placed(source: Any) -> Any:
        return config.rootpath / source if isinstance(source, str | os.PathLike) else source

    def gate(run: Any, qrels: Any = None, baseline: Any = None, *, topics: Any = None, **options: Any) -> "GateResult":
        __tracebackhide__ = True
        from irkit.gate import check_regression

        given = {"qrels": qrels, "baseline": baseline, "topics": topics}
        usual = {name: config.getini(f"irkit_{name}") or None for name in _FILES}
        named = {name: placed(usual[name] if value is None else value) for name, value in given.items()}
        for name in ("qrels", "baseline"):
            if named[name] is None:
                where = config.inipath.name if config.inipath else "pytest.ini or pyproject.toml"
                raise pytest.UsageError(
                    f"irkit_gate needs {name}: give them, or set irkit_{name} for all tests in {where}"
                )
        result = check_regression(run=placed(run), **named, **options)
        for check in result.checks:
            if check.kind == "mean":
                # Same effect as `record_property`, without its warning about a JUnit schema that lacks properties.
                request.node.user_properties.append((f"irkit {check}", check.now))
        return _passed(result)

    return gate
