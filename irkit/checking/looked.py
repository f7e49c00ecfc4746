"""A checked file, as the checks across files see it."""

import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irkit._kernel.columns import QrelsColumns, RunSurvey
from irkit.checking.encoding import Content
from irkit.checking.findings import FindingCollector
from irkit.checking.kinds import Kind
from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.files.textio import STDIN
from irkit.ids import to_text


def can_be_read_again(path: str) -> bool:
    """Whether a path is a regular file, not a pipe or a missing file."""
    return path != STDIN and stat.S_ISREG(_mode(path))


def comes_once(path: str) -> bool:
    """Whether a path is there, and is neither a file nor a folder."""
    mode = _mode(path)
    return path == STDIN or (mode != 0 and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def _mode(path: str) -> int:
    """Mode of a path; 0 if it is missing or invalid."""
    try:
        return Path(path).stat().st_mode
    except (OSError, RuntimeError, ValueError):
        return 0


@dataclass(slots=True)
class InspectedFile:
    """A file with its kind, its content and its findings.

    Attributes
    ----------
    path : str
        `-` for standard input.
    kind : Kind
    found : FindingCollector
    content : Content
    topics : list of bytes
        In byte order, each once: those of the lines that can be read.
    survey : RunSurvey or None
        Of a run.
    columns : QrelsColumns or None
        Of qrels without an error.
    unread : set of bytes
        The topics of lines that cannot be read: what is missing of these may stand there.
    documents : set of bytes
        Of a corpus.
    holds : str
        What could be read, in words.
    is_sound : bool
        Whether there is no error in the file by itself, so that it can be read.
    """

    path: str
    kind: Kind
    found: FindingCollector
    content: Content
    topics: list[bytes] = field(default_factory=list)
    survey: RunSurvey | None = None
    columns: QrelsColumns | None = None
    unread: set[bytes] = field(default_factory=set)
    documents: set[bytes] = field(default_factory=set)
    holds: str = ""
    is_sound: bool = False

    @property
    def name(self) -> str:
        """The file as messages call it."""
        return self.found.file

    @property
    def source(self) -> Any:
        """The run as `judge` takes it: read again where it is a file."""
        return self.path if can_be_read_again(self.path) else self.run()

    def run(self) -> Run:
        """The run, which has to be sound."""
        return Run.from_bytes(self.content.data, self.name)

    def qrels(self) -> Qrels:
        """The qrels, which have to be sound."""
        assert self.columns is not None
        topics, starts, documents, grades = self.columns
        return Qrels(tuple(map(to_text, topics)), starts, documents, grades, self.name)
