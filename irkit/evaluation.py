"""The result: topics by measures, their summary, and what a reader needs to judge the numbers."""

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError
from irkit.frozen import freeze
from irkit.judged import PerTopic, judge
from irkit.measures import Measure, parse_measure, parse_measures
from irkit.measures.common import AnyJudged
from irkit.qrels import JudgmentKind, Qrels, QrelsSource
from irkit.rules import AverageOver, Conventions, NoRelevant, Rules
from irkit.runs import Run, RunSource, name_of
from irkit.spelling import counted
from irkit.tables import is_table
from irkit.textio import BYTE_ORDER_MARK, reading, shown

if TYPE_CHECKING:
    import pandas as pd

    from irkit.grouped_qrels import GroupedQrels
    from irkit.preferences import Preferences

Group = TypeVar("Group")

# A basket, since no one measure tells a system's story: graded quality of the page that is looked at; quality of the
# whole ranking; how soon the first answer comes; the page by plain counting; the ceiling of whatever re-ranks the
# first hundred; and how far the other numbers can be trusted where the page holds unjudged documents.
DEFAULT_MEASURES: Final = parse_measures("nDCG@10 AP RR P@10 R@100 Judged@10")
_DEFAULTS: Final[Mapping[JudgmentKind, tuple[Measure, ...]]] = {
    "qrels": DEFAULT_MEASURES,
    "qrels_jg": parse_measures("AP_avgjg P_avgjg@10"),
    "prefs": parse_measures("prefs_simp prefs_pair prefs_avgjg"),
}

AnyJudgments: TypeAlias = "Qrels | GroupedQrels | Preferences"


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The values of M measures for T topics of one run.

    Attributes
    ----------
    name : str
        The run.
    measures : tuple of M Measure
    topics : tuple of T str
        In byte order.
    values : float64 array of shape (T, M)
        nan: the topic is left out of this measure's average (`no_relevant="skip"`), and nothing else. A count has none.
    missing : tuple of str
        Topics of the qrels that the run lacks: empty rankings among `topics` with `average="judged"`, not among
        them with `intersection`.
    unjudged : tuple of str
        Topics of the run that the qrels lack; never among `topics`.
    without_relevant : tuple of str
        Those of `topics` for which one of the measures at least had nothing to find, so that the convention was
        applied: no document of grade 1 or better, or of its own `rel`, or of a gain above 0.
    rules : Rules
    conventions : Conventions
    notes : tuple of str
        Sentences about run and qrels that belong above the numbers, such as that no retrieved document is judged.
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

    def __post_init__(self) -> None:
        freeze(self, "values")

    def __str__(self) -> str:
        values = (
            f"{measure} {value:.0f}" if measure.summary == "sum" else f"{measure} {value:.4f}"
            for measure, value in zip(self.measures, self.summary.tolist(), strict=True)
        )
        topics = "topic" if self.n_topics == 1 else "topics"
        return f"{self.name}: {', '.join(values)} ({self.n_topics} {topics})"

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.topics)

    @property
    def n_averaged(self) -> npt.NDArray[np.int64]:
        """How many topics each measure's summary is over, mean and sum alike, shape (M,)."""
        n_averaged: npt.NDArray[np.int64] = np.sum(~np.isnan(self.values), axis=0, dtype=np.int64)
        return n_averaged

    @property
    def summary(self) -> npt.NDArray[np.float64]:
        """Each measure's mean, or sum for a count, over the topics, shape (M,); nan for a mean over no topic.

        A geometric mean is e to the mean of the logarithms.
        """
        kinds = [measure.summary for measure in self.measures]
        counted, geometric = (np.array([kind == of for kind in kinds], dtype=bool) for of in ("sum", "geometric mean"))
        if not self.topics:
            sums = np.zeros(len(kinds))
        else:
            added = np.where(np.isnan(self.values), 0.0, self.values)
            added[:, geometric] = np.log(np.where(np.isnan(self.values), 1.0, self.values)[:, geometric])
            # cumsum adds in topic order, as a C loop does, so the last digit agrees; np.sum adds in pairs.
            sums = np.cumsum(added, axis=0)[-1]
        n_averaged = self.n_averaged
        means = np.divide(sums, n_averaged, out=np.full_like(sums, np.nan), where=n_averaged > 0)
        np.exp(means, out=means, where=geometric)
        return np.where(counted, sums, means)

    def value(self, measure: str | Measure, topic: str | None = None) -> float:
        """The value of a measure for a topic, or its summary.

        Raises
        ------
        UsageError
            If the measure or the topic is not in the evaluation.
        """
        column = self._column(measure)
        if topic is None:
            return float(self.summary[column])
        if topic not in self.topics:
            raise UsageError(f"topic {topic!r} is not among the {self.n_topics} topics of {self.name}")
        return float(self.values[self.topics.index(topic), column])

    def by_topic(self, measure: str | Measure) -> PerTopic:
        """The values of a measure, shape (T,), in the order of `topics`.

        Raises
        ------
        UsageError
            If the measure is not in the evaluation.
        """
        return self.values[:, self._column(measure)]

    def _column(self, measure: str | Measure) -> int:
        wanted = parse_measure(measure)
        if wanted not in self.measures:
            raise UsageError(f"{wanted} was not evaluated; there are {', '.join(map(str, self.measures))}")
        return self.measures.index(wanted)

    def restricted_to(self, topics: Iterable[str]) -> "Evaluation":
        """The evaluation over these topics only, in its own order.

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
        )

    def by_group(self, groups: Mapping[str, Group]) -> dict[Group, "Evaluation"]:
        """The evaluation of each group of topics, groups in the order in which `groups` first names them.

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
            )
            for group in dict.fromkeys(groups.values())
            if group in members
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; None where a topic is left out of an average."""
        summary, n_averaged = self.summary.tolist(), self.n_averaged.tolist()
        return {
            "run": self.name,
            "rules": str(self.rules),
            "average": self.conventions.average,
            "no_relevant": self.conventions.no_relevant,
            "n_topics": self.n_topics,
            "topics_missing_from_run": list(self.missing),
            "topics_without_judgments": list(self.unjudged),
            "topics_without_relevant": list(self.without_relevant),
            "notes": list(self.notes),
            "measures": {
                str(measure): {"summary": measure.summary, "value": _plain(measure, value), "n_averaged": n}
                for measure, value, n in zip(self.measures, summary, n_averaged, strict=True)
            },
            "topics": {
                topic: {str(measure): _plain(measure, value) for measure, value in zip(self.measures, row, strict=True)}
                for topic, row in zip(self.topics, self.values.tolist(), strict=True)
            },
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A frame with a row for each topic and a column for each measure."""
        import pandas as pd

        index = pd.Index(self.topics, name="topic", dtype=object)
        return pd.DataFrame(self.values.copy(), index=index, columns=[str(measure) for measure in self.measures])


