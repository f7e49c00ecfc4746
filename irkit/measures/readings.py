"""Names that mean something else in another library, where nothing in the name tells them apart."""

from typing import Final

from irkit.measures.measure import Measure

# What BEIR, and sentence-transformers, call Success at a cutoff.
ACCURACIES: Final = ("accuracy", "acc", "top_k_accuracy", "top_k_acc")


def other_reading(measure: Measure) -> str | None:
    """What a measure of this name is elsewhere, a sentence; None where it is the same everywhere.

    Accuracy with a cutoff and nothing else is also BEIR's name for Success.
    """
    if measure.name != "Accuracy" or dict(measure.params).keys() != {"cutoff"}:
        return None
    success = Measure("Success")(cutoff=measure.cutoff)
    return (
        f"{measure} is that of ir_measures: of all pairs of a relevant and another document retrieved, the share with "
        f"the relevant one first. BEIR's {measure} is {success} here: whether a relevant document was retrieved"
    )
