"""The gate where projects are tested: pytest, pre-commit, GitHub."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from irkit.cli import COMMANDS
from irkit.gate import accept_baseline

yaml = pytest.importorskip("yaml", reason="PyYAML reads the definitions of hooks and of the action")

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gate-integrations.md").read_text("utf-8")

# RR of the accepted run: 1 in both topics. Now the relevant document is at rank 2 in the first: (1/2 + 1) / 2 = 0.75.
JUDGED = {"q1": {"right": 1}, "q2": {"right": 1}}
RUNS = {
    "good.run": {"q1": ["right", "wrong"], "q2": ["right"]},
    "new.run": {"q1": ["wrong", "right"], "q2": ["right"]},
    "part.run": {"q1": ["right"]},
}


def write_files(folder, judged=JUDGED, runs=RUNS):
    for name, run in runs.items():
        lines = (
            f"{topic} Q0 {document} 0 {-rank} r\n"
            for topic, documents in run.items()
            for rank, document in enumerate(documents)
        )
        (folder / name).write_text("".join(lines))
    qrels = (f"{topic} 0 {document} {grade}\n" for topic, its in judged.items() for document, grade in its.items())
    (folder / "qrels.txt").write_text("".join(qrels))
    accept_baseline(
        run=folder / "good.run",
        qrels=folder / "qrels.txt",
        baseline=folder / "baseline.json",
        why="first run",
        who="Ada",
        measures="RR",
        allow_dirty=True,
    )


# pytest


def pytest_in(folder, *words):
    """Output and exit code of a session of its own, with the plug-in whether irkit is installed with it or not."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-p", "irkit.pytest_plugin", "-p", "no:cacheprovider", "-q", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


INI = "[pytest]\nirkit_qrels = qrels.txt\nirkit_baseline = baseline.json\n"


def test_the_plug_in_is_found_by_pytest_and_loads_nothing_of_irkit():
    points = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"]
    assert points == {"irkit": "irkit.pytest_plugin"}
    code = "import sys, irkit.pytest_plugin; print(*(m for m in sys.modules if m.split('.')[0] in ('irkit', 'numpy')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(loaded.split()) == {
        "irkit",
        "irkit._utils",
        "irkit._utils.lazy",
        "irkit._version",
        "irkit.pytest_plugin",
    }


def test_a_failed_test_names_the_measures_and_the_topics_that_got_worse(tmp_path):
    write_files(tmp_path)
    example, _ = re.findall(r'```python title="test_search.py"\n(.*?)```', PAGE, re.S)
    (tmp_path / "test_it.py").write_text(example.replace(', tolerance="nDCG@10=0.01"', ""))
    status, said = pytest_in(tmp_path)
    assert status == 1
    (promised,) = re.findall(r"```text\n(E .*?)```", PAGE, re.S)
    said = re.sub(r"at \d{4}-\d\d-\d\dT[\d:]+Z", "at 2026-11-30T15:05:00Z", said)
    said = "\n".join(line.rstrip() for line in said.splitlines())
    assert promised.rstrip("\n") in said


def test_the_fixture_takes_files_from_the_configuration_wherever_pytest_starts(tmp_path):
    write_files(tmp_path)
    (tmp_path / "pytest.ini").write_text(INI)
    inner = tmp_path / "inner"
    inner.mkdir()
    example = re.findall(
        r"```python title=\"test_search.py\"\n(def test_the_new_index_is_no_worse\(irkit_gate.*?)```", PAGE, re.S
    )[0]
    assert f'```ini title="pytest.ini"\n{INI}```' in PAGE
    (inner / "test_it.py").write_text(
        example.replace("new.run", "good.run")
        + "\n\ndef test_worse(irkit_gate):\n    irkit_gate('new.run')\n"
        + "\n\ndef test_part(irkit_gate):\n    irkit_gate('part.run')\n"
        + "\n\ndef test_in_memory(irkit_gate):\n"
        + "    irkit_gate({'q1': ['right'], 'q2': ['right']}, tolerance='RR=0')\n"
    )
    status, said = pytest_in(inner, "-p", "xdist.plugin", "-n", "2", "--junitxml", "found.xml")
    assert status == 1
    assert "2 failed, 2 passed" in said
    assert "AssertionError: NOT JUDGED: part held to" in said
    assert "missing from the run: q2" in said
    cases = ElementTree.parse(inner / "found.xml").getroot().iter("testcase")
    values = {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}
    assert values["test_the_new_index_is_no_worse"] == {"irkit RR": "1.0"}
    assert values["test_worse"] == {"irkit RR": "0.75"}


