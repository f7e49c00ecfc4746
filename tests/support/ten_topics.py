"""Scores of four systems over ten topics, which the known answers of families of tests are for."""

import numpy as np

# A column a system: A, B, C, D.
D10 = (
    np.array(
        [
            [42, 15, 61, 30, 8, 55, 73, 21, 47, 36],
            [35, 15, 52, 33, 5, 41, 70, 12, 44, 20],
            [40, 11, 58, 24, 9, 50, 69, 24, 38, 31],
            [28, 10, 49, 26, 2, 44, 58, 15, 30, 22],
        ]
    ).T
    / 100
)


def differences_of_pairs(values):
    """A column a pair: AB, AC, AD, BC, BD, CD."""
    first, second = np.triu_indices(np.shape(values)[1], 1)
    return np.asarray(values)[:, first] - np.asarray(values)[:, second]
