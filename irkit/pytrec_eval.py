"""Interface of pytrec_eval: replace its import by `import irkit.pytrec_eval as pytrec_eval`.

Names, arguments, keys, topics and values are those of pytrec-eval-terrier, so the rules are those of trec_eval 9;
errors have the same types as there. `docs/how-to/other-libraries.md` lists the intended differences.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import index
from typing import Final, NoReturn, SupportsIndex

import numpy as np

from irkit._kernel.numpy_twin.numbers import grade_of
from irkit._kernel.problems import no_rank_words
from irkit._utils.text import instead
from irkit.data.exchanged_columns import exchanged
from irkit.data.qrels import Qrels
from irkit.errors import FormatError, UsageError
from irkit.files.formats import heading, is_beir_heading, text_format
from irkit.ids import to_bytes, to_text
from irkit.judged import Judged, PerTopic, judged_of
from irkit.judged.matching import retrieved
from irkit.measures import Measure
from irkit.measures.trec import BEYOND, BY_TREC_NAME, NICKNAMES, SINCE_10
from irkit.rules import TREC_EVAL_9
from irkit.trec_eval.request import lines

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

__version__ = "0.5.11"  # version of the interface; ir_measures checks it

supported_nicknames: Final = {nickname: {*names} - {*SINCE_10} for nickname, names in NICKNAMES.items()}
supported_measures: Final = {*supported_nicknames["all_trec"]}

_FIRST_LINES: Final = 100  # lines of a run that show whether ranks and scores are exchanged
_KNOWN: Final = supported_measures | {*BEYOND}
# Longest name first: ndcg_cut_10 is ndcg_cut with 10, not ndcg with cut_10.
_WITH_PARAMETERS: Final = re.compile(
    rf"({'|'.join(map(re.escape, sorted(_KNOWN, key=len, reverse=True)))})[._]([-+.0-9].*)"
)


class RelevanceEvaluator:
    """Score runs, as nested dicts, against a set of judgments that is prepared once.

    Parameters
    ----------
    query_relevance : mapping of topic to mapping of document to grade
        Grades are whole numbers; a negative grade means that a document was pooled and not judged. A topic without
        documents is left out.
    measures : iterable of str
        Names or nicknames; parameters follow a `.` or `_`, as in `P_5`, `ndcg_cut.10,20` or `ndcg.1=3,2=9`. RR with a
        cutoff, which pytrec_eval lacks, is `recip_rank_cut.10`.
    relevance_level : int
        Lowest grade that counts as relevant, at least 1.
    judged_docs_only_flag : bool
        Leave out the unjudged documents; the others get consecutive ranks.

    Raises
    ------
    ValueError
        If a measure is not among `supported_measures` and `supported_nicknames`, or its parameters are invalid.
    TypeError
        If another argument has a wrong type.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        level = _whole_number("relevance_level", relevance_level)
        if level < 1:
            raise TypeError(f"relevance_level is a grade of at least 1, not {relevance_level!r}")
        self._judged_only = bool(_whole_number("judged_docs_only_flag", judged_docs_only_flag))
        self._measures = _by_key(_marks(measures), level)
        self._qrels = _qrels_of(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Compute every measure for every topic that is in both the run and the judgments.

        Parameters
        ----------
        scores : mapping of topic to mapping of document to score
            Only scores decide the ranking, compared as 32-bit floats; of equal scores the higher document id is first.

        Returns
        -------
        dict of topic to dict of measure to float
            Topics in the order of `scores`, measures in trec_eval's order. Counts are floats too, gm_map and gm_bpref
            are logarithms, and runid and relstring (texts in trec_eval) are 0.0.

        Raises
        ------
        TypeError
            If `scores` is not such a mapping: for example an id is not a string, or a score is not a number.
        """
        _check_nested("scores", scores)
        try:
            matched = retrieved(scores, self._qrels, float32=TREC_EVAL_9.float32_scores, name="scores")
        except FormatError as problem:
            raise TypeError(str(problem)) from problem
        judged = judged_of(matched, self._qrels, average="intersection", rules=TREC_EVAL_9)
        if not judged.topics:
            return {}
        seen = judged.judged_only() if self._judged_only else judged
        table = np.empty((judged.n_topics, len(self._measures)))
        for column, measure in enumerate(self._measures.values()):
            table[:, column] = _values(measure, seen)
        rows = dict(zip(judged.topics, table.tolist(), strict=True))
        return {topic: dict(zip(self._measures, rows[topic], strict=True)) for topic in scores if topic in rows}


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """Aggregate the values of topics: the sum for a count, else the mean.

    Parameters
    ----------
    measure : str
        `num_...` is a count; `gm_...` is a geometric mean, so its values are logarithms, as in results of `evaluate`.
    values : iterable of float

    Returns
    -------
    float
        nan for the mean of no values.
    """
    numbers = list(values)
    total = np.sum(numbers)
    if measure.startswith("num_"):
        return float(total)
    mean = total / len(numbers) if numbers else np.nan
    return float(np.exp(mean) if measure.startswith("gm_") else mean)


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Read the lines `topic Q0 document rank score tag` of a run.

    Returns
    -------
    defaultdict of topic to dict of document to score
        In the order of the lines.

    Raises
    ------
    ValueError
        If a line does not have six fields, its rank is not a whole number, or its score is not a number; or if ranks
        and scores are exchanged.
    AssertionError
        If a document occurs twice in a topic.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    first: list[str] = []
    for number, line in _numbered(f_run):
        try:
            topic, _, document, rank, score, _ = _fields(line, number)
        except ValueError:
            raise _no_line(line, number, "topic Q0 document rank score tag") from None
        if not (rank.isascii() and rank.isdecimal() and len(rank) < 19) and grade_of(to_bytes(rank)) is None:
            raise ValueError(f"line {number}: {no_rank_words(6, to_bytes(rank), to_bytes(line.rstrip()))}")
        documents = run[topic]
        if document in documents:
            raise _repeated_document(topic, document, number)
        documents[document] = _score(score, number)
        if len(first) < _FIRST_LINES:
            first.append(line.rstrip("\n"))
    if (parsed := exchanged(to_bytes("\n".join(first)))) is not None:
        raise ValueError(f"line {parsed[0]}: {parsed[1]}: are rank and score exchanged?")
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Read the lines `topic iteration document grade` of qrels, or BEIR's three columns under a line that names them.

    Returns
    -------
    defaultdict of topic to dict of document to grade
        In the order of the lines.

    Raises
    ------
    ValueError
        If a line does not have four fields, or its grade is not a whole number.
    AssertionError
        If a document occurs twice in a topic.
    """
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    names = "topic iteration document grade"
    for number, line in _numbered(f_qrel):
        if number == 1 and is_beir_heading(to_bytes(line)):
            names = "topic document grade"
            continue
        fields = _fields(line, number)
        if len(fields) != len(names.split()) or (number == 1 and heading(to_bytes(line))):
            raise _no_line(line, number, names)
        topic, document, grade = fields[0], fields[-2], fields[-1]
        documents = qrels[topic]
        if document in documents:
            raise _repeated_document(topic, document, number)
        documents[document] = _grade(grade, number)
    return qrels


def _marks(measures: Iterable[str]) -> tuple[str, ...]:
    """Convert names to those of trec_eval: nicknames are expanded, a point precedes parameters."""
    if isinstance(measures, str):
        raise ValueError(f"measures are a list or set of names, such as [{measures!r}], not one text")
    return tuple(sorted({mark for name in measures for mark in _marks_of(name)}))


def _marks_of(name: str) -> Iterable[str]:
    if not isinstance(name, str):
        raise TypeError(f"a measure is named by text such as 'map', not by {name!r}")
    if name in supported_nicknames:
        if beyond := sorted(supported_nicknames[name] - supported_measures):
            raise ValueError(f"unsupported measure {beyond[0]!r}: {name!r} needs judgments of another form than a dict")
        return supported_nicknames[name]
    if name in _KNOWN:
        return (name,)
    if named := _WITH_PARAMETERS.fullmatch(name):
        if named[1] == "set_F" and "," in named[2]:  # the keys of the result would be the same
            raise ValueError(f"unsupported measure: set_F takes one number, not {named[2]!r}")
        return (f"{named[1]}.{named[2]}",)
    raise ValueError(f"unsupported measure {name!r}; {instead(name, sorted(_KNOWN | {*supported_nicknames}))}")


@lru_cache  # cached, because some callers make an evaluator for each topic
def _by_key(marks: tuple[str, ...], level: int) -> Mapping[str, Measure | None]:
    """Return the measure of each key of the result, in trec_eval's order; None for texts."""
    try:
        requested = lines(marks, TREC_EVAL_9) if marks else []
    except UsageError as problem:
        raise ValueError(f"unsupported measure: {problem}") from problem
    by_key: dict[str, Measure | None] = {}
    for line in requested:
        # A key contains a cutoff or level of recall, and no other parameter.
        takes = BY_TREC_NAME[line.of][1].takes if line.measure else "nothing"
        key = line.name if takes in ("cutoffs", "fractions") else line.of
        measure = line.measure
        if measure and "rel" in measure.family.defaults():
            measure = measure(rel=level)
        if by_key.setdefault(key, measure) != measure:
            raise ValueError(f"two measures would both be called {key!r}: {by_key[key]} and {measure}; ask for one")
    return by_key


def _values(measure: Measure | None, judged: Judged) -> PerTopic:
    if measure is None:
        return np.zeros(judged.n_topics)
    return np.log(measure(judged)) if measure.summary == "geometric mean" else measure(judged)


def _qrels_of(query_relevance: Mapping[str, Mapping[str, int]]) -> Qrels:
    _check_nested("query_relevance", query_relevance)
    judgments = {
        topic: {document: int(grade) if isinstance(grade, bool) else grade for document, grade in documents.items()}
        for topic, documents in query_relevance.items()
        if documents
    }
    try:
        return Qrels.from_grades(judgments, "query_relevance")
    except FormatError as problem:
        raise TypeError(str(problem)) from problem


def _check_nested(what: str, given: Mapping[str, Mapping[str, float]]) -> None:
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} are a dict of dicts, not {type(given).__name__}")
    for topic, documents in given.items():
        if not isinstance(documents, Mapping):
            raise TypeError(f"{what}: topic {topic!r} holds a {type(documents).__name__}, not a dict of documents")


