import io
import sys

import pytest

from irkit._utils.progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_a_bar_is_shown_on_a_terminal_only(monkeypatch, stream, shown):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress("indexing", 2) as advance:
        advance(1)
        advance(1)
    assert ("indexing" in stream.getvalue()) is shown
