"""`irkit gate`: each format of a worsened run whole, exit codes, files, and texts that would do harm."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import pytest
from gate_at_hand import ACCEPTED, QRELS, WORSENED, accept, ranked, write_qrels, write_run, write_topics

from irkit import check_regression
from irkit.cli import main, program
from irkit.cli.gate import command as gate_command
from irkit.data.topics import Topic, Topics
from irkit.gate import read_baseline
from irkit.report.text import render, render_gate

ROOT = Path(__file__).resolve().parents[2]
JUDGED = ["gate", "bad.txt", "qrels.txt", "--baseline", "b.json", "--topics", "topics.txt"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "good.txt", ACCEPTED)
    write_run(tmp_path / "bad.txt", WORSENED)
    write_qrels(tmp_path / "qrels.txt")
    write_topics(tmp_path / "topics.txt")
    accept("b.json", run="good.txt", qrels="qrels.txt", topics="topics.txt", by="category")
    return tmp_path


# The numbers are worked in gate_at_hand.
TABLE = """\
FAILED: bad held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none
FAILED: RR (easy): fell by 0.6250, more than 0.0200.
FAILED: RR: fell by 0.1875, more than 0.0200.
FAILED: P@1 (easy): fell by 1.0000, more than 0.0200.
FAILED: P@1: fell by 0.2500, more than 0.0200.
FAILED: RR, topic floor: 1 topic fell below the floor; q1 to 0.2500, below 0.3000.
stale: RR (hard): better than the baseline by 0.2500, more than 0.0200.
stale: P@1 (hard): better than the baseline by 0.5000, more than 0.0200.

Means

measure, topics    baseline     now   change  allowed  verdict
──────────────────────────────────────────────────────────────
RR
  easy (2 topics)    1.0000  0.3750  -0.6250   0.0200   FAILED
  hard (2 topics)    0.7500  1.0000  +0.2500   0.0200   passed
  all (4 topics)     0.8750  0.6875  -0.1875   0.0200   FAILED

P@1
  easy (2 topics)    1.0000  0.0000  -1.0000   0.0200   FAILED
  hard (2 topics)    0.5000  1.0000  +0.5000   0.0200   passed
  all (4 topics)     0.7500  0.5000  -0.2500   0.0200   FAILED

Topics one by one

measure          worst  topics  beyond  baseline     now  allowed  verdict
──────────────────────────────────────────────────────────────────────────
RR, topic floor  q1          4       1    1.0000  0.2500   0.3000   FAILED

2 of 4 topics got worse, 1 better

topic  text           measure  baseline     now   change
────────────────────────────────────────────────────────
q1     rain tomorrow  RR         1.0000  0.2500  -0.7500
q1     rain tomorrow  P@1        1.0000  0.0000  -1.0000
q2     airport        RR         1.0000  0.5000  -0.5000
q2     airport        P@1        1.0000  0.0000  -1.0000

Allowed: a mean may fall by 0.02; no topic may fall below RR=0.3.
Topic floor RR=0.3 (in the baseline: none).
"""

MARKDOWN = """\
## irkit gate: FAILED

- FAILED: bad held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
- 4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none
- FAILED: RR (easy): fell by 0.6250, more than 0.0200.
- FAILED: RR: fell by 0.1875, more than 0.0200.
- FAILED: P@1 (easy): fell by 1.0000, more than 0.0200.
- FAILED: P@1: fell by 0.2500, more than 0.0200.
- stale: RR (hard): better than the baseline by 0.2500, more than 0.0200.
- stale: P@1 (hard): better than the baseline by 0.5000, more than 0.0200.

**Means**

| measure, topics | baseline |    now |  change | allowed |    verdict |
| --------------- | -------: | -----: | ------: | ------: | ---------: |
| **RR**          |          |        |         |         |            |
| easy (2 topics) |   1.0000 | 0.3750 | -0.6250 |  0.0200 | **FAILED** |
| hard (2 topics) |   0.7500 | 1.0000 | +0.2500 |  0.0200 |     passed |
| all (4 topics)  |   0.8750 | 0.6875 | -0.1875 |  0.0200 | **FAILED** |
| **P@1**         |          |        |         |         |            |
| easy (2 topics) |   1.0000 | 0.0000 | -1.0000 |  0.0200 | **FAILED** |
| hard (2 topics) |   0.5000 | 1.0000 | +0.5000 |  0.0200 |     passed |
| all (4 topics)  |   0.7500 | 0.5000 | -0.2500 |  0.0200 | **FAILED** |

