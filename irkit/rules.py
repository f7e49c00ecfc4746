"""Rules and conventions of an evaluation; only results with the same ones are comparable."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from irkit.errors import UsageError

AverageOver = Literal["judged", "intersection", "topics"]
NoRelevant = Literal["zero", "one", "skip", "abstain"]
Ties = Literal["docid", "file", "worst", "best", "expected"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The version of trec_eval that a result follows where versions differ.

    Attributes
    ----------
    name : str
        `trec_eval-10` or `trec_eval-9`.
    float32_scores : bool
        Scores are compared as 32-bit floats, so scores that differ only beyond 24 bits tie.
    truncated_recall : bool
        A level of recall stands for trunc(recall * relevant + 0.9) documents, instead of the nearest whole number.

    References
    ----------
    trec_eval 10.0 (`trec_format.h` holds scores as double; m_iprec_at_recall.c rounds) and 9.0.8.
    """

    name: str
    float32_scores: bool
    truncated_recall: bool

    def __str__(self) -> str:
        return self.name


TREC_EVAL_10: Final = Rules("trec_eval-10", float32_scores=False, truncated_recall=False)
TREC_EVAL_9: Final = Rules("trec_eval-9", float32_scores=True, truncated_recall=True)
RULES: Final = {rules.name: rules for rules in (TREC_EVAL_10, TREC_EVAL_9)}


def rules_named(name: str | Rules) -> Rules:
    """Return the rules with this name.

    Raises
    ------
    UsageError
        If the name is unknown.
    """
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str) or name not in RULES:
        raise UsageError(f"unknown rules {name!r}; there are {' and '.join(RULES)}")
    return RULES[name]


@dataclass(frozen=True, slots=True)
class Conventions:
    """The user's choices about topics; printed with every result.

    Attributes
    ----------
    average : {"judged", "intersection", "topics"}
        The topics averaged: all topics of the qrels, where one missing from the run counts as an empty ranking; only
        those that are in the run too; or those of a topics file that are judged.
    no_relevant : {"zero", "one", "skip", "abstain"}
        Value of a topic without relevant documents in measures that are shares of the possible (nDCG, AP, recall and
        similar ones). zero: 0. one: 1. abstain: 1 if the run returned nothing, else 0. Measures without this
        denominator (RR, P, success, ERR) keep their own value, which is 0.
        skip: the topic leaves the average of every measure; counts (NumQ, NumRet and similar ones) still include it.
    ties : {"docid", "file", "worst", "best", "expected"}
        Order of documents of a topic with equal scores. docid: by document id, descending in bytes, as in trec_eval.
        file: as in the file. worst: better documents last. best: better documents first. expected: the mean value over
        all orders.
    topics : str
        Name of the file with the topics to average, with `average="topics"`; else empty.
    """

    average: AverageOver = "judged"
    no_relevant: NoRelevant = "zero"
    ties: Ties = "docid"
    topics: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("average", self.average, get_args(AverageOver)),
            ("no_relevant", self.no_relevant, get_args(NoRelevant)),
            ("ties", self.ties, get_args(Ties)),
        ):
            if not isinstance(value, str) or value not in known:
                raise UsageError(f"unknown {name} {value!r}; choose one of {', '.join(known)}")
        if (self.average == "topics") != bool(self.topics):
            raise UsageError(
                "average='topics' and topics go together: the topics averaged are those of a topics file that are "
                "judged, as in evaluate(..., average='topics', topics='dev.txt')"
            )
