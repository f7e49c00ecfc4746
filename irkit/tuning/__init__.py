"""Tuning: parameters chosen by development topics, and tested on topics that did not choose them.

Whatever makes a run can be tuned; this room makes none.
"""

from irkit.tuning.axes import Interval, LearnedValues, ListedValues
from irkit.tuning.existing_runs import fusion_maker
from irkit.tuning.floors import LearnedFloor, learn_floor
from irkit.tuning.points import Point
from irkit.tuning.result import Fold, Marginal, Remark, Tuned
from irkit.tuning.score_table import Choice, FailedPoint
from irkit.tuning.search import tune
from irkit.tuning.space import Space
from irkit.tuning.splits import Folds, Nested, Part, Separate, Share, Split

__all__ = [
    "Choice",
    "FailedPoint",
    "Fold",
    "Folds",
    "Interval",
    "LearnedFloor",
    "LearnedValues",
    "ListedValues",
    "Marginal",
    "Nested",
    "Part",
    "Point",
    "Remark",
    "Separate",
    "Share",
    "Space",
    "Split",
    "Tuned",
    "fusion_maker",
    "learn_floor",
    "tune",
]
