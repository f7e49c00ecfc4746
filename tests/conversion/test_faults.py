"""What a conversion refuses, changes or drops, and that it says so."""

import os
import time

import pytest

from irkit.conversion import convert
from irkit.data.documents import read_documents
from irkit.data.qrels import read_qrels
from irkit.data.topics import read_topics
from irkit.errors import DataError, FormatError, UsageError

GOOD = {
    "documents.jsonl": '{"id":"a","text":"x"}\n{"id":"b","text":"y"}\n',
    "queries.jsonl": '{"id":"q","text":"x"}\n',
    "judgments.jsonl": '{"query":"q","document":"a","grade":1}\n',
}


def folder_of(tmp_path, files):
    folder = tmp_path / "mine"
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def lines_with(tmp_path, **changed):
    files = GOOD | {f"{name}.jsonl": content for name, content in changed.items()}
    return convert(folder_of(tmp_path, files), tmp_path / "out").lines()


def test_converting_twice_gives_the_same_bytes_and_touches_no_file(tmp_path):
    folder = folder_of(tmp_path, GOOD | {"documents.jsonl": '{"id":"a","text":"x"}\n{"id":"b c","text":"y"}\n'})
    first = convert(folder, tmp_path / "out")
    before = [(path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) for path in first.written]
    assert convert(folder, tmp_path / "out") == first
    assert [(path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) for path in first.written] == before


def test_ids_with_white_space_or_none_get_new_ones_and_collisions_a_number(tmp_path):
    documents = (
        '{"id":"a b","text":"1"}\n{"id":"a_b","text":"2"}\n{"id":"a\\tb","text":"3"}\n{"id":"","text":"4"}\n'
        '{"text":"5"}\n{"id":" ","text":"6"}\n{"id":7,"text":"7"}\n{"id":"D7","text":"8"}\n'
    )
    lines = lines_with(
        tmp_path,
        documents=documents,
        judgments='{"query":"q","document":"a\\tb","grade":1}\n{"query":"q","document":7,"grade":2}\n'
        '{"query":"q","document":"a b","grade":3}\n',
    )
    ids = [document.id for document in read_documents(tmp_path / "out/documents/documents.mine.jsonl")]
    assert ids == ["a_b_2", "a_b", "a_b_3", "D4", "D5", "D6", "D7_2", "D7"]
    assert read_qrels(tmp_path / "out/qrels/qrels.mine.txt").to_dict() == {"q": {"a_b_3": 1, "D7_2": 2, "a_b_2": 3}}
    assert (tmp_path / "out/documents/ids.mine.tsv").read_text() == (
        "kind\tnew\told\ndocument\ta_b_2\ta b\ndocument\ta_b_3\ta\\tb\ndocument\tD4\t\ndocument\tD5\t\n"
        "document\tD6\t \ndocument\tD7_2\t7\n"
    )
    assert any("document ids changed, listed in ids.mine.tsv: 6 (a b -> a_b_2" in line for line in lines)


def test_leading_zeros_and_ids_that_look_like_numbers_stay(tmp_path):
    lines_with(
        tmp_path,
        documents='{"id":"007","text":"x"}\n{"id":"7","text":"x"}\n{"id":"1e5","text":"x"}\n{"id":"-12","text":"x"}\n',
        queries='{"id":"01","text":"x"}\n{"id":"1","text":"y"}\n',
        judgments='{"query":"01","document":"007","grade":1}\n{"query":"1","document":"1e5","grade":1}\n',
    )
    assert read_topics(tmp_path / "out/topics/topics.mine.txt").ids == ("01", "1")
    qrels = (tmp_path / "out/qrels/qrels.mine.txt").read_text()
    assert qrels == "01 0 007 1\n1 0 1e5 1\n"


def test_judgments_of_unknown_documents_are_kept_and_of_unknown_topics_dropped_and_both_named(tmp_path):
    lines = lines_with(
        tmp_path,
        judgments='{"query":"q","document":"z","grade":1}\n{"query":"r","document":"a","grade":1}\n'
        '{"query":"r","document":"b","grade":1}\n',
    )
    assert "  judged documents that are not there, with 1 judgment kept: 1 (z)" in lines
    assert "  unknown topics, whose 2 judgments fall away: 1 (r)" in lines
    assert (tmp_path / "out/qrels/qrels.mine.txt").read_text() == "q 0 z 1\n"


