"""What an experiment file may say, and what is said of one that says something else."""

from pathlib import Path

import pytest

from irkit.errors import FormatError
from irkit.experiment.config import read_experiment
from irkit.experiment.plan import Configuration, Experiment

GOOD = """\
[collection]
name = "mine"
source = "."

[filters]
max_price = { field = "price", at_most = true }

[configurations.bm25]
method = "bm25"
fields = { name = 2, tags = 0.1 }

[configurations.dense]
method = "dense"
floor = 0.3

[configurations.both]
method = "rrf"
runs = ["bm25", "dense"]
prior = { field = "sales", weight = 0.2 }
abstain = { run = "dense", floor = 0.3 }

[evaluation]
measures = ["nDCG@10"]
no_relevant = "one"

[[comparisons]]
baseline = "bm25"
"""


def read(tmp_path: Path, text: str) -> Experiment:
    path = tmp_path / "experiment.toml"
    path.write_text(text)
    return read_experiment(path)


def test_what_is_said_is_kept_and_the_rest_has_its_default(tmp_path):
    experiment = read(tmp_path, GOOD)
    assert experiment.configurations["bm25"] == Configuration("bm25", {"fields": {"name": 2.0, "tags": 0.1}})
    assert experiment.configurations["dense"] == Configuration("dense", {"floor": 0.3})
    assert experiment.configurations["both"] == Configuration(
        "fuse",
        {"fusion": "rrf", "prior_field": "sales", "prior_weight": 0.2, "floor": 0.3},
        ("bm25", "dense"),
        "dense",
    )
    assert experiment.conventions.no_relevant == "one"
    assert experiment.comparisons[0].candidates == ("dense", "both")
    assert list(map(str, experiment.comparisons[0].measures)) == ["nDCG@10"]
    assert (experiment.comparisons[0].test, experiment.comparisons[0].correction) == (None, "holm")


