"""Check the request of a fusion (runs, method, parameters, weights), and compute the fused scores."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.data.runs import Run, RunSource
from irkit.errors import UsageError
from irkit.fusion.arguments import check_depth, check_finite, check_tag, checked_weights, read_runs
from irkit.fusion.exact_sum import ordered_sum
from irkit.fusion.no_overlap import SharedCounts
from irkit.fusion.normalise import Normalisation, normalisation_named
from irkit.fusion.notes import topic_notes, training_note
from irkit.fusion.table import Method, method_named
from irkit.fusion.training import Training, lessons_of
from irkit.fusion.union import Matrix, UnionOfRuns, fused, pooled
from irkit.fusion.votes import Vector, Votes


@dataclass(frozen=True, slots=True)
class Request:
    """A checked request for a fusion.

    Attributes
    ----------
    method : Method
    runs : tuple of R Run
        Cut to the depth that is read, without those of weight 0, and without the topics trained on.
    weights : tuple of R float
        Above 0.
    normalise : Normalisation
        What becomes of scores; for a method by ranks it is not used.
    parameters : dict
        Those of the method, each with its value.
    learned : tuple of R float64 arrays
        What a trained method knows of each run; empty for the others.
    depth : int
        Documents kept of the fused ranking for a topic.
    tag : str
    notes : tuple of str
        What to know beside the result: topics that not all runs have, and what was trained on.
    """

    method: Method
    runs: tuple[Run, ...]
    weights: tuple[float, ...]
    normalise: Normalisation
    parameters: dict[str, float]
    learned: tuple[Vector, ...]
    depth: int
    tag: str
    notes: tuple[str, ...]

    def run(self, meeting: SharedCounts | None = None) -> Run:
        """Compute the fused run; `meeting`, if given, counts the shared documents."""
        blocks = self.blocks()
        return fused(blocks if meeting is None else meeting.watched(blocks), self.scores, self.depth, self.tag)

    def blocks(self) -> Iterator[UnionOfRuns]:
        """Yield the documents of the runs, in blocks of topics."""
        return pooled(self.runs, None)  # they were cut when they were read

    def votes(self, block: UnionOfRuns) -> Votes:
        """Ranks and normalised scores of a block of documents in the runs."""
        no_points = np.broadcast_to(np.nan, block.ranks.shape)
        points = self.normalise.function(block) if self.method.by == "scores" else no_points
        return Votes(block, points, np.array(self.weights), self.learned)

    def shares(self, votes: Votes) -> Matrix | Vector:
        """Contribution of each run to each score, shape (N, R); or the scores, shape (N,), if they are no sum."""
        with np.errstate(over="ignore", invalid="ignore"):  # a score that is not finite is refused with its document
            return self.method.function(votes, **self.parameters)

    def scores(self, block: UnionOfRuns) -> Vector:
        """Fused score of each document, shape (N,)."""
        return total(self.shares(self.votes(block)))


def total(shares: Matrix | Vector) -> Vector:
    """Sum contributions to scores; scores stay unchanged."""
    return shares if shares.ndim == 1 else ordered_sum(shares)


def requested(
    runs: Iterable[RunSource],
    method: str,
    *,
    normalise: str | None = None,
    weights: Iterable[float] | None = None,
    depth: int = 1000,
    depth_in: int | None = None,
    tag: str | None = None,
    training: Training | None = None,
    **parameters: Any,
) -> Request:
    """Check the arguments of `fuse` and return the request; errors as in `fuse`."""
    chosen = method_named(method)
    given = {"normalise": normalise, "weights": weights, "training": training}
    _check_known(chosen, [*parameters, *(name for name, value in given.items() if value is not None)])
    how = normalisation_named("min-max" if normalise is None else normalise)
    check_depth(depth)
    depth_in = depth if depth_in is None else depth_in
    check_depth(depth_in, "depth_in")
    label = chosen.name if tag is None else tag
    check_tag(label)
    values = _values(chosen, parameters)
    read = read_runs(runs, depth_in)
    each = _weights(chosen, weights, values.pop("alpha", None), len(read))
    notes = topic_notes([run for run, weight in zip(read, each, strict=True) if weight > 0])
    learned: tuple[Vector, ...] = ()
    if chosen.learn is not None:
        if training is None:
            raise UsageError(f"{chosen.name} needs training ({option(training=None)})")
        lessons = lessons_of(training, read, depth_in)
        wanted = {name: values[name] for name in signature(chosen.learn).parameters if name in values}
        learned = tuple(chosen.learn(judged, **wanted) for judged in lessons.judged)
        read = [run.of_topics(set(run.topics) - lessons.left_out) for run in read]
        notes = (*notes, training_note(lessons))
    voting = [place for place, weight in enumerate(each) if weight > 0]
    if chosen.by == "scores" and how.by == "scores":
        check_finite([read[place] for place in voting])
    return Request(
        chosen,
        tuple(read[place] for place in voting),
        tuple(each[place] for place in voting),
        how,
        values,
        learned,
        depth,
        label,
        notes,
    )


def _check_known(method: Method, names: Iterable[str]) -> None:
    for name in names:
        if name not in method.known:
            raise UsageError(f"{method.name} has no parameter {name!r}; {instead(name, method.known)}")


def _values(method: Method, given: Mapping[str, Any]) -> dict[str, float]:
    values = {}
    for parameter in method.parameters:
        value = given.get(parameter.name)
        if value is not None:
            values[parameter.name] = parameter.read(value, method.name)
        elif parameter.default is not None:
            values[parameter.name] = parameter.default
        elif not parameter.optional:
            raise UsageError(f"{method.name} needs {parameter.name}, {parameter.takes}: {parameter.help}")
    return values


def _weights(method: Method, given: Iterable[float] | None, alpha: float | None, n_runs: int) -> list[float]:
    if alpha is not None:
        if given is not None:
            raise UsageError("alpha takes the place of weights; give one of them")
        if n_runs != 2:
            raise UsageError(
                f"alpha weighs two runs, and there {'is' if n_runs == 1 else 'are'} {n_runs}; give weights"
            )
        given = [alpha, 1 - alpha]
    if given is None and method.weights == "needed":
        either = ", or alpha for two runs" if any(parameter.name == "alpha" for parameter in method.parameters) else ""
        raise UsageError(f"{method.name} needs weights, one for each run{either}")
    return checked_weights(given, n_runs)
