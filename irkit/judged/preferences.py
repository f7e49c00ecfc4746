"""The ranks of a run at which documents with preferences stand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.data.judgments.preferences import PreferenceGroup, Preferences
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import Run, RunSource, name_of
from irkit.ids import to_bytes
from irkit.judged import check_in_common, meet
from irkit.rules import TREC_EVAL_10, AverageOver, Conventions, Rules, rules_named


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class JudgedPreferences:
    """Preferences of T topics, and the ranks of their documents in a run.

    Attributes
    ----------
    topics : tuple of T str
        The topics averaged, in byte order.
    groups : tuple of T tuples of PreferenceGroup
        The preferences, in byte order of the groups.
    ranks : tuple of T mappings of str to int
        The rank, from 1, of each retrieved document that a preference is about. Equal scores stand in ascending byte
        order of the ids, unlike in `Judged`.
    n_retrieved : int64 array of shape (T,)
        Documents retrieved, judged or not.
    missing, unjudged, rules
        As in `Judged`.
    """

    kind: ClassVar[JudgmentKind] = "prefs"

    topics: tuple[str, ...]
    groups: tuple[tuple[PreferenceGroup, ...], ...]
    ranks: tuple[Mapping[str, int], ...]
    n_retrieved: npt.NDArray[np.int64]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    rules: Rules

    def __post_init__(self) -> None:
        freeze(self, "n_retrieved")

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.topics)

    @property
    def n_found(self) -> int:
        """Number of retrieved documents with a preference."""
        return sum(map(len, self.ranks))

    def cut(self, cutoff: int) -> "JudgedPreferences":
        """Copy with only the first `cutoff` ranks, 0 or more."""
        ranks = ({document: rank for document, rank in ranking.items() if rank <= cutoff} for ranking in self.ranks)
        return replace(self, ranks=tuple(ranks), n_retrieved=np.minimum(self.n_retrieved, cutoff))

    def judged_only(self) -> "JudgedPreferences":
        """Return the same object: unjudged documents are in no preference."""
        return self


def judge_preferences(
    run: RunSource,
    preferences: Preferences,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedPreferences:
    """Find the documents of a run that have preferences.

    Parameters
    ----------
    run : path, dict, pandas.DataFrame or Run
        Whatever `Run.of` takes.
    preferences : Preferences
    average, rules, name
        As `irkit.judge` takes them. With `trec_eval-9`, levels too are compared as 32-bit floats.

    Returns
    -------
    JudgedPreferences

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.

    References
    ----------
    trec_eval 10.0, form_prefs_counts.c.
    """
    Conventions(average)  # which refuses what it does not know
    rules, ranked = rules_named(rules), Run.of(run, name)
    check_in_common(ranked.topics, preferences.topics, run=name_of(run, name), judgments=preferences.name)
    return judged_preferences_of(ranked, preferences, average=average, rules=rules)


def judged_preferences_of(
    run: Run, preferences: Preferences, *, average: AverageOver, rules: Rules
) -> JudgedPreferences:
    """Make the result of `judge_preferences`; run and preferences may share no topic."""
    ranked = run.rounded_to_float32() if rules.float32_scores else run
    scored = {topic: list(zip(documents, scores, strict=True)) for topic, documents, scores in ranked.by_topic()}
    met = meet(scored, preferences.topics, average)
    groups_of, pools = dict(preferences.by_topic()), preferences.pools()
    ranks = []
    for topic in met.topics:
        ranking = sorted(scored.get(topic, []), key=lambda row: (-row[1], to_bytes(row[0])))
        ranks.append({document: rank for rank, (document, _) in enumerate(ranking, 1) if document in pools[topic]})
    return JudgedPreferences(
        met.topics,
        tuple(groups_of[topic] for topic in met.topics),
        tuple(ranks),
        np.array([len(scored.get(topic, [])) for topic in met.topics], dtype=np.int64),
        met.missing,
        met.unjudged,
        rules,
    )