**2 of 4 topics got worse, 1 better**

| topic | text          | measure | baseline |    now |  change |
| ----- | ------------- | ------- | -------: | -----: | ------: |
| q1    | rain tomorrow | RR      |   1.0000 | 0.2500 | -0.7500 |
| q1    | rain tomorrow | P@1     |   1.0000 | 0.0000 | -1.0000 |
| q2    | airport       | RR      |   1.0000 | 0.5000 | -0.5000 |
| q2    | airport       | P@1     |   1.0000 | 0.0000 | -1.0000 |

Allowed: a mean may fall by 0.02.
"""

JUNIT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="irkit gate" tests="6" failures="4" errors="0">
  <testsuite name="irkit gate: bad" tests="6" failures="4" errors="0" skipped="0">
    <testcase classname="bad" name="RR (easy)">
      <failure type="failed" message="fell by 0.6250, more than 0.0200">q1: 1.0000 to 0.2500 (-0.7500)
q2: 1.0000 to 0.5000 (-0.5000)
</failure>
    </testcase>
    <testcase classname="bad" name="RR (hard)">
      <system-out>better than the baseline by 0.2500, more than 0.0200</system-out>
    </testcase>
    <testcase classname="bad" name="RR">
      <failure type="failed" message="fell by 0.1875, more than 0.0200">q1: 1.0000 to 0.2500 (-0.7500)
q2: 1.0000 to 0.5000 (-0.5000)
</failure>
    </testcase>
    <testcase classname="bad" name="P@1 (easy)">
      <failure type="failed" message="fell by 1.0000, more than 0.0200">q1: 1.0000 to 0.0000 (-1.0000)
q2: 1.0000 to 0.0000 (-1.0000)
</failure>
    </testcase>
    <testcase classname="bad" name="P@1 (hard)">
      <system-out>better than the baseline by 0.5000, more than 0.0200</system-out>
    </testcase>
    <testcase classname="bad" name="P@1">
      <failure type="failed" message="fell by 0.2500, more than 0.0200">q1: 1.0000 to 0.0000 (-1.0000)
q2: 1.0000 to 0.0000 (-1.0000)
</failure>
    </testcase>
    <system-out>FAILED: bad held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
    </system-out>
  </testsuite>
</testsuites>
"""

GITHUB = """\
::error title=irkit gate::FAILED: bad held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
::error title=irkit gate%3A RR (easy)::FAILED: fell by 0.6250, more than 0.0200; worse: q1 (1.0000 to 0.2500), q2 (1.0000 to 0.5000)
::error title=irkit gate%3A RR::FAILED: fell by 0.1875, more than 0.0200; worse: q1 (1.0000 to 0.2500), q2 (1.0000 to 0.5000)
::error title=irkit gate%3A P@1 (easy)::FAILED: fell by 1.0000, more than 0.0200; worse: q1 (1.0000 to 0.0000), q2 (1.0000 to 0.0000)
::error title=irkit gate%3A P@1::FAILED: fell by 0.2500, more than 0.0200; worse: q1 (1.0000 to 0.0000), q2 (1.0000 to 0.0000)
::warning title=irkit gate%3A RR (hard)::stale: better than the baseline by 0.2500, more than 0.0200
::warning title=irkit gate%3A P@1 (hard)::stale: better than the baseline by 0.5000, more than 0.0200
"""  # noqa: E501

CSV = """\
run,against,kind,measure,group,topic,n_topics,verdict,baseline,now,change,allowed,reason
bad,b.json,mean,RR,easy,all,2,failed,1.0,0.375,-0.625,0.02,"fell by 0.6250, more than 0.0200"
bad,b.json,mean,RR,hard,all,2,passed,0.75,1.0,0.25,0.02,"better than the baseline by 0.2500, more than 0.0200"
bad,b.json,mean,RR,,all,4,failed,0.875,0.6875,-0.1875,0.02,"fell by 0.1875, more than 0.0200"
bad,b.json,mean,P@1,easy,all,2,failed,1.0,0.0,-1.0,0.02,"fell by 1.0000, more than 0.0200"
bad,b.json,mean,P@1,hard,all,2,passed,0.5,1.0,0.5,0.02,"better than the baseline by 0.5000, more than 0.0200"
bad,b.json,mean,P@1,,all,4,failed,0.75,0.5,-0.25,0.02,"fell by 0.2500, more than 0.0200"
"""


