"""The libraries of the field at the same work, each as its manual says: `python -m benchmarks.peers PEER WORK ...`.

`score QRELS RUN...` prints the values of each run as a JSON list in the order of `MEASURES`; `dicts QRELS RUN` does so
for dicts that are in memory already, and how many seconds that took; `copy RUN TARGET` reads a run and writes it;
`search INDEX TOPICS TARGET` opens an index, searches it for all topics by all cores and writes the run, and prints how
many seconds that took from where Java is started and the topics are read.
`dense FOLDER KIND K` searches an index that is in memory already, and prints what it found and the seconds.
`fuse RUN... TARGET` writes the fusion of runs by reciprocal ranks.
"""

import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from benchmarks import MEASURES

TREC_EVAL = ("ndcg_cut_10", "recip_rank", "map", "recall_20", "recall_1000", "P_10")
RANX = ("ndcg@10", "mrr", "map", "recall@20", "recall@1000", "precision@10")
Values = list[float]
Nested = dict[str, dict[str, Any]]


def opened(path: str) -> IO[str]:
    """The text of a file, gzipped or not."""
    return gzip.open(path, "rt") if path.endswith(".gz") else Path(path).open()


def pytrec_eval_evaluator(qrels: Nested) -> Callable[[Nested], Nested]:
    """What scores runs by topic."""
    import pytrec_eval

    evaluate: Callable[[Nested], Nested] = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL)).evaluate
    return evaluate


def means(by_topic: Nested) -> Values:
    """The averages of what pytrec_eval finds, which leaves averaging to its user."""
    return [sum(values[name] for values in by_topic.values()) / len(by_topic) for name in TREC_EVAL]


def pytrec_eval_score(qrels: str, runs: Sequence[str]) -> Iterator[Values]:
    """Score files with pytrec_eval."""
    import pytrec_eval

    with opened(qrels) as file:
        evaluate = pytrec_eval_evaluator(pytrec_eval.parse_qrel(file))
    for run in runs:
        with opened(run) as file:
            yield means(evaluate(pytrec_eval.parse_run(file)))


def ir_measures_score(qrels: str, runs: Sequence[str]) -> Iterator[Values]:
    """Score files with ir_measures."""
    import ir_measures

    measures = [ir_measures.parse_measure(measure) for measure in MEASURES]
    evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(qrels))
    for run in runs:
        found = evaluator.calc_aggregate(ir_measures.read_trec_run(run))
        yield [found[measure] for measure in measures]


def ranx_score(qrels: str, runs: Sequence[str]) -> Iterator[Values]:
    """Score files with ranx."""
    from ranx import Qrels, Run, evaluate

    judgments = Qrels.from_file(qrels, kind="trec")
    for run in runs:
        found = evaluate(judgments, Run.from_file(run, kind="gz" if run.endswith(".gz") else "trec"), list(RANX))
        yield [float(found[measure]) for measure in RANX]


def irkit_dicts(qrels: Nested, run: Nested) -> Callable[[], Values]:
    """What scores dicts with irkit."""
    from irkit import evaluate

    return lambda: evaluate(run=run, qrels=qrels, measures=MEASURES).summary.tolist()


def pytrec_eval_dicts(qrels: Nested, run: Nested) -> Callable[[], Values]:
    """What scores dicts with pytrec_eval; the qrels are taken in before."""
    evaluate = pytrec_eval_evaluator(qrels)
    return lambda: means(evaluate(run))


def ir_measures_dicts(qrels: Nested, run: Nested) -> Callable[[], Values]:
    """What scores dicts with ir_measures."""
    import ir_measures

    measures = [ir_measures.parse_measure(measure) for measure in MEASURES]

    def score() -> Values:
        found = ir_measures.calc_aggregate(measures, qrels, run)
        return [found[measure] for measure in measures]

    return score


def ranx_dicts(qrels: Nested, run: Nested) -> Callable[[], Values]:
    """What scores dicts with ranx, which has to take them into its own form."""
    from ranx import Qrels, Run, evaluate

    def score() -> Values:
        found = evaluate(Qrels(qrels), Run(run), list(RANX))
        return [float(found[measure]) for measure in RANX]

    return score


def irkit_copy(run: str, target: str) -> None:
    """Read and write a run with irkit."""
    import irkit

    irkit.read_run(run).write(target)


def ranx_copy(run: str, target: str) -> None:
    """Read and write a run with ranx."""
    from ranx import Run

    Run.from_file(run, kind="trec").save(target, kind="trec")


def pandas_copy(run: str, target: str) -> None:
    """Read and write a run with pandas, as a table that knows nothing of runs."""
    import pandas as pd

    ids = dict.fromkeys(("topic", "q0", "document", "tag"), str)
    frame = pd.read_csv(run, sep=" ", header=None, names=["topic", "q0", "document", "rank", "score", "tag"], dtype=ids)
    frame.to_csv(target, sep=" ", header=False, index=False)


def ir_measures_copy(run: str, target: str) -> None:
    """Read a run with ir_measures, which has no writer, and write it line by line."""
    import ir_measures

    with Path(target).open("w") as file:
        topic, rank = None, 0
        for row in ir_measures.read_trec_run(run):
            rank = rank + 1 if row.query_id == topic else 1
            topic = row.query_id
            file.write(f"{topic} Q0 {row.doc_id} {rank} {row.score} copy\n")


def irkit_search(index: str, topics: str, target: str) -> Callable[[], None]:
    """What searches with irkit."""
    from irkit.data.topics import read_topics
    from irkit.retrieval import bm25, java

    asked = read_topics(topics)
    java.start()
    return lambda: bm25.search(index, asked).run.write(target)


