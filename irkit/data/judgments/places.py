"""Judgments that say more of a document than a whole grade: each document has a place, and the rest stands there."""

from dataclasses import dataclass

from irkit.data.qrels import Qrels


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJudgments:
    """Judgments of T topics, N documents in all, of which a kind says more by their places.

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
        """What to call the judgments in messages."""
        return self.places.name

    def __len__(self) -> int:
        return len(self.places)

    def pools(self) -> dict[str, set[str]]:
        """The documents of each topic, judged or only pooled."""
        return self.places.pools()
