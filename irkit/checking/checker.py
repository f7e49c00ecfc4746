"""Files looked at one by one, then held against each other."""

import os
import pathlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from irkit.archives import COMPRESSED
from irkit.checking.content import Content, content_of
from irkit.checking.findings import CheckedFile, CheckReport, Found, Repaired
from irkit.checking.kinds import JUDGMENT_KINDS
from irkit.checking.looked import Looked, can_be_read_again
from irkit.checking.looking import Named, look, told
from irkit.checking.repairs import Wishes, repaired
from irkit.checking.submission import SubmissionRules
from irkit.checking.together import check_against_documents, check_against_qrels, check_against_topics
from irkit.errors import UsageError
from irkit.measures import Measure, parse_measures
from irkit.scoring import DEFAULT_MEASURES, Measures
from irkit.textio import STDIN, write_bytes

Path = str | os.PathLike[str]


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
    rules: SubmissionRules | None = None,
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
    rules : SubmissionRules, optional
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
        If there is no file, one is named twice, or the rules ask for all topics and no file says which.
    MeasureError
        If a measure does not exist, or needs other judgments than qrels.
    """
    named = _named(files, runs=runs, qrels=qrels, topics=topics, documents=documents)
    return _checked(named, measures, rules or SubmissionRules(), done)


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
    rules: SubmissionRules | None = None,
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
    rules : SubmissionRules, optional
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
    rules, wishes = rules or SubmissionRules(), Wishes(tag, decimal_commas)
    mendable = [one for one in named if one.kind != "documents"]
    if out is not None:
        _check_out(os.fspath(out), mendable)
    elif piped := next((one for one in mendable if _is_pipe(one.path)), None):
        raise UsageError(f"{piped.name} has no name for its copy; say where it goes with --out")
    copies, repairs = [], []
    for one in named:
        content = content_of(one.path, Found(one.name)) if one in mendable else Content(b"", whole=False)
        data, its = repaired(content, told(one.kind), rules, wishes)
        target = os.fspath(out) if out is not None else f"{one.path}.fixed"
        if target.endswith(COMPRESSED):
            its = tuple(repair for repair in its if repair.code != "compressed-file")
        if not data or (not its and out is None):
            copies.append(one)
            repairs.append(Repaired(one.name, "", ()))
            continue
        write_bytes(target, data)
        is_pipe = not can_be_read_again(target)
        copies.append(Named(target, one.kind, data if is_pipe else None, "standard output" if is_pipe else ""))
        repairs.append(Repaired(one.name, copies[-1].name, its))
    report = _checked(copies, measures, rules, done)
    return replace(report, repaired=tuple(one for one, file in zip(repairs, named, strict=True) if file in mendable))


def _named(files: Path | Iterable[Path], **kinds: Iterable[Path]) -> list[Named]:
    """The files with the kinds that they are said to be.

    Raises
    ------
    UsageError
        If there is none, or one is named twice.
    """
    found = [Named(os.fspath(path), "") for path in ([files] if isinstance(files, str | os.PathLike) else files)]
    found += [Named(os.fspath(path), "run" if kind == "runs" else kind) for kind in kinds for path in kinds[kind]]
    if not found:
        raise UsageError("there is no file to check; name one at least")
    for place, one in enumerate(found):
        if any(other.path == one.path for other in found[:place]):
            raise UsageError(f"{one.name} is named twice; name each file once")
    return found


def _is_pipe(path: str) -> bool:
    there = path == STDIN or pathlib.Path(path).exists()
    return there and not can_be_read_again(path) and not pathlib.Path(path).is_dir()


def _check_out(out: str, mendable: Sequence[Named]) -> None:
    if len(mendable) != 1:
        raise UsageError(f"--out takes the copy of one file, and there are {len(mendable)}; leave it out")
    source = mendable[0].path
    if out != STDIN and source != STDIN and os.path.realpath(out) == os.path.realpath(source):
        raise UsageError(f"{out} is the file itself, which stays as it is; name another one")


def _checked(
    named: Sequence[Named], measures: Measures | None, rules: SubmissionRules, done: Callable[[int], None]
) -> CheckReport:
    chosen = DEFAULT_MEASURES if measures is None else parse_measures(measures)
    for measure in chosen:
        measure.check_fits("qrels")
    looked = []
    for one in named:
        looked.append(look(one))
        looked[-1].is_sound = not looked[-1].found.has_error
        done(1)
    _hold_together(looked, chosen, rules, own_measures=measures is not None)
    findings = [one for file in looked for one in file.found.in_order()]
    return CheckReport(tuple(CheckedFile(one.name, one.kind, one.holds) for one in looked), tuple(findings))


def _hold_together(
    looked: Sequence[Looked], measures: Sequence[Measure], rules: SubmissionRules, *, own_measures: bool
) -> None:
    runs, judged, topics, corpora = (
        [one for one in looked if one.kind in kinds]
        for kinds in (("run",), JUDGMENT_KINDS, ("topics",), ("documents",))
    )
    corpora = [one for one in corpora if one.is_sound]  # of a broken one only the beginning is known
    required = topics or judged
    if rules.all_topics and not required:
        raise UsageError("no file says which topics there are; name the topics, or qrels")
    for run in runs:
        rules.check(run, sorted({topic for one in required for topic in one.topics}))
        for other in judged:
            check_against_qrels(run, other, measures, own_measures=own_measures)
    for one in (*runs, *judged):
        for other in topics:
            check_against_topics(one, other)
        if corpora:
            check_against_documents(one, corpora)
