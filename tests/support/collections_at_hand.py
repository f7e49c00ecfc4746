"""Small collections and one real one for the tests of retrieval."""

import hashlib
import json
import re
from collections import defaultdict

from irkit.data.documents import Document
from irkit.data.topics import Topic


def documents_of(texts, **fields):
    """Documents by `{id: text}`; each keyword gives a field by id."""
    return [
        Document(name, text, {field: values[name] for field, values in fields.items() if name in values})
        for name, text in texts.items()
    ]


def with_manifest(folder, **values):
    """The folder of an index with other values in its manifest, whose hashes are right all the same."""
    path = folder / "irkit.json"
    content = json.loads(path.read_text()) | values
    del content["sha256"]
    others = [one for one in folder.iterdir() if one != path]
    content["files"] = {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in others}
    # The manifest's own hash is the SHA-256 of all other entries as JSON with sorted keys.
    content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(content))
    return folder


def topics_of(texts):
    return [Topic(name, text) for name, text in texts.items()]


def cranfield(shared):
    """Title and abstract; queries numbered by position; grade 5 - code, and 0 for code -1."""
    folder = shared / "collections" / "cranfield"
    documents = []
    for part in re.split(r"^\.I ", (folder / "cran.all.1400").read_text(), flags=re.M)[1:]:
        name, rest = part.split("\n", 1)
        sections = re.split(r"^\.([TABW])\n", rest, flags=re.M)
        parts = {}
        for letter, text in zip(sections[1::2], sections[2::2], strict=True):
            parts.setdefault(letter, " ".join(text.split()))  # 576 has a second abstract, another document's
        documents.append(Document(name.strip(), f"{parts['T']} {parts['W']}".strip(), {"title": parts["T"]}))
    queries = re.split(r"^\.I ", (folder / "cran.qry").read_text(), flags=re.M)[1:]
    topics = [Topic(str(n), " ".join(query.split(".W\n")[1].split())) for n, query in enumerate(queries, 1)]
    qrels = defaultdict(dict)
    for line in (folder / "cranqrel").read_text().splitlines():
        topic, document, code = line.split()
        qrels[topic][document] = 0 if code == "-1" else 5 - int(code)
    return documents, topics, dict(qrels)
