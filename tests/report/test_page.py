"""The page of a report: its data against values worked by hand, its size, and that no text of a file can run."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from math import inf, log2, nan
from pathlib import Path

import numpy as np
import pytest
from pages_at_hand import BREAKS, DOCUMENTS, GROUPS, QRELS, RUNS, TOPICS, data_of, files, hostile_files, many

from irkit import report_page, write_report
from irkit.cli import main
from irkit.data.topics import Topic
from irkit.errors import DataError, FormatError, UsageError
from irkit.report.page.contributions import shares
from irkit.report.page.embed import as_json, that_fit
from irkit.report.page.fusion import alone, found_by, fusions
from irkit.report.page.inputs import read_material
from irkit.report.page.numbers import plain
from irkit.report.page.provenance import parts_of
from irkit.report.page.rankings import by_change, rankings
from irkit.report.page.texts import cut, document_texts

approx = pytest.approx
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page():
    topics = [Topic(one, text, {"kind": GROUPS[one]}) for one, text in TOPICS.items()]
    return report_page(list(RUNS.values()), QRELS, "RR P@1 NumRet", topics=topics, by="kind", depth=2)


@pytest.fixture(scope="module")
def core(page):
    return data_of(page)["core"]


def material(**options):
    return read_material(list(RUNS.values()), QRELS, measures="RR", **options)


# What the numbers are


def test_a_mean_stands_with_its_t_interval_and_its_topics(core):
    # RR of the first run: 1, 1, and 0 for the topic that it lacks. Mean 2/3, deviation sqrt(1/3), and t of 2 degrees
    # 4.302653: half the interval is 4.302653 * sqrt(1/3) / sqrt(3) = 1.434218: all that RR can be.
    assert core["board"]["means"][0][0] == approx([2 / 3, 0, 1, 3], abs=1e-6)
    # The second run: 1/2, 1, 1.
    assert core["board"]["means"][1][0][0] == approx(5 / 6)


def test_a_count_has_no_interval(core):
    assert core["board"]["means"][0][2] == [5.0, None, None, 3]  # documents retrieved: 3 and 2
    assert core["measures"][2]["count"]
    assert not core["measures"][2]["tested"]


def test_the_best_of_a_column_is_marked_where_more_is_better(core):
    # P@1 of the first: 1, 1, 0; of the second: 0, 1, 1. A tie in four decimals marks none.
    assert core["board"]["best"] == [[1], [], []]


def test_values_by_topic_stand_by_run_and_measure(core):
    assert core["topics"]["ids"] == ["t1", "t2", "t3"]
    assert core["topics"]["values"][0][0] == [1, 1, 0]
    assert core["topics"]["values"][1][0] == [0.5, 1, 1]
    assert core["topics"]["queries"] == list(TOPICS.values())


def test_groups_have_their_topics_and_means(core):
    assert [(one["name"], one["topics"]) for one in core["groups"]] == [("easy", 1), ("hard", 2)]
    assert core["groups"][1]["means"][0][0][0] == approx(0.5)  # 1 and 0
    assert core["groups"][0]["means"][0][0] == [1, None, None, 1]  # one topic has no interval
    assert core["topics"]["group"] == [0, 1, 1]


def test_what_a_reader_must_know_stands_above_the_numbers(core):
    assert core["sentences"] == [
        "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none",
        "run (1): 1 judged topic missing from the run (counted as returning nothing): t3",
    ]
    # Half the widest interval is 1.4342, as above: more than a mean of RR can move at all.
    assert core["cautions"] == [
        "3 topics are too few to rank systems, or to say where the mean over all topics of the kind "
        "lies (RR of run (1))."
    ]


def test_a_pair_is_tested_once_and_its_difference_is_candidate_less_baseline(core):
    (test,) = [one for one in core["tests"]["pairs"] if one["m"] == 0]
    # Differences -1/2, 0, 1: mean 1/6, deviation sqrt(7/12), so t = (1/6) / sqrt(7/36) = 1/sqrt(7).
    assert test["difference"] == approx(1 / 6)
    assert (test["wins"], test["ties"], test["losses"]) == (1, 1, 1)
    # Student's t of 2 degrees: p = 1 - t / sqrt(2 + t * t) = 1 - 1/sqrt(15).
    assert test["p"] == approx(1 - 1 / 15**0.5, abs=1e-9)
    assert not test["shown"]


def test_rankings_hold_ranks_in_whole_runs_grades_and_what_no_run_has():
    first, second, third = rankings(material(), 2)
    assert first.documents == ("d1", "d2", "d8")  # the firsts of both runs; then relevant, and retrieved by none
    assert first.grades == (2, 0, 1)
    assert first.ranks == ((1, 2, 0), (2, 1, 0))
    assert first.scores == ((3.0, 2.0), (3.0, 2.0))
    assert first.judged == {2: 1, 0: 1, 1: 1}
    assert first.lengths == (3, 3)
    assert second.documents == ("d4", "d6", "d5")
    assert second.grades == (1, 3, None)
    assert second.ranks == ((1, 0, 2), (2, 1, 0))
    assert third.ranks == ((0,), (1,))
    assert third.lengths == (0, 1)


def test_a_relevant_document_below_the_depth_has_the_rank_that_it_has():
    run = {"t": {f"d{place}": 30.0 - place for place in range(30)}}
    (one,) = rankings(read_material([run], {"t": {"d0": 1, "d20": 2, "d25": 1, "x": 1}}, measures="RR"), 10)
    assert one.documents[10:] == ("d20", "d25", "x")  # better grade first, then better rank
    assert one.ranks[0][10:] == (21, 26, 0)
    assert one.n_missed == 0


def test_of_many_missed_documents_twenty_are_listed_and_the_others_counted():
    (one,) = rankings(read_material([{"t": {"d": 1.0}}], {"t": {f"r{n}": 1 for n in range(50)}}, measures="RR"), 10)
    assert len(one.documents) == 1 + 20
    assert one.n_missed == 30


def test_what_each_document_adds_is_told_of_measures_that_are_sums():
    added, known = shares(read_material(list(RUNS.values()), QRELS, measures="RR nDCG@10 GMAP NumRet"), 2)
    assert known == [True, True, False, False]
    # d1 of grade 2 stands second: RR has 1/2; DCG has 2/log2(3), and the ideal, of 2 and 1, 2 + 1/log2(3).
    assert added[1]["t1"] == {2: approx([1 / 2, (2 / log2(3)) / (2 + 1 / log2(3)), 0, 0])}
    assert "t3" not in added[0]


def test_what_documents_add_is_not_told_of_other_orders_of_ties():
    assert shares(read_material(list(RUNS.values()), QRELS, measures="RR", ties="expected"), 2) == ([{}, {}], [False])


def test_an_infinite_score_is_told_in_words():
    found = data_of(report_page([{"t1": {"d1": inf, "d2": 1.0}}], QRELS, "RR"))
    assert found["rankings"][0][3] == [["inf", 1.0]]


def test_topics_on_which_runs_differ_most_come_first():
    # One measure; differences 1/2, 0, 1, and none where a run has no value.
    values = np.array([[[1.0, 1.0, 0.0, nan]], [[0.5, 1.0, 1.0, nan]]])
    assert by_change(values) == [2, 0, 1, 3]
    assert by_change(np.zeros((2, 0, 3))) == []


def test_each_run_alone_and_a_fusion_are_counted_by_hand():
    found = found_by(list(rankings(material(), 2)), 2)
    # d1 and d4 in both, d6 and d7 in the second alone; d8 in none.
    assert found.tolist() == [[True, True, False, False], [True, True, True, True]]
    assert alone(found, {}) == [{"found": 2, "alone": 0}, {"found": 4, "alone": 2}]
    fused = np.vstack([found, [[True, False, True, False]]])
    assert alone(fused, {2: [0, 1]})[2] == {"found": 2, "alone": None}  # no run is left to hold it against
    assert alone(fused, {2: [0, 1]})[1] == {"found": 4, "alone": 2}
    values = np.array([[[0.1, 0.5, 0.5]], [[0.3, 0.5, 0.7]], [[0.4, 0.5, 0.1]]])
    (one,) = fusions(fused, {2: [0, 1]}, values, 0)
    assert (one["found"], one["by_all"], one["by_one"], one["by_none"]) == (2, 1, [0, 1], 0)
    assert one["lost"] == [1, 2]
    assert (one["above"], one["between"], one["below"]) == (1, 1, 1)


def test_curves_are_the_means_of_their_measures(core):
    rows = core["charts"]["recall"]["spec"]["datasets"]["curve"]
    # R@1 of the first run: 1/2, 1/2, 0; of the second: 0, 1/2, 1.
    assert [row["value"] for row in rows if row["depth"] == 1] == approx([1 / 3, 1 / 2])
    judged = core["charts"]["unjudged"]["spec"]["datasets"]["curve"]
    # The first two documents of the first run: d1 d2 judged; d4 judged, d5 not.
    assert judged[1]["value"] == approx((0 + 1 / 2) / 2)


def test_a_fused_run_is_known_by_its_record_and_the_content_of_its_parts(tmp_path):
    class Source:
        def __init__(self, sha256):
            self.sha256 = sha256

    class Record:
        method = "fuse"

        def __init__(self, *parts):
            self.files = {"runs": [Source(hashlib.sha256(part).hexdigest()) for part in parts]}

    paths = []
    for name in ("one", "two", "three"):
        (tmp_path / name).write_bytes(name.encode())
        paths.append(str(tmp_path / name))
    assert parts_of(paths, [None, None, Record(b"two", b"one")]) == {2: [1, 0]}
    assert parts_of(paths, [None, None, Record(b"two", b"another")]) == {}


def test_texts_are_cut_between_words_and_titles_not_said_twice(tmp_path):
    assert cut("one two three", 9) == "one two…"
    assert cut("one", 9) == "one"
    found = document_texts(files(tmp_path)[3], {"d1", "d4", "unknown"})
    assert found.keys() == {"d1", "d4"}
    assert found["d1"] == ["A title of one", "The text of one.", {"price": "3"}]
    assert found["d4"][1].endswith("word…")
    assert len(found["d4"][1]) <= 801


# Other judgments, fewer runs


def test_judgments_without_one_grade_for_a_document_have_no_grades_and_no_curves():
    by_subtopic = {"t1": {"1": {"d1": 1}, "2": {"d2": 1}}, "t2": {"1": {"d4": 1}}}
    found = data_of(report_page([RUNS["a"], RUNS["b"]], by_subtopic, "alpha_nDCG@5"))
    assert not found["core"]["graded"]
    assert {"precision_recall", "recall", "unjudged"}.isdisjoint(found["core"]["charts"])
    assert found["rankings"][0][1] == [None] * len(found["rankings"][0][0])


def test_fractional_grades_are_shown_as_they_are():
    found = data_of(report_page([RUNS["a"]], {"t1": {"d1": 0.5}}, "nDCG@5", fractional=True))
    assert found["rankings"][0][1][0] == 0.5


def test_a_single_run_is_tested_against_nothing():
    found = data_of(report_page([RUNS["a"]], QRELS, "RR"))["core"]
    assert found["tests"] is None
    assert "scatter" not in found["charts"]


def test_passages_are_collapsed_in_rankings_too():
    run = {"t1": {"d1#1": 3.0, "d1#2": 2.0, "d2#1": 1.0}}
    (one,) = rankings(read_material([run], {"t1": {"d2": 1}}, measures="RR", collapse="#"), 5)
    assert one.documents == ("d1", "d2")


def test_ties_stand_in_rankings_as_they_were_scored(tmp_path):
    (tmp_path / "run").write_text("t1 Q0 d1 1 1.0 x\nt1 Q0 d2 2 1.0 x\n")
    by_id = next(rankings(read_material([str(tmp_path / "run")], {"t1": {"d1": 1}}, measures="RR"), 5))
    as_given = next(rankings(read_material([str(tmp_path / "run")], {"t1": {"d1": 1}}, measures="RR", ties="file"), 5))
    assert by_id.documents == ("d2", "d1")
    assert as_given.documents == ("d1", "d2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "a page shows 1 to 100 documents of a ranking, not 0"),
        ({"by": "kind"}, "a topic field is given without topics; give the topics file too"),
        ({"average": "topics"}, "average='topics' needs topics; give the topics file"),
        ({"baseline": "c"}, "there is no run 'c'; there are run (1), run (2)"),
        ({"largest": 1000}, "a page of 1,000 bytes has no room for data; allow "),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        report_page(list(RUNS.values()), QRELS, "RR", **options)


def test_no_run_is_refused():
    with pytest.raises(UsageError, match="a report needs at least one run"):
        report_page([], QRELS)


def test_runs_without_a_topic_in_common_are_refused():
    with pytest.raises(DataError, match="no topic is in all of"):
        report_page([{"t1": {"d": 1.0}}, {"t2": {"d": 1.0}}], QRELS, "RR", average="intersection")


# As HTML


class Elements(HTMLParser):
    """The elements of a page, with the text of its scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.found, self.texts, self.inside = [], [], False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag in ("script", "style", "title"):
            self.texts.append([tag, dict(attrs), ""])
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.texts[-1][2] += data


