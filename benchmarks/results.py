"""What was measured, as it is kept in `results.json`: plain values, no paths and no names of machines."""

import json
import os
import platform
import statistics
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.timing import Timed
from benchmarks.works import Work

RESULTS = Path(__file__).with_name("results.json")
Results = dict[str, dict[str, Any]]  # work: what was measured


def read(path: Path = RESULTS) -> Results:
    """What was measured before, nothing if there is no file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write(results: Results, path: Path = RESULTS) -> None:
    """Keep it."""
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


def of(work: Work, timed: list[Timed], repeat: int) -> dict[str, Any]:
    """All that is kept of a work: what it was, where it was done, and each contender."""
    ours = statistics.median(timed[0].seconds) if timed[0].seconds else None
    shape = work.shape
    return {
        "title": work.title,
        "lines": shape.n_runs * shape.n_topics * shape.depth,
        "megabytes": round(sum(run.stat().st_size for run in shape.runs) / 1e6, 4),
        "repeat": repeat,
        "date": date.today().isoformat(),
        "machine": machine(),
        "contenders": [_contender(each, ours) for each in timed],
    }


def _contender(timed: Timed, ours: float | None) -> dict[str, Any]:
    program = timed.contender.command.program
    kept: dict[str, Any] = {"name": program.name, "version": program.version}
    if timed.problem:
        return kept | {"problem": timed.problem}
    median = statistics.median(timed.seconds)
    return kept | {
        "seconds": [round(seconds, 4) for seconds in timed.seconds],
        "median": round(median, 4),
        "min": round(min(timed.seconds), 4),
        "max": round(max(timed.seconds), 4),
        "ratio": round(median / ours, 2) if ours else None,
        "megabytes": round(max(timed.megabytes), 1),
        "agrees": timed.agrees,
    }


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    """The processor as Linux calls it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text("utf-8").splitlines() if listed.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
