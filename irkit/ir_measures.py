"""ir_measures' interface: `from irkit import ir_measures` moves a code base over.

Names, arguments, topics and values are those of ir_measures 0.4.3, computed by irkit. The rules are trec_eval 9's, as
pytrec_eval has them, which ir_measures computes its commonest measures with: what changes by moving over is then what
is wrong there, and nothing else. Where it answers otherwise on purpose stands in `docs/how-to/other-libraries.md`.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from irkit import measures as table
from irkit._kernel.numpy_twin.numbers import grade_of
from irkit.errors import FormatError, MeasureError, MissingDependencyError
from irkit.evaluation import Evaluation
from irkit.ids import to_bytes, to_text
from irkit.kinds import JudgmentsSource
from irkit.measures import FAMILIES, Measure
from irkit.rules import TREC_EVAL_9
from irkit.runs import Run, RunSource
from irkit.scoring import Evaluator as Scorer
from irkit.textio import read_bytes, shown

if TYPE_CHECKING:
    from irkit.ir_measures_provider import IrkitProvider

__all__ = [
    "CalcResults",
    "Evaluator",
    "Measure",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "calc",
    "calc_aggregate",
    "evaluator",
    "iter_calc",
    "parse_measure",
    "parse_trec_measure",
    "read_trec_qrels",
    "read_trec_run",
    "register",
]

# Of irkit, its name as text, or of ir_measures, which need not be installed.
AnyMeasure: TypeAlias = "Measure | str | Any"
# A path, the lines themselves, or an open file.
TrecFile: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes]"


class Qrel(NamedTuple):
    """The grade of a document for a topic; `iteration` is its subtopic where the qrels have some."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """The score of a document for a topic."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a topic."""

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """The summary of each measure, and its value for each topic."""

    aggregated: dict[Any, float]
    per_query: list[Metric]


