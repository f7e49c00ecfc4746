"""Kinds of judgments: how each is read, and how a run is judged with it."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from irkit.data.from_tables import is_table
from irkit.data.qrels import JudgmentKind, QrelsSource
from irkit.errors import FormatError, UsageError
from irkit.files.textio import shown
from irkit.judged import Judged

if TYPE_CHECKING:
    from irkit.data.judgments.fractional import FractionalQrels
    from irkit.data.judgments.grouped import GroupedQrels
    from irkit.data.judgments.preferences import Preferences
    from irkit.data.judgments.prels import Prels
    from irkit.data.judgments.strata import Strata
    from irkit.data.judgments.subtopics import SubtopicQrels
    from irkit.data.qrels import Qrels
    from irkit.judged.groups import JudgedGroups
    from irkit.judged.preferences import JudgedPreferences
    from irkit.judged.prels import JudgedPrels
    from irkit.judged.strata import JudgedStrata
    from irkit.judged.subtopics import JudgedSubtopics

AnyJudgments: TypeAlias = "Qrels | FractionalQrels | SubtopicQrels | Strata | Prels | GroupedQrels | Preferences"
AnyJudged: TypeAlias = "Judged | JudgedSubtopics | JudgedStrata | JudgedPrels | JudgedGroups | JudgedPreferences"
JudgmentsSource: TypeAlias = "QrelsSource | AnyJudgments | Judgments"


# The kinds of judgments in words.
NEEDS: Final[dict[JudgmentKind, str]] = {
    "qrels": "plain qrels (read_qrels)",
    "fractional": "qrels with fractional grades (read_fractional_qrels)",
    "subtopics": "qrels by subtopic (read_subtopic_qrels)",
    "strata": "judgments sampled by stratum (read_strata)",
    "prels": "judgments sampled with known probabilities (read_prels)",
    "qrels_jg": "qrels with judgment groups (read_qrels_jg)",
    "prefs": "preferences (read_prefs or read_qrels_prefs)",
}


class _Home(NamedTuple):
    """Functions that read and judge a kind of judgments, as `module:name`, loaded when needed."""

    of: str
    judge: str


_HOMES: Final[dict[JudgmentKind, _Home]] = {
    "qrels": _Home("data.qrels:Qrels.of", "judged:judge"),
    "fractional": _Home("data.judgments.fractional:FractionalQrels.of", "judged.fractional:judge_fractional"),
    "subtopics": _Home("data.judgments.subtopics:SubtopicQrels.of", "judged.subtopics:judge_subtopics"),
    "strata": _Home("data.judgments.strata:Strata.of", "judged.strata:judge_strata"),
    "prels": _Home("data.judgments.prels:Prels.of", "judged.prels:judge_prels"),
    "qrels_jg": _Home("data.judgments.grouped:read_qrels_jg", "judged.groups:judge_groups"),
    "prefs": _Home("data.judgments.preferences:read_prefs", "judged.preferences:judge_preferences"),
}


def _at(home: str) -> Any:
    module, _, names = home.partition(":")
    found: Any = import_module(f"irkit.{module}")
    for name in names.split("."):
        found = getattr(found, name)
    return found


def judge_as(kind: JudgmentKind) -> Callable[..., AnyJudged]:
    """Return the function that judges a run with this kind of judgments; called as `irkit.judge`."""
    function: Callable[..., AnyJudged] = _at(_HOMES[kind].judge)
    return function


def _is_by_subtopic(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping is `{topic: {subtopic: {document: grade}}}`, by the first of each."""
    inner = next(iter(source.values()), None)
    return isinstance(inner, Mapping) and isinstance(next(iter(inner.values()), None), Mapping)


class Judgments:
    """A source of judgments; each kind that a measure needs is read once.

    Parameters
    ----------
    source : path, mapping, table, iterable of objects, or judgments of one kind
        A file is read as each kind of judgments that is asked for; a mapping as qrels by subtopic, or as each kind that
        says one thing of a document; a table and objects as qrels, with whole or fractional grades, or qrels by
        subtopic; plain qrels are fractional ones too; others have the kind that they are.

    Attributes
    ----------
    kinds : tuple of JudgmentKind
        What it can be read as.
    """

    def __init__(self, source: Any) -> None:
        # Asked of the type, since a table may have a column of that name.
        its: JudgmentKind | None = getattr(type(source), "kind", None)
        self._source = source
        self._known: dict[JudgmentKind, AnyJudgments] = {its: source} if its else {}
        if its:
            self.kinds: tuple[JudgmentKind, ...] = (its, "fractional") if its == "qrels" else (its,)
        elif isinstance(source, str | os.PathLike):
            self.kinds = tuple(_HOMES)
        elif isinstance(source, Mapping) and not is_table(source):
            self.kinds = ("subtopics",) if _is_by_subtopic(source) else ("qrels", "fractional", "strata", "prels")
        else:
            self.kinds = ("qrels", "fractional", "subtopics")

    def read(self, wanted: Mapping[JudgmentKind, Iterable[object]]) -> dict[JudgmentKind, AnyJudgments]:
        """Read the judgments as each kind that the measures need."""
        if len(wanted) > 1 and isinstance(self._source, Iterator):  # which gives its objects once
            self._source = list(self._source) or self._source
        found = {}
        for kind, measures in wanted.items():
            try:
                found[kind] = self.of(kind)
            except FormatError as problem:
                if len(wanted) == 1:
                    raise
                its = ", ".join(map(str, measures))
                remedy = f"It was read as {NEEDS[kind]}, for {its}; ask for the other measures without {its}"
                raise type(problem)(problem.place, f"{problem.message}. {remedy}", problem.line) from problem
        return found

    def of(self, kind: JudgmentKind) -> AnyJudgments:
        """Read the judgments as this kind."""
        if kind not in self._known:
            if self._known and isinstance(self._source, str | os.PathLike) and not Path(self._source).is_file():
                raise UsageError(f"{shown(self._source)} can be read only once; name a file for judgments of two kinds")
            self._known[kind] = _at(_HOMES[kind].of)(self._source)
        return self._known[kind]
