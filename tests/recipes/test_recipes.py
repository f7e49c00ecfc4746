"""Recipes and the records beside runs: what is written, what of it is checked, and whether a run holds."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from irkit.cli import main
from irkit.data.runs import read_run
from irkit.errors import DataError, FormatError, UsageError
from irkit.recipes import Recipe, RecipeInputs, make, read_record, verify, write_made
from irkit.recipes.prior import read_prior

BM25 = "1 Q0 a 1 3.0 one\n1 Q0 b 2 2.0 one\n1 Q0 c 3 1.0 one\n2 Q0 b 1 1.0 one\n"
DENSE = "1 Q0 b 1 0.9 two\n1 Q0 d 2 0.5 two\n2 Q0 a 1 0.2 two\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/bm25.run").write_text(BM25)
    Path("runs/dense.run").write_text(DENSE)
    return tmp_path


def recipe(**parameters) -> Recipe:
    return Recipe("fuse", parameters, {"runs": (Path("runs/bm25.run"), Path("runs/dense.run"))})


def written(name="fused.run", header=False, files=(), **parameters) -> Path:
    materials, one = RecipeInputs(), recipe(**parameters)
    one = Recipe(one.method, one.parameters, {**one.files, **dict(files)})
    write_made(make(one, materials), Path(name), one, materials, command=["irkit", "fuse"], header=header)
    return Path(name)


def sha256(path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_a_record_says_how_the_run_was_made_and_from_what(here):
    path = written(fusion="rrf", k=60.0, tag="rrf")
    found = json.loads(Path("fused.run.provenance.json").read_text())
    assert found["method"] == "fuse"
    assert found["parameters"] == {"fusion": "rrf", "k": 60.0, "tag": "rrf"}
    assert found["files"] == {
        "runs": [
            {"path": "runs/bm25.run", "sha256": sha256("runs/bm25.run")},
            {"path": "runs/dense.run", "sha256": sha256("runs/dense.run")},
        ]
    }
    assert found["command"] == ["irkit", "fuse"]
    assert found["run"] == {"sha256": sha256(path), "topics": 2, "documents": 6}
    assert set(found["versions"]) == {"irkit"}


def test_a_record_names_nothing_of_the_machine(here):
    path = here / "deep" / "er" / "still"
    path.mkdir(parents=True)
    written(path / "fused.run")
    text = (path / "fused.run.provenance.json").read_text()
    # Three folders up is too far to be told.
    assert [source.path for source in read_record(path / "fused.run").files["runs"]] == ["bm25.run", "dense.run"]
    assert str(here) not in text


def test_what_is_read_back_is_what_was_written(here):
    path = written(fusion="rrf", weights=[1, 0.5])
    record = read_record(path)
    assert (record.method, record.command, record.notes) == ("fuse", ("irkit", "fuse"), ())
    assert record.parameters == {"fusion": "rrf", "weights": [1, 0.5]}


def test_a_run_that_nobody_touched_holds(here):
    found = verify(written())
    assert (found.outcome, found.holds) == ("same bytes", True)
    assert found.findings == ("made again, byte for byte",)


def test_a_changed_run_does_not_hold(here):
    path = written()
    path.write_text(path.read_text().replace("\n", " \n", 1))
    found = verify(path)
    assert (found.outcome, found.holds) == ("not made again", False)
    assert found.findings == ("fused.run: was changed since it was made",)


def test_a_changed_or_missing_source_is_named(here):
    path = written()
    Path("runs/bm25.run").write_text(BM25 + "3 Q0 a 1 1 one\n")
    Path("runs/dense.run").unlink()
    assert verify(path).findings == (
        "runs: runs/bm25.run was changed since the run was made",
        "runs: runs/dense.run is not there; name the folder where it is (look_in=FOLDER)",
    )


def test_a_source_that_was_moved_is_found_by_name_and_content(here):
    path = written()
    Path("elsewhere").mkdir()
    Path("runs/bm25.run").rename("elsewhere/bm25.run")
    assert not verify(path).holds
    assert verify(path, look_in=["elsewhere"]).holds


def test_a_run_that_was_made_otherwise_than_its_record_says_does_not_hold(here):
    path = written(k=60.0)
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    # With k = 1: topic 1: b 1/3 + 1/2, a 1/2, d 1/3, c 1/4: the same order, other scores.
    content["parameters"]["k"] = 1.0
    place.write_text(json.dumps(content))
    found = verify(path)
    assert found.outcome == "differs"
    (finding,) = found.findings
    # The largest difference is that of b: 1/3 + 1/2 - 1/62 - 1/61 = 0.80081...
    assert finding == f"scores differ by up to {1 / 3 + 1 / 2 - 1 / 62 - 1 / 61:g}"


def test_a_run_with_documents_moved_names_the_topics(here):
    path = written(weights=[1, 0])
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["parameters"]["weights"] = [0, 1]
    place.write_text(json.dumps(content))
    assert verify(path).findings == ("2 topics ranked otherwise: 1, 2",)


def test_scores_in_the_last_digits_may_differ(here):
    path = written()
    path.write_text(path.read_text().replace(f"{1 / 62 + 1 / 61!r}", "0.032522"))
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["run"]["sha256"] = sha256(path)
    place.write_text(json.dumps(content))
    found = verify(path)
    assert (found.outcome, found.holds) == ("same ranking", True)


def test_another_version_is_said(here):
    path = written()
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["versions"]["irkit"] = "0.0.1"
    place.write_text(json.dumps(content))
    found = verify(path)
    assert found.holds
    assert found.findings[1].startswith("made by irkit 0.0.1; here is ")


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": "x"}', '{"format": "irkit provenance 1", "method": 1}', "\u0000", "1"]
)
def test_a_damaged_record_is_an_error_that_names_it(here, content):
    path = written()
    Path("fused.run.provenance.json").write_text(content)
    with pytest.raises(FormatError, match=r"fused\.run\.provenance\.json: is no record of a run"):
        verify(path)


def test_a_run_without_a_record_is_an_error(here):
    with pytest.raises(DataError, match=r"runs/bm25\.run\.provenance\.json: there is no such file"):
        verify("runs/bm25.run")


def test_the_record_stands_in_the_run_as_ir_metadata_if_asked(here):
    path = written(header=True, fusion="rrf", tag="rrf")
    lines = path.read_text().split("\n")
    end = lines.index("# ir_metadata.end")
    assert lines[0] == "# ir_metadata.start"
    found = yaml.safe_load("\n".join(line.removeprefix("# ") for line in lines[1:end]))
    assert found["tag"] == "rrf"
    assert found["implementation"]["executable"]["cmd"] == "irkit fuse"
    assert found["data"]["runs"][1] == {"name": "runs/dense.run", "sha256": sha256("runs/dense.run")}
    assert found["method"]["automatic"] is True
    assert found["method"]["retrieval"][0]["method"] == "fuse"
    assert found["method"]["retrieval"][0]["fusion"] == "rrf"
    # irkit reads past it, and the run still holds.
    assert read_run(path).to_dict() == read_run(written("plain.run", tag="rrf")).to_dict()
    assert verify(path).outcome == "same bytes"


def test_a_prior_is_one_more_voter(here):
    Path("prior.tsv").write_text("# settled payments\na\t1\nd\t50\nz\t99\n")
    path = written(files={"prior": (Path("prior.tsv"),)}, prior_weight=2.0)
    # The prior ranks what was retrieved: topic 1: d, a; topic 2: a.
    scores = read_run(path).to_dict()
    assert scores["1"] == pytest.approx({"d": 1 / 62 + 2 / 61, "b": 1 / 62 + 1 / 61, "a": 1 / 61 + 2 / 62, "c": 1 / 63})
    assert scores["2"] == pytest.approx({"b": 1 / 61, "a": 1 / 61 + 2 / 61})


def test_below_a_floor_nothing_is_returned(here):
    path = written(floor=0.5, files={"evidence": (Path("runs/dense.run"),)})
    assert read_run(path).topics == ("1",)
    assert read_record(path).notes == ("1 topic abstained from, since no document scores 0.5: 2",)


def test_hard_filters_come_before_the_ranks(here):
    Path("topics.jsonl").write_text('{"id": "1", "text": "x", "net": "base"}\n{"id": "2", "text": "y"}\n')
    Path("documents.jsonl").write_text(
        "".join(
            f'{{"id": "{one}", "contents": "", "net": "{net}"}}\n' for one, net in zip("abcd", "xbxb", strict=True)
        ).replace('"b"}', '"base"}')
    )
    files = {"topics": (Path("topics.jsonl"),), "documents": (Path("documents.jsonl"),)}
    path = written(filters=["net:equal"], files=files)
    # Of topic 1 only b and d are left: b is now first in both runs, d second in one.
    assert read_run(path).to_dict()["1"] == pytest.approx({"b": 2 / 61, "d": 1 / 62})
    assert verify(path).holds
    with pytest.raises(UsageError, match="name the file of the topics"):
        written(filters=["net:equal"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1\n", r"prior\.tsv:1: expected 'document<TAB>weight', found 'a 1'"),
        ("a\t1\nb\tx\n", r"prior\.tsv:2: the weight 'x' of document 'b' is no finite number"),
        ("a\tinf\n", "is no finite number"),
        ("a\t1\na\t2\n", r"prior\.tsv:2: document 'a' has a weight already; keep one"),
        ("\n# only this\n", "holds no line"),
    ],
)
def test_what_is_no_prior_is_said_with_its_line(here, text, message):
    Path("prior.tsv").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_prior("prior.tsv")


def test_an_unknown_method_gets_the_nearest(here):
    with pytest.raises(UsageError, match="unknown method 'fuze'; did you mean 'fuse'"):
        make(Recipe("fuze"))


def test_the_command_says_what_holds_and_ends_with_1_where_one_does_not(here, capfd):
    good, bad = written("good.run"), written("bad.run")
    bad.write_text("1 Q0 a 1 1 x\n")
    assert main(["verify", str(good), str(bad)]) == 1
    assert capfd.readouterr().out == (
        "good.run: holds\n  made again, byte for byte\n"
        "bad.run: DOES NOT HOLD\n  bad.run: was changed since it was made\n"
    )
    assert main(["verify", str(good)]) == 0


FUSE = ["fuse", "runs/bm25.run", "runs/dense.run", "--out", "f.run"]


def test_the_fuse_command_takes_a_prior_filters_and_a_floor_and_keeps_the_record(here, capfd):
    Path("prior.tsv").write_text("a\t1\nd\t50\n")
    words = ["--prior", "prior.tsv", "--prior-weight", "2", "--floor", "0.5", "--floor-run", "runs/dense.run"]
    assert main([*FUSE, *words]) == 0
    assert capfd.readouterr().err == "1 topic abstained from, since no document scores 0.5: 2\n"
    # As worked above: d 1/62 + 2/61, b 1/62 + 1/61, a 1/61 + 2/62, c 1/63.
    assert list(read_run("f.run").to_dict()["1"]) == ["d", "a", "b", "c"]
    record = read_record("f.run")
    assert record.command == ("irkit", *FUSE, *words)
    assert {role: [source.path for source in sources] for role, sources in record.files.items()} == {
        "runs": ["runs/bm25.run", "runs/dense.run"],
        "prior": ["prior.tsv"],
        "evidence": ["runs/dense.run"],
    }
    assert verify("f.run").outcome == "same bytes"


def test_the_record_of_a_command_names_absolute_paths_from_here_or_by_their_name(here, tmp_path_factory, capfd):
    other = tmp_path_factory.mktemp("other") / "far.run"
    other.write_text(BM25)
    assert main(["fuse", str(here / "runs/bm25.run"), str(other), f"--out={here / 'f.run'}"]) == 0
    assert read_record("f.run").command == ("irkit", "fuse", "runs/bm25.run", "far.run", "--out=f.run")
    capfd.readouterr()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--filter", "net"], "--filter, --topics FILE and --documents FILE go together"),
        (["--topics", "t"], "--filter, --topics FILE and --documents FILE go together"),
        (["--prior-weight", "2"], "--prior-weight needs --prior FILE"),
        (["--floor-run", "runs/dense.run"], "--floor-run needs --floor"),
        (["--train-topics", "t"], "--train-topics and --train-run need --train-qrels"),
    ],
)
def test_options_of_the_fuse_command_that_go_together(here, capfd, words, message):
    assert main([*FUSE, *words]) == 2
    assert message in capfd.readouterr().err


def test_of_what_came_by_standard_input_there_is_no_record(here):
    words = [sys.executable, "-m", "irkit", "fuse", "-", "runs/dense.run", "--out", "f.run"]
    done = subprocess.run(words, input=BM25, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("f.run").is_file()
    assert not Path("f.run.provenance.json").exists()


def test_a_model_that_is_a_folder_is_a_file_known_by_its_content(here):
    Path("models/tiny").mkdir(parents=True)
    Path("models/tiny/config.json").write_text("{}")
    one = Recipe.of("rerank", {"model": "models/tiny", "depth": 5}, {})
    assert (one.parameters, one.files) == ({"depth": 5}, {"model": (Path("models/tiny"),)})
    assert one.model() == "models/tiny"
    assert Recipe.of("dense", {"encoder": "tiny"}, {}, Path("models")).model() == "models/tiny"
    # A name stays a name, even where a folder is called so; and bm25's model is none of these.
    Path("maxsim").mkdir()
    Path("qld").mkdir()
    assert Recipe.of("rerank", {"model": "maxsim"}, {}).parameters == {"model": "maxsim"}
    assert Recipe.of("bm25", {"model": "qld"}, {}).parameters == {"model": "qld"}


@pytest.mark.parametrize(
    "words",
    [
        ["fuse", "runs/bm25.run", "runs/dense.run", "--out", "runs/bm25.run"],
        ["fuse", "runs/bm25.run", "runs/dense.run", "--out", "link.run"],
        ["fuse", "runs/bm25.run", "runs/dense.run", "--out", "x.run", "--explain", "x.run"],
        ["fuse", "runs/bm25.run", "runs/dense.run", "--out", "x.run", "--explain", "runs/dense.run"],
        ["rerank", "runs/bm25.run", "topics.txt", "documents.jsonl", "--out", "documents.jsonl"],
        ["retrieve", "bm25", "topics.txt", "--index", "index", "--out", "index/irkit.json"],
    ],
)
def test_nothing_that_is_read_is_written_over(here, capfd, words):
    Path("link.run").symlink_to("runs/bm25.run")
    Path("index").mkdir()
    for name in ("topics.txt", "documents.jsonl", "index/irkit.json"):
        Path(name).write_text("{}")
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert main(words) == 2
    assert "name another file to write" in capfd.readouterr().err
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


def test_what_came_by_standard_input_can_be_explained(here):
    words = [sys.executable, "-m", "irkit", "fuse", "-", "runs/dense.run", "--out", "f.run", "--explain", "why.tsv"]
    done = subprocess.run(words, input=BM25, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(Path("why.tsv").read_text().splitlines()) == 1 + 6


def test_what_goes_to_a_device_has_no_record(here, capfd):
    assert main([*FUSE[:-1], "/dev/null"]) == 0
    assert not Path("/dev/null.provenance.json").exists()


def test_one_damaged_record_does_not_keep_the_others_from_being_verified(here, capfd):
    first, second = written("one.run"), written("two.run")
    Path("one.run.provenance.json").write_text("{}")
    assert main(["verify", str(first), str(second)]) == 1
    assert capfd.readouterr().out == (
        "one.run: CANNOT BE VERIFIED\n"
        "  one.run.provenance.json: is no record of a run as irkit writes it; make the run again\n"
        "two.run: holds\n  made again, byte for byte\n"
    )


@pytest.mark.parametrize(
    "change", [{"parameters": {"floor": "x"}}, {"parameters": {"zz": 1}}, {"parameters": {"weights": 5}}]
)
def test_a_record_that_no_method_takes_is_said_in_words(here, capfd, change):
    path = written()
    place = Path("fused.run.provenance.json")
    place.write_text(json.dumps({**json.loads(place.read_text()), **change}))
    assert main(["verify", str(path)]) == 1
    assert "fused.run: CANNOT BE VERIFIED\n" in capfd.readouterr().out


def test_a_record_cannot_forge_a_verdict_or_drive_the_terminal(here, capfd):
    path = written()
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["files"]["runs"][0]["path"] = "is fine\nfused.run: holds\x9b31m"
    place.write_text(json.dumps(content))
    assert main(["verify", str(path)]) == 1
    out = capfd.readouterr().out
    assert out.count("\n") == 2
    assert "is fine\\nfused.run: holds\\x9b31m" in out


def test_a_record_is_never_read_from_a_pipe_or_a_device(here):
    path = written()
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["files"]["runs"][0]["path"] = "/dev/zero"
    place.write_text(json.dumps(content))
    assert verify(path).findings == (
        "runs: /dev/zero is outside the folders that may be read; name one that holds it (roots=FOLDER)",
    )


def test_a_file_whose_name_is_not_utf8_is_found_again(here):
    odd = Path("runs") / b"\xffodd.run".decode("utf-8", "surrogateescape")
    odd.write_text(BM25)
    one = Recipe("fuse", {}, {"runs": (odd,)})
    write_made(make(one), Path("f.run"), one, RecipeInputs())
    assert verify("f.run").holds


def test_a_prior_is_one_run_more_where_runs_have_no_weights(here):
    Path("prior.tsv").write_text("a\t1\nd\t50\n")
    path = written(files={"prior": (Path("prior.tsv"),)}, fusion="combmax", normalise="rank")
    assert read_run(path).to_dict()["1"]["d"] == 1.0  # the first of the prior
    with pytest.raises(UsageError, match="combmax weighs no run"):
        written(files={"prior": (Path("prior.tsv"),)}, fusion="combmax", prior_weight=2.0)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"details": {"engine": "fuse", "fusion": "combsum"}}, "the record says fusion 'combsum'; it is 'rrf'"),
        ({"notes": ["all is well"]}, "the record has other notes than were made"),
        ({"run": {"topics": 3}}, "the record counts other topics than the run has"),
    ],
)
def test_what_a_record_says_falsely_is_found(here, change, finding):
    path = written()
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    place.write_text(json.dumps({**content, **change, "run": {**content["run"], **change.get("run", {})}}))
    found = verify(path)
    assert (found.outcome, found.findings) == ("differs", (finding,))


@pytest.mark.parametrize("old_new", [(" rrf\n", " other\n"), ("\n", "\r\n"), (" 2 ", " 7 ")])
def test_bytes_are_compared_where_bytes_are_said_to_be_the_same(here, old_new):
    path = written(tag="rrf")
    path.write_bytes(path.read_text().replace(*old_new).encode())
    place = Path("fused.run.provenance.json")
    content = json.loads(place.read_text())
    content["run"]["sha256"] = sha256(path)
    place.write_text(json.dumps(content))
    assert verify(path).outcome == "same ranking"
