"""End a process on a signal or when memory runs out: without a traceback, with its own exit code."""

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, NoReturn

NO_MEMORY: Final = (
    "not enough memory; close other programs, raise the limit (ulimit -v), or give the command less at a time"
)
# SIGHUP is what a terminal that closes sends.
_SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_SAID: Final[dict[int, str]] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_received: list[int] = []
_AGAIN: Final = 0.05  # seconds until what was lost is raised again


class Stopped(KeyboardInterrupt):
    """A signal asked the process to stop; handlers of KeyboardInterrupt clean up after it too."""


def process(name: str, run: Callable[[], int]) -> NoReturn:
    """Run a command as a process, and end it with the exit code that `run` returns.

    `run` loads the modules of the command too: a signal ends the process meanwhile, as want of memory does.
    """
    stop_at_once()
    _keep_to_one_thread()
    try:
        sys.exit(run())
    except (ImportError, MemoryError, OSError, RuntimeError, SystemError) as problem:
        if not is_out_of_memory(problem):
            raise
    sys.exit(f"{name}: {NO_MEMORY}")


def stop_at_once() -> None:
    """Let a signal end the process at once; for times without writing, such as while modules load."""
    _handle(lambda number, _: os._exit(128 + number))
    if _received and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def stop_by_exception() -> None:
    """Let a signal raise an exception, so that unfinished files are removed."""
    hook = sys.unraisablehook

    def silent(lost: Any) -> None:  # Python cannot pass on what is raised while an object is deleted, say
        if not isinstance(lost.exc_value, KeyboardInterrupt):
            hook(lost)
        elif hasattr(signal, "setitimer"):  # not Windows
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)

    def again(*_: Any) -> None:
        raise Stopped

    sys.unraisablehook = silent
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, again)
    _handle(_stop)


def stopped() -> tuple[int, str] | None:
    """Return the exit code and the word for the signal that stopped the process; None without such a signal."""
    return (128 + _received[0], _SAID.get(_received[0], "stopped")) if _received else None


def is_out_of_memory(problem: BaseException | None) -> bool:
    """Whether an exception, its cause or its context comes from a failed memory allocation."""
    while problem is not None:
        if isinstance(problem, MemoryError) or (isinstance(problem, OSError) and problem.errno == _ENOMEM):
            return True
        if isinstance(problem, _OF_LIBRARIES) and any(words in str(problem) for words in _OF_MEMORY):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


_ENOMEM: Final = 12
_SCARCE: Final = 1 << 32  # bytes, of which each thread of OpenBLAS takes 40 million
_OF_LIBRARIES: Final = (ImportError, OSError, RuntimeError, SystemError)
# As the loader of libraries, threads and C++ libraries say it.
_OF_MEMORY: Final = ("Cannot allocate memory", "failed to map segment", "can't start new thread", "bad_alloc")


def _keep_to_one_thread() -> None:
    """Let NumPy's BLAS start no threads where memory is scarce: where they do not fit, it interrupts the process."""
    try:
        import resource
    except ImportError:  # as on Windows, which has no such limit
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < _SCARCE:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _stop(number: int, _: FrameType | None) -> None:
    _received.append(number)
    raise Stopped


def _handle(what: Any) -> None:
    for number in _SIGNALS:
        # What the caller ignores (nohup) stays ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, what)
