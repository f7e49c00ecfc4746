"""What a reader must know before the numbers: topics, rules, conventions, what is missing."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from irkit.spelling import counted

if TYPE_CHECKING:
    from irkit.evaluation import Evaluation

Shown = Callable[[str], str]
_COUNTED: Final = {
    "zero": "counted zero",
    "one": "counted one",
    "skip": "left out",
    "abstain": "counted one where nothing was returned, else zero",
}


def head(evaluations: "Sequence[Evaluation]", shown: Shown = str, *, shared: bool = False) -> list[str]:
    """What a reader must know before the numbers, a sentence each: topics, rules, conventions, what is missing.

    `shared` says that the topics are those that all of the runs have in common.
    """
    return [
        *_by_runs(evaluations, lambda one: _averaged(one, shared), shown),
        *_by_runs(evaluations, lambda one: _missing(one, shown), shown),
        *_by_runs(evaluations, lambda one: _unjudged(one, shown), shown),
        *_by_runs(evaluations, lambda one: "; ".join(map(shown, one.notes)), shown),
    ]


def _by_runs(evaluations: "Sequence[Evaluation]", say: "Callable[[Evaluation], str]", shown: Shown) -> list[str]:
    """Each different sentence once, with the runs that it is about unless it is about every run."""
    runs: dict[str, list[str]] = {}
    for evaluation in evaluations:
        runs.setdefault(say(evaluation), []).append(shown(evaluation.name))
    return [
        sentence if len(names) == len(evaluations) else f"{', '.join(names)}: {sentence}"
        for sentence, names in runs.items()
        if sentence
    ]


def _averaged(evaluation: "Evaluation", shared: bool) -> str:
    which = "those in every run and in the qrels" if shared else "those in both run and qrels"
    if evaluation.conventions.average == "judged":
        which = "all judged"
    without = len(evaluation.without_relevant)
    least, most = n_averaged(evaluation)
    n = range_of_topics(least, most)
    if most < evaluation.n_topics:
        which = f"of {evaluation.n_topics}, {which}"
    how = f"{without}, {_COUNTED[evaluation.conventions.no_relevant]}" if without else "none"
    if without and (apart := [str(measure) for measure in evaluation.measures if measure.family.averaged]):
        how += f", but for {', '.join(apart)}"
    return f"{n} averaged ({which}); rules {evaluation.rules}; topics without relevant documents: {how}"


def _missing(evaluation: "Evaluation", shown: Shown) -> str:
    missing = evaluation.missing
    if not missing:
        return ""
    treated = "counted as returning nothing" if evaluation.conventions.average == "judged" else "left out"
    topics = counted(len(missing), "judged topic")
    return f"{topics} missing from the run ({treated}): {some(list(map(shown, missing)))}"


def _unjudged(evaluation: "Evaluation", shown: Shown) -> str:
    unjudged = evaluation.unjudged
    if not unjudged:
        return ""
    topics = counted(len(unjudged), "topic")
    return f"{topics} of the run not judged (left out): {some(list(map(shown, unjudged)))}"


def n_averaged(evaluation: "Evaluation") -> tuple[int, int]:
    """The fewest and the most topics that a mean is over; a sum, which leaves no topic out, says nothing of it."""
    numbers = [
        n
        for measure, n in zip(evaluation.measures, evaluation.n_averaged.tolist(), strict=True)
        if measure.summary != "sum"
    ] or [evaluation.n_topics]
    return min(numbers), max(numbers)


def range_of_topics(least: int, most: int) -> str:
    """`15 topics`, or `14 to 15 topics` where they differ."""
    return counted(most, "topic") if least == most else f"{least} to {counted(most, 'topic')}"


def some(names: Sequence[str]) -> str:
    """All names where they are ten or fewer, else the first five and how many more."""
    if len(names) <= 10:
        return ", ".join(names)
    return f"{', '.join(names[:5])} and {len(names) - 5} more"
