"""ir_measures.providers: irkit computes every measure itself, so only the evaluator is here."""

from typing import NoReturn

from irkit.ir_measures import Evaluator
from irkit.ir_measures.elsewhere import missing

__all__ = ["Evaluator"]


def __getattr__(name: str) -> NoReturn:
    raise missing(__name__, name)
