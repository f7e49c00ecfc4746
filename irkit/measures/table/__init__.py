"""The one table of measures, in print order, by subject: help, names, command line and tests are read from it."""

from typing import Final

from irkit.measures.family import Family
from irkit.measures.table import clicks, counts, diversity, graded, grouped, preferences, ranked, sampled, sets, users

SUBJECTS: Final[dict[str, tuple[Family, ...]]] = {
    "graded gain": graded.FAMILIES,
    "models of users": users.FAMILIES,
    "click models": clicks.FAMILIES,
    "where the relevant documents stand": ranked.FAMILIES,
    "what was found, in whatever order": sets.FAMILIES,
    "counts, and how much was judged": counts.FAMILIES,
    "diversity": diversity.FAMILIES,
    "sampled judgments": sampled.FAMILIES,
    "qrels of several judges": grouped.FAMILIES,
    "preferences": preferences.FAMILIES,
}

# Measures that users define are added to it.
FAMILIES: Final[dict[str, Family]] = {family.name: family for families in SUBJECTS.values() for family in families}
