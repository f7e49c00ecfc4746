"""The report of a conversion: what it read, kept and dropped, and why."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from irkit._utils.text import counted

N_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Note:
    """A note for the readers of a converted collection.

    Attributes
    ----------
    what : str
    count : int or None
        How many there are, where they are counted.
    examples : tuple of str
        The first of them.
    """

    what: str
    count: int | None = None
    examples: tuple[str, ...] = ()

    @classmethod
    def of(cls, what: str, found: Iterable[str]) -> "Note":
        """Make a note with the number of items found and the first examples."""
        everything = list(found)
        return cls(what, len(everything), tuple(everything[:N_EXAMPLES]))

    def __str__(self) -> str:
        text = self.what if self.count is None else f"{self.what}: {self.count}"
        if not self.examples:
            return text
        more = ", ..." if self.count is not None and self.count > len(self.examples) else ""
        return f"{text} ({', '.join(self.examples)}{more})"


@dataclass(frozen=True, slots=True)
class ConversionReport:
    """Result of a conversion.

    Attributes
    ----------
    name : str
        What the collection is called in the names of the files.
    format : str
        The layout that was found, or asked for.
    sources : tuple of str
        The files read.
    written : tuple of Path
        The files written, or found as they should be.
    n_documents, n_topics, n_judgments : int
        How many were kept.
    notes : tuple of Note
        What was chosen, changed, dropped or looks odd.
    changed : tuple of Path
        Of the files written, those that were not there just so before.
    """

    name: str
    format: str
    sources: tuple[str, ...]
    written: tuple[Path, ...]
    n_documents: int
    n_topics: int
    n_judgments: int
    notes: tuple[Note, ...]
    changed: tuple[Path, ...] = field(default=(), compare=False)

    def lines(self) -> list[str]:
        """Format the report as lines of text."""
        counts = ", ".join(
            counted(n, thing)
            for n, thing in ((self.n_documents, "document"), (self.n_topics, "topic"), (self.n_judgments, "judgment"))
        )
        return [
            f"{self.name} ({self.format}): {counts}",
            *(f"  read {source}" for source in self.sources),
            *(f"  {note}" for note in self.notes),
            *(f"  wrote {path}" for path in self.written),
        ]
