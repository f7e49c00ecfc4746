"""Findings, the files they belong to, and the report of a check."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from irkit.checking.codes import CODES, ORDER, SEVERITIES, Severity, remedy_of
from irkit.checking.kinds import Kind

_BYTE: Final = re.compile(r"(?<!\\)\\udc([89a-f][0-9a-f])")
_MOST_SPANS: Final = 20  # of lines that are named for the findings beyond these
MOST: Final = 10_000  # findings of one code in one file that are told one by one


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and where it is.

    Attributes
    ----------
    code : str
        A name in `irkit.checking.CODES`, which says more of it.
    file : str
        As it was named; `standard input` for `-`.
    line : int or None
        From 1, comments and blank lines included; None where it is about a topic or the whole file.
    topic : str or None
    message : str
        What was found.
    fix : str
        What to do about it.
    n : int
        For how many it stands. More than 1 only where a code has more than 10,000 findings in a file: the last one
        then stands for the rest, and its message says in which lines they are.
    """

    code: str
    file: str
    line: int | None
    topic: str | None
    message: str
    fix: str
    n: int = 1

    @property
    def severity(self) -> Severity:
        """Severity: `error`, `warning` or `note`."""
        return CODES[self.code].severity

    @property
    def place(self) -> str:
        """`file:line`, or the file."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON has it."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.file,
            "line": self.line,
            "topic": self.topic,
            "message": self.message,
            "fix": self.fix,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that was looked at.

    Attributes
    ----------
    name : str
        As it was named; `standard input` for `-`.
    kind : str
        `run`, `qrels` or another kind of judgments (see `irkit.data.qrels.JudgmentKind`), `topics`, `documents`, or
        `unknown`.
    holds : str
        What could be read of it: `2 topics, 5 documents`.
    """

    name: str
    kind: Kind
    holds: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that a repaired copy has.

    Attributes
    ----------
    code : str
        The fault that it mends.
    line : int or None
        Of the file as it was; None where it is about the whole.
    was, becomes : str
        The text before and after; an empty `becomes` is a line that is left out.
    n : int
        For how many it stands. More than 1 only where more than 10,000 lines of a file were mended alike.
    """

    code: str
    line: int | None
    was: str
    becomes: str
    n: int = 1


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repaired copy.

    Attributes
    ----------
    file : str
        The file that was repaired, which is as it was.
    out : str
        The copy; empty where nothing could be mended and none was written.
    repairs : tuple of Repair
    left : tuple of str
        What was left as it is, since mending it would be a guess.
    """

    file: str
    out: str
    repairs: tuple[Repair, ...]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Outcome of a check.

    Attributes
    ----------
    files : tuple of CheckedFile
        In the order in which they were named.
    findings : tuple of Finding
        By file, then by severity, code and line.
    repaired : tuple of Repaired
        The copies that were written, where that was asked for; `files` and `findings` are then about the copies.
    """

    files: tuple[CheckedFile, ...]
    findings: tuple[Finding, ...]
    repaired: tuple[Repaired, ...] = ()

    def count(self, severity: Severity) -> int:
        """Number of findings of this severity."""
        return sum(finding.n for finding in self.findings if finding.severity == severity)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes found, the worst first."""
        return tuple(sorted({finding.code for finding in self.findings}, key=ORDER.__getitem__))

    def passes(self, *, strict: bool = False) -> bool:
        """Whether there is no error; with `strict`, no warning either."""
        return not self.count("error") and not (strict and self.count("warning"))

    @property
    def summary(self) -> str:
        """`2 files: 1 error, 0 warnings, 3 notes`."""
        counts = ", ".join(many(self.count(severity), severity) for severity in SEVERITIES)
        return f"{many(len(self.files), 'file')}: {counts}"

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "files": [{"name": file.name, "kind": file.kind, "holds": file.holds} for file in self.files],
            "counts": {severity: self.count(severity) for severity in SEVERITIES},
            "findings": [finding.to_dict() for finding in self.findings],
            "repaired": [
                {
                    "file": copy.file,
                    "out": copy.out,
                    "repairs": [
                        {
                            "code": repair.code,
                            "line": repair.line,
                            "was": repair.was,
                            "becomes": repair.becomes,
                            "n": repair.n,
                        }
                        for repair in copy.repairs
                    ],
                    "left": list(copy.left),
                }
                for copy in self.repaired
            ],
        }


