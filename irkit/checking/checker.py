"""Check files one by one, then against each other."""

import os
from collections.abc import Callable, Iterable, Sequence

from irkit.checking.across_files import check_against_documents, check_against_qrels, check_against_topics
from irkit.checking.findings import CheckedFile, CheckReport
from irkit.checking.kinds import JUDGMENT_KINDS, Kind
from irkit.checking.looked import InspectedFile
from irkit.checking.one_file import InputFile, look
from irkit.checking.submission import SubmissionRules
from irkit.errors import UsageError
from irkit.evaluation.scoring import DEFAULT_MEASURES, Measures
from irkit.files.textio import STDIN
from irkit.measures import Measure, parse_measures

Path = str | os.PathLike[str]


def nothing(_: int) -> None:
    """Ignore progress."""


def check(
    files: Path | Iterable[Path] = (),
    *,
    runs: Iterable[Path] = (),
    qrels: Iterable[Path] = (),
    topics: Iterable[Path] = (),
    documents: Iterable[Path] = (),
    measures: Measures | None = None,
    rules: SubmissionRules | None = None,
    done: Callable[[int], None] = nothing,
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
    named = named_files(files, runs=runs, qrels=qrels, topics=topics, documents=documents)
    return checked(named, measures, rules or SubmissionRules(), done)


def named_files(files: Path | Iterable[Path], **kinds: Iterable[Path]) -> list[InputFile]:
    """Input files with their declared kinds."""
    found = [InputFile(os.fspath(path), "") for path in ([files] if isinstance(files, str | os.PathLike) else files)]
    found += [InputFile(os.fspath(path), "run" if kind == "runs" else kind) for kind in kinds for path in kinds[kind]]
    if not found:
        raise UsageError("there is no file to check; name one at least")
    seen: dict[str, InputFile] = {}
    for one in found:
        before = seen.setdefault(place_of(one.path), one)
        if before is not one:
            also = "" if before.name == one.name else f", also as {before.name}"
            raise UsageError(f"{one.name} is named twice{also}; name each file once")
    return found


def place_of(path: str) -> str:
    """Identity of a file, independent of its name."""
    try:
        return os.path.realpath("/dev/stdin" if path == STDIN else path)
    except (OSError, RuntimeError, ValueError):  # a name that cannot be
        return path


def chosen_measures(measures: Measures | None) -> Sequence[Measure]:
    """The measures to look at."""
    chosen = DEFAULT_MEASURES if measures is None else parse_measures(measures)
    for measure in chosen:
        measure.check_fits("qrels")
    return chosen


def check_topics_are_said(kinds: Iterable[Kind], rules: SubmissionRules) -> None:
    """Refuse rules that ask for all topics where no file says which these are."""
    if rules.all_topics and not {"topics", *JUDGMENT_KINDS}.intersection(kinds):
        raise UsageError("no file says which topics there are, and all-topics asks for each; name the topics, or qrels")


def checked(
    named: Sequence[InputFile], measures: Measures | None, rules: SubmissionRules, done: Callable[[int], None]
) -> CheckReport:
    """The report about files of which each is named once; arguments as `check` takes them."""
    chosen = chosen_measures(measures)
    looked = []
    for one in named:
        looked.append(look(one))
        looked[-1].is_sound = not looked[-1].found.has_error
        done(1)
    _hold_together(looked, chosen, rules, own_measures=measures is not None)
    findings = [one for file in looked for one in file.found.in_order()]
    return CheckReport(tuple(CheckedFile(one.name, one.kind, one.holds) for one in looked), tuple(findings))


def _hold_together(
    looked: Sequence[InspectedFile], measures: Sequence[Measure], rules: SubmissionRules, *, own_measures: bool
) -> None:
    runs, judged, topics, corpora = (
        [one for one in looked if one.kind in kinds]
        for kinds in (("run",), JUDGMENT_KINDS, ("topics",), ("documents",))
    )
    corpora = [one for one in corpora if one.is_sound]  # of a broken one only the beginning is known
    required = topics or judged
    check_topics_are_said((one.kind for one in looked), rules)
    for run in runs:
        rules.check(run, sorted({topic for one in required for topic in one.topics}))
        for other in judged:
            check_against_qrels(run, other, measures, own_measures=own_measures)
    for one in (*runs, *judged):
        for other in topics:
            check_against_topics(one, other)
        if corpora:
            check_against_documents(one, corpora)
