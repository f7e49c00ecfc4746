"""Names of ir_measures that irkit.ir_measures lacks, and their replacements."""

from typing import Final

_PROVIDER: Final = (
    "irkit.ir_measures computes every measure itself: iter_calc, calc_aggregate, calc, evaluator; "
    "register() makes irkit a provider of ir_measures"
)
_DEFINED: Final = "irkit.Measure.define makes a measure of one's own, of a function of judged documents"
# Names that only ir_measures has, with their replacement in irkit.
ELSEWHERE: Final = {
    **dict.fromkeys(("define", "define_byquery"), _DEFINED),
    **dict.fromkeys(
        (
            *("accuracy", "compat", "cwl_eval", "gdeval", "judged", "msmarco", "pyndeval", "pytrec_eval", "ranx"),
            *("runtime", "trectools", "DefaultPipeline", "Provider", "register", "registry", "FallbackProvider"),
            *("AccuracyProvider", "CompatProvider", "CwlEvalProvider", "PyNdEvalProvider", "PytrecEvalProvider"),
            *("JudgedProvider", "GdevalProvider", "TrectoolsProvider", "MsMarcoProvider", "RanxProvider"),
            "RuntimeProvider",
        ),
        _PROVIDER,
    ),
    "CwlMetric": "irkit.ir_measures.Metric has the value; 'irkit measures' lists the other measures of C/W/L by name",
    **dict.fromkeys(("MeanAgg", "SumAgg"), "the summary attribute of a measure says how its values become one"),
    "ParamInfo": "the family attribute of a measure has its parameters",
    "lazylibs": "pandas is imported by whoever hands over its tables",
    "QrelsConverter": "irkit.Qrels.of takes each of its forms, and to_dict gives a dict of dicts",
    "RunConverter": "irkit.Run.of takes each of its forms, and to_dict gives a dict of dicts",
}


def missing(module: str, name: str) -> Exception:
    """Make the error for a name that a module of the interface lacks.

    If ir_measures has the name, an ImportError that names the replacement in irkit; else an AttributeError.
    """
    if name in ELSEWHERE:
        # `from ... import` would replace the message of an AttributeError.
        return ImportError(f"{module} has no {name!r}: {ELSEWHERE[name]}", name=name)
    return AttributeError(f"module {module!r} has no {name!r}")
