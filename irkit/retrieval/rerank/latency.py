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
    """The times of T re-ranked topics, by a monotonic clock.

    Attributes
    ----------
    seconds : float64 array of shape (T,)
        To score the documents of each topic, its query encoded among it. Neither loading the model nor what is computed
        of documents alone is in it.
    n_pairs : int
        Query and document, scored in all topics together.
    n_prepared : int
        Texts of documents that were encoded without a query, once each as long as they are held; 0 for a model that
        reads both together.
    preparing : float
        Seconds that took: what an index of such vectors would save.
    """

    seconds: npt.NDArray[np.float64]
    n_pairs: int
    n_prepared: int = 0
    preparing: float = 0.0

    def __post_init__(self) -> None:
        freeze(self, "seconds")

    @property
    def median(self) -> float:
        """Of the seconds of a topic; nan where there is none."""
        return float(np.median(self.seconds)) if len(self.seconds) else nan

    @property
    def percentile_95(self) -> float:
        """The least of the seconds within which 95 of 100 topics, or more, were done; nan where there is none."""
        return float(np.percentile(self.seconds, 95, method="inverted_cdf")) if len(self.seconds) else nan

    @property
    def total(self) -> float:
        """Seconds of all topics."""
        return float(self.seconds.sum())

    @property
    def pairs_per_second(self) -> float:
        """Pairs scored in a second of `total`; nan where the clock saw none pass."""
        return self.n_pairs / self.total if self.total else nan

    def lines(self, loading: float | None = None) -> Iterator[str]:
        """The topics, the documents encoded apart, and the seconds to load the model, if given; a line each."""
        if not len(self.seconds):
            return
        yield (
            f"latency of a topic: median {_shown(self.median)}, 95th percentile {_shown(self.percentile_95)}; "
            f"{_shown(self.total)} in all, {_rate(self.pairs_per_second)} pairs a second"
        )
        if self.n_prepared:
            yield f"not in it: encoding {counted(self.n_prepared, 'document')} apart, {_shown(self.preparing)}"
        if loading is not None:
            yield f"not in it: loading the model, {_shown(loading)}"


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}"


def _shown(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
