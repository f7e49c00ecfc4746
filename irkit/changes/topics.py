"""A topic in two runs, and the documents that they return differently for it."""

from dataclasses import dataclass
from typing import Final

from irkit.changes.documents import Change

NOTHING_RETURNED: Final = "nothing returned"  # what reports call a part of the difference that no document made


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that two runs return differently.

    Attributes
    ----------
    id : str
    change : str
        One of `irkit.changes.CHANGES`; see `ChangedDocuments`.
    grade : int, float or None
        None where nobody judged it.
    ranks : tuple of two int or None
        In the first and in the second run, from 1, however deep; None where it was not retrieved.
    contributions : tuple of two float, or None
        To the value of the measure in either run; None where that is not known.
    text : str
        Its first words; empty where they are not known.
    """

    id: str
    change: Change
    grade: float | None
    ranks: tuple[int | None, int | None]
    contributions: tuple[float, float] | None
    text: str = ""

    @property
    def difference(self) -> float | None:
        """Contribution of the document to the difference of the measure, second run minus first."""
        return None if self.contributions is None else self.contributions[1] - self.contributions[0]


@dataclass(frozen=True, slots=True)
class TopicChange:
    """A topic in two runs.

    Attributes
    ----------
    id : str
    values : tuple of (float, float)
        Of each measure in the first and in the second run; nan where another measure than the first leaves it out.
    documents : tuple of DocumentChange
        Those of most influence first.
    group, text : str
        Its group and its query; empty where there is none.
    """

    id: str
    values: tuple[tuple[float, float], ...]
    documents: tuple[DocumentChange, ...]
    group: str = ""
    text: str = ""

    @property
    def difference(self) -> float:
        """Change of the first measure, second run minus first."""
        return self.values[0][1] - self.values[0][0]

    @property
    def by_convention(self) -> float | None:
        """Part of the difference caused by the convention for topics without relevant documents; None if unknown.

        0 but where one run returned nothing for such a topic, and the convention is `abstain`.
        """
        known = [document.difference for document in self.documents]
        if any(one is None for one in known):
            return None
        rest = self.difference - sum(one for one in known if one is not None)
        return rest if abs(rest) > 1e-9 else 0.0

    @property
    def nothing_returned(self) -> tuple[float, float] | None:
        """Contribution of each run to the difference by returning nothing; None if there is none."""
        rest = self.by_convention
        return (max(-rest, 0.0), max(rest, 0.0)) if rest else None

    def n(self, change: Change, *, judged: bool | None = None) -> int:
        """Number of its documents with this kind of change: all, judged or unjudged ones."""
        return sum(
            document.change == change and judged in (None, document.grade is not None) for document in self.documents
        )