def test_a_worsened_run_as_a_table(folder, capsys):
    assert main([*JUDGED, "--topic-floor", "RR=0.3"]) == 1
    assert capsys.readouterr().out == TABLE


@pytest.mark.parametrize(
    ("form", "expected"), [("markdown", MARKDOWN), ("junit", JUNIT), ("github", GITHUB), ("csv", CSV)]
)
def test_a_worsened_run_in_the_other_formats(folder, capsys, form, expected):
    assert main([*JUDGED, "--format", form]) == 1
    assert capsys.readouterr().out == expected


def test_a_worsened_run_as_json(folder, capsys):
    assert main([*JUDGED, "--format", "json", "-m", "RR"]) == 1
    found = json.loads(capsys.readouterr().out)
    baseline = read_baseline("b.json")

    def mean(group, n, before, now, verdict, reason, *, stale=False):
        numbers = {"baseline": before, "now": now, "change": now - before, "allowed": 0.02}
        what = {"kind": "mean", "measure": "RR", "group": group, "n_topics": n, "verdict": verdict}
        return {**what, **numbers, "reason": reason, "topics": [], "stale": stale}

    def change(topic, measure, before, now):
        return {"topic": topic, "measure": measure, "baseline": before, "now": now, "change": now - before}

    assert found == {
        "run": "bad",
        "baseline": "b.json",
        "verdict": "failed",
        "exit_code": 1,
        "accepted": baseline.accepted.to_dict(),
        "conventions": {
            "rules": "trec_eval-10",
            "average": "judged",
            "no_relevant": "zero",
            "ties": "docid",
            "fractional": False,
            "collapse": None,
            "collapse_by": "max",
            "collapse_at": "first",
            "drop_self": False,
            "match_topics": None,
        },
        "limits": {
            "tolerance": ["0.02"],
            "topic_floor": [],
            "topic_drop": [],
            "only_if_significant": False,
            "non_inferior": None,
            "test": "t",
            "correction": "holm",
            "level": 0.95,
            "fail_if_stale": False,
        },
        "n_topics": 4,
        "problems": [],
        "notes": ["not looked at: P@1"],
        "topics_missing_from_run": [],
        "checks": [
            mean("easy", 2, 1.0, 0.375, "failed", "fell by 0.6250, more than 0.0200"),
            mean(
                "hard",
                2,
                0.75,
                1.0,
                "passed",
                "better than the baseline by 0.2500, more than 0.0200",
                stale=True,
            ),
            mean(None, 4, 0.875, 0.6875, "failed", "fell by 0.1875, more than 0.0200"),
        ],
        "worse": [
            change("q1", "RR", 1.0, 0.25),
            change("q2", "RR", 1.0, 0.5),
        ],
        "better": [change("q4", "RR", 0.5, 1.0)],
    }


def test_several_forms_are_written_in_one_go(folder, capsys):
    assert (
        main([*JUDGED, "--junit", "out/gate.xml", "--summary", "gate.md", "--annotate", "--topic-floor", "RR=0.3"]) == 1
    )
    said = capsys.readouterr().out
    assert said.startswith(TABLE)
    assert said.removeprefix(TABLE).startswith("::error title=irkit gate::FAILED: bad held to b.json")
    assert ET.parse("out/gate.xml").getroot().attrib == {
        "name": "irkit gate",
        "tests": "7",
        "failures": "5",
        "errors": "0",
    }
    assert (folder / "gate.md").read_text().startswith("## irkit gate: FAILED\n\n- FAILED: bad held to b.json")


def test_a_run_that_is_as_good_is_green(folder, capsys):
    assert main(["gate", "good.txt", "qrels.txt", "--baseline", "b.json", "-m", "RR", "--annotate"]) == 0
    assert (
        capsys.readouterr().out
        == """\
passed: good held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none

Means over 4 topics

measure  baseline     now   change  allowed  verdict
────────────────────────────────────────────────────
RR         0.8750  0.8750  +0.0000   0.0200   passed
2 more checks passed (--all)

Allowed: a mean may fall by 0.02.
Not looked at: P@1.
The run is the very file that was accepted.
No topic got worse or better.
::notice title=irkit gate::passed: good held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
"""
    )


