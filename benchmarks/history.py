"""The history of `make bench`: a line of `history.jsonl` for each work that was timed, and whether irkit became slower.

Times of different days and machines cannot be compared. How many times irkit's time another program takes, in the same
run, can: it is compared with the median of the runs before.
"""

import json
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HISTORY = Path(__file__).with_name("history.jsonl")
# How much a ratio may fall: medians of five runs on two shared cores differ by a tenth.
THRESHOLD = 0.2
N_BEFORE = 5


def read(path: Path = HISTORY) -> list[dict[str, Any]]:
    """Every line, oldest first; none if there is no file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def append(name: str, result: dict[str, Any], path: Path = HISTORY) -> None:
    """Add what was measured of a work, if irkit itself could be timed."""
    ours, *others = result["contenders"]
    if "problem" in ours:
        return
    line = {
        "work": name,
        "date": result["date"],
        "version": ours["version"],
        "machine": result["machine"],
        "seconds": ours["median"],
        "megabytes": ours["megabytes"],
        "ratios": {
            other["name"]: other["ratio"]
            for other in others
            if other.get("ratio") and not other["name"].startswith("irkit")
        },
    }
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def slower(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A sentence for each work whose newest ratio to every program is below the threshold."""
    for work in dict.fromkeys(line["work"] for line in lines):
        *before, newest = [line for line in lines if line["work"] == work]
        falls = [
            1 - ratio / statistics.median(earlier)
            for program, ratio in newest["ratios"].items()
            if (earlier := [line["ratios"][program] for line in before[-N_BEFORE:] if program in line["ratios"]])
        ]
        if falls and min(falls) > THRESHOLD:
            yield f"{work}: irkit takes {1 / (1 - min(falls)):.2f} times as long as before, beside every other program"
