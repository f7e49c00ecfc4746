"""The record of an acceptance: who, when, why, repository state, versions."""

import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from irkit._utils.options import option
from irkit.errors import UsageError

KNOWN: Final = ("who", "when", "why", "commit", "dirty", "versions", "means")
_SECONDS: Final = 30
_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One move of a baseline.

    Attributes
    ----------
    who, why : str
    when : str
        In UTC, `2026-11-30T15:05:00Z`.
    commit : str or None
        Of the git repository in which the baseline's file is; None where there is none.
    dirty : tuple of str
        Files of the repository that were changed and not committed.
    versions : mapping of str to str
        Of irkit, its kernel, Python and NumPy.
    means : mapping of str to (float or None)
        The values that were accepted, by measure.
    """

    who: str
    when: str
    why: str
    commit: str | None = None
    dirty: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, float | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "dirty": list(self.dirty)}


@dataclass(frozen=True, slots=True)
class Repository:
    """State of the git repository around a file.

    Attributes
    ----------
    commit : str or None
        None where there is no repository, or no commit yet.
    changed : tuple of str
        Files that git follows and that differ from the commit, seen from the repository's folder, without the file
        itself.
    problem : str
        Why git cannot tell, though there is a repository; else empty.
    user : str
        Who commits there; empty where git does not know.
    """

    commit: str | None = None
    changed: tuple[str, ...] = ()
    problem: str = ""
    user: str = ""

    @property
    def dirty(self) -> tuple[str, ...]:
        """Changed files for the baseline's record, shortened if many; or the problem."""
        if self.problem:
            return (self.problem,)
        rest = len(self.changed) - _NAMED
        return self.changed if rest <= 0 else (*self.changed[:_NAMED], f"and {rest} more")

    @classmethod
    def around(cls, path: Path) -> "Repository":
        """The repository in which a file is, or is to be."""
        path = path.absolute()
        folder = next((one for one in path.parents if one.is_dir()), Path.cwd())
        inside = any((one / ".git").exists() for one in (folder, *folder.parents))
        try:
            user = _git(folder, "config", "--get", "user.name", or_empty=True)
            if not inside:
                return cls(user=user)
            top = Path(_git(folder, "rev-parse", "--show-toplevel"))
            # Untracked files do not count, as with `git describe --dirty`: no commit has them anyway. Nor do files
            # inside submodules, in each of which git would be led by a configuration of its own.
            listed = _git(folder, "status", *_STATUS, settings=_without_filters(folder))
            commit = _git(folder, "rev-parse", "--verify", "--quiet", "HEAD", or_empty=True)
        except (OSError, ValueError, subprocess.SubprocessError) as problem:
            said = getattr(problem, "stderr", None) or str(problem)
            return cls(problem=f"git cannot say whether {folder} is as committed: {said.strip()}") if inside else cls()
        names = [entry[3:] for entry in listed.split("\0") if entry]
        changed = tuple(name for name in names if (top / name).resolve() != path.resolve())
        return cls(commit or None, changed, user=user)


# A repository names programs for git to run, and it may be a stranger's.
_NO_PROGRAMS: Final = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
_OFF: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
_STATUS: Final = ("--porcelain", "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty", "-z")


def _without_filters(folder: Path) -> dict[str, str]:
    """Settings that turn off the programs through which the repository itself has its files read."""
    listed = _git(
        folder, "config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\..*\.", or_empty=True
    )
    entries = listed.split("\0")
    return {
        name: "false" if name.endswith(".required") else ""
        for scope, name in zip(entries[::2], entries[1::2], strict=False)
        if scope not in ("system", "global", "command")
    }


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of git with these settings, whose names may hold any sign here."""
    before = int(os.environ.get("GIT_CONFIG_COUNT", "0"))
    named = {
        f"GIT_CONFIG_{part}_{place}": text
        for place, setting in enumerate(settings.items(), before)
        for part, text in zip(("KEY", "VALUE"), setting, strict=True)
    }
    return {**os.environ, **_OFF, **named, "GIT_CONFIG_COUNT": str(before + len(settings))}


def _git(folder: Path, *words: str, or_empty: bool = False, settings: Mapping[str, str] | None = None) -> str:
    """Run git without programs of the repository, and return its output stripped."""
    done = subprocess.run(
        ["git", "-C", str(folder), *_NO_PROGRAMS, *words],
        env=_environment(settings or {}),
        capture_output=True,
        timeout=_SECONDS,
        check=not or_empty,
        encoding="utf-8",
        errors="surrogateescape",
        stdin=subprocess.DEVNULL,
    )
    return done.stdout if "-z" in words else done.stdout.strip(" \n")


def who_accepts(given: str | None, repository: Repository) -> str:
    """The given name, or git's user of the repository."""
    who = " ".join((repository.user if given is None else given).split())
    if not who:
        raise UsageError(
            f"a baseline says who accepted it; name them ({option(who='NAME')}), or tell git: git config user.name"
        )
    return who


def moment(now: datetime | None = None) -> str:
    """A time, or now, in UTC to the second."""
    return (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def versions_here() -> dict[str, str]:
    """Versions of the programs that compute the values."""
    import numpy as np

    from irkit import _kernel
    from irkit._version import __version__

    return {
        "irkit": __version__,
        "kernel": _kernel.NAME,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
