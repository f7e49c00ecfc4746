"""Faults found on the product, where files are written and processes end; each by its number."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from irkit._utils.visible import harmless
from irkit.cli import main
from irkit.errors import FormatError, MissingDependencyError, UsageError
from irkit.files.textio import sha256_of, write_bytes
from irkit.files.unfinished import part_name
from irkit.gate.baseline_file import read_baseline
from irkit.recipes.digests import digest
from irkit.retrieval.atomic_folder import new_folder
from irkit.retrieval.manifest import MANIFEST

ROOT = Path(__file__).resolve().parents[2]
RUN = "1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n"
QRELS = "1 0 a 1\n1 0 b 0\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text(RUN)
    Path("b.run").write_text(RUN.replace(" r\n", " s\n"))
    Path("qrels").write_text(QRELS)


def held(folder):
    """What is in a folder: links with their ends, files with their bytes, folders."""
    return {
        str(path.relative_to(folder)): f"-> {path.readlink()}"
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in sorted(Path(folder).rglob("*"))
    }


# C61: only irkit's own names are removed


@pytest.mark.parametrize("name", [".ix.backup.old", ".ix.anything.part", ".ix.0a1b2c3d.part", ".ix.0a1b2c3d.0.old"])
def test_c61_folders_of_the_user_beside_an_index_stay(name, tmp_path):
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.txt").write_text("years of work")
    os.utime(tmp_path / name, times=(1, 1))
    with new_folder(tmp_path / "ix") as folder:
        (folder / MANIFEST).write_text("{}")
    assert (tmp_path / name / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("ending", ["part", "old"])
def test_c61_a_folder_of_irkits_own_name_goes_only_where_it_holds_an_index(ending, tmp_path):
    ours, users = tmp_path / part_name(ending), tmp_path / part_name(ending)
    for folder, name in ((ours, "docid"), (users, "thesis.txt")):
        folder.mkdir()
        (folder / name).write_text("x")
    with new_folder(tmp_path / "ix") as folder:
        (folder / MANIFEST).write_text("{}")
    assert not ours.exists()
    assert (users / "thesis.txt").read_text() == "x"


def test_c61_a_folder_that_came_in_the_place_of_an_index_meanwhile_is_kept(tmp_path):
    target = tmp_path / "ix"

    def build():
        with new_folder(target):
            target.mkdir()
            (target / "thesis.txt").write_text("years of work")

    with pytest.raises(UsageError, match="is no longer an index made by irkit"):
        build()
    assert held(tmp_path / "ix") == {"thesis.txt": b"years of work"}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".irkit.")]


def test_c61_the_lock_of_a_baseline_is_no_file_of_the_users(tmp_path):
    Path(".b.json.lock").write_text("mine")
    words = "gate a.run qrels --baseline b.json --accept --why w --by-whom me --allow-dirty"
    assert main(words.split()) == 0
    assert Path(".b.json.lock").read_text() == "mine"
    assert not list(tmp_path.glob(".irkit.*"))


def test_c61_what_was_put_into_the_build_folder_of_an_experiment_stays(tmp_path):
    from irkit.recipes import RecipeInputs

    Path("d.jsonl").write_text('{"id": "a", "contents": "x"}\n')
    folder = None

    def build(made):
        nonlocal folder
        folder = made
        with new_folder(made):
            pass

    materials = RecipeInputs(tmp_path / "build")
    materials.in_index("dense", Path("d.jsonl"), {}, build, lambda made: made)
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="exists and is not an index made by irkit"):
        materials.in_index("dense", Path("d.jsonl"), {}, build, lambda made: made)
    assert (folder / "thesis.txt").read_text() == "years of work"


# C62: no file is written over one that is read, or over another one

FUSE = "fuse a.run b.run --out f.run"


def link(name, to):
    Path(name).symlink_to(to)


def hard(name, to):
    os.link(to, name)


@pytest.mark.parametrize(
    ("words", "prepare"),
    [
        (FUSE, lambda: link("f.run.provenance.json", "a.run")),
        (FUSE, lambda: hard("f.run.provenance.json", "a.run")),
        (FUSE, lambda: hard("f.run", "b.run")),
        (FUSE, lambda: link("f.run", "b.run")),
        (FUSE, lambda: Path("f.run.provenance.json").mkdir()),
        (FUSE, lambda: os.mkfifo("f.run.provenance.json")),
        (FUSE + " --explain f.run.provenance.json", None),
        (FUSE + " --explain ./x/../f.run.provenance.json", lambda: Path("x").mkdir()),
        (FUSE + " --explain here/f.run", lambda: link("here", ".")),
        ("fuse a.run f.run.provenance.json --out f.run", lambda: shutil.copy("b.run", "f.run.provenance.json")),
        ("fuse a.run b.run --out f.run --prior f.run.provenance.json", lambda: hard("f.run.provenance.json", "qrels")),
        ("rerank a.run t.txt d.jsonl --qrels qrels --out qrels", None),
        ("rerank a.run t.txt d.jsonl --qrels r.run.provenance.json --out r.run", lambda: record_of_qrels("r.run")),
        ("gate a.run qrels --baseline b.json --accept --why w --by-whom me", lambda: hard("b.json", "qrels")),
        ("gate a.run qrels --baseline b.run --junit x --summary ./x", None),
        ("check a.run --fix --out c.run", lambda: hard("c.run", "a.run")),
        ("holes a.run qrels --out a.tsv --topics a.tsv", lambda: hard("a.tsv", "b.run")),
        ("report a.run qrels --out p.html", lambda: hard("p.html", "qrels")),
        ("fuse a.run b.run --out a.run.provenance.json", lambda: shutil.copy("qrels", "a.run.provenance.json")),
        (FUSE + " --explain b.run.provenance.json", lambda: shutil.copy("qrels", "b.run.provenance.json")),
        ("plot recall a.run qrels --out a.run.provenance.json", lambda: shutil.copy("b.run", "a.run.provenance.json")),
        ("holes a.run qrels --out a.run.provenance.json", lambda: hard("a.run.provenance.json", "b.run")),
        ("plot leaderboard a.run qrels --out p.svg", lambda: hard("p.svg", "a.run")),
        ("index bm25 ix/docid --out ix", lambda: index("ix")),
        ("index join ix --out ix", lambda: index("ix")),
        ("index dense d.jsonl --out d.jsonl/x", lambda: Path("d.jsonl").write_text("{}")),
        ("convert --documents documents/documents.c.jsonl --name c --out .", lambda: corpus("documents")),
        ("convert --documents d/documents.c.jsonl --name c --out .", lambda: (corpus("d"), link("documents", "d"))),
        ("run e.toml", lambda: experiment("runs/run.c.f.txt.provenance.json")),
        ("run e.toml", lambda: experiment("build/c/evaluation.json")),
        ("run e.toml --out o", lambda: (experiment("x/run.c.f.txt"), Path("o").mkdir(), link("o/runs", "../x"))),
        ("tune e.toml f --set k=1,2 --run runs/run.c.f.txt", lambda: experiment("x")),
        ("tune e.toml f --set k=1,2 --run qrels", lambda: experiment("x")),
        ("tune e.toml f --set k=1,2 --development qrels --test a.run --run qrels", lambda: experiment("x")),
    ],
)  # fmt: skip
def test_c62_no_file_is_written_over_another_and_all_stay_as_they_are(words, prepare, tmp_path, capsys):
    if prepare:
        prepare()
    before = held(tmp_path)
    assert main(words.split()) == 2
    assert re.search("stays as it is|would be written|is no file", capsys.readouterr().err)
    assert held(tmp_path) == before


def record_of_qrels(run):
    hard(f"{run}.provenance.json", "qrels")
    for name in ("t.txt", "d.jsonl"):
        Path(name).write_text("")


def index(name):
    Path(name).mkdir()
    (Path(name) / MANIFEST).write_text("{}")
    (Path(name) / "docid").write_text("a\n")


def corpus(folder):
    Path(folder).mkdir()
    (Path(folder) / "documents.c.jsonl").write_text('{"_id": "a", "text": "kept byte for byte"}\n')


def experiment(other):
    """An experiment that fuses a run with another file."""
    Path(other).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy("b.run", other)
    Path("e.toml").write_text(
        '[collection]\nname = "c"\nqrels = "qrels"\n[configurations.a]\nmethod = "file"\nrun = "a.run"\n'
        f'[configurations.b]\nmethod = "file"\nrun = "{other}"\n'
        '[configurations.f]\nmethod = "rrf"\nruns = ["a", "b"]\n'
    )


def test_c62_a_link_in_the_place_of_a_record_is_replaced_and_not_written_through(tmp_path):
    Path("elsewhere").write_text("of somebody else")
    link("f.run.provenance.json", "elsewhere")
    link("f.run", "nowhere")
    assert main(FUSE.split()) == 0
    assert Path("elsewhere").read_text() == "of somebody else"
    assert not Path("nowhere").exists()
    assert not Path("f.run").is_symlink()
    assert '"method": "fuse"' in Path("f.run.provenance.json").read_text()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda name: link(name, "qrels")])
def test_c62_a_repaired_copy_is_not_written_to_what_is_no_file(make, capsys):
    Path("a.run").write_text(RUN.replace("2 r", "2,0 r"))
    make("a.run.fixed")
    assert main(["check", "a.run", "--fix", "--decimal-commas"]) == 2
    assert "a.run.fixed is there already; remove it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (".", ". holds a.run, which is read"),
        ("", "'' holds a.run, which is read"),
        ("a.run/x", "a.run/x lies in a.run, which is read"),
        ("./a.run", "./a.run is a.run, which is read"),
        ("x" * 240, f"{'x' * 240}.provenance.json: cannot be written: File name too long"),
    ],
)
def test_c62_a_refusal_says_how_the_files_meet_and_comes_before_anything_is_written(out, words, tmp_path, capsys):
    before = held(tmp_path)
    assert main(["fuse", "a.run", "b.run", "--out", out]) == 2
    assert words in capsys.readouterr().err
    assert held(tmp_path) == before


def test_c62_files_that_only_look_alike_are_written(tmp_path):
    Path("folder").mkdir()
    Path("folder/f.run").write_text("another file")
    assert main([*FUSE.split(), "--explain", "F.RUN"]) == (0 if not Path("A.RUN").exists() else 2)


# C65: what a process that ends leaves behind


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "stopped")],
)
def test_c65_a_signal_removes_what_is_being_written(number, code, word, tmp_path):
    script = (
        "import sys, time\nfrom irkit import cli\nfrom irkit.files import textio\nfrom irkit.cli import score\n"
        "def write(*a, **k):\n with textio.writing('out') as stream:\n"
        "  stream.write(b'half'); stream.flush(); print('writing', flush=True); time.sleep(60)\n"
        "score.command.callback = write\nsys.argv[1:] = ['score', 'a.run', 'qrels']\ncli.program()"
    )
    writer = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert writer.stdout.readline() == "writing\n"
    assert list(tmp_path.glob(".irkit.*.part"))
    writer.send_signal(number)
    _, err = writer.communicate(timeout=50)  # it would sleep for 60 seconds
    assert (writer.returncode, err.strip()) == (code, f"irkit: {word}")
    assert sorted(held(tmp_path)) == ["a.run", "b.run", "qrels"]


def test_c65_a_signal_that_is_lost_while_an_object_is_deleted_ends_the_process_all_the_same():
    script = (
        "import os, signal, sys, time\nfrom irkit import cli\nfrom irkit.cli import score\n"
        "class Deleted:\n def __del__(self): os.kill(os.getpid(), signal.SIGTERM); time.sleep(0.01)\n"
        "def work(*a, **k):\n Deleted()\n for _ in range(600): time.sleep(0.1)\n"
        "score.command.callback = work\nsys.argv[1:] = ['score', 'a.run', 'qrels']\ncli.program()"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (143, "irkit: terminated")
    assert time.monotonic() - began < 40


def test_c65_leftovers_of_dead_processes_go_at_the_next_write_and_those_of_the_living_stay(tmp_path):
    script = (
        "import sys, time\nfrom irkit.files.textio import writing\n"
        "with writing(sys.argv[1]) as stream:\n stream.write(b'x'); print('writing', flush=True); time.sleep(60)"
    )
    alive, dead = (
        subprocess.Popen([sys.executable, "-c", script, name], stdout=subprocess.PIPE, text=True)
        for name in ("alive", "dead")
    )
    for one in (alive, dead):
        assert one.stdout.readline() == "writing\n"
    Path(".irkit.notes.part").write_text("mine")
    link(part_name(), "a.run")
    assert len(list(tmp_path.glob(".irkit.*"))) == 4
    dead.kill()
    dead.communicate()
    write_bytes("new", b"x")
    names = {path.name for path in tmp_path.glob(".irkit.*") if not path.is_symlink()}
    alive.kill()
    alive.communicate()
    assert len(names) == 2  # that of the process that lives, and the user's
    write_bytes("new", b"y")
    assert [path.name for path in tmp_path.glob(".irkit.*") if not path.is_symlink()] == [".irkit.notes.part"]


def test_c65_an_index_that_was_being_built_by_a_dead_process_goes_at_the_next_build(tmp_path):
    script = (
        "import time\nfrom pathlib import Path\nfrom irkit.retrieval.atomic_folder import new_folder\n"
        "with new_folder(Path('ix')) as part:\n"
        " (part / 'docid').write_text('x'); print('writing', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as builder:
        assert builder.stdout.readline() == "writing\n"
        for n_left in (1, 0):
            with new_folder(tmp_path / "other") as folder:
                (folder / MANIFEST).write_text("{}")
            assert len(list(tmp_path.glob(".irkit.*"))) == n_left
            builder.kill()
            builder.wait()


# C71: limits of memory and time, and signals while modules are loaded


@pytest.mark.parametrize("module", ["irkit.cli", "numpy", "click"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_c71_a_signal_while_modules_are_loaded_is_no_traceback(module, number, code, tmp_path):
    # A module of that name is found before the other one, and sends the signal while it is loaded.
    script = (
        "import sys, os, importlib.abc\n"
        "class Finder(importlib.abc.MetaPathFinder):\n"
        " def find_spec(self, name, *rest):\n"
        f"  if name == {module!r}: sys.meta_path.remove(self); os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from irkit.__main__ import program\nsys.argv[1:] = ['score', 'a.run', 'qrels']\nprogram()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stderr.strip() in ("", "irkit: interrupted", "irkit: terminated")
    assert done.stdout == ""


@pytest.mark.parametrize("program", ["irkit score", "irkit gate", "irkit.trec_eval"])
@pytest.mark.parametrize("limit", [20_000, 40_000, 60_000])
def test_c71_a_limit_of_memory_is_said_in_a_line(program, limit):
    module, *command = program.split()
    more = ["--baseline", "b.json"] if command == ["gate"] else []
    shell = f'ulimit -v {limit}; exec "$@"'
    words = [sys.executable, "-m", module, *command, "a.run", "qrels", *more]
    done = subprocess.run(["bash", "-c", shell, "bash", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "not enough memory; close other programs" in done.stderr


@pytest.mark.parametrize(("limit", "threads"), [("3000000", "1"), ("unlimited", "None")])
def test_c71_little_memory_is_not_divided_among_threads_whose_want_of_it_interrupts_the_process(limit, threads):
    script = (
        "import os; from irkit._utils.process_end import process; "
        "process('x', lambda: os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    shell = f'ulimit -v {limit}; exec "$0" -c "$1"'
    done = subprocess.run(
        ["bash", "-c", shell, sys.executable, script], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stderr.strip() == threads.replace("None", "")  # what `sys.exit` says of a text


@pytest.mark.parametrize(
    "cause",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("libx.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("seems", [None, MissingDependencyError("pip install x"), FormatError("f", "damaged")], ids=str)
def test_c71_memory_that_runs_out_in_a_command_is_said_in_a_line(cause, seems, monkeypatch, capsys):
    from irkit.cli import gate, score

    def greedy(*_, **__):
        if seems is None:
            raise cause
        raise seems from cause

    monkeypatch.setattr(score.command, "callback", greedy)
    assert main(["score", "a.run", "qrels"]) == 1
    assert capsys.readouterr().err.startswith("irkit: not enough memory; ")
    monkeypatch.setattr(gate, "check_regression", greedy)
    assert main(["gate", "a.run", "qrels", "--baseline", "b.json"]) == 2
    assert capsys.readouterr().err.startswith("irkit: not enough memory; ")


def test_c71_an_error_that_quotes_a_file_is_not_taken_for_want_of_memory(capsys):
    Path("a.run").write_text("1 Q0 a 1 bad_alloc r\n")
    assert main(["score", "a.run", "qrels"]) == 1
    assert "the score 'bad_alloc' is not a decimal number" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--fix"], ["--fix", "--tag", "x" * 40]])
def test_c71_a_pattern_that_takes_ages_is_refused(words, monkeypatch, capsys):
    monkeypatch.setattr("irkit.checking.patterns.SECONDS", 0.5)
    Path("a.run").write_text(RUN.replace(" r\n", f" {'x' * 40}\n"))
    began = time.monotonic()
    # Each x more doubles the ways to divide them, all of which end before the '!': 2^39 of them.
    assert main(["check", "a.run", "--tag-pattern", "(x+)+!", *words]) == 2
    assert time.monotonic() - began < 30
    assert "takes longer than 0.5 s to match; write it without a repeat inside a repeat" in capsys.readouterr().err


# C68: git runs no program that a repository names


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_c68_accepting_in_a_strangers_repository_runs_none_of_its_programs(tmp_path, monkeypatch, capsys):
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {ran}\ncat\n')
    program.chmod(0o755)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    Path("theirs").mkdir()
    monkeypatch.chdir("theirs")
    shutil.copy("../a.run", "a.run")
    shutil.copy("../qrels", "qrels")
    Path(".gitattributes").write_text("*.run filter=x=y diff=x\n")
    git("init", "-q")
    git("-c", "user.name=x", "-c", "user.email=x", "add", ".")
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x")
    hooks = Path(".git/hooks")
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "pre-commit"):
        shutil.copy(program, hooks / hook)
    for name in ("core.fsmonitor", "core.pager", "diff.external", "diff.x.textconv", "diff.x.command", "core.editor"):
        git("config", name, str(program))
    for name in ("clean", "smudge"):
        git("config", f"filter.x=y.{name}", str(program))
    git("config", "filter.x=y.required", "true")
    os.utime("a.run", (1, 1))  # so that git has to look into it
    before = Path(".git/index").read_bytes()
    words = "gate a.run qrels --baseline b.json --accept --why w --by-whom me"
    assert main(words.split()) == 0, capsys.readouterr().err
    assert not ran.exists()
    assert Path(".git/index").read_bytes() == before
    Path("a.run").write_text(RUN.replace(" r\n", " other\n"))
    assert main([*words.split(), "--even-if-worse"]) == 2
    assert "changed and not committed: a.run" in capsys.readouterr().err
    assert not ran.exists()
    git("status")  # which would run them
    assert ran.exists()


# C69: nothing that a file holds is a command to the runner of a workflow

ATTACKS = ("::error::x", "a##[add-matcher]x##vso[task.setvariable]x##teamcity[x]")
COMMANDS = [
    "score A B Q --by-topic",
    "score A B Q --by kind --topics T --by-topic --judged",
    "compare A B Q --by kind --topics T",
    "diff A B Q --topics T",
    "holes A B Q",
    "overlap A B --by-topic",
    "rankings A B C Q",
    "reproduce A B Q",
    "gate B Q --baseline base.json --by-topic --all",
    "gate B Q --baseline base.json --annotate",
    "gate A Q --baseline other.json --accept --why w --by-whom me",
    "gate none Q --baseline base.json",
    "check A B Q T",
    "check bad A Q",
    "score bad Q",
    "score none Q",
    "verify A",
    "verify F",
    "fuse A B --out none/../Q",
    "convert --topics T --qrels Q --name x --out o",
    "trec_eval none none",
    "none",
]


def is_command(line):
    """Whether a runner would follow the line: GitHub's forms, the older one anywhere, Azure's, TeamCity's."""
    return line.strip().startswith("::") or re.search(r"##([A-Za-z]*)\[", line) is not None


