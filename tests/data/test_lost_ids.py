"""Topic ids that a reader of TREC files would take for a comment or a byte order mark are never written."""

import pytest

from irkit.conversion import convert
from irkit.data.qrels import Qrels, read_qrels
from irkit.data.runs import Run
from irkit.data.topics import Topic, Topics, read_topics
from irkit.errors import FormatError

LOST = ["#1", "#", "\ufeff1"]


@pytest.mark.parametrize("topic", LOST)
def test_a_topic_id_that_would_not_be_read_back_is_not_written(topic):
    for write in (
        Run.from_scores({topic: {"d": 1.0}}).as_trec,
        Qrels.from_grades({topic: {"d": 1}}).as_trec,
        Topics((Topic(topic, "cats"),)).as_trec,
    ):
        with pytest.raises(FormatError, match=r"begins with '#' or U\+FEFF"):
            write()


@pytest.mark.parametrize("topic", LOST)
def test_topics_with_such_an_id_are_refused_with_the_line(tmp_path, topic):
    (tmp_path / "topics").write_text(f"1\tdogs\n{topic}\tcats\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"topics:2: the topic id .* begins with '#' or U\+FEFF"):
        read_topics(tmp_path / "topics")


def test_documents_may_have_such_ids_since_they_do_not_stand_first():
    assert Qrels.from_grades({"1": {"#d": 1}}).as_trec() == b"1 0 #d 1\n"


def test_a_conversion_gives_such_topics_new_ids_and_lists_them(tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"id":"#7","text":"x"}\n{"id":"7","text":"y"}\n{"id":"##","text":"z"}\n')
    (tmp_path / "documents.jsonl").write_text('{"id":"#d","text":"x"}\n')
    (tmp_path / "judgments.jsonl").write_text(
        '{"query":"#7","document":"#d","grade":1}\n{"query":"##","document":"#d","grade":2}\n'
    )
    convert(tmp_path, tmp_path / "out", name="mine")
    assert read_topics(tmp_path / "out/topics/topics.mine.txt").ids == ("7_2", "7", "Q3")
    assert read_qrels(tmp_path / "out/qrels/qrels.mine.txt").to_dict() == {"7_2": {"#d": 1}, "Q3": {"#d": 2}}
    assert (tmp_path / "out/documents/ids.mine.tsv").read_text() == "kind\tnew\told\ntopic\t7_2\t#7\ntopic\tQ3\t##\n"
