"""Score runs with judgments and measures that are prepared once."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from irkit._utils.text import counted
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import Run, RunSource, name_of
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation, evaluation_of
from irkit.ids import to_bytes
from irkit.judged import Judged
from irkit.judged.kinds import NEEDS, AnyJudged, AnyJudgments, Judgments, JudgmentsSource, judge_as
from irkit.judged.no_overlap import none_judged, read_already, some_unjudged
from irkit.measures import Measure, parse_measures
from irkit.measures.readings import other_readings
from irkit.rules import AverageOver, Conventions, NoRelevant, Rules, Ties, rules_named

if TYPE_CHECKING:
    from irkit.data.passages import CollapseAt, CollapseBy
    from irkit.data.topic_matching import MatchTopics
    from irkit.data.topic_subsets import TopicList

# A basket, since no one measure tells a system's story: graded quality of the page that is looked at; quality of the
# whole ranking; how soon the first answer comes; the page by plain counting; the ceiling of whatever re-ranks the
# first hundred; and how far the other numbers can be trusted where the page holds unjudged documents.
DEFAULT_MEASURES: Final = parse_measures("nDCG@10 AP RR P@10 R@100 Judged@10")
_OTHER_DEFAULTS: Final[Mapping[JudgmentKind, str]] = {
    "subtopics": "alpha_nDCG@20 ERR_IA@20 StRecall@20",
    "strata": "infNDCG xinfAP iP@10",
    "prels": "statAP statRprec statP@10",
    "qrels_jg": "AP_avgjg P_avgjg@10",
    "prefs": "prefs_simp prefs_pair prefs_avgjg",
}

# Of each document one grade, so that of two it is known which is the better one.
GRADED: Final[tuple[JudgmentKind, ...]] = ("qrels", "fractional")

Measures = Iterable[str | Measure] | str | Measure


class Prepared(NamedTuple):
    """A run ready for scoring: ties ordered, passages collapsed, documents with the id of their topic dropped.

    Attributes
    ----------
    run : path, dict, table or Run
        A file is still that where nothing was to be done.
    name : str or None
        What to call it, if its source does not say.
    notes : tuple of str
        What was done, a sentence each.
    """

    run: RunSource
    name: str | None
    notes: tuple[str, ...]


class Evaluator:
    """Judgments and measures that score any number of runs; safe for use by several threads.

    The judgments are read when it is made, and kept: what becomes of their source afterwards changes nothing.

    Parameters
    ----------
    qrels, measures, average, topics, no_relevant, ties, fractional, bounds, rules
        As `evaluate` takes them.
    collapse, collapse_by, collapse_at, drop_self, match_topics
        As `evaluate` takes them.

    Attributes
    ----------
    measures : tuple of Measure
    judgments : dict of kind to judgments
        As they were read, for each kind that a measure needs.
    judged_topics : tuple of str
        In byte order.
    conventions : Conventions
    rules : Rules

    Raises
    ------
    UsageError
        If there is no measure; and as `evaluate`.
    """

    def __init__(
        self,
        qrels: JudgmentsSource,
        measures: Measures | None = None,
        *,
        average: AverageOver = "judged",
        topics: "TopicList | None" = None,
        no_relevant: NoRelevant = "zero",
        ties: Ties = "docid",
        fractional: bool = False,
        collapse: str | None = None,
        collapse_by: "CollapseBy" = "max",
        collapse_at: "CollapseAt" = "first",
        drop_self: bool = False,
        match_topics: "MatchTopics | None" = None,
        bounds: bool = False,
        rules: str | Rules = "trec_eval-10",
    ) -> None:
        judgments = Judgments(qrels)
        kinds = judgments.kinds
        usual: JudgmentKind = "fractional" if fractional and "fractional" in kinds else kinds[0]
        self.measures = default_measures(usual) if measures is None else parse_measures(measures)
        if not self.measures:
            raise UsageError("there is no measure to score with; give one at least")
        its_topics = None
        if topics is not None:
            from irkit.data.topic_subsets import topic_list

            its_topics = topic_list(topics)
        self.conventions = Conventions(average, no_relevant, ties, "" if its_topics is None else its_topics.name)
        self._topics = None if its_topics is None else its_topics.ids
        self._match_topics = match_topics
        self.rules = rules_named(rules)
        self._collapse, self._drop_self = collapse, drop_self
        self._collapse_by, self._collapse_at = collapse_by, collapse_at
        self._bounds = bounds
        self._by_kind: dict[JudgmentKind, list[Measure]] = {}
        for measure, its in zip(self.measures, _kinds(self.measures, kinds, fractional=fractional), strict=True):
            self._by_kind.setdefault(its, []).append(measure)
            if ties not in ("docid", "file") and its not in GRADED:
                raise UsageError(
                    f"{measure} is computed from {NEEDS[its]}, which have no one grade for each document; "
                    f"ties {ties!r} needs one: choose docid or file"
                )
        if ties == "file" and collapse is not None:
            raise UsageError("collapsed documents have no line order in a file; choose other ties than file")
        if ties not in ("docid", "file") and bounds:
            raise UsageError(f"bounds need one order of ties; ties {ties!r} has several")
        self.judgments: dict[JudgmentKind, AnyJudgments] = judgments.read(self._by_kind)
        self.judged_topics = next(iter(self.judgments.values())).topics
        if match_topics is not None:
            from irkit.data.topic_matching import matching

            pairs = matching(self._topics or (), self.judged_topics, match_topics)
            self._topics = None if self._topics is None else tuple(pairs.get(one, one) for one in self._topics)

    def evaluate(self, run: RunSource, name: str | None = None) -> Evaluation:
        """Score a run; parameters and errors as of `irkit.evaluate`."""
        return self.score(self.prepare(run, name))

    def prepare(self, run: RunSource, name: str | None = None) -> Prepared:
        """Prepare a run for scoring, with notes on the changes."""
        if self.conventions.ties == "file":
            run = Run.in_given_order(run, name, float32=self.rules.float32_scores)
        elif len(self._by_kind) > 1 or not _read_anew(run):
            run = Run.of(run, name)
        notes = []
        if self._match_topics is not None:
            from irkit.data.topic_matching import matched_run

            run, done = matched_run(Run.of(run, name), self.judged_topics, self._match_topics)
            notes.append(done)
        if self._collapse is not None or self._drop_self:
            from irkit.data.passages import collapse, drop_self

            run = Run.of(run, name)
            if self._collapse is not None:
                collapsed = collapse(run, self._collapse, self._collapse_by, self._collapse_at)
                run = collapsed.run
                notes.append(collapsed.note)
            if self._drop_self:
                left = drop_self(run)
                run = left.run
                notes.append(left.note)
        return Prepared(run, name, tuple(notes))

    def score(self, prepared: Prepared) -> Evaluation:
        """Score a run from `prepare`."""
        return self.score_judged(prepared, self.judge(prepared))

    def judge(self, prepared: Prepared) -> dict[JudgmentKind, AnyJudged]:
        """Judge a run with each kind of judgments that the measures need."""
        average = "judged" if self._topics is not None else self.conventions.average
        return {
            kind: judge_as(kind)(
                prepared.run, self.judgments[kind], average=average, rules=self.rules, name=prepared.name
            )
            for kind in self._by_kind
        }

    def score_judged(self, prepared: Prepared, judged: Mapping[JudgmentKind, AnyJudged]) -> Evaluation:
        """Score a run that `judge` has judged."""
        run, name, notes = prepared
        parts = [
            self._scored(run, name, judged[kind], self.judgments[kind], measures)
            for kind, measures in self._by_kind.items()
        ]
        if len(parts) == 1:
            found = parts[0]
        else:
            from irkit.evaluation.merging import joined

            found = joined(parts, self.measures)
        return replace(found, notes=(*notes, *other_readings(self.measures), *found.notes))

    def _scored(
        self,
        run: RunSource,
        name: str | None,
        judged: AnyJudged,
        judgments: AnyJudgments,
        measures: Iterable[Measure],
    ) -> Evaluation:
        called = name_of(run, name)
        if isinstance(judged, Judged) and judged.has_ties:
            from irkit.evaluation.tie_breaking import evaluation_of_ties

            found = evaluation_of_ties(judged, measures, conventions=self.conventions, name=called)
        else:
            found = evaluation_of(judged, measures, conventions=self.conventions, name=called)
        if self._bounds:
            from irkit.evaluation.bounds import with_bounds

            found = with_bounds(found, judged)
        listed: tuple[str, ...] = ()
        if self._topics is not None:
            found = _over(self._topics, found)
            if found.unjudged and self._match_topics is None:
                listed = _hint(self.conventions.topics, self._topics, judgments.topics)
        notes: tuple[str, ...] = getattr(judgments, "notes", ())
        if self._match_topics is None and judged.missing and judged.unjudged:
            in_both = sorted(set(judgments.topics).difference(judged.missing))
            listed += _hint("run", [*judged.unjudged, *in_both], judgments.topics)
        on_documents = () if read_already(run) else self._notes_on_documents(run, name, judgments, judged)
        nothing_judged = bool(on_documents) and not judged.n_found
        return replace(found, notes=(*notes, *listed, *on_documents), nothing_judged=nothing_judged)

    def _notes_on_documents(
        self, run: RunSource, name: str | None, judgments: AnyJudgments, judged: AnyJudged
    ) -> tuple[str, ...]:
        """Notes on likely faults in the ids of documents."""
        if not judged.n_found:
            collapsed = None if self._collapse is None else (self._collapse, self._collapse_at)
            return none_judged(run, name, judgments, collapsed)
        return some_unjudged(run, name, judgments) if self._collapse is None else ()


def evaluator(qrels: JudgmentsSource, measures: Measures | None = None, **options: Any) -> Evaluator:
    """Make an `Evaluator` of these judgments and measures, for any number of runs."""
    return Evaluator(qrels, measures, **options)


def evaluate(
    *,
    run: RunSource,
    qrels: JudgmentsSource,
    measures: Measures | None = None,
    average: AverageOver = "judged",
    topics: "TopicList | None" = None,
    no_relevant: NoRelevant = "zero",
    ties: Ties = "docid",
    fractional: bool = False,
    collapse: str | None = None,
    collapse_by: "CollapseBy" = "max",
    collapse_at: "CollapseAt" = "first",
    drop_self: bool = False,
    match_topics: "MatchTopics | None" = None,
    bounds: bool = False,
    rules: str | Rules = "trec_eval-10",
    name: str | None = None,
) -> Evaluation:
    """Score a run.

    Parameters
    ----------
    run : path, dict, table, iterable of objects or Run
        Whatever `Run.of` takes.
    qrels : path, dict, table, iterable of objects or Qrels; or judgments of another kind
        Whatever `Qrels.of` takes; or, with measures of their own, whatever `SubtopicQrels.of`, `Strata.of` and
        `Prels.of` take, and what `read_fractional_qrels`, `read_qrels_jg`, `read_prefs` and `read_qrels_prefs` return.
        A file is read as the measures need it.
    measures : iterable of str or Measure, optional
        As `parse_measures` takes them; `DEFAULT_MEASURES` if not given, or some of those for this kind of judgments.
    average : {"judged", "intersection", "topics"}
        The topics averaged: all of the qrels, those of them that the run has, or those of them that are in `topics`.
    topics : path, Topics, mapping, or iterable of Topic or str
        Whatever `read_topic_list` or `Topics.of` takes, or ids, where `average` is "topics". One of them that the run
        lacks is an empty ranking; those without judgments are left out and named in `Evaluation.unjudged`.
    no_relevant : {"zero", "one", "skip", "abstain"}
        What a topic without relevant documents counts; see `irkit.rules.Conventions`.
    ties : {"docid", "file", "worst", "best", "expected"}
        How documents of one score stand. `file` needs the file, dict or table: a `Run` has no such order any more.
        worst, best and expected need qrels with one grade for each document.
    fractional : bool
        The grades of qrels are decimal numbers, each a gain; measures that count documents from a grade on refuse them.
    collapse : str, optional
        What separates document and passage in the ids of a run of passages, such as `#`: the run becomes one of
        documents, before anything is cut or judged. See `irkit.data.passages.collapse`.
    collapse_by : {"max", "first"}
        A document has the score of its best passage; or documents stand in the order of their first passages.
    collapse_at : {"first", "last"}
        The separator at which the id of a passage ends its document's, where an id holds it several times.
    drop_self : bool
        Documents whose id is that of their topic leave the run, before anything is cut or judged but after passages are
        collapsed. `Evaluation.notes` says how many they were.
    match_topics : {"look", "zeros", "number"}, optional
        Topics of the run, and of `topics`, take the ids of those judged topics that are the same by this rule: whatever
        the case of letters, normal form, look-alike letters and invisible characters; without leading zeros too; by the
        last number in them alone, unless numbers before it differ. A rule matches nothing where several ids could be
        meant.
    bounds : bool
        Find too what judgments of the documents retrieved and not judged could make of each value; see
        `irkit.evaluation.bounds.bounds`.
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
        If they have no topic in common, or none of `topics` is judged.
    MeasureError
        If a measure does not exist, or does not fit the grades or the kind of judgments.
    UsageError
        If a convention or the rules do not exist, or ties cannot be broken so.
    """
    scorer = Evaluator(
        qrels,
        measures,
        average=average,
        topics=topics,
        no_relevant=no_relevant,
        ties=ties,
        fractional=fractional,
        collapse=collapse,
        collapse_by=collapse_by,
        collapse_at=collapse_at,
        drop_self=drop_self,
        match_topics=match_topics,
        bounds=bounds,
        rules=rules,
    )
    return scorer.evaluate(run, name)


def default_measures(kind: JudgmentKind) -> tuple[Measure, ...]:
    """Default measures for this kind of judgments."""
    if kind in GRADED:
        return fitting(DEFAULT_MEASURES, fractional=kind == "fractional")
    return parse_measures(_OTHER_DEFAULTS[kind])


def fitting(measures: Iterable[Measure], *, fractional: bool) -> tuple[Measure, ...]:
    """Select the measures computable from the grades: all over qrels, or with `fractional` those over gains only."""
    kind: JudgmentKind = "fractional" if fractional else "qrels"
    return tuple(measure for measure in measures if kind in measure.family.judgments)


def _read_anew(run: RunSource) -> bool:
    """Whether the run can be read a second time for its notes, unlike a generator."""
    if type(run) is dict:
        return all(type(documents) in (dict, list) for documents in run.values())
    return isinstance(run, str | os.PathLike | Run)


def _kinds(measures: Sequence[Measure], readable: Sequence[JudgmentKind], *, fractional: bool) -> list[JudgmentKind]:
    """The kind of judgments that each measure is computed from, of those that they can be read as."""
    if fractional:
        for measure in measures:
            measure.check_fits("fractional")
    plain: JudgmentKind = "fractional" if fractional else "qrels"
    other: JudgmentKind = "qrels" if fractional else "fractional"
    possible = [[kind for kind in measure.family.judgments if kind != other] for measure in measures]
    # A measure that several kinds will do for takes what another one needs anyway.
    needed = [its[0] for its in possible if len(its) == 1] or [plain]
    chosen = []
    for measure, its in zip(measures, possible, strict=True):
        fits = (kind for kind in (*needed, *its) if kind in its and kind in readable)
        kind = next(fits, plain if plain in readable else readable[0])
        measure.check_fits(kind)
        chosen.append(kind)
    return chosen


def _hint(name: str, topics: Sequence[str], judged: Sequence[str]) -> tuple[str, ...]:
    """Note with the rule that would match more topics, if there is one."""
    from irkit.data.topic_matching import topic_hint

    hint = topic_hint(topics, judged)
    return (f"topic ids of {name} and qrels differ: {hint}",) if hint else ()


def _over(topics: Sequence[str], evaluation: Evaluation) -> Evaluation:
    """The evaluation over those of its topics that are among these; the others of these are named as not judged."""
    listed = sorted(topics, key=to_bytes)
    averaged = set(evaluation.topics).intersection(listed)
    if not averaged:
        from irkit.data.topic_matching import as_end, topic_hint

        raise DataError(
            f"no topic of {evaluation.conventions.topics} is judged: it has {counted(len(listed), 'topic')}, such as "
            f"{listed[0]!r}; the qrels have {len(evaluation.topics)}, such as {evaluation.topics[0]!r}"
            + as_end(topic_hint(listed, evaluation.topics))
        )
    unjudged = tuple(topic for topic in listed if topic not in averaged)
    return replace(evaluation.restricted_to(averaged), unjudged=unjudged)
