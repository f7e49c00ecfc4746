"""Names that mean something else in another library, where nothing in the name tells them apart."""

from collections.abc import Iterable
from typing import Final

from irkit.measures.measure import Measure

# What BEIR, and sentence-transformers, call Success at a cutoff.
ACCURACIES: Final = ("accuracy", "acc", "top_k_accuracy", "top_k_acc")


def other_readings(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Sentences about other meanings of these measure names elsewhere; empty if there are none.

    Accuracy with a cutoff and nothing else is also BEIR's name for Success.
    """
    alike = [
        measure for measure in measures if measure.name == "Accuracy" and dict(measure.params).keys() == {"cutoff"}
    ]
    if not alike:
        return ()
    names = ", ".join(map(str, alike))
    successes = ", ".join(str(Measure("Success")(cutoff=one.cutoff)) for one in alike)
    are = "is" if len(alike) == 1 else "are"
    return (
        f"{names} {are} that of ir_measures: of all pairs of a relevant and another document retrieved, the share with "
        f"the relevant one first. BEIR's {names} {are} {successes} here: whether a relevant document was retrieved",
    )
