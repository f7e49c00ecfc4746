"""trec_eval's own names for measures: its nicknames, and the order in which it prints."""

from typing import Final

from irkit.measures.family import Family, TrecName
from irkit.measures.table import FAMILIES

BY_TREC_NAME: Final[dict[str, tuple[Family, TrecName]]] = {
    trec.name: (family, trec) for family in FAMILIES.values() for trec in family.trec
}

# Lines of text among the measures.
TEXTS: Final = {
    "runid": "what the last line of the run calls it",
    "relstring": "the grades of the first documents (10, or as many as named), a sign each: 0 to 9, '>' for more, "
    "'-' not in the pool, '.' pooled and not judged; only for each topic",
}

_PREFS: Final = (
    *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair"),
    *("prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret"),
    *("prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
)
_BY_GROUP: Final = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg")

PRINT_ORDER: Final = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *("iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
    *("binG", "G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
    *(*_PREFS, *_BY_GROUP),
    *("yaap", "rbp", "rbp_resid", "unj"),
)

# Names that trec_eval has not and is asked for, each with the one that it is printed behind.
BEYOND: Final = {"recip_rank_cut": "recip_rank"}

_COUNTS: Final = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_OFFICIAL: Final = (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")

NICKNAMES: Final = {
    "official": _OFFICIAL,
    "all_trec": (
        *(*_OFFICIAL, "relstring", "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility", "11pt_avg"),
        *("ndcg", "relative_P", "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G"),
        *("set_P", "set_recall", "set_relative_P", "set_map", "set_F", "num_nonrel_judged_ret"),
    ),
    "set": (*_COUNTS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "prefs": ("runid", "num_q", *_PREFS[:6]),
    "all_prefs": ("runid", "num_q", *_PREFS),
    "qrels_jg": ("runid", "num_q", *_BY_GROUP),
}

# What trec_eval 9 does not have.
SINCE_10: Final = ("rbp", "rbp_resid", "unj")
# What is printed for all topics only.
SUMMARY_ONLY: Final = ("runid", "num_q", "gm_map", "gm_bpref")
