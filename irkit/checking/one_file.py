"""Check one file: detect its kind, and find its faults."""

from typing import Final, NamedTuple

from irkit import _kernel
from irkit._kernel.columns import LineFault
from irkit._utils.options import option
from irkit.checking.detect import FORMS, found_in, kind_of, way_on
from irkit.checking.encoding import (
    DATA_LINE,
    Content,
    content_in,
    content_of,
    look_at_encoding,
    look_at_signs,
    numbered,
)
from irkit.checking.findings import FindingCollector, many
from irkit.checking.judgments import check_preferences, check_sampled
from irkit.checking.kinds import CALLED, JUDGMENT_KINDS, Kind
from irkit.checking.looked import InspectedFile, can_be_read_again
from irkit.checking.qrels import check_clean, check_passed_over, check_rows, check_size, is_by_subtopic, parsed, rows_of
from irkit.checking.runs import check_run, line_at
from irkit.checking.topics import check_documents, check_topics
from irkit.data.beir import as_trec_lines, is_beir
from irkit.errors import FormatError, UsageError
from irkit.files.textio import BYTE_ORDER_MARK, reading, shown
from irkit.ids import to_bytes

_MEASURED: Final = {"subtopics": "alpha_nDCG@20", "strata": "infNDCG", "prels": "statAP", "prefs": "prefs_simp"}


class InputFile(NamedTuple):
    """Input file: path, declared kind, and its bytes if they cannot be read again."""

    path: str
    kind: str
    raw: bytes | None = None
    called: str = ""

    @property
    def name(self) -> str:
        """The file as messages call it."""
        return self.called or shown(self.path)


def look(named: InputFile) -> InspectedFile:
    """Check one file as its declared kind, or as the detected kind."""
    path, said, raw, _ = named
    findings = FindingCollector(named.name)
    is_again = raw is None and not said and can_be_read_again(path)
    if said == "documents" or (is_again and first_kind(path) == "documents"):
        looked = InspectedFile(path, "documents", findings, Content(b""))
        looked.documents = check_documents(path, findings)
        looked.holds = many(len(looked.documents), "document") if looked.documents else ""
        return looked
    content = content_of(path, findings) if raw is None else content_in(raw, findings)
    if not content.whole:
        return InspectedFile(path, told(said), findings, content)
    looked = InspectedFile(path, told(said) if said else kind_of(content.data), findings, content)
    if not DATA_LINE.search(content.data):
        what = {"run": "the run file", "qrels": "the qrels file", "topics": "the topics file"}.get(said, "the file")
        findings.add("empty-file", f"{what} is empty" if not content.data.strip() else f"{what} holds no line of data")
    elif looked.kind == "unknown":
        findings.add(
            "unknown-format",
            found_in(content.data),
            fix=way_on(content.data) or f"write it in a form that is known, or convert it (irkit convert): {FORMS}",
        )
    else:
        _look_at_data(looked, said)
    return looked


def _look_at_data(looked: InspectedFile, said: str) -> None:
    """Check the lines of a file; one finding alone if no line has the declared kind."""
    seen = kind_of(looked.content.data)
    if said == "qrels" and seen in JUDGMENT_KINDS:
        looked.kind = seen
    before = len(looked.found.findings)
    if looked.kind == "run":
        look_at_signs(looked.content, looked.found, ids_only=True)
        _look_at_run(looked)
    elif looked.kind == "topics":
        look_at_signs(looked.content, looked.found, ids_only=False)
        ids = check_topics(looked.content.data, looked.found)
        looked.topics = sorted(map(to_bytes, ids))
        looked.holds = many(len(ids), "topic")
    elif looked.kind == "documents":
        raise documents_come_once(looked.name)
    else:
        look_at_signs(looked.content, looked.found, ids_only=True)
        _look_at_judgments(looked)
    if said and not looked.topics and seen not in ("unknown", looked.kind):
        del looked.found.findings[before:]
        looked.found.add("wrong-kind", f"given as {CALLED[told(said)]}, and looks like {CALLED[seen]}")
        looked.holds = ""


def documents_come_once(name: str) -> UsageError:
    """Error about documents that were not named as documents and cannot be read again."""
    return UsageError(
        f"{name} holds documents, which can be read once only; give it as documents ({option(documents='FILE')})"
    )


def first_kind(path: str) -> Kind:
    """Detect the kind from the beginning of a file; `unknown` if unreadable."""
    try:
        with reading(path) as stream:
            return kind_of(stream.read(1 << 16).removeprefix(BYTE_ORDER_MARK))
    except FormatError:
        return "unknown"


def told(said: str) -> Kind:
    """The declared kind; `unknown` if none was given."""
    return next((kind for kind in CALLED if kind == said), "unknown")


def _look_at_run(looked: InspectedFile) -> None:
    survey = looked.survey = _kernel.survey_run(looked.content.data)
    check_run(looked.content.data, survey, looked.found)
    looked.topics = survey.topics
    unread = survey.start[survey.kind <= LineFault.MOVED].tolist()
    looked.unread = {field for start in unread for field in line_at(looked.content.data, start).split(None, 1)[:1]}
    looked.holds = f"{many(len(survey.topics), 'topic')}, {many(survey.n_rows, 'document')}"


def _look_at_judgments(looked: InspectedFile) -> None:
    """Qrels, or judgments that say more, which their lines tell."""
    data, found = looked.content.data, looked.found
    look_at_encoding(looked.content, found)
    if looked.kind == "qrels" and is_beir(data):
        found.add("beir-qrels", "three columns under a line that names them")
        data = as_trec_lines(data)
    if looked.kind == "qrels" and (columns := parsed(data)) is not None:
        looked.columns, looked.topics = columns, columns.topics
        n = len(columns.documents)
        check_clean(columns, looked.content, found)
    else:
        n = _look_at_lines(looked, data)
        check_passed_over(looked.content.data, found)
    check_size(looked.content, found)
    looked.content = looked.content._replace(data=data)  # whose lines other files are held against
    if looked.kind != "qrels":
        found.add(
            "other-judgments",
            f"these are {CALLED[looked.kind]}, for measures such as {_MEASURED[looked.kind]}",
        )
    looked.holds = f"{many(len(looked.topics), 'topic')}, {many(n, 'judgment')}"


def _look_at_lines(looked: InspectedFile, data: bytes) -> int:
    """Judgments line by line; how many there are."""
    found = looked.found
    if looked.kind == "prefs":
        looked.topics, n = check_preferences(data, found)
        looked.unread = _unread(data, found)
    elif looked.kind in ("strata", "prels"):
        looked.topics, n = check_sampled(data, looked.kind, found)
        looked.unread = _unread(data, found)
    else:
        rows = rows_of(data, found)
        looked.unread = _unread(data, found)
        by_subtopic = is_by_subtopic(rows)
        looked.kind = "subtopics" if by_subtopic else "qrels"
        check_rows(rows, looked.unread, found, by_subtopic=by_subtopic)
        looked.topics, n = sorted({row.topic for row in rows}), len(rows)
    return n


def _unread(data: bytes, findings: FindingCollector) -> set[bytes]:
    """The topics of lines that are an error, of which no judgment was read."""
    lines = {finding.line for finding in findings.findings if finding.line is not None and finding.severity == "error"}
    if not lines:
        return set()
    return {field for number, line in numbered(data) if number in lines for field in line.split(None, 1)[:1]}
