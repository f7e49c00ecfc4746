"""What `make bench` stands on: its data, the reading of what programs print, and its tables. No time is tested."""

import json
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import data, history, programs, results, shapes, tables, timing, values, works
from benchmarks.programs import Program
from benchmarks.shapes import SHAPES, Shape
from benchmarks.works import WORKS, Command, Contender, Work

ROOT = Path(__file__).resolve().parents[2]
PASSAGE = Shape("passage", n_topics=20, depth=200, n_judged=22, n_relevant=22)
NEWS = Shape("news", n_topics=9, depth=200, n_judged=1000, n_relevant=100)
small = pytest.mark.parametrize("shape", [PASSAGE, NEWS], ids=lambda shape: shape.name)


def rows(texts):
    return [line.split(" ") for line in "".join(texts).splitlines()]


# Data ---------------------------------------------------------------------------------------------------------------


@small
def test_equal_seeds_give_equal_bytes_and_others_do_not(shape):
    again, other = replace(shape), replace(shape, seed=2)
    assert list(data.run_texts(shape)) == list(data.run_texts(again)) != list(data.run_texts(other))
    assert list(data.qrels_texts(shape)) == list(data.qrels_texts(again)) != list(data.qrels_texts(other))
    assert list(data.run_texts(shape, 1)) != list(data.run_texts(shape))
    assert shape.folder == again.folder != other.folder


@small
def test_a_run_has_its_topics_its_depth_and_no_document_twice(shape):
    found = rows(data.run_texts(shape))
    assert len(found) == shape.n_topics * shape.depth
    assert len({row[0] for row in found}) == shape.n_topics
    assert len({(row[0], row[2]) for row in found}) == len(found)
    assert [int(row[3]) for row in found] == list(range(1, shape.depth + 1)) * shape.n_topics


@small
def test_no_two_scores_of_a_topic_are_alike_even_as_32_bit_floats(shape):
    scores = np.array([row[4] for row in rows(data.run_texts(shape))], dtype=np.float32)
    assert (np.diff(scores.reshape(shape.n_topics, shape.depth)) < 0).all()


@small
def test_the_qrels_have_the_judgments_said_and_something_relevant_for_every_topic_of_the_run(shape):
    found = rows(data.qrels_texts(shape))
    assert len({(row[0], row[2]) for row in found}) == len(found) == shape.n_judged
    relevant = [row for row in found if int(row[3]) >= 1]
    assert len(relevant) == shape.n_relevant
    assert {row[0] for row in relevant} == {row[0] for row in rows(data.run_texts(shape))}
    assert {row[3] for row in found} == ({"1"} if shape is PASSAGE else {"0", "1", "2"})


def test_ids_are_those_of_ms_marco_and_of_the_financial_times():
    passages, articles = rows(data.run_texts(PASSAGE)), rows(data.run_texts(NEWS))
    assert passages[0][0] == "1048585"
    assert all(0 <= int(row[2]) <= 8_841_822 for row in passages)
    assert [row[0] for row in articles[::200]] == [str(topic) for topic in range(301, 310)]
    assert all(re.fullmatch("FT9[1-4][1-4]-[1-9][0-9]{0,4}", row[2]) for row in articles)


@pytest.mark.parametrize(("name", "megabytes", "n_topics"), [("passage", 316, 6_980), ("news", 12.5, 249)])
def test_at_full_length_the_files_would_be_as_long_as_real_ones(name, megabytes, n_topics):
    some = replace(SHAPES[name], n_topics=40)
    assert sum(map(len, data.run_texts(some))) * n_topics / 40 == pytest.approx(megabytes * 1e6, rel=0.02)


def test_the_shapes_are_those_of_the_table():
    passage, news = SHAPES["passage"], SHAPES["news"]
    assert passage.n_judged / passage.n_topics == pytest.approx(1.1)
    assert (news.n_topics, news.depth, news.n_judged) == (249, 1000, 157_000)
    assert SHAPES["passage-long"].n_topics == 10 * passage.n_topics
    assert replace(SHAPES["passage-two"], name="passage", n_runs=1) == passage
    assert replace(SHAPES["news-many"], name="news", n_runs=1) == news


# The bare program ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("bare") / "bare"
    subprocess.run(["cc", "-O2", "-pthread", ROOT / "benchmarks" / "bare.c", "-o", program], check=True)
    return program


