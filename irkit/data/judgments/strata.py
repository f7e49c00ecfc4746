"""Judgments sampled by stratum: the pool is divided into strata, and a sample of each is judged."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import JudgmentLines
from irkit._utils.arrays import freeze
from irkit.data.judgments.document_lines import Document, DocumentForm, checked_documents, placed, read_documents, whole
from irkit.data.judgments.places import PlacedJudgments, names_by_topic
from irkit.data.qrels import JudgmentKind, Qrels
from irkit.files.textio import read_bytes, shown, trec_field
from irkit.ids import to_bytes, to_text


@dataclass(frozen=True, slots=True, eq=False)
class Strata(PlacedJudgments):
    """The pooled documents of T topics, N in all: the stratum of each, and the grade of those that were sampled.

    Attributes
    ----------
    places : Qrels of N documents
        The pool, in which the grade of a document is its place in the columns below.
    stratum : int64 array of shape (N,)
        Place in `names` of each document's stratum.
    grade : int64 array of shape (N,)
        Negative: in the pool and not sampled.
    names : tuple of C (str, str)
        Topic and name of every stratum, in byte order. Those of different topics have nothing to do with each other.
    """

    kind: ClassVar[JudgmentKind] = "strata"

    stratum: npt.NDArray[np.int64]
    grade: npt.NDArray[np.int64]
    names: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        freeze(self, "stratum", "grade")

    @classmethod
    def of(cls, source: "StrataSource") -> "Strata":
        """Read judgments from a file or a mapping; `Strata` are accepted too.

        Parameters
        ----------
        source : path, Strata or mapping
            A path; or `{topic: {document: (stratum, grade)}}`.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        if isinstance(source, Strata):
            return source
        if isinstance(source, str | os.PathLike):
            return read_strata(source)
        judgments, _ = checked_documents(source, FORM, "judgments")
        return cls._of(judgments, "judgments")

    @classmethod
    def _of(cls, judgments: Mapping[Document, tuple[str, int]], name: str) -> "Strata":
        places, said = placed(judgments, name)
        strata = [(topic, stratum) for (topic, _), (stratum, _) in zip(sorted(judgments), said, strict=True)]
        names = sorted(set(strata), key=lambda key: (key[0], to_bytes(key[1])))
        place = {stratum: index for index, stratum in enumerate(names)}
        return cls(
            places,
            np.array([place[stratum] for stratum in strata], dtype=np.int64),
            np.array([grade for _, grade in said], dtype=np.int64),
            tuple((to_text(topic), stratum) for topic, stratum in names),
        )

    @classmethod
    def _of_lines(cls, lines: JudgmentLines, name: str) -> "Strata":
        topics = tuple(map(to_text, lines.topics))
        topic, stratum, place = names_by_topic(lines)
        texts = list(map(to_text, lines.names))
        names = tuple(
            [(topics[at], texts[number]) for at, number in zip(topic.tolist(), stratum.tolist(), strict=True)]
        )
        places = Qrels(topics, lines.starts, lines.documents, np.arange(len(place)), name)
        return cls(places, place, lines.wholes[0], names)

    def to_dict(self) -> dict[str, dict[str, tuple[str, int]]]:
        """Convert to `{topic: {document: (stratum, grade)}}`."""
        return {
            topic: {
                document: (self.names[self.stratum[place]][1], int(self.grade[place]))
                for document, place in zip(documents, places, strict=True)
            }
            for topic, documents, places in self.places.by_topic()
        }

    def _lines(self) -> Iterator[bytes]:
        def line(topic: bytes, document: bytes, place: int) -> bytes:
            stratum = trec_field(to_bytes(self.names[self.stratum[place]][1]), "stratum", self.name)
            return b"%s 0 %s %s %d\n" % (topic, document, stratum, self.grade[place])

        return self._lines_of(line)


StrataSource: TypeAlias = "str | os.PathLike[str] | Strata | Mapping[str, Mapping[str, Any]]"


def read_strata(path: str | os.PathLike[str]) -> Strata:
    """Read judgments sampled by stratum: lines `topic 0 document stratum grade`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input. A negative grade stands for a document that was pooled and
        not sampled; the second field is passed over.

    Returns
    -------
    Strata

    Raises
    ------
    FormatError
        With file, line, what was found and the form that was expected; also where the file holds no judgment.

    References
    ----------
    sample_eval.pl (NIST).
    """
    place, data = shown(path), read_bytes(path)
    lines = _kernel.judgment_lines(data, "t-din")
    if lines is not None and 0 < len(lines.documents) == len(lines.document):
        return Strata._of_lines(lines, place)
    judgments, _ = read_documents(data, place, FORM)
    return Strata._of(judgments, place)


def _read(texts: Sequence[str]) -> tuple[str, int]:
    stratum, grade = texts
    return stratum, whole(grade, "grade")


FORM: Final = DocumentForm(
    "judgments sampled by stratum", "topic 0 document stratum grade", ("stratum", "grade"), _read
)
