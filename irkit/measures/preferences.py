"""Measures over preferences: how many of the judges' wishes the ranking fulfils.

A preference of one document to another is fulfilled if the first one stands above the second, or if it alone was
retrieved. Each measure comes in up to three forms: over all preferences, where those of two documents that were not
retrieved count as not fulfilled; `_ret` over those of two retrieved documents; `_imp` over those with one retrieved
document at least. All of them are trec_eval's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures.common import share
from irkit.measures.tally import Counts, Tally, tally

if TYPE_CHECKING:
    from irkit.judged_preferences import JudgedPreferences


def n_possible(judged: JudgedPreferences) -> PerTopic:
    """Preferences of all groups for each topic, shape (T,) (trec_eval's prefs_num_prefs_poss)."""
    counted = tally(judged)
    return counted.by_topic(_all(counted)[:, 1])


def n_fulfilled(judged: JudgedPreferences) -> PerTopic:
    """Preferences fulfilled for each topic, shape (T,) (trec_eval's prefs_num_prefs_ful)."""
    counted = tally(judged)
    return counted.by_topic(_all(counted)[:, 0])


def n_fulfilled_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Preferences of two retrieved documents fulfilled, shape (T,) (trec_eval's prefs_num_prefs_ful_ret)."""
    counted = tally(judged)
    return counted.by_topic(counted.retrieved[:, 0])


def n_findable(judged: JudgedPreferences, **_: object) -> npt.NDArray[np.int64]:
    """Preferences that a ranking could fulfil for each topic, shape (T,)."""
    return n_possible(judged).astype(np.int64)


def fulfilled(judged: JudgedPreferences) -> PerTopic:
    """Share of the preferences of all groups that are fulfilled, shape (T,), each in [0, 1]; 0 where there is none.

    References
    ----------
    trec_eval 10.0, measure prefs_simp.
    """
    counted = tally(judged)
    return _pooled(counted, _all(counted))


def fulfilled_retrieved(judged: JudgedPreferences) -> PerTopic:
    """As `fulfilled`, over preferences of two retrieved documents (trec_eval's prefs_simp_ret)."""
    counted = tally(judged)
    return _pooled(counted, counted.retrieved)


def fulfilled_implied(judged: JudgedPreferences) -> PerTopic:
    """As `fulfilled`, over preferences with a retrieved document (trec_eval's prefs_simp_imp)."""
    counted = tally(judged)
    return _pooled(counted, _seen(counted))


def by_pair(judged: JudgedPreferences) -> PerTopic:
    """Mean over pairs of documents of the share of the preferences about the pair that are fulfilled, shape (T,).

    A pair counts once, whichever groups have a preference about it; one of which neither was retrieved gives 0.

    References
    ----------
    trec_eval 10.0, measure prefs_pair.
    """
    pairs = tally(judged).pairs
    return share([pair.seen for pair in pairs], [pair.n_pairs for pair in pairs])


def by_pair_retrieved(judged: JudgedPreferences) -> PerTopic:
    """As `by_pair`, over pairs of two retrieved documents (trec_eval's prefs_pair_ret)."""
    pairs = tally(judged).pairs
    return share([pair.retrieved for pair in pairs], [pair.n_retrieved for pair in pairs])


def by_pair_implied(judged: JudgedPreferences) -> PerTopic:
    """As `by_pair`, over pairs with a retrieved document (trec_eval's prefs_pair_imp)."""
    pairs = tally(judged).pairs
    return share([pair.seen for pair in pairs], [pair.n_seen for pair in pairs])


def by_group(judged: JudgedPreferences) -> PerTopic:
    """Mean over judgment groups of the share of the group's preferences that are fulfilled, shape (T,).

    A group without preferences gives 0.

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg.
    """
    counted = tally(judged)
    return _mean_of_groups(counted, _all(counted))


def by_group_retrieved(judged: JudgedPreferences) -> PerTopic:
    """As `by_group`, over preferences of two retrieved documents (trec_eval's prefs_avgjg_ret)."""
    counted = tally(judged)
    return _mean_of_groups(counted, counted.retrieved)


def by_group_implied(judged: JudgedPreferences) -> PerTopic:
    """As `by_group`, over preferences with a retrieved document (trec_eval's prefs_avgjg_imp)."""
    counted = tally(judged)
    return _mean_of_groups(counted, _seen(counted))


def by_balanced_group(judged: JudgedPreferences) -> PerTopic:
    """As `by_group`, each group with as many documents that are not relevant (N, level 0) as relevant ones (R).

    Where N is smaller, R - N documents are added, below all that were retrieved; where it is larger, the first R in
    rank order are kept. trec_eval, which is followed, compares these R with the N documents too where the group has no
    sub-groups, so that 1 is out of reach there. A topic with a group that has no preference then is 0.

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_Rnonrel.
    """
    counted = tally(judged)
    return _mean_of_balanced(counted, counted.balanced)


def by_balanced_group_retrieved(judged: JudgedPreferences) -> PerTopic:
    """As `by_balanced_group`, R, N and preferences being those of retrieved documents.

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_Rnonrel_ret.
    """
    counted = tally(judged)
    return _mean_of_balanced(counted, counted.balanced_retrieved)


def _seen(counted: Tally) -> Counts:
    return counted.retrieved + counted.implied


def _all(counted: Tally) -> Counts:
    return np.column_stack([_seen(counted)[:, 0], _seen(counted)[:, 1] + counted.unseen])


def _pooled(counted: Tally, counts: Counts) -> PerTopic:
    return share(counted.by_topic(counts[:, 0]), counted.by_topic(counts[:, 1]))


def _mean_of_groups(counted: Tally, counts: Counts) -> PerTopic:
    n_groups = np.bincount(counted.topic, minlength=counted.n_topics)
    return share(counted.by_topic(share(counts[:, 0], counts[:, 1])), n_groups)


def _mean_of_balanced(counted: Tally, counts: Counts) -> PerTopic:
    without = counted.by_topic(counts[:, 1] == 0) > 0
    return np.where(without, 0.0, _mean_of_groups(counted, counts))
