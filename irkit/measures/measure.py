"""A measure with its parameters, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import PerTopic
from irkit.judgments import AnyJudged
from irkit.measures.family import NEEDS, Family, Summary, TrecName
from irkit.measures.table import FAMILIES
from irkit.qrels import JudgmentKind


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """A measure and its parameters: `nDCG @ 10`, `P(rel=2) @ 10`. Two that mean the same are equal.

    Parameters
    ----------
    name : str
        A name of the table of measures, such as nDCG.
    params : mapping, or tuple of (str, value)
        Kept are those that differ from their defaults, in the order of the table.

    Raises
    ------
    MeasureError
        If there is no such measure, or it cannot have these parameters.
    """

    name: str
    params: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.name not in FAMILIES:
            raise MeasureError(f"unknown measure {self.name!r}; there are {', '.join(FAMILIES)}")
        object.__setattr__(self, "params", _checked(self.family, dict(self.params)))

    @property
    def family(self) -> Family:
        """Its line in the table of measures."""
        return FAMILIES[self.name]

    @property
    def summary(self) -> Summary:
        """How the values of the topics become one: mean, sum or geometric mean."""
        return self.family.summary

    @property
    def normalised(self) -> bool:
        """The value is a share of what could be found, so that the convention about topics without any applies."""
        return self.family.normalised or bool(dict(self.params).get("relative"))

    @property
    def compared(self) -> bool:
        """The summary is a mean of which more is better: what tests over topics say something about."""
        return self.family.quality and self.summary == "mean"

    @property
    def cutoff(self) -> int | None:
        """Depth in documents, if it has one."""
        depth: int | None = dict(self.params).get("cutoff")
        return depth

    @property
    def trec_name(self) -> str | None:
        """What trec_eval prints for this measure when asked for it by name; None where it has none.

        `rel` and `judged_only` are no part of trec_eval's names (they are its options -l and -J), so a measure that
        sets them has none.
        """
        given, defaults = dict(self.params), self.family.defaults()
        printed = (_trec_name(trec, given, defaults) for trec in self.family.trec if trec.printed)
        return next((name for name in printed if name), None)

    @overload
    def __call__(self, judged: AnyJudged, /) -> PerTopic: ...
    @overload
    def __call__(self, **params: Any) -> "Measure": ...
    def __call__(self, *judged: AnyJudged, **params: Any) -> "PerTopic | Measure":
        """One value for each topic of `judged`, shape (T,); or, called with parameters, the measure that has them.

        Raises
        ------
        MeasureError
            If the parameters cannot be, or the measure lacks its cutoff, or does not fit the grades or the kind of
            judgments.
        """
        if not judged:
            return Measure(self.name, tuple({**dict(self.params), **params}.items()))
        if params or len(judged) > 1:
            raise TypeError("give a measure either judged documents or parameters")
        self.check_fits(judged[0].kind)
        given = dict(self.complete().params)
        seen = judged[0].judged_only() if given.pop("judged_only", False) else judged[0]
        return self.family.function(seen, **given)

    def __matmul__(self, depth: float) -> "Measure":
        return self(**{self.family.at: depth})

    def check_fits(self, kind: JudgmentKind) -> None:
        """Refuse to be computed from judgments of this kind.

        Raises
        ------
        MeasureError
            If it is computed from judgments of another kind.
        """
        if kind not in self.family.judgments:
            raise MeasureError(f"{self} needs {NEEDS[self.family.judgments[0]]}, not {NEEDS[kind]}")

    def complete(self) -> "Measure":
        """The measure itself.

        Raises
        ------
        MeasureError
            If it needs a cutoff, or a level of recall, and has none.
        """
        if self.family.needs_cutoff and self.family.at not in dict(self.params):
            what, example = ("a cutoff", 10) if self.family.at == "cutoff" else ("a level of recall", 0.1)
            raise MeasureError(f"{self} needs {what}, such as {self @ example}")
        return self

    def n_findable(self, judged: AnyJudged) -> npt.NDArray[np.int64]:
        """How many documents it could find for each topic, shape (T,): where 0, the topic has no relevant document."""
        return self.family.n_findable(judged, **dict(self.params))

    def __str__(self) -> str:
        at = self.family.at
        shown = ",".join(f"{name}={_shown(value)}" for name, value in self.params if name != at)
        depth = f"@{dict(self.params)[at]}" if at in dict(self.params) else ""
        return f"{self.name}({shown}){depth}" if shown else f"{self.name}{depth}"

    __repr__ = __str__


def _trec_name(trec: TrecName, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
    if any(given.get(name) != value for name, value in trec.fixed):
        return None
    rest = {name: value for name, value in given.items() if name not in dict(trec.fixed)}
    if not rest and trec.takes not in ("cutoffs", "fractions"):
        return trec.name
    if trec.takes == "gains" and rest.keys() <= {"p", "gains"}:
        pairs = [f"p={rest['p']}"] if "p" in rest else []
        return f"{trec.name}_" + ",".join([*pairs, *(f"{grade}={gain}" for grade, gain in rest.get("gains", ()))])
    if not set(rest) <= {trec.parameter}:
        return None
    value = rest.get(trec.parameter, defaults.get(trec.parameter))
    if value is None:
        return None
    match trec.takes:
        case "cutoffs":
            return f"{trec.name}_{value}"
        case "fractions":
            return f"{trec.name}_{value:3.2f}"
        case "numbers":
            return f"{trec.name}_" + ",".join(f"{number:.15g}" for number in value)
        case "beta squared":
            return f"{trec.name}_{value**2:.15g}"
    return None


def _checked(family: Family, given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    known = family.defaults()
    for name in given:
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no parameters"
            raise MeasureError(f"{family.name} {takes}; not {name!r}")
    checked = {}
    for parameter in family.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is not None:
            try:
                value = parameter.read(value)
            except (OverflowError, TypeError, ValueError):
                raise MeasureError(parameter.refusal(family.name, _written(value))) from None
        if value is None and parameter.default is not None:
            raise MeasureError(parameter.refusal(family.name, "None"))
        if value != parameter.default:
            checked[parameter.name] = value
    if family.exclusive and checked.keys() >= set(family.exclusive):
        raise MeasureError(f"{family.name} takes {' or '.join(family.exclusive)}, not both")
    return tuple(checked.items())


def _written(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no whole number of more than some thousand digits
        return "a number of thousands of digits"


def _shown(value: Any) -> str:
    if isinstance(value, tuple) and all(isinstance(pair, tuple) for pair in value):
        return "{" + ",".join(f"{of!r}:{number!r}" for of, number in value) + "}"
    return repr(value).replace(" ", "")