@pytest.mark.parametrize("name", ATTACKS)
def test_c69_no_line_that_a_command_prints_is_one_of_a_workflow(name, tmp_path, capfd):
    ids = [name, "b", "c"]
    named = {letter: f"{ids[0]}.{letter}" for letter in "ABCQTF"} | {"none": f"{ids[0]}.none", "bad": f"{ids[0]}.bad"}
    for place, letter in enumerate("ABC"):
        ranked = [f"{ids[0]}{(n + place) % 4} {n} {9 - n} {ids[0]}" for n in range(1, 5)]
        Path(named[letter]).write_text("".join(f"{topic} Q0 {one}\n" for topic in ids for one in ranked))
    Path(named["Q"]).write_text("".join(f"{topic} 0 {ids[0]}{n} {n % 2}\n" for topic in ids for n in range(3)))
    Path(named["T"]).write_text(
        "".join(json.dumps({"id": topic, "text": ids[0], "kind": f"{ids[0]} kind"}) + "\n" for topic in ids)
    )
    Path(named["bad"]).write_text(f"{ids[0]}\n{ids[0]} Q0 a x x {ids[0]}\n{ids[0]} Q0 a 1 2 x\n{ids[0]} Q0 a 1 2 x\n")
    assert main(["fuse", named["A"], named["B"], "--out", named["F"]]) == 0
    words = ["--accept", "--why", "w", "--by-whom", "me", "--by", "kind", "--topics", named["T"]]
    assert main(["gate", named["A"], named["Q"], "--baseline", "base.json", *words]) == 0
    assert main(["gate", named["B"], named["Q"], "--baseline", "other.json", *words]) == 0
    capfd.readouterr()
    usual = ["table", "markdown", "latex", "csv", "tsv", "json", "jsonl"]
    with_form = dict.fromkeys(["compare", "diff", "holes", "overlap", "rankings", "reproduce"], usual)
    with_form |= {"score": [*usual, "trec_eval"], "gate": [*usual, "junit"], "check": ["text", "json", "sarif"]}
    ours = re.compile(r"::(error|warning|notice) title=")
    for command in COMMANDS:
        first, *rest = [named.get(word, word) for word in command.split()]
        for form in with_form.get(first, [None]):
            code = main([first, *rest, *([] if form is None else ["--format", form])])
            out, err = capfd.readouterr()
            assert out + err, command
            assert code in range(3) or first == "trec_eval", command
            lines = [line for line in (out + err).split("\n") if not ours.match(line) or "annotate" not in command]
            assert [line for line in lines if is_command(line)] == [], (command, form)
            if form in ("json", "sarif") and out.startswith(("{", "[")) and "annotate" not in command:
                json.loads(out)


