"""A file that was looked at, as the other files see it."""

import pathlib
from dataclasses import dataclass, field
from typing import Any

from irkit._kernel.columns import QrelsColumns, RunSurvey
from irkit.checking.content import Content
from irkit.checking.findings import Found
from irkit.checking.kinds import Kind
from irkit.ids import to_text
from irkit.qrels import Qrels
from irkit.runs import Run
from irkit.textio import STDIN


def can_be_read_again(path: str) -> bool:
    """Whether a path names a file, and not what comes once, as a pipe does, or nothing."""
    return path != STDIN and pathlib.Path(path).is_file()


@dataclass(slots=True)
class Looked:
    """A file, what it is, and what was found in it.

    Attributes
    ----------
    path : str
        `-` for standard input.
    kind : Kind
    found : Found
    content : Content
    topics : list of bytes
        In byte order, each once: those of the lines that can be read.
    survey : RunSurvey or None
        Of a run.
    columns : QrelsColumns or None
        Of qrels without an error.
    documents : set of bytes
        Of a corpus.
    holds : str
        What could be read, in words.
    is_sound : bool
        Whether there is no error in the file by itself, so that it can be read.
    """

    path: str
    kind: Kind
    found: Found
    content: Content
    topics: list[bytes] = field(default_factory=list)
    survey: RunSurvey | None = None
    columns: QrelsColumns | None = None
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
