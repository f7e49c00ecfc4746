"""What a report says of a tuning. The case is that of test_tuning.py, where its figures are worked."""

import csv
import io
import json

import pytest

from irkit.report.text import COMPARISON_FORMATS, render, unsaid
from irkit.report.text.table import TerminalWidth
from irkit.tuning import Folds, Separate, tune

# RR of each point on six topics.
RR = {1: (1, 1 / 2, 1 / 2, 1, 1 / 2, 1), 2: (1, 1, 1, 1 / 2, 1 / 2, 1 / 2), 3: (1 / 4, 1 / 4, 1 / 4, 1, 1, 1)}
QRELS = {topic: {"d": 1} for topic in "abcdef"}


def run_of(values):
    return {
        topic: [*(f"x{n}" for n in range(round(1 / rr) - 1)), "d"] for topic, rr in zip("abcdef", values, strict=True)
    }


def tuned(split, space=None, default=None, make=None, **options):
    return tune(
        make or (lambda parameters: run_of(RR[parameters["p"]])),
        space or {"p": [1, 2, 3]},
        QRELS,
        default=default or {"p": 1},
        split=split,
        measure="RR",
        **options,
    )


@pytest.fixture(scope="module")
def separate():
    return tuned(Separate("abc", "def"))


@pytest.fixture(scope="module")
def of_two():
    """Parameters a and b, whose product chooses among the three runs."""
    return tuned(
        Separate("abc", "def"),
        {"a": [1, 2], "b": [1, 2, 3]},
        {"a": 2, "b": 1},
        lambda parameters: run_of(RR[1 + parameters["a"] * parameters["b"] % 3]),
    )


def test_the_table_of_one_parameter(separate):
    # Bars: 30 signs for 1, one for 1/4; 2/3 lies 5/9 of the way: 1 + 29 * 5/9 = 17.1.
    shown = render(separate, screen=TerminalWidth(width=120), by_topic=True)
    assert shown.startswith(
        """\
3 topics averaged (those of the test topics that are judged); rules trec_eval-10; topics without relevant documents:
  none
grid search, 3 points, tuned for the mean of RR
topics: 3 development topics, 3 others to test
default: p=1
chosen by the 3 topics of development: p=2

Effect: RR on the development topics, and on 3 test topics (paired t test, two-sided)

            development     test      95% t interval       p  win/tie/loss
──────────────────────────────────────────────────────────────────────────
default          0.6667   0.8333
tuned            1.0000   0.5000
difference      +0.3333  -0.3333  [-1.0504, +0.3838]  0.1835         0/1/2

Development mean by p; bars go from 0.2500 to 1.0000

p                                              mean
───────────────────────────────────────────────────
1 (default)  =================               0.6667
2 (chosen)   ==============================  1.0000
3            =                               0.2500

Points by their mean over the 3 topics of development

rank           p  development
─────────────────────────────
1     chosen   2       1.0000
2     default  1       0.6667
3              3       0.2500

Topic by topic, on test

topic  default   tuned  difference
──────────────────────────────────
d       1.0000  0.5000     -0.5000
e       0.5000  0.5000     +0.0000
f       1.0000  0.5000     -0.5000

On topics that did not choose it, tuned is not shown to be better than the default: keep the default (p=1).
The gain over the default is +0.3333 on the topics that chose, and -0.3333 on others: report the second.
3 points tried on 3 topics: so few topics choose by chance too.
"""
    )


def test_the_table_of_two_parameters_marks_the_choice_and_the_default(of_two):
    # On a, b, c the runs have 2/3, 1 and 1/4; a * b modulo 3 is 1 2 0 and 2 1 0.
    # From a=2, b=1 the point a=1, b=1 is half a range away, a=2, b=2 a third.
    table = """\
**Development means, a down and b across; [chosen], (default)**

| a   |       1  |           2  |       3  |
| --- | -------: | -----------: | -------: |
| 1   |  1.0000  |      0.2500  |  0.6667  |
| 2   | (0.2500) | **[1.0000]** |  0.6667  |
"""
    assert table in render(of_two, "markdown")


def test_folds_are_shown_with_what_each_was_given():
    found = tuned(Folds(3, seed=1))
    shown = render(found, "markdown")
    rows = (
        shown.partition("**Parameters that the other folds chose for each fold")[2]
        .partition("\n\n")[2]
        .split("\n\n")[0]
        .split("\n")
    )
    assert rows[0].split() == [
        "|",
        "fold",
        "|",
        "p",
        "|",
        "development",
        "|",
        "test",
        "|",
        "default",
        "|",
        "topics",
        "|",
    ]
    values = {p: dict(zip("abcdef", of, strict=True)) for p, of in RR.items()}
    for row, fold in zip(rows[2:], found.folds, strict=True):
        p = found.points[fold.choice.place]["p"]
        means = [
            sum(values[of][topic] for topic in topics) / len(topics)
            for of, topics in ((p, fold.development), (p, fold.test), (1, fold.test))
        ]
        assert [cell.strip() for cell in row.split("|")[2:-1]] == [str(p), *(f"{one:.4f}" for one in means), "2"]


