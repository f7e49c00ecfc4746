"""Conditions of an evaluation for a reader: topics, rules, conventions, missing topics."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from irkit._utils.text import counted

if TYPE_CHECKING:
    from irkit.evaluation.result import Evaluation

Shown = Callable[[str], str]
_COUNTED: Final = {
    "zero": "counted zero",
    "one": "counted one",
    "skip": "left out",
    "abstain": "counted one where nothing was returned, else zero",
}


def head(evaluations: "Sequence[Evaluation]", shown: Shown = str, *, shared: bool = False) -> list[str]:
    """Conditions to print above the results, a sentence each: topics, rules, conventions, missing topics.

    `shared` says that the topics are those that all of the runs have in common.
    """
    return [
        *_by_runs(evaluations, (_averaged(evaluation, shared, shown) for evaluation in evaluations), shown),
        *_by_runs(evaluations, (_missing(one, shown) for one in evaluations), shown),
        *_by_runs(evaluations, (_unjudged(one, shown) for one in evaluations), shown),
        *_by_runs(evaluations, (_bounds(one, shown) for one in evaluations), shown),
        *_notes(evaluations, shown),
    ]


def amiss(evaluations: "Sequence[Evaluation]") -> bool:
    """Whether `head` holds a condition that readers of the results alone must know.

    That is where a run lacks topics, or has unjudged topics or a note, or where a file says what is averaged, or ties
    could move the numbers or do not go by document id.
    """
    return any(
        evaluation.missing
        or evaluation.unjudged
        or evaluation.notes
        or evaluation.tie_notes
        or evaluation.bounds
        or evaluation.conventions.topics
        or evaluation.conventions.ties != "docid"
        for evaluation in evaluations
    )


def _notes(evaluations: "Sequence[Evaluation]", shown: Shown) -> Iterator[str]:
    """Notes of all runs without repeats; notes that all runs share come first."""
    for notes in zip_longest(*((*evaluation.notes, *evaluation.tie_notes) for evaluation in evaluations), fillvalue=""):
        yield from _by_runs(evaluations, map(shown, notes), shown)


def _by_runs(evaluations: "Sequence[Evaluation]", said: Iterable[str], shown: Shown) -> list[str]:
    """List each distinct sentence once, with the names of its runs unless it holds for all runs."""
    runs: dict[str, list[str]] = {}
    for evaluation, sentence in zip(evaluations, said, strict=True):
        runs.setdefault(sentence, []).append(shown(evaluation.name))
    return [
        sentence if len(names) == len(evaluations) else f"{', '.join(names)}: {sentence}"
        for sentence, names in runs.items()
        if sentence
    ]


def _averaged(evaluation: "Evaluation", shared: bool, shown: Shown) -> str:
    match evaluation.conventions.average:
        case "judged":
            which = "all judged"
        case "topics":
            which = f"those of {shown(evaluation.conventions.topics)} that are judged"
        case "intersection":
            which = "those in every run and in the qrels" if shared else "those in both run and qrels"
    without = len(evaluation.without_relevant)
    least, most = n_averaged(evaluation)
    n = range_of_topics(least, most)
    if most < evaluation.n_topics:
        which = f"of {evaluation.n_topics}, {which}"
    how = f"{without}, {_COUNTED[evaluation.conventions.no_relevant]}" if without else "none"
    ties = "" if evaluation.conventions.ties == "docid" else f"; ties: {evaluation.conventions.ties}"
    if without and (apart := [str(measure) for measure in evaluation.measures if measure.family.averaged]):
        how += f", but for {', '.join(apart)}"
    return f"{n} averaged ({which}); rules {evaluation.rules}{ties}; topics without relevant documents: {how}"


def _missing(evaluation: "Evaluation", shown: Shown) -> str:
    missing = evaluation.missing
    if not missing:
        return ""
    treated = "left out" if evaluation.conventions.average == "intersection" else "counted as returning nothing"
    topics = counted(len(missing), "judged topic")
    return f"{topics} missing from the run ({treated}): {some(list(map(shown, missing)))}"


def _unjudged(evaluation: "Evaluation", shown: Shown) -> str:
    unjudged = evaluation.unjudged
    if not unjudged:
        return ""
    topics = counted(len(unjudged), "topic")
    whose = shown(evaluation.conventions.topics) or "the run"
    return f"{topics} of {whose} not judged (left out): {some(list(map(shown, unjudged)))}"


def _bounds(evaluation: "Evaluation", shown: Shown) -> str:
    """Say which bounds are exact."""
    if not evaluation.bounds:
        return ""
    loose, without = [], []
    for measure, one in zip(evaluation.measures, evaluation.bounds, strict=True):
        if one is None:
            without.append(shown(str(measure)))
        else:
            loose += [f"lowest {shown(str(measure))}"] * (not one.low_exact)
            loose += [f"highest {shown(str(measure))}"] * (not one.high_exact)
    said = "lowest and highest: what judgments of the documents retrieved and not judged could give; "
    if len(without) == len(evaluation.bounds):
        return f"{said}not known for {', '.join(without)}"
    said += "exact"
    if loose:
        said += f" but for the {', the '.join(loose)}, which {'is' if len(loose) == 1 else 'are'} no more than a bound"
    return said + (f"; not known for {', '.join(without)}" if without else "")


def n_averaged(evaluation: "Evaluation") -> tuple[int, int]:
    """Smallest and largest number of topics in a mean; sums do not count, since they leave no topic out."""
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
    """List all names if they are ten or fewer, else the first five and the number of the rest."""
    if len(names) <= 10:
        return ", ".join(names)
    return f"{', '.join(names[:5])} and {len(names) - 5} more"
