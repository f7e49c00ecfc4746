"""Figures of the field, for papers and pages: charts of Altair (Vega-Lite), and the files that they are written to.

Each function takes results of irkit and returns a chart. Data stand in named datasets with fixed columns, which the
function's documentation lists; texts of files are data only, never names or expressions.
"""

from irkit.figures.categories import categories
from irkit.figures.contribution import contribution
from irkit.figures.curves import NUMBER, PRECISION_RECALL, RECALL, UNJUDGED, precision_recall, recall, unjudged
from irkit.figures.leaderboard import leaderboard
from irkit.figures.pictures import picture, to_spec, vega_bundle, write
from irkit.figures.significance import significance
from irkit.figures.theme import theme
from irkit.figures.topics import differences, scatter

__all__ = [
    "NUMBER",
    "PRECISION_RECALL",
    "RECALL",
    "UNJUDGED",
    "categories",
    "contribution",
    "differences",
    "leaderboard",
    "picture",
    "precision_recall",
    "recall",
    "scatter",
    "significance",
    "theme",
    "to_spec",
    "unjudged",
    "vega_bundle",
    "write",
]