NOT_JUDGED = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="irkit gate" tests="1" failures="0" errors="1">
  <testsuite name="irkit gate: nowhere" tests="1" failures="0" errors="1" skipped="0">
    <testcase classname="nowhere" name="gate, problem 1">
      <error type="not judged" message="nowhere.txt: cannot be read: No such file or directory"/>
    </testcase>
    <system-out>NOT JUDGED: nowhere held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
    </system-out>
  </testsuite>
</testsuites>
"""


def test_what_could_not_be_judged_is_an_error_in_every_form(folder, capsys):
    words = ["gate", "nowhere.txt", "qrels.txt", "--baseline", "b.json"]
    assert main([*words, "--junit", "gate.xml", "--annotate"]) == 2
    assert (folder / "gate.xml").read_text() == NOT_JUDGED
    assert (
        capsys.readouterr().out
        == """\
NOT JUDGED: nowhere held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
NOT JUDGED: nowhere.txt: cannot be read: No such file or directory.
::error title=irkit gate::NOT JUDGED: nowhere held to b.json, accepted by Ada at 2026-03-01T12:00:00Z: The first one
::error title=irkit gate::NOT JUDGED: nowhere.txt: cannot be read: No such file or directory
"""
    )
    assert main([*words, "--format", "csv"]) == 2
    said = capsys.readouterr()
    assert next(csv.DictReader(io.StringIO(said.out)))["verdict"] == "not judged"


@pytest.mark.parametrize(
    "words",
    [
        ["good.txt", "qrels.txt"],  # no baseline named
        ["good.txt", "qrels.txt", "--baseline", "nowhere.json"],
        ["good.txt", "qrels.txt", "--baseline", "qrels.txt"],
        ["good.txt", "nowhere.txt", "--baseline", "b.json"],
        ["qrels.txt", "good.txt", "--baseline", "b.json"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--tolerance", "much"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--tolerance", "eazy:0.1"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--no-relevant", "one"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "-m", "AP"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "-m", "NoSuch"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--level", "2"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--tolerance", "2"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--topic-drop", "150%"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--non-inferior", "5"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--topics", "nowhere.txt"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--by", "network"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--why", "not"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--junit", "good.txt/gate.xml"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--accept"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--accept", "--why", "x", "--junit", "gate.xml"],
        ["good.txt", "qrels.txt", "--baseline", "b.json", "--accept", "--why", "x", "--format", "junit"],
        ["bad.txt", "qrels.txt", "--baseline", "b.json", "--accept", "--why", "x", "--by-whom", "Ada"],
        ["bad.txt", "qrels.txt", "--baseline", "qrels.txt", "--accept", "--why", "x", "--by-whom", "Ada"],
    ],
)
def test_what_cannot_be_done_ends_with_2_and_changes_no_file(folder, capsys, words):
    before = {path: path.read_bytes() for path in folder.rglob("*")}
    assert main(["gate", *words]) == 2
    said = capsys.readouterr()
    assert said.out + said.err
    assert {path: path.read_bytes() for path in folder.rglob("*")} == before


def test_a_named_default_is_held_to_the_baseline(folder, capsys):
    accept("one.json", run="good.txt", qrels="qrels.txt", no_relevant="one")
    words = ["gate", "good.txt", "qrels.txt", "--baseline", "one.json"]
    assert main(words) == 0
    assert main([*words, "--no-relevant", "zero"]) == 2  # what the option's default is, but not the baseline's
    assert "no_relevant: one in the baseline, zero asked for" in capsys.readouterr().out


def test_a_fault_of_our_own_is_not_green(folder, capsys, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr("irkit.gate.regression.topic_check", broken)
    assert main(JUDGED) == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError: nobody thought of this" in said
    assert said.endswith("irkit: the gate could not run because of an error in irkit; nothing was judged\n")


def test_an_acceptance_shows_what_moves(folder, capsys, monkeypatch):
    monkeypatch.setattr("irkit.gate.acceptance.moment", lambda _: "2026-03-02T09:30:00Z")
    words = ["gate", "bad.txt", "qrels.txt", "--baseline", "b.json", "--accept", "--by-whom", "Grace"]
    assert main([*words, "--why", "Ask for less"]) == 2
    assert capsys.readouterr().err == (
        "irkit: b.json: not accepted:\n"
        "  RR (easy): fell by 0.6250, more than 0.0200\n"
        "  RR: fell by 0.1875, more than 0.0200\n"
        "  P@1 (easy): fell by 1.0000, more than 0.0200\n"
        "  P@1: fell by 0.2500, more than 0.0200\n"
        "  accept it all the same with --even-if-worse\n"
    )
    assert main([*words, "--why", "Ask for less", "--even-if-worse"]) == 0
    assert (
        capsys.readouterr().out
        == """\
