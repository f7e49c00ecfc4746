"""Scores of four runs over ten topics and of two over 25, for which answers are known; and the tests of a pair."""

import numpy as np

from irkit.stats import (
    bootstrap_shift_test,
    paired_t_test,
    sign_flip_test,
    sign_test,
    studentised_bootstrap_test,
    wilcoxon_test,
)

A = np.array([42, 15, 61, 30, 8, 55, 73, 21, 47, 36]) / 100
B = np.array([35, 15, 52, 33, 5, 41, 70, 12, 44, 20]) / 100
C = np.array([40, 11, 58, 24, 9, 50, 69, 24, 38, 31]) / 100
D = np.array([28, 10, 49, 26, 2, 44, 58, 15, 30, 22]) / 100
X = np.array([41, 22, 67, 35, 10, 58, 79, 28, 50, 33, 62, 18, 45, 71, 5, 38, 54, 27, 66, 13, 49, 31, 57, 24, 44]) / 100
Y = np.array([37, 24, 60, 36, 7, 52, 74, 29, 41, 30, 63, 12, 40, 66, 5, 31, 56, 20, 58, 15, 42, 33, 49, 21, 38]) / 100

TESTS = {
    "t": paired_t_test,
    "sign flip": sign_flip_test,
    "sign": sign_test,
    "Wilcoxon": wilcoxon_test,
    "shift": bootstrap_shift_test,
    "studentised": studentised_bootstrap_test,
}


def scores_of(differences, at=0.5):
    """Scores of candidate and baseline that are so far apart; a multiple of 1/128 is kept exactly."""
    differences = np.asarray(differences, dtype=float)
    return at + differences, np.full(len(differences), at)
