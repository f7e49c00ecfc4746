"""Judgments of whatever kind: read as the measures need them, and what a run is judged into by each."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from irkit.judged import Judged
from irkit.qrels import JudgmentKind, QrelsSource

if TYPE_CHECKING:
    from irkit.grouped_qrels import GroupedQrels
    from irkit.judged_groups import JudgedGroups
    from irkit.judged_preferences import JudgedPreferences
    from irkit.preferences import Preferences
    from irkit.qrels import Qrels

AnyJudgments: TypeAlias = "Qrels | GroupedQrels | Preferences"
AnyJudged: TypeAlias = "Judged | JudgedGroups | JudgedPreferences"
JudgmentsSource: TypeAlias = "QrelsSource | AnyJudgments | Judgments"


class _Home(NamedTuple):
    """Where a kind of judgments is read and judged: `module:name`, loaded when it is asked for."""

    of: str
    judge: str


_HOMES: Final[dict[JudgmentKind, _Home]] = {
    "qrels": _Home("qrels:Qrels.of", "judged:judge"),
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


class Judgments:
    """Where judgments come from, and what was read of them: each kind that a measure needs, once.

    Parameters
    ----------
    source : path, mapping, table, iterable of objects, or judgments of one kind
        A file is read as each kind of judgments that is asked for; others have the kind that they are.

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
            self.kinds: tuple[JudgmentKind, ...] = (its,)
        elif isinstance(source, str | os.PathLike):
            self.kinds = tuple(_HOMES)
        else:
            self.kinds = ("qrels",)

    def of(self, kind: JudgmentKind) -> AnyJudgments:
        """The judgments as this kind.

        Raises
        ------
        FormatError
            If they cannot be read so.
        """
        if kind not in self._known:
            self._known[kind] = _at(_HOMES[kind].of)(self._source)
        return self._known[kind]
