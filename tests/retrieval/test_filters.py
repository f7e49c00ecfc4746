import pytest

from irkit.data.documents import Document
from irkit.data.topics import Topic
from irkit.errors import DataError, UsageError
from irkit.retrieval.filters import Filter, allowed_documents, allowing, filter_from_text, filters_of

SERVICES = [
    Document("cheap", "", {"network": "base", "price": 0.01, "tags": ("weather", "rain")}),
    Document("dear", "", {"network": "base", "price": "2.50"}),
    Document("other", "", {"network": "solana", "price": 1}),
    Document("bare", ""),
]
DECLARED = filters_of({"network": "equal", "max_price": {"field": "price", "at_most": True}})


def test_the_declared_forms_are_read():
    assert (Filter("network", "network", "equal"), Filter("max_price", "price", "at_most")) == DECLARED
    assert filters_of({"price": "at_least"}) == (Filter("price", "price", "at_least"),)


@pytest.mark.parametrize(
    "declared",
    ["equals", {"field": "price"}, {"at_most": False}, {"at_most": True, "equal": True}, {"at_most": True, "x": 1}, 3],
)
def test_other_forms_are_refused_with_the_right_ones(declared):
    with pytest.raises(UsageError, match=r"filter 'max'.*equal, at_most, at_least"):
        filters_of({"max": declared})


@pytest.mark.parametrize(
    ("fields", "passing"),
    [
        ({"network": "base"}, {"cheap", "dear"}),
        ({"max_price": "1"}, {"cheap", "other"}),
        ({"max_price": "1.0", "network": " solana "}, {"other"}),
        ({"max_price": "0"}, set()),
        ({"network": "Base"}, set()),
    ],
)
def test_documents_pass_where_they_meet_every_demand(fields, passing):
    assert allowed_documents(Topic("1", "q", fields), SERVICES, DECLARED) == passing


@pytest.mark.parametrize("fields", [{}, {"category": "x"}, {"network": "  "}])
def test_a_topic_that_demands_nothing_is_not_filtered(fields):
    assert allowed_documents(Topic("1", "q", fields), SERVICES, DECLARED) is None


def test_one_part_of_a_list_is_enough_and_numbers_are_compared_as_numbers():
    topic = Topic("1", "q", {"tags": "rain", "price": "1.00"})
    assert allowed_documents(topic, SERVICES, [Filter("tags", "tags")]) == {"cheap"}
    assert allowed_documents(topic, SERVICES, [Filter("price", "price")]) == {"other"}
    assert allowed_documents(topic, SERVICES, [Filter("price", "price", "at_least")]) == {"dear", "other"}


def test_a_boolean_equals_its_word_and_is_no_number():
    documents = [Document("yes", "", {"open": True}), Document("no", "", {"open": False})]
    for word in ("true", "True"):
        assert allowed_documents(Topic("1", "q", {"open": word}), documents, [Filter("open", "open")]) == {"yes"}
    assert allowed_documents(Topic("1", "q", {"open": "1"}), documents, [Filter("open", "open")]) == set()
    with pytest.raises(DataError, match="document 'yes': open is True, which is not a number"):
        allowed_documents(Topic("1", "q", {"open": "1"}), documents, [Filter("open", "open", "at_most")])


def test_a_whole_number_too_large_to_compare_names_its_document():
    documents = [Document("d", "", {"price": 10**400})]
    with pytest.raises(DataError, match="document 'd': price is 1000"):
        allowed_documents(Topic("1", "q", {"price": "1"}), documents, [Filter("price", "price", "at_most")])


@pytest.mark.parametrize("value", ["1,50", "cheap", "nan"])
def test_a_demand_that_is_no_number_names_topic_and_value(value):
    with pytest.raises(DataError, match=f"topic '7': max_price is '{value}'"):
        allowed_documents(Topic("7", "q", {"max_price": value}), [], DECLARED)


def test_a_document_value_that_is_no_number_names_document_and_value():
    documents = [Document("d", "", {"price": "free"})]
    with pytest.raises(DataError, match="document 'd': price is 'free'"):
        allowed_documents(Topic("7", "q", {"max_price": "1"}), documents, DECLARED)


def test_a_field_that_no_document_has_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match=r"no document has a field 'prise'.*network, price, tags"):
        allowing(SERVICES, filters_of({"max_price": {"field": "prise", "at_most": True}}))


def test_topics_with_the_same_demands_share_one_set():
    allowed = allowing(SERVICES, DECLARED)
    one, two = (allowed(Topic(name, name, {"network": "base"})) for name in "ab")
    assert one is two


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("network", Filter("network", "network")),
        ("max_price=price:at_most", Filter("max_price", "price", "at_most")),
        ("year:at_least", Filter("year", "year", "at_least")),
    ],
)
def test_a_filter_in_one_word(text, found):
    assert filter_from_text(text) == found


def test_a_filter_in_one_word_with_a_wrong_relation_is_refused():
    with pytest.raises(UsageError, match=r"unknown relation 'at_mst'; did you mean 'at_most'\?"):
        filter_from_text("price:at_mst")
