"""Files looked at one by one, then held against each other."""

import os
import pathlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from irkit import _kernel
from irkit.archives import COMPRESSED
from irkit.checking.content import DATA_LINE, Content, content_in, content_of, look_at_encoding, look_at_signs
from irkit.checking.findings import CheckedFile, CheckReport, Found, Repaired
from irkit.checking.judgments import check_preferences, check_sampled
from irkit.checking.kinds import CALLED, JUDGMENT_KINDS, Kind
from irkit.checking.looked import Looked
from irkit.checking.profile import Profile
from irkit.checking.qrels import check_clean, check_passed_over, check_rows, check_size, is_by_subtopic, parsed, rows_of
from irkit.checking.recognise import FORMS, found_in, kind_of
from irkit.checking.repairs import Wishes, repaired
from irkit.checking.runs import check_run
from irkit.checking.together import check_against_documents, check_against_qrels, check_against_topics
from irkit.checking.topics import check_documents, check_topics
from irkit.errors import FormatError, UsageError
from irkit.ids import to_bytes
from irkit.measures import Measure, parse_measures
from irkit.scoring import DEFAULT_MEASURES, Measures
from irkit.textio import BYTE_ORDER_MARK, STDIN, reading, shown, write_bytes

Path = str | os.PathLike[str]
_MEASURED: Final = {"subtopics": "alpha_nDCG@20", "strata": "infNDCG", "prels": "statAP", "prefs": "prefs_simp"}


def _nothing(_: int) -> None:
    """Whoever does not ask is not told how far the work is."""


def check(
    files: Path | Iterable[Path] = (),
    *,
    runs: Iterable[Path] = (),
    qrels: Iterable[Path] = (),
    topics: Iterable[Path] = (),
    documents: Iterable[Path] = (),
    measures: Measures | None = None,
    profile: Profile | None = None,
    done: Callable[[int], None] = _nothing,
) -> CheckReport:
    """Find every fault of files, each by itself and all against each other.

    Parameters
    ----------
    files : path or paths
        Runs, judgments, topics and documents in any order; what each is, its lines say. `-` is standard input.
    runs, qrels, topics, documents : paths
        Files that are said to be of this kind. Judgments of another kind than qrels are `qrels` too.
    measures : as `irkit.evaluate` takes them, optional
        Those that ties, and the rules of different versions of trec_eval, could change.
    profile : Profile, optional
        The rules of a submission, which every run is held to.
    done : callable, optional
        Called with 1 for each file that was looked at.

    Returns
    -------
    CheckReport
        Every run is held against all judgments, topics and documents; judgments against topics and documents.

    Raises
    ------
    UsageError
        If there is no file, one is named twice, or the profile asks for all topics and no file says which.
    MeasureError
        If a measure does not exist, or needs other judgments than qrels.
    """
    named = _named(files, runs=runs, qrels=qrels, topics=topics, documents=documents)
    return _checked(named, measures, profile or Profile(), done)


