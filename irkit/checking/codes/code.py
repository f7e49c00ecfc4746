"""The code of a kind of fault, and words that many codes share."""

from dataclasses import dataclass
from typing import Final, Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")

ANY = "any file"
RUNS = "runs"
JUDGMENTS = "qrels and other judgments"
TOPICS = "topics and documents"
TOGETHER = "files against each other"
SUBMISSION = "rules of a submission"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of fault.

    Attributes
    ----------
    name : str
    severity : {"error", "warning", "note"}
        error: irkit refuses the file, or it breaks a rule that was given. warning: it is scored, and probably not as
        was meant, or not by every program alike. note: good to know.
    about : str
        In which files it is found.
    meaning : str
        Options in these texts are placeholders, as `irkit._utils.options.worded` spells them.
    remedy : str
        Begins in lower case, to stand behind `fix:`.
    trec_eval : str
        What trec_eval 9.0.8 and 10.0 do with such a file.
    mended : str
        What a repaired copy has in its place; empty where it stays.
    """

    name: str
    severity: Severity
    about: str
    meaning: str
    remedy: str
    trec_eval: str
    mended: str = ""


# What trec_eval does, where it does the same with many.
SAME: Final = "Both score it."
UNREAD: Final = "Both stop: 'Cannot read ... file', exit 2."
BINARY: Final = "Neither reads it: they take its bytes for lines, and crash (9 as a rule) or stop, exit 2."
MALFORMED: Final = "Both stop: 'Malformed line N', exit 2; N counts only the lines of data before it."
NO_TOPICS: Final = "They read no topics."
NO_DOCUMENTS: Final = "They read no documents."
OTHER_FORM: Final = "Neither reads this form."
OTHERWISE: Final = "Both score it; the rules are the track's."
