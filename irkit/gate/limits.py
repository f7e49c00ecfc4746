"""How much worse a run may be before the gate fails: tolerances, floors of topics, and which tests decide."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from math import inf, isnan
from typing import Any, Final

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.gate.limit import Limit, check_can_fail, fitting
from irkit.stats import CORRECTIONS, PAIRED_TESTS

_LISTS: Final = ("tolerance", "topic_floor", "topic_drop")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that a run must keep to pass the gate.

    Attributes
    ----------
    tolerance : tuple of Limit
        By how much a mean may fall. Where several fit, the most specific decides: of group and measure, of the group,
        of the measure, of all.
    topic_floor : tuple of Limit
        What no topic may fall below. A topic that was below already may stay there.
    topic_drop : tuple of Limit
        How much no topic may lose.
    only_if_significant : bool
        A drop beyond its tolerance fails only if a paired test, one-sided, shows that there is one.
    non_inferior : float or None
        In place of tolerances: each mean passes only if a t test shows that it fell by less than this margin.
    test, correction : str
        Of `only_if_significant`, as `irkit.compare` takes them.
    level : float
        A p-value below 1 - level shows something.
    fail_if_stale : bool
        A mean that rose by more than its tolerance is not judged: the next drop could not be seen from there.
    """

    tolerance: tuple[Limit, ...] = (Limit(0.02),)
    topic_floor: tuple[Limit, ...] = ()
    topic_drop: tuple[Limit, ...] = ()
    only_if_significant: bool = False
    non_inferior: float | None = None
    test: str = "t"
    correction: str = "holm"
    level: float = 0.95
    fail_if_stale: bool = True

    def __post_init__(self) -> None:
        for name in _LISTS:
            whose = [one.whose for one in getattr(self, name)]
            if twice := [one for place, one in enumerate(getattr(self, name)) if one.whose in whose[:place]]:
                raise UsageError(f"{name} {twice[0]} comes after another one for the same; keep one")
        for name in ("only_if_significant", "fail_if_stale"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name} is True or False, not {getattr(self, name)!r}")
        if self.only_if_significant and self.non_inferior is not None:
            raise UsageError(
                "only_if_significant and non_inferior exclude each other: the one fails what is shown to be worse, the "
                "other passes what is shown to be no worse"
            )
        margin = self.non_inferior
        if margin is not None and not (_is_number(margin) and 0 < margin < inf):
            raise UsageError(f"non_inferior is a margin above 0, in the measure's own unit, got {margin!r}")
        if not (_is_number(self.level) and 0 < self.level < 1):
            raise UsageError(f"level is between 0 and 1, got {self.level!r}")
        for name, value, known in (
            ("test", self.test, PAIRED_TESTS),
            ("correction", self.correction, tuple(CORRECTIONS)),
        ):
            if value not in known:
                raise UsageError(f"there is no {name} {value!r}; {instead(value, known)}")

    @property
    def alpha(self) -> float:
        """The level that p-values are held against."""
        return round(1 - self.level, 12)

    def changed(self, given: Mapping[str, Any], groups: Iterable[str] = ()) -> tuple["Limits", list[str]]:
        """These with others in the place of those for the same measure and group; and a sentence for each that moved.

        What is written `none` takes one away: `nDCG@10=none`. `groups` are those that there are.

        Raises
        ------
        UsageError
            If one is none, or there is no limit of that name.
        """
        changes: dict[str, Any] = {}
        said: list[str] = []
        groups = list(groups)
        for name, value in given.items():
            before = getattr(self, name)
            if name in _LISTS:
                news = tuple(Limit.of(one, groups) for one in _several(name, value))
                replaced = {one.whose for one in news}
                left = (one for one in before if one.whose not in replaced)
                value = (*left, *(one for one in news if not isnan(one.number)))
                if set(value) == set(before):
                    continue
            if value != before:
                changes[name] = value
                said.append(f"{name.replace('_', ' ')} {_written(value)} (in the baseline: {_written(before)})")
        return replace(self, **changes), said

    def check(self, evaluation: Evaluation, groups: Iterable[str]) -> None:
        """Refuse limits for unknown measures or groups, and limits that no run could break.

        Parameters
        ----------
        evaluation : Evaluation
            Of the baseline. A measure is taken to have values up to 1, or up to the largest that it has there.
        groups : iterable of str

        Raises
        ------
        UsageError
            With the nearest name, or the amount that was probably meant.
        """
        measures, groups = list(map(str, evaluation.measures)), list(groups)
        for name in _LISTS:
            for one in getattr(self, name):
                if one.measure is not None and one.measure not in measures:
                    raise UsageError(f"{name} {one}: {one.measure} is not gated; {instead(one.measure, measures)}")
                if one.group is not None and one.group not in groups:
                    raise UsageError(
                        f"{name} {one}: {instead(one.group, groups)}"
                        if groups
                        else f"{name} {one}: there are no groups of topics; name their field ({option(by='FIELD')})"
                    )
                # A limit for all measures decides for those that have none of their own.
                held = (
                    [one.measure]
                    if one.measure is not None
                    else [measure for measure in measures if fitting(getattr(self, name), measure, one.group) == one]
                )
                for measure in held:
                    check_can_fail(name, one, measure, evaluation)
        for measure in measures:
            if self.non_inferior is not None:
                check_can_fail("non_inferior", Limit(self.non_inferior), measure, evaluation)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, limits as they are written."""
        return {
            one.name: list(map(str, value)) if one.name in _LISTS else value
            for one in fields(self)
            for value in [getattr(self, one.name)]
        }


def _several(name: str, value: Any) -> list[Any]:
    """Limits as a tuple: from one limit or a sequence."""
    if isinstance(value, str | float | int | Limit):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise UsageError(
            f"{name} is text or a number such as 0.02 or '2%', or a list of these, not {value!r}; leave it out for "
            "what the baseline has, 'none' removes it"
        )
    return list(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))
