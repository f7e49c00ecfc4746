"""Faults of judgments that say more than a grade: sampled ones, and preferences."""

from typing import Any, Final

from irkit._utils.text import counted
from irkit.checking.encoding import quoted
from irkit.checking.findings import FindingCollector
from irkit.checking.qrels import data_lines
from irkit.data.judgments.document_lines import DocumentForm
from irkit.data.judgments.group_lines import PREFS
from irkit.data.judgments.preferences import Preferences
from irkit.data.judgments.prels import FORM as PRELS_FORM
from irkit.data.judgments.prels import MTC
from irkit.data.judgments.strata import FORM as STRATA_FORM
from irkit.errors import FormatError
from irkit.ids import to_text

_SAMPLED: Final[dict[str, DocumentForm[Any]]] = {"strata": STRATA_FORM, "prels": PRELS_FORM}


def check_sampled(data: bytes, kind: str, findings: FindingCollector) -> tuple[list[bytes], int]:
    """Findings about judgments sampled by stratum or with known probabilities; their topics, and how many they are."""
    form = _SAMPLED[kind]
    at_document, at_says = form.fields.index("document"), [form.fields.index(name) for name in form.says]
    first: dict[tuple[bytes, bytes], tuple[int, Any]] = {}
    n_dropped = 0
    for number, line, fields in data_lines(data, findings):
        if len(fields) != len(form.fields):
            _say_malformed(line, len(fields), form.line, form.called, number, findings)
            continue
        try:
            said = form.read([to_text(fields[at]) for at in at_says])
        except ValueError as problem:
            findings.add("bad-judgment", str(problem), number)
            continue
        n_dropped += said is None
        if said is None:
            continue
        key = fields[0], fields[at_document]
        if key in first:
            _say_twice(f"topic {quoted(key[0])}", key[1], (number, said), first[key], key[0], findings)
        else:
            first[key] = number, said
    if not first and not findings.has_error:
        findings.add("empty-file", f"no judgment but {counted(n_dropped, 'line')} that the measures pass over")
    if first and kind == "prels" and all(said.method == MTC for _, said in first.values()):
        findings.add("empty-file", "no topic has a document that was drawn: the method is 0 throughout")
    return sorted({topic for topic, _ in first}), len(first)


def check_preferences(data: bytes, findings: FindingCollector) -> tuple[list[bytes], int]:
    """Findings about preferences; their topics, and how many judgments they are."""
    first: dict[tuple[bytes, ...], tuple[int, float]] = {}
    table: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for number, line, fields in data_lines(data, findings):
        if len(fields) != len(PREFS.ids) + 1:
            _say_malformed(line, len(fields), PREFS.line, "preferences", number, findings)
            continue
        *ids, text = fields
        try:
            level = PREFS.read(to_text(text))
        except ValueError:
            findings.add("bad-judgment", f"the level {quoted(text)} is no {PREFS.takes}", number)
            continue
        key = tuple(ids)
        topic, group, sub, document = map(to_text, key)
        if key in first:
            _say_twice(PREFS.called((topic, group, sub)), key[3], (number, level), first[key], key[0], findings)
            continue
        first[key] = number, level
        table.setdefault(topic, {}).setdefault(group, {}).setdefault(sub, {})[document] = level
    for topic, groups in table.items():
        for group, subgroups in groups.items():
            try:
                Preferences.from_dict({topic: {group: subgroups}})
            except FormatError as problem:
                findings.add("contradictory-preferences", problem.fault, topic=topic)
    return sorted({key[0] for key in first}), len(first)


def _say_malformed(line: bytes, n_fields: int, form: str, called: str, number: int, findings: FindingCollector) -> None:
    findings.add(
        "malformed-line",
        f"{counted(n_fields, 'field')} where {called} have {len(form.split())}, '{form}': {quoted(line.strip())}",
        number,
    )


def _say_twice(
    where: str,
    document: bytes,
    here: tuple[int, Any],
    before: tuple[int, Any],
    topic: bytes,
    findings: FindingCollector,
) -> None:
    what = f"document {quoted(document)} is judged twice in {where}, first in line {before[0]}"
    if here[1] == before[1]:
        findings.add("repeated-judgment", f"{what}, alike", here[0], to_text(topic))
    else:
        findings.add("conflicting-judgments", f"{what}, otherwise", here[0], to_text(topic))
