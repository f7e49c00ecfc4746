import importlib.util
import os
import platform
import signal
import stat
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is.
settings.register_profile("irkit", deadline=None)
settings.load_profile("irkit")

# It limits a table where there is no terminal; a test that wants a limit sets it.
os.environ.pop("COLUMNS", None)

# What is started in the background or by nohup ignores a signal, and so does all that it starts; some tests send one.
for name, default in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, name), default)


# Which tests have a marker, by their place.
MARKERS = {
    "browser": ("report/test_page_browser.py", "manual/test_site.py"),
    "peer": (
        "*_peers.py",
        "*/test_ranx.py",
        "measures/test_ir_measures.py",
        "*trec_eval*.py",
        "interfaces/*",
        "house/test_benchmarks.py",
    ),
    "retrieval": ("retrieval/*", "recipes/*", "experiment/*", "cli/test_rerank.py", "faults/test_found_indexes.py"),
}


def pytest_collection_modifyitems(items):
    for item in items:
        place = item.path.relative_to(Path(__file__).parent)
        for marker, patterns in MARKERS.items():
            if any(place.match(pattern) for pattern in patterns):
                item.add_marker(marker)


@pytest.fixture(autouse=True)
def _signals_as_they_were():
    """A test that ends a command as a process does leaves no handler to those that come after it."""
    names = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM") if hasattr(signal, name)]
    before, hook = {number: signal.getsignal(number) for number in names}, sys.unraisablehook
    yield
    for number, handler in before.items():
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)
    if sys.unraisablehook is not hook and getattr(sys.unraisablehook, "__module__", "") == "irkit._utils.process_end":
        sys.unraisablehook = hook


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real collections and of other programs' answers, which lies beside the checkout."""
    beside = Path(__file__).resolve().parents[1].parent / "shared"
    folder = Path(os.environ.get("IRKIT_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there; IRKIT_SHARED names the folder of collections and reference answers")
    return folder


@pytest.fixture(scope="session")
def trec_eval(tmp_path_factory):
    """The trec_eval 9.0 that Pyserini's jar carries."""
    found = importlib.util.find_spec("pyserini")
    if found is None or found.origin is None:
        pytest.skip("Pyserini is not installed, whose jar carries trec_eval")
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("the jar's trec_eval is for Linux on x86-64 here")
    (jar,) = (Path(found.origin).parent / "resources" / "jars").glob("anserini-*-fatjar.jar")
    program = tmp_path_factory.mktemp("trec_eval") / "trec_eval"
    with zipfile.ZipFile(jar) as content:
        program.write_bytes(content.read("trec_eval/trec_eval-linux-amd64"))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.fixture
def table_as_it_is():
    """The table of measures, without what the test defines when it is over."""
    from irkit.measures import FAMILIES

    before = set(FAMILIES)
    yield
    for name in set(FAMILIES) - before:
        del FAMILIES[name]
