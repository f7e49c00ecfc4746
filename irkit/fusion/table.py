"""Table of all fusion methods, in display order.

Help, command line, manual and tests are read from it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Final, Literal

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.fusion import by_rank, by_score, elections, trained
from irkit.fusion.arguments import is_number
from irkit.fusion.union import Matrix
from irkit.fusion.votes import Vector
from irkit.judged import Judged


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a fusion method.

    Attributes
    ----------
    name : str
    default : float or None
        None: it has to be given, or the method does without (`optional`).
    fits : callable
        Whether a number of its kind is in its range.
    takes : str
        That range in words.
    help : str
    kind : {float, int}
    optional : bool
    """

    name: str
    default: float | None
    fits: Callable[[float], bool]
    takes: str
    help: str
    kind: type[float] | type[int] = float
    optional: bool = False

    def read(self, value: Any, method: str) -> float:
        """Parse the value as a number."""
        right = is_number(value) and (self.kind is float or isinstance(value, Integral))
        if not right or not self.fits(value):
            raise UsageError(f"{self.name} of {method} must be {self.takes}, got {value!r}")
        return self.kind(value)


@dataclass(frozen=True, slots=True)
class Method:
    """A fusion method.

    Attributes
    ----------
    name : str
    aliases : tuple of str
        Other names that are understood, those of ranx among them.
    function : callable
        Takes `Votes` and the parameters. Gives what each run adds to the score of each document, shape (N, R), nan
        where it adds nothing; or the scores themselves, shape (N,), where they are no sum over the runs.
    by : {"scores", "ranks"}
        What it goes by. Scores are normalised first.
    parameters : tuple of Parameter
    weights : {"none", "optional", "needed"}
        Whether a run may have, or must have, a weight.
    learn : callable, optional
        Learns an array for a run from its judged documents; takes the parameters too that it has in common with the
        method.
    """

    name: str
    aliases: tuple[str, ...]
    function: Callable[..., Matrix | Vector]
    by: Literal["scores", "ranks"]
    parameters: tuple[Parameter, ...] = ()
    weights: Literal["none", "optional", "needed"] = "none"
    learn: Callable[..., Vector] | None = None

    @property
    def help(self) -> str:
        """Description in a line."""
        return (self.function.__doc__ or "").partition("\n")[0].rstrip(".")

    @property
    def known(self) -> tuple[str, ...]:
        """Names of all arguments that `fuse` takes with this method."""
        return (
            *(parameter.name for parameter in self.parameters),
            *(("weights",) if self.weights != "none" else ()),
            *(("normalise",) if self.by == "scores" else ()),
            *(("training",) if self.learn else ()),
            "depth",
            "depth_in",
            "tag",
        )


def _above(least: float) -> Callable[[float], bool]:
    return lambda value: value > least


K: Final = Parameter("k", 60.0, _above(0), "a finite number above 0", "added to each rank")
GAMMA: Final = Parameter(
    "gamma",
    None,
    lambda gamma: abs(gamma) <= 100,
    "a number from -100 to 100",
    "how much it counts that several runs found a document: 0 nothing, 1 as in CombMNZ",
)
SIGMA: Final = Parameter(
    "sigma",
    0.01,
    lambda sigma: sigma >= 1e-9,
    "a finite number of at least 1e-09",
    "added to the number of runs, whose logarithm is taken",
)
PHI: Final = Parameter(
    "phi", 0.8, lambda phi: 0 < phi < 1, "a number between 0 and 1", "how likely a reader goes on to the next rank"
)
ALPHA: Final = Parameter(
    "alpha",
    None,
    lambda alpha: 0 <= alpha <= 1,
    "a number from 0 to 1",
    "weight of the first of two runs, 1 - alpha that of the second; in place of weights",
    optional=True,
)
SEGMENTS: Final = Parameter(
    "n_segments",
    None,
    lambda n: 1 <= n <= 10_000,
    "a whole number from 1 to 10000",
    "segments into which each list is cut",
    int,
)
WINDOW: Final = Parameter(
    "w", 5, lambda w: 0 <= w <= 1000, "a whole number from 0 to 1000", "ranks looked at on either side", int
)

_SCORES: Final = Method("combsum", ("sum",), by_score.comb_sum, "scores")
_RANKS: Final = Method("isr", (), by_rank.isr, "ranks")


def _trained(
    name: str, function: Callable[..., Matrix], learn: Callable[[Judged], Vector] | Callable[..., Vector], **more: Any
) -> Method:
    return replace(_RANKS, name=name, function=function, learn=learn, **more)


METHODS: Final = {
    method.name: method
    for method in (
        Method("rrf", (), by_rank.rrf, "ranks", (K,), "optional"),
        Method("linear", ("wsum",), by_score.linear, "scores", (ALPHA,), "needed"),
        _SCORES,
        replace(_SCORES, name="combmnz", aliases=("mnz",), function=by_score.comb_mnz),
        replace(_SCORES, name="combanz", aliases=("anz",), function=by_score.comb_anz),
        replace(_SCORES, name="combgmnz", aliases=("gmnz",), function=by_score.comb_gmnz, parameters=(GAMMA,)),
        replace(_SCORES, name="combmax", aliases=("max",), function=by_score.comb_max),
        replace(_SCORES, name="combmin", aliases=("min",), function=by_score.comb_min),
        replace(_SCORES, name="combmed", aliases=("med",), function=by_score.comb_med),
        Method("wmnz", (), by_score.wmnz, "scores", weights="needed"),
        Method("mixed", (), by_score.mixed, "scores", weights="needed"),
        _RANKS,
        replace(_RANKS, name="log_isr", function=by_rank.log_isr),
        replace(_RANKS, name="logn_isr", function=by_rank.logn_isr, parameters=(SIGMA,)),
        replace(_RANKS, name="rbc", function=by_rank.rbc, parameters=(PHI,)),
        Method("borda", ("bordafuse", "w_bordafuse"), elections.borda, "ranks", weights="optional"),
        Method("condorcet", ("w_condorcet",), elections.condorcet, "ranks", weights="optional"),
        _trained("probfuse", trained.probfuse, trained.learn_segments, parameters=(SEGMENTS,)),
        _trained("segfuse", trained.segfuse, trained.learn_growing_segments, by="scores"),
        _trained("slidefuse", trained.slidefuse, trained.learn_positions, parameters=(WINDOW,)),
        _trained("posfuse", trained.posfuse, trained.learn_positions),
        _trained("mapfuse", trained.mapfuse, trained.learn_average_precision),
        _trained("bayesfuse", trained.bayesfuse, trained.learn_log_odds),
    )
}


def method_named(name: Any) -> Method:
    """Return the method with this name or alias."""
    for method in METHODS.values():
        if isinstance(name, str) and name in (method.name, *method.aliases):
            return method
    raise UsageError(f"unknown fusion method {name!r}; {instead(name, METHODS)}")