@pytest.mark.parametrize(
    ("text", "form", "printed"),
    [
        ("::error::x\n  ::x", "table", "\\::error::x\n  \\::x"),
        ("a ::error::x", "table", "a ::error::x"),
        ("::a,1\nx,##[b]\n", "csv", "'::a,1\nx,##\\[b]\n"),
        ('{"a": "##vso[b]"}', "json", '{"a": "##vso\\u005bb]"}'),
        ("<a>\n::x ##[b]</a>", "junit", "<a>\n&#58;:x ##&#91;b]</a>"),
        ("::a & 1", "latex", "{}::a & 1"),
        ("::error title=x::y ##[z]", "github", "::error title=x::y ##\\[z]"),
    ],
)
def test_c69_each_format_parts_a_command_by_its_own_means(text, form, printed):
    assert harmless(text, form) == printed


# C70: a record makes nothing be read outside the folders that were named


def fused_in(folder, **changes):
    """A run with its record in a folder, and the record changed."""
    Path(folder).mkdir()
    for name in ("a.run", "b.run"):
        shutil.copy(name, folder)
    out = Path(folder) / "f.run"
    assert main(["fuse", f"{folder}/a.run", f"{folder}/b.run", "--out", str(out)]) == 0
    place = Path(f"{out}.provenance.json")
    record = json.loads(place.read_text())
    for key, value in changes.items():
        record[key] = value
    place.write_text(json.dumps(record))
    return out


