"""Start a command and wait for it: `python -I -S launch.py REPORT COMMAND ...`.

The report is its exit status, its seconds, and the most memory that it held. Linux counts the memory of the process
that starts a program as that program's too; so this one loads nothing, not even pathlib, and stays below 10 MB.
"""

import os
import sys
import time


def main(report: str, *command: str) -> None:
    """Write the report."""
    start = time.perf_counter()
    try:
        process = os.posix_spawnp(command[0], command, os.environ)
    except OSError as problem:
        sys.exit(f"{command[0]}: {problem.strerror}")
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    # Linux counts in KiB, macOS in bytes.
    n_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    with open(report, "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(f"{os.waitstatus_to_exitcode(status)} {seconds:.6f} {n_bytes}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
