"""Figures: what their datasets hold, worked by hand, and what becomes of any name, number and size."""

import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from math import sqrt

import numpy as np
import pytest
from PIL import Image
from scipy import stats

import irkit
from irkit.data.topics import Topic, Topics
from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.report import figures
from irkit.report.figures.captions import labels
from irkit.report.figures.theme import DARK, LIGHT, Palette

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"d": 1}, "q3": {"e": 0}}
A = {"q1": ["a", "c", "b"], "q2": ["x", "d"], "q3": ["e"]}
B = {"q1": ["c", "a"], "q2": ["d"]}
ALL = ["AP", "RR", "NumRel", *figures.PRECISION_RECALL, *figures.RECALL, *figures.UNJUDGED]


def evaluated(run, name, qrels=QRELS, **options):
    return irkit.evaluate(run=run, qrels=qrels, measures=ALL, name=name, **options)


@pytest.fixture(scope="module")
def two():
    return [evaluated(A, "first"), evaluated(B, "second")]


def rows(chart, name):
    return figures.to_spec(chart)["datasets"][name]


def column(table, name, **where):
    return [row[name] for row in table if all(row[key] == value for key, value in where.items())]


def words(chart):
    """Every text of the figure, as a reader of its SVG has it."""
    root = ET.fromstring(figures.picture(chart, "svg"))
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def title(chart):
    """Title and subtitle, their lines put together."""
    given = figures.to_spec(chart)["title"]
    return " ".join(given["text"]), " ".join(given["subtitle"])


# AP: A has q1 (1/1 + 2/3) / 2 = 5/6, q2 1/2, q3 0, as nothing is relevant; B has q1 (1/2) / 2 = 1/4, q2 1, q3 0.
AP_A, AP_B = [5 / 6, 1 / 2, 0], [1 / 4, 1, 0]


def test_a_leaderboard_has_means_and_t_intervals_best_first(two):
    table = rows(figures.leaderboard(two[::-1], "AP"), "means")
    assert column(table, "run") == ["first", "second"]
    assert column(table, "place") == [1, 2]
    assert column(table, "mean") == pytest.approx([4 / 9, 5 / 12])  # (5/6 + 1/2 + 0) / 3 and (1/4 + 1 + 0) / 3
    for row, values in zip(table, (AP_A, AP_B), strict=True):
        ends = stats.t.interval(0.95, 2, np.mean(values), stats.sem(values))
        assert (row["low"], row["high"]) == pytest.approx(np.clip(ends, 0, 1))  # no AP lies beyond (C32)
        assert row["n_topics"] == 3


def test_the_level_of_a_leaderboard_is_that_of_its_intervals_and_is_said(two):
    chart = figures.leaderboard(two, "AP", level=0.9)
    ends = stats.t.interval(0.9, 2, np.mean(AP_A), stats.sem(AP_A))
    assert (rows(chart, "means")[0]["low"], rows(chart, "means")[0]["high"]) == pytest.approx(np.clip(ends, 0, 1))
    assert "90% t interval" in title(chart)[1]


def test_a_sum_and_a_single_topic_have_no_interval(two):
    (row, _) = rows(figures.leaderboard(two, "NumRel"), "means")
    assert (row["mean"], row["low"], row["high"]) == (3, None, None)  # a, b and d
    (row,) = rows(figures.leaderboard(two[0].restricted_to(["q1"]), "AP"), "means")
    assert (row["mean"], row["low"], row["n_topics"]) == (pytest.approx(5 / 6), None, 1)


def test_several_measures_stand_side_by_side_in_the_order_of_the_first(two):
    chart = figures.leaderboard(two, ["AP", "RR"])
    spec = figures.to_spec(chart)
    assert [list(spec["datasets"]), len(spec["concat"])] == [["means_1", "means_2"], 2]
    # RR: A has 1, 1/2, 0; B has 1/2, 1, 0.
    assert column(spec["datasets"]["means_2"], "mean") == pytest.approx([1 / 2, 1 / 2])
    assert column(spec["datasets"]["means_2"], "run") == ["first", "second"]
    assert {"AP", "RR", "first", "second"} <= set(words(chart))


