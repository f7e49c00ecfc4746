"""What a piece of code makes Python import."""

import subprocess
import sys


def modules_after(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split("\n"))