def pyserini_search(index: str, topics: str, target: str) -> Callable[[], None]:
    """What searches with Anserini's searcher, as the batch search of Pyserini's LuceneSearcher does, hit by hit."""
    from irkit.data.topics import read_topics
    from irkit.retrieval import java

    asked = read_topics(topics)
    searcher_class = java.java_class("io.anserini.search.SimpleSearcher")
    list_class = java.java_class("java.util.ArrayList")

    def search() -> None:
        searcher = searcher_class(index)
        searcher.set_bm25(0.9, 0.4)
        queries, names = list_class(), list_class()
        for topic in asked:
            queries.add(topic.text)
            names.add(topic.id)
        found = searcher.batch_search(queries, names, 1000, os.cpu_count())
        hits_by_topic = {entry.getKey(): entry.getValue() for entry in found.entrySet().toArray()}
        with Path(target).open("w") as file:
            for topic in asked:
                for rank, hit in enumerate(hits_by_topic[topic.id], 1):
                    file.write(f"{topic.id} Q0 {hit.docid} {rank} {hit.score:.6f} pyserini\n")

    return search


Search = tuple[Callable[[], Any], Callable[[Any], Values]]  # what is timed, and what it found in a few numbers


def irkit_dense(index: Any, ids: Sequence[str], queries: Any, k: int) -> Search:
    """What ranks an index with irkit: a whole run, its ids and ties in order."""
    from irkit.retrieval.dense import DenseIndex, search_vectors

    held, topics = DenseIndex(index, tuple(ids), None), [f"{number:03}" for number in range(len(queries))]
    place = {name: number for number, name in enumerate(ids)}

    def found(run: Any) -> Values:
        best, last = run.starts[:-1], run.starts[1:] - 1
        firsts = [place[run.documents[int(row)].decode()] for row in best]
        return [float(run.scores[best].mean()), float(run.scores[last].mean()), sum(firsts) / len(firsts)]

    return lambda: search_vectors(held, topics, queries, k=k), found


def faiss_dense(index: Any, ids: Sequence[str], queries: Any, k: int) -> Search:
    """What searches it with FAISS alone, as widely as irkit does."""
    import faiss

    from irkit.retrieval.dense.ranking import SLACK

    wide = faiss.SearchParametersHNSW(efSearch=max(128, k + SLACK)) if isinstance(index, faiss.IndexHNSW) else None

    def found(result: Any) -> Values:
        scores, places = result
        return [float(scores[:, 0].mean()), float(scores[:, -1].mean()), float(places[:, 0].mean())]

    return lambda: index.search(queries, k, params=wide), found


def ranx_fuse(runs: Sequence[str], target: str) -> None:
    """Fuse runs with ranx, which keeps all documents; the method needs no scores, so that they are not normalised."""
    from ranx import Run, fuse

    fuse([Run.from_file(run, kind="trec") for run in runs], norm=None, method="rrf").save(target, kind="trec")


SCORE = {"pytrec_eval-terrier": pytrec_eval_score, "ir-measures": ir_measures_score, "ranx": ranx_score}
DICTS = {
    "irkit": irkit_dicts,
    "pytrec_eval-terrier": pytrec_eval_dicts,
    "ir-measures": ir_measures_dicts,
    "ranx": ranx_dicts,
}
DENSE = {"irkit": irkit_dense, "faiss-cpu": faiss_dense}
FUSE = {"ranx": ranx_fuse}
COPY = {"irkit": irkit_copy, "ranx": ranx_copy, "pandas": pandas_copy, "ir-measures": ir_measures_copy}
SEARCH = {"irkit": irkit_search, "pyserini": pyserini_search}


def nested(lines: Iterable[str], document: int, number: int, kind: type) -> Nested:
    """The fields of lines as dicts of dicts, built before the clock starts."""
    found: Nested = {}
    for line in lines:
        fields = line.split()
        found.setdefault(fields[0], {})[fields[document]] = kind(fields[number])
    return found


def index_and_queries(folder: Path, kind: str) -> tuple[Any, list[str], Any]:
    """An index of a kind, its ids, and the vectors of topics, read before the clock starts."""
    import faiss
    import numpy as np

    ids = (folder / kind / "docid").read_text().split()
    return faiss.read_index(str(folder / kind / "index")), ids, np.load(folder / "queries.npy")


def main(peer: str, work: str, files: list[str]) -> None:
    """Do a work, and print what was found."""
    if work == "score":
        for values in SCORE[peer](files[0], files[1:]):
            print(json.dumps(values))
    elif work == "search":
        search = SEARCH[peer](*files)
        start = time.perf_counter()
        search()
        print(f"seconds {time.perf_counter() - start:.6f}")
    elif work == "dicts":
        with opened(files[0]) as qrels, opened(files[1]) as run:
            score = DICTS[peer](nested(qrels, 2, 3, int), nested(run, 2, 4, float))
        start = time.perf_counter()
        values = score()
        print(json.dumps(values), f"seconds {time.perf_counter() - start:.6f}", sep="\n")
    elif work == "dense":
        folder, kind, k = files
        search, found = DENSE[peer](*index_and_queries(Path(folder), kind), int(k))
        start = time.perf_counter()
        result = search()
        took = time.perf_counter() - start
        print(json.dumps(found(result)), f"seconds {took:.6f}", sep="\n")
    elif work == "fuse":
        FUSE[peer](files[:-1], files[-1])
    else:
        COPY[peer](*files)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
