"""A row of the table of measures: function, parameters, names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from irkit.data.qrels import JudgmentKind
from irkit.judged import PerTopic
from irkit.measures import common
from irkit.measures.parameters import Parameter

Summary = Literal["mean", "sum", "geometric mean"]
Cutoff = Literal["required", "optional", "none"]

TREC_CUTOFFS: Final = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_MULTIPLES: Final = tuple(fifth / 5 for fifth in range(1, 11))


@dataclass(frozen=True, slots=True)
class TrecName:
    """Name of a measure in trec_eval, and its form.

    Attributes
    ----------
    name : str
    takes : {"nothing", "cutoffs", "fractions", "numbers", "gains", "beta squared"}
        What may follow the name after a `.` or `_`: cutoffs and fractions make a measure each, the others one measure.
    parameter : str
        What it is the value of.
    defaults : tuple of numbers
        The cutoffs or fractions that the bare name stands for.
    fixed : tuple of (str, value)
        Parameters that the name stands for.
    printed : bool
        trec_eval itself has this name; if not, it is understood and not printed.
    """

    name: str
    takes: Literal["nothing", "cutoffs", "fractions", "numbers", "gains", "beta squared"] = "nothing"
    parameter: str = "cutoff"
    defaults: tuple[float, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    printed: bool = True


@dataclass(frozen=True, slots=True)
class Family:
    """A measure before its parameters are chosen.

    Attributes
    ----------
    name : str
        As ir_measures spells it, where it has the measure.
    function : callable
        `Judged`, or what its judgments are judged into, and parameters to one value for each topic.
    help : str
    parameters : tuple of Parameter
        In the order in which they are printed.
    needs_cutoff : bool
        It has no value without what is written after its `@`.
    at : str
        The parameter that is written so: the cutoff, or the level of recall.
    exclusive : tuple of str
        Parameters of which only one may be given.
    aliases : tuple of str
    trec : tuple of TrecName
    summary : {"mean", "sum", "geometric mean"}
        How the values of the topics become one.
    normalised : bool
        The value is a share of what could be found, so it has no meaning where nothing could be: the convention
        about topics without relevant documents applies. (`relative=True` makes any measure such a share.)
    n_findable : callable
        `Judged` and parameters to the number of documents that could be found for each topic.
    averaged : callable, optional
        `Judged` and parameters to whether each topic is averaged, whatever the convention about topics without
        relevant documents; all are if not given. It looks at the judgments only, so that every run is averaged over
        the same topics.
    quality : bool
        More of it is a better ranking; only such measures are compared between runs.
    rises : bool
        No value falls where a better document changes places with a worse one that stands above it.
    unit : bool
        Its values lie from 0 to 1, whatever the ranking and the judgments are.
    judgments : tuple of JudgmentKind
        What it can be computed from, the usual kind first.
    """

    name: str
    function: Callable[..., PerTopic]
    help: str
    parameters: tuple[Parameter, ...] = ()
    needs_cutoff: bool = False
    at: str = "cutoff"
    exclusive: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    trec: tuple[TrecName, ...] = ()
    summary: Summary = "mean"
    normalised: bool = False
    n_findable: Callable[..., npt.NDArray[np.int64]] = common.n_relevant
    averaged: Callable[..., npt.NDArray[np.bool_]] | None = None
    quality: bool = True
    judgments: tuple[JudgmentKind, ...] = ("qrels",)
    rises: bool = True
    unit: bool = True

    @property
    def cutoff(self) -> Cutoff:
        """Whether it takes a cutoff."""
        if self.needs_cutoff:
            return "required"
        return "optional" if any(parameter.name == self.at for parameter in self.parameters) else "none"

    def examples(self) -> dict[str, Any]:
        """A value of each parameter that it cannot do without."""
        examples = {parameter.name: parameter.example for parameter in self.parameters if parameter.example is not None}
        return examples | ({self.at: 10 if self.at == "cutoff" else 0.1} if self.needs_cutoff else {})

    def defaults(self) -> dict[str, Any]:
        """Default of each parameter."""
        return {parameter.name: parameter.default for parameter in self.parameters}
