"""Figures of the field, for papers and pages: charts of Altair (Vega-Lite), and the files that they are written to.

Each function takes results of irkit and returns a chart. Data are in named datasets with fixed columns, listed in the
documentation of the function; texts from files are only data, never names or expressions.
"""

from irkit.report.figures.categories import categories
from irkit.report.figures.contribution import contribution
from irkit.report.figures.curves import NUMBER, PRECISION_RECALL, RECALL, UNJUDGED, precision_recall, recall, unjudged
from irkit.report.figures.leaderboard import leaderboard
from irkit.report.figures.pictures import picture, to_spec, vega_bundle, write
from irkit.report.figures.significance import significance
from irkit.report.figures.theme import theme
from irkit.report.figures.topics import differences, scatter

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