def test_topics_have_both_scores_their_difference_text_and_group(two):
    texts, groups = Topics((Topic("q1", "one\n two"), Topic("q2", "three"))), {"q1": "easy", "q2": "hard", "q3": "hard"}
    for draw in (figures.scatter, figures.differences):
        assert rows(draw(*two, "AP", texts=texts, groups=groups), "topics") == [
            {
                "topic": "q1",
                "a": pytest.approx(5 / 6),
                "b": 0.25,
                "difference": pytest.approx(-7 / 12),
                "text": "one two",
                "group": "easy",
            },
            {"topic": "q2", "a": 0.5, "b": 1.0, "difference": 0.5, "text": "three", "group": "hard"},
            {"topic": "q3", "a": 0.0, "b": 0.0, "difference": 0.0, "text": "", "group": "hard"},
        ]


def test_a_figure_of_topics_says_who_wins_and_what_differs_most(two):
    chart = figures.scatter(*two, "AP")
    assert title(chart)[0] == "AP by topic, 3 topics"
    assert "A: first, B: second; B higher on 1, A on 1, equal on 1" in title(chart)[1]
    assert chart.description == (
        "AP of 3 topics, run A first against run B second: B higher on 1, A on 1, equal on 1; means 0.4444 and 0.4167; "
        "the largest difference is -0.5833, topic q1."
    )


def test_topics_that_have_no_value_are_left_out_and_counted():
    pair = [evaluated(run, name, no_relevant="skip") for run, name in ((A, "first"), (B, "second"))]
    chart = figures.differences(*pair, "AP")
    assert column(rows(chart, "topics"), "topic") == ["q1", "q2"]  # nothing is relevant to q3
    assert "1 topic without a value left out" in title(chart)[1]
    assert "2 topics" in title(chart)[0]
    assert rows(figures.leaderboard(pair, "AP"), "means")[0]["mean"] == pytest.approx(2 / 3)  # (5/6 + 1/2) / 2


def test_runs_without_a_topic_in_common_have_no_scatter():
    one, other = (evaluated(A, "first").restricted_to([topic]) for topic in ("q1", "q2"))
    with pytest.raises(DataError, match="no topic with a value of AP"):
        figures.scatter(one, other, "AP")


def test_precision_by_recall_is_the_mean_of_interpolated_precision(two):
    table = rows(figures.precision_recall(two), "curve")
    assert column(table, "recall", run="first") == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    # q1: 1 up to 0.7 (1.4 documents are one), then 2/3; q2: 1/2 everywhere; q3: 0.
    assert column(table, "value", run="first") == pytest.approx([(1 + 1 / 2) / 3] * 8 + [(2 / 3 + 1 / 2) / 3] * 3)


def test_recall_by_depth_ends_where_the_longest_ranking_does(two):
    table = rows(figures.recall(two), "curve")
    assert column(table, "depth", run="first") == [1, 2, 3]
    assert column(table, "value", run="first") == pytest.approx([(1 / 2 + 0) / 3, (1 / 2 + 1) / 3, (1 + 1) / 3])
    assert column(table, "value", run="second") == pytest.approx([(0 + 1) / 3, (1 / 2 + 1) / 3, (1 / 2 + 1) / 3])
    assert set(column(table, "n_topics")) == {3}


def test_the_unjudged_share_leaves_out_topics_with_nothing_returned(two):
    chart = figures.unjudged(two)
    table = rows(chart, "curve")
    # A has x first in q2, of one, then of two documents; all else is judged. B returned nothing for q3.
    assert column(table, "value", run="first") == pytest.approx([1 / 3, (1 / 2) / 3, (1 / 2) / 3])
    assert column(table, "value", run="second") == [0, 0, 0]
    assert column(table, "n_topics") == [3] * 3 + [2] * 3
    assert title(chart)[0] == "Documents not judged by depth, 2 to 3 topics"


def test_curves_say_what_has_to_be_evaluated_for_them():
    bare = irkit.evaluate(run=A, qrels=QRELS, measures="AP")
    for draw, such in ((figures.precision_recall, "IPrec@0.0"), (figures.recall, "R@10"), (figures.unjudged, "NumRet")):
        with pytest.raises(UsageError, match=such):
            draw(bare)


def test_recall_of_other_grades_says_so():
    ours = irkit.evaluate(run=A, qrels=QRELS, measures=["R(rel=2)@1", "R(rel=2)@5"])
    assert title(figures.recall(ours))[0] == "Recall by depth (grade 2 and up), 3 topics"