b.json: accepted by Grace at 2026-03-02T09:30:00Z: Ask for less
FAILED: RR (easy): fell by 0.6250, more than 0.0200.
FAILED: RR: fell by 0.1875, more than 0.0200.
FAILED: P@1 (easy): fell by 1.0000, more than 0.0200.
FAILED: P@1: fell by 0.2500, more than 0.0200.

Means over 4 topics

measure  before     now   change
────────────────────────────────
RR       0.8750  0.6875  -0.1875
P@1      0.7500  0.5000  -0.2500
"""
    )
    assert main(JUDGED) == 0


def test_a_first_acceptance_by_the_command(folder, capsys):
    words = ["gate", "good.txt", "qrels.txt", "--baseline", "new/b.json", "--accept", "--why", "x", "--by-whom", "Ada"]
    assert main([*words, "-m", "RR", "--topic-floor", "0.1", "--non-inferior", "0.5", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "baseline,measure,before,now,who,when,why"
    limits = read_baseline("new/b.json").limits.to_dict()
    assert (limits["topic_floor"], limits["non_inferior"]) == (["0.1"], 0.5)
    assert main(["gate", "good.txt", "qrels.txt", "--baseline", "new/b.json", "--non-inferior", "0"]) == 0


def test_the_baselines_text_is_stable(folder):
    content = (folder / "b.json").read_text()
    versions = json.dumps(read_baseline("b.json").accepted.versions)
    digests = json.loads(content)["sha256"]
    assert (
        content
        == f"""\
{{
 "format": 1,
 "run": "good",
 "accepted": {{
  "who": "Ada",
  "when": "2026-03-01T12:00:00Z",
  "why": "The first one",
  "commit": null,
  "dirty": [],
  "versions": {versions},
  "means": {{"RR": 0.875, "P@1": 0.75}}
 }},
 "limits": {{
  "tolerance": ["0.02"],
  "topic_floor": [],
  "topic_drop": [],
  "only_if_significant": false,
  "non_inferior": null,
  "test": "t",
  "correction": "holm",
  "level": 0.95,
  "fail_if_stale": false
 }},
 "conventions": {{
  "rules": "trec_eval-10",
  "average": "judged",
  "no_relevant": "zero",
  "ties": "docid",
  "fractional": false,
  "collapse": null,
  "collapse_by": "max",
  "collapse_at": "first",
  "drop_self": false,
  "match_topics": null,
  "topics": null
 }},
 "sha256": {{
  "qrels": "{digests["qrels"]}",
  "topics": "{digests["topics"]}",
  "run": "{digests["run"]}"
 }},
 "measures": ["RR", "P@1"],
 "topics": {{
  "q1": [1.0, 1.0],
  "q2": [1.0, 1.0],
  "q3": [1.0, 1.0],
  "q4": [0.5, 0.0]
 }},
 "returned_nothing": [],
 "field": "category",
 "groups": {{
  "easy": ["q1", "q2"],
  "hard": ["q3", "q4"]
 }},
 "history": []
}}
"""
    )


BETTER = """\
STALE: good rose by more than it may fall; accept it in the place of w.json, accepted by Ada at 2026-03-01T12:00:00Z: \
The first one
4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none
STALE: RR: better than the baseline by 0.1875, more than 0.0200: accept the run.

Means over 4 topics

measure  baseline     now   change  allowed  verdict
────────────────────────────────────────────────────
RR         0.6875  0.8750  +0.1875   0.0200    STALE

