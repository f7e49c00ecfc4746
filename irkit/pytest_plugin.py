"""The gate as a test: a run that got worse than its baseline fails it, and so does one that could not be judged.

pytest loads this module in every session of an environment that has irkit, so it imports nothing of irkit before a test
asks for it.
"""

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from irkit.gate import GateResult
    from irkit.gate.baseline import BaselineSource
    from irkit.kinds import JudgmentsSource
    from irkit.runs import RunSource

Gate = Callable[..., "GateResult"]

_FILES: Final = ("qrels", "baseline", "topics")


class GateWarning(UserWarning):
    """The gate passed and has something to say, such as that its baseline is stale."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The files that the tests of a project share, set in its configuration."""
    for name in _FILES:
        parser.addini(f"irkit_{name}", f"irkit: the {name} of irkit_gate, where a test names none")


def assert_no_regression(
    run: "RunSource", qrels: "JudgmentsSource", baseline: "BaselineSource", **options: Any
) -> "GateResult":
    """Hold a run to its baseline.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `irkit.evaluate` takes.
    qrels : path, dict, table or Qrels
    baseline : path
        What `irkit gate --accept` or `irkit.accept_baseline` wrote.
    **options
        As `irkit.check_regression` takes them: `topics`, `measures`, `tolerance` ...

    Returns
    -------
    GateResult
        Of a run that passed. What it has to say all the same is a `GateWarning`.

    Raises
    ------
    AssertionError
        If a measure got worse by more than it may, or the run could not be judged; with the measures and the topics
        that got worse.
    UsageError
        If an option is none.
    """
    __tracebackhide__ = True
    from irkit.gate import check_regression

    return _passed(check_regression(run=run, qrels=qrels, baseline=baseline, **options))


def _passed(found: "GateResult") -> "GateResult":
    """The result, if it is one of a run that passed."""
    __tracebackhide__ = True
    if not found.passed:
        from irkit.report import Screen, render_gate

        raise AssertionError(render_gate(found, screen=Screen()).rstrip("\n"))
    for word, checks, reason in found.reasons:
        warnings.warn(f"{word}: {', '.join(map(str, checks))}: {reason}", GateWarning, stacklevel=3)
    return found


@pytest.fixture
def irkit_gate(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Gate:
    """`assert_no_regression` for the tests of a project: `irkit_gate(run, qrels=None, baseline=None, **options)`.

    Qrels, baseline and topics are those of `irkit_qrels`, `irkit_baseline` and `irkit_topics` in the configuration of
    pytest where a test names none. Relative paths count from the root folder of the tests, wherever pytest was started.
    The means go into the JUnit file of pytest, if there is one, as properties of the test.
    """
    config = request.config

    def placed(source: Any) -> Any:
        return config.rootpath / source if isinstance(source, str | os.PathLike) else source

    def gate(run: Any, qrels: Any = None, baseline: Any = None, *, topics: Any = None, **options: Any) -> "GateResult":
        __tracebackhide__ = True
        from irkit.gate import check_regression

        given = {"qrels": qrels, "baseline": baseline, "topics": topics}
        usual = {name: config.getini(f"irkit_{name}") or None for name in _FILES}
        named = {name: placed(usual[name] if one is None else one) for name, one in given.items()}
        for name in ("qrels", "baseline"):
            if named[name] is None:
                raise pytest.UsageError(f"irkit_gate needs {name}: give them, or set irkit_{name} for all tests")
        found = check_regression(run=placed(run), **named, **options)
        for check in found.checks:
            if check.kind == "mean":
                record_property(f"irkit {check}", check.now)
        return _passed(found)

    return gate