def test_categories_have_the_mean_of_each_group(two):
    groups = {"q2": "names", "q1": "names", "q3": "nothing to find"}
    table = rows(figures.categories(two, groups, "AP"), "groups")
    assert column(table, "group", run="first") == ["names", "nothing to find"]
    assert column(table, "mean", run="first") == pytest.approx([2 / 3, 0])  # (5/6 + 1/2) / 2
    assert column(table, "mean", run="second") == pytest.approx([5 / 8, 0])  # (1/4 + 1) / 2
    assert column(table, "group_label", run="first") == ["names (n = 2)", "nothing to find (n = 1)"]
    # Of two values the half width is t(0.975, 1) times half their distance.
    half = stats.t.ppf(0.975, 1) * (5 / 6 - 1 / 2) / 2
    assert half > 1 / 3  # so that both ends are those of AP
    assert (table[0]["low"], table[0]["high"]) == (0, 1)
    assert column(table, "low", group="nothing to find") == [None, None]


def test_many_runs_by_category_are_a_table_of_their_means(two):
    runs = [evaluated(A, f"run {number}") for number in range(8)]
    chart = figures.categories(runs, {"q1": "x", "q2": "y", "q3": "y"}, "AP")
    assert "colour and number: mean" in title(chart)[1]
    assert words(chart).count("0.83") == 8  # 5/6 in x


def test_significance_has_every_pair_both_ways_with_holm():
    draws = np.random.default_rng(3)
    grades = {f"q{number}": {f"d{place}": int(place < 3) for place in range(9)} for number in range(12)}
    runs = []
    for shift, name in ((0.0, "low"), (0.3, "middle"), (1.5, "high")):
        scores = {t: {d: float(draws.random() + shift * grade) for d, grade in of.items()} for t, of in grades.items()}
        runs.append(irkit.evaluate(run=scores, qrels=grades, measures="AP", name=name))
    values = {one.name: one.by_topic("AP") for one in runs}
    pairs = [("low", "middle"), ("low", "high"), ("middle", "high")]
    raw = {pair: stats.ttest_rel(values[pair[1]], values[pair[0]]).pvalue for pair in pairs}
    holm, so_far = {}, 0.0
    for place, pair in enumerate(sorted(raw, key=raw.get)):
        so_far = holm[pair] = max(so_far, min(1.0, (3 - place) * raw[pair]))
    table = rows(figures.significance(irkit.compare(runs, baseline="all pairs")), "pairs")
    assert len(table) == 6
    for pair in pairs:
        for row, column_, sign in ((pair[1], pair[0], 1), (pair[0], pair[1], -1)):
            (found,) = [one for one in table if (one["row"], one["column"]) == (row, column_)]
            assert found["difference"] == pytest.approx(sign * (values[pair[1]].mean() - values[pair[0]].mean()))
            assert found["p"] == pytest.approx(raw[pair])
            assert found["adjusted_p"] == pytest.approx(holm[pair])
            assert found["shown"] == (holm[pair] < 0.05)
    assert {one["row"]: one["row_place"] for one in table} == {"high": 1, "middle": 2, "low": 3}


@pytest.mark.parametrize(
    ("pvalue", "text"), [(0.00004, "<.001"), (0.0494, ".049"), (0.04998, ".0500"), (0.9999, "1"), (0.2, ".200")]
)
def test_p_in_a_cell_never_stands_on_the_other_side_of_alpha(pvalue, text):
    from irkit.report.figures.significance import _short

    assert _short(pvalue, 0.05) == text


def test_a_contribution_counts_what_only_one_part_found():
    fused = {"q1": ["a", "b", "c", "z"], "q2": ["d"], "q9": ["a"]}
    parts = [{"q1": ["a", "b"], "q2": ["x"]}, {"q1": ["a", "c", "y"], "q2": ["y", "d"]}]
    grades = {"q1": {"a": 2, "b": 1, "z": 1, "c": 0}, "q2": {"d": 1}}
    chart = figures.contribution(
        fused, [irkit.Run.of(run, name) for run, name in zip(parts, "AB", strict=True)], grades
    )
    table = rows(chart, "counts")
    assert column(table, "label", what="all") == ["only A", "only B", "several parts", "no part"]
    assert column(table, "count", what="all") == [1, 2, 1, 1]  # b; c and d; a; z. q9 is not judged.
    assert column(table, "count", what="relevant") == [1, 1, 1, 1]  # b; d; a; z
    assert column(table, "share", what="all") == pytest.approx([0.2, 0.4, 0.2, 0.2])
    assert title(chart)[0].endswith("first 10 documents of 2 topics")


