"""Small cases that several test files look at."""

from hypothesis import strategies as st

from irkit.judged import judge
from irkit.measures import FAMILIES, Measure
from irkit.qrels import Qrels
from irkit.runs import Run

# Four topics of spec/measures.md, section 1: T1 and T2 as usual, T3 without a relevant document, T4 not in the run.
QRELS = {
    "T1": {"c": 2, "a": 3, "b": 0, "e": 1, "d": 0, "f": 3, "g": 1},
    "T2": {"k": 1, "i": 2, "j": 0, "h": 1},
    "T3": {"l": 0, "m": 0},
    "T4": {"n": 1},
}
RANKED = {"T1": list("cxabedy"), "T2": list("kij"), "T3": list("lzm")}


def judged(run, qrels, **options):
    return judge(Run.of(run), Qrels.of(qrels), **options)


def one_topic(ranked, missed=()):
    """One topic: the grade at each rank (None: not judged), and the grades of judged documents not retrieved."""
    names = [f"d{place}" for place in range(len(ranked))]
    grades = {name: grade for name, grade in zip(names, ranked, strict=True) if grade is not None}
    grades.update({f"m{place}": grade for place, grade in enumerate(missed)})
    return judged({"q": names}, {"q": grades})


# At least one measure of each family, and every parameter at least once.
SAMPLES = (
    *(Measure(name) @ 3 if family.needs_cutoff else Measure(name) for name, family in FAMILIES.items()),
    *(Measure(name) @ 2 for name, family in FAMILIES.items() if family.cutoff == "optional"),
    *(Measure(name)(judged_only=True, cutoff=2) for name in ("nDCG", "DCG", "RR", "AP", "P", "R", "Success")),
    *(Measure(name)(judged_only=True) for name in ("Rprec", "RBP", "ERR", "SetP", "SetF")),
    *(
        Measure(name)(rel=2)
        for name, family in FAMILIES.items()
        if "rel" in family.defaults() and not family.needs_cutoff
    ),
    *(Measure(name)(rel=2) @ 3 for name, family in FAMILIES.items() if family.needs_cutoff),
    Measure("nDCG")(dcg="exp-log2"),
    Measure("nDCG")(gains={0: 0, 1: 3, 2: 9, 3: 4.5}) @ 3,
    Measure("DCG")(dcg="exp-log2") @ 3,
    Measure("DCG")(gains={1: 0.5}),
    Measure("RBP")(p=0.9, max_rel=4),
    Measure("ERR")(max_rel=5) @ 3,
    Measure("SetF")(beta=2),
)

DOCUMENTS = [*"abcdefghij", "B", "10", "9", "é"]
TOPICS = ["1", "10", "2", "q"]


def runs(topics=TOPICS):
    # few scores, so that ties are common
    scores = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 1.0, 1.5, 2.0, -1.0]), max_size=12)
    return st.dictionaries(st.sampled_from(topics), scores, min_size=1).map(lambda run: {"1": {"a": 0.5}} | run)


def qrels(lowest=-1, topics=TOPICS):
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(lowest, 4), min_size=1, max_size=12)
    return st.dictionaries(st.sampled_from(topics), grades, min_size=1).map(lambda qrels: {"1": {"a": 1}} | qrels)
