import bz2
import gzip
import lzma

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irkit.data.topics import Topic, Topics, read_topics
from irkit.errors import DataError, FormatError, UsageError

CLASSIC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
international criminal activity.

<narr> Narrative:
A relevant document must, as a minimum, identify the organization.

</top>

<top>
<num> Number: 302
<title> Topic: Poliomyelitis &amp; Post-Polio
<desc> Description:
Is the disease under control?
<narr> Narrative:
Relevant.
</top>
"""


def topics_in(tmp_path, text, **options):
    path = tmp_path / "topics"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_topics(path, **options)


def problem_in(tmp_path, text, **options):
    with pytest.raises(FormatError) as caught:
        topics_in(tmp_path, text, **options)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def test_classic_topics_with_unclosed_tags_give_title_description_and_narrative(tmp_path):
    first, second = topics_in(tmp_path, CLASSIC)
    assert first == Topic(
        "301",
        "International Organized Crime",
        {
            "description": "Identify organizations that participate in international criminal activity.",
            "narrative": "A relevant document must, as a minimum, identify the organization.",
        },
    )
    assert (second.id, second.text) == ("302", "Poliomyelitis & Post-Polio")


@pytest.mark.parametrize(
    "text",
    [
        "<top>\n<num>1</num><title>\nWAVEGUIDE FED\nRADIATIONS\n</title>\n</top>\n",
        "<top><num>1</num><title>WAVEGUIDE FED RADIATIONS</title></top>",
        "<top><num> Number: 1 <title> WAVEGUIDE  FED RADIATIONS",
        "<TOP>\r\n<NUM>1</NUM>\r\n<TITLE>WAVEGUIDE FED RADIATIONS</TITLE>\r\n</TOP>\r\n",
        "<top lang='en'>\n<num>1</num>\n<title>WAVEGUIDE FED RADIATIONS</title>\n</top>",
    ],
)
def test_topics_with_closed_tags_on_one_line_or_many_are_the_same(tmp_path, text):
    assert topics_in(tmp_path, text).topics == (Topic("1", "WAVEGUIDE FED RADIATIONS"),)


@pytest.mark.parametrize(("name", "count"), [("query-text.trec", 93), ("query_light.trec", 20)])
def test_vaswani_topics_are_read(shared, name, count):
    topics = read_topics(shared / "collections/vaswani" / name)
    assert len(topics) == count
    assert topics["2"].text.startswith("MATHEMATICAL ANALYSIS AND DESIGN DETAILS OF WAVEGUIDE FED")


def test_extra_tags_are_fields(tmp_path):
    topics = topics_in(tmp_path, "<top><num>1</num><title>a</title><network> base </network><empty></empty></top>")
    assert topics["1"].fields == {"network": "base"}


def test_markup_inside_a_closed_tag_is_text_and_a_repeated_tag_keeps_both(tmp_path):
    (topic,) = topics_in(tmp_path, "<top><num>1</num><title>H<sub>2</sub>O</title><see>a</see><see>b</see></top>")
    assert topic == Topic("1", "H<sub>2</sub>O", {"see": "a", "see.2": "b"})


def test_xml_topics_take_number_query_and_the_other_elements(tmp_path):
    xml = """<?xml version="1.0" encoding="UTF-8"?>
    <topics task="COVIDSearch 2020">
    <topic number="1">
      <query>coronavirus origin &amp; spread</query>
      <question>what is the
        origin of COVID-19</question>
    </topic>
    <topic number="02" type="faceted"><query>q</query><subtopic number="1">s</subtopic>
      <subtopic number="2">t</subtopic></topic>
    </topics>"""
    first, second = topics_in(tmp_path, xml)
    assert first == Topic("1", "coronavirus origin & spread", {"question": "what is the origin of COVID-19"})
    assert second == Topic("02", "q", {"type": "faceted", "subtopic.1": "s", "subtopic.2": "t"})
    assert topics_in(tmp_path, "<topics><topic number='1'><title>a</title></topic></topics>")["1"].text == "a"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('<!DOCTYPE t [<!ENTITY a "aaaa">]><t><topic number="1"><query>x</query></topic></t>', "an entity declaration"),
        ('<!DOCTYPE t [<!ENTITY % a SYSTEM "a"> %a;]><t/>', "an entity declaration"),
        ('<!DOCTYPE t [%a;]><t><topic number="&b;"><query/></topic></t>', "topics:1: the entity &b; would be declared"),
        ('<!DOCTYPE t SYSTEM "t.dtd"><t><topic number="1"><query>&b;</query></topic></t>', "the entity &b; would be"),
        ('<!DOCTYPE t SYSTEM "t.dtd"><t><topic number="&b;"><query/></topic></t>', "the entity &b; would be"),
        (
            '<!DOCTYPE t [<!ELEMENT t ANY>]><t><topic number="1"><query>&b;</query></topic></t>',
            "the entity &b; would be",
        ),
    ],
)
def test_c43_entity_declarations_are_refused_and_so_are_entities_of_other_files(tmp_path, document, message):
    assert message in problem_in(tmp_path, document)


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE t [<!ELEMENT t (topic)*><!ELEMENT topic (query)><!ATTLIST topic number CDATA #REQUIRED>]>",
        "<!DOCTYPE t [\n  <!ELEMENT t (topic)*>\n  <!-- of the Web track -->\n]>",
        "<!DOCTYPE t>",
        '<!DOCTYPE t SYSTEM "file:///etc/hosts">',
    ],
)
def test_c43_a_document_type_without_entities_is_read(tmp_path, declaration):
    document = f'{declaration}<t><topic number="1"><query>a &amp; b</query></topic></t>'
    assert topics_in(tmp_path, document).topics == (Topic("1", "a & b"),)


def test_broken_xml_is_refused_with_its_line(tmp_path):
    assert problem_in(tmp_path, "<topics>\n<topic number='1'>\n<query>a</topic>\n").startswith("topics:3: ")


def test_tab_separated_ids_stay_text(tmp_path):
    topics = topics_in(tmp_path, "007\tbond\n7\t seven  samurai\n1e5\t\n-12\tx\n")
    assert topics.ids == ("007", "7", "1e5", "-12")
    assert [topic.text for topic in topics] == ["bond", "seven samurai", "", "x"]


def test_a_first_line_of_names_gives_more_columns(tmp_path):
    assert topics_in(tmp_path, "qid\ttext\tcategory\nq1\ta\tfiltered\n").topics == (
        Topic("q1", "a", {"category": "filtered"}),
    )


def test_json_lines_take_every_usual_name(tmp_path):
    lines = '{"id":"007","text":"a"}\n{"_id":8,"text":"b","n":3,"on":true,"none":null,"tags":["x","y"]}\n'
    assert topics_in(tmp_path, lines).topics == (
        Topic("007", "a"),
        Topic("8", "b", {"n": "3", "on": "true", "tags": '["x", "y"]'}),
    )
    assert topics_in(tmp_path, '\n [{"qid": 1,\n "query": "q"},\n {"query_id": "2", "query": "r"}]').ids == ("1", "2")
    assert topics_in(tmp_path, '{"topic":"t","question":"why"}').topics == (Topic("t", "why"),)
    assert topics_in(tmp_path, '{"id":"1","text":"a","title":"b"}').topics == (Topic("1", "a", {"title": "b"}),)


def test_a_named_field_becomes_the_query(tmp_path):
    topics = topics_in(tmp_path, CLASSIC, query_field="description")
    assert topics["302"] == Topic(
        "302",
        "Is the disease under control?",
        {"title": "Poliomyelitis & Post-Polio", "narrative": "Relevant."},
    )
    assert "topics:2: topic '301' has no query" in problem_in(tmp_path, CLASSIC, query_field="query")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_topics_are_known_by_content(tmp_path, pack):
    assert topics_in(tmp_path, pack(b"1\ta\n")).ids == ("1",)


def test_byte_order_mark_crlf_and_blank_lines_do_not_matter(tmp_path):
    assert topics_in(tmp_path, b"\xef\xbb\xbf1\ta\r\n\r\n").topics == (Topic("1", "a"),)


def test_an_id_that_is_not_utf8_survives_and_a_no_break_space_is_part_of_it(tmp_path):
    topics = topics_in(tmp_path, b"caf\xe9\ta\nb\xc2\xa0c\td\xc2\xa0e\n")
    topics.write(tmp_path / "out")
    assert b"<num> caf\xe9\n" in (tmp_path / "out").read_bytes()
    assert read_topics(tmp_path / "out").topics == topics.topics
    assert topics.ids[1] == "b\u00a0c"
    assert topics.topics[1].text == "d\u00a0e"


def test_repeated_ids_are_all_listed(tmp_path):
    message = problem_in(tmp_path, "1\tcats\n2\tx\n1\tdogs\n3\ty\n2\tz\n1\tw\n")
    assert (
        message
        == "topics:3: topic ids that occur more than once: '1' (lines 1, 3, 6); '2' (lines 2, 5); keep one of each"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "topics: the file holds no topics"),
        ("1\ta\n301 foo bar\n", "topics:2: expected 2 fields separated by tabs, found 1."),
        ("1\ta\tb\n", "topics:1: expected 2 fields separated by tabs, found 3."),
        ("\ta\n", "topics:1: a topic without an id"),
        ("1 2\ta\n", "topics:1: the topic id '1 2' holds white space"),
        ("<top>\n<title> a\n</top>", "topics:1: a topic without an id"),
        ("<top><num>1<title>a</top>\n<top>\n<num>2</top>", "topics:2: topic '2' has no title"),
        ("<top><num>1</num><desc>a</desc></top>", "they have description; say which of these is the query"),
        ('{"id":"1","text":"a"}\n{"id":"2"}', "topics:2: topic '2' has no text"),
        ('{"id":"1","text":"a"}\n{"id":"2",}', "topics:2: no JSON object"),
        ('{"id":"1","text":"a"}\n["2"]', "topics:2: a JSON object"),
        ('{"id":1.5,"text":"a"}', "topics:1: the topic id is 1.5; an id is a string"),
        ('{"id":true,"text":"a"}', "topics:1: the topic id is true"),
        ('{"id":"1","id":"2","text":"a"}', "the key 'id' stands twice"),
        ('{"id":"1","text":NaN}', "NaN is no JSON number"),
        ('[{"id":"1","text":"a"},\n {"id":"2"]', "topics:2: the JSON array is broken"),
        ('[{"id":"1","text":"a"}', "topics:1: the JSON array has no"),
        ('{"id":"1","text":"\\ud800"}', "topics:1: the text of topic '1' is not UTF-8"),
        ('{"id":"1","text":"\\u0000"}', "topics:1: the text of topic '1' holds a NUL"),
        ("<top><num>1<num>2<title>a</top>", "topics:1: a topic with two ids, '1' and <num> '2'"),
        ('{"id":"1","text":["a","b"]}', "topics:1: the text of a topic is "),
        ('{"id":"1","text":1e400}', "topics:1: no JSON object (1e400 is too large a number)"),
        ('{"number":1,"topic":"cats"}', "they have topic; say which of these is the query"),
        ('{"id":"\\ud800","text":"a"}', "topics:1: the topic id '\\ud800' holds half a character"),
        ("<top><num>1<title>a" + "<x> y" * 1000 + "</top>", "topics:1: a topic with more than 1000 tags"),
        ("<t><top2>" + "<x>y</x>" * 1001 + "</top2></t>", "topics:1: a topic with more than 1000 fields"),
        (b"1\tcaf\xe9\n", "topics:1: the text of topic '1' is not UTF-8"),
        (b"1\ta\n2\tb\0\n", "topics:2: a NUL byte"),
    ],
)
def test_a_broken_topic_is_refused_with_its_line(tmp_path, text, message):
    assert message in problem_in(tmp_path, text)


def test_written_topics_have_this_layout():
    topics = Topics.of([Topic("q01", "R&D <b>", {"category": "paraphrase", "narrative": "n"})])
    assert topics.as_trec() == (
        b"<top>\n<category> paraphrase\n</category>\n<num> q01\n</num>\n<title> R&D &lt;b>\n</title>\n"
        b"<desc> Description:\n</desc>\n<narr> Narrative:\nn\n</narr>\n</top>\n\n"
    )


# The topics that query parsers were reported to break on, and texts that look like our own markup.
HOSTILE = [
    "Literary/Journalistic Plagiarism", "Queen 's statements", "(1+1):2", "{", "TF_IDF", "órgãos",
    'half-sister "The Rite"', "</title>", "<top>", "</top>", "<num> 5", "&amp;", "&amp;lt;", "&lt", "&", "a < b > c",
    "Topic: x", "topic : x", "Topic&#58; y", "Description:", "<!-- x -->", "<", "<a", "</", "&#58;",
    "Narrative: <desc>", "\u2028", "\u00a0", "\x1c", "日本", "",
]  # fmt: skip
WORDS = st.lists(
    st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=4
)


@example(texts=[["\u2028", "Topic: x"], ["\u00a0Topic: x"], ["Topic\u00a0: x"], ["TOPIC : x"]], field=[], described=[])
@given(texts=st.lists(WORDS, min_size=1, max_size=4), field=WORDS, described=WORDS)
def test_any_text_survives_writing_and_reading(tmp_path_factory, texts, field, described):
    def folded(words):
        return b" ".join(" ".join(words).encode().split()).decode()  # bytes.split knows ASCII white space only

    extra = {"network": folded(field), "description": folded(described)}
    fields = {name: value for name, value in extra.items() if value}
    topics = Topics.of(Topic(f"q{place}", folded(words), fields) for place, words in enumerate(texts))
    path = tmp_path_factory.mktemp("topics") / "topics.txt"
    topics.write(path)
    assert read_topics(path).topics == topics.topics


@given(identifier=st.sampled_from(["Number:5", "<top>", "&amp;", "a:b", "</num>", "007"]))
def test_any_id_survives_writing_and_reading(tmp_path_factory, identifier):
    path = tmp_path_factory.mktemp("topics") / "topics.txt"
    Topics.of({identifier: "x"}).write(path)
    assert read_topics(path).ids == (identifier,)


@pytest.mark.parametrize("name", ["title", "num", "max price", "desc", ""])
def test_a_field_that_cannot_be_a_tag_is_refused_when_written(name):
    with pytest.raises(FormatError, match="which cannot be a tag of its own; rename it"):
        Topics.of([Topic("1", "a", {name: "x"})]).as_trec()


def test_a_topic_and_a_field_are_found_by_name_or_the_error_says_what_there_is():
    topics = Topics.of([Topic("q1", "a", {"category": "x"}), Topic("q2", "b")])
    assert topics.field("category") == {"q1": "x"}
    with pytest.raises(
        UsageError, match=r"no topic has a field 'categry'; did you mean 'category'\? there are category"
    ):
        topics.field("categry")
    with pytest.raises(DataError, match="no topic 'Q2'; the nearest id is"):
        topics["Q2"]
    with pytest.raises(FormatError, match="more than once: 'a' \\(entries 1, 2\\)"):
        Topics.of([Topic("a", "x"), Topic("a", "y")])


def test_writing_twice_gives_the_same_bytes_and_leaves_the_file_alone(tmp_path):
    path = tmp_path / "topics.txt"
    topics_in(tmp_path, CLASSIC).write(path)
    before = path.stat()
    read_topics(path).write(path)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_description_under_both_its_names_is_kept_twice(tmp_path):
    expected = {"description": "b", "description.2": "c"}
    json_line = '{"id":"1","text":"a","desc":"b","description":"c"}'
    xml = "<topics><topic number='1'><query>a</query><desc>b</desc><description>c</description></topic></topics>"
    for text in (json_line, xml):
        assert topics_in(tmp_path, text).topics == (Topic("1", "a", expected),)


def test_the_number_of_a_topic_is_its_id_even_where_it_has_a_field_topic(tmp_path):
    assert topics_in(tmp_path, '{"number":1,"topic":"cats"}', query_field="topic").topics == (Topic("1", "cats"),)


def test_a_no_break_space_at_the_end_of_an_id_in_a_table_is_part_of_it(tmp_path):
    assert topics_in(tmp_path, "\u00a01\u00a0 \ta\n").ids == ("\u00a01\u00a0",)