def test_a_contribution_looks_so_deep_and_takes_such_grades():
    fused, parts = {"q1": ["a", "b"]}, [{"q1": ["x", "a"]}, {"q1": ["b", "a"]}]
    grades = {"q1": {"a": 2, "b": 1}}
    table = rows(figures.contribution(fused, parts, grades, depth=2, part_depth=1), "counts")
    assert column(table, "count", what="all") == [0, 1, 0, 1]  # b is B's first; a is nobody's
    table = rows(figures.contribution(fused, parts, grades, depth=2, rel=2), "counts")
    assert column(table, "count", what="relevant") == [0, 0, 1, 0]  # a alone has grade 2; both parts have it


def test_the_least_of_many_parts_are_taken_together():
    documents = list("abcdefg")
    parts = [irkit.Run.of({"q": [one]}, f"part {one}") for one in documents]
    table = rows(figures.contribution({"q": documents}, parts, {"q": {"a": 1}}), "counts")
    assert column(table, "label", what="all")[-3:] == ["only one of 3 others", "several parts", "no part"]
    assert column(table, "count", what="all") == [1, 1, 1, 1, 3, 0, 0]


def test_evaluations_by_other_rules_have_no_figure_together(two):
    other = evaluated(A, "other", no_relevant="one")
    with pytest.raises(DataError, match="other rules or conventions"):
        figures.leaderboard([*two, other])
    with pytest.raises(UsageError, match="not str"):
        figures.leaderboard(["run.txt"])
    with pytest.raises(UsageError, match="AP"):
        figures.leaderboard(two, "nDCG@3")


def test_a_size_that_nothing_can_be_drawn_in_is_refused(two):
    with pytest.raises(UsageError, match="width of a figure is 100 to 10000 pixels"):
        figures.leaderboard(two, width=5)


# Names -----------------------------------------------------------------------------------------------------------

HOSTILE = [
    "</script><script>EVIL()</script>",
    "EVIL' + alert(1) + '\"\\",
    "EVIL\nline\ttab",
    "\u202eEVIL",
    "datum.EVIL",
    "a.b[0]['EVIL']",
    '{"signal": "EVIL"}',
    "EVIL\udcff",
]


@pytest.fixture(scope="module")
def hostile():
    """A chart of each kind in which every text that a file can give is hostile."""
    grades = {f"{name.split()[0]}{n}": {"a": 1, "b": 0} for n, name in enumerate(HOSTILE)}
    ours = [
        irkit.evaluate(
            run={topic: ["b", "a"][:: 1 - 2 * (n % 2)] for topic in grades}, qrels=grades, measures=ALL, name=name
        )
        for n, name in enumerate(HOSTILE)
    ]
    groups = dict(zip(grades, HOSTILE, strict=True))
    pair = {"texts": groups, "groups": groups}
    parts = [
        irkit.Run.of({topic: [document] for topic in grades}, name)
        for document, name in zip("ab", HOSTILE, strict=False)
    ]
    fused = irkit.Run.of({topic: ["a", "b"] for topic in grades}, HOSTILE[0])
    return {
        "leaderboard": figures.leaderboard(ours, "AP"),
        "leaderboards": figures.leaderboard(ours, ["AP", "RR"]),
        "scatter": figures.scatter(*ours[:2], "AP", **pair),
        "differences": figures.differences(*ours[:2], "AP", **pair),
        "precision_recall": figures.precision_recall(ours),
        "recall": figures.recall(ours[:3]),
        "unjudged": figures.unjudged(ours[3:]),
        "categories": figures.categories(ours[:4], groups, "AP"),
        "table": figures.categories(ours, groups, "AP"),
        "significance": figures.significance(irkit.compare(ours, baseline="all pairs", measures=["AP"])),
        "contribution": figures.contribution(fused, parts, grades),
    }


