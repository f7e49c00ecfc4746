"""Judgments of documents that were sampled, each with a known probability of being in the sample (prels)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import JudgmentLines
from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data.judgments.document_lines import (
    Document,
    DocumentForm,
    checked_documents,
    decimal,
    placed,
    quoted,
    read_documents,
    whole,
)
from irkit.data.judgments.places import PlacedJudgments, topic_of
from irkit.data.qrels import JudgmentKind, Qrels
from irkit.errors import FormatError
from irkit.files.textio import read_bytes, shown
from irkit.ids import to_text

# How a document came to be judged, as the Million Query track has it: chosen by the MTC algorithm, drawn by statAP's,
# or both; 4 is taken for statAP's too.
MTC: Final = 0
BOTH: Final = 2
METHODS: Final = (MTC, 1, BOTH, 4)
LEAST: Final = 1e-100  # so that no sum of 1 / probability leaves the range of a number


class Prel(NamedTuple):
    """The judgment of a document: its grade, how it was chosen, and the probability of being chosen, in (0, 1]."""

    grade: int
    method: int
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class Prels(PlacedJudgments):
    """The sampled documents of T topics, N in all, with grades and inclusion probabilities.

    Attributes
    ----------
    places : Qrels of N documents
        The sample, in which the grade of a document is its place in the columns below.
    grade : int64 array of shape (N,)
    probability : float64 array of shape (N,)
        Of being in the sample, in (0, 1]; 1 for what methods 0 and 2 chose.
    n_dropped : int
        Lines that say nothing of the sample: those of grade -999, of a probability that is NA or not in (0, 1], and
        those of topics for which nothing was drawn (method 0 alone).
    """

    kind: ClassVar[JudgmentKind] = "prels"

    grade: npt.NDArray[np.int64]
    probability: npt.NDArray[np.float64]
    n_dropped: int = 0

    def __post_init__(self) -> None:
        freeze(self, "grade", "probability")

    @classmethod
    def of(cls, source: "PrelsSource") -> "Prels":
        """Read judgments from a file or a mapping; `Prels` are accepted too.

        Parameters
        ----------
        source : path, Prels or mapping
            A path; or `{topic: {document: (grade, method, probability)}}`.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        if isinstance(source, Prels):
            return source
        if isinstance(source, str | os.PathLike):
            return read_prels(source)
        return cls._of(*checked_documents(source, FORM, "judgments"), "judgments")

    @classmethod
    def _of(cls, judgments: Mapping[Document, Prel], n_dropped: int, name: str) -> "Prels":
        drawn = {topic for (topic, _), prel in judgments.items() if prel.method != MTC}
        kept = {key: prel for key, prel in judgments.items() if key[0] in drawn}
        if judgments and not kept:
            raise FormatError(name, "no topic has a document that was drawn: the method is 0 throughout")
        places, said = placed(kept, name)
        return cls(
            places,
            np.array([prel.grade for prel in said], dtype=np.int64),
            np.array([prel.probability for prel in said], dtype=np.float64),
            n_dropped + len(judgments) - len(kept),
        )

    @classmethod
    def _of_lines(cls, lines: JudgmentLines, name: str) -> "Prels | None":
        """None where a line needs `_read`, or no judgment is left."""
        (grade, method), share = lines.wholes, lines.decimals[0]
        counts = (grade != -999) & ~np.isnan(share)
        certain = np.isin(method, (MTC, BOTH))
        wrong = ~np.isin(method, METHODS) | ((share > 0) & (share < LEAST)) | (~certain & (share == 0) & (grade > 0))
        kept = np.flatnonzero(counts & (share >= 0) & (share <= 1) & (certain | (share > 0)))
        if (counts & wrong).any() or (np.diff(lines.document[kept]) == 0).any():
            return None
        topic = topic_of(lines)
        drawn = np.zeros(len(lines.topics), dtype=bool)
        drawn[topic[kept[method[kept] != MTC]]] = True
        kept = kept[drawn[topic[kept]]]
        if not len(kept):
            return None
        starts = np.concatenate([[0], np.cumsum(np.bincount(topic[kept], minlength=len(drawn))[drawn])])
        topics = tuple([to_text(text) for text, is_drawn in zip(lines.topics, drawn.tolist(), strict=True) if is_drawn])
        documents = lines.documents
        if len(kept) < len(documents):
            documents = documents.taken(lines.document[kept])
        places = Qrels(topics, starts, documents, np.arange(len(kept)), name)
        probability = np.where(certain, 1.0, share)[kept]
        return cls(places, grade[kept], probability, len(grade) - len(kept))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes to print above results based on these judgments."""
        dropped = counted(self.n_dropped, "line")
        return (f"{dropped} of {self.name} passed over, not part of the sample",) if self.n_dropped else ()

    def to_dict(self) -> dict[str, dict[str, tuple[int, float]]]:
        """Convert to `{topic: {document: (grade, probability)}}`."""
        return {
            topic: {
                document: (int(self.grade[place]), float(self.probability[place]))
                for document, place in zip(documents, places, strict=True)
            }
            for topic, documents, places in self.places.by_topic()
        }

    def _lines(self) -> Iterator[bytes]:
        """Lines of method 1: which method chose a document is not kept, and its probability says all that counts."""
        return self._lines_of(
            lambda topic, document, place: (
                b"%s %s %d 1 %s\n" % (topic, document, self.grade[place], repr(float(self.probability[place])).encode())
            )
        )


PrelsSource: TypeAlias = "str | os.PathLike[str] | Prels | Mapping[str, Mapping[str, Any]]"


def read_prels(path: str | os.PathLike[str]) -> Prels:
    """Read judgments sampled with known probabilities: lines `topic document grade method inclusion-probability`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input. The method is 0 (chosen by MTC), 1 or 4 (drawn by statAP's
        sampling) or 2 (both). Passed over, and counted in `n_dropped`, are lines of grade -999, or whose probability
        is NA or not in (0, 1], and topics that have method 0 only. What methods 0 and 2 chose has probability 1.

    Returns
    -------
    Prels

    Raises
    ------
    FormatError
        With file, line, what was found and the form that was expected; also where a relevant document has probability
        0, with which it cannot be in the sample, and where no judgment is left.

    References
    ----------
    statAP_MQ_eval_v3.pl (Pavlu), without its option -f.
    """
    place, data = shown(path), read_bytes(path)
    lines = _kernel.judgment_lines(data, "tdnnf")
    if lines is not None and (prels := Prels._of_lines(lines, place)) is not None:
        return prels
    return Prels._of(*read_documents(data, place, FORM), place)


def _read(texts: Sequence[str]) -> Prel | None:
    grade, method, probability = texts
    if (judged := whole(grade, "grade")) == -999 or probability == "NA":
        return None
    if (chosen := whole(method, "method")) not in METHODS:
        raise ValueError(f"the method {quoted(method)} is none of {', '.join(map(str, METHODS))}")
    share = decimal(probability, "inclusion-probability")
    if 0.0 < share < LEAST:
        raise ValueError(f"the inclusion-probability {quoted(probability)} is below {LEAST:g}")
    if not 0.0 <= share <= 1.0:
        return None
    if chosen in (MTC, BOTH):
        return Prel(judged, chosen, 1.0)
    if share == 0.0 and judged > 0:
        raise ValueError("a relevant document of inclusion-probability 0 cannot have been drawn")
    return Prel(judged, chosen, share) if share > 0.0 else None


FORM: Final = DocumentForm(
    "judgments sampled with known probabilities",
    "topic document grade method inclusion-probability",
    ("grade", "method", "inclusion-probability"),
    _read,
)
