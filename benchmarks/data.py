"""Runs and qrels of a shape, made from its seed: `python -m benchmarks.data passage` prints the folder they are in."""

import gzip
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.shapes import SHAPES, VECTORS, Shape, Vectors

N_QUERIES = 1_102_433  # of MS MARCO; its development set begins with 1048585
FIRST_QUERY = 1_048_585
N_PASSAGES = 8_841_823
N_ABSTRACTS, ABSTRACT_LENGTH, N_WORDS = 11_429, 41, 8_000  # of Vaswani: documents, words in one, different words
N_ARTICLES = 320_000  # FT911-1 to FT944-20000: four years, four quarters, 20,000 articles


def write(shape: Shape) -> None:
    """Make the files of a shape, unless they are there."""
    if shape.qrels.exists():
        return
    shape.folder.mkdir(parents=True, exist_ok=True)
    if shape.is_searched:
        write_searched(shape)
        return
    for number, path in enumerate(shape.runs):
        with path.open("w", encoding="ascii") as file:
            file.writelines(run_texts(shape, number))
    unfinished = shape.qrels.with_suffix(".part")
    with unfinished.open("w", encoding="ascii") as file:
        file.writelines(qrels_texts(shape))
    unfinished.replace(shape.qrels)  # last, so that a folder that has qrels is whole


def write_searched(shape: Shape) -> None:
    """Make documents as long as Vaswani's abstracts, of words as frequent as Zipf says, and topics of ten words each.

    The run is what Pyserini finds by itself. Of each topic's two judged documents, the one whose words it has is
    relevant.
    """
    from benchmarks.peers import pyserini_search
    from irkit.data.documents import Document
    from irkit.data.topics import Topic, Topics
    from irkit.retrieval.bm25 import build_index

    rng = np.random.default_rng(shape.seed)
    chance = 1 / np.arange(1, N_WORDS + 1)
    lengths = 1 + rng.poisson(ABSTRACT_LENGTH, N_ABSTRACTS)
    words = rng.choice(N_WORDS, lengths.sum(), p=chance / chance.sum())
    texts = [" ".join(f"word{word}" for word in part) for part in np.split(words, np.cumsum(lengths)[:-1])]
    build_index([Document(str(number), text) for number, text in enumerate(texts)], shape.index)
    judged = rng.choice(N_ABSTRACTS, (shape.n_topics, 2))
    topics = [
        Topic(str(number), " ".join(rng.choice(texts[relevant].split(), 10)))
        for number, relevant in enumerate(judged[:, 0].tolist())
    ]
    Topics(tuple(topics)).write(shape.topics)
    pyserini_search(str(shape.index), str(shape.topics), str(shape.runs[0]))()
    lines = [
        f"{topic} 0 {document} {int(document == relevant)}\n"
        for topic, (relevant, other) in enumerate(judged.tolist())
        for document in sorted({relevant, other})
    ]
    shape.qrels.write_text("".join(lines), "ascii")  # last, so that a folder that has qrels is whole


def write_vectors(shape: Vectors) -> None:
    """Make the vectors of a shape and an index of each kind, unless they are there."""
    from irkit.retrieval.dense import DenseIndex, Flat, Hnsw, save_index
    from irkit.retrieval.dense.engine import make_index

    if shape.queries.exists():
        return
    shape.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(shape.seed)
    names = tuple(f"d{number:07}" for number in range(shape.n))
    documents, queries = (directions(rng, n, shape.dimensions) for n in (shape.n, shape.n_topics))
    for kind in (Flat(), Hnsw(ef_construction=shape.ef_construction)):
        index, _ = make_index(kind, [documents], shape.dimensions)
        save_index(DenseIndex(index, names, None), shape.folder / kind.name)
    unfinished = shape.queries.with_suffix(".part.npy")
    np.save(unfinished, queries)
    unfinished.replace(shape.queries)  # last, so that a folder that has queries is whole