1 of 4 topics got worse, 2 better

topic  measure  baseline     now   change
─────────────────────────────────────────
q4     RR         1.0000  0.5000  -0.5000

Allowed: a mean may fall by 0.02.
A drop from where the run is now could hide: accept it as the baseline (--accept --why TEXT).
"""


def test_who_made_search_better_is_told_so_in_every_form(folder, capsys):
    accept("w.json", WORSENED, measures="RR", qrels="qrels.txt", fail_if_stale=True)
    words = ["gate", "good.txt", "qrels.txt", "--baseline", "w.json"]
    assert main(words) == 2
    assert capsys.readouterr().out == BETTER
    assert main([*words, "--format", "github"]) == 2
    headline, line = capsys.readouterr().out.splitlines()
    assert headline.startswith("::error title=irkit gate::STALE: good rose by more than it may fall; accept it")
    assert line == (
        "::error title=irkit gate%3A RR::STALE: better than the baseline by 0.1875, more than 0.0200: accept the run"
    )
    assert main([*words, "--format", "junit"]) == 2
    (error,) = ET.fromstring(capsys.readouterr().out).iter("error")
    assert error.attrib == {
        "type": "stale",
        "message": "better than the baseline by 0.1875, more than 0.0200: accept the run",
    }
    assert main([*words, "--format", "markdown"]) == 2
    assert capsys.readouterr().out.startswith("## irkit gate: STALE\n\n- STALE: good rose")
    assert main([*words, "--accept", "--why", "Better", "--by-whom", "Grace"]) == 0
    said = capsys.readouterr()
    assert "stale" not in (said.out + said.err).lower()
    assert main(words) == 0


def test_nobody_is_told_to_accept_a_run_that_failed_elsewhere(folder, capsys):
    assert main([*JUDGED, "--fail-if-stale"]) == 1
    said = capsys.readouterr().out
    assert "STALE: RR (hard): better than the baseline by 0.2500, more than 0.0200.\n" in said
    assert "accept" not in said.replace("accepted by Ada", "")


def test_tables_count_what_passed_and_did_not_change_and_all_show_it(folder, capsys):
    words = ["gate", "good.txt", "qrels.txt", "--baseline", "b.json", "--topic-drop", "0.5"]
    assert main(words) == 0
    some = capsys.readouterr().out
    assert "\n6 more checks passed (--all)\n" in some  # two groups and a drop of topics, in two measures
    assert "easy" not in some
    assert main([*words, "--all"]) == 0
    every = capsys.readouterr().out
    assert (every.count("  easy (2 topics)"), every.count(", topic drop"), every.count("more check")) == (2, 2, 0)
    for form, n_lines in (("csv", 9), ("tsv", 9)):
        assert main([*words, "--format", form]) == 0
        assert len(capsys.readouterr().out.splitlines()) == n_lines
    assert main([*words, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["checks"]) == 8


def test_groups_may_have_any_name(tmp_path):
    names = {"q1": "all", "q2": "a:b", "q3": "a", "q4": "x=1:RR"}
    topics = Topics(tuple(Topic(topic, "", {"category": name}) for topic, name in names.items()))
    path = tmp_path / "b.json"
    limits = ["a:b:0.6", "a:0.1", "x=1:RR:RR=0.7", "all:0.8"]
    accept(path, topics=topics, by="category", measures="RR", tolerance=limits)
    assert read_baseline(path).limits.to_dict()["tolerance"] == ["0.02", *limits]
    found = check_regression(run=ranked(WORSENED), qrels=QRELS, baseline=path, tolerance="a:b:RR=0.4")
    assert {one.group: one.allowed for one in found.checks} == {
        "all": 0.8,
        "a:b": 0.4,
        "a": 0.1,
        "x=1:RR": 0.7,
        None: 0.02,
    }
    table = render_gate(found, every=True)
    assert ("  all (1 topic)" in table, "  all groups (4 topics)" in table) == (True, True)


COMMANDS_TO_BE = ["::error::x", "::stop-commands::x", " \t::add-mask::x", "a ##[error]x", "::a\r::b"]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "tsv", "json", "jsonl", "junit", "github"])
@pytest.mark.parametrize("name", COMMANDS_TO_BE)
def test_beside_annotations_nothing_printed_is_a_command_of_the_workflow(tmp_path, monkeypatch, capsys, form, name):
    monkeypatch.chdir(tmp_path)
    one = name.replace(" ", "").replace("\t", "").replace("\r", "\u2028")
    qrels = {one: {"right": 1, "wrong1": 0}, "q2": {"right": 1, "wrong1": 0}}
    topics = (f"<top>\n<num> {topic}\n<category> {name}\n<title> {name}\n</top>\n" for topic in qrels)
    (tmp_path / "topics.txt").write_text("".join(topics))
    write_qrels(tmp_path / "qrels.txt", qrels)
    write_run(tmp_path / "good.txt", {one: 1, "q2": 1})
    run = write_run(tmp_path / f"{name}\n::warning::y", {one: 3, "q2": 1})
    accept("b.json", run="good.txt", qrels="qrels.txt", measures="RR", why=name, who=name)
    words = [
        "gate",
        str(run),
        "qrels.txt",
        "--baseline",
        "b.json",
        "--topics",
        "topics.txt",
        "--annotate",
        "--by-topic",
    ]
    assert main([*words, "--format", form]) == 1
    said = capsys.readouterr()
    lines = re.split(r"[\n\r]", said.out + said.err)
    commands = [line for line in lines if line.lstrip().startswith("::")]
    assert commands
    assert all(re.match(r"::(error|warning|notice) title=irkit gate", line) for line in commands)
    assert not [line for line in lines if "##[" in line and not line.startswith("::error title")]
    if form == "json":
        assert json.loads(said.out.partition("\n::error title")[0])["verdict"] == "failed"


# Output that cannot be written.


def irkit_in(folder, *words, out):
    command = [sys.executable, "-m", "irkit", "gate", *words, "qrels.txt", "--baseline", "b.json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=out, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a device of Linux")
@pytest.mark.parametrize(("run", "status", "word"), [("bad.txt", 1, "FAILED: bad"), ("good.txt", 2, "passed: good")])
def test_a_full_disk_is_said_and_changes_no_certain_failure(folder, run, status, word):
    with Path("/dev/full").open("w") as full:
        code, _, said = irkit_in(folder, run, out=full)
    assert code == status
    assert said.startswith(f"{word} held to b.json")
    assert said.endswith("irkit: output: cannot be written: No space left on device\n")
    code, shown, said = irkit_in(folder, run, "--summary", "/dev/full", out=subprocess.PIPE)
    assert code == status
    assert shown.startswith(word)
    assert said == "irkit: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.parametrize(("run", "status"), [("bad.txt", 1), ("good.txt", 2)])
@pytest.mark.parametrize("option", ["--junit", "--summary"])
def test_a_file_that_cannot_be_written_hides_no_result(folder, capsys, run, status, option):
    words = ["gate", run, "qrels.txt", "--baseline", "b.json", option, "topics.txt/inside", "--annotate"]
    assert main(words) == status
    said = capsys.readouterr()
    assert " held to b.json" in said.out
    assert "::" in said.out
    assert said.err.startswith("irkit: topics.txt/inside: cannot be written")


@pytest.mark.parametrize(("run", "status"), [("bad.txt", 1), ("good.txt", 0)])
def test_a_reader_who_has_gone_changes_no_exit_code(folder, run, status):
    read, write = os.pipe()
    os.close(read)
    assert irkit_in(folder, run, out=write) == (status, None, "")
    os.close(write)


def test_an_interrupt_outside_of_the_work_is_one_too(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("irkit.cli.open_standard_output", interrupted)
    monkeypatch.setattr(sys, "argv", ["irkit", "gate"])
    with pytest.raises(SystemExit) as ended:
        program()
    assert ended.value.code == 130


def test_help_shows_the_options_by_subject(capsys):
    assert main(["gate", "--help"]) == 0
    said = capsys.readouterr().out
    headings = ["Options:", "What it may lose:", "Accepting:", "Output:", "Measures, topics and conventions:"]
    assert [line for line in said.splitlines() if re.fullmatch(r"[A-Z][^:]*:", line)] == headings
    names = [name for one in gate_command.params if isinstance(one, click.Option) for name in one.opts]
    assert [name for name in names if name not in said] == []


HOSTILE = "a|b]]><script>\x1b[31m%0A\n::set-output name=x::y\r&\"'`*\u202e,:\udcff"


def test_hostile_names_do_no_harm_in_any_form(tmp_path, capsys):
    qrels = {HOSTILE: {"right": 1, "wrong1": 0}, "q2": {"right": 1}}
    topics = Topics((Topic(HOSTILE, HOSTILE, {"category": HOSTILE}), Topic("q2", "x", {"category": "b"})))
    ranks, named = {HOSTILE: 1, "q2": 1}, {"why": HOSTILE, "who": HOSTILE}
    accept(tmp_path / "b.json", ranks, qrels=qrels, topics=topics, by="category", **named)
    found = check_regression(
        run=ranked({HOSTILE: 3, "q2": 1}),
        qrels=qrels,
        baseline=tmp_path / "b.json",
        topics=topics,
        name=HOSTILE,
        topic_drop=0.1,
    )
    assert found.exit_code == 1
    texts = {form: render_gate(found, form, by_topic=True) for form in ("table", "markdown", "junit", "github")}
    for text in texts.values():
        assert not set(text) & {"\x1b", "\r", "\u202e", "\udcff"}
    # No line of an annotation is another command, and no property ends before its time.
    for line in texts["github"].splitlines():
        kind, _, rest = line.removeprefix("::").partition(" title=")
        assert kind in ("error", "warning", "notice")
        title, _, message = rest.partition("::")
        assert not set(title) & {",", ":"}
        assert "%0A" not in message.replace("%250A", "")
    root = ET.fromstring(texts["junit"])
    assert {case.get("classname") for case in root.iter("testcase")} == {root[0][0].get("classname")}
    assert "<script>" in root[0][0].get("classname")
    assert "<script>" not in texts["junit"]
    assert "<script>" not in texts["markdown"].replace("\\<script\\>", "")
    rows = [line for line in texts["markdown"].splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7, 9}
    json.loads(render(found, "json"))


def test_long_lists_of_topics_are_cut_where_not_all_are_asked_for(tmp_path):
    ranks = {f"q{n:02}": 1 for n in range(14)}
    qrels = {topic: {"right": 1} for topic in ranks}
    accept(tmp_path / "b.json", ranks, qrels=qrels, measures="RR")
    found = check_regression(
        run=ranked({topic: 2 + n for n, topic in enumerate(ranks)}), qrels=qrels, baseline=tmp_path / "b.json"
    )
    some, every = render(found), render(found, by_topic=True)
    assert "14 of 14 topics got worse, none better; the 10 that fell most" in some
    assert (some.count("\nq"), every.count("\nq")) == (10, 14)
    assert [one.topic for one in found.worse][:2] == ["q13", "q12"]


# The gate of this project.

SERVICES = ["runs/run.services.fused.txt", "qrels/qrels.services.txt", "--baseline", "baselines/services.json"]


def test_the_committed_run_holds_its_baseline(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["gate", *SERVICES, "--topics", "topics/topics.services.txt", "--by", "category"]) == 0
    assert capsys.readouterr().out.startswith(
        "passed: run.services.fused held to baselines/services.json, accepted by "
    )


def test_the_gate_of_the_services_judges_as_their_experiment_does():
    import tomllib

    chosen = tomllib.loads((ROOT / "irkit/collections/services/experiment.toml").read_text())["evaluation"]
    baseline = read_baseline(ROOT / "baselines/services.json")
    assert list(baseline.measures) == chosen["measures"]
    assert (baseline.conventions["no_relevant"], baseline.field) == (chosen["no_relevant"], chosen["by"])


def test_the_gate_of_the_services_sees_an_answer_that_sinks(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(ROOT)
    # q04 loses its best document, so that nothing it returns below rank 1 moves up but by one place.
    lines = (ROOT / SERVICES[0]).read_text().splitlines(keepends=True)
    first = next(line for line in lines if line.startswith("q04 ") and line.split()[3] == "1")
    (tmp_path / "run.services.fused.txt").write_text("".join(line for line in lines if line != first))
    assert main(["gate", str(tmp_path / "run.services.fused.txt"), *SERVICES[1:]]) == 1
    assert "\nq04 " in capsys.readouterr().out