def mend(
    files: Path | Iterable[Path] = (),
    *,
    out: Path | None = None,
    tag: str | None = None,
    decimal_commas: bool = False,
    runs: Iterable[Path] = (),
    qrels: Iterable[Path] = (),
    topics: Iterable[Path] = (),
    documents: Iterable[Path] = (),
    measures: Measures | None = None,
    profile: Profile | None = None,
    done: Callable[[int], None] = _nothing,
) -> CheckReport:
    """Write repaired copies of files, and check these.

    Only what needs no guess is mended (`CODES` says what); the files themselves stay as they are. A copy is written
    where something was mended, or `out` names it.

    Parameters
    ----------
    files, runs, qrels, topics, documents, measures, done
        As `check` takes them. Documents are not mended.
    out : path, optional
        Where the copy of the only file goes that is to be mended; `-` is standard output. By default `FILE.fixed`.
    tag : str, optional
        The tag to write where tags are mixed or forbidden; of mixed tags the first if not given.
    decimal_commas : bool
        A comma in a score is a decimal point.
    profile : Profile, optional
        Rankings are cut to its `max_per_topic`.

    Returns
    -------
    CheckReport
        Of the copies, and of the files without one; with all repairs.

    Raises
    ------
    UsageError
        As `check`; if `out` is one of the files, or there are several to be mended, or standard input and no `out`.
    """
    named = _named(files, runs=runs, qrels=qrels, topics=topics, documents=documents)
    profile, wishes = profile or Profile(), Wishes(tag, decimal_commas)
    mendable = [one for one in named if one.kind != "documents"]
    if out is not None:
        _check_out(os.fspath(out), mendable)
    elif any(one.path == STDIN for one in named):
        raise UsageError("standard input has no name for its copy; say where it goes with --out")
    copies, repairs = [], []
    for one in named:
        content = content_of(one.path, Found(one.name)) if one in mendable else Content(b"", whole=False)
        data, its = repaired(content, _told(one.kind), profile, wishes)
        target = os.fspath(out) if out is not None else f"{one.path}.fixed"
        if target.endswith(COMPRESSED):
            its = tuple(repair for repair in its if repair.code != "compressed-file")
        if not data or (not its and out is None):
            copies.append(one)
            repairs.append(Repaired(one.name, "", ()))
            continue
        write_bytes(target, data)
        is_pipe = target == STDIN or not pathlib.Path(target).is_file()
        copies.append(_Named(target, one.kind, data if is_pipe else None, "standard output" if is_pipe else ""))
        repairs.append(Repaired(one.name, copies[-1].name, its))
    report = _checked(copies, measures, profile, done)
    return replace(report, repaired=tuple(one for one, file in zip(repairs, named, strict=True) if file in mendable))


class _Named(NamedTuple):
    """A file to look at: its path, what it was said to be, and its bytes where they cannot be read again."""

    path: str
    kind: str
    raw: bytes | None = None
    called: str = ""

    @property
    def name(self) -> str:
        return self.called or shown(self.path)


def _named(files: Path | Iterable[Path], **kinds: Iterable[Path]) -> list[_Named]:
    """The files with the kinds that they are said to be.

    Raises
    ------
    UsageError
        If there is none, or one is named twice.
    """
    found = [_Named(os.fspath(path), "") for path in ([files] if isinstance(files, str | os.PathLike) else files)]
    found += [_Named(os.fspath(path), "run" if kind == "runs" else kind) for kind in kinds for path in kinds[kind]]
    if not found:
        raise UsageError("there is no file to check; name one at least")
    for place, one in enumerate(found):
        if any(other.path == one.path for other in found[:place]):
            raise UsageError(f"{one.name} is named twice; name each file once")
    return found


def _check_out(out: str, mendable: Sequence[_Named]) -> None:
    if len(mendable) != 1:
        raise UsageError(f"--out takes the copy of one file, and there are {len(mendable)}; leave it out")
    source = mendable[0].path
    if out != STDIN and source != STDIN and os.path.realpath(out) == os.path.realpath(source):
        raise UsageError(f"{out} is the file itself, which stays as it is; name another one")


def _checked(
    named: Sequence[_Named], measures: Measures | None, profile: Profile, done: Callable[[int], None]
) -> CheckReport:
    chosen = DEFAULT_MEASURES if measures is None else parse_measures(measures)
    for measure in chosen:
        measure.check_fits("qrels")
    looked = []
    for one in named:
        looked.append(_look(one))
        looked[-1].is_sound = not looked[-1].found.has_error
        done(1)
    _hold_together(looked, chosen, profile, own_measures=measures is not None)
    findings = [one for file in looked for one in file.found.in_order()]
    return CheckReport(tuple(CheckedFile(one.name, one.kind, one.holds) for one in looked), tuple(findings))


def _look(named: _Named) -> Looked:
    """A file by itself, of the kind that it is said to be, or seen to be where that is empty."""
    path, said, raw, _ = named
    found = Found(named.name)
    if raw is not None:
        path = STDIN  # which is not read again
    elif said == "documents" or (not said and path != STDIN and _first_kind(path) == "documents"):
        looked = Looked(path, "documents", found, Content(b""))
        looked.documents = check_documents(path, found)
        looked.holds = _many(len(looked.documents), "document")
        return looked
    content = content_of(path, found) if raw is None else content_in(raw, found)
    if not content.whole:
        return Looked(path, _told(said), found, content)
    looked = Looked(path, _told(said) if said else kind_of(content.data), found, content)
    if not DATA_LINE.search(content.data):
        what = {"run": "the run file", "qrels": "the qrels file", "topics": "the topics file"}.get(said, "the file")
        found.add("empty-file", f"{what} is empty" if not content.data.strip() else f"{what} holds no line of data")
    elif looked.kind == "unknown":
        found.add(
            "unknown-format",
            found_in(content.data),
            fix=f"write it in a form that is known, or convert it (irkit convert): {FORMS}",
        )
    else:
        _look_at_data(looked, said)
    return looked