def directions(rng: np.random.Generator, n: int, dimensions: int) -> npt.NDArray[np.float32]:
    """So many vectors of length 1."""
    drawn = rng.standard_normal((n, dimensions), dtype=np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn


def compress(path: Path) -> Path:
    """The file as gzip leaves it by itself (level 6), beside it."""
    target = path.with_name(f"{path.name}.gz")
    if not target.exists():
        unfinished = target.with_suffix(".part")
        with path.open("rb") as plain, gzip.open(unfinished, "wb", compresslevel=6) as packed:
            shutil.copyfileobj(plain, packed, 1 << 20)
        unfinished.replace(target)
    return target


def run_texts(shape: Shape, number: int = 0) -> Iterator[str]:
    """The text of a run, a topic at a time.

    Scores fall by 10 to 20,000 millionths from rank to rank: no two are alike, even as 32-bit floats, so that programs
    which break ties in different ways give the same numbers.
    """
    name, tag = document_names(shape), "anserini.bm25" if shape.is_passage else "anserini.bm25+rm3"
    for place, topic in enumerate(topics(shape)):
        rng = np.random.default_rng([shape.seed, place, number])
        candidates = documents(shape, place)
        # Early candidates are the likelier to be relevant; a run has them early, give or take a factor of some two.
        moved = np.log(1 + np.arange(len(candidates))) + rng.normal(0, 0.7, len(candidates))
        found = candidates[np.argsort(moved)[: shape.depth]].tolist()
        scores = (6_500_000 + np.cumsum(rng.integers(10, 20_000, shape.depth))[::-1]) / 1e6
        yield "".join(
            [
                f"{topic} Q0 {name(document)} {rank} {score:.6f} {tag}\n"
                for rank, (document, score) in enumerate(zip(found, scores.tolist(), strict=True), 1)
            ]
        )


def qrels_texts(shape: Shape) -> Iterator[str]:
    """The text of the qrels, a topic at a time: grades 1 and 2 for what is relevant, 1 alone for passages."""
    name = document_names(shape)
    for place, topic in enumerate(topics(shape)):
        rng = np.random.default_rng([shape.seed, place])
        n_judged, n_relevant = share(shape.n_judged, shape, place), share(shape.n_relevant, shape, place)
        judged = documents(shape, place)[np.sort(likely_first(rng, 2 * shape.depth, n_judged))].tolist()
        grades = np.zeros(n_judged, dtype=np.int64)
        grades[likely_first(rng, n_judged, n_relevant)] = rng.integers(1, 2 if shape.is_passage else 3, n_relevant)
        yield "".join(
            [f"{topic} 0 {name(document)} {grade}\n" for document, grade in zip(judged, grades.tolist(), strict=True)]
        )


def share(total: int, shape: Shape, place: int) -> int:
    """How many of `total` fall to a topic: the first ones have one more where it does not come out even."""
    return total // shape.n_topics + (place < total % shape.n_topics)


def likely_first(rng: np.random.Generator, n: int, n_taken: int) -> npt.NDArray[np.int64]:
    """So many of the places 0 to n - 1, no two alike, early ones likelier."""
    chance = 1 / np.arange(2, 2 + n)
    return rng.choice(n, n_taken, replace=False, p=chance / chance.sum())


def topics(shape: Shape) -> list[int]:
    """The numbers of the topics, in the order of the files."""
    if not shape.is_passage:
        return list(range(301, 301 + shape.n_topics))
    others = np.random.default_rng(shape.seed).permutation(N_QUERIES)
    return [FIRST_QUERY, *others[others != FIRST_QUERY][: shape.n_topics - 1].tolist()]


def documents(shape: Shape, place: int) -> npt.NDArray[np.int64]:
    """The numbers of the documents that the runs and the qrels of a topic draw from: twice as many as a run holds."""
    rng = np.random.default_rng([shape.seed, place, 1 << 31])
    return rng.choice(N_PASSAGES if shape.is_passage else N_ARTICLES, 2 * shape.depth, replace=False)


def document_names(shape: Shape) -> Callable[[int], str]:
    """How the collection writes the number of a document."""
    if shape.is_passage:
        return str
    return lambda number: f"FT9{number // 80_000 + 1}{number // 20_000 % 4 + 1}-{number % 20_000 + 1}"


def main(words: list[str]) -> None:
    """Make the shapes that are named, gzipped as well if asked for."""
    for word in words:
        if word == VECTORS.name:
            write_vectors(VECTORS)
            print(VECTORS.folder)
        elif word != "--gzip":
            write(SHAPES[word])
            print(SHAPES[word].folder)
            if "--gzip" in words:
                for path in SHAPES[word].runs:
                    compress(path)


if __name__ == "__main__":
    main(sys.argv[1:])
