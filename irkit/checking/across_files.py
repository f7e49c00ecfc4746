"""Faults between files: a run against its qrels, topics and documents."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from irkit._kernel.columns import RunSurvey
from irkit._utils.text import counted
from irkit.checking.encoding import numbered, quoted
from irkit.checking.kinds import Kind
from irkit.checking.looked import InspectedFile
from irkit.data.look_alikes import difference, look_alikes
from irkit.data.qrels import NO_JUDGMENTS, Qrels
from irkit.data.topic_matching import topic_hint
from irkit.evaluation.result import Evaluation, evaluation_of
from irkit.evaluation.tie_breaking import evaluation_of_ties
from irkit.ids import to_bytes, to_text
from irkit.judged import judge
from irkit.judged.no_overlap import PASSAGES, clues, clues_beside_judged
from irkit.measures import Measure
from irkit.rules import TREC_EVAL_9, TREC_EVAL_10, Conventions

_SHOWN = 3  # measures that a message names


def check_against_qrels(
    run: InspectedFile, judged: InspectedFile, measures: Sequence[Measure], *, own_measures: bool
) -> None:
    """Findings about a run and its judgments."""
    if _says_nothing(run) or _says_nothing(judged) or _are_strangers(run, judged):
        return
    _check_topic_ids(run, judged)
    known, answered, said = set(judged.topics), set(run.topics), _said_missing(run)
    for topic in judged.topics:
        if topic not in answered and topic not in run.unread and (name := to_text(topic)) not in said:
            run.found.add("missing-topic", f"topic {name!r} is judged in {judged.name}, and missing here", topic=name)
    for topic in run.topics:
        if topic not in known and topic not in judged.unread:
            name = to_text(topic)
            run.found.add("unjudged-topic", f"topic {name!r} has no judgments in {judged.name}", topic=name)
    if run.is_sound and judged.columns is not None and run.survey is not None:
        _check_values(run, run.survey, judged.qrels(), measures, own_measures=own_measures)


def _said_missing(looked: InspectedFile) -> set[str | None]:
    """Topics that are already reported as missing from the run."""
    return {finding.topic for finding in looked.found.findings if finding.code in ("required-topic", "missing-topic")}


def _says_nothing(looked: InspectedFile) -> bool:
    """Whether no topic of a file can be read, which its own errors say already."""
    return not looked.topics and not looked.is_sound


def _are_strangers(run: InspectedFile, other: InspectedFile) -> bool:
    """Whether two files have no topic in common, which is then all that there is to say."""
    if not run.topics or not other.topics:
        return False
    if {*run.topics, *run.unread} & {*other.topics, *other.unread}:
        return False
    run.found.add(
        "no-common-topic",
        f"no topic in common with {other.name}: here is {quoted(run.topics[0])}, there is {quoted(other.topics[0])}",
    )
    _check_topic_ids(run, other)
    return True


def _check_topic_ids(looked: InspectedFile, other: InspectedFile) -> None:
    """A finding where a rule would let more topics of two files meet."""
    if hint := topic_hint([to_text(topic) for topic in looked.topics], [to_text(one) for one in other.topics]):
        looked.found.add("look-alike-topic", f"topic ids differ from those of {other.name}: {hint}")


def _check_values(
    run: InspectedFile, survey: RunSurvey, qrels: Qrels, measures: Sequence[Measure], *, own_measures: bool
) -> None:
    judged = judge(run.source, qrels, rules=TREC_EVAL_10)
    if not judged.n_found:
        _check_ids(run, qrels, none_judged=True)
        return
    if not (run.content.data.isascii() and qrels.documents.data.isascii()) or PASSAGES in run.content.data:
        _check_ids(run, qrels, none_judged=False)
    conventions = Conventions()
    score = evaluation_of_ties if judged.has_ties else evaluation_of
    by_10 = score(judged, measures, conventions=conventions)
    run.found.forget("tied-scores")  # whether they matter is known now
    _check_ties(run, by_10)
    if own_measures or (survey.n_tied_float32 > survey.n_tied).any():
        by_9 = evaluation_of(judge(run.source, qrels, rules=TREC_EVAL_9), measures, conventions=conventions)
        _check_rules(run, by_10, by_9)


def _check_ties(run: InspectedFile, evaluation: Evaluation) -> None:
    if (ties := evaluation.tie_range) is None:
        return
    width = ties.highest - ties.lowest
    for place in np.flatnonzero((width > 1e-12).any(axis=1)).tolist():
        order = np.argsort(-width[place], kind="stable")
        widest = order[width[place, order] > 1e-12].tolist()
        lowest, highest = ties.lowest[place].tolist(), ties.highest[place].tolist()
        ranges = [
            f"{evaluation.measures[column]} between {_differing(lowest[column], highest[column])}"
            for column in widest[:_SHOWN]
        ]
        topic = evaluation.topics[place]
        run.found.add(
            "ties-move-measures",
            f"topic {topic!r}: {counted(int(ties.n_tied[place]), 'document')} in ties of unlike judgments could move "
            f"{_some(ranges, len(widest))}",
            topic=topic,
        )


def _check_rules(run: InspectedFile, by_10: Evaluation, by_9: Evaluation) -> None:
    for place, topic in enumerate(by_10.topics):
        pairs = zip(by_10.measures, by_9.values[place].tolist(), by_10.values[place].tolist(), strict=True)
        differing = [(measure, nine, ten) for measure, nine, ten in pairs if abs(nine - ten) > 1e-12]
        if differing:
            said = [f"{measure} {_differing(nine, ten)}" for measure, nine, ten in differing[:_SHOWN]]
            run.found.add(
                "rules-differ",
                f"topic {topic!r}, by trec_eval 9 and by 10: {_some(said, len(differing))}",
                topic=topic,
            )


def _differing(one: float, other: float) -> str:
    """Two values in as many digits as tell them apart."""
    digits = next((digits for digits in (4, 8, 12) if f"{one:.{digits}f}" != f"{other:.{digits}f}"), 16)
    return f"{one:.{digits}f} and {other:.{digits}f}"


def _some(texts: Sequence[str], n: int) -> str:
    more = n - len(texts)
    return ", ".join(texts) + (f", and {counted(more, 'other measure')}" if more else "")


def _check_ids(run: InspectedFile, qrels: Qrels, *, none_judged: bool) -> None:
    """Findings about the documents of a run that are not judged, which may be all."""
    pools = qrels.pools()
    pairs = [(topic, found, pools[topic]) for topic, found, _ in run.run().by_topic() if pools.get(topic)]
    if none_judged:
        topic, found, pool = pairs[0]
        run.found.add(
            "no-judged-document",
            f"no document is judged in {qrels.name}: for topic {topic!r} here is {next(iter(found))!r}, there is "
            f"{min(pool)!r}",
        )
    for clue in clues(pairs) if none_judged else clues_beside_judged(pairs):
        run.found.add(clue.code, clue.text)


def _continued(document: str, ids: Sequence[str]) -> str:
    """First sorted id that begins with this id; empty if none."""
    place = bisect_left(ids, document)
    return ids[place] if place < len(ids) and ids[place] != document and ids[place].startswith(document) else ""


def check_against_topics(looked: InspectedFile, topics: InspectedFile) -> None:
    """Check the topics of a run or of judgments against the topics file."""
    if not topics.topics or _says_nothing(looked) or _are_strangers(looked, topics):
        return
    _check_topic_ids(looked, topics)
    asked, known = set(topics.topics), set(looked.topics)
    for topic in looked.topics if topics.is_sound else ():  # of broken topics not all are known
        if topic not in asked:
            name = to_text(topic)
            looked.found.add("unknown-topic", f"topic {name!r} is not in {topics.name}", topic=name)
    code, without = (
        ("unanswered-topic", "is missing here") if looked.kind == "run" else ("unjudged-topic", "has no judgments here")
    )
    said = _said_missing(looked)
    for topic in topics.topics:
        if topic not in known and topic not in looked.unread and (name := to_text(topic)) not in said:
            looked.found.add(code, f"topic {name!r} of {topics.name} {without}", topic=name)


def check_against_documents(looked: InspectedFile, corpora: Sequence[InspectedFile]) -> None:
    """Findings about documents of a run or of judgments that no corpus has."""
    known: set[bytes] = set().union(*(corpus.documents for corpus in corpora))
    unknown = _documents(looked) - known - {to_bytes(NO_JUDGMENTS)}
    if not unknown:
        return
    names = ", ".join(corpus.name for corpus in corpora)
    ids = sorted(map(to_text, known))
    alike = dict(look_alikes(map(to_text, unknown), ids))
    seen: set[tuple[bytes, bytes]] = set()
    for number, line in numbered(looked.content.data):
        fields = line.split()
        document = _document_of(fields, looked.kind)
        if document in unknown and (fields[0], document) not in seen:
            seen.add((fields[0], document))
            whole = _continued(to_text(document), ids)
            cut = f", which has {whole!r}: cut off?" if whole else ""
            if other := alike.get(to_text(document)):
                cut = f", which has {other!r}: {difference(to_text(document), other, 'this', 'that')}"
            looked.found.add(
                "unknown-document", f"document {quoted(document)} is not in {names}{cut}", number, to_text(fields[0])
            )


def _documents(looked: InspectedFile) -> set[bytes]:
    if looked.kind == "run" and looked.is_sound:
        return set(looked.run().documents)
    if looked.columns is not None:
        return set(looked.columns.documents)
    return _of_lines(looked)


def _of_lines(looked: InspectedFile) -> set[bytes]:
    return {_document_of(line.split(), looked.kind) for _, line in numbered(looked.content.data)} - {b""}


def _document_of(fields: Sequence[bytes], kind: Kind) -> bytes:
    """Document id of a line; empty if the number of fields is wrong."""
    n, column = {"run": (6, 2), "prels": (5, 1), "prefs": (5, 3), "strata": (5, 2)}.get(kind, (4, 2))
    is_whole = len(fields) == n or (kind == "run" and len(fields) > n)
    return fields[column] if is_whole and not fields[0].startswith(b"#") else b""
