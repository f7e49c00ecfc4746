"""Match tags against a regular expression of the user's, in a limited time."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from irkit.errors import UsageError

SECONDS: Final = 5.0
# Python cannot stop a match that takes ages, but another process can be stopped.
_PROGRAM: Final = (
    "import json, re, sys; pattern, texts = json.load(sys.stdin); "
    "json.dump([bool(re.fullmatch(pattern, text)) for text in texts], sys.stdout)"
)


def matching(pattern: str, texts: Sequence[str]) -> list[bool]:
    """Whether each text matches the pattern as a whole."""
    if not texts:
        return []
    if not sys.executable:  # Python inside another program
        return [re.fullmatch(pattern, text) is not None for text in texts]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=json.dumps([pattern, list(texts)]),
            capture_output=True,
            encoding="ascii",
            timeout=SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"tag-pattern {pattern!r} takes longer than {SECONDS:g} s to match; write it without a repeat inside a "
            "repeat, such as [a-z]+ in place of ([a-z]+)+"
        ) from None
    except subprocess.CalledProcessError as problem:
        raise UsageError(
            f"tag-pattern {pattern!r} cannot be matched: {problem.stderr.strip().splitlines()[-1:]}"
        ) from None
    found: list[bool] = json.loads(done.stdout)
    return found