def test_what_is_not_named_anywhere_is_asked_for(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it(irkit_gate):\n    irkit_gate({'q1': ['right']})\n")
    status, said = pytest_in(tmp_path)
    assert status == 1
    asked = "irkit_gate needs qrels: give them, or set irkit_qrels for all tests in"
    assert f"{asked} pytest.ini or pyproject.toml" in said
    (tmp_path / "tox.ini").write_text("[pytest]\n")
    assert f"{asked} tox.ini" in pytest_in(tmp_path)[1]


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_the_fixture_brings_no_warning_of_its_own(tmp_path, family):
    write_files(tmp_path)
    (tmp_path / "pytest.ini").write_text(f"{INI}filterwarnings = error\njunit_family = {family}\n")
    (tmp_path / "test_it.py").write_text("def test_it(irkit_gate):\n    irkit_gate('good.run')\n")
    status, said = pytest_in(tmp_path, "--junitxml", "found.xml")
    assert (status, "1 passed" in said, "warning" in said) == (0, True, False)
    (found,) = ElementTree.parse(tmp_path / "found.xml").getroot().iter("property")
    assert found.attrib == {"name": "irkit RR", "value": "1.0"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("'part.run'", "on purpose (may_abstain=True)."),
        ("'better.run'", "accept it as the baseline (irkit.accept_baseline(..., why=TEXT))."),
        (
            "'good.run', baseline='none.json'",
            "accept a run as the baseline first: irkit.accept_baseline(..., why=TEXT)",
        ),
        ("'good.run', tolerence=0.1", "there is no option 'tolerence'; did you mean 'tolerance'?"),
    ],
)
def test_remedies_are_arguments_in_a_test(tmp_path, call, said):
    write_files(
        tmp_path, runs={"good.run": RUNS["new.run"], "better.run": RUNS["good.run"], "part.run": RUNS["part.run"]}
    )
    (tmp_path / "pytest.ini").write_text(INI)
    (tmp_path / "test_it.py").write_text(f"def test_it(irkit_gate):\n    irkit_gate({call})\n")
    status, found = pytest_in(tmp_path)
    assert (status, said in found, "--" in found.replace("---", "")) == (1, True, False)


@pytest.mark.parametrize(
    ("options", "status", "counted"), [("", 1, "1 failed"), (", fail_if_stale=False", 0, "1 passed, 1 warning")]
)
def test_a_stale_baseline_fails_a_test_or_is_a_warning_of_it(options, status, counted, tmp_path):
    write_files(tmp_path, runs={"good.run": RUNS["new.run"], "better.run": RUNS["good.run"]})
    (tmp_path / "pytest.ini").write_text(INI)
    (tmp_path / "test_it.py").write_text(f"def test_it(irkit_gate):\n    irkit_gate('better.run'{options})\n")
    found, said = pytest_in(tmp_path)
    assert (found, counted in said) == (status, True)
    assert "better than the baseline by 0.2500, more than 0.0200: accept the run" in said


# pre-commit

# The keys of pre-commit's own manifest, and of what kind they are.
HOOK = {
    **dict.fromkeys(("id", "name", "entry", "language", "files", "exclude", "description", "alias"), str),
    **dict.fromkeys(("language_version", "minimum_pre_commit_version", "log_file"), str),
    **dict.fromkeys(("types", "types_or", "exclude_types", "args", "stages", "additional_dependencies"), list),
    **dict.fromkeys(("always_run", "fail_fast", "verbose", "pass_filenames", "require_serial"), bool),
}
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}


