"""Judgments of whatever kind: read as the measures need them, and what a run is judged into by each."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from irkit.errors import UsageError
from irkit.judged import Judged
from irkit.qrels import JudgmentKind, QrelsSource
from irkit.textio import shown

if TYPE_CHECKING:
    from irkit.fractional_qrels import FractionalQrels
    from irkit.grouped_qrels import GroupedQrels
    from irkit.judged_groups import JudgedGroups
    from irkit.judged_preferences import JudgedPreferences
    from irkit.judged_prels import JudgedPrels
    from irkit.judged_strata import JudgedStrata
    from irkit.judged_subtopics import JudgedSubtopics
    from irkit.preferences import Preferences
    from irkit.prels import Prels
    from irkit.qrels import Qrels
    from irkit.strata import Strata
    from irkit.subtopic_qrels import SubtopicQrels

AnyJudgments: TypeAlias = "Qrels | FractionalQrels | SubtopicQrels | Strata | Prels | GroupedQrels | Preferences"
AnyJudged: TypeAlias = "Judged | JudgedSubtopics | JudgedStrata | JudgedPrels | JudgedGroups | JudgedPreferences"
JudgmentsSource: TypeAlias = "QrelsSource | AnyJudgments | Judgments"


class _Home(NamedTuple):
    """Where a kind of judgments is read and judged: `module:name`, loaded when it is asked for."""

    of: str
    judge: str


_HOMES: Final[dict[JudgmentKind, _Home]] = {
    "qrels": _Home("qrels:Qrels.of", "judged:judge"),
    "fractional": _Home("fractional_qrels:FractionalQrels.of", "judged_fractional:judge_fractional"),
    "subtopics": _Home("subtopic_qrels:SubtopicQrels.of", "judged_subtopics:judge_subtopics"),
    "strata": _Home("strata:Strata.of", "judged_strata:judge_strata"),
    "prels": _Home("prels:Prels.of", "judged_prels:judge_prels"),
    "qrels_jg": _Home("grouped_qrels:read_qrels_jg", "judged_groups:judge_groups"),
    "prefs": _Home("preferences:read_prefs", "judged_preferences:judge_preferences"),
}


def _at(home: str) -> Any:
    module, _, names = home.partition(":")
    found: Any = import_module(f"irkit.{module}")
    for name in names.split("."):
        found = getattr(found, name)
    return found


def judge_as(kind: JudgmentKind) -> Callable[..., AnyJudged]:
    """The function that finds the documents of a run judged in this way; called as `irkit.judge`."""
    function: Callable[..., AnyJudged] = _at(_HOMES[kind].judge)
    return function


def _is_by_subtopic(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping is `{topic: {subtopic: {document: grade}}}`, by the first of each."""
    inner = next(iter(source.values()), None)
    return isinstance(inner, Mapping) and isinstance(next(iter(inner.values()), None), Mapping)


class Judgments:
    """Where judgments come from, and what was read of them: each kind that a measure needs, once.

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
        elif isinstance(source, Mapping):
            self.kinds = ("subtopics",) if _is_by_subtopic(source) else ("qrels", "fractional", "strata", "prels")
        else:
            self.kinds = ("qrels", "fractional", "subtopics")

    def of(self, kind: JudgmentKind) -> AnyJudgments:
        """The judgments as this kind.

        Raises
        ------
        FormatError
            If they cannot be read so.
        UsageError
            If they come through a pipe, and another kind was read of it.
        """
        if kind not in self._known:
            if self._known and isinstance(self._source, str | os.PathLike) and not Path(self._source).is_file():
                raise UsageError(f"{shown(self._source)} can be read only once; name a file for judgments of two kinds")
            self._known[kind] = _at(_HOMES[kind].of)(self._source)
        return self._known[kind]
