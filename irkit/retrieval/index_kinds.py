"""The kinds of dense index: their meaning, parameters with defaults and ranges, and FAISS strings.

Defaults follow FAISS's wiki, "Guidelines to choose an index", if it has a rule.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Final

from irkit._utils.text import counted, instead
from irkit.errors import UsageError

PER_CENTROID: Final = 39  # training vectors for each centroid; FAISS warns if there are fewer
MOST_PER_CENTROID: Final = 256  # FAISS takes a sample if there are more


def _parameter(default: int | None, least: int, most: int, rule: str, meaning: str) -> Any:
    """Declare a whole-number parameter; `rule` is its default in words, if it depends on the vectors."""
    return field(default=default, metadata={"least": least, "most": most, "rule": rule, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kind of index, for help and manual.

    Attributes
    ----------
    name, default, meaning : str
    least, most : int
    """

    name: str
    default: str
    least: int
    most: int
    meaning: str


@dataclass(frozen=True, slots=True)
class IndexKind:
    """A kind of index with its parameters.

    Raises
    ------
    UsageError
        If a parameter is out of its range.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    compressed: ClassVar[bool] = False  # the index stores approximations of the vectors

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            if value is None and parameter.default.startswith("by "):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not parameter.least <= value <= parameter.most:
                raise UsageError(
                    f"{self.name} index: {parameter.name} is a whole number from {parameter.least} to "
                    f"{parameter.most}, not {value!r}"
                )

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """List the parameters of the kind."""
        return tuple(
            Parameter(
                field.name,
                field.metadata["rule"] or str(field.default),
                field.metadata["least"],
                field.metadata["most"],
                field.metadata["meaning"],
            )
            for field in fields(cls)
        )

    def settled(self, n: int, dimensions: int) -> "IndexKind":
        """Return the kind with defaults chosen by the number of vectors and their dimensions."""
        return self

    def factory(self) -> str:
        """Return the string for FAISS's `index_factory`; the kind must be settled."""
        raise NotImplementedError

    def n_trained_on(self) -> int:
        """Return the maximum number of vectors for training; 0 without training."""
        return 0


@dataclass(frozen=True, slots=True)
class Flat(IndexKind):
    """All vectors without change; the search is exact."""

    name = "flat"
    meaning = "Every vector is compared: exact. The default; good for up to about a million documents."

    def factory(self) -> str:
        """Return the string for FAISS; see `IndexKind.factory`."""
        return "Flat"


@dataclass(frozen=True, slots=True)
class ScalarQuantised(IndexKind):
    """All vectors, with one byte for each dimension."""

    name = "sq8"
    meaning = "Every vector is compared, with one byte for each dimension: a quarter of the memory."
    compressed = True

    def factory(self) -> str:
        """Return the string for FAISS; see `IndexKind.factory`."""
        return "SQ8"

    def settled(self, n: int, dimensions: int) -> "IndexKind":
        """Check the number of vectors, because the span of each dimension is learned."""
        _check_enough(f"{self.name} index", n, 1, "take flat")
        return self

    def n_trained_on(self) -> int:
        """Return the number of training vectors; see `IndexKind.n_trained_on`."""
        return 100_000


@dataclass(frozen=True, slots=True)
class Hnsw(IndexKind):
    """A graph of neighbours.

    References
    ----------
    Malkov and Yashunin, Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small
    World graphs, 2018.
    """

    name = "hnsw"
    meaning = (
        "A graph of neighbours is searched towards the query: fast and nearly exact. "
        "Needs 8 m bytes more for each vector than flat."
    )

    m: int = _parameter(32, 4, 128, "", "Links of a vector; more links find more documents and need more memory.")
    ef_construction: int = _parameter(
        200,
        8,
        10_000,
        "",
        "Candidates for the links of a vector; more candidates give a better graph, built more slowly.",
    )

    def factory(self) -> str:
        """Return the string for FAISS; see `IndexKind.factory`."""
        return f"HNSW{self.m}"


_LISTS: Final = "by the number n of vectors: 4 sqrt(n), or n / 39 if that is less"


@dataclass(frozen=True, slots=True)
class Ivf(IndexKind):
    """Vectors in lists, each around a centroid.

    References
    ----------
    Sivic and Zisserman, Video Google, 2003; Jegou, Douze and Schmid, Product quantization for nearest neighbor search,
    2011.
    """

    name = "ivf"
    meaning = "Vectors lie in lists around centroids, and the lists nearest to the query are searched."

    n_lists: int | None = _parameter(None, 1, 10_000_000, _LISTS, "Lists; 39 vectors are needed for each.")

    def settled(self, n: int, dimensions: int) -> "IndexKind":
        """Choose the number of lists; see `IndexKind.settled`."""
        return Ivf(_settled_lists(self.name, self.n_lists, n))

    def factory(self) -> str:
        """Return the string for FAISS; see `IndexKind.factory`."""
        return f"IVF{self.n_lists},Flat"

    def n_trained_on(self) -> int:
        """Return the number of training vectors; see `IndexKind.n_trained_on`."""
        return MOST_PER_CENTROID * (self.n_lists or 1)


