"""Development and test topics: that they never meet."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.errors import DataError, UsageError
from irkit.tuning import Folds, Nested, Separate, Share

TOPICS = [f"q{n}" for n in range(1, 24)]

some_topics = st.lists(st.text("abcxyz0123", min_size=1, max_size=4), min_size=8, max_size=40, unique=True)
seeds = st.integers(0, 2**32)


@given(some_topics, st.integers(2, 8), seeds)
def test_folds_test_every_topic_once_and_never_by_itself(topics, k, seed):
    split = Folds(k, seed).over(topics)
    assert Counter(topic for part in split.parts for topic in part.test) == Counter(topics)
    for part in split.parts:
        assert set(part.development) | set(part.test) == set(topics)
        assert not set(part.development) & set(part.test)
    sizes = [len(part.test) for part in split.parts]
    assert len(sizes) == k
    assert max(sizes) - min(sizes) <= 1


@given(some_topics, seeds, st.randoms())
def test_folds_depend_on_the_topics_and_the_seed_alone(topics, seed, random):
    shuffled = list(topics)
    random.shuffle(shuffled)
    assert Folds(4, seed).over(topics) == Folds(4, seed).over(shuffled)


def test_another_seed_gives_other_folds():
    assert Folds(5, 0).over(TOPICS).parts != Folds(5, 1).over(TOPICS).parts


@given(some_topics, st.integers(2, 5), seeds, st.data())
def test_folds_spread_each_value_of_a_field_to_a_topic(topics, k, seed, data):
    by = {topic: data.draw(st.sampled_from("xyz")) for topic in topics}
    split = Folds(k, seed, by=by).over(topics)
    for value in "xyz":
        counts = [sum(by[topic] == value for topic in part.test) for part in split.parts]
        assert max(counts) - min(counts) <= 1
    sizes = [len(part.test) for part in split.parts]
    assert max(sizes) - min(sizes) <= 1


def test_topics_of_one_query_stay_in_one_fold():
    texts = {"q1": "Red  shoes", "q7": "red shoes", "q9": "RED shoes ", "q2": "blue"}
    for seed in range(20):
        parts = Folds(5, seed, texts=texts).over(TOPICS).parts
        assert any({"q1", "q7", "q9"} <= set(part.test) for part in parts)
        assert Counter(topic for part in parts for topic in part.test) == Counter(TOPICS)


@given(some_topics, seeds)
def test_inner_folds_divide_the_development_topics_of_each_outer_one(topics, seed):
    nested = Nested(3, 2, seed).over(topics)
    assert [part.test for part in nested.parts] == [part.test for part in Folds(3, seed).over(topics).parts]
    for part in nested.parts:
        assert Counter(topic for one in part.inner for topic in one.test) == Counter(part.development)
        assert all(set(one.development) | set(one.test) == set(part.development) for one in part.inner)


@pytest.mark.parametrize(("share", "n"), [(0.5, 11), (0.1, 2), (0.9, 20), (0.3, 6)])
def test_a_share_is_rounded_down_and_the_others_test(share, n):
    # 23 topics: 11.5, 2.3, 20.7, 6.9
    (part,) = Share(share, seed=5).over(TOPICS).parts
    assert len(part.development) == n
    assert set(part.test) == set(TOPICS) - set(part.development)


def test_a_share_of_each_value_of_a_field():
    by = {f"q{n}": "even" if n % 2 == 0 else "odd" for n in range(1, 21)}
    for seed in range(10):
        (part,) = Share(0.3, seed, by=by).over(list(by)).parts
        assert Counter(by[topic] for topic in part.development) == {"even": 3, "odd": 3}


def test_named_topics_are_taken_where_they_are_judged_and_the_rest_is_told():
    split = Separate(["q1", "q2", "x"], ["q3", "q4", "q5"]).over(["q1", "q2", "q3", "q4", "q9"])
    (part,) = split.parts
    assert (part.development, part.test) == (("q1", "q2"), ("q3", "q4"))
    assert split.notes == (
        "1 topic of development left out, for which there is no value: x.",
        "1 topic of test left out, for which there is no value: q5.",
        "1 judged topic in neither development nor test.",
    )


def test_a_topic_on_both_sides_is_refused_by_name():
    with pytest.raises(DataError, match="2 topics in development and in test: q2, q3; what is tuned on a topic"):
        Separate(["q1", "q2", "q3"], ["q3", "q2", "q4"]).over(TOPICS)


def test_a_query_on_both_sides_under_two_ids_is_refused():
    texts = {"q1": "red shoes", "q4": "Red   Shoes"}
    with pytest.raises(DataError, match="under two ids: q1 and q4"):
        Separate(["q1", "q2"], ["q3", "q4"], texts).over(TOPICS)


@pytest.mark.parametrize(
    ("splitting", "topics", "said"),
    [
        (Separate(["a", "b"], ["z"]), ["a", "b", "z"], "test has 1 judged topic; it needs 2"),
        (Separate(["a"], ["y", "z"]), ["y", "z"], "development has 0 judged topics"),
        (Folds(5), ["a", "b"], "5 folds of 2 topics: some would be empty"),
        (Folds(2), ["a", "b"], "leave one to choose by"),
        (Folds(3, texts={"a": "x", "b": "x", "c": "y"}), ["a", "b", "c"], "3 folds of 2 different queries"),
        (Share(0.1), ["a", "b", "c", "d"], "development has 0 judged topics"),
    ],
)
def test_a_side_without_topics_enough_is_refused(splitting, topics, said):
    with pytest.raises(DataError) as caught:
        splitting.over(topics)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "splitting", [Folds(1), Folds(2.5), Folds(True), Folds(3, -1), Share(0), Share(1), Nested(3, 1)]
)
def test_a_split_that_cannot_be_is_refused(splitting):
    with pytest.raises(UsageError):
        splitting.over(TOPICS)