def told_apart(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """The evaluations, with a number behind the names that several of them share: `bm25 (1)`, `bm25 (2)`."""
    counts = Counter(evaluation.name for evaluation in evaluations)
    seen: Counter[str] = Counter()
    apart = []
    for evaluation in evaluations:
        seen[evaluation.name] += 1
        name = f"{evaluation.name} ({seen[evaluation.name]})"
        apart.append(evaluation if counts[evaluation.name] == 1 else replace(evaluation, name=name))
    return tuple(apart)


def evaluate(
    *,
    run: RunSource,
    qrels: "QrelsSource | GroupedQrels | Preferences",
    measures: Iterable[str | Measure] | str | Measure | None = None,
    average: AverageOver = "judged",
    no_relevant: NoRelevant = "zero",
    rules: str | Rules = "trec_eval-10",
    name: str | None = None,
) -> Evaluation:
    """Score a run.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes.
    qrels : path, dict, table or Qrels; GroupedQrels or Preferences
        Whatever `Qrels.of` takes; or what `read_qrels_jg`, `read_prefs` and `read_qrels_prefs` return, which have
        measures of their own.
    measures : iterable of str or Measure, optional
        As `parse_measures` takes them; `DEFAULT_MEASURES` if not given, or some of those for this kind of judgments.
    average : {"judged", "intersection"}
        The topics averaged: all of the qrels, or those of them that the run has.
    no_relevant : {"zero", "one", "skip", "abstain"}
        What a topic without relevant documents counts; see `irkit.rules.Conventions`.
    rules : str or Rules
        `trec_eval-10` or `trec_eval-9`.
    name : str, optional
        What to call the run; if not given, a file's name without its ending, or `run`.

    Returns
    -------
    Evaluation
        Every measure for every topic, the summary, and what was averaged by which rules.

    Raises
    ------
    FormatError
        If run or qrels are not in their form.
    DataError
        If they have no topic in common.
    MeasureError
        If a measure does not exist, or does not fit the grades or the kind of judgments.
    UsageError
        If a convention or the rules do not exist.
    """
    # Asked of the type, since a table may have a column of that name.
    kind: JudgmentKind = getattr(type(qrels), "kind", "qrels")
    chosen = parse_measures(_DEFAULTS[kind] if measures is None else measures)
    for measure in chosen:
        measure.check_fits(kind)
    conventions = Conventions(average, no_relevant)
    judgments = cast("AnyJudgments", qrels) if kind != "qrels" else Qrels.of(cast("QrelsSource", qrels))
    if is_table(run):  # which may be read only once
        run = Run.of(run, name)
    judged = _judged(run, judgments, average, rules, name)
    found = evaluation_of(judged, chosen, conventions=conventions, name=name_of(run, name))
    if judged.n_found or _read_already(run):
        return found
    return replace(found, notes=_none_judged(_beginning(run, name), judgments, part=isinstance(run, str | os.PathLike)))


def evaluation_of(
    judged: AnyJudged, measures: Iterable[Measure], *, conventions: Conventions, name: str = "run"
) -> Evaluation:
    """Score what is judged already; `judged` may have been cut or thinned before.

    Parameters
    ----------
    judged : Judged, JudgedGroups or JudgedPreferences of T topics
    measures : iterable of M Measure
    conventions : Conventions
        `average` has to be what `judged` was made with.
    name : str
        What to call the run.

    Returns
    -------
    Evaluation

    Raises
    ------
    MeasureError
        If a measure does not fit the grades or the kind of judgments.
    """
    chosen = tuple(measures)
    values = np.empty((judged.n_topics, len(chosen)))
    for column, measure in enumerate(chosen):
        values[:, column] = _values(measure, judged, conventions.no_relevant)
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


def _judged(
    run: RunSource, judgments: "AnyJudgments", average: AverageOver, rules: str | Rules, name: str | None
) -> AnyJudged:
    if isinstance(judgments, Qrels):
        return judge(run, judgments, average=average, rules=rules, name=name)
    from irkit.grouped_qrels import GroupedQrels
    from irkit.judged_groups import judge_groups
    from irkit.judged_preferences import judge_preferences

    if isinstance(judgments, GroupedQrels):
        return judge_groups(run, judgments, average=average, rules=rules, name=name)
    return judge_preferences(run, judgments, average=average, rules=rules, name=name)


def _read_already(run: RunSource) -> bool:
    """Whether the run came through a pipe, which is empty by now."""
    return isinstance(run, str | os.PathLike) and not Path(run).is_file()


def _beginning(run: RunSource, name: str | None) -> Run:
    """The run; of a file only the first lines, which are enough for an example."""
    if not isinstance(run, str | os.PathLike):
        return Run.of(run, name)
    with reading(run) as stream:
        start = stream.read(1 << 20).removeprefix(BYTE_ORDER_MARK)
        lines = start if len(start) < 1 << 20 else start[: start.rfind(b"\n") + 1] or start + stream.read()
    return Run.from_bytes(lines, shown(run))


def _none_judged(run: Run, judgments: "AnyJudgments", part: bool) -> tuple[str, ...]:
    """The note that the documents of run and judgments, which have topics in common, are strangers to each other.

    `part` says that the run goes on.
    """
    note = "no retrieved document is judged: are the document ids alike?"
    pools = {topic: sorted(documents) for topic, documents in judgments.pools().items()}
    pairs = [(topic, found, pools[topic]) for topic, found, _ in run.by_topic() if found and pools.get(topic)]
    if not pairs:
        return (note,) if part else ()
    topic, found, pool = pairs[0]
    note = f"{note} In topic {topic!r} the run has {found[0]!r}, the qrels have {pool[0]!r}"
    for _, found, pool in pairs:
        for document in found:
            place = bisect_left(pool, document)
            if place < len(pool) and pool[place].startswith(document):
                return (f"{note}. Ids may be cut off: {document!r} is the beginning of {pool[place]!r}",)
    return (note,)


def _values(measure: Measure, judged: AnyJudged, no_relevant: NoRelevant) -> PerTopic:
    values = measure(judged)
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
