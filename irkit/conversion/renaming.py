"""Replace ids that a TREC file cannot hold, and record the original ids."""

import re
from collections.abc import Sequence

from irkit.conversion.collection import SourceId
from irkit.errors import FormatError

N_LISTED = 20
_UNFIT = re.compile(r"[ \t\n\r\f\v\0]+")
_COMMENT = ("#", "\ufeff")  # a topic id stands first in its line, where these are no part of it


class Renaming:
    """New ids of documents or topics, keyed by old ids.

    An id that is text without white space stays. A number gets the prefix (0 becomes `D0`), so that nothing takes it
    for a number again; white space becomes `_`; signs that would begin a comment go from a topic id; an id that is
    missing or empty becomes the prefix and the place in the file, from 1. A new id that is taken already gets `_2`,
    `_3` ... behind it, in the order of the file.

    Attributes
    ----------
    new : dict
        New ids by the old ones that are known from the file, in its order.
    changed : list of (new, old)
    """

    def __init__(self, kind: str, prefix: str) -> None:
        self.kind = kind
        self.prefix = prefix
        self.new: dict[str, str] = {}
        self.changed: list[tuple[str, str]] = []
        self._taken: set[str] = set()
        self._unknown: dict[SourceId, str] = {}

    def settle(self, ids: Sequence[tuple[int, SourceId]], place: str) -> list[str]:
        """Choose new ids for ids given with their lines."""
        self._refuse_repeated(ids, place)
        self._taken.update(identifier.text for _, identifier in ids if identifier.text and not self._unfit(identifier))
        settled = []
        for number, (line, identifier) in enumerate(ids, 1):
            new = self._named(identifier, number)
            if identifier.text:
                self.new[identifier.text] = new
            else:  # judgments may call it by its new id
                self.new.setdefault(new, new)
            try:
                new.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as problem:
                raise FormatError(place, f"the {self.kind} id {new!r} holds half a character", line) from problem
            settled.append(new)
        return settled

    def of(self, identifier: SourceId) -> tuple[str, bool]:
        """Return the new id for an id in the judgments, and whether the file holds that id."""
        if identifier.text in self.new:
            return self.new[identifier.text or ""], True
        if identifier not in self._unknown:
            new = self._named(identifier, 0)
            self._taken.add(new)
            self._unknown[identifier] = new
        return self._unknown[identifier], False

    def _unfit(self, identifier: SourceId) -> bool:
        return (
            identifier.number
            or not identifier.text
            or _UNFIT.search(identifier.text) is not None
            or (self.kind == "topic" and identifier.text.startswith(_COMMENT))
        )

    def _named(self, identifier: SourceId, number: int) -> str:
        text = identifier.text or ""
        if not self._unfit(identifier):
            return text
        wanted = f"{self.prefix}{text}" if identifier.number else _UNFIT.sub("_", text).strip("_")
        if self.kind == "topic":
            wanted = wanted.lstrip("".join(_COMMENT)).strip("_")
        wanted = wanted or f"{self.prefix}{number}"
        new, count = wanted, 1
        while new in self._taken:
            count += 1
            new = f"{wanted}_{count}"
        self._taken.add(new)
        self.changed.append((new, text))
        return new

    def _refuse_repeated(self, ids: Sequence[tuple[int, SourceId]], place: str) -> None:
        if len({identifier.text for _, identifier in ids if identifier.text}) == sum(bool(i.text) for _, i in ids):
            return
        lines: dict[str, list[int]] = {}
        for line, identifier in ids:
            if identifier.text:
                lines.setdefault(identifier.text, []).append(line)
        repeated = {text: places for text, places in lines.items() if len(places) > 1}
        listed = "; ".join(
            f"{text!r} (lines {', '.join(map(str, places))})" for text, places in list(repeated.items())[:N_LISTED]
        )
        more = f"; and {len(repeated) - N_LISTED} more" if len(repeated) > N_LISTED else ""
        raise FormatError(
            place,
            f"{self.kind} ids that occur more than once: {listed}{more}; keep one of each",
            next(iter(repeated.values()))[1],
        )


def as_table(renamings: Sequence[Renaming]) -> bytes:
    r"""Format the changed ids as lines `kind, new id, old id` under a header; \t \n \r \\ in an old id are escaped."""
    rows = ["kind\tnew\told"]
    for renaming in renamings:
        rows += [f"{renaming.kind}\t{new}\t{_shown(old)}" for new, old in renaming.changed]
    return ("\n".join(rows) + "\n").encode("utf-8", "surrogateescape")


def _shown(old: str) -> str:
    for character, shown in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\f", "\\f"), ("\v", "\\v")):
        old = old.replace(character, shown)
    return old
