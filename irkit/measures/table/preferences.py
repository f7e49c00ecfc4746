"""Measures over preferences."""

from collections.abc import Callable
from typing import Final

from irkit.judged import PerTopic
from irkit.measures import preferences
from irkit.measures.family import Family, Summary, TrecName


def _preference(name: str, function: Callable[..., PerTopic], help_: str, summary: Summary = "mean") -> Family:
    share = summary == "mean"
    return Family(
        name,
        function,
        help_,
        trec=(TrecName(name),),
        summary=summary,
        normalised=share,
        n_findable=preferences.n_findable,
        quality=share,
        judgments=("prefs",),
    )


FAMILIES: Final = (
    _preference("prefs_num_prefs_poss", preferences.n_possible, "preferences", "sum"),
    _preference("prefs_num_prefs_ful", preferences.n_fulfilled, "preferences fulfilled", "sum"),
    _preference(
        "prefs_num_prefs_ful_ret",
        preferences.n_fulfilled_retrieved,
        "preferences of two retrieved documents fulfilled",
        "sum",
    ),
    _preference("prefs_simp", preferences.fulfilled, "share of the preferences that are fulfilled"),
    _preference(
        "prefs_pair",
        preferences.by_pair,
        "mean over pairs of documents of the share of their preferences that are fulfilled",
    ),
    _preference(
        "prefs_avgjg",
        preferences.by_group,
        "mean over judgment groups of the share of preferences that are fulfilled",
    ),
    _preference(
        "prefs_avgjg_Rnonrel",
        preferences.by_balanced_group,
        "prefs_avgjg with as many documents not relevant as relevant ones",
    ),
    _preference("prefs_simp_ret", preferences.fulfilled_retrieved, "prefs_simp over pairs of retrieved documents"),
    _preference("prefs_pair_ret", preferences.by_pair_retrieved, "prefs_pair over pairs of retrieved documents"),
    _preference("prefs_avgjg_ret", preferences.by_group_retrieved, "prefs_avgjg over pairs of retrieved documents"),
    _preference(
        "prefs_avgjg_Rnonrel_ret",
        preferences.by_balanced_group_retrieved,
        "prefs_avgjg_Rnonrel over pairs of retrieved documents",
    ),
    _preference("prefs_simp_imp", preferences.fulfilled_implied, "prefs_simp over pairs with a retrieved document"),
    _preference("prefs_pair_imp", preferences.by_pair_implied, "prefs_pair over pairs with a retrieved document"),
    _preference("prefs_avgjg_imp", preferences.by_group_implied, "prefs_avgjg over pairs with a retrieved document"),
)