def bare_says(bare, folder, run, qrels, n_threads):
    (folder / "run").write_text(run)
    (folder / "qrels").write_text(qrels)
    words = [bare, folder / "run", folder / "qrels", str(n_threads)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_bare_program_counts_lines_judged_and_relevant_and_adds_scores(bare, tmp_path, n_threads):
    # a is relevant to 1, and judged for 2 only as irrelevant; b of topic 2 is judged for 1 alone
    qrels = "1 0 a 2\n1 0 b 1\n2 0 a 0\n"
    run = "1 Q0 a 1 2.5 r\n1\tQ0 c 2 -0.25 r\n2 Q0 a 1 7 r\n2 Q0 b 2 0.75 r"
    said = bare_says(bare, tmp_path, run, qrels, n_threads)
    assert said.stdout == "lines 4 judged 2 relevant 1 mean score 2.5000\n"  # (2.5 - 0.25 + 7 + 0.75) / 4


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_bare_program_misses_no_line_at_the_border_of_two_pieces(bare, tmp_path, n_threads):
    # Three pieces of 1 MiB and a part; every hundredth document is judged, every two hundredth relevant.
    lines = [f"{place // 1000} Q0 document-{place:07} 1 {place % 2}.5 r\n" for place in range(100_000)]
    judged = [f"{place // 1000} 0 document-{place:07} {place // 100 % 2}\n" for place in range(0, 100_000, 100)]
    said = bare_says(bare, tmp_path, "".join(lines), "".join(judged), n_threads)
    assert said.stdout == "lines 100000 judged 1000 relevant 500 mean score 1.0000\n"


def test_the_bare_program_refuses_a_line_of_five_fields(bare, tmp_path):
    said = bare_says(bare, tmp_path, "1 Q0 a 1 2.5\n1 Q0 b 2 1.5 r\n", "1 0 a 1\n", 1)
    assert (said.returncode, said.stderr) == (1, "bare: a line of the run does not have six fields\n")


# What programs print ------------------------------------------------------------------------------------------------

IRKIT = """6 topics averaged (all judged)

run    nDCG@10      RR      AP    R@20  R@1000    P@10
──────────────────────────────────────────────────────
bm25    0.7251  0.7639  0.6528  0.8333  0.8333  0.1167
dense   0.9221  1.0000  0.9167  0.9167  0.9500  0.1333

6 topics are too few to rank systems: the mean over all topics of the kind may lie 0.4154 either way.
"""
TREC_EVAL = """map                   \tall\t0.6528
recip_rank            \tall\t0.7639
P_10                  \tall\t0.1167
recall_20             \tall\t0.8333
recall_1000           \tall\t0.8333
ndcg_cut_10           \tall\t0.7251
"""
BM25 = (0.7251, 0.7639, 0.6528, 0.8333, 0.8333, 0.1167)


def test_the_rows_of_irkits_table_are_read():
    assert values.of_irkit(IRKIT) == [BM25, (0.9221, 1.0, 0.9167, 0.9167, 0.95, 0.1333)]


def test_what_trec_eval_says_of_one_run_or_several_is_read():
    assert values.of_trec_eval(TREC_EVAL) == [BM25]
    assert values.of_trec_eval(2 * TREC_EVAL) == [BM25, BM25]


def test_a_list_for_each_run_is_read_and_other_lines_are_not():
    assert values.of_peer("[0.5, 1]\nseconds 0.25\n[0.25, 0]\n") == [(0.5, 1), (0.25, 0)]


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (0.7251, 0.7251, True),
        (0.7251, 0.72514999, True),  # printed 0.7251
        (0.7251, 0.72516, False),  # printed 0.7252
        (0.7251, 0.7252, False),
        (0.7251, float("nan"), False),
    ],
)
def test_programs_agree_where_four_decimals_do(ours, theirs, same):
    assert values.agree([(1.0, ours)], [(1.0, theirs)]) is same


def test_programs_do_not_agree_on_other_numbers_of_runs_or_measures():
    assert not values.agree([(1.0,)], [(1.0,), (1.0,)])
    assert not values.agree([(1.0,)], [(1.0, 1.0)])


# Timing -------------------------------------------------------------------------------------------------------------


def says(name, code):
    return Contender(Command(Program(name, "1", (sys.executable, "-c", code)), (), values.of_peer))


def test_each_contender_is_timed_compared_or_said_to_be_missing(capfd):
    contenders = (
        says("right", "print('[0.5]')"),
        says("wrong", "print('[0.25]')"),
        says("broken", "import sys; sys.exit('no such measure')"),
        Contender(Command(Program("absent", absent="not installed"))),
        Contender(Command(Program("gone", start=("a-program-that-is-not-there",)))),
        replace(says("timed", "print('[0.5]'); print('seconds 1.25')"), times_itself=True),
    )
    work = Work("some", "some work", PASSAGE, contenders, contenders[0].command)
    found = timing.time_work(work, repeat=2, repeat_slow=2, slow=60, tell=lambda line: None)
    assert [each.agrees for each in found] == [True, False, None, None, None, True]
    assert [each.problem for each in found] == [
        "",
        "",
        "ended with status 1",
        "not installed",
        "ended with status 1",
        "",
    ]
    assert [len(each.seconds) for each in found] == [2, 2, 0, 0, 0, 2]
    assert found[-1].seconds == [1.25, 1.25]
    assert all(size > 5 for size in found[0].megabytes)  # no Python is smaller
    assert "no such measure" in capfd.readouterr().err


