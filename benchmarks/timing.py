"""Each contender in a process of its own, by turns, so that whatever else the machine does hits all alike."""

import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.values import agree
from benchmarks.works import Command, Contender, Work

ROOT = Path(__file__).resolve().parents[1]
# A table is as wide as it needs to be, and every program's modules are compiled once and kept.
_UNSET = ("COLUMNS", "PYTHONDONTWRITEBYTECODE")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _UNSET} | {"PYTHONUTF8": "1"}
LAUNCH = (sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")))
Teller = Callable[[str], None]


@dataclass(slots=True)
class Timed:
    """A contender with what was found.

    Attributes
    ----------
    seconds : list of float
        From the start of the process to its end, or what it printed itself.
    megabytes : list of float
        The most memory that it held, in units of 10**6 bytes.
    agrees : bool, optional
        Whether its values are those wanted; None where it has none.
    problem : str
        Why there are no times.
    """

    contender: Contender
    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    agrees: bool | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended."""

    status: int
    seconds: float
    megabytes: float
    output: str
    complaint: str


def time_work(work: Work, repeat: int, repeat_slow: int, slow: float, tell: Teller) -> list[Timed]:
    """Time all who take part in a work.

    Every one runs once untimed: its values are compared, and its files are in the memory of the system from then on.

    Parameters
    ----------
    work : Work
    repeat, repeat_slow : int
        How often each runs, and how often those do that took more than `slow` seconds.
    slow : float
    tell : callable
        Takes a line on what is being done.
    """
    wanted = None
    if work.wanted is not None:
        tell(f"{work.name}: what {work.wanted.program.name} finds")
        wanted = _checked(work.wanted)
    found = [_tried(contender, wanted, tell, work.name) for contender in work.contenders]
    for turn in range(1, repeat + 1):
        for timed in found:
            least = repeat_slow if timed.seconds and statistics.median(timed.seconds) > slow else repeat
            if not timed.problem and turn <= least:
                tell(f"{work.name} {turn}/{repeat}: {timed.contender.command.program.name}")
                _measure(timed)
    return found


def _tried(contender: Contender, wanted: list[tuple[float, ...]] | None, tell: Teller, work: str) -> Timed:
    """The contender after its untimed run."""
    timed = Timed(contender, problem=contender.command.program.absent)
    if timed.problem:
        return timed
    tell(f"{work}: what {contender.command.program.name} finds")
    ended = run(contender)
    if ended.status:
        complaint = (ended.complaint.strip().splitlines() or ["it says nothing"])[-1]
        print(f"{contender.command.program.name} ended with status {ended.status}: {complaint}", file=sys.stderr)
        timed.problem = f"ended with status {ended.status}"
        return timed
    if contender.check is not None:
        found = _checked(contender.check)
    elif contender.command.reads is not None:
        found = contender.command.reads(ended.output)
    else:
        return timed
    timed.agrees = None if wanted is None else agree(found, wanted)
    return timed


def _checked(command: Command) -> list[tuple[float, ...]]:
    assert command.reads is not None, "a command that shows what is right has values"
    return command.reads(run(Contender(command)).output)


def _measure(timed: Timed) -> None:
    ended = run(timed.contender)
    if ended.status:
        timed.problem = f"ended with status {ended.status}"
        return
    seconds = ended.seconds
    if timed.contender.times_itself:
        (seconds,) = map(float, re.findall(r"^seconds (\S+)$", ended.output, re.M))
    timed.seconds.append(seconds)
    timed.megabytes.append(ended.megabytes)


def run(contender: Contender) -> Ended:
    """Start a contender, and wait for its end."""
    if contender.target is not None:
        contender.target.unlink(missing_ok=True)
        os.sync()  # what another one wrote goes to the disk now, and not in this one's time
    command = contender.command
    with TemporaryDirectory() as folder:
        report = Path(folder, "report")
        done = subprocess.run(
            [*LAUNCH, str(report), *command.line],
            cwd=ROOT,
            env=ENVIRONMENT | command.program.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            return Ended(done.returncode, 0.0, 0.0, done.stdout, done.stderr)
        status, seconds, n_bytes = report.read_text("ascii").split()
    return Ended(int(status), float(seconds), int(n_bytes) / 1e6, done.stdout, done.stderr)
