"""All pairs of 20 systems over 250 topics, 100,000 sign flips: seconds, memory, and how long SciPy takes for the same.

`python -m benchmarks.sign_flips`; SciPy is given three pairs, and its time is multiplied.
"""

import os
import resource
import statistics
import time
from itertools import combinations

import numpy as np

from irkit.stats import sign_flip_pvalues

N_SYSTEMS, N_TOPICS, N_FLIPS = 20, 250, 100_000
REPEATS, SCIPY_PAIRS = 5, 3


def main() -> None:
    """Print one line for irkit and one for SciPy."""
    rng = np.random.default_rng(1)
    scores = rng.beta(2, 3, (N_TOPICS, 1)) + rng.normal(0, 0.12, (N_TOPICS, N_SYSTEMS))
    pairs = list(combinations(range(N_SYSTEMS), 2))
    differences = np.column_stack([scores[:, second] - scores[:, first] for first, second in pairs])
    ours = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        found = sign_flip_pvalues(differences, n_resamples=N_FLIPS)
        ours.append(time.perf_counter() - started)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"irkit: {len(pairs)} pairs, {statistics.median(ours):.2f} s (median of {REPEATS}), peak {memory:.0f} MB")
    assert not found.exact.any()
    from scipy.stats import permutation_test

    started = time.perf_counter()
    for column in differences.T[:SCIPY_PAIRS]:
        permutation_test(
            (column,),
            lambda sample, axis: sample.mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=N_FLIPS,
            batch=1000,
            rng=np.random.default_rng(1),
        )
    theirs = (time.perf_counter() - started) / SCIPY_PAIRS * len(pairs)
    print(f"scipy.stats.permutation_test: {theirs:.0f} s, {theirs / statistics.median(ours):.0f} times as long")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
