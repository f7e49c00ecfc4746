"""Effectiveness measures: judged documents in, one value for each topic out."""

from irkit.measures.measure import Measure
from irkit.measures.names import parse_measure, parse_measures
from irkit.measures.table import FAMILIES, Family

nDCG = Measure("nDCG")  # noqa: N816 - the field's own spelling
DCG = Measure("DCG")
RR = Measure("RR")
AP = Measure("AP")
P = Measure("P")
R = Measure("R")
Success = Measure("Success")
Rprec = Measure("Rprec")
Bpref = Measure("Bpref")
RBP = Measure("RBP")
ERR = Measure("ERR")
SetP = Measure("SetP")
SetR = Measure("SetR")
SetF = Measure("SetF")
Judged = Measure("Judged")
NumQ = Measure("NumQ")
NumRet = Measure("NumRet")
NumRel = Measure("NumRel")
NumRelRet = Measure("NumRelRet")

__all__ = [
    "AP",
    "DCG",
    "ERR",
    "FAMILIES",
    "RBP",
    "RR",
    "Bpref",
    "Family",
    "Judged",
    "Measure",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "Rprec",
    "SetF",
    "SetP",
    "SetR",
    "Success",
    "nDCG",
    "parse_measure",
    "parse_measures",
]