@pytest.mark.parametrize("way", ["/etc/passwd", "../secret", "../no/such", "link", "linked/secret", "/dev/zero"])
def test_c70_verify_reads_nothing_outside_its_folders_and_tells_nothing_of_it(way, tmp_path, monkeypatch, capsys):
    Path("secret").write_text("1 Q0 the-password 1 1 r\n")
    run = fused_in("theirs")
    for name, to in (("link", "../secret"), ("linked", "..")):
        (Path("theirs") / name).symlink_to(to)
    place = Path("theirs/f.run.provenance.json")
    record = json.loads(place.read_text())
    # The hash is the right one, where there is a file: what is refused does not depend on that.
    record["files"]["runs"][0] = {"path": way, "sha256": sha256_of(Path("secret"))}
    place.write_text(json.dumps(record))
    monkeypatch.chdir("theirs")
    opened = []
    capsys.readouterr()
    monkeypatch.setattr("irkit.recipes.verification.digest", lambda path: opened.append(path) or sha256_of(path))
    assert main(["verify", run.name]) == 1
    out, err = capsys.readouterr()
    rest = f"{way} is outside the folders that may be read; name one that holds it (--root FOLDER)"
    assert (out.splitlines()[:2], err) == (["f.run: DOES NOT HOLD", f"  runs: {rest}"], "")
    assert {Path(os.path.realpath(path)).parent for path in opened} == {tmp_path / "theirs"}


