"""A small run, its worsened twin and their baseline, for the tests of the gate.

Four topics with one relevant document each, so that RR is 1 / its rank:

    topic   group   accepted    worsened
    q1      easy    rank 1: 1   rank 4: 0.25
    q2      easy    rank 1: 1   rank 2: 0.5
    q3      hard    rank 1: 1   rank 1: 1
    q4      hard    rank 2: 0.5 rank 1: 1
    RR      all     3.5 / 4 = 0.875     2.75 / 4 = 0.6875, less by 0.1875
            easy    1                   0.75 / 2 = 0.375, less by 0.625
            hard    0.75                1, more by 0.25
    P@1     all     3 / 4 = 0.75        2 / 4 = 0.5, less by 0.25
            easy    1                   0, less by 1
            hard    0.5                 1, more by 0.5
"""

from datetime import UTC, datetime

from irkit.gate import accept_baseline

ACCEPTED = {"q1": 1, "q2": 1, "q3": 1, "q4": 2}
WORSENED = {"q1": 4, "q2": 2, "q3": 1, "q4": 1}
TEXTS = {"q1": "rain tomorrow", "q2": "airport", "q3": "read aloud", "q4": "tide | table"}
GROUPS = {"q1": "easy", "q2": "easy", "q3": "hard", "q4": "hard"}
QRELS = {topic: {"right": 1, "wrong1": 0} for topic in ACCEPTED}
NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def ranked(ranks):
    """A run, as `{topic: [document, ...]}`, with the right document at these ranks; None returns only wrong ones."""
    return {
        topic: [f"wrong{n}" for n in range(1, rank or 5)] + ["right"] * bool(rank) + ["other"]
        for topic, rank in ranks.items()
    }


def write_run(path, ranks):
    lines = (
        f"{topic} Q0 {document} {place} {100 - place} tag\n"
        for topic, documents in ranked(ranks).items()
        for place, document in enumerate(documents, 1)
    )
    path.write_text("".join(lines))
    return path


def write_qrels(path, qrels=QRELS):
    path.write_text("".join(f"{topic} 0 {one} {grade}\n" for topic, its in qrels.items() for one, grade in its.items()))
    return path


def write_topics(path, texts=TEXTS, groups=GROUPS):
    topics = (
        f"<top>\n<num> {topic}\n<category> {groups[topic]}\n<title> {text}\n</top>\n" for topic, text in texts.items()
    )
    path.write_text("".join(topics))
    return path


def accept(path, ranks=ACCEPTED, **options):
    """Accept a run with these ranks, as Ada did at noon; to rise is no more than a warning."""
    known = {"qrels": QRELS, "measures": ["RR", "P@1"], "why": "The first one", "who": "Ada", "now": NOON}
    known["fail_if_stale"] = False
    return accept_baseline(run=options.pop("run", ranked(ranks)), baseline=path, **(known | options))