def test_the_hooks_are_such_as_pre_commit_takes():
    assert HOOKS.keys() == {"irkit-check", "irkit-gate"}
    for hook in HOOKS.values():
        assert hook.keys() >= {"id", "name", "entry", "language"}
        assert all(isinstance(value, HOOK[name]) for name, value in hook.items())
        assert hook["language"] == "python"
        program, command = hook["entry"].split()
        assert program == "irkit"
        assert command == hook["id"].removeprefix("irkit-")
    assert "gate" in COMMANDS


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("runs/run.services.bm25.txt", True),
        ("qrels/qrels.services.txt", True),
        ("topics.dev.trec.gz", True),
        ("deep/folder/bm25.run", True),
        ("bm25.run.zst", True),
        ("topics-2020.xml", True),
        ("qrels.txt", True),
        ("run.py", False),
        ("runs/README.md", False),
        ("src/run_all.py", False),
        ("prune.txt", False),
        ("run.txt", False),
        ("docs/runs.tsv", False),
        ("run-notes.txt", False),
        ("docs/topics.txt", False),
        ("docs/topics/style.txt", False),
        ("runs/README.txt", False),
        ("runs/trec/bm25.txt.gz", True),
        ("qrels.robust04.txt", True),
        ("bm25.run.py", False),
        ("topics.md", False),
    ],
)
def test_files_are_known_by_their_names(path, wanted):
    assert bool(re.search(HOOKS["irkit-check"]["files"], path)) == wanted


