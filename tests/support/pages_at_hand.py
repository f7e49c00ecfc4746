"""Pages for the tests: a collection small enough to work out by hand, one of hostile texts, and one of 7,000 topics."""

import base64
import json
import re
import zlib

import numpy as np

RUNS = {
    "a": {"t1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "t2": {"d4": 2.0, "d5": 1.0}},
    "b": {"t1": {"d2": 3.0, "d1": 2.0, "d9": 1.0}, "t2": {"d6": 3.0, "d4": 2.0}, "t3": {"d7": 1.0}},
}
QRELS = {"t1": {"d1": 2, "d2": 0, "d8": 1}, "t2": {"d4": 1, "d6": 3}, "t3": {"d7": 1}}
TOPICS = {"t1": "first words", "t2": "second words", "t3": "third question"}
GROUPS = {"t1": "easy", "t2": "hard", "t3": "hard"}
DOCUMENTS = {
    "d1": {"contents": "A title of one\nThe text of one.", "title": "A title of one", "price": 3},
    "d2": {"contents": "The text of two."},
    "d4": {"contents": "word " * 400},
    "d6": {"contents": "The text of six."},
    "d7": {"contents": "The text of seven."},
    "d8": {"contents": "The text of eight."},
}


def write_run(path, topics, tag="tag"):
    lines = [
        f"{topic} Q0 {document} 1 {score} {tag}" for topic, its in topics.items() for document, score in its.items()
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def write_qrels(path, topics):
    lines = [f"{topic} 0 {document} {grade}" for topic, its in topics.items() for document, grade in its.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


def files(folder):
    """The small collection as files: runs, qrels, topics, documents."""
    runs = [write_run(folder / f"{name}.txt", its) for name, its in RUNS.items()]
    qrels = write_qrels(folder / "qrels.txt", QRELS)
    topics = write_lines(
        folder / "topics.jsonl", [{"id": one, "text": text, "kind": GROUPS[one]} for one, text in TOPICS.items()]
    )
    documents = write_lines(folder / "documents.jsonl", [{"id": one, **its} for one, its in DOCUMENTS.items()])
    return runs, qrels, topics, documents


SCRIPT = "<script>hurt(1)</script>"
IMAGE = "<img/src=x/onerror=hurt(2)>"
BREAKS = "</script><script>hurt(3)</script><!--"
ATTRIBUTE = '"onmouseover="hurt(4)"autofocus/onfocus="hurt(5)'
EXPRESSION = "datum.constructor.constructor('hurt(6)')()"
HOSTILE = (SCRIPT, IMAGE, BREAKS, ATTRIBUTE, EXPRESSION, "javascript:hurt(7)", "{{scripts}}", "\u202eevil", "__proto__")


def hostile_files(folder):
    """Everything that a page shows, hostile: run names, topics, documents, fields, groups, texts, records."""
    documents = list(HOSTILE)
    topics = [f"{text}{place}" for place, text in enumerate(HOSTILE)]
    scores = {topic: {one: float(9 - place) for place, one in enumerate(documents)} for topic in topics}
    turned = {topic: {one: float(1 + place) for place, one in enumerate(documents)} for topic in topics}
    names = ("<script>hurt(8)<", "<img src=x onerror=hurt(9)>", "'\"><svg onload=hurt(10)>")
    runs = [
        write_run(folder / f"{name}.txt".replace("/", "\u2215"), its, "tag")
        for name, its in zip(names, (scores, turned, scores), strict=True)
    ]
    (folder / f"{names[0]}.txt.provenance.json").write_text(
        json.dumps(
            {
                "format": "irkit provenance 1",
                "method": SCRIPT,
                "parameters": {IMAGE: BREAKS},
                "files": {SCRIPT: [{"path": IMAGE, "sha256": BREAKS}]},
                "versions": {SCRIPT: IMAGE},
                "details": {ATTRIBUTE: [SCRIPT, {IMAGE: BREAKS}]},
                "notes": [BREAKS],
                "command": [SCRIPT, IMAGE],
                "run": {"sha256": "0"},
            }
        ),
        "utf-8",
    )
    qrels = write_qrels(
        folder / "qrels.txt", {topic: {one: place % 4 for place, one in enumerate(documents)} for topic in topics}
    )
    texts = write_lines(
        folder / "topics.jsonl",
        [
            {"id": topic, "text": " ".join(HOSTILE), IMAGE: HOSTILE[place % 3], SCRIPT: BREAKS}
            for place, topic in enumerate(topics)
        ],
    )
    of_documents = write_lines(
        folder / "documents.jsonl",
        [
            {"id": one, "contents": " ".join(HOSTILE) * 5, "title": one, SCRIPT: IMAGE, ATTRIBUTE: BREAKS}
            for one in documents
        ],
    )
    return runs, qrels, texts, of_documents


def many(folder, n_topics=7000, n_documents=20_000, depth=20):
    """Three runs of many topics, with texts that do not pack well."""
    rng = np.random.default_rng(7)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(letters[rng.integers(0, 26, size)]) for size in rng.integers(3, 10, 30_000)]
    picked = rng.integers(0, len(words), (n_documents, 80)).tolist()
    documents = write_lines(
        folder / "documents.jsonl",
        [{"id": f"D{place}", "contents": " ".join(words[word] for word in its)} for place, its in enumerate(picked)],
    )
    topics = [f"{1_000_000 + place}" for place in range(n_topics)]
    (folder / "topics.tsv").write_text(
        "".join(f"{one}\t{words[place]} {words[-place]}\n" for place, one in enumerate(topics)), "utf-8"
    )
    (folder / "qrels.txt").write_text(
        "".join(f"{one} 0 D{place % n_documents} 1\n" for place, one in enumerate(topics)), "utf-8"
    )
    runs = []
    for name in ("a", "b", "c"):
        found = rng.integers(0, n_documents - depth, n_topics)
        found = np.where(
            rng.random(n_topics) < 0.6, np.arange(n_topics) % n_documents - rng.integers(0, depth, n_topics), found
        )
        lines = [
            f"{one} Q0 D{(first + rank) % n_documents} {rank + 1} {20 - rank + 0.123456} {name}\n"
            for one, first in zip(topics, found.tolist(), strict=True)
            for rank in range(depth)
        ]
        (folder / f"{name}.txt").write_text("".join(lines), "utf-8")
        runs.append(str(folder / f"{name}.txt"))
    return runs, str(folder / "qrels.txt"), str(folder / "topics.tsv"), documents


def data_of(page):
    """The data elements of a page by name, unpacked."""
    found = {}
    for kind, name, text in re.findall(r'<script type="application/([\w-]+)" id="(\w+)">(.*?)</script>', page, re.S):
        found[name] = json.loads(text if kind == "json" else zlib.decompress(base64.b64decode(text)))
    return found
