"""The kinds of files that a check distinguishes."""

from typing import Final, Literal

Kind = Literal["run", "qrels", "subtopics", "strata", "prels", "prefs", "topics", "documents", "unknown"]
JUDGMENT_KINDS: Final = ("qrels", "subtopics", "strata", "prels", "prefs")
CALLED: Final[dict[Kind, str]] = {
    "run": "run",
    "qrels": "qrels",
    "subtopics": "qrels by subtopic or group",
    "strata": "judgments sampled by stratum",
    "prels": "judgments sampled with known probabilities",
    "prefs": "preferences",
    "topics": "topics",
    "documents": "documents",
    "unknown": "of no known kind",
}