def test_json_in_a_script_ends_nothing_and_says_the_same():
    data = [BREAKS, "\u2028\u2029", "half \udc80", "&lt;", {"<": ">"}, 0.1, None, "ü"]
    text = as_json(data)
    assert not re.search("[<>&\u2028\u2029\udc80]", text)
    assert json.loads(text) == data


def test_hostile_texts_make_no_element_and_no_attribute(tmp_path):
    runs, qrels, topics, documents = hostile_files(tmp_path)
    hurt = report_page(runs, qrels, topics=topics, documents=documents, by="<script>hurt(1)</script>", title=BREAKS)
    harmless = report_page(list(RUNS.values()), QRELS, "RR", title="x")
    kinds = [[tag for tag, _ in Elements(one).found if tag not in ("script",)] for one in (hurt, harmless)]
    assert kinds[0] == kinds[1]
    assert all(not name.startswith("on") for _, attributes in Elements(hurt).found for name in attributes)
    scripts = [attributes for tag, attributes in Elements(hurt).found if tag == "script"]
    assert [one.get("id") for one in scripts] == ["core", "rankings", "texts", None, None]
    assert [text for tag, _, text in Elements(hurt).texts if tag == "title"] == [BREAKS]


def test_the_policy_names_each_script_and_style_by_its_content_and_allows_nothing_else(page):
    elements = Elements(page)
    policy = next(attributes["content"] for _, attributes in elements.found if attributes.get("http-equiv"))
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))

    def digest(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    programs = [
        text for tag, attributes, text in elements.texts if tag == "script" and attributes.get("type") == "module"
    ]
    styles = [text for tag, _, text in elements.texts if tag == "style"]
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == list(map(digest, programs))
    assert rules["style-src"].split() == list(map(digest, styles))
    assert "unsafe" not in policy


def test_nothing_in_the_page_points_anywhere_else(page):
    for tag, attributes in Elements(page).found:
        assert tag not in ("link", "iframe", "img", "object", "base"), tag
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")


def test_the_same_input_gives_the_same_bytes(tmp_path):
    runs, qrels, topics, documents = files(tmp_path)
    for name in ("one", "two"):
        write_report(runs, qrels, tmp_path / name, topics=topics, documents=documents)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_page_says_files_and_nothing_of_the_machine(tmp_path):
    runs, qrels, topics, documents = files(tmp_path)
    (tmp_path / "a.txt.provenance.json").write_text("{}")
    found = report_page(runs, qrels, topics=topics, documents=documents, average="topics")
    assert str(tmp_path) not in json.dumps(data_of(found))
    core = data_of(found)["core"]
    digest = hashlib.sha256((tmp_path / "qrels.txt").read_bytes()).hexdigest()
    assert ["qrels", "qrels.txt"] in core["facts"]
    assert ["qrels, SHA-256", digest] in core["facts"]
    assert [one["state"] for one in core["provenance"]] == ["unread", "none"]


# Its size


@pytest.mark.parametrize("sizes", [[5] * 100, [100] + [1] * 99, list(range(1, 2000)), []])
@pytest.mark.parametrize("room", [-3, 0, 40, 10_000])
def test_what_fits_fits_and_all_is_taken_where_all_fits(sizes, room):
    n = that_fit(sizes, sum, room)
    assert sum(sizes[:n]) <= max(room, 0)
    if sum(sizes) <= room:
        assert n == len(sizes)


def test_where_not_even_the_rankings_fit_those_that_changed_most_are_carried(tmp_path):
    runs, qrels, topics, _ = many(tmp_path, n_topics=5000, n_documents=5100)
    found = data_of(report_page(runs, qrels, "RR", topics=topics, largest=1_250_000))["core"]
    assert 0 < found["rankings"]["carried"] < 5000
    assert found["left_out"][0].startswith(
        f"The page holds the rankings of {found['rankings']['carried']} topics of 5000"
    )


def test_numbers_are_plain():
    assert plain(1 / 3) == 0.3333333333
    assert plain(nan) is None


# The command


def call(capfd, *words):
    status = main(list(words))
    return status, *capfd.readouterr()


def test_the_command_writes_the_page_and_says_its_size(tmp_path, capfd, monkeypatch):
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["report", "a.txt", "b.txt", "qrels.txt", "-m", "RR", "--topics", "topics.jsonl", "--by", "kind"]
    status, out, err = call(
        capfd, *words, "--documents", "documents.jsonl", "--title", "Two runs", "--out", "page.html"
    )
    assert (status, err) == (0, "")
    assert re.fullmatch(r"page\.html: 1\.\d MB\n", out)
    core = data_of((tmp_path / "page.html").read_text("utf-8"))["core"]
    assert core["title"] == "Two runs"
    command = "irkit report a.txt b.txt qrels.txt -m RR --topics topics.jsonl --by kind --documents documents.jsonl"
    assert ["command", f"{command} --title 'Two runs' --out page.html"] in core["facts"]


def test_a_baseline_is_named_by_its_file_or_its_name(tmp_path, monkeypatch, capfd):
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("b.txt", "b"):
        assert call(capfd, "report", "a.txt", "b.txt", "qrels.txt", "--baseline", name, "--out", "page.html")[0] == 0
        assert data_of((tmp_path / "page.html").read_text("utf-8"))["core"]["tests"]["baseline"] == 1


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            ["qrels.txt", "a.txt"],
            1,
            "irkit: qrels.txt has 4 columns and looks like qrels, a.txt has 6 and looks like a run",
        ),
        (["a.txt", "qrels.txt", "--by", "kind"], 2, "irkit: a topic field is given without topics"),
        (
            ["a.txt", "qrels.txt", "--topics", "topics.jsonl", "--by", "knd"],
            2,
            "irkit: topics.jsonl: no topic has a field 'knd'; did you mean 'kind'?",
        ),
        (
            ["a.txt", "qrels.txt", "--average", "topics"],
            2,
            "Error: --average topics needs --topics FILE, whose topics are averaged",
        ),
        (["a.txt", "qrels.txt", "--collapse-by", "max"], 2, "irkit: --collapse-by needs --collapse SEPARATOR"),
        (["a.txt"], 2, "Error: report needs at least one run, and the qrels last; got only a.txt"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(words, status, message, tmp_path, monkeypatch, capfd):
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    found, _, err = call(capfd, "report", *words, "--out", "page.html")
    assert found == status
    assert message in err
    assert not (tmp_path / "page.html").exists()


def test_a_broken_document_stops_the_page(tmp_path):
    runs, qrels, _, documents = files(tmp_path)
    (tmp_path / "documents.jsonl").write_text("{")
    with pytest.raises(FormatError, match=r"documents\.jsonl:1"):
        report_page(runs, qrels, "RR", documents=documents)


def test_documents_that_no_topic_shows_are_not_carried(tmp_path):
    runs, qrels, _, documents = files(tmp_path)
    with (tmp_path / "documents.jsonl").open("a") as stream:
        stream.write('{"id": "never", "contents": "retrieved"}\n')
    texts = data_of(report_page(runs, qrels, "RR", documents=documents))["texts"]["documents"]
    assert texts.keys() == DOCUMENTS.keys()


# The manual


@pytest.fixture
def manual(tmp_path, monkeypatch):
    """A folder with the committed runs of a collection that comes along, and its documents."""
    for name in ("runs", "qrels", "topics"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    assert main(["convert", str(ROOT / "irkit/collections/services"), "--name", "services", "--out", "made"]) == 0
    (tmp_path / "documents").symlink_to(tmp_path / "made" / "documents")
    return (ROOT / "docs" / "report.md").read_text("utf-8")


def test_the_examples_of_the_manual_run_and_show_the_collection_whole(manual, tmp_path):
    (command,) = re.findall(r"```sh\nirkit (.*?)\n```", manual, re.S)
    words = [
        path for word in command.split() for path in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    assert main(words) == 0
    data = data_of((tmp_path / "report.html").read_text("utf-8"))
    core = data["core"]
    assert core["runs"] == ["run.services.bm25", "run.services.dense", "run.services.fused"]
    assert [one["name"] for one in core["groups"]] == [
        "exact-name",
        "paraphrase",
        "filtered",
        "no-result",
        "adversarial",
    ]
    assert core["rankings"]["texts"] == core["rankings"]["carried"] == 15
    assert core["left_out"] == []
    assert data["texts"]["documents"]["scrivener"][0] == "Scrivener Speech to Text"
    (tmp_path / "report.html").unlink()
    (code,) = re.findall(r"```python\n(.*?)```", manual, re.S)
    exec(compile(code, "docs/report.md", "exec"), {})
    assert len(data_of((tmp_path / "report.html").read_text("utf-8"))["core"]["groups"]) == 5


def test_the_query_of_a_table_of_topics_is_a_query_and_no_field(tmp_path):
    (tmp_path / "topics.tsv").write_text("qid\tquery\tkind\nq1\tgreen tea\teasy\nq2\tblack tea\thard\n")
    runs = [{"q1": ["a", "b"], "q2": ["a"]}, {"q1": ["b", "a"], "q2": ["a"]}]
    data = data_of(report_page(runs, {"q1": {"a": 1}, "q2": {"a": 1}}, "RR", topics=str(tmp_path / "topics.tsv")))
    assert data["core"]["topics"]["queries"] == ["green tea", "black tea"]
    assert [data["texts"]["topics"][place] for place in "01"] == [{"kind": "easy"}, {"kind": "hard"}]


def test_a_title_that_is_not_utf_8_is_shown_by_its_codes():
    page = report_page([{"t1": ["d1"]}], {"t1": {"d1": 1}}, title="\udcff bad")
    assert "<title>\\xff bad</title>" in page
    assert page.encode()