@dataclass(frozen=True, slots=True)
class IvfPq(IndexKind):
    """Lists as in `Ivf`, with vectors cut into pieces, each replaced by one of 2^bits codes."""

    name = "ivf-pq"
    meaning = "As ivf, with each vector compressed to pq_m * pq_bits bits: for collections that do not fit into memory."
    compressed = True

    n_lists: int | None = _parameter(None, 1, 10_000_000, _LISTS, "Lists; 39 vectors are needed for each.")
    pq_m: int | None = _parameter(
        None,
        1,
        4096,
        "by the dimensions d: d / 4, or the nearest divisor of d below",
        "Pieces that a vector is cut into; they divide its dimensions.",
    )
    pq_bits: int = _parameter(8, 4, 8, "", "Bits for each piece; 39 * 2^bits vectors are needed.")

    def settled(self, n: int, dimensions: int) -> "IndexKind":
        """Choose lists and pieces; see `IndexKind.settled`."""
        fitting = int(math.log2(max(1, n // PER_CENTROID)))
        remedy = f"take {fitting}, or ivf or flat" if fitting >= 4 else "take flat"
        _check_enough(f"{self.name} index of {self.pq_bits} bits", n, PER_CENTROID << self.pq_bits, remedy)
        m = self.pq_m or max(pieces for pieces in range(1, max(1, dimensions // 4) + 1) if dimensions % pieces == 0)
        if dimensions % m:
            near = [pieces for pieces in range(1, dimensions + 1) if dimensions % pieces == 0]
            raise UsageError(
                f"{self.name} index: vectors of {dimensions} dimensions cannot be cut into {m} equal pieces; "
                f"take {min(near, key=lambda pieces: (abs(pieces - m), pieces))}"
            )
        return IvfPq(_settled_lists(self.name, self.n_lists, n), m, self.pq_bits)

    def factory(self) -> str:
        """Return the string for FAISS; see `IndexKind.factory`."""
        return f"IVF{self.n_lists},PQ{self.pq_m}x{self.pq_bits}"

    def n_trained_on(self) -> int:
        """Return the number of training vectors; see `IndexKind.n_trained_on`."""
        return MOST_PER_CENTROID * max(self.n_lists or 1, 1 << self.pq_bits)


KINDS: Final[dict[str, type[IndexKind]]] = {kind.name: kind for kind in (Flat, Hnsw, Ivf, IvfPq, ScalarQuantised)}


# Parameters by name, with the kinds that have them.
KIND_PARAMETERS: Final[dict[str, tuple[Parameter, tuple[str, ...]]]] = {
    parameter.name: (parameter, tuple(other.name for other in KINDS.values() if parameter in other.parameters()))
    for kind in KINDS.values()
    for parameter in kind.parameters()
}


@dataclass(frozen=True, slots=True)
class SearchParameter:
    """A parameter for the search of some kinds of index."""

    name: str
    kinds: tuple[str, ...]
    default: str
    meaning: str


SEARCH_PARAMETERS: Final = (
    SearchParameter(
        "ef_search",
        ("hnsw",),
        "128",
        "Candidates during the search; at least the number of documents to find.",
    ),
    SearchParameter(
        "n_probes",
        ("ivf", "ivf-pq"),
        "a sixteenth of the lists, or as many as hold 8 times the documents to find, if that is more",
        "Lists searched; with all lists the search is exact.",
    ),
)


def kind_of(name: str, parameters: Mapping[str, int | None] | None = None) -> IndexKind:
    """Make a kind of index by name and parameters; None means the default."""
    if name not in KINDS:
        raise UsageError(f"unknown kind of index {name!r}; {instead(name, KINDS)}")
    known = [parameter.name for parameter in KINDS[name].parameters()]
    given = {key: value for key, value in (parameters or {}).items() if value is not None}
    for key in given:
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{name} index: there is no parameter {key!r}; {has}")
    return KINDS[name](**given)


def parameters_of(kind: IndexKind) -> dict[str, int]:
    """Return the parameters of a settled kind by name."""
    return asdict(kind)


def check_search(kind: str, parameters: Mapping[str, int | None]) -> None:
    """Raise UsageError if a search parameter does not exist for this kind of index, or is below 1."""
    for search_parameter in SEARCH_PARAMETERS:
        value = parameters.get(search_parameter.name)
        if value is None:
            continue
        if kind not in search_parameter.kinds:
            raise UsageError(
                f"{search_parameter.name} is for {' and '.join(search_parameter.kinds)} indexes; this index is {kind}: "
                "leave it out"
            )
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise UsageError(f"{search_parameter.name} is a whole number of at least 1, not {value!r}")


def _settled_lists(name: str, n_lists: int | None, n: int) -> int:
    if n_lists is None:
        _check_enough(f"{name} index", n, PER_CENTROID, "take flat")
        return max(1, min(round(4 * math.sqrt(n)), n // PER_CENTROID))
    most = n // PER_CENTROID
    remedy = f"take {most} or fewer, or flat" if most else "take flat"
    _check_enough(f"{name} index of {counted(n_lists, 'list')}", n, PER_CENTROID * n_lists, remedy)
    return n_lists


def _check_enough(what: str, n: int, needed: int, remedy: str) -> None:
    if n < needed:
        raise UsageError(
            f"{what} is trained on {counted(needed, 'vector')} at least, and there {'is' if n == 1 else 'are'} {n}; "
            f"{remedy}"
        )
