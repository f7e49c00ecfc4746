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

if TYPE_CHECKING:
    from irkit.judged.preferences import JudgedPreferences
    from irkit.measures.preference_counts import Counts, Tally


def n_possible(judged: JudgedPreferences) -> PerTopic:
    """Preferences that there are, of all judgment groups.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where there is none. What was retrieved does not matter.

    Notes
    -----
    sum over judgment groups of the pairs of documents of which the group prefers one

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_num_prefs_poss = 8 + 3 = 11

    References
    ----------
    trec_eval 10.0, measure prefs_num_prefs_poss.
    """
    counted = _tally(judged)
    return counted.by_topic(_all(counted)[:, 1])


def n_fulfilled(judged: JudgedPreferences) -> PerTopic:
    """Preferences fulfilled, of all judgment groups.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing was retrieved.

    Notes
    -----
    sum over judgment groups of the preferences that the ranking fulfils

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_num_prefs_ful = 4 + 1 = 5

    References
    ----------
    trec_eval 10.0, measure prefs_num_prefs_ful.
    """
    counted = _tally(judged)
    return counted.by_topic(_all(counted)[:, 0])


def n_fulfilled_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Preferences of two retrieved documents fulfilled, of all judgment groups.

    Such a preference is fulfilled if the better document stands above the other.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing was retrieved.

    Notes
    -----
    sum over judgment groups of the preferences of two retrieved documents that the ranking fulfils

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_num_prefs_ful_ret = 1 + 1 = 2

    References
    ----------
    trec_eval 10.0, measure prefs_num_prefs_ful_ret.
    """
    counted = _tally(judged)
    return counted.by_topic(counted.retrieved[:, 0])


def n_findable(judged: JudgedPreferences, **_: object) -> npt.NDArray[np.int64]:
    """Preferences that a ranking could fulfil for each topic, shape (T,)."""
    return n_possible(judged).astype(np.int64)


def fulfilled(judged: JudgedPreferences) -> PerTopic:
    """Share of the preferences of all judgment groups that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.
    One of two documents that were not retrieved is not.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no preference, or nothing was retrieved.

    Notes
    -----
    (preferences fulfilled) / (preferences), each summed over the judgment groups

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_simp = (4 + 1) / (8 + 3) = 0.4545

    References
    ----------
    trec_eval 10.0, measure prefs_simp.
    """
    counted = _tally(judged)
    return _pooled(counted, _all(counted))


def fulfilled_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Share of the preferences of two retrieved documents that are fulfilled.

    Such a preference is fulfilled if the better document stands above the other.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no such preference.

    Notes
    -----
    (preferences fulfilled) / (preferences) of two retrieved documents, each summed over the judgment groups

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_simp_ret = (1 + 1) / (3 + 3) = 0.3333

    References
    ----------
    trec_eval 10.0, measure prefs_simp_ret.
    """
    counted = _tally(judged)
    return _pooled(counted, counted.retrieved)


def fulfilled_implied(judged: JudgedPreferences) -> PerTopic:
    """Share of the preferences with a retrieved document that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no such preference.

    Notes
    -----
    (preferences fulfilled) / (preferences) with a retrieved document, each summed over the judgment groups

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_simp_imp = (4 + 1) / (7 + 3) = 0.5000

    References
    ----------
    trec_eval 10.0, measure prefs_simp_imp.
    """
    counted = _tally(judged)
    return _pooled(counted, _seen(counted))


def by_pair(judged: JudgedPreferences) -> PerTopic:
    """Mean over pairs of documents of the share of the preferences about the pair that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.
    A pair counts once, whichever judgment groups have a preference about it.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no preference. A pair of which neither was retrieved
    gives 0.

    Notes
    -----
    mean over pairs of documents of (preferences about it fulfilled) / (preferences about it)

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_pair = (1 + 1 + 1 + 1) / 8 = 0.5000

    References
    ----------
    trec_eval 10.0, measure prefs_pair.
    """
    pairs = _tally(judged).pairs
    return share([pair.seen for pair in pairs], [pair.n_pairs for pair in pairs])