def test_a_record_for_each_point(separate):
    rows = list(csv.DictReader(io.StringIO(render(separate, "csv"))))
    of_points = [",".join(value for name, value in row.items() if not name.startswith("tuned_")) for row in rows]
    names = "parameter_p,measure,value,n_topics,rank,is_chosen,is_default,n_folds,failed"
    names += ",rules,average,no_relevant,tie_order"
    assert ",".join(name for name in rows[0] if not name.startswith("tuned_")) == names
    assert of_points == [
        "1,RR,0.6666666666666666,3,2,false,true,0,,trec_eval-10,topics,zero,docid",
        "2,RR,1.0,3,1,true,false,1,,trec_eval-10,topics,zero,docid",
        "3,RR,0.25,3,3,false,false,0,,trec_eval-10,topics,zero,docid",
    ]
    # Differences -1/2 0 -1/2: mean -1/3, se 1/6, t -2 with df 2, p 1 - 2/sqrt 6; the quantile is 4.3027.
    for row in rows:
        assert (row["tuned_test"], row["tuned_interval_method"], row["tuned_n_resamples"]) == ("paired t test", "t", "")
        assert float(row["tuned_pvalue"]) == pytest.approx(1 - 2 / 6**0.5)
        assert float(row["tuned_low"]) == pytest.approx(-1 / 3 - 4.302652730 / 6)
    lines = [json.loads(line) for line in render(separate, "jsonl", by_topic=True).splitlines()]
    assert [(line["parameter_p"], line["topic"], line["value"]) for line in lines[7:10]] == [
        (2, None, 1.0),
        (2, "a", 1.0),
        (2, "b", 1.0),
    ]
    assert len(lines) == 3 * (1 + 6)


@pytest.mark.parametrize("format", COMPARISON_FORMATS)
def test_c20_every_format_names_the_test_and_the_interval_of_folds(format):
    shown = " ".join(render(tuned(Folds(3, seed=1)), format).split())
    assert "sign flips that repeat the choice" in shown
    assert "t x 1.3" in shown
    if format in ("table", "markdown"):
        assert "(sign flips that repeat the choice, two-sided, exact)" in shown
    if format == "json":
        test = json.loads(shown)["comparison"]["comparisons"][0]
        assert (test["exact"], test["n_resamples"], test["interval"]["method"]) == (True, None, "t x 1.3")


def test_what_records_have_no_place_for_is_said_beside_them(separate):
    assert separate.notes[0] in unsaid(separate, "csv")
    assert unsaid(separate, "table") == []


def test_json_has_everything(separate):
    found = json.loads(render(separate, "json"))
    assert found["chosen"] == {"p": 2}
    assert found["test_gain"] == pytest.approx(-1 / 3)
    assert found["optimism"] == pytest.approx(1 / 2)
    assert [point["values"]["f"] for point in found["points"]] == [1, 0.5, 1]
    assert found["folds"][0]["test_topics"] == ["d", "e", "f"]
    assert found["comparison"]["comparisons"][0]["pvalue"] == pytest.approx(1 - 2 / 6**0.5)
    assert found["notes"] == list(separate.notes)


def test_a_point_that_failed_is_a_record_with_its_reason():
    from irkit.errors import DataError

    def make(parameters):
        if parameters["p"] == 3:
            raise DataError("no index")
        return run_of(RR[parameters["p"]])

    found = tuned(Folds(2), make=make)
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert [(row["value"], row["rank"], row["failed"]) for row in rows][2] == ("", "", "no index")
    assert "  -" in render(found)


@pytest.mark.parametrize("format", COMPARISON_FORMATS)
def test_every_format_shows_learned_floors_and_random_points(format):
    scores = dict(zip("abcdef", (0.9, 0.8, 0.7, 0.3, 0.2, 0.1), strict=True))

    def make(parameters):
        return {topic: {"d": score} for topic, score in scores.items()}

    qrels = {topic: {"d": int(topic in "abc")} for topic in "abcdef"}
    space = ["x=0.1..0.9", "y=1,2,3", "floor=learn"]
    found = tune(make, space, qrels, default={"x": 0.5, "y": 2, "floor": 0.1}, split=Folds(3), search="random", n=12)
    shown = render(found, format, by_topic=True)
    assert shown.endswith("\n")
    assert "0.5" in shown  # the middle of 0.3 and 0.7


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_screen(separate, of_two, width):
    for found in (separate, of_two, tuned(Folds(3))):
        assert max(map(len, render(found, screen=TerminalWidth(width=width), by_topic=True).splitlines())) <= width


def test_a_parameter_has_no_way_into_the_terminal_or_the_table():
    found = tune(
        lambda parameters: run_of(RR[1]),
        {"p": ["a\x1b[2J|", "b"]},
        QRELS,
        default={"p": "b"},
        split=Folds(2),
        measure="RR",
    )
    assert "\x1b" not in render(found, screen=TerminalWidth(width=80, styled=False))
    assert r"a\\x1b\[2J\|" in render(found, "markdown")