def test_a_comparison_names_its_test_and_its_correction(tmp_path):
    more = 'test = "sign-flip"\ncorrection = "none"\n[[comparisons]]\nbaseline = "dense"\ncorrection = "max-t"\n'
    first, second = read(tmp_path, GOOD + more).comparisons
    assert (first.test, first.correction) == ("sign-flip", "none")
    assert (second.test, second.correction) == (None, "max-t")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "floor = 0.3\n\n[c",
            "flor = 0.3\n\n[c",
            r":14: unknown key 'flor' in \[configurations\.dense\]; did you mean 'floor'\?",
        ),
        ("[evaluation]", "[evaluations]", r":22: unknown table \[evaluations\]; did you mean 'evaluation'\?"),
        ("tags = 0.1", 'tags = "x"', r":10: 'tags' is a number above 0, not 'x'"),
        ('name = "mine"', "name = 7", r":2: 'name' is a text, not 7"),
        ('name = "mine"', 'name = "my own"', r":2: the collection's name is part of file names"),
        ('source = "."', 'source = "nowhere"', r":3: 'source': .*nowhere does not exist"),
        ('source = "."', "", r":1: \[collection\] names a 'source' or all of .*; missing: corpus, topics, qrels"),
        ('method = "bm25"', 'method = "bm42"', r":9: unknown method 'bm42'; did you mean 'bm25'\?"),
        ('method = "bm25"\n', "", r":8: \[configurations\.bm25\] needs 'method', a text"),
        ('runs = ["bm25", "dense"]', 'runs = ["bm25", "later"]', r":18: 'later' is no configuration above this one"),
        ('runs = ["bm25", "dense"]', 'runs = "bm25"', r":18: 'runs' is a list, not 'bm25'"),
        ('runs = ["bm25", "dense"]', "runs = [1]", r":18: 'runs' is a list in which each entry is a text"),
        (
            'run = "dense", floor = 0.3',
            'run = "dense"',
            r":20: \[configurations\.both\.abstain\] needs 'floor', a number",
        ),
        ('measures = ["nDCG@10"]', 'measures = ["nDGC@10"]', r":23: unknown measure 'nDGC@10'"),
        ('no_relevant = "one"', 'no_relevant = "two"', r":22: unknown no_relevant 'two'; choose one of"),
        ('no_relevant = "one"', 'ties = "score"', r":22: unknown ties 'score'; choose one of docid, file, worst,"),
        ("at_most = true", "under = true", r":6: filter 'max_price' is"),
        ('baseline = "bm25"', 'baseline = "bm26"', r":27: 'bm26' is no configuration"),
        ("floor = 0.3\n\n[c", "floor = 0.3\ndepth = 0\n\n[c", r":15: 'depth' is the number of documents"),
        ("floor = 0.3\n\n[c", "floor = true\n\n[c", r":14: 'floor' is a number, not True"),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\nmeasures = ["AP"]',
            r":28: AP is not among the measures of \[evaluation",
        ),
        ("[filters]", "[filters", "is not a TOML file: "),
        (
            "[configurations.bm25]",
            "[configuration.bm25]",
            r":8: unknown table \[configuration\]; did you mean 'configura",
        ),
        ("[[comparisons]]", "[comparisons]", r":26: \[comparisons\] is one of several; write \[\[comparisons\]\]"),
        ("[collection]", "[[collection]]", r":1: there is one \[collection\] only; write it in single brackets"),
        ("[collection]", "sorce = 1\n[collection]", r":1: unknown key 'sorce' outside any table; there are"),
        ('source = "."', 'corpus = "experiment.toml"', r":1: \[collection\] names a .*; missing: topics, qrels"),
        ('source = "."', 'source = "."\nsplt = "x"', r":4: unknown key 'splt' in \[collection\]; did you mean 'split'"),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\n[[comparisons]]\nbaseline = "bm26"',
            r":29: 'bm26' is no configuration",
        ),
        ('method = "bm25"', 'method = "bm25"\nb = 1.5', r":10: 'b' is a number from 0 to 1, not 1\.5"),
        ('method = "bm25"', 'method = "bm25"\nk1 = 1e300', r":10: 'k1' is a number from 0 to 1e\+06, not 1e\+300"),
        ("name = 2, tags", "name = 0, tags", r":10: 'name' is a number above 0, not 0"),
        ('method = "rrf"', 'method = "rrf"\nk = 0', r":18: k of rrf must be a finite number above 0, got 0"),
        ('method = "rrf"', 'method = "rrf"\nweights = [nan, 1]', r":18: weights are numbers from 0 on"),
        ('method = "rrf"', 'method = "rrf"\nweights = [-1, 1]', r":18: weights are numbers from 0 on"),
        ('method = "rrf"', 'method = "rrf"\nweights = [0, 0]', r":18: weights are numbers from 0 on"),
        ("floor = 0.3\n\n[c", "floor = nan\n\n[c", r":14: 'floor' is a number, not nan"),
        ("floor = 0.3 }", "floor = nan }", r":20: 'floor' is a number, not nan"),
        ("floor = 0.3\n\n[c", f"floor = {'9' * 400}\n\n[c", r":14: 'floor' is too large a number"),
        ('method = "rrf"', f'method = "rrf"\nweights = [1, {"9" * 400}]', r":18: 'weights' is too large a number"),
        ("floor = 0.3\n\n[c", f"depth = {'9' * 400}\n\n[c", r":14: 'depth' is the number of documents"),
        ("floor = 0.3\n\n[c", f"floor = {'9' * 5000}\n\n[c", "is not a TOML file: "),
        ("[filters]", f"x = {'[' * 5000}\n[filters]", "is not a TOML file: "),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\ncandidates = ["dense", "bm25"]',
            r":28: 'bm25' is the baseline, which is not compared with itself",
        ),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\ntest = "wilcoxn"',
            r":28: there is no test 'wilcoxn'; did you mean 'wilcoxon'\?",
        ),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\ncorrection = "hom"',
            r":28: there is no correction 'hom'; did you mean 'holm'\?",
        ),
        (
            'baseline = "bm25"',
            'baseline = "bm25"\ntest = "t"\ncorrection = "tukey"',
            r":29: the correction 'tukey' is made of a test of its own",
        ),
        ('source = "."', 'source = "."\ncorpus = "."', r":4: 'corpus': .* is a folder or a pipe; name a file"),
        ('name = "mine"', 'name = ".."', r":2: the collection's name is part of file names: '\.\.' cannot be"),
        ('name = "mine"', 'name = "a\\u0001"', r":2: the collection's name is part of file names"),
        (
            "[configurations.dense]",
            '[configurations."../../evil"]',
            r":12: a configuration's name is part of file name",
        ),
        ("[configurations.dense]", '[configurations."a/b"]', r":12: a configuration's name is part of file names"),
        ("[configurations.dense]", '[configurations."a b"]', r":12: a configuration's name is part of file names"),
        ("[configurations.dense]", '[configurations."a]b"]', r":12: a configuration's name is part of file names"),
        ("[configurations.dense]", '[configurations.""]', r":12: a configuration's name is part of file names: ''"),
        ("[configurations.dense]", '[configurations."a\\u0007"]', r":12: a configuration's name is part of file names"),
        ('method = "rrf"', 'method = "linear"', r":16: linear needs weights, one for each run"),
        ('method = "rrf"', 'method = "gmnz"', r":16: combgmnz needs 'gamma', a number from -100 to 100"),
        ('method = "rrf"', 'method = "mapfuse"', r":16: mapfuse learns from judged topics: training = "),
        ('method = "rrf"', 'method = "rrf"\ntraining = {}', r":18: rrf learns nothing; leave it out"),
        ("floor = 0.3\n\n[c", 'kind = "flt"\n\n[c', r":14: 'kind' is 'flt'; did you mean 'flat'\?"),
        ("floor = 0.3\n\n[c", "ef_search = 9\n\n[c", r":12: ef_search is for hnsw indexes; this index is flat"),
        ("tags = 0.1 }", 'tags = 0.1 }\nfeedback = "rm3"', r":8: feedback ranks by the whole text alone"),
        ("fields = { name = 2, tags = 0.1 }", 'model = "qld"\nk1 = 1.2', r":8: 'k1' belongs to the model bm25"),
        (
            "fields = { name = 2, tags = 0.1 }",
            'language = "de"\nstemmer = "porter"',
            r":8: a stemmer can be chosen for",
        ),
        (
            'method = "dense"',
            'method = "rerank"\nrun = "bm25"\nmodel = "maxsimm"',
            r":12: there is no model 'maxsimm'; did",
        ),
        ('method = "dense"', 'method = "rerank"\nrun = "bm52"', r":14: 'bm52' is no configuration above this one"),
        ('method = "dense"', 'method = "file"\nrun = "no.run"', r":14: 'run': .*no\.run is no file that is there"),
        ("fields = { name = 2, tags = 0.1 }", "fields.name = -1", r":10: 'name' is a number above 0, not -1"),
    ],
)
def test_what_cannot_be_is_an_error_with_its_line(tmp_path, old, new, message):
    assert GOOD.count(old) >= 1
    with pytest.raises(FormatError, match=rf"experiment\.toml.*{message}"):
        read(tmp_path, GOOD.replace(old, new, 1))


def test_alpha_is_the_first_of_two_weights(tmp_path):
    experiment = read(tmp_path, GOOD.replace('method = "rrf"', 'method = "linear"\nalpha = 0.25'))
    both = experiment.configurations["both"]
    assert both.parameters["alpha"] == 0.25
    with pytest.raises(FormatError, match="alpha of linear must be a number from 0 to 1, got 2"):
        read(tmp_path, GOOD.replace('method = "rrf"', 'method = "linear"\nalpha = 2'))


def test_a_byte_order_mark_does_not_matter(tmp_path):
    assert read(tmp_path, "\ufeff" + GOOD).collection == "mine"


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"none\.toml: cannot be read: No such file"):
        read_experiment(tmp_path / "none.toml")


@pytest.mark.parametrize("name", ["services", "passages"])
def test_the_bundled_experiments_can_be_read(name):
    folder = Path(__file__).resolve().parents[2] / "irkit" / "collections" / name
    assert read_experiment(folder / "experiment.toml").collection == name
