"""Each layout, from small files written here, and the real collections."""

import bz2
import gzip
import json
import lzma

import pytest

from irkit.conversion import LAYOUTS, convert
from irkit.data.documents import Document, read_documents
from irkit.data.qrels import read_qrels
from irkit.data.topics import Topic, read_topics

DOCUMENTS = [
    {
        "id": "sky",
        "name": "Sky",
        "description": "rain, soon",
        "tags": ["rain", "sun"],
        "network": "base",
        "price": 0.002,
        "settled_payments": 48210,
    },
    {"id": "sea", "name": "Sea", "description": "tides", "tags": [], "network": "solana", "price": 1},
]
QUERIES = [
    {"id": "q01", "text": "will it rain", "category": "paraphrase"},
    {"id": "q02", "text": 'tides <now> & "here"', "category": "filtered", "network": "base", "max_price": 0.01},
]
JUDGMENTS = [
    {"query": "q01", "document": "sky", "grade": 3},
    {"query": "q01", "document": "sea", "grade": 0},
    {"query": "q02", "document": "sea", "grade": 0},
]


def lines_of(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def folder_of(tmp_path, files, name="mine"):
    folder = tmp_path / name
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def converted(tmp_path, files, **options):
    report = convert(folder_of(tmp_path, files), tmp_path / "out", **options)
    return report, *written(tmp_path / "out", report)


def written(out, report):
    documents = list(read_documents(out / f"documents/documents.{report.name}.jsonl"))
    topics = read_topics(out / f"topics/topics.{report.name}.txt").topics
    qrels = read_qrels(out / f"qrels/qrels.{report.name}.txt").to_dict()
    return documents, topics, qrels


def test_services_keep_their_fields_and_search_name_description_and_tags(tmp_path):
    files = {
        "documents.jsonl": lines_of(DOCUMENTS),
        "queries.jsonl": lines_of(QUERIES),
        "judgments.jsonl": lines_of(JUDGMENTS),
    }
    report, documents, topics, qrels = converted(tmp_path, files)
    assert (report.name, report.format) == ("mine", "json-lines")
    assert documents[0] == Document(
        "sky",
        "Sky\nrain, soon\nrain sun",
        {
            "name": "Sky",
            "description": "rain, soon",
            "tags": ("rain", "sun"),
            "network": "base",
            "price": 0.002,
            "settled_payments": 48210,
        },
    )
    assert documents[1].text == "Sea\ntides"
    assert topics[0] == Topic("q01", "will it rain", {"category": "paraphrase"})
    assert topics[1] == Topic(
        "q02", 'tides <now> & "here"', {"category": "filtered", "network": "base", "max_price": "0.01"}
    )
    assert qrels == {"q01": {"sky": 3, "sea": 0}, "q02": {"sea": 0}}
    assert not (tmp_path / "out/documents/ids.mine.tsv").exists()
    assert report.lines() == [
        "mine (json-lines): 2 documents, 2 topics, 3 judgments",
        f"  read {tmp_path}/mine/documents.jsonl",
        f"  read {tmp_path}/mine/queries.jsonl",
        f"  read {tmp_path}/mine/judgments.jsonl",
        "  documents whose contents are name, description, tags: 2",
        "  topics whose query is their text: 2",
        "  judgments by grade: 0: 2, 3: 1",
        "  topics without a relevant document, kept: 1 (q02)",
        f"  wrote {tmp_path}/out/documents/documents.mine.jsonl",
        f"  wrote {tmp_path}/out/topics/topics.mine.txt",
        f"  wrote {tmp_path}/out/qrels/qrels.mine.txt",
    ]


def test_passages_get_ids_that_no_tool_takes_for_numbers_and_a_table_leads_back(tmp_path):
    files = {
        "documents.jsonl": lines_of({"id": number, "text": f"passage {number}"} for number in range(3)),
        "queries.jsonl": lines_of([{"query": "a whale", "relevant_ids": [2, 0]}, {"query": "b", "relevant_ids": [1]}]),
    }
    report, documents, topics, qrels = converted(tmp_path, files)
    assert report.format == "relevant-ids"
    assert documents == [Document(f"D{number}", f"passage {number}") for number in range(3)]
    assert topics == (Topic("Q1", "a whale"), Topic("Q2", "b"))
    assert qrels == {"Q1": {"D2": 1, "D0": 1}, "Q2": {"D1": 1}}
    assert (tmp_path / "out/documents/ids.mine.tsv").read_text() == (
        "kind\tnew\told\ndocument\tD0\t0\ndocument\tD1\t1\ndocument\tD2\t2\ntopic\tQ1\t1\ntopic\tQ2\t2\n"
    )
    assert "  document ids changed, listed in ids.mine.tsv: 3 (0 -> D0, 1 -> D1, 2 -> D2)" in report.lines()


BEIR = {
    "corpus.jsonl.gz": gzip.compress(
        b'{"_id": "4983", "title": "A title", "text": "and a text", "metadata": {}}\n'
        b'{"_id": "07", "title": "", "text": "b"}\n'
    ),
    "queries.jsonl": '{"_id": "0", "text": "q", "metadata": {}}\n{"_id": "1", "text": "of another split"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\n0\t4983\t1\n0\t07\t0\n",
    "qrels/train.tsv": "query-id\tcorpus-id\tscore\n1\t07\t2\n",
}


def test_beir_takes_the_test_split_and_its_topics_only(tmp_path):
    report, documents, topics, qrels = converted(tmp_path, BEIR)
    assert report.format == "beir"
    assert documents == [
        Document("4983", "A title\nand a text", {"title": "A title", "text": "and a text"}),
        Document("07", "b", {"title": "", "text": "b"}),
    ]
    assert topics == (Topic("0", "q"),)
    assert qrels == {"0": {"4983": 1, "07": 0}}
    assert "  qrels of other splits, not read: 1 (train.tsv)" in report.lines()
    assert "  topics that are not judged in this split, left out: 1 (1)" in report.lines()


def test_beir_takes_another_split_when_asked(tmp_path):
    _, _, topics, qrels = converted(tmp_path, BEIR, split="train")
    assert [topic.id for topic in topics] == ["1"]
    assert qrels == {"1": {"07": 2}}


def test_msmarco_takes_the_files_of_one_split(tmp_path):
    files = {
        "collection.tsv": '0\tThe "first\n7067032\tA second, longer\n',
        "queries.dev.tsv": "5\twrong split\n6\tx\n",
        "queries.dev.small.tsv": "1048585\twhat is paula deen's brother\n",
        "qrels.dev.tsv": "5\t0\t0\t1\n",
        "qrels.dev.small.tsv": "1048585\t0\t7067032\t1\n",
    }
    report, documents, topics, qrels = converted(tmp_path, files, split="dev.small")
    assert report.format == "msmarco"
    assert documents == [Document("0", 'The "first'), Document("7067032", "A second, longer")]
    assert topics == (Topic("1048585", "what is paula deen's brother"),)
    assert qrels == {"1048585": {"7067032": 1}}
    _, _, topics, qrels = converted(tmp_path, files, split="dev")
    assert [topic.id for topic in topics] == ["5", "6"]


def test_csv_cells_may_hold_commas_quotes_and_line_ends(tmp_path):
    files = {
        "documents.csv": '\ufeffid,text,year\r\n007,"a, ""b""\nc",1999\r\n7,d,\r\n',
        "queries.csv": "id;text;category\nq1;who, me;x\n",
        "judgments.csv": "query,document,grade\nq1,007,2\nq1,7,0\n",
    }
    report, documents, topics, qrels = converted(tmp_path, files)
    assert report.format == "csv"
    assert documents == [Document("007", 'a, "b"\nc', {"year": "1999"}), Document("7", "d")]
    assert topics == (Topic("q1", "who, me", {"category": "x"}),)
    assert qrels == {"q1": {"007": 2, "7": 0}}


CRANFIELD = {
    "cran.all.1400": ".I 1\n.T\na wing .\n.A\nbrenckman,m.\n.B\n1958\n.W\na wing .\n  of lift\n"
    ".I 2\n.T\n.A\n.B\n.W\n.I 3\n.T\nb\n.W\none\n.A\nx\n.W\ntwo .I 4\n",
    "cran.qry": ".I 001\n.W\nwhat laws\n.I 004\n.W\nwhat heat\n",
    "cranqrel": "1 1 2 \n1 3 -1\n2  3  1 \n",
}


def test_cranfield_counts_queries_by_place_and_turns_codes_round(tmp_path):
    report, documents, topics, qrels = converted(tmp_path, CRANFIELD)
    assert report.format == "cranfield"
    assert documents == [
        Document(
            "1",
            "a wing .\na wing . of lift",
            {"title": "a wing .", "author": "brenckman,m.", "bibliography": "1958", "text": "a wing . of lift"},
        ),
        Document("2", ""),
        Document("3", "b\none", {"title": "b", "text": "one", "author": "x", "text_2": "two .I 4"}),
    ]
    assert topics == (Topic("1", "what laws", {"original_id": "001"}), Topic("2", "what heat", {"original_id": "004"}))
    assert qrels == {"1": {"1": 3, "3": 0}, "2": {"3": 4}}  # 5 - 2, no interest, 5 - 1
    assert "  documents with no text, kept: 1 (2)" in report.lines()
    assert "  documents with a part twice, the second kept as a field: 1 (3)" in report.lines()


def test_trec_documents_take_text_and_titles_or_everything(tmp_path):
    files = {
        "docs.trec": "<DOC>\n<DOCNO>1</DOCNO>\ncompact <i>memories</i>\n &amp; more\n</DOC>\n"
        "<DOC><DOCNO> FT-2 </DOCNO>\n<DATE>1 May</DATE>\n<HEADLINE>\nHead\n</HEADLINE>\n<TEXT>\nBody\n</TEXT></DOC>\n",
        "topics.txt": "<top>\n<num> Number: 1\n<title> memories\n<desc> Description:\nd\n</top>\n",
        "qrels.txt": "1 0 FT-2 1\n",
    }
    report, documents, topics, qrels = converted(tmp_path, files)
    assert report.format == "by-name"
    assert documents == [
        Document("1", "compact memories & more"),
        Document("FT-2", "Head\nBody", {"date": "1 May", "headline": "Head", "text": "Body"}),
    ]
    assert topics == (Topic("1", "memories", {"description": "d"}),)
    assert qrels == {"1": {"FT-2": 1}}
    with_query = convert(tmp_path / "mine", tmp_path / "other", query_field="description")
    assert read_topics(with_query.written[1])["1"].text == "d"


def test_files_named_one_by_one_may_be_called_anything_and_be_compressed(tmp_path):
    folder = folder_of(
        tmp_path,
        {
            "a": gzip.compress(b'{"docno": "d", "contents": "x"}\n'),
            "b": bz2.compress(b"q\ttext\n"),
            "c": lzma.compress(b"q 0 d 1\n"),
        },
    )
    report = convert(
        None, tmp_path / "out", name="named", documents=folder / "a", topics=folder / "b", qrels=folder / "c"
    )
    assert written(tmp_path / "out", report) == ([Document("d", "x")], (Topic("q", "text"),), {"q": {"d": 1}})
    only = convert(None, tmp_path / "two", name="named", qrels=folder / "c")
    assert [path.name for path in only.written] == ["qrels.named.txt"]


def test_a_row_without_a_title_has_its_text_as_a_field_too(tmp_path):
    files = {
        "corpus.csv": "id,title,text\n1,fox,red animal\n2,,blue\n",
        "topics.csv": "id,text\nq,x\n",
        "qrels.csv": "query,document,grade\nq,1,1\n",
    }
    report, documents, _, _ = converted(tmp_path, files)
    assert report.format == "csv"
    assert documents == [
        Document("1", "fox\nred animal", {"title": "fox", "text": "red animal"}),
        Document("2", "blue", {"text": "blue"}),
    ]


@pytest.mark.parametrize(
    ("documents", "topics", "qrels", "layout"),
    [
        ("documents.jsonl", "queries.jsonl", "judgements.jsonl", "json-lines"),
        ("docs.jsonl", "topics.jsonl", "qrels.jsonl", "json-lines"),
        ("Collection.jsonl.gz", "queries.jsonl", "judgments.jsonl", "json-lines"),
        ("documents.jsonl", "queries.jsonl", "my-qrels.jsonl", "by-name"),
        ("corpus.jsonl", "queries.jsonl", "judgments.jsonl", "json-lines"),
    ],
)
def test_the_usual_names_of_parts_are_known(tmp_path, documents, topics, qrels, layout):
    pack = gzip.compress if documents.endswith("gz") else bytes
    files = {
        documents: pack(lines_of([{"id": "a", "text": "x"}]).encode()),
        topics: lines_of([{"id": "q", "text": "x"}]),
        qrels: lines_of([{"query": "q", "document": "a", "grade": 1}]),
    }
    report, _, _, found = converted(tmp_path, files)
    assert report.format == layout
    assert found == {"q": {"a": 1}}


@pytest.mark.parametrize(
    ("name", "text"), [("qrels.txt", "q 0 a 2\n"), ("judgments.tsv", "query\tdocument\tgrade\nq\ta\t2\n")]
)
def test_judgments_in_another_form_than_the_documents_are_found(tmp_path, name, text):
    files = {
        "documents.jsonl": lines_of([{"id": "a", "text": "x"}]),
        "queries.jsonl": lines_of([{"id": "q", "text": "x"}]),
        name: text,
    }
    _, _, _, found = converted(tmp_path, files)
    assert found == {"q": {"a": 2}}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_says_what_it_is(name):
    assert LAYOUTS[name].name == name
    assert LAYOUTS[name].summary


# Counts and the grades of Cranfield come from the files by grep, sort and uniq.
@pytest.mark.parametrize(
    ("name", "format", "counts", "notes"),
    [
        (
            "cranfield",
            "cranfield",
            (1400, 225, 1837),
            [
                "documents with no text, kept: 2 (471, 995)",
                "judgments by grade: 0: 225, 1: 363, 2: 734, 3: 387, 4: 128",
            ],
        ),
        (
            "vaswani",
            "by-name",
            (11429, 93, 2083),
            ["topics files whose topics are all in query-text.trec too, not read: 1 (query_light.trec)"],
        ),
        ("scifact", "by-name", (5183, 300, 339), []),
    ],
)
def test_the_real_collections_are_converted_whole(shared, tmp_path, name, format, counts, notes):
    report = convert(shared / "collections" / name, tmp_path)
    assert (report.format, report.n_documents, report.n_topics, report.n_judgments) == (format, *counts)
    assert not {f"  {note}" for note in notes} - set(report.lines())
    documents, topics, qrels = written(tmp_path, report)
    assert (len(documents), len(topics), sum(map(len, qrels.values()))) == counts
