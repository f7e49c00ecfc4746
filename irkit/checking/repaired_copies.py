"""Write repaired copies of files; all requests are checked before the first write."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path as File
from typing import NamedTuple

from irkit._utils.options import option
from irkit.checking.checker import (
    Path,
    check_topics_are_said,
    checked,
    chosen_measures,
    named_files,
    nothing,
)
from irkit.checking.encoding import Content, content_in, content_of, raw_of
from irkit.checking.findings import CheckReport, FindingCollector, Repaired
from irkit.checking.kinds import JUDGMENT_KINDS
from irkit.checking.looked import can_be_read_again, comes_once
from irkit.checking.one_file import InputFile, documents_come_once, first_kind, told
from irkit.checking.repairs import RepairedText, repaired
from irkit.checking.run_repairs import RepairOptions
from irkit.checking.submission import SubmissionRules
from irkit.errors import FormatError, IrkitError, UsageError
from irkit.evaluation.scoring import Measures
from irkit.files.compression import COMPRESSED
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN, write_bytes


def mend(
    files: Path | Iterable[Path] = (),
    *,
    out: Path | None = None,
    tag: str | None = None,
    decimal_commas: bool = False,
    by_score: bool = False,
    runs: Iterable[Path] = (),
    qrels: Iterable[Path] = (),
    topics: Iterable[Path] = (),
    documents: Iterable[Path] = (),
    measures: Measures | None = None,
    rules: SubmissionRules | None = None,
    done: Callable[[int], None] = nothing,
) -> CheckReport:
    """Write repaired copies of files, and check these.

    Only what needs no guess is mended (`CODES` says what); the files themselves stay as they are, and so does every
    other file that is there. A copy is written where something was mended, or `out` names it; none before all
    that is asked was looked at.

    Parameters
    ----------
    files, runs, qrels, topics, documents, measures, done
        As `check` takes them. Documents are not mended.
    out : path, optional
        Where the copy of one file goes; `-` is standard output. That file is the run or the judgments among `files`
        and `runs`; of several the only one that has something to mend. By default each copy is `FILE.fixed`.
    tag : str, optional
        The tag to write where tags are mixed or forbidden; of mixed tags the first if not given.
    decimal_commas : bool
        A comma in a score is a decimal point.
    by_score : bool
        Where ranks contradict scores, the scores are meant; if not given, such topics stay as they are.
    rules : SubmissionRules, optional
        Rankings are cut to its `max_per_topic`.

    Returns
    -------
    CheckReport
        Of the copies, and of the files without one; with all repairs.

    Raises
    ------
    UsageError
        As `check`; if a copy would be written over a file that is read, or `FILE.fixed` is there and differs; if `out`
        is given and several files are to be mended, or cannot be written; if a copy of standard input has no name; if
        `tag` is not one word.
    """
    named = named_files(files, runs=runs, qrels=qrels, topics=topics, documents=documents)
    rules, wishes = rules or SubmissionRules(), RepairOptions(tag, decimal_commas, by_score)
    wishes.check(rules)
    chosen_measures(measures)
    copies: dict[str, _Copy] = {}
    for place, one in enumerate(named):
        is_corpus = not one.kind and can_be_read_again(one.path) and first_kind(one.path) == "documents"
        if one.kind == "documents" or is_corpus:
            continue
        if out is None and comes_once(one.path):
            raise UsageError(f"{one.name} has no name for its copy; say where it goes ({option(out='FILE')})")
        named[place], content = _read(one)
        copies[one.path] = _Copy(named[place], repaired(content, told(one.kind), rules, wishes))
        if copies[one.path].mended.kind == "documents":
            raise documents_come_once(one.name)
    check_topics_are_said((one.mended.kind for one in copies.values()), rules)
    if out is None:
        targets = {path: f"{path}.fixed" for path, one in copies.items() if one.mended.repairs and one.mended.data}
    else:
        the_one = _the_one(list(copies.values()), os.fspath(out))
        targets = {the_one.named.path: os.fspath(out)} if the_one.mended.data else {}
    check_apart((one.path for one in named), *targets.values())
    for path, target in targets.items():
        _check_target(target, copies[path], is_asked_for=out is not None)
    after, told_of = list(named), []
    for place, one in enumerate(named):
        if one.path in copies:
            copy = copies[one.path]
            after[place], its = _written(copy, targets.get(one.path))
            told_of.append(its)
    return replace(checked(after, measures, rules, done), repaired=tuple(told_of))


class _Copy(NamedTuple):
    """A file with its repairs."""

    named: InputFile
    mended: RepairedText

    @property
    def is_data(self) -> bool:
        """Whether it is a run or judgments."""
        return self.mended.kind == "run" or self.mended.kind in JUDGMENT_KINDS


def _read(file: InputFile) -> tuple[InputFile, Content]:
    """Read the text of a file; keep the bytes if it can be read only once."""
    findings = FindingCollector(file.name)
    if not comes_once(file.path):
        return file, content_of(file.path, findings)
    try:
        raw = raw_of(file.path)
    except FormatError:
        return file, Content(b"", whole=False)
    return file._replace(raw=raw), content_in(raw, findings)


def _the_one(copies: Sequence[_Copy], said: str) -> _Copy:
    """The only file to repair, whose copy is `said`."""
    found = [one for one in copies if one.named.kind in ("", "run")] or copies
    found = [one for one in found if one.is_data] or found
    if len(found) > 1:
        found = [one for one in found if one.mended.repairs] or found
    if len(found) != 1:
        names = ", ".join(one.named.name for one in found)
        raise UsageError(
            f"{said} takes the copy of one file, and there are {len(found)} ({names}); leave it out, or name "
            f"judgments and topics, which then stay as they are ({option(qrels='FILE')}, {option(topics='FILE')})"
        )
    return found[0]


def _check_target(target: str, copy: _Copy, *, is_asked_for: bool) -> None:
    """Refuse to overwrite an existing file that was not named."""
    if target == STDIN or is_asked_for or not os.path.lexists(target):
        return
    try:
        held = File(target)
        is_same = held.is_file() and not held.is_symlink() and held.read_bytes() == copy.mended.data
    except OSError:
        is_same = False
    if not is_same:
        raise UsageError(f"{target} is there already; remove it, or name another file ({option(out='FILE')})")


def _written(copy: _Copy, target: str | None) -> tuple[InputFile, Repaired]:
    """Write a copy if it has a name; return the file to check and the report of the repair."""
    source, mended = copy
    if target is None:
        return source, Repaired(source.name, "", (), mended.left)
    try:
        write_bytes(target, mended.data)
    except IrkitError as problem:  # a full disk
        raise UsageError(str(problem)) from problem
    is_compressed = target.endswith(COMPRESSED)
    repairs = tuple(repair for repair in mended.repairs if not (is_compressed and repair.code == "compressed-file"))
    kind = source.kind if mended.kind == "unknown" else mended.kind
    is_file = can_be_read_again(target)
    written = InputFile(target, kind, None if is_file else mended.data, "" if is_file else "standard output")
    return written, Repaired(source.name, written.name, repairs, mended.left)
