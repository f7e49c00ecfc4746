"""Parameters of measures and their domains."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Final

from irkit.measures.gains import TOP_EXPONENT
from irkit.measures.interpolated import ELEVEN_LEVELS


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure.

    Attributes
    ----------
    name : str
    default : object
        None: the measure does without.
    takes : str
        What it may be, in words.
    read : callable
        The value in its one hashable form; raises ValueError or TypeError where it cannot be.
    help : str
    example : object
        One value that it may be, where the measure has no value without it; None: the measure does without.
    """

    name: str
    default: Any
    takes: str
    read: Callable[[Any], Any]
    help: str
    example: Any = None

    def refusal(self, measure: str, written: str) -> str:
        """Message that refuses a value."""
        verb = "are" if self.name.endswith("s") else "is"
        return f"the {self.name} of {measure} {verb} {self.takes}; not {written}"


def whole(lowest: int, highest: int | None = None) -> Callable[[Any], int]:
    """A reader of whole numbers in this range."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError
        number = int(value)
        if number < lowest or (highest is not None and number > highest):
            raise ValueError
        return number

    return read


def number(fits: Callable[[float], bool]) -> Callable[[Any], float]:
    """A reader of the numbers that fit."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError
        number = float(value)
        if not fits(number):
            raise ValueError
        return number

    return read


LARGEST: Final = 1e100  # so that no product of it leaves the range of a number


def is_some(size: float) -> bool:
    """Whether it is 0 or more, within reason."""
    return 0.0 <= size < LARGEST


def is_probability(share: float) -> bool:
    """Whether it is from 0 to 1."""
    return 0.0 <= share <= 1.0


_share = number(is_some)


def by_grade(lowest: int, fits: Callable[[float], bool]) -> Callable[[Any], tuple[tuple[int, float], ...]]:
    """Make a reader of numbers by grade from `lowest` on: at least one pair, each value accepted by `fits`."""

    def read(value: Any) -> tuple[tuple[int, float], ...]:
        pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, Mapping) else value
        table = {grade_of(grade): number_of(worth) for grade, worth in pairs}
        if not table:
            raise ValueError
        # 3.0 becomes 3, so that equal tables are printed alike
        return tuple((grade, int(x) if x.is_integer() else x) for grade, x in sorted(table.items()))

    grade_of, number_of = whole(lowest, INT64_MAX), number(fits)
    return read


def _levels(value: Any) -> tuple[float, ...]:
    levels = tuple(sorted(map(_share, value)))
    if not levels:
        raise ValueError
    return levels


def _weights(value: Any) -> tuple[float, ...]:
    weights = tuple(map(number(lambda weight: abs(weight) < LARGEST), value))
    if len(weights) != 4:
        raise ValueError
    return weights


def flag(value: Any) -> bool:
    """Read True or False."""
    if not isinstance(value, bool):
        raise TypeError
    return value


def _dcg(value: Any) -> str:
    if value not in ("log2", "exp-log2"):
        raise ValueError
    return str(value)


def _gains(value: Any) -> tuple[tuple[int, float], ...]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, Mapping) else value
    grade_of, table = whole(-2, INT64_MAX), {}
    for grade, gain in pairs:
        if isinstance(gain, bool) or not isinstance(gain, Real):
            raise TypeError
        number = float(gain)
        if not 0 <= number <= 2.0**TOP_EXPONENT:
            raise ValueError
        # 3.0 becomes 3, so that equal tables are printed alike
        table[grade_of(grade)] = int(number) if number.is_integer() else number
    return tuple((grade, gain) for grade, gain in sorted(table.items()) if gain != max(grade, 0))


INT64_MAX: Final = 2**63 - 1

CUTOFF: Final = Parameter(
    "cutoff", None, "a whole number of at least 1", whole(1, INT64_MAX), "depth in documents, written @10"
)
REL: Final = Parameter("rel", 1, "a grade of at least 0", whole(0, INT64_MAX), "lowest grade that counts as relevant")
REL_IF_ANY: Final = Parameter(
    "rel", None, REL.takes, REL.read, "lowest grade that counts as relevant; without it the grades weigh"
)
JUDGED_ONLY: Final = Parameter(
    "judged_only", False, "True or False", flag, "leave out the documents that nobody judged; ranks close up"
)
DCG: Final = Parameter(
    "dcg", "log2", "'log2' or 'exp-log2'", _dcg, "gain of a grade: the grade, or 2 ** grade - 1 (exp-log2)"
)
GAINS: Final = Parameter(
    "gains",
    (),
    "gains of 0 or more by grade, such as {1: 3, 2: 9}",
    _gains,
    "gains in place of grades (-1: not in the pool, -2: pooled and not judged); unnamed grades keep their own",
)
PERSISTENCE: Final = Parameter(
    "p",
    0.8,
    "a number between 0 and 1",
    number(lambda p: 0.0 < p < 1.0),
    "probability of going on to the next document",
)
BETA: Final = Parameter(
    "beta", 1.0, "a number of at least 0", _share, "how many times more recall weighs than precision"
)
MAX_REL: Final = Parameter(
    "max_rel", 4, f"a grade from 1 to {TOP_EXPONENT}", whole(1, TOP_EXPONENT), "top of the grade scale"
)
MAX_REL_OF_QRELS: Final = Parameter(
    "max_rel", None, "a grade of at least 1", whole(1, INT64_MAX), "top of the grade scale; that of the qrels"
)
PERSISTENCE_OF_TREC: Final = replace(PERSISTENCE, default=0.9)
RECALL: Final = Parameter(
    "recall", None, "a number of at least 0", _share, "share of the relevant documents, written @0.1"
)
RECALLS: Final = Parameter(
    "recalls",
    ELEVEN_LEVELS,
    "numbers of at least 0, such as (0.25, 0.5, 0.75)",
    _levels,
    "shares of the relevant documents at which precision is taken",
)
MULTIPLE: Final = Parameter(
    "mult", 1.0, "a number of at least 0", _share, "rank looked at, in numbers of relevant documents"
)
WEIGHTS: Final = Parameter(
    "weights",
    (1.0, -1.0, 0.0, 0.0),
    "four numbers",
    _weights,
    "what a document counts: relevant and retrieved, other and retrieved, relevant and missed, neither",
)
COLLECTION: Final = Parameter(
    "collection", 0, "a whole number of at least 0", whole(0, INT64_MAX), "documents in the collection"
)
RELATIVE: Final = Parameter("relative", False, "True or False", flag, "as a share of what so many documents could hold")
