"""`irkit tune` over an experiment whose runs are files: no engine is needed, and every mean can be worked by hand."""

import json
from pathlib import Path

import pytest

from irkit.cli import main
from irkit.data.runs import read_run
from irkit.experiment import read_experiment
from irkit.experiment.tuning import Tuning, plan_of

# Run a is right on topics 1 to 4, run b on 5 and 6. Fused by a weighted sum with alpha for a, document x is
# relevant: a gives x 1 and y 0 where it is right, b the reverse, so that x leads where alpha is above a half.
EXPERIMENT = """\
[collection]
name = "mine"
qrels = "qrels.txt"
[configurations.a]
method = "file"
run = "a.run"
[configurations.b]
method = "file"
run = "b.run"
[configurations.hybrid]
method = "linear"
runs = ["a", "b"]
alpha = 0.2
[evaluation]
measures = ["RR"]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    right = {"a": "1234", "b": "56"}
    for run, topics in right.items():
        lines = [
            f"{topic} Q0 {document} 1 {score} {run}\n"
            for topic in "123456"
            for document, score in (("x", 2.0 if topic in topics else 1.0), ("y", 1.0 if topic in topics else 2.0))
        ]
        Path(f"{run}.run").write_text("".join(lines))
    Path("qrels.txt").write_text("".join(f"{topic} 0 x 1\n{topic} 0 y 0\n" for topic in "123456"))
    Path("e.toml").write_text(EXPERIMENT)
    Path("dev.txt").write_text("1\n2\n5\n")
    Path("test.txt").write_text("3\n4\n6\n")
    return tmp_path


SPLIT = ("--development", "dev.txt", "--test", "test.txt")


def test_the_choice_is_made_on_development_topics_and_tested_on_the_others(here, capfd):
    assert main(["tune", "e.toml", "hybrid", "--set", "alpha=0.2,0.8", *SPLIT, "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    # alpha 0.8: topics 1 and 2 have RR 1, topic 5 has 1/2: (1 + 1 + 0.5) / 3. alpha 0.2: (0.5 + 0.5 + 1) / 3.
    assert found["chosen"]["alpha"] == 0.8
    means = {point["parameters"]["alpha"]: point["development"] for point in found["points"]}
    assert means == pytest.approx({0.8: 2.5 / 3, 0.2: 2 / 3})


def test_the_table_says_what_it_was_worth(here, capfd):
    assert main(["tune", "e.toml", "hybrid", "--set", "alpha=0.2,0.8", *SPLIT]) == 0
    lines = capfd.readouterr().out.split("\n")
    assert "default: alpha=0.2" in lines
    assert "chosen by the 3 topics of development: alpha=0.8" in lines
    # Test: tuned (1 + 1 + 0.5) / 3 against (0.5 + 0.5 + 1) / 3.
    assert [line.split()[1:3] for line in lines if line.startswith(("default  ", "tuned  "))][:2] == [
        ["0.6667", "0.6667"],
        ["0.8333", "0.8333"],
    ]


def test_overlapping_topics_are_refused(here, capfd):
    Path("test.txt").write_text("3\n5\n6\n")
    assert main(["tune", "e.toml", "hybrid", "--set", "alpha=0.2,0.8", *SPLIT]) == 1
    assert "1 topic in development and in test: 5" in capfd.readouterr().err


def test_the_tuned_run_has_each_topic_by_parameters_it_did_not_choose(here, capfd):
    words = ["tune", "e.toml", "hybrid", "--set", "alpha=0.2,0.8", "--folds", "3", "--run", "tuned.run"]
    assert main(words) == 0
    experiment = read_experiment("e.toml")
    tuned = Tuning(experiment, plan_of(experiment, "hybrid", ["alpha=0.2,0.8"], folds=3), Path()).tuned()
    run = read_run("tuned.run").to_dict()
    for fold in tuned.folds:
        alpha = tuned.points[fold.choice.place]["alpha"]
        for topic in fold.test:
            first = "x" if (topic in "1234") == (alpha == 0.8) else "y"
            assert next(iter(run[topic])) == first


def test_what_the_file_says_of_tuning_is_done_where_no_configuration_is_named(here, capfd):
    Path("e.toml").write_text(
        EXPERIMENT + '[[tuning]]\nconfiguration = "hybrid"\nset = { alpha = [0.2, 0.8] }\nshare = 0.5\nseed = 1\n'
    )
    assert main(["tune", "e.toml"]) == 0
    assert "grid search, 2 points, tuned for the mean of RR" in capfd.readouterr().out


def test_several_tunings_are_one_list_of_json(here, capfd):
    one = '[[tuning]]\nconfiguration = "hybrid"\nset = { alpha = [0.2, 0.8] }\nfolds = 2\n'
    Path("e.toml").write_text(EXPERIMENT + one + one.replace("0.8", "0.7"))
    assert main(["tune", "e.toml", "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [{point["parameters"]["alpha"] for point in one["points"]} for one in found] == [{0.2, 0.8}, {0.2, 0.7}]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["e.toml"], 2, "has no [[tuning]]; name a CONFIGURATION and use --set"),
        (["e.toml", "--set", "alpha=1"], 2, "name a CONFIGURATION to tune"),
        (["e.toml", "hybird", "--set", "alpha=1"], 2, "there is no configuration 'hybird'; did you mean 'hybrid'?"),
        (["e.toml", "hybrid", "--set", "alfa=0,1"], 2, "no parameter 'alfa'; did you mean 'alpha'?"),
        (["e.toml", "a", "--set", "k=1,2"], 2, "file has no parameter 'k'"),
        (["e.toml", "hybrid", "--set", "alpha=0,2"], 2, "alpha of linear must be a number from 0 to 1, got 2"),
        (["e.toml", "hybrid"], 2, "there is no parameter to tune"),
        (["e.toml", "hybrid", "--set", "alpha=0,1", "--share", "0.5", "--inner", "2"], 2, "exclude each other"),
        (["e.toml", "hybrid", "--set", "alpha=0,1", "--test", "test.txt"], 2, "go together; name a file of each"),
        (["e.toml", "hybrid", "--set", "alpha=0,1", "--by", "kind"], 2, "no topics whose field 'kind'"),
    ],
)
def test_what_cannot_be_tuned_is_said(here, capfd, words, status, message):
    assert main(["tune", *words]) == status
    assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("tuning", "message"),
    [
        ('configuration = "hybird"\nset = {alpha = [1]}', r"'hybird' is no configuration above this one"),
        ('configuration = "hybrid"', r"needs 'set', a table"),
        ('configuration = "hybrid"\nset = {alpha = [1]}\nfold = 3', r"unknown key 'fold' in \[tuning\]; did you mean"),
        ('configuration = "hybrid"\nset = {alpha = [1]}\nsearch = "grit"', r"there is no search 'grit'"),
        ('configuration = "hybrid"\nset = {alpha = [1]}\nmeasure = "nDGC"', r"unknown measure 'nDGC'"),
        ('configuration = "hybrid"\nset = {alpha = [1]}\ndevelopment = "no.txt"', r"no\.txt is no file that is there"),
    ],
)
def test_what_a_file_cannot_say_of_tuning_is_an_error_with_its_line(here, capfd, tuning, message):
    Path("e.toml").write_text(f"{EXPERIMENT}[[tuning]]\n{tuning}\n")
    assert main(["tune", "e.toml"]) == 1
    err = capfd.readouterr().err
    assert "e.toml:" in err
    import re

    assert re.search(message, err)


def test_a_floor_is_learned(here, capfd):
    # Topic 7 has nothing relevant, and run a scores it low: a floor above that score leaves it out, for which
    # it counts 1. Topics with relevant documents score 2 at best.
    for run in ("a", "b"):
        Path(f"{run}.run").write_text(
            Path(f"{run}.run").read_text() + "".join(f"{topic} Q0 z 1 0.5 {run}\n" for topic in "789")
        )
    Path("qrels.txt").write_text(Path("qrels.txt").read_text() + "".join(f"{topic} 0 z 0\n" for topic in "789"))
    Path("e.toml").write_text(EXPERIMENT.replace("alpha = 0.2", 'normalise = "none"\nalpha = 0.2'))
    words = ["tune", "e.toml", "hybrid", "--set", "floor=learn", "-m", "nDCG@10", "--folds", "3", "--format", "json"]
    assert main(words) == 0
    found = json.loads(capfd.readouterr().out)
    # With weights 0.2 and 0.8 the best score of topics 7 to 9 is 0.5, of the others at least 0.2 * 1 + 0.8 * 2 = 1.8.
    assert found["chosen"]["floor"] == pytest.approx((0.5 + 1.8) / 2)


TRAINED = f"""{EXPERIMENT}
[configurations.t]
method = "posfuse"
runs = ["a", "b"]
training = {{ topics = "train.txt" }}
"""


def test_topics_that_a_configuration_was_trained_on_are_left_out_of_all_means(here, capfd):
    Path("train.txt").write_text("1\n5\n")
    Path("e.toml").write_text(TRAINED)
    assert main(["run", "e.toml", "--format", "json"]) == 0
    shown = capfd.readouterr()
    assert "mine: 2 judged topics left out of all means, since t was trained on them" in shown.err
    found = {one["run"]: one for one in json.loads(shown.out)["evaluations"]}
    assert sorted(found["a"]["topics"]) == ["2", "3", "4", "6"]
    # Run a is right on 2, 3 and 4, and has x second on 6: (1 + 1 + 1 + 1/2) / 4.
    assert found["a"]["measures"]["RR"]["value"] == 3.5 / 4


def test_tuning_leaves_them_out_on_both_sides(here, capfd):
    Path("train.txt").write_text("1\n5\n")
    Path("e.toml").write_text(TRAINED)
    assert main(["tune", "e.toml", "t", "--set", "depth=1,2", "--folds", "2", "--format", "json"]) == 0
    shown = capfd.readouterr()
    assert "2 judged topics left out of all means, since t was trained on them" in shown.err
    tested = {topic for fold in json.loads(shown.out)["folds"] for topic in fold["test_topics"]}
    assert tested == {"2", "3", "4", "6"}


def test_a_tie_with_the_default_keeps_the_default_also_where_a_floor_is_learned(here, capfd):
    # Every topic has a relevant document, so that no floor is better than that of the configuration, below all scores.
    Path("e.toml").write_text(EXPERIMENT.replace("alpha = 0.2", "alpha = 0.2\nabstain = { floor = 0.1 }"))
    assert main(["tune", "e.toml", "hybrid", "--set", "floor=learn", "--folds", "2", "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["chosen"]["floor"] == 0.1
