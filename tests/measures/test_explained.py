"""Every measure is explained: its formula, its edges, its source, and an example whose arithmetic is right."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import samples
from hypothesis import given, settings
from laws import holds_for
from samples import SAMPLES
from worked_examples import computed, example, judged, judgment_lines

from irkit.cli import main
from irkit.judged.kinds import NEEDS
from irkit.measures import FAMILIES, parse_measure
from irkit.measures.docstrings import NOTATION, explain, lines, sections
from irkit.measures.table import SUBJECTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures-reference.md"
EXAMPLES = [(name, line) for name, family in FAMILIES.items() for line in explain(family).examples]


def test_a_measure_says_all_that_is_to_be_known_of_it():
    titles = ("Parameters", "Returns", "Raises", "Notes", "Examples", "References")

    def law(name):
        family = FAMILIES[name]
        said = sections(family.function)
        assert {"", *titles} - {"Parameters", "Raises"} <= said.keys()
        assert all(said.values())
        assert list(said) == ["", *(title for title in said if title in titles)]
        lines_of = re.findall(r"^\w+(?:, \w+)*", said.get("Parameters", ""), re.M)
        described = {word for line in lines_of for word in line.split(", ")}
        # Parameters that many measures share are described in the table alone.
        assert {parameter.name for parameter in family.parameters} - {"cutoff", "rel", "judged_only"} <= described
        assert all(parameter.help for parameter in family.parameters)

    holds_for(FAMILIES, law)


def test_names_in_an_explanation_are_those_that_a_user_knows():
    def law(name):
        family = FAMILIES[name]
        said = explain(family)
        written = " ".join([*said.meaning, *said.formula, said.values, said.source])
        known = {*family.defaults(), *FAMILIES, *(trec.name for trec in family.trec)}
        assert set(re.findall(r"`(\w+)`", written)) <= known

    holds_for(FAMILIES, law)


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=lambda text: text[:60])
def test_the_arithmetic_of_an_example_is_right_and_so_is_the_measure(name, line, tmp_path):
    one = example(line)
    measure = parse_measure(one.measure)
    assert measure.family is FAMILIES[name]
    for arithmetic in one.arithmetic:
        assert computed(arithmetic) == pytest.approx(float(one.value), abs=5.0001e-5)
    (value,) = measure(judged(measure.family.judgments[0], one, tmp_path))
    assert value == pytest.approx(computed(one.arithmetic[-1]), abs=1e-6)


# What is said of the values, and what that means.
RANGES = {
    r"(each )?in \[0, 1[\])][;.]": lambda value: 0 <= value <= 1 + 1e-12,
    r"each at least 0[;.]": lambda value: value >= 0,
    r"each 0 or 1[;.]": lambda value: value in (0, 1),
    r"each a whole number[;.]": lambda value: value >= 0 and value == int(value),
}
NOTHING_FOUND = "nothing relevant was retrieved|no relevant document was found"
NOTHING_RETRIEVED = rf"\b0 where [^;.]*\b({NOTHING_FOUND}|nothing was retrieved)\b"
NOTHING_RELEVANT = (
    rf"\b0 where [^;.]*\b({NOTHING_FOUND}|nothing is relevant|nothing gains|nothing has a positive gain)\b"
)


def saying(pattern):
    """The sample measures whose explanation says this of their values."""
    return [measure for measure in SAMPLES if re.search(pattern, explain(measure.family).values)]


def test_values_are_in_the_range_that_is_said():
    values = {measure: explain(measure.family).values for measure in saying("|".join(f"^{said}" for said in RANGES))}
    fitting = {
        measure: [fits for said, fits in RANGES.items() if re.match(said, text)] for measure, text in values.items()
    }

    @settings(max_examples=25, deadline=None)
    @given(run=samples.runs(), qrels=samples.qrels())
    def tried(run, qrels):
        both = samples.judged(run, qrels)

        def law(measure):
            (fits,) = fitting[measure]
            assert all(map(fits, measure(both).tolist()))

        holds_for(fitting, law)

    tried()


def test_a_measure_that_says_so_is_0_where_nothing_was_retrieved():
    def law(measure):
        assert measure(samples.judged({"1": {}}, {"1": {"a": 2, "b": 1, "c": 0, "d": -1}})).tolist() == [0]

    holds_for(saying(NOTHING_RETRIEVED), law)


def test_a_measure_that_says_so_is_0_where_nothing_is_relevant():
    def law(measure):
        assert measure(samples.judged({"1": list("axbd")}, {"1": {"a": 0, "b": 0, "c": 0, "d": -1}})).tolist() == [0]

    holds_for(saying(NOTHING_RELEVANT), law)


def test_a_docstring_is_read_section_by_section():
    def area(width):
        """What a square holds.

        More of it.

        Returns
        -------
        float

        Notes
        -----
        width * width,
            which is its
            square
        and no more
        """

    said = sections(area)
    assert said == {
        "": "What a square holds.\n\nMore of it.",
        "Returns": "float",
        "Notes": "width * width,\n    which is its\n    square\nand no more",
    }
    assert lines(said["Notes"]) == ("width * width, which is its square", "and no more")


def test_a_function_of_another_measure_is_called_as_the_measure_is():
    said = sections(FAMILIES["nDCG"].function)["Parameters"]
    assert said.endswith("dcg, gains, base\n    As for DCG.")


def test_letters_are_explained_unless_the_formula_does():
    assert explain(FAMILIES["P"]).letters == ("k: cutoff; rel(r): 1 where the document at rank r is relevant, else 0")
    assert explain(FAMILIES["nDCG"]).letters == "k: cutoff, if there is one"
    assert explain(FAMILIES["prefs_avgjg_Rnonrel_ret"]).letters == ""  # it says what R is


@pytest.mark.parametrize(
    ("kind", "line", "expected"),
    [
        ("qrels", "3 - ~, not retrieved 0", "q 0 d1 3\nq 0 d3 -1\nq 0 m1 0\n"),
        ("fractional", "0.5 -, not retrieved nothing", "q 0 d1 0.5\n"),
        ("subtopics", "1+2 - 0, not retrieved 1=2+3", "q 1 d1 1\nq 2 d1 1\nq 0 d3 0\nq 1 m1 2\nq 3 m1 1\n"),
        ("strata", "A2 B- -, not retrieved A0", "q 0 d1 1 2\nq 0 d2 2 -1\nq 0 m1 1 0\n"),
        ("prels", "2/1.0 -, not retrieved 0/0.6", "q d1 2 1 1.0\nq m1 0 1 0.6\n"),
        ("qrels_jg", "1/0 -, not retrieved -/2", "q A d1 1\nq B d1 0\nq B m1 2\n"),
        ("prefs", "1/0 -, not retrieved -/2", "q A 0 d1 1\nq B 0 d1 0\nq B 0 m1 2\n"),
    ],
)
def test_documents_are_written_in_the_notation_of_their_judgments(kind, line, expected):
    assert judgment_lines(kind, example(f"Ranked {line}: P@1 = 1 = 1.0000")) == expected


def test_what_a_docstring_does_not_say_is_empty():
    said = explain(replace(FAMILIES["P"], function=lambda judged, cutoff: None))
    assert (said.meaning, said.formula, said.values, said.examples, said.source) == ((), (), "", (), "")
    assert said.name == "P@k"


def test_there_is_a_notation_for_every_kind_of_judgments():
    assert NOTATION.keys() == NEEDS.keys()


def test_what_an_example_does_not_say():
    assert example("Ranked nothing: AP = 0.0000") == ((), (), "AP", ("0.0000",), "0.0000")
    for wrong in ("Ranked 1, AP = 1.0000", "1 0: AP = 1.0000", "Ranked 1: AP = 1/3 = 0.333"):
        with pytest.raises(AssertionError):
            example(wrong)


@pytest.mark.parametrize(
    "arithmetic", ["__import__('os')", "a", "log2.x(1)", "'1'", "log2(2, base=2)", "1 if 1 else 2"]
)
def test_nothing_but_arithmetic_is_computed(arithmetic):
    with pytest.raises(ValueError, match="is no arithmetic"):
        computed(arithmetic)
    assert computed("-(1 + 2**3) / log2(8)") == -3


def test_the_page_of_the_manual_is_what_the_command_prints(capsys):
    assert main(["measures", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == PAGE.read_text("utf-8")


def test_the_list_has_every_measure_under_its_subject(capsys):
    assert main(["measures"]) == 0
    for part, (subject, families) in zip(capsys.readouterr().out.split("\n\n"), SUBJECTS.items(), strict=True):
        title, *listed = part.splitlines()
        assert title.lower() == subject.lower()
        assert [line.split()[0].partition("@")[0].rstrip("[") for line in listed] == [one.name for one in families]
        assert all(line.endswith(one.help) for line, one in zip(listed, families, strict=True))


def test_an_explanation_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["measures", "mrr"]) == 0
    assert capsys.readouterr().out == (
        "RR[@k]: 1 / rank of the first relevant document\n"
        "\n"
        "1 / rank of the first relevant document.\n"
        "\n"
        "formula      1 / r, r <= k being the first rank with rel(r) = 1\n"
        "             (k: cutoff, if there is one; rel(r): 1 where the document at rank r\n"
        "             is relevant, else 0)\n"
        "values       each in [0, 1]; 0 where no relevant document was found.\n"
        "parameters   cutoff: depth in documents, written @10; a whole number of at least\n"
        "             1\n"
        "             rel: lowest grade that counts as relevant; a grade of at least 0\n"
        "             (default 1)\n"
        "             judged_only: leave out the documents that nobody judged; ranks\n"
        "             close up; True or False (default False)\n"
        "example      Ranked 0 - 2 1, not retrieved nothing:\n"
        "               RR = 1/3 = 0.3333\n"
        "             Ranked 0 - 1 2, not retrieved nothing:\n"
        "               RR(rel=2) = 1/4 = 0.2500\n"
        "             (a document is its grade; - nobody judged, ~ was pooled and not\n"
        "             judged)\n"
        "also called  MRR, recip_rank_cut\n"
        "trec_eval    recip_rank\n"
        "ranx         mrr\n"
        "judgments    plain qrels (read_qrels)\n"
        "topics       averaged\n"
        "source       trec_eval 10.0, measure recip_rank.\n"
    )


def test_a_measure_in_markdown(capsys):
    assert main(["measures", "set_recall", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == (
        "### SetR\n"
        "\n"
        "Share of the relevant documents that were retrieved.\n"
        "\n"
        "```text\n"
        "SetR\n"
        "  found / R; found: relevant documents retrieved\n"
        "```\n"
        "\n"
        "R: relevant documents.\n"
        "\n"
        "- Values: each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved.\n"
        "- `rel`: lowest grade that counts as relevant; a grade of at least 0 (default 1)\n"
        "- trec_eval: `set_recall`\n"
        "- Judgments: plain qrels (read_qrels)\n"
        "- Topics are averaged; a share of what could be found: `no_relevant` says what a topic without relevant "
        "documents counts\n"
        "- Source: trec_eval 10.0, measure set_recall.\n"
        "\n"
        "```text\n"
        "Ranked 1 0 - 2, not retrieved 1: SetR = 2/3 = 0.6667\n"
        "```\n"
        "\n"
        "(a document is its grade; - nobody judged, ~ was pooled and not judged.)\n"
    )