@dataclass(slots=True)
class FindingCollector:
    """Collect the findings of one file."""

    file: str
    findings: list[Finding] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)
    _beyond: dict[str, list[list[int]]] = field(
        default_factory=dict
    )  # by code, the first spans of lines; then the rest

    @property
    def has_error(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == "error" for finding in self.findings)

    def add(self, code: str, message: str, line: int | None = None, topic: str | None = None, fix: str = "") -> None:
        """One more finding."""
        self._counts[code] += 1
        if self._counts[code] > MOST:
            self._pass_over(code, line, line)
            return
        self.findings.append(Finding(code, self.file, line, topic, with_bytes(message), fix or remedy_of(code)))

    def forget(self, code: str) -> None:
        """Remove the findings of a code that another finding replaces."""
        self.findings = [finding for finding in self.findings if finding.code != code]
        self._counts.pop(code, None)
        self._beyond.pop(code, None)

    def add_lines(self, code: str, lines: npt.NDArray[np.int64], say: Callable[[int], str]) -> None:
        """Add a finding for each of these sorted lines; `say` gives the message by place in `lines`."""
        room = max(MOST - self._counts[code], 0)
        for place, line in enumerate(lines[:room].tolist()):
            self.findings.append(Finding(code, self.file, line, None, with_bytes(say(place)), remedy_of(code)))
        self._counts[code] += len(lines)
        rest = lines[room:]
        if len(rest):
            ends = np.flatnonzero(np.diff(rest) > 1)
            firsts, lasts = rest[np.append(0, ends + 1)], rest[np.append(ends, len(rest) - 1)]
            named = [*range(min(len(firsts), _MOST_SPANS + 1)), len(firsts) - 1]
            for first, last in zip(firsts[named].tolist(), lasts[named].tolist(), strict=True):
                self._pass_over(code, first, last)

    def _pass_over(self, code: str, first: int | None, last: int | None) -> None:
        spans = self._beyond.setdefault(code, [])
        if first is None or last is None:
            return
        if spans and (first <= spans[-1][1] + 1 or len(spans) > _MOST_SPANS):
            spans[-1][1] = last  # the last one but for its end says nothing where there are more
        else:
            spans.append([first, last])

    def in_order(self) -> list[Finding]:
        """All of them, the worst first, then by code and line."""
        rest = [
            Finding(
                code,
                self.file,
                spans[0][0] if spans else None,
                None,
                f"{self._counts[code] - MOST:,} more" + (f", in lines {_listed(spans)}" if spans else ""),
                remedy_of(code),
                self._counts[code] - MOST,
            )
            for code, spans in self._beyond.items()
        ]
        return [*sorted(self.findings, key=_order), *rest] if not rest else sorted([*self.findings, *rest], key=_order)


def many(n: int, thing: str) -> str:
    """`1 topic`, `2,000 topics`."""
    return f"{n:,} {thing}{'s' * (n != 1)}"


def with_bytes(message: str) -> str:
    """Show bytes that are not UTF-8 by their codes instead of surrogates."""
    return _BYTE.sub(r"\\x\1", message) if "\\udc" in message else message


def _order(finding: Finding) -> tuple[int, bool, int]:
    return ORDER[finding.code], finding.n > 1, finding.line or 0


def _listed(spans: Sequence[Sequence[int]]) -> str:
    texts = [f"{first}" if first == last else f"{first}-{last}" for first, last in spans[:_MOST_SPANS]]
    beyond = f" and others up to line {spans[-1][1]}" if len(spans) > _MOST_SPANS else ""
    return ", ".join(texts) + beyond