def test_what_is_odd_is_named(tmp_path):
    lines = lines_with(
        tmp_path,
        documents='{"id":"a","text":" "}\n{"id":"b","contents":"y","text":"z","id_":[1],"_id":"c"}\n',
        queries='{"id":"q","text":""}\n{"id":"r","text":"x","title":"t","max price":3}\n',
        judgments='{"query":"q","document":"a","grade":-1}\n{"query":"q","document":"a","grade":-1}\n'
        '{"query":"q","document":"b","grade":99}\n',
    )
    assert [line.strip() for line in lines[4:-3]] == [
        "documents whose contents are text: 1",
        "documents whose contents are contents: 1",
        "documents with no text, kept: 1 (a)",
        "documents whose field 'id_' is neither text nor number, kept as JSON text: 1",
        "topics whose query is their text: 2",
        "topic fields renamed, since they cannot be tags: 2 ('title' -> 'original_title', 'max price' -> 'max_price')",
        "topics with an empty query, kept: 1 (q)",
        "judgments by grade: -1: 1, 99: 1",
        "judgments with a negative grade, which stands for pooled but not judged, kept: 1",
        "judgments with a grade above 10, kept; is the right column read?: 1",
        "judgments that stand twice with the same grade, kept once: 1 (q a (lines 1 and 2))",
        "topics without judgments, kept: 1 (r)",
    ]
    second = list(read_documents(tmp_path / "out/documents/documents.mine.jsonl"))[1]
    assert (second.text, second.fields) == ("y", {"text": "z", "id_": "[1]", "_id": "c"})
    assert read_topics(tmp_path / "out/topics/topics.mine.txt")["r"].fields == {"original_title": "t", "max_price": "3"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"documents": '{"id":"a","text":"x"}\n{"id":"b","text":"x"}\n{"id":"a","text":"x"}\n{"id":"b","text":"x"}'},
            "documents.jsonl:3: document ids that occur more than once: 'a' (lines 1, 3); 'b' (lines 2, 4)",
        ),
        ({"documents": '{"id":1,"text":"x"}\n{"id":"1","text":"x"}'}, "'1' (lines 1, 2)"),
        ({"queries": '{"id":"q","text":"x"}\n{"id":"q","text":"y"}'}, "queries.jsonl:2: topic ids that occur more"),
        ({"queries": '{"id":"q","text":"x"}\n{"id":"r"}'}, "queries.jsonl:2: topic 'r' has no text"),
        ({"queries": '{"id":"q","text":"x","relevant_ids":3}'}, "'relevant_ids' is no list"),
        (
            {"judgments": '{"query":"q","document":"a","grade":1}\n{"query":"q","document":"a","grade":2}'},
            "judged twice with different grades: q a (lines 1 and 2)",
        ),
        ({"judgments": '{"query":"q","document":"a","grade":1.5}'}, "judgments.jsonl:1: the grade is '1.5'"),
        ({"judgments": '{"query":"q","document":"a","grade":null}'}, "the grade is 'None'"),
        ({"judgments": '{"query":"q","document":"a"}'}, "judgments.jsonl:1: no grade (grade or score or relevance)"),
        ({"judgments": '{"query":"","document":"a","grade":1}'}, "judgments.jsonl:1: a judgment without a query"),
        ({"judgments": "q 0 a 1 r\n"}, "judgments.jsonl:1: expected 'query 0 document grade'"),
        ({"documents": '{"id":"a","text":5}'}, "documents.jsonl:1: 'text' is searched, but it is neither text"),
        ({"documents": '{"id":2.5,"text":"x"}'}, "documents.jsonl:1: the document id is 2.5"),
        ({"documents": '{"id":"a","text":"x"}\nbroken'}, "documents.jsonl:2: no JSON object"),
        ({"documents": "hello\n"}, "documents.jsonl: not in a known form"),
        ({"documents": "[]"}, "documents.jsonl: the file holds no documents"),
        ({"queries": "[]"}, "queries.jsonl: the file holds no topics"),
        ({"documents": "id,text\na,x,y\n"}, "documents.jsonl:2: expected 2 columns (id, text), found 3"),
        ({"documents": 'id,text\na,x\nb,"y\n'}, "documents.jsonl:3: broken CSV"),
        ({"documents": "id,text,text\n"}, "documents.jsonl:1: the first line names a column twice"),
        ({"documents": "a\tb\tc\n"}, "documents.jsonl:1: the columns are not known"),
        ({"documents": "<DOC>\n<DOCNO>1</DOCNO>\n"}, "documents.jsonl:1: a <DOC> that is never closed"),
        ({"documents": "<DOC>\n</DOC>\n"}, "documents.jsonl:1: a document with 0 <DOCNO>"),
        ({"documents": "<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\nx"}, "documents.jsonl:4: expected <DOC>, found 'x'"),
        ({"documents": ".I 1\nx\n"}, "documents.jsonl:2: text outside any part: 'x'"),
        ({"queries": ".I 1\n.T\nx\n"}, "queries.jsonl:1: query '1' has no part .W"),
        ({"queries": ".I 1\n.W\nx\n", "judgments": "1 a 7\n"}, "judgments.jsonl:1: the code is 7"),
    ],
)
def test_a_fault_is_refused_with_its_line_and_nothing_is_written(tmp_path, changed, message):
    with pytest.raises(FormatError) as caught:
        lines_with(tmp_path, **changed)
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_judgments_of_another_collection_are_refused_with_ids_of_both_sides(tmp_path):
    with pytest.raises(DataError, match="no judgment is of a topic that there is: 7 and q; are these files of one"):
        lines_with(tmp_path, judgments='{"query":"7","document":"a","grade":1}\n')