def test_c70_an_encoder_or_a_model_elsewhere_is_not_loaded(capsys):
    run = fused_in("theirs", method="dense", parameters={"encoder": "/no/such", "model": "../../x"})
    assert main(["verify", str(run)]) == 1
    out = capsys.readouterr().out
    assert "encoder: /no/such is outside the folders" in out
    assert "model: ../../x is outside the folders" in out


def test_c70_an_encoder_that_an_index_names_elsewhere_is_not_loaded(monkeypatch, capsys):
    Path("theirs").mkdir()
    index("theirs/ix")
    shutil.copy("a.run", "theirs/f.run")
    Path("theirs/topics").write_text("1\tx\n")
    named = {role: [{"path": name, "sha256": digest(Path("theirs") / name)}] for role, name in _DENSE.items()}
    record = {"method": "dense", "parameters": {}, "files": named, "versions": {}, "details": {}, "notes": []}
    record |= {"format": "irkit provenance 1", "command": [], "run": {"sha256": digest(Path("a.run"))}}
    Path("theirs/f.run.provenance.json").write_text(json.dumps(record))
    read = SimpleNamespace(encoder_name="/elsewhere/model", encoder_options={})
    monkeypatch.setattr("irkit.retrieval.dense.load_index", lambda _: read)
    monkeypatch.setattr("irkit.recipes.inputs.load_encoder", lambda *_, **__: pytest.fail("it was loaded"))
    assert main(["verify", "theirs/f.run"]) == 1
    assert "model /elsewhere/model is outside the folders that may be read" in capsys.readouterr().out


