"""What Pyserini does by itself, for tests of retrieval: its indexer and its searcher, and nothing of irkit's search."""

import json

from irkit.retrieval import java


def build(documents, folder, *words):
    """An index by Anserini's IndexCollection, with these options."""
    source = folder.with_name(f"{folder.name}.json")
    source.mkdir()
    lines = (json.dumps({"id": document.id, "contents": document.text}) + "\n" for document in documents)
    (source / "documents.jsonl").write_text("".join(lines))
    arguments = ["-collection", "JsonCollection", "-input", str(source), "-index", str(folder), "-threads", "1"]
    java.java_class("io.anserini.index.IndexCollection").main([*arguments, "-quiet", *words])


def search(folder, topics, tag, k=1000, setting=lambda searcher: None):
    """Lines of a run as Pyserini writes them: the batch search of its LuceneSearcher, a hit at a time."""
    searcher = java.java_class("io.anserini.search.SimpleSearcher")(str(folder))
    searcher.set_bm25(0.9, 0.4)
    setting(searcher)
    queries, names = java.java_class("java.util.ArrayList")(), java.java_class("java.util.ArrayList")()
    for topic in topics:
        queries.add(topic.text)
        names.add(topic.id)
    found = searcher.batch_search(queries, names, k, 2)
    lines = [
        f"{topic.id} Q0 {hit.docid} {rank} {hit.score:.6f} {tag}"
        for topic in sorted(topics, key=lambda topic: topic.id.encode())
        for rank, hit in enumerate(found.get(topic.id), 1)
    ]
    searcher.close()
    return lines


def lines_of(run):
    """irkit's run in the form of those lines."""
    return [
        f"{topic} Q0 {document} {rank} {score:.6f} {run.tag}"
        for topic, documents, scores in run.by_topic()
        for rank, (document, score) in enumerate(zip(documents, scores, strict=True), 1)
    ]
