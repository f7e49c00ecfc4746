"""Topics that a run had better not answer."""

from irkit.data.runs import Run
from irkit.fusion import abstain
from irkit.retrieval.ranking import note_of_topics


def above(floor: float | None, run: Run, evidence: Run | None = None) -> tuple[Run, tuple[str, ...]]:
    """The run without topics whose best score is below a floor, and the note that names them."""
    if floor is None:
        return run, ()
    kept = abstain(run, run if evidence is None else evidence, floor)
    answered = set(kept.topics)
    silent = [topic for topic in run.topics if topic not in answered]
    return kept, note_of_topics(silent, f"abstained from, since no document scores {floor:g}")
