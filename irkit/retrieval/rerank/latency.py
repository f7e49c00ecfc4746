"""Time of re-ranking; it is reported, and not kept with the run."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted


@dataclass(frozen=True, slots=True, eq=False)
class Latency:
    """Times of T re-ranked topics, by a monotonic clock.

    Attributes
    ----------
    seconds : float64 array of shape (T,)
        Time to score the documents of each topic, including the encoding of its query, without the loading of the
        model and without computations on documents alone.
    n_pairs : int
        Number of scored pairs of query and document, over all topics.
    n_prepared : int
        Number of document texts encoded without a query, once each as long as they are in memory; 0 for a model that
        reads both together.
    preparing : float
        Seconds for this encoding; an index of these vectors would save them.
    """

    seconds: npt.NDArray[np.float64]
    n_pairs: int
    n_prepared: int = 0
    preparing: float = 0.0

    def __post_init__(self) -> None:
        freeze(self, "seconds")

    @property
    def median(self) -> float:
        """Median of the seconds of a topic; nan without topics."""
        return float(np.median(self.seconds)) if len(self.seconds) else nan

    @property
    def percentile_95(self) -> float:
        """Smallest time within which at least 95 % of topics were finished; nan without topics."""
        return float(np.percentile(self.seconds, 95, method="inverted_cdf")) if len(self.seconds) else nan

    @property
    def total(self) -> float:
        """Seconds of all topics."""
        return float(self.seconds.sum())

    @property
    def pairs_per_second(self) -> float:
        """Number of pairs scored in a second of `total`; nan if `total` is 0."""
        return self.n_pairs / self.total if self.total else nan

    def lines(self, loading: float | None = None) -> Iterator[str]:
        """Yield lines: topics, documents encoded separately, and the time to load the model, if given."""
        if not len(self.seconds):
            return
        yield (
            f"latency of a topic: median {_shown(self.median)}, 95th percentile {_shown(self.percentile_95)}; "
            f"{_shown(self.total)} in all, {_rate(self.pairs_per_second)} pairs a second"
        )
        if self.n_prepared:
            yield f"not included: encoding of {counted(self.n_prepared, 'document')}, {_shown(self.preparing)}"
        if loading is not None:
            yield f"not included: loading the model, {_shown(loading)}"


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}"


def _shown(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
