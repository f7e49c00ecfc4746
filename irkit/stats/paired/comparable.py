"""Which measures of several evaluations can be compared."""

from collections.abc import Sequence

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure, parse_measures


def comparable_measures(
    evaluations: Sequence[Evaluation], wanted: Sequence[str | Measure] | None
) -> tuple[Measure, ...]:
    """The requested measures, or all, that every evaluation has and whose means can be compared.

    Counts, Judged and geometric means are left out.
    """
    shared = [
        measure
        for measure in evaluations[0].measures
        if all(measure in evaluation.measures for evaluation in evaluations)
    ]
    chosen = shared if wanted is None else parse_measures(wanted)
    for measure in chosen:
        if measure not in shared:
            raise UsageError(f"{measure} is not in every evaluation; {instead(str(measure), map(str, shared))}")
    compared = tuple(measure for measure in chosen if measure.compared)
    if not compared:
        given = ", ".join(map(str, chosen)) or "no measure"
        raise UsageError(f"{given}: no mean that can be compared; name a measure such as nDCG@10")
    return compared
