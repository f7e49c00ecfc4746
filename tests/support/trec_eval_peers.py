"""Thousands of random command lines: what `irkit trec_eval` prints, held against other programs.

`TREC_EVAL=/path/to/trec_eval python tests/support/trec_eval_peers.py [FIRST [LAST]]` tries the cases of these seeds (0
to 3000); several programs stand with a colon between them. Each says its version by `-v`, which decides the rules.
What differs on purpose is left out, by the rules and reasons below. Exit code 1 where anything else differs.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from trec_eval_cases import FORMATS, Case, case

from irkit.trec_eval import main as irkit
from irkit.trec_eval.options import Options, parse

DIFFERS = "differ"


class Facts(NamedTuple):
    """What decides whether a difference is known."""

    version: str
    options: Options
    judged: frozenset[bytes]
    retrieved: frozenset[bytes]
    twice: bool

    @property
    def missing(self) -> bool:
        """Whether a judged topic is not in the run."""
        return not self.judged <= self.retrieved


# Lines that are left out on both sides: the reason, and which (name, topic, value).
LINES: dict[str, Callable[[Facts, list[str]], bool]] = {
    "rbp depends on variables that trec_eval never sets": lambda _, line: line[0] == "rbp" or line[0][:6] == "rbp_p=",
    "not a number is no answer: 0 is, where nothing is left to look at": lambda _, line: (
        line[0].startswith(("iprec_at_recall", "11pt_avg")) and line[-1] in ("nan", "-nan")
    ),
    "num_rel of all topics is the sum of the topics' lines, with -l too": lambda facts, line: (
        line[:2] == ["num_rel", "all"] and facts.options.complete and facts.options.level != 1
    ),
    "topics that -D leaves out have no relevant documents, with -c too": lambda facts, line: (
        facts.options.complete and facts.options.topic is not None and line[0] == "num_rel"
    ),
    "a topic that the run lacks has the value of an empty ranking": lambda facts, line: (
        facts.version == "10"
        and facts.options.complete
        and facts.missing
        and line[0].startswith(("yaap", "rbp_resid_", "relstring_", "utility_"))
    ),
}
# Cases that are left out: the reason, and which.
CASES: dict[str, Callable[[Facts], bool]] = {
    "a judged topic that the run lacks stops trec_eval 10 without -c": lambda facts: (
        facts.version == "10" and facts.missing and not facts.options.complete
    ),
}


def version_of(program: str) -> str:
    """`9` or `10`."""
    said = subprocess.run([program, "-v"], capture_output=True, text=True, check=False)
    return "10" if "version 10" in said.stdout + said.stderr else "9"


def facts_of(one: Case, version: str) -> Facts:
    """What decides whether a difference is known."""
    options = parse(one.words)
    qrels, run = (
        [line.split() for line in text.split(b"\n") if line.split() and not line.startswith(b"#")]
        for text in (one.qrels, one.run)
    )
    # What has to be different in each line: topic and document, and in other forms than qrels the groups.
    retrieved = [(line[0], line[2]) for line in run if len(line) > 2]
    judged = [(line[0], *(line[1:-2] if options.form != "qrels" else ()), line[-2]) for line in qrels if len(line) > 3]
    return Facts(
        version,
        options,
        frozenset(line[0] for line in qrels),
        frozenset(line[0] for line in run),
        any(len(set(keys)) < len(keys) for keys in (retrieved, judged)),
    )


def ours(words: list[str], version: str) -> tuple[int, str, str]:
    """Exit code, output and messages of irkit."""
    output, messages = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with redirect_stdout(output), redirect_stderr(messages):
        try:
            code = irkit([*(["--rules", "trec_eval-9"] if version == "9" else []), *words])
        except Exception as problem:
            return -1, "", repr(problem)
    output.flush()
    return code, output.buffer.getvalue().decode(), messages.getvalue()


def compared(program: str, version: str, one: Case, folder: Path) -> tuple[str, list[str]]:
    """How a case went, in a word or by the reason why it is left out, and what differs."""
    facts = facts_of(one, version)
    for reason, known in CASES.items():
        if known(facts):
            return reason, []
    (folder / "qrels").write_bytes(one.qrels)
    (folder / "run").write_bytes(one.run)
    words = [str(folder / word) if word in ("qrels", "run") else word for word in one.words]
    shown = subprocess.run([program, *words], capture_output=True, check=False)
    if shown.returncode < 0:
        return "a crash has no right answer", []
    code, output, messages = ours(words, version)
    if facts.twice and code > 0:
        return "refused here, wherever a document stands twice", []
    if shown.returncode and code > 0:  # where two things are wrong, either may be found first
        return "refused by both" if shown.returncode == code else "refused by both, with other exit codes", []
    if shown.returncode != code:
        return DIFFERS, [f"exit {shown.returncode} {shown.stderr.decode()!r}, here {code} {messages!r}"]
    everything = shown.stdout.decode().splitlines()
    expected, found = (_left(facts, lines, everything) for lines in (everything, output.splitlines()))
    if expected == found:
        return "agree", []
    lost, more = ([line for line in one if line not in other] for one, other in ((expected, found), (found, expected)))
    return DIFFERS, [*(f"there {line!r}" for line in lost), *(f"here {line!r}" for line in more)] or ["order of lines"]


def _left(facts: Facts, lines: list[str], expected: list[str]) -> list[str]:
    """The lines that have to agree; a known difference is judged by the line of the peer."""
    known = {
        tuple(line.split("\t")[:2])
        for line in expected
        if any(rule(facts, [field.strip() for field in line.split("\t")]) for rule in LINES.values())
    }
    return [line for line in lines if tuple(line.split("\t")[:2]) not in known]


def main() -> int:
    """Report the differences of a span of seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?", default=3000)
    parser.add_argument("--form", choices=FORMATS, help="of the judgments; any if not given")
    options = parser.parse_args()
    programs = [program for program in os.environ.get("TREC_EVAL", "").split(os.pathsep) if program]
    if not programs:
        parser.error("TREC_EVAL names no program")
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            version = version_of(program)
            for seed in range(options.first, options.last):
                one = case(seed, version, options.form)
                outcome, found = compared(program, version, one, Path(folder))
                outcomes[outcome] += 1
                if found:
                    print(f"{seed}: {' '.join(one.words)}", *found[:5], sep="\n    ")
            print(f"{program}, rules trec_eval-{version}:")
    for outcome, count in outcomes.most_common():
        print(f"{count:7} {outcome}")
    return int(outcomes[DIFFERS] > 0)


if __name__ == "__main__":
    sys.exit(main())