def expressions(spec, key=""):
    """Every text of a compiled specification that Vega evaluates."""
    if isinstance(spec, dict):
        for name, value in spec.items():
            if name == "values" and isinstance(value, list) and value and isinstance(value[0], dict):
                continue  # data
            yield from expressions(value, name)
    elif isinstance(spec, list):
        for value in spec:
            yield from expressions(value, key)
    elif isinstance(spec, str) and key in (
        "signal",
        "expr",
        "test",
        "update",
        "init",
        "as",
        "field",
        "fields",
        "groupby",
    ):
        yield spec


def test_no_text_of_a_file_is_evaluated_or_names_a_field(hostile):
    import vl_convert

    for kind, chart in hostile.items():
        compiled = vl_convert.vegalite_to_vega(figures.to_spec(chart), vl_version="6.4")
        found = list(expressions(compiled))
        assert found, kind
        assert not [one for one in found if "EVIL" in one], kind


def test_hostile_names_are_shown_as_text_and_nothing_more(hostile):
    for kind, chart in hostile.items():
        root = ET.fromstring(figures.picture(chart, "svg"))  # well formed
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {
            "svg",
            "desc",
            "rect",
            "g",
            "path",
            "line",
            "text",
            "defs",
            "linearGradient",
            "stop",
            "tspan",
        }, kind
        shown = " ".join(root.itertext())
        assert "EVIL" in shown, kind
        assert "\u202e" not in shown, kind
    for form in ("png", "pdf", "json"):
        assert figures.picture(hostile["leaderboard"], form, scale=1)


def test_hostile_names_stand_whole_in_a_leaderboard(hostile):
    shown = set(words(hostile["leaderboard"]))
    assert {"datum.EVIL", "a.b[0]['EVIL']", '{"signal": "EVIL"}', "\\u202eEVIL", "EVIL line tab", "EVIL\\xff"} <= shown


def test_labels_are_short_and_each_its_own():
    names = [f"bm25-with-a-long-name-k1={k}-rm3-title-and-description" for k in (0.9, 1.2, 1.5)]
    assert labels(names, 20) == ["…0.9…", "…1.2…", "…1.5…"]
    assert labels(["same"] * 2) == ["same (1)", "same (2)"]
    long = labels(["x" * 50 + "a", "y" * 50 + "b"], 21)
    assert long == ["x" * 10 + "…" + "x" * 9 + "a", "y" * 10 + "…" + "y" * 9 + "b"]
    assert labels(["prefix-" * 6, "prefix-" * 6 + "more"], 30)[1].endswith("more")
    assert labels(["a" * 40], 11) == ["a" * 5 + "…" + "a" * 5]
    assert labels([]) == []


# Pictures --------------------------------------------------------------------------------------------------------


def colours_of(png):
    return len(Image.open(io.BytesIO(png)).convert("RGB").getcolors(1 << 24))


@pytest.mark.parametrize("dark", [False, True])
def test_pictures_are_what_they_are_called_and_not_blank(two, dark):
    chart = figures.recall(two)
    svg = figures.picture(chart, "svg", dark=dark).decode()
    assert svg.startswith("<svg")
    assert (DARK if dark else LIGHT).page in svg
    png = figures.picture(chart, "png", dark=dark, scale=2)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert colours_of(png) > 10
    picture = Image.open(io.BytesIO(png))
    assert picture.size[0] == pytest.approx(2 * 317, abs=10)
    assert picture.info["dpi"] == pytest.approx((192, 192), abs=1)  # 2 dots a pixel, of which an inch has 96
    pdf = figures.picture(chart, "pdf", dark=dark)
    assert pdf.startswith(b"%PDF-")
    assert b"/Font" in pdf  # text, no outlines and no boxes


def test_a_pdf_is_as_wide_as_a_column_of_a_paper(two):
    import re

    box = re.search(rb"/MediaBox \[0 0 ([\d.]+)", figures.picture(figures.recall(two), "pdf"))
    assert float(box[1]) / 72 == pytest.approx(3.3, abs=0.05)  # inches


def test_every_figure_says_in_words_what_it_shows(hostile):
    for chart in hostile.values():
        root = ET.fromstring(figures.picture(chart, "svg"))
        assert root.get("role") == "img"
        assert root.find("{http://www.w3.org/2000/svg}desc").text == figures.to_spec(chart)["description"]


