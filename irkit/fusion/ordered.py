"""Sums that do not show the order in which their terms came."""

import numpy as np
import numpy.typing as npt


def ordered_sum(matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sum of each row, shape (N,), nan left out; terms are added in rising order, whatever column they stand in."""
    ordered = np.sort(matrix, axis=1)
    total = np.zeros(len(ordered))
    with np.errstate(over="ignore", invalid="ignore"):
        for column in ordered.T:
            total += np.where(np.isnan(column), 0.0, column)
    return total
