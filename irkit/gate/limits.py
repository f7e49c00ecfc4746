"""How much worse a run may be before the gate fails: tolerances, floors of topics, and which tests decide."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import inf, isnan, nan
from typing import Any, Final

import numpy as np

from irkit.errors import MeasureError, UsageError
from irkit.evaluation import Evaluation
from irkit.measures import parse_measure
from irkit.spelling import instead
from irkit.stats import CORRECTIONS, PAIRED_TESTS

Written = str | float
_AMOUNT: Final = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """A number, and for which measure and which group of topics it is; None stands for every one.

    Attributes
    ----------
    number : float
        In the measure's own unit; with `relative` in percent of the baseline's value.
    relative : bool
    measure, group : str or None
    """

    number: float
    relative: bool = False
    measure: str | None = None
    group: str | None = None

    @classmethod
    def of(cls, written: Written, groups: Iterable[str] = ()) -> "Limit":
        """What is written `0.02`, `2%`, `nDCG@10=0.01`, `paraphrase:0.05` or `paraphrase:nDCG@10=5%`.

        `none` in the place of the number is nan: no limit, where another one is changed. Of the groups that there are,
        the longest one that the text begins with is meant: their names may hold ':' and '='.

        Raises
        ------
        UsageError
            If it is no such text, or the number is negative or not finite.
        """
        text = str(written).strip()
        # The last '=' and the last ':' divide, since a measure may hold the one (P(rel=2)@10) and a group the other.
        known = max((one for one in groups if text.startswith(f"{one}:")), key=len, default=None)
        rest = text if known is None else text[len(known) + 1 :]
        whose, equals, amount = rest.rpartition("=")
        if not equals and ":" in rest:
            whose, _, amount = rest.rpartition(":")
            whose += ":"
        group, colon, name = whose.rpartition(":") if known is None else (known, ":", whose)
        amount = amount.strip()
        relative = amount.endswith("%")
        plain = amount.removesuffix("%").rstrip()
        number = nan if amount == "none" else float(plain) if _AMOUNT.fullmatch(plain) else inf
        if number == inf or (equals and not name.strip()) or (colon and not group.strip()):
            raise UsageError(
                f"{text!r} is no limit; write an amount from 0 on in plain digits such as 0.02 or 2%, perhaps after "
                "a measure, as in nDCG@10=0.01, or a group of topics, as in paraphrase:0.05 and "
                "paraphrase:nDCG@10=0.05; 'none' takes one away"
            )
        try:
            measure = str(parse_measure(name.strip())) if name.strip() else None
        except MeasureError as problem:
            raise UsageError(f"{text!r}: {problem}") from None
        return cls(number, relative, measure, (known or group.strip()) or None)

    def __str__(self) -> str:
        amount = repr(self.number).removesuffix(".0") + "%" * self.relative
        group = "" if self.group is None else f"{self.group}:"
        return group + amount if self.measure is None else f"{group}{self.measure}={amount}"

    @property
    def whose(self) -> tuple[str | None, str | None]:
        """Measure and group."""
        return self.measure, self.group

    def at(self, value: float) -> float:
        """The number in the measure's own unit, where the baseline has this value."""
        return self.number / 100 * abs(value) if self.relative else self.number


_LISTS: Final = ("tolerance", "topic_floor", "topic_drop")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the gate holds a run to.

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
        """Refuse what would hold nothing: a limit for what there is not, and one that no run could break.

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
                        else f"{name} {one}: there are no groups of topics; name their field with by (--by FIELD)"
                    )
                # A limit for all measures decides for those that have none of their own.
                held = (
                    [one.measure]
                    if one.measure is not None
                    else [measure for measure in measures if fitting(getattr(self, name), measure, one.group) == one]
                )
                for measure in held:
                    _check_can_fail(name, one, measure, evaluation)
        for measure in measures:
            if self.non_inferior is not None:
                _check_can_fail("non_inferior", Limit(self.non_inferior), measure, evaluation)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, limits as they are written."""
        return {
            one.name: list(map(str, value)) if one.name in _LISTS else value
            for one in fields(self)
            for value in [getattr(self, one.name)]
        }


def _several(name: str, value: Any) -> list[Any]:
    """The limits written: one, or a sequence of them.

    Raises
    ------
    UsageError
        If it is neither.
    """
    if isinstance(value, str | float | int | Limit):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise UsageError(
            f"{name} is text or a number such as 0.02 or '2%', or a list of these, not {value!r}; leave it out for "
            "what the baseline has, 'none' takes it away"
        )
    return list(value)


def _check_can_fail(name: str, limit: Limit, measure: str, evaluation: Evaluation) -> None:
    """Refuse an amount that lies beyond the values of the measure, such as 2 where 2% was meant."""
    number, values = limit.number, np.abs(evaluation.by_topic(measure))
    largest = max(1.0, np.nanmax(values, initial=0.0))
    if name == "topic_floor":
        if number > 0 and number <= (100 if limit.relative else largest):
            return
        why = "nothing falls below 0" if number == 0 else "no topic could stay above it"
    elif limit.relative:
        if number < 100:
            return
        why = "nothing falls by more than the whole"
    else:
        mean = abs(evaluation.value(measure))
        most = largest if name == "topic_drop" or limit.group is not None or isnan(mean) else max(1.0, mean)
        if number < most:
            return
        why = f"{measure} cannot fall by more than {most:g}"
    meant = number / 100 if limit.relative else number
    remedy = f"did you mean {meant:g}%?" if 0 < meant < 100 else "write 0.02 or 2%"
    raise UsageError(f"{name} {limit} would hold nothing, since {why}; {remedy if number else 'leave it out'}")


def fitting(limits: Sequence[Limit], measure: str, group: str | None) -> Limit | None:
    """The most specific of the limits for a measure and a group of topics, None standing for all; None if none fits."""
    for whose in ((measure, group), (None, group), (measure, None), (None, None)):
        for one in limits:
            if one.whose == whose:
                return one
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))
