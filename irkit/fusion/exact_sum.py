"""Sums that do not depend on the order of their terms."""

import numpy as np
import numpy.typing as npt


def ordered_sum(matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sum each row, independently of the order of the columns.

    Values are added in rising order, and what each addition rounds off is added at the end: the sum is that of
    `math.fsum` but for the last bit in rare cases.

    Parameters
    ----------
    matrix : float64 array of shape (N, R)
        nan is left out.

    Returns
    -------
    float64 array of shape (N,)
        Not finite where a sum is too large for a float64.

    References
    ----------
    Neumaier, ZAMM 54, 1974: the sum of what is rounded off; here by the six operations of Knuth's TwoSum.
    """
    terms = np.where(np.isnan(matrix.T), -0.0, matrix.T)  # adding -0.0 changes no number, not even -0.0
    total: npt.NDArray[np.float64] = terms[0]
    with np.errstate(over="ignore", invalid="ignore"):
        if len(terms) == 2:
            total += terms[1]  # rounded once; a + b is b + a
        elif len(terms) > 2:
            terms.sort(axis=0)
            lost = np.zeros_like(total)
            for term in terms[1:]:
                before, total = total, total + term
                part = total - before
                lost += (before - (total - part)) + (term - part)
            total += lost
    return total
