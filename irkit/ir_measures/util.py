"""ir_measures.util: its types and readers, for scripts that import them from there."""

from typing import NoReturn

from irkit.ir_measures import (
    CalcResults,
    GenericQrel,
    GenericScoredDoc,
    Metric,
    Qrel,
    ScoredDoc,
    convert_trec_name,
    parse_measure,
    parse_trec_measure,
    parse_trec_qrels,
    parse_trec_run,
    read_trec_qrels,
    read_trec_run,
)
from irkit.ir_measures.elsewhere import missing

__all__ = [
    "CalcResults",
    "GenericQrel",
    "GenericScoredDoc",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "convert_trec_name",
    "parse_measure",
    "parse_trec_measure",
    "parse_trec_qrels",
    "parse_trec_run",
    "read_trec_qrels",
    "read_trec_run",
]


def __getattr__(name: str) -> NoReturn:
    raise missing(__name__, name)