def test_a_slow_one_runs_less_often_where_that_is_asked_for():
    slow = replace(says("slow", "print('[0.5]'); print('seconds 99')"), times_itself=True)
    work = Work("some", "some work", PASSAGE, (says("quick", "print('[0.5]')"), slow))
    found = timing.time_work(work, repeat=3, repeat_slow=1, slow=60, tell=lambda line: None)
    assert [len(each.seconds) for each in found] == [3, 1]


def test_what_a_contender_writes_is_not_there_when_it_starts(tmp_path):
    target = tmp_path / "copy"
    target.write_text("an older copy")
    code = f"from pathlib import Path; print([int(Path({str(target)!r}).exists())])"
    work = Work(
        "some", "some work", PASSAGE, (replace(says("writer", code), target=target),), says("", "print('[0]')").command
    )
    (found,) = timing.time_work(work, repeat=1, repeat_slow=1, slow=60, tell=lambda line: None)
    assert found.agrees is True


@pytest.mark.parametrize("name", ["many", "dicts", "write", "fuse", "gzip"])
def test_all_programs_that_are_installed_find_the_same_at_each_work(name, tmp_path, monkeypatch):
    for module in (shapes, works, programs):
        monkeypatch.setattr(module, "BUILD", tmp_path)
    for shape in ("passage", "passage-two", "news", "news-many"):
        small = replace(
            SHAPES[shape], n_topics=5, depth=30, n_judged=10, n_relevant=10, n_runs=min(2, SHAPES[shape].n_runs)
        )
        monkeypatch.setitem(SHAPES, shape, small)
        data.write(small)
    data.compress(SHAPES["passage"].runs[0])
    work = WORKS[name]().without(["ranx"])  # which takes ten seconds to start
    there = tuple(each for each in work.contenders if not each.command.program.absent)
    found = timing.time_work(replace(work, contenders=there), repeat=0, repeat_slow=0, slow=60, tell=lambda line: None)
    with_values = [each for each in found if each.contender.command.reads or each.contender.check]
    assert len(with_values) > 2
    assert [each.problem for each in found] == [""] * len(found)
    assert all(each.agrees for each in with_values)


# Tables -------------------------------------------------------------------------------------------------------------

MACHINE = {"cores": 2, "processor": "AMD EPYC", "system": "Linux x86_64", "python": "3.12.1"}


def contender(name, median, ratio, agrees=True, megabytes=40.0):
    shown = {"median": median, "min": median - 0.01, "max": median + 0.01, "ratio": ratio}
    return {"name": name, "version": "1.0", "seconds": [median], **shown, "megabytes": megabytes, "agrees": agrees}


def result(title, *contenders):
    sizes = {"lines": 249_000, "megabytes": 12.447, "repeat": 5}
    return {"title": title, **sizes, "date": "2030-01-02", "machine": MACHINE, "contenders": list(contenders)}


RESULTS = {
    "passage": result(
        "passage run",
        contender("irkit", 0.25, 1.0),
        contender("trec_eval", 6.0, 24.0, megabytes=1639.4),
        contender("bare C, 1 thread", 0.2, 0.8, None),
        contender("bare C, 2 threads", 0.125, 0.5, None),
    ),
    "news": result("news run", contender("irkit", 0.5, 1.0), contender("trec_eval", 0.75, 1.5, False)),
    "gzip": result(
        "gzipped run", contender("irkit", 2.5, 1.0), {"name": "gzip and trec_eval", "version": "", "problem": "absent"}
    ),
    "long": result("long run", contender("irkit", 2.25, 1.0, megabytes=41.2)),
    "write": result("written run", contender("irkit", 2.5, 1.0), contender("gzip and trec_eval", 25.0, 10.0)),
}