class Evaluator:
    """Judgments and measures, to score any number of runs with; it can be used by several threads at once.

    Parameters
    ----------
    measures : iterable of Measure, str, or measure of ir_measures
        Results are keyed by what stands here; a text by the measure that it names.
    qrels : whatever `irkit.evaluate` takes
        Read when it is made, and kept: a generator will do.

    Raises
    ------
    MeasureError
        If irkit has no such measure.
    FormatError
        If the qrels are not in their form.
    """

    def __init__(self, measures: Iterable[AnyMeasure], qrels: JudgmentsSource) -> None:
        asked: dict[Measure, Any] = {}
        for given in [measures] if isinstance(measures, str | Measure) else measures:
            ours = parse_measure(given)
            asked.setdefault(ours, ours if isinstance(given, str) else given)
        self.measures = tuple(asked.values())
        self._scorer = Scorer(qrels, tuple(asked), rules=TREC_EVAL_9)

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics, in byte order."""
        return self._scorer.judged_topics

    def iter_calc(self, run: RunSource) -> Iterator[Metric]:
        """Every measure of every judged topic, topics in byte order; errors as of `calc`."""
        return _metrics(self._scored(run), self.measures)

    def calc_aggregate(self, run: RunSource) -> dict[Any, float]:
        """The summary of each measure over all judged topics; errors as of `calc`."""
        return dict(zip(self.measures, self._scored(run).summary.tolist(), strict=True))

    def calc(self, run: RunSource) -> CalcResults:
        """Both at once.

        Parameters
        ----------
        run : whatever `irkit.evaluate` takes
            A topic that is not judged is left out. One that is judged and not in the run is an empty ranking, counts
            are 0 for it; so it is for all topics of a run without any.

        Raises
        ------
        FormatError
            If the run is not in its form.
        DataError
            If the run has topics, and none of them is judged.
        """
        found = self._scored(run)
        aggregated = dict(zip(self.measures, found.summary.tolist(), strict=True))
        return CalcResults(aggregated, list(_metrics(found, self.measures)))

    def _scored(self, run: RunSource) -> Evaluation:
        held = run if isinstance(run, str | os.PathLike | dict) else Run.of(run)
        nothing = held == {} or (isinstance(held, Run) and not held.topics)
        found = self._scorer.evaluate({topic: {} for topic in self._scorer.judged_topics} if nothing else held)
        lacking = set(found.topics if nothing else found.missing)
        counts = [measure.summary == "sum" for measure in found.measures]
        rows = [topic in lacking for topic in found.topics]
        return replace(found, values=np.where(np.outer(rows, counts), 0.0, found.values))


def evaluator(measures: Iterable[AnyMeasure], qrels: JudgmentsSource) -> Evaluator:
    """An `Evaluator` of these measures and judgments, for any number of runs."""
    return Evaluator(measures, qrels)


def iter_calc(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> Iterator[Metric]:
    """Every measure of every judged topic; parameters and errors as of `Evaluator`."""
    return Evaluator(measures, qrels).iter_calc(run)


def calc_aggregate(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> dict[Any, float]:
    """The summary of each measure over all judged topics; parameters and errors as of `Evaluator`."""
    return Evaluator(measures, qrels).calc_aggregate(run)


def calc(measures: Iterable[AnyMeasure], qrels: JudgmentsSource, run: RunSource) -> CalcResults:
    """Both at once; parameters and errors as of `Evaluator`."""
    return Evaluator(measures, qrels).calc(run)


def parse_measure(measure: AnyMeasure) -> Measure:
    """The measure of a name such as `nDCG@10`, or irkit's own for one of ir_measures.

    Raises
    ------
    MeasureError
        If irkit has no such measure.
    """
    if hasattr(measure, "runtime_impl"):
        raise MeasureError(f"{measure} was defined by ir_measures.define: only ir_measures can compute it")
    known = isinstance(measure, Measure | str) or not hasattr(measure, "SUPPORTED_PARAMS")
    return table.parse_measure(measure if known else str(measure))


def parse_trec_measure(name: str) -> list[Measure]:
    """The measures that trec_eval's name stands for: `ndcg_cut`, `P_5,10`, `official`.

    A nickname leaves out what is text, such as runid.

    Raises
    ------
    MeasureError
        If there is no such measure.
    """
    return list(table.parse_measures(name))


def read_trec_qrels(file: TrecFile) -> list[Qrel]:
    """The lines `topic iteration document grade` of qrels, in their order.

    Parameters
    ----------
    file : path, text, or open file
        A text of several lines is read as it stands.

    Raises
    ------
    FormatError
        With file and line: if a line has not these four fields, or its grade is no whole number.
    """
    place, data = _content(file)
    return [_qrel(line.split(), place, number) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]


def read_trec_run(file: TrecFile) -> list[ScoredDoc]:
    """The lines `topic Q0 document rank score tag` of a run: topics in byte order, documents as they are ranked.

    Parameters as of `read_trec_qrels`. `calc` and its kin take a path too, which costs a tenth of the time and memory.

    Raises
    ------
    FormatError
        With file and line, as `irkit.read_run`.
    """
    place, data = _content(file)
    return [
        ScoredDoc(topic, document, score)
        for topic, documents, scores in Run.from_bytes(data, place).by_topic()
        for document, score in zip(documents, scores, strict=True)
    ]


def register() -> "IrkitProvider":
    """Make irkit a provider of ir_measures: whatever measures irkit has are from now on computed by it there.

    `ir_measures.calc_aggregate` and its kin ask it first; `ir_measures.irkit` is the provider itself. Measures defined
    by `ir_measures.define` stay as they are. A second call changes nothing.

    Raises
    ------
    MissingDependencyError
        If ir_measures is not installed.
    """
    try:
        from irkit.ir_measures_provider import registered
    except ImportError as problem:
        raise MissingDependencyError(
            "ir_measures is not installed, so there is nothing to register with: pip install ir-measures"
        ) from problem
    return registered()


def _metrics(found: Evaluation, measures: Iterable[Any]) -> Iterator[Metric]:
    for topic, values in zip(found.topics, found.values.tolist(), strict=True):
        for measure, value in zip(measures, values, strict=True):
            if value == value:  # nan stands for a topic that the measure is not averaged over
                yield Metric(topic, measure, value)


def _content(file: TrecFile) -> tuple[str, bytes]:
    if isinstance(file, str) and "\n" in file:
        return "text", to_bytes(file)
    if isinstance(file, str | os.PathLike):
        return shown(file), read_bytes(file)
    content = file.read()
    return str(getattr(file, "name", "file")), to_bytes(content) if isinstance(content, str) else content


def _qrel(fields: list[bytes], place: str, line: int) -> Qrel:
    if len(fields) != 4:
        raise FormatError(
            place, f"expected 4 fields, found {len(fields)}. A line is 'topic iteration document grade'", line
        )
    topic, iteration, document, text = map(to_text, fields)
    if (grade := grade_of(fields[3])) is None:
        raise FormatError(place, f"the grade {text!r} is no whole number; round it or map it to one", line)
    return Qrel(topic, document, grade, iteration)


# Its other names, such as MRR, and those that set a parameter.
_OTHER_NAMES: Final = {
    **{name: Measure(of.name) for of in FAMILIES.values() for name in of.aliases if name.isidentifier()},
    "SetRelP": Measure("SetP", (("relative", True),)),
}


def __getattr__(name: str) -> Measure:
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    if name in FAMILIES:
        return Measure(name)
    raise AttributeError(f"module 'irkit.ir_measures' has no measure {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *FAMILIES, *_OTHER_NAMES])
