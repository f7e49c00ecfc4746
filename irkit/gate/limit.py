"""One limit of the gate: amount, measure, group, and whether a run could break it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Final

import numpy as np

from irkit.errors import MeasureError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.measures import parse_measure

Written = str | float
_AMOUNT: Final = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """Number with the measure and the group of topics it applies to; None means all.

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
        """Parse `0.02`, `2%`, `nDCG@10=0.01`, `paraphrase:0.05` or `paraphrase:nDCG@10=5%`.

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


def check_can_fail(name: str, limit: Limit, measure: str, evaluation: Evaluation) -> None:
    """Refuse an amount outside the range of the measure, such as 2 in place of 2%."""
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
        for limit in limits:
            if limit.whose == whose:
                return limit
    return None