def test_the_same_figure_is_the_same_file(two):
    for form in ("svg", "json"):
        first = figures.picture(figures.recall(two), form)
        figures.picture(figures.scatter(*two), form)  # what came between leaves no trace
        assert figures.picture(figures.recall(two), form) == first


def test_a_specification_is_plain_valid_and_has_a_transparent_ground(two):
    import altair

    for dark in (False, True):
        spec = figures.to_spec(figures.scatter(*two), dark=dark)
        assert json.loads(json.dumps(spec, allow_nan=False)) == spec
        assert spec["config"] == figures.theme(dark)
        assert spec["config"]["background"] == "transparent"
        altair.Chart.from_dict(spec)  # which checks it against the grammar


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """The ratio of WCAG 2.1."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(colours: Palette):
    assert contrast(colours.ink, colours.page) >= 7
    assert contrast(colours.quiet, colours.page) >= 4.5
    assert min(contrast(colours.ink, one) for one in (*colours.diverging, *colours.rising)) >= 4.5
    assert min(contrast(one, colours.page) for one in colours.runs) >= 2.2  # lines, which have shapes and dashes too


def seen_by_the_red_blind(colour):
    """Linear RGB as a protanope sees it (Viénot, Brettel and Mollon 1999)."""
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]) ** 2.2
    return np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]) @ parts


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_first_runs_have_colours_that_the_colour_blind_tell_apart(colours: Palette):
    seen = [seen_by_the_red_blind(one) ** (1 / 2.2) for one in colours.runs[:3]]
    for place, one in enumerate(seen):
        for other in seen[:place]:
            assert sqrt(((one - other) ** 2).sum()) > 0.2


def test_the_bundle_can_stand_in_a_page():
    bundle = figures.vega_bundle()
    assert "vegaEmbed" in bundle
    assert "</script" not in bundle.lower()
    assert "<!--" not in bundle
    assert 500_000 < len(bundle) < 2_000_000


def test_other_forms_and_scales_are_refused(two, tmp_path):
    chart = figures.recall(two)
    with pytest.raises(UsageError, match="svg, png, pdf, json"):
        figures.picture(chart, "gif")
    with pytest.raises(UsageError, match=r"scale is 0\.1 to 20"):
        figures.picture(chart, "png", scale=1000)
    with pytest.raises(UsageError, match=r"ends in \.svg, \.png, \.pdf or \.json"):
        figures.write(chart, tmp_path / "figure.jpeg")
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_named(two, monkeypatch):
    chart = figures.recall(two)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'irkit\[report\]'"):
        figures.picture(chart, "svg")
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'irkit\[report\]'"):
        figures.recall(two)


def test_figures_load_no_library_before_one_is_drawn():
    code = "import irkit.report.figures, sys; print('altair' in sys.modules, 'vl_convert' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False False\n"


# Sizes -----------------------------------------------------------------------------------------------------------


def random_runs(n_runs, n_topics, seed=0):
    draws = np.random.default_rng(seed)
    grades = {f"t{topic:04}": {f"d{place}": int(place < 2) for place in range(6)} for topic in range(n_topics)}
    runs = []
    for number in range(n_runs):
        scores = draws.random((n_topics, 6)).tolist()
        run = {topic: dict(zip(grades[topic], row, strict=True)) for topic, row in zip(grades, scores, strict=True)}
        runs.append(irkit.evaluate(run=run, qrels=grades, measures=ALL, name=f"run {number:02}"))
    return runs


def test_thirty_runs_are_all_named_or_the_figure_says_which():
    runs = random_runs(30, 6)
    names = {f"run {number:02}" for number in range(30)}
    assert names <= set(words(figures.leaderboard(runs, "AP")))
    matrix = figures.significance(irkit.compare(runs, baseline="all pairs", measures=["AP"]))
    assert names <= set(words(matrix))
    assert "p not shown in so many cells" in title(matrix)[1]
    curves = figures.recall(runs)
    assert "in colour the 7 highest of 30 runs, the others grey" in title(curves)[1]
    assert len(names & set(words(curves))) == 7
    lines = {row["run"]: row["line"] for row in rows(curves, "curve")}
    assert sorted(line for line in lines.values() if line) == [1, 2, 3, 4, 5, 6, 7]
    heights = {run: np.mean(column(rows(curves, "curve"), "value", run=run)) for run in names}
    assert {run for run, line in lines.items() if line} == set(sorted(names, key=heights.get)[-7:])


def test_seven_thousand_topics_make_a_file_of_a_few_megabytes():
    pair = random_runs(2, 7000)
    for draw in (figures.scatter, figures.differences):
        chart = draw(*pair, "AP")
        assert len(rows(chart, "topics")) == 7000
        assert len(figures.picture(chart, "svg")) < 3_000_000


def test_one_run_and_one_topic_have_every_figure_that_takes_one():
    alone = evaluated(A, "first").restricted_to(["q2"])
    for draw in (figures.leaderboard, figures.precision_recall, figures.recall, figures.unjudged):
        assert "1 topic" in title(draw(alone))[0]
        assert colours_of(figures.picture(draw(alone), "png", scale=1)) > 2
    assert figures.picture(figures.scatter(alone, alone, "AP"), "svg")
    assert figures.picture(figures.categories(alone, {"q2": "x"}), "svg")


def test_a_run_without_any_value_keeps_its_line_without_a_dot():
    nothing = evaluated({"q3": ["e"]}, "nothing", average="intersection", no_relevant="skip")
    something = evaluated(A, "first", average="intersection", no_relevant="skip")
    chart = figures.leaderboard([nothing, something], "AP")
    assert column(rows(chart, "means"), "mean") == [pytest.approx(2 / 3), None]
    assert "nothing" in words(chart)
    assert "0 to 2 topics" in title(chart)[0]


# Values that are none


def every_kind(runs):
    """Each figure of the runs that can be drawn, by its kind."""
    yield "leaderboard", lambda: figures.leaderboard(runs, ["AP", "RR"])
    yield "one measure", lambda: figures.leaderboard(runs, "AP")
    yield "scatter", lambda: figures.scatter(*runs, "AP")
    yield "differences", lambda: figures.differences(*runs, "AP")
    yield "precision-recall", lambda: figures.precision_recall(runs)
    yield "recall", lambda: figures.recall(runs)
    yield "unjudged", lambda: figures.unjudged(runs)
    yield "categories", lambda: figures.categories(runs, {"q1": "x", "q2": "y", "q3": "x"}, "AP")
    yield "categories, many", lambda: figures.categories([*runs] * 4, {"q1": "x", "q2": "y", "q3": "x"}, "AP")
    yield "significance", lambda: figures.significance(irkit.compare(runs, baseline="all pairs"), "AP")


def says_no_number(chart):
    # A path of Vega may lead nowhere (M NaN) only where nothing is drawn, and even so no reader should meet it.
    svg = figures.picture(chart, "svg")
    text = svg if isinstance(svg, str) else svg.decode()
    return [one for one in ("NaN", "nan ", "nan;", ">nan", "Infinity", "∞") if one in text]


@pytest.mark.parametrize("topics", [["q1"], ["q3"], ["q1", "q2"], ["q1", "q2", "q3"]])
@pytest.mark.parametrize("no_relevant", ["zero", "skip"])
def test_no_figure_says_that_something_is_no_number(topics, no_relevant):
    grades = {topic: QRELS[topic] for topic in topics}
    runs = [
        evaluated(A, "first", grades, no_relevant=no_relevant),
        evaluated({**B, "q3": ["x"]}, "second", grades, no_relevant=no_relevant),
    ]
    for kind, draw in every_kind(runs):
        if topics == ["q3"] and no_relevant == "skip":
            with pytest.raises(DataError, match="topic with a value"):
                draw()
            continue
        chart = draw()
        json.dumps(figures.to_spec(chart), allow_nan=False)
        assert not says_no_number(chart), kind


def test_a_pair_of_runs_with_one_topic_has_no_test():
    runs = [evaluated(A, "first", {"q2": {"d": 1}}), evaluated(B, "second", {"q2": {"d": 1}})]  # AP 1/2 and 1
    chart = figures.significance(irkit.compare(runs, baseline="all pairs"), "AP")
    assert column(rows(chart, "pairs"), "p_text") == ["-", "-"]
    assert column(rows(chart, "pairs"), "adjusted_p") == [None, None]
    assert figures.to_spec(chart)["description"].endswith("second less first +0.5000, no test with one topic.")
