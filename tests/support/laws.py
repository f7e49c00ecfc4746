"""A law is tried on every case at once, so that one example serves them all and everything that breaks it is named."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def holds_for(cases: Iterable[Case], law: Callable[[Case], object]) -> None:
    """Name each case that breaks the law, and how."""
    tried, broken = 0, {}
    for case in cases:
        tried += 1
        try:
            law(case)
        except Exception as error:
            broken[str(case)] = f"{type(error).__name__}: {error}"
    assert tried
    assert not broken, "\n".join(f"{case}: {how}" for case, how in broken.items())