_DENSE = {"index": "ix", "topics": "topics"}


def test_c70_folders_that_are_named_are_read(tmp_path, monkeypatch, capsys):
    Path("data").mkdir()
    for name in ("a.run", "b.run"):
        shutil.copy(name, "data")
    Path("runs").mkdir()
    assert main(["fuse", "data/a.run", "data/b.run", "--out", "runs/f.run"]) == 0
    assert main(["verify", "runs/f.run"]) == 0  # both lie in the working folder
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    run = str(tmp_path / "runs" / "f.run")
    assert main(["verify", run]) == 1
    assert main(["verify", run, "--root", str(tmp_path / "runs")]) == 1
    assert main(["verify", run, "--root", str(tmp_path / "runs"), "--root", str(tmp_path / "data")]) == 0
    assert main(["verify", run, "--root", str(tmp_path / "runs"), "--in", str(tmp_path / "data")]) == 0
    capsys.readouterr()


# C72: a tolerance that is taken away is taken away, or the command says why it cannot be


def test_c72_a_baseline_without_a_tolerance_is_refused_and_the_old_one_stays(capsys):
    accept = "gate a.run qrels --baseline b.json --accept --why w --by-whom me --tolerance"
    assert main([*accept.split(), "none"]) == 2
    assert not Path("b.json").exists()
    assert main([*accept.split(), "0.02"]) == 0
    before = Path("b.json").read_bytes()
    capsys.readouterr()
    assert main([*accept.split(), "none"]) == 2
    assert "tolerance: nothing says by how much nDCG@10, AP, RR, P@10, R@100 may fall" in capsys.readouterr().err
    assert main([*accept.split(), "none", "--tolerance", "RR=0.1"]) == 2
    assert "nothing says by how much nDCG@10, AP, P@10, R@100 may fall" in capsys.readouterr().err
    assert Path("b.json").read_bytes() == before
    assert main([*accept.split(), "none", "--non-inferior", "0.1"]) == 0


def test_c72_a_baseline_is_read_with_the_tolerances_that_it_has_and_no_other(capsys):
    accept = "gate a.run qrels --baseline b.json --accept --why w --by-whom me -m RR -m P@1 --tolerance 0.02"
    assert main(accept.split()) == 0
    words = accept.replace(" -m RR -m P@1 --tolerance 0.02", " --tolerance none --tolerance RR=0.5 --tolerance P@1=0.4")
    assert main(words.split()) == 0
    limits = read_baseline("b.json").limits
    assert [str(one) for one in limits.tolerance] == ["RR=0.5", "P@1=0.4"]