def test_a_folder_that_is_no_collection_or_has_several_is_refused(tmp_path):
    folder = folder_of(tmp_path, {"readme": "x"})
    with pytest.raises(
        DataError, match=r"no documents \(looked for doc\*, .*; no topics .*; no qrels .*There is readme\. "
    ):
        convert(folder, tmp_path / "out")
    with pytest.raises(UsageError, match="unknown format 'beer'; did you mean 'beir'"):
        convert(folder, tmp_path / "out", format="beer")
    with pytest.raises(DataError, match=r"no documents \(looked for corpus\.jsonl\)"):
        convert(folder, tmp_path / "out", format="beir")
    with pytest.raises(UsageError, match="is not a folder"):
        convert(tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(UsageError, match="nothing to convert"):
        convert(None, tmp_path / "out", name="x")
    with pytest.raises(UsageError, match="a format or split chooses files in a folder"):
        convert(None, tmp_path / "out", name="x", topics=folder / "readme", split="dev")
    with pytest.raises(UsageError, match="need a name"):
        convert(None, tmp_path / "out", topics=folder / "readme")
    with pytest.raises(UsageError, match="goes into file names"):
        convert(None, tmp_path / "out", name="../x", topics=folder / "readme")
    files = {
        "docs.csv": "id,text\na,x\n",
        "topics.tsv": "1\tx\n",
        "qrels.a.txt": "1 0 a 1\n",
        "qrels.b.txt": "1 0 a 1\n",
    }
    folder_of(tmp_path, files)
    with pytest.raises(DataError, match=r"several files may be the qrels: qrels.a.txt, qrels.b.txt; name one"):
        convert(folder, tmp_path / "out")
    assert convert(folder, tmp_path / "out", split="b").sources[2].endswith("qrels.b.txt")
    assert convert(folder, tmp_path / "out", qrels=folder / "qrels.a.txt").sources[2].endswith("qrels.a.txt")


def test_a_missing_part_is_named_with_its_option(tmp_path):
    folder = folder_of(tmp_path, {"queries.jsonl": GOOD["queries.jsonl"], "qrels.txt": "q 0 a 1\n"})
    with pytest.raises(DataError) as caught:
        convert(folder, tmp_path / "out")
    assert "no documents (looked for doc*, corpus*, collection*, passages*). There is qrels.txt, queries.jsonl" in str(
        caught.value
    )
    assert "documents=FILE" in str(caught.value)
    assert "--topics" not in str(caught.value)


def test_a_folder_without_judgments_gives_topics_and_documents_or_is_refused_where_they_are_needed(tmp_path):
    folder = folder_of(tmp_path, {name: GOOD[name] for name in ("documents.jsonl", "queries.jsonl")} | {"x.tsv": "1"})
    with pytest.raises(
        DataError, match=r"no judgments were found; there is documents\.jsonl, queries\.jsonl, x\.tsv\. They"
    ):
        convert(folder, tmp_path / "out", need_judgments=True)
    assert not (tmp_path / "out").exists()
    report = convert(folder, tmp_path / "out")
    assert report.format == "unjudged"
    assert "  no judgments, and so no qrels" in report.lines()
    assert "  data files that are no known part, not read: 1 (x.tsv)" in report.lines()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"qrels/test.tsv": "q\ta\t1\n", "qrels/train.tsv": "q\ta\t1\n"}, "no split 'dev'; there are test, train"),
        ({"qrels/test.tsv": "q\ta\t1\n"}, "no split 'dev'; there are test"),
        ({"qrels.eval.small.txt": "q 0 a 1\n", "qrels.train.txt": "q 0 a 1\n"}, "'dev'; there are eval.small, train"),
        (
            {"judgments.jsonl": GOOD["judgments.jsonl"]},
            "'dev'; its qrels, if any, are of one split; leave the split out",
        ),
        ({}, "'dev'; its qrels, if any, are of one split"),
    ],
)
def test_a_split_that_does_not_exist_is_refused_with_those_that_do(tmp_path, files, message):
    folder = folder_of(
        tmp_path, {"corpus.jsonl": GOOD["documents.jsonl"], "queries.jsonl": GOOD["queries.jsonl"], **files}
    )
    with pytest.raises(DataError, match=message):
        convert(folder, tmp_path / "out", split="dev")


