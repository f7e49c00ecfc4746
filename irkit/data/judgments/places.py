"""Judgments with more than a whole grade: each document has a place in arrays with its other values."""

from dataclasses import dataclass

from irkit.data.qrels import Qrels


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJudgments:
    """Judgments of T topics, N documents in all; a subclass has arrays with other values, indexed by place.

    Attributes
    ----------
    places : Qrels of N documents
        Each judged document of each topic once; its grade is its place.
    """

    places: Qrels

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in byte order."""
        return self.places.topics

    @property
    def name(self) -> str:
        """Name of the judgments in messages."""
        return self.places.name

    def __len__(self) -> int:
        return len(self.places)

    def pools(self) -> dict[str, set[str]]:
        """Return the documents of each topic, judged or only pooled."""
        return self.places.pools()