def _look_at_data(looked: Looked, said: str) -> None:
    """The lines of a file; one finding alone where it was said to be what none of them is."""
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
        looked.holds = _many(len(ids), "topic")
    elif looked.kind == "documents":
        raise UsageError("documents are read twice, and standard input only once; name a file")
    else:
        look_at_signs(looked.content, looked.found, ids_only=True)
        _look_at_judgments(looked)
    if said and not looked.topics and seen not in ("unknown", looked.kind):
        del looked.found.findings[before:]
        looked.found.add("wrong-kind", f"given as {CALLED[_told(said)]}, and looks like {CALLED[seen]}")
        looked.holds = ""


def _first_kind(path: str) -> Kind:
    try:
        with reading(path) as stream:
            return kind_of(stream.read(1 << 16).removeprefix(BYTE_ORDER_MARK))
    except FormatError:
        return "unknown"


def _told(said: str) -> Kind:
    return next((kind for kind in CALLED if kind == said), "unknown")


def _look_at_run(looked: Looked) -> None:
    survey = looked.survey = _kernel.survey_run(looked.content.data)
    check_run(looked.content.data, survey, looked.found)
    looked.topics = survey.topics
    looked.holds = f"{_many(len(survey.topics), 'topic')}, {_many(survey.n_rows, 'document')}"


def _many(n: int, thing: str) -> str:
    return f"{n:,} {thing}{'s' * (n != 1)}"


def _look_at_judgments(looked: Looked) -> None:
    """Qrels, or judgments that say more, which their lines tell."""
    data, found = looked.content.data, looked.found
    look_at_encoding(looked.content, found)
    if looked.kind == "qrels" and (columns := parsed(data)) is not None:
        looked.columns, looked.topics = columns, columns.topics
        n = len(columns.documents)
        check_clean(columns, looked.content, found)
    else:
        n = _look_at_lines(looked)
        check_passed_over(data, found)
    check_size(looked.content, found)
    if looked.kind != "qrels":
        found.add(
            "other-judgments",
            f"these are {CALLED[looked.kind]}, for measures such as {_MEASURED[looked.kind]}",
        )
    looked.holds = f"{_many(len(looked.topics), 'topic')}, {_many(n, 'judgment')}"


def _look_at_lines(looked: Looked) -> int:
    """Judgments line by line; how many there are."""
    data, found = looked.content.data, looked.found
    if looked.kind == "prefs":
        looked.topics, n = check_preferences(data, found)
    elif looked.kind in ("strata", "prels"):
        looked.topics, n = check_sampled(data, looked.kind, found)
    else:
        rows = rows_of(data, found)
        by_subtopic = is_by_subtopic(rows)
        looked.kind = "subtopics" if by_subtopic else "qrels"
        check_rows(rows, found, by_subtopic=by_subtopic)
        looked.topics, n = sorted({row.topic for row in rows}), len(rows)
    return n


def _hold_together(
    looked: Sequence[Looked], measures: Sequence[Measure], profile: Profile, *, own_measures: bool
) -> None:
    runs, judged, topics, corpora = (
        [one for one in looked if one.kind in kinds]
        for kinds in (("run",), JUDGMENT_KINDS, ("topics",), ("documents",))
    )
    corpora = [one for one in corpora if one.is_sound]  # of a broken one only the beginning is known
    required = topics or judged
    if profile.all_topics and not required:
        raise UsageError("no file says which topics there are; name the topics, or qrels")
    for run in runs:
        profile.check(run, sorted({topic for one in required for topic in one.topics}))
        for other in judged:
            check_against_qrels(run, other, measures, own_measures=own_measures)
    for one in (*runs, *judged):
        for other in topics:
            check_against_topics(one, other)
        if corpora:
            check_against_documents(one, corpora)