def test_a_split_of_msmarco_that_does_not_exist_is_refused(tmp_path):
    files = {"collection.tsv": "0\tx\n", "queries.dev.tsv": "1\tx\n", "qrels.dev.tsv": "1\t0\t0\t1\n"}
    with pytest.raises(DataError, match="no split 'eval'; there are dev"):
        convert(folder_of(tmp_path, files), tmp_path / "out", split="eval")


def test_what_a_conversion_changed_is_known(tmp_path):
    folder = folder_of(tmp_path, GOOD)
    first = convert(folder, tmp_path / "out")
    assert first.changed == first.written
    assert convert(folder, tmp_path / "out").changed == ()
    first.written[2].write_text("q 0 a 2\n")
    assert convert(folder, tmp_path / "out").changed == (first.written[2],)


@pytest.mark.parametrize("role", ["documents", "topics", "qrels"])
def test_a_pipe_is_refused_since_each_file_is_read_more_than_once(tmp_path, role):
    folder = folder_of(tmp_path, GOOD)
    os.mkfifo(tmp_path / "pipe")
    for pipe in ("-", tmp_path / "pipe"):
        with pytest.raises(UsageError, match="is read more than once, which a pipe cannot be; give a file"):
            convert(folder, tmp_path / "out", **{role: pipe})
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [".", "..", "", "a/b", "a b", "a\n", "x" * 200])
def test_a_name_that_is_no_part_of_a_file_name_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="goes into file names; take letters"):
        convert(folder_of(tmp_path, GOOD), tmp_path / "out", name=name)


@pytest.mark.parametrize("grade", ['"1_0"', '"\u0661"', "1e400", '"1.5"', "true", "9" * 400, "null"])
def test_what_is_no_whole_number_is_no_grade(tmp_path, grade):
    with pytest.raises(FormatError, match=r"judgments\.jsonl:1: "):
        lines_with(tmp_path, judgments=f'{{"query":"q","document":"a","grade":{grade}}}\n')


@pytest.mark.parametrize("grade", ["1", '"1"', "1.0", '"1.0"', '"+1"', '" 1"'])
def test_a_whole_number_is_a_grade_however_it_is_written(tmp_path, grade):
    lines_with(tmp_path, judgments=f'{{"query":"q","document":"a","grade":{grade}}}\n')
    assert read_qrels(tmp_path / "out/qrels/qrels.mine.txt").to_dict() == {"q": {"a": 1}}


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("documents", '{"id":"\\ud800","text":"x"}'),
        ("queries", '{"id":"\\ud800","text":"x"}'),
        ("judgments", '{"query":"q","document":"\\ud800","grade":1}'),
    ],
)
def test_half_a_character_in_an_id_is_told_with_file_and_line(tmp_path, part, line):
    with pytest.raises(FormatError, match=rf"{part}\.jsonl:1: the .* id .* holds half a character"):
        lines_with(tmp_path, **{part: line + "\n"})


def trec_documents(tmp_path, body):
    (tmp_path / "docs").write_text(f"<DOC>\n<DOCNO> d </DOCNO>\n{body}\n</DOC>\n")
    report = convert(None, tmp_path / "out", name="mine", documents=tmp_path / "docs")
    return list(read_documents(tmp_path / "out/documents/documents.mine.jsonl")), report


def test_words_outside_any_tag_of_a_trec_document_are_kept_and_told(tmp_path):
    body = "stray <b>x</b> words\n<TITLE>t</TITLE><!-- no -->\n<TEXT>a <i>b</i></TEXT> end"
    (document,), report = trec_documents(tmp_path, body)
    assert document.text == "t\na b"
    assert document.fields == {"b": "x", "title": "t", "text": "a b", "untagged": "stray words end"}
    assert any("words outside any tag" in line for line in report.lines())


@pytest.mark.parametrize("tag", ["<P>", "<!--"])
def test_a_document_with_many_unclosed_tags_is_read_in_linear_time(tmp_path, tag):
    start = time.process_time()
    assert trec_documents(tmp_path, f"{tag} word\n" * 100_000 + "<TEXT>x</TEXT>")[0][0].text == "x"
    assert time.process_time() - start < 10  # a tenth of it, or minutes where each tag looks through the rest
