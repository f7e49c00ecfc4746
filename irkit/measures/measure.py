"""A measure with its parameters, as a value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from irkit.data.qrels import JudgmentKind
from irkit.errors import MeasureError
from irkit.judged import PerTopic
from irkit.judged.kinds import NEEDS, AnyJudged
from irkit.measures.family import Family, Summary, TrecName
from irkit.measures.table import FAMILIES


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
            raise MeasureError(
                f"unknown measure {self.name!r}; 'irkit measures' lists those that there are; define one's own first"
            )
        object.__setattr__(self, "params", _checked(self.family, dict(self.params)))

    def __reduce__(self) -> tuple[type["Measure"], tuple[str, tuple[tuple[str, Any], ...]]]:
        # So that one of another process's own is refused where it is not defined.
        return Measure, (self.name, self.params)

    @staticmethod
    def define(
        name: str,
        function: Callable[..., Any],
        *,
        help: str = "",
        summary: Summary = "mean",
        normalised: bool = False,
        quality: bool = True,
    ) -> "Measure":
        """Define a measure of your own and add it to the table, so that its name is understood everywhere.

        Parameters
        ----------
        name : str
            A word that names no measure yet.
        function : callable
            Takes `Judged` of T topics and gives a number for each, shape (T,). What else it takes are parameters of the
            measure, with its defaults: `cutoff`, `rel`, `p`, `beta`, `max_rel`, `dcg`, and `gains`, which come as pairs
            (grade, gain). One without a default has to be given. `judged_only` is a parameter of every measure: the
            function sees the documents that are left.
        help : str
            What it measures; the first line of the function's docstring if not given.
        summary : {"mean", "sum", "geometric mean"}
            How the values of the topics become one.
        normalised : bool
            The value is a share of what could be found, so that the convention about topics without relevant documents
            applies.
        quality : bool
            More of it is a better ranking; only such measures are compared.

        Returns
        -------
        Measure

        Raises
        ------
        MeasureError
            If the name is taken or is no word, or the function takes something else. When it is computed: if the result
            is not one finite number for each topic.
        """
        from irkit.measures.user_defined import define

        return define(name, function, help=help, summary=summary, normalised=normalised, quality=quality)

    @property
    def family(self) -> Family:
        """Its line in the table of measures."""
        return FAMILIES[self.name]

    @property
    def summary(self) -> Summary:
        """How the values of the topics are combined: mean, sum or geometric mean."""
        return self.family.summary

    @property
    def normalised(self) -> bool:
        """Whether the value is a share of the possible; the convention `no_relevant` applies to such measures only."""
        given = dict(self.params)
        return bool(given.get("relative", self.family.normalised and given.get("normalize", True)))

    @property
    def compared(self) -> bool:
        """Whether the summary is a mean with higher values better, so that tests over topics apply."""
        given = dict(self.params)
        rises = given.get("of", "EU") in ("EU", "ETU") and not given.get("residual")
        return self.family.quality and self.summary == "mean" and rises

    @property
    def unit(self) -> bool:
        """Whether all values are from 0 to 1."""
        given = dict(self.params)
        gain = given.get("of", "EU") == "EU" and not given.get("residual")
        named = min(dict(given.get("gains") or ()), default=0) < 0
        return self.family.unit and self.summary != "sum" and gain and not named

    def rises(self, *, fractional: bool = False) -> bool:
        """Whether no value falls if a better document moves above a worse one.

        Gains that are named may fall where grades rise; between `fractional` grades those that are not named do.
        """
        given = dict(self.params)
        gains = dict(given.get("gains") or ())
        if not self.family.rises or given.get("of", "EU") != "EU" or given.get("residual"):
            return False
        if fractional or min(gains, default=0) < 0:
            return not gains
        return all(gains.get(one - 1, one - 1) <= gain <= gains.get(one + 1, one + 1) for one, gain in gains.items())

    @property
    def cutoff(self) -> int | None:
        """Cutoff in documents, if the measure has one."""
        depth: int | None = dict(self.params).get("cutoff")
        return depth

    @property
    def trec_name(self) -> str | None:
        """Name that trec_eval prints for this measure; None if it has none.

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
            If it needs a cutoff, a level of recall, or another parameter, and has none.
        """
        examples = self.family.examples()
        lacking = {name: example for name, example in examples.items() if name not in dict(self.params)}
        if lacking:
            words = {"cutoff": "a cutoff", "recall": "a level of recall"}
            *others, last = (words.get(name, name) for name in lacking)
            what = f"{', '.join(others)} and " if others else ""
            raise MeasureError(f"{self} needs {what}{last}, such as {self(**lacking)}")
        return self

    def n_findable(self, judged: AnyJudged) -> npt.NDArray[np.int64]:
        """Number of relevant documents that the measure counts for each topic, shape (T,)."""
        return self.family.n_findable(judged, **dict(self.params))

    def averaged(self, judged: AnyJudged) -> npt.NDArray[np.bool_] | None:
        """Whether each topic is averaged, shape (T,); None where all are, whatever they hold."""
        averaged = self.family.averaged
        return None if averaged is None else averaged(judged, **dict(self.params))

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
                large = ", which is too large" if isinstance(value, int | float) and value > 2**63 - 1 else ""
                raise MeasureError(f"{parameter.refusal(family.name, _written(value))}{large}") from None
        if value is None and parameter.default is not None:
            raise MeasureError(parameter.refusal(family.name, "None"))
        if value != parameter.default:
            checked[parameter.name] = value
    # That some grades gain nothing goes with any formula for the others.
    said = {name for name, value in checked.items() if name != "gains" or any(gain for _, gain in value)}
    if family.exclusive and said >= set(family.exclusive):
        raise MeasureError(f"{family.name} takes {' or '.join(family.exclusive)}, not both")
    return tuple(checked.items())


def _written(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no whole number of more than some thousand digits
        return "a number of thousands of digits"


def _shown(value: Any) -> str:
    if isinstance(value, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        return "{" + ",".join(f"{of!r}:{number!r}" for of, number in value) + "}"
    return repr(value).replace(" ", "")