def _whole_number(what: str, value: SupportsIndex) -> int:
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None


def _numbered(lines: Iterable[str]) -> Iterable[tuple[int, str]]:
    """Number lines from 1, without a byte order mark, which would become a part of the first topic."""
    for number, line in enumerate(lines, 1):
        yield number, line.removeprefix("\ufeff") if number == 1 else line


def _fields(line: str, number: int) -> list[str]:
    """Split a line at ASCII blanks as file readers do, because an id may contain other blanks."""
    if "\0" in line:
        raise ValueError(f"line {number}: a NUL byte is no text; remove it: {line.rstrip()!r}")
    return line.split() if line.isascii() else [*map(to_text, to_bytes(line).split())]


def _no_line(line: str, number: int, names: str) -> ValueError:
    if (what := text_format(to_bytes(line))) is not None:
        return ValueError(f"line {number}: {what}: {line.rstrip()!r}. A line is '{names}'")
    n_expected, n_fields = len(names.split()), len(_fields(line, number))
    return ValueError(
        f"line {number}: expected {n_expected} fields, found {n_fields}: {line.rstrip()!r}. A line is '{names}'"
    )


def _repeated_document(topic: str, document: str, number: int) -> AssertionError:
    return AssertionError(f"line {number}: document {document!r} occurs twice in topic {topic!r}; keep one of them")


def _score(text: str, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if score != score or "_" in text or not text.isascii():  # refuse nan, grouped digits and digits of other scripts
        raise ValueError(f"line {number}: the score {text!r} is not a decimal number such as 12.5 or 1e-3")
    return score


def _grade(text: str, number: int) -> int:
    if not re.fullmatch(r"[-+]?[0-9]+", text):
        raise ValueError(f"line {number}: the grade {text!r} is not a whole number; round it or map it to one")
    return int(text)


# Names of ir_measures that users look for here, with their equivalents.
_ELSEWHERE: Final = {
    "convert_trec_name": "irkit.ir_measures.convert_trec_name gives the measures of a name",
    "parse_trec_qrels": "parse_qrel reads qrels into dicts, irkit.ir_measures.read_trec_qrels into rows",
    "parse_trec_run": "parse_run reads a run into dicts, irkit.ir_measures.read_trec_run into rows",
}


def __getattr__(name: str) -> NoReturn:
    if name in _ELSEWHERE:
        # `from ... import` would replace the message of an AttributeError.
        raise ImportError(f"{__name__} has no {name!r}: {_ELSEWHERE[name]}", name=name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