def test_the_manual_names_hooks_and_inputs_that_there_are():
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.S):
        content = yaml.safe_load(block)
        for repository in content.get("repos", ()):
            assert {hook["id"] for hook in repository["hooks"]} <= HOOKS.keys()
        for step in content.get("steps", ()):
            assert set(step.get("with", ())) <= ACTION["inputs"].keys()
    table = set(re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (`[^|]+)\|", PAGE, re.M))))
    assert table == ACTION["inputs"].keys() | ACTION["outputs"].keys()


# GitHub

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
CACHE, INSTALL, GATE = ACTION["runs"]["steps"]


def test_the_action_is_composite_and_no_input_is_part_of_a_script():
    assert ACTION["runs"]["using"] == "composite"
    assert {name for name, its in ACTION["inputs"].items() if its.get("required")} == {"run", "qrels", "baseline"}
    assert all("description" in its for its in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))
    for step in (INSTALL, GATE):
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        assert "eval" not in step["run"]
    given = [value for step in (INSTALL, GATE) for value in step["env"].values()]
    assert sorted(given) == sorted(f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"] if name != "cache")
    assert CACHE["if"] == "inputs.cache == 'true'"
    for output in ACTION["outputs"].values():
        pattern = r"\$\{\{ steps\.gate\.outputs\.([\w-]+) \|\| steps\.install\.outputs\.\1 \}\}"
        name = re.fullmatch(pattern, output["value"]).group(1)
        assert f"{name}=%s" in GATE["run"]
        assert f"{name}=" in INSTALL["run"]


@pytest.fixture
def runner(tmp_path):
    """A job of a workflow in folders of its own: call it with inputs, and it runs the step of the gate."""
    if shutil.which("bash") is None:
        pytest.skip("the action's steps are for bash")
    work, temporary = tmp_path / "work", tmp_path / "runner"
    (temporary / "irkit-gate" / "bin").mkdir(parents=True)
    work.mkdir()
    program = temporary / "irkit-gate" / "bin" / "irkit"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m irkit "$@"\n')
    program.chmod(0o755)

    def run(step=GATE, **inputs):
        given = {name: str(its.get("default", "")) for name, its in ACTION["inputs"].items()}
        given |= {"run": "new.run", "qrels": "qrels.txt", "baseline": "baseline.json"} | inputs
        environment = {
            **os.environ,
            "RUNNER_TEMP": str(temporary),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "GITHUB_ACTION_PATH": str(tmp_path / "action"),
            **{name: given[re.search(r"inputs\.(\w+)", value).group(1)] for name, value in step["env"].items()},
        }
        for name in ("output", "summary"):
            (tmp_path / name).write_text("")
        script = tmp_path / "step.sh"
        script.write_text(step["run"])
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
        output = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
        return Step(done.returncode, done.stdout, done.stderr, output, (tmp_path / "summary").read_text())

    run.work = work
    return run


class Step:
    """What a step did, seen as the runner sees it."""

    def __init__(self, status, out, err, output, summary):
        self.status, self.out, self.err, self.output, self.summary = status, out, err, output, summary

    @property
    def commands(self):
        """The commands of the workflow that the runner follows: none between a stop and its token."""
        found, token = [], None
        for line in self.out.splitlines():
            if token is not None:
                token = None if line == f"::{token}::" else token
            elif line.startswith("::stop-commands::"):
                token = line.removeprefix("::stop-commands::")
            elif line.startswith("::"):
                found.append(line)
        assert token is None
        return found


def test_a_run_that_passed_is_green_with_summary_and_junit(runner):
    write_files(runner.work)
    step = runner(run="good.run")
    assert (step.status, step.output) == (0, {"verdict": "passed", "exit-code": "0"})
    assert "passed: good held to baseline.json" in step.summary
    assert [line.split()[0] for line in step.commands] == ["::notice"]
    suite = ElementTree.parse(runner.work / "irkit-gate.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "0", "0")


def test_a_run_that_got_worse_fails_with_annotations_that_name_the_topics(runner):
    write_files(runner.work)
    step = runner(junit="out/found.xml")
    assert (step.status, step.output) == (1, {"verdict": "failed", "exit-code": "1"})
    assert [line.split()[0] for line in step.commands] == ["::error", "::error"]
    assert "q1 (1.0000 to 0.5000)" in step.commands[1]
    assert "FAILED" in step.summary
    assert ElementTree.parse(runner.work / "out" / "found.xml").getroot().get("failures") == "1"


def test_options_are_words_one_a_line(runner):
    write_files(runner.work)
    step = runner(options='\n  --tolerance   RR=0.3  \n\n# what nobody sees -- "yet"\n--by-topic\r\n-m RR\n')
    assert (step.status, step.output["verdict"]) == (0, "passed")


@pytest.mark.parametrize(
    "options",
    [
        "--tolerance 'RR=0.3'",
        '--tolerance "0.3"',
        "--tolerance 0.3 --by-topic",
        "--by-topic --all",
        "RR=0.3",
        "a\r::warning::b",
    ],
)
def test_more_than_an_option_a_line_is_refused(runner, options):
    write_files(runner.work)
    step = runner(run="good.run", options=options)
    assert (step.status, step.output) == (2, {"verdict": "not judged", "exit-code": "2"})
    assert "one option a line, no quotes" in step.commands[0]


def test_a_run_that_is_better_is_called_so(runner):
    write_files(runner.work, runs={"good.run": RUNS["new.run"], "new.run": RUNS["good.run"]})
    step = runner()
    assert (step.status, step.output) == (2, {"verdict": "stale", "exit-code": "2"})
    assert step.summary.startswith("## irkit gate: STALE\n")


@pytest.mark.parametrize("python", ["no-such-python", "false", "pip-fails"])
def test_an_irkit_that_cannot_be_installed_is_not_judged(runner, python):
    program = runner.work / "pip-fails"  # makes an environment whose pip ends with 1
    program.write_text('#!/bin/sh\nmkdir -p "$3/bin" && ln -sf "$(command -v false)" "$3/bin/python"\n')
    program.chmod(0o755)
    step = runner(INSTALL, python=f"./{python}" if python == "pip-fails" else python)
    assert (step.status, step.output) == (2, {"verdict": "not judged", "exit-code": "2"})
    assert step.commands == ["::error title=irkit gate::NOT JUDGED: irkit cannot be installed; see the log"]
    assert step.summary.startswith("## irkit gate: NOT JUDGED\n")


def test_what_is_installed_has_the_versions_that_irkit_is_tested_with():
    assert (ROOT / "constraints.txt").is_file()
    assert '--constraint "$versions"' in INSTALL["run"]
    assert '--build-constraint "$versions" "$GITHUB_ACTION_PATH"' in INSTALL["run"]


@pytest.mark.parametrize(
    "inputs",
    [
        {"run": "part.run"},
        {"run": "none.run"},
        {"run": ""},
        {"run": "--help"},
        {"qrels": ""},
        {"baseline": ""},
        {"baseline": "none.json"},
        {"junit": ""},
        {"junit": "qrels.txt/inside"},
        {"run": "good.run", "options": "--help"},
        {"run": "good.run", "options": "--"},
        {"run": "good.run", "options": "--no-such-option"},
        {"run": "good.run", "options": "--accept\n--why because"},
        {"run": "good.run", "options": "--measure AP"},
    ],
    ids=str,
)
def test_what_could_not_be_judged_is_never_green(runner, inputs):
    write_files(runner.work)
    before = (runner.work / "baseline.json").read_bytes()
    step = runner(**inputs)
    assert (step.status, step.output) == (2, {"verdict": "not judged", "exit-code": "2"})
    assert "NOT JUDGED" in step.summary
    assert any(line.startswith("::error") for line in step.commands)
    assert (runner.work / "baseline.json").read_bytes() == before


def test_ids_and_texts_of_files_are_never_commands(runner):
    hostile = "::set-env::a=$(touch${IFS}pwned);`touch${IFS}pwned`"
    write_files(
        runner.work,
        judged={hostile: {"right": 1}, "q2": {"right": 1}},
        runs={"good.run": {hostile: ["right"], "q2": ["right"]}, "new.run": {hostile: ["x", "right"], "q2": ["right"]}},
    )
    (runner.work / "topics.tsv").write_text(f"{hostile}\t::add-mask::x\nq2\t::error::y\n")
    step = runner(topics="topics.tsv")
    assert step.status == 1
    assert "::set-env::a=" in step.summary
    assert all(re.match(r"::(error|notice) title=irkit gate", line) for line in step.commands)
    assert not list(runner.work.rglob("pwned"))


@pytest.mark.parametrize("name", ["run", "baseline", "junit", "options", "topics"])
def test_inputs_are_never_commands(runner, name):
    write_files(runner.work)
    hostile = '-rf $(touch pwned)"; touch pwned; "\n`touch pwned`\n::set-output name=a::b'
    step = runner(**({"run": "good.run"} | {name: hostile}))
    assert all(re.match(r"::(error|notice) title=irkit gate", line) for line in step.commands)
    assert step.output.keys() == {"verdict", "exit-code"}
    assert (step.status == 0) == (step.output["verdict"] == "passed") == (name == "junit")
    assert not list(runner.work.rglob("pwned"))


def test_irkit_is_installed_from_the_checkout_of_the_action_apart_from_everything(tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("the action's steps are for bash")
    log = tmp_path / "log"
    python = tmp_path / "python 3"
    python.write_text(
        f'#!/bin/bash\nprintf "%s\\n" "$*" >> "{log}"\n'
        'if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi\n'
    )
    python.chmod(0o755)
    environment = {
        **os.environ,
        "IRKIT_PYTHON": str(python),
        "RUNNER_TEMP": str(tmp_path / "runner temp"),
        "GITHUB_ACTION_PATH": "/the action",
    }
    subprocess.run(["bash", "-e", "-c", INSTALL["run"]], env=environment, check=True)
    assert log.read_text().splitlines() == [
        f"-m venv {tmp_path}/runner temp/irkit-gate",
        "-m pip install --quiet --constraint /the action/constraints.txt --upgrade pip",
        "-m pip install --quiet --constraint /the action/constraints.txt "
        "--build-constraint /the action/constraints.txt /the action",
    ]