def test_the_overview_has_a_row_for_each_work_and_a_column_for_who_takes_part_often():
    assert tables.overview(RESULTS) == (
        "| seconds | irkit 1.0 | trec_eval 1.0 |\n"
        "| --- | ---: | ---: |\n"
        "| passage run (249,000 lines, 12 MB) | 0.250 | 6.00 (24.0×) |\n"
        "| its peak memory | 40 MB | 1,639 MB |\n"
        "| news run (249,000 lines, 12 MB) | 0.500 | 0.750 (1.5×) (other values) |\n"
        "| written run (249,000 lines, 12 MB) | 2.50 | 25.0 (10.0×) |\n"
        "| gzipped run (249,000 lines, 12 MB) | 2.50 |  |\n"
        "\n"
        "Median of 5, 2030-01-02, 2 cores of AMD EPYC, Linux x86_64, Python 3.12.1.\n"
        "A bare program in C that parses every line of the passage run once, and looks its document up, takes "
        "0.200 s on one core and 0.125 s on two.\n"
        "Ten times the passage run takes irkit 2.25 s and 41 MB.\n"
    )


def test_the_table_for_a_terminal_marks_other_values_and_says_what_is_missing():
    shown = tables.text(result("news run", *RESULTS["news"]["contenders"], RESULTS["gzip"]["contenders"][1]))
    assert shown == (
        "news run (249,000 lines, 12 MB); Median of 5, 2030-01-02, 2 cores of AMD EPYC, Linux x86_64, Python 3.12.1\n"
        "\n"
        "                     median      min      max  x irkit  memory     values\n"
        "irkit 1.0           0.500 s  0.490 s  0.510 s     1.00   40 MB       same\n"
        "trec_eval 1.0       0.750 s  0.740 s  0.760 s     1.50   40 MB  DIFFERENT\n"
        "gzip and trec_eval   absent\n"
    )


def test_a_page_is_changed_between_its_markers_only():
    page = f"before\n{tables.BEGIN}old\n{tables.END}after\n"
    once = tables.replaced(page, "new\n")
    assert once == f"before\n{tables.BEGIN}\nnew\n\n{tables.END}after\n"
    assert tables.replaced(once, "new\n") == once
    with pytest.raises(ValueError, match="the page lacks the lines <!-- make bench --> and"):
        tables.replaced("before\nafter\n", "new\n")


# What is committed --------------------------------------------------------------------------------------------------

KEPT = results.read()


def test_the_manual_shows_the_results_that_are_kept():
    assert tables.PAGE.read_text("utf-8") == tables.page(KEPT)


def test_kept_results_are_of_works_that_there_are_in_their_order():
    assert list(KEPT) == [name for name in WORKS if name in KEPT]


@pytest.mark.parametrize("name", KEPT)
def test_kept_medians_and_ratios_are_those_of_the_kept_seconds(name):
    ours, *_ = measured = [each for each in KEPT[name]["contenders"] if "problem" not in each]
    assert ours["name"] == "irkit"
    for each in measured:
        assert len(each["seconds"]) <= KEPT[name]["repeat"]
        assert each["median"] == pytest.approx(statistics.median(each["seconds"]), abs=1e-4)
        assert (each["min"], each["max"]) == (min(each["seconds"]), max(each["seconds"]))
        assert each["ratio"] == pytest.approx(each["median"] / ours["median"], rel=0.02, abs=0.006)


def test_kept_results_name_no_path():
    assert not re.findall(r'[^"]*[/\\][^"]*', json.dumps(KEPT, ensure_ascii=False))


# History ------------------------------------------------------------------------------------------------------------


def test_a_work_is_slower_where_its_ratio_to_every_program_fell_by_more_than_a_fifth(tmp_path):
    path = tmp_path / "history.jsonl"
    for ratios in ((10.0, 4.0), (12.0, 4.0), (11.0, 4.2), (8.25, 3.0)):  # medians 11 and 4: falls of 0.25 and 0.25
        timed = [
            contender("irkit", 0.5, 1.0),
            contender("trec_eval", 5.0, ratios[0]),
            contender("ranx", 2.0, ratios[1]),
        ]
        history.append("news", result("news run", *timed), path)
    lines = history.read(path)
    assert lines[0]["ratios"] == {"trec_eval": 10.0, "ranx": 4.0}
    assert list(history.slower(lines)) == ["news: irkit takes 1.33 times as long as before, beside every other program"]
    assert list(history.slower(lines[:3])) == []
    # One program that is as far behind as before says that the other one became faster.
    assert list(history.slower([*lines[:3], lines[3] | {"ratios": {"trec_eval": 8.25, "ranx": 4.0}}])) == []
    assert list(history.slower(lines[3:])) == []  # nothing to compare with


def test_a_work_that_irkit_could_not_do_is_no_history(tmp_path):
    history.append("news", result("news run", {"name": "irkit", "version": "", "problem": "absent"}), tmp_path / "h")
    assert not (tmp_path / "h").exists()
