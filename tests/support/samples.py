"""Small cases that several test files look at."""

from hypothesis import strategies as st

from irkit.data.judgments.subtopics import SubtopicQrels
from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.judged import judge
from irkit.judged.subtopics import judge_subtopics
from irkit.measures import FAMILIES, Measure, parse_measures

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


def plain(name):
    """The measure with nothing but what it cannot do without."""
    measure = Measure(name)
    measure = measure(**measure.family.examples())
    return measure @ (3 if measure.family.at == "cutoff" else 0.5) if measure.family.needs_cutoff else measure


def chosen(measure, parameter):
    """What a parameter of the measure is, or was if nothing was said; None where it has no such parameter."""
    return (measure.family.defaults() | dict(measure.params)).get(parameter)


def by_trec_name(names):
    """Each measure by what trec_eval prints when asked for these names, parameters as they are written."""
    named = {}
    for name in names:
        base, _, given = name.partition(".")
        for measure in parse_measures(name):
            if base in ("iprec_at_recall", "Rprec_mult"):
                level = chosen(measure, "recall" if base == "iprec_at_recall" else "mult")
                named[f"{base}_{level:.2f}"] = measure
            elif measure.cutoff is not None:
                named[f"{base}_{measure.cutoff}"] = measure
            else:
                named[f"{base}_{given}" if given else base] = measure
    return named


def taking(parameter):
    return [plain(name) for name, family in PLAIN.items() if parameter in family.defaults()]


# The measures of plain qrels.
PLAIN = {name: family for name, family in FAMILIES.items() if "qrels" in family.judgments}
# What trec_eval itself has over plain qrels, but for runid and relstring, which are text.
TREC_NAMES = tuple(trec.name for family in PLAIN.values() for trec in family.trec if trec.printed)

# At least one measure of each family over plain qrels, and every parameter at least once.
SAMPLES = (
    *map(plain, PLAIN),
    *(plain(name) @ 2 for name, family in PLAIN.items() if family.cutoff == "optional"),
    *(measure(judged_only=True) for measure in taking("judged_only")),
    *(measure(judged_only=True) @ 2 for measure in taking("judged_only") if measure.family.cutoff == "optional"),
    *(measure(rel=2) for measure in taking("rel")),
    *(measure(dcg="exp-log2") for measure in taking("dcg")),
    *(measure(gains={0: 0, 1: 3, 2: 9, 3: 4.5}) for measure in taking("gains")),
    Measure("nDCG")(gains={1: 2, 2: 1}) @ 3,
    Measure("DCG")(gains={1: 0.5}),
    *(measure(p=0.5) for measure in taking("p")),
    *(measure(max_rel=5) for measure in taking("max_rel")),
    Measure("ERR")(max_rel=4, judged_only=True) @ 3,
    *(measure(stop="linear") for measure in taking("stop")),
    *(measure(min_rel=1) for measure in taking("min_rel")),
    *(measure(T=1.5) for measure in taking("T")),
    *(plain("INST")(of=of) for of in ("ETU", "EC", "ETC", "ED")),
    *(plain(name)(of="ETU") for name in ("SDCG", "TBG", "IFT_C2")),
    *(measure(residual=True) for measure in taking("residual")),
    plain("NERR10")(of="ED", residual=True),
    plain("BPM")(hb=1, hc=2, gain_med=0.25),
    *(measure(beta=2) for measure in taking("beta")),
    *(measure(base=2) @ 3 for measure in taking("base")),
    Measure("AP")(capped=True) @ 2,
    Measure("Compat")(normalize=False),
    Measure("Compat")(depth=20),
    Measure("SetP")(relative=True),
    Measure("Rprec")(mult=0.4),
    Measure("IPrec") @ 0,
    Measure("IPrec")(rel=2) @ 1,
    Measure("AP11pt")(recalls=(0.25, 0.5, 0.75)),
    Measure("utility")(weights=(2, -1.5, -1, 0.25), collection=100),
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


def subtopic_qrels(lowest=-1, topics=TOPICS):
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(lowest, 3), min_size=1, max_size=8)
    subtopics = st.dictionaries(st.sampled_from(SUBTOPICS), grades, min_size=1)
    return st.dictionaries(st.sampled_from(topics), subtopics, min_size=1).map(lambda q: {"1": {"1": {"a": 1}}} | q)


def by_subtopic(run, qrels, **options):
    return judge_subtopics(Run.of(run), SubtopicQrels.of(qrels), **options)


SUBTOPICS = ["1", "2", "10", "é"]
# The same four topics by subtopic: section 1 too. Subtopic 0 holds what was judged not relevant.
SUBTOPIC_QRELS = {
    "T1": {"1": {"c": 2, "a": 1, "g": 1}, "2": {"a": 3, "e": 1}, "3": {"f": 3}, "0": {"b": 0, "d": 0}},
    "T2": {"1": {"k": 1, "i": 2}, "2": {"i": 1}, "3": {"h": 1}, "0": {"j": 0}},
    "T3": {"0": {"l": 0, "m": 0}},
    "T4": {"1": {"n": 1}},
}

# The measures of qrels by subtopic alone, and at least one of each, every parameter at least once.
DIVERSE = {name: family for name, family in FAMILIES.items() if family.judgments == ("subtopics",)}
SUBTOPIC_SAMPLES = (
    *map(plain, DIVERSE),
    *(plain(name)(judged_only=True) for name in DIVERSE),
    *(Measure(name) @ 2 for name, family in DIVERSE.items() if family.cutoff == "optional"),
    *(plain(name)(rel=2) for name, family in DIVERSE.items() if "rel" in family.defaults()),
    *(plain(name)(alpha=0.8) for name, family in DIVERSE.items() if "alpha" in family.defaults()),
    *(plain(name)(beta=0.25, judged_only=True) for name, family in DIVERSE.items() if "beta" in family.defaults()),
    *(plain(name)(gains={1: 0, 3: 2.5}) for name, family in DIVERSE.items() if "gains" in family.defaults()),
    *(
        plain(name)(probabilities={"1": 0.5, "2": 0.2, "10": 0.3, "é": 0}) @ 3
        for name, family in DIVERSE.items()
        if "probabilities" in family.defaults()
    ),
    *(plain(name)(gamma=0.2) for name, family in DIVERSE.items() if "gamma" in family.defaults()),
)


# G discounts by what was paid and not given back so far, so that a better document may come too early. A user who is
# satisfied sooner stops sooner, and may miss a good document that follows: gain per document then falls.
# EBR counts less of a document that comes earlier to a user who is satisfied before reaching the next relevant one.
NOT_MONOTONE = {
    "G",
    "EBR",
    "INST",
    "BPM",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "IFT_C1",
    "IFT_C2",
    "IFT_C1_C2",
    "EBU",
    "uUBM",
}


def is_gain_per_document(measure):
    """Whether it is in [0, 1]: not gain in all, cost or depth, nor a residual, of a user who may find more by less."""
    return chosen(measure, "of") in (None, "EU") and not chosen(measure, "residual")
