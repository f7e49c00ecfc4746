"""The result of an evaluation: topics by measures, and their summary."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted, nearest
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.judged import PerTopic
from irkit.judged.kinds import AnyJudged
from irkit.measures import Measure, parse_measure
from irkit.rules import Conventions, NoRelevant, Rules

if TYPE_CHECKING:
    import pandas as pd

    from irkit.evaluation.ranges import TieRange


Group = TypeVar("Group")


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Bounds of a measure for T topics, over all judgments of the retrieved unjudged documents.

    Attributes
    ----------
    low, high : float64 arrays of shape (T,)
        No judgments give less, or more; nan where the topic is left out of the average.
    low_exact, high_exact : bool
        Some judgments give just that in every topic; if not, the extreme may lie within.
    """

    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    low_exact: bool
    high_exact: bool

    def __post_init__(self) -> None:
        freeze(self, "low", "high")

    def at(self, places: Sequence[int]) -> "Bounds":
        """Select the topics at these places."""
        return replace(self, low=self.low[places], high=self.high[places])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluation:
    """Values of M measures for T topics of one run.

    Attributes
    ----------
    name : str
        The run.
    measures : tuple of M Measure
    topics : tuple of T str
        In byte order.
    values : float64 array of shape (T, M)
        nan: the topic is left out of this measure's average (`no_relevant="skip"`, or a measure such as NoAnswer that
        is about some topics only), and nothing else. A count has none.
    missing : tuple of str
        Topics of the qrels that the run lacks: empty rankings among `topics` with `average="judged"`, not among
        them with `intersection`.
    unjudged : tuple of str
        Topics of the run, or of the topics file with `average="topics"`, that the qrels lack; never among `topics`.
    without_relevant : tuple of str
        Those of `topics` for which one of the measures at least had nothing to find, so that the convention was
        applied: no document of grade 1 or better, or of its own `rel`, or of a gain above 0.
    rules : Rules
    conventions : Conventions
    notes : tuple of str
        Sentences about run and qrels that belong above the numbers, such as that no retrieved document is judged.
    tie_range : TieRange or None
        How far ties could move the values; `tie_notes` says it in words. None where they could not, and where judgments
        give no one grade to a document.
    bounds : tuple of M Bounds, or empty
        What judgments of the unjudged documents could make of the values of each measure, where it was asked for; None
        for a measure of which that is not known.
    nothing_judged : bool
        Documents were retrieved, and none of them is judged; `notes` says why that may be.
    """

    name: str
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: npt.NDArray[np.float64]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_relevant: tuple[str, ...]
    rules: Rules
    conventions: Conventions
    notes: tuple[str, ...] = ()
    bounds: tuple[Bounds | None, ...] = ()
    tie_range: "TieRange | None" = None
    nothing_judged: bool = False

    def __post_init__(self) -> None:
        freeze(self, "values")

    def __str__(self) -> str:
        values = (
            f"{measure} {value:.0f}" if measure.summary == "sum" else f"{measure} {value:.4f}"
            for measure, value in zip(self.measures, self.summary.tolist(), strict=True)
        )
        topics = "topic" if self.n_topics == 1 else "topics"
        return f"{self.name}: {', '.join(values)} ({self.n_topics} {topics})"

    def __repr__(self) -> str:
        from irkit.evaluation.display import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from irkit.evaluation.display import as_html

        return as_html(self)

    @property
    def tie_notes(self) -> tuple[str, ...]:
        """Notes on summaries that ties can change, and on expected values from sampled orders; a sentence each."""
        if self.tie_range is None:
            return ()
        from irkit.evaluation.ranges import tie_notes

        return tie_notes(self, self.tie_range)

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.topics)

    @property
    def n_averaged(self) -> npt.NDArray[np.int64]:
        """Number of topics in each measure's summary, mean or sum, shape (M,)."""
        n_averaged: npt.NDArray[np.int64] = np.sum(~np.isnan(self.values), axis=0, dtype=np.int64)
        return n_averaged

    @property
    def summary(self) -> npt.NDArray[np.float64]:
        """Mean of each measure, or sum for a count, over the topics, shape (M,); nan for a mean over no topic.

        A geometric mean is e to the mean of the logarithms.
        """
        return self._summary_of(self.values)

    @property
    def lowest(self) -> npt.NDArray[np.float64]:
        """Lower bound of each summary over all judgments of the unjudged documents, shape (M,); nan where unknown."""
        return self._extreme([None if bound is None else bound.low for bound in self.bounds])

    @property
    def highest(self) -> npt.NDArray[np.float64]:
        """Upper bound of each summary over all judgments of the unjudged documents, shape (M,); nan where unknown."""
        return self._extreme([None if bound is None else bound.high for bound in self.bounds])

    def _extreme(self, columns: Sequence[PerTopic | None]) -> npt.NDArray[np.float64]:
        known = np.array([column is not None for column in columns] or [False] * len(self.measures), dtype=bool)
        values = [np.zeros(self.n_topics) if column is None else column for column in columns]
        summary = self._summary_of(np.column_stack(values)) if values else np.zeros(len(known))
        return np.where(known, summary, np.nan)

    def _summary_of(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        kinds = [measure.summary for measure in self.measures]
        counted, geometric = (np.array([kind == of for kind in kinds], dtype=bool) for of in ("sum", "geometric mean"))
        if not self.topics:
            sums = np.zeros(len(kinds))
        else:
            added = np.where(np.isnan(values), 0.0, values)
            added[:, geometric] = np.log(np.where(np.isnan(values), 1.0, values)[:, geometric])
            # cumsum adds in topic order, as a C loop does, so the last digit agrees; np.sum adds in pairs.
            sums = np.cumsum(added, axis=0)[-1]
        n_averaged = self.n_averaged
        means = np.divide(sums, n_averaged, out=np.full_like(sums, np.nan), where=n_averaged > 0)
        np.exp(means, out=means, where=geometric)
        return np.where(counted, sums, means)

    def value(self, measure: str | Measure, topic: str | None = None) -> float:
        """Return the value of a measure for a topic, or its summary.

        Raises
        ------
        UsageError
            If the measure or the topic is not in the evaluation.
        """
        column = self._column(measure)
        if topic is None:
            return float(self.summary[column])
        return float(self.values[self._row(topic), column])

    def topic(self, topic: str) -> dict[str, float]:
        """Return the values of a topic by printed measure name; nan as in `values`.

        Raises
        ------
        UsageError
            If the topic is not in the evaluation; with the nearest one that is.
        """
        return dict(zip(map(str, self.measures), self.values[self._row(topic)].tolist(), strict=True))

    def by_topic(self, measure: str | Measure) -> PerTopic:
        """Return the values of a measure, shape (T,), in the order of `topics`.

        Raises
        ------
        UsageError
            If the measure is not in the evaluation.
        """
        return self.values[:, self._column(measure)]

    def _row(self, topic: str) -> int:
        if topic in self.topics:
            return self.topics.index(topic)
        close = nearest(str(topic), self.topics)
        meant = f"; did you mean {close!r}?" if close else ""
        raise UsageError(f"topic {topic!r} is not among the {counted(self.n_topics, 'topic')} of {self.name}{meant}")

    def _column(self, measure: str | Measure) -> int:
        wanted = parse_measure(measure)
        if wanted not in self.measures:
            raise UsageError(f"{wanted} was not evaluated; there are {', '.join(map(str, self.measures))}")
        return self.measures.index(wanted)

    def restricted_to(self, topics: Iterable[str]) -> "Evaluation":
        """Restrict the evaluation to these topics; they keep the order of the evaluation.

        Raises
        ------
        UsageError
            If a topic is neither in the run nor in the qrels.
        """
        wanted = set(topics)
        if strangers := sorted(wanted.difference(self.topics, self.missing, self.unjudged)):
            raise UsageError(f"topic {strangers[0]!r} is not among the topics of {self.name}")
        kept = [place for place, topic in enumerate(self.topics) if topic in wanted]
        return replace(
            self,
            topics=tuple(self.topics[place] for place in kept),
            values=self.values[kept],
            missing=tuple(topic for topic in self.missing if topic in wanted),
            unjudged=tuple(topic for topic in self.unjudged if topic in wanted),
            without_relevant=tuple(topic for topic in self.without_relevant if topic in wanted),
            tie_range=self._tie_range_at(kept),
            bounds=self._bounds_at(kept),
        )

    def _tie_range_at(self, places: Sequence[int]) -> "TieRange | None":
        return None if self.tie_range is None else self.tie_range.at(places)

    def _bounds_at(self, places: Sequence[int]) -> tuple[Bounds | None, ...]:
        return tuple(None if bound is None else bound.at(places) for bound in self.bounds)

    def by_group(self, groups: Mapping[str, Group]) -> dict[Group, "Evaluation"]:
        """Split the evaluation by groups of topics, in the order of their first appearance in `groups`.

        Parameters
        ----------
        groups : mapping of topic to group
            Topics that were not evaluated may be in it; a group of such topics only is not in the result.

        Raises
        ------
        UsageError
            If `groups` is no mapping.
        DataError
            If a topic that was evaluated has no group.
        """
        if not isinstance(groups, Mapping):
            raise UsageError(f"groups are a mapping of topic to group, not {type(groups).__name__}")
        if alone := [topic for topic in self.topics if topic not in groups]:
            raise DataError(
                f"no group is given for {len(alone)} of {counted(self.n_topics, 'topic')}, such as {alone[0]!r}"
            )
        place = {topic: index for index, topic in enumerate(self.topics)}
        members, missing, unjudged, without = (
            _divided(topics, groups) for topics in (self.topics, self.missing, self.unjudged, self.without_relevant)
        )
        return {
            group: replace(
                self,
                topics=tuple(members[group]),
                values=self.values[[place[topic] for topic in members[group]]],
                missing=tuple(missing.get(group, ())),
                unjudged=tuple(unjudged.get(group, ())),
                without_relevant=tuple(without.get(group, ())),
                tie_range=self._tie_range_at([place[topic] for topic in members[group]]),
                bounds=self._bounds_at([place[topic] for topic in members[group]]),
            )
            for group in dict.fromkeys(groups.values())
            if group in members
        }

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain Python values for JSON; None where a topic is left out of an average."""
        summary, n_averaged = self.summary.tolist(), self.n_averaged.tolist()
        return {
            "run": self.name,
            "rules": str(self.rules),
            "average": self.conventions.average,
            **({"topics_file": self.conventions.topics} if self.conventions.topics else {}),
            "no_relevant": self.conventions.no_relevant,
            "tie_order": self.conventions.ties,
            "n_topics": self.n_topics,
            "topics_missing_from_run": list(self.missing),
            "topics_without_judgments": list(self.unjudged),
            "topics_without_relevant": list(self.without_relevant),
            "notes": [*self.notes, *self.tie_notes],
            "measures": {
                str(measure): {
                    "summary": measure.summary,
                    "value": _plain(measure, value),
                    "n_averaged": n,
                    **(self._bounds_of(place) if self.bounds else {}),
                }
                for place, (measure, value, n) in enumerate(zip(self.measures, summary, n_averaged, strict=True))
            },
            "topics": {
                topic: {str(measure): _plain(measure, value) for measure, value in zip(self.measures, row, strict=True)}
                for topic, row in zip(self.topics, self.values.tolist(), strict=True)
            },
        }

    def _bounds_of(self, place: int) -> dict[str, Any]:
        """The bounds of a measure as plain Python values: of its summary, and by topic."""
        measure, bounds = self.measures[place], self.bounds[place]
        if bounds is None:
            return {"bounds": None}
        pairs = zip(self.topics, bounds.low.tolist(), bounds.high.tolist(), strict=True)
        return {
            "bounds": {
                "lowest": _plain(measure, float(self.lowest[place])),
                "highest": _plain(measure, float(self.highest[place])),
                "lowest_exact": bounds.low_exact,
                "highest_exact": bounds.high_exact,
                "topics": {topic: [_plain(measure, low), _plain(measure, high)] for topic, low, high in pairs},
            }
        }

    def to_pandas(self) -> "pd.DataFrame":
        """Convert to a pandas DataFrame with a row for each topic and a column for each measure.

        Its index is called `topic` and holds the topics' ids as text; a column is called as the measure is printed. nan
        where a topic is left out of an average. The frame is a copy: changing it changes no evaluation.
        """
        import pandas as pd

        index = pd.Index(self.topics, name="topic", dtype=object)
        return pd.DataFrame(self.values.copy(), index=index, columns=[str(measure) for measure in self.measures])


Named = TypeVar("Named", Evaluation, Run)


def told_apart(evaluations: Sequence[Named]) -> tuple[Named, ...]:
    """Number evaluations or runs that share a name: `bm25 (1)`, `bm25 (2)`."""
    counts = Counter(evaluation.name for evaluation in evaluations)
    seen: Counter[str] = Counter()
    apart = []
    for evaluation in evaluations:
        seen[evaluation.name] += 1
        name = f"{evaluation.name} ({seen[evaluation.name]})"
        apart.append(evaluation if counts[evaluation.name] == 1 else replace(evaluation, name=name))
    return tuple(apart)


def evaluation_of(
    judged: AnyJudged, measures: Iterable[Measure], *, conventions: Conventions, name: str = "run"
) -> Evaluation:
    """Score judged documents; `judged` may already be cut or restricted to judged documents."""
    chosen = tuple(measures)
    values = values_by_measure(judged, chosen, conventions.no_relevant)
    # The convention was applied where a measure had nothing to find; that depends on its lowest grade and its gains.
    averaged = [measure for measure in chosen if measure.summary != "sum"] or chosen
    nothing = np.zeros(judged.n_topics, dtype=bool)
    for measure in averaged:
        nothing |= measure.n_findable(judged) == 0
    without = np.flatnonzero(nothing)
    return Evaluation(
        name,
        chosen,
        judged.topics,
        values,
        judged.missing,
        judged.unjudged,
        tuple(judged.topics[place] for place in without.tolist()),
        judged.rules,
        conventions,
    )


def values_by_measure(
    judged: AnyJudged, measures: Sequence[Measure], no_relevant: NoRelevant
) -> npt.NDArray[np.float64]:
    """Compute M measures under a convention, shape (T, M); nan where the convention leaves a topic out."""
    values = np.empty((judged.n_topics, len(measures)))
    for column, measure in enumerate(measures):
        values[:, column] = values_of(measure, judged, no_relevant)
    return values


def values_of(measure: Measure, judged: AnyJudged, no_relevant: NoRelevant) -> PerTopic:
    """Compute a measure under a convention, shape (T,); nan where the convention leaves a topic out."""
    values = measure(judged)
    averaged = measure.averaged(judged)
    if averaged is not None:  # which is a convention of its own
        return np.where(averaged, values, np.nan)
    if no_relevant == "skip":
        if measure.summary == "sum":  # a count is no average
            return values
        return np.where(measure.n_findable(judged) == 0, np.nan, values)
    if no_relevant == "zero" or not measure.normalised:
        return values
    right = judged.n_retrieved == 0 if no_relevant == "abstain" else True
    # A wrong one keeps its own value: 0, or next to nothing where the summary is a geometric mean.
    return np.where((measure.n_findable(judged) == 0) & right, 1.0, values)


def _divided(topics: Iterable[str], groups: Mapping[str, Group]) -> dict[Group, list[str]]:
    parts: dict[Group, list[str]] = {}
    for topic in topics:
        if topic in groups:
            parts.setdefault(groups[topic], []).append(topic)
    return parts


def _plain(measure: Measure, value: float) -> float | int | None:
    if np.isnan(value):
        return None
    return int(value) if measure.summary == "sum" else value