def by_pair_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Mean over pairs of retrieved documents of the share of the preferences about the pair that are fulfilled.

    A pair counts once, whichever judgment groups have a preference about it.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no preference of two retrieved documents.

    Notes
    -----
    mean over pairs of two retrieved documents of (preferences about it fulfilled) / (preferences about it)

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_pair_ret = (2/2 + 0/2 + 0/2) / 3 = 0.3333

    References
    ----------
    trec_eval 10.0, measure prefs_pair_ret.
    """
    pairs = _tally(judged).pairs
    return share([pair.retrieved for pair in pairs], [pair.n_retrieved for pair in pairs])


def by_pair_implied(judged: JudgedPreferences) -> PerTopic:
    """Mean over pairs with a retrieved document of the share of the preferences about the pair that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.
    A pair counts once, whichever judgment groups have a preference about it.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where there is no preference with a retrieved document.

    Notes
    -----
    mean over pairs with a retrieved document of (preferences about it fulfilled) / (preferences about it)

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_pair_imp = (1 + 1 + 1 + 1) / 7 = 0.5714

    References
    ----------
    trec_eval 10.0, measure prefs_pair_imp.
    """
    pairs = _tally(judged).pairs
    return share([pair.seen for pair in pairs], [pair.n_seen for pair in pairs])


def by_group(judged: JudgedPreferences) -> PerTopic:
    """Mean over judgment groups of the share of the group's preferences that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.
    One of two documents that were not retrieved is not.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group without preferences gives 0.

    Notes
    -----
    mean over judgment groups of (preferences fulfilled) / (preferences)

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_avgjg = (4/8 + 1/3) / 2 = 0.4167

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg.
    """
    counted = _tally(judged)
    return _mean_of_groups(counted, _all(counted))


def by_group_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Mean over judgment groups of the share of the preferences of two retrieved documents that are fulfilled.

    Such a preference is fulfilled if the better document stands above the other.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group without such preferences gives 0.

    Notes
    -----
    mean over judgment groups of (preferences fulfilled) / (preferences), of two retrieved documents

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_avgjg_ret = (1/3 + 1/3) / 2 = 0.3333

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_ret.
    """
    counted = _tally(judged)
    return _mean_of_groups(counted, counted.retrieved)


def by_group_implied(judged: JudgedPreferences) -> PerTopic:
    """Mean over judgment groups of the share of the preferences with a retrieved document that are fulfilled.

    A preference is fulfilled if the better document stands above the other, or if it alone was retrieved.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group without such preferences gives 0.

    Notes
    -----
    mean over judgment groups of (preferences fulfilled) / (preferences), with a retrieved document

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-: prefs_avgjg_imp = (4/7 + 1/3) / 2 = 0.4524

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_imp.
    """
    counted = _tally(judged)
    return _mean_of_groups(counted, _seen(counted))


def by_balanced_group(judged: JudgedPreferences) -> PerTopic:
    """Like prefs_avgjg, with equally many irrelevant (N, level 0) and relevant documents (R) in each group.

    Where N is smaller, R - N documents are added, below all that were retrieved; where it is larger, the first R in
    rank order are kept. trec_eval, which is followed, compares these R with the N documents too where the group has no
    sub-groups, so that 1 is out of reach there.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a topic with a group that then has no preference is 0.

    Notes
    -----
    mean over judgment groups of (fulfilled + found * (R - N)) / (preferences + R * (R - N)) where R >= N
    found: documents of the R that were retrieved; where R < N, preferences are counted after the others have gone

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-:
        prefs_avgjg_Rnonrel = ((4 + 2*1) / (8 + 3*1) + (1 + 2*1) / (3 + 2*1)) / 2 = 0.5727

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_Rnonrel.
    """
    counted = _tally(judged)
    return _mean_of_balanced(counted, counted.balanced)


def by_balanced_group_retrieved(judged: JudgedPreferences) -> PerTopic:
    """Like prefs_avgjg_Rnonrel, with R, N and preferences of the retrieved documents.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a topic with a group that then has no preference is 0.

    Notes
    -----
    mean over judgment groups of (fulfilled + found * (found - N)) / (preferences + R * (found - N)) where found >= N
    found, N: relevant documents and others retrieved; R: relevant ones, retrieved or not

    Examples
    --------
    Ranked 0/0 - 2/2 1/1, not retrieved 1/- 0/-:
        prefs_avgjg_Rnonrel_ret = ((1 + 2*1) / (3 + 3*1) + (1 + 2*1) / (3 + 2*1)) / 2 = 0.5500

    References
    ----------
    trec_eval 10.0, measure prefs_avgjg_Rnonrel_ret.
    """
    counted = _tally(judged)
    return _mean_of_balanced(counted, counted.balanced_retrieved)


def _tally(judged: JudgedPreferences) -> Tally:
    from irkit.measures.preference_counts import tally

    return tally(judged)


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
