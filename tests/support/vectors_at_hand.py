"""Encoders to calculate by hand, for the tests of dense retrieval."""

import numpy as np


class Letters:
    """Counts of the first letters of the alphabet, scaled to length 1; reads five signs."""

    name = "letters"
    max_length = 5

    def __init__(self, dimensions=3):
        self.dimensions = dimensions
        self.identity = f"letters {dimensions}"
        self.encoded = []

    def encode(self, texts):
        self.encoded += texts
        counts = np.array([[text.count(chr(97 + n)) for n in range(self.dimensions)] for text in texts], np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)

    def truncated(self, texts):
        return np.array([len(text) > self.max_length for text in texts])


class Given:
    """The vector of a text is the one given for it."""

    name = "given"
    identity = "given"
    max_length = 100

    def __init__(self, vectors, **said):
        self.vectors = vectors
        self.dimensions = len(next(iter(vectors.values())))
        vars(self).update(said)

    def encode(self, texts):
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    def truncated(self, texts):
        return np.zeros(len(texts), dtype=bool)


def unit_vectors(n, dimensions, seed):
    """Random directions."""
    drawn = np.random.default_rng(seed).standard_normal((n, dimensions)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def grid_vectors(n, dimensions, seed):
    """Whole numbers of 1,024ths from -1/2 to 1/2, so that 32-bit sums of some products are exact in any order."""
    drawn = np.random.default_rng(seed).integers(-512, 513, (n, dimensions))
    return (drawn / 1024).astype(np.float32)


def exact(matrix, queries, ids, k):
    """The first k ids of each query by plain NumPy: score to six decimals falling, then id falling."""
    scores = np.round(queries.astype(np.float64) @ matrix.astype(np.float64).T, 6)
    return [[name for _, name in sorted(zip(row.tolist(), ids, strict=True), reverse=True)[:k]] for row in scores]
