"""The programs that are timed: where they are, and which version."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.shapes import BUILD

HERE = Path(__file__).parent
TREC_EVAL = "TREC_EVAL"


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or the reason why there is none.

    Attributes
    ----------
    name, version : str
        As tables show them.
    start : tuple of str
        The words that its commands begin with.
    env : dict
        What is added to the environment.
    absent : str
        Why it cannot be had; empty where it can.
    """

    name: str
    version: str = ""
    start: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    absent: str = ""


def irkit(kernel: str) -> Program:
    """The command `irkit`, with the kernel that is named."""
    name = "irkit" if kernel == "compiled" else "irkit (NumPy)"
    start, env = (str(Path(sys.executable).with_name("irkit")),), {"IRKIT_KERNEL": kernel}
    said = _said([*start, "--version"], env)
    found = re.search(r"irkit (\S+)", said)
    return Program(name, found[1], start, env) if found else Program(name, absent="its kernel is not built")


def irkit_library(kernel: str) -> Program:
    """The library of irkit, as Python calls it."""
    program = irkit(kernel)
    return Program(program.name, program.version, _peer_start("irkit"), program.env, program.absent)


def peer(distribution: str, name: str | None = None) -> Program:
    """A library of Python, called by `benchmarks.peers`."""
    try:
        return Program(name or distribution, version(distribution), _peer_start(distribution))
    except PackageNotFoundError:
        return Program(name or distribution, absent="not installed")


def _peer_start(distribution: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "benchmarks.peers", distribution)


def pyserini_fusion() -> Program:
    """Pyserini's command for fusing runs, which starts no Java."""
    name = "pyserini.fusion"
    try:
        return Program(name, version("pyserini"), (sys.executable, "-m", name))
    except PackageNotFoundError:
        return Program(name, absent="not installed")


def numpy_alone() -> Program:
    """What Python and NumPy take to start."""
    return Program("import numpy", version("numpy"), (sys.executable, "-c", "import numpy"))


def trec_evals() -> list[Program]:
    """The trec_eval that Pyserini carries, and those that TREC_EVAL names: `PATH` or `NAME=PATH`, colons between."""
    programs = [_carried_trec_eval()]
    for number, word in enumerate(filter(None, os.environ.get(TREC_EVAL, "").split(":")), 1):
        name, _, path = word.rpartition("=")
        found = _trec_eval_version(Path(path))
        title = f"trec_eval ({name or f'build {number}'})"
        programs.append(Program(title, found, (path,)) if found else Program(title, absent="does not start"))
    return programs


def _carried_trec_eval() -> Program:
    system = {("Linux", "x86_64"): "linux-amd64", ("Darwin", "arm64"): "macosx-aarch64"}
    suffix = system.get((platform.system(), platform.machine()))
    found = importlib.util.find_spec("pyserini")
    if found is None or found.origin is None or suffix is None:
        return Program("trec_eval", absent="Pyserini, whose jar carries it, is not installed or not for this system")
    target = BUILD / "trec_eval"
    for jar in (Path(found.origin).parent / "resources" / "jars").glob("anserini-*-fatjar.jar"):
        with zipfile.ZipFile(jar) as content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read(f"trec_eval/trec_eval-{suffix}"))
            target.chmod(0o755)
    number = _trec_eval_version(target)
    return Program("trec_eval", number, (str(target),)) if number else Program("trec_eval", absent="does not start")


def _trec_eval_version(path: Path) -> str:
    found = re.search(r"version (\S+)", _said([str(path), "--version"]))
    return found[1] if found else ""


def bare(n_threads: int) -> Program:
    """The bare program in C, which only parses and looks up."""
    name = f"bare C, {n_threads} thread{'s' if n_threads > 1 else ''}"
    compiler = shutil.which("cc")
    if compiler is None:
        return Program(name, absent="there is no C compiler")
    BUILD.mkdir(parents=True, exist_ok=True)
    target = BUILD / "bare"
    subprocess.run([compiler, "-O2", "-pthread", str(HERE / "bare.c"), "-o", str(target)], check=True)
    return Program(name, "-O2", (str(target),))


def shell(name: str, script: str, *programs: Program) -> Program:
    """A line of shell that uses programs: `$1` and so on are the words of `programs`, then those of the command."""
    missing = [program.absent for program in programs if program.absent]
    if missing:
        return Program(name, absent=missing[0])
    words = tuple(word for program in programs for word in program.start)
    return Program(name, " ".join(program.version for program in programs), ("sh", "-ec", script, "sh", *words))


def _said(command: list[str], env: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout + done.stderr if done.returncode == 0 else ""
