"""The pages of the manual that are made from the code: what each holds, and where it is kept.

They are committed, so that the manual reads well where the source is read and a change of the command line is seen in
its own commit; `tests/manual/test_reference.py` holds them against the code, and `make reference` writes them again.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from irkit.measures import manual as measures
from manual import commands, names

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
PAGES: Final[dict[Path, Callable[[], str]]] = {
    DOCS / "commands-reference.md": commands.page,
    DOCS / "measures-reference.md": measures.page,
    DOCS / "python-reference.md": names.page,
}
