"""Random command lines: irkit trec_eval beside another trec_eval, and alone."""

import pytest
from trec_eval_cases import FORMATS, case
from trec_eval_peers import DIFFERS, compared, main, ours, version_of


def written(one, folder):
    """The words of a case whose files lie in the folder."""
    (folder / "qrels").write_bytes(one.qrels)
    (folder / "run").write_bytes(one.run)
    return [str(folder / word) if word in ("qrels", "run") else word for word in one.words]


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_is_printed_and_refused_as_by_the_trec_eval_of_the_jar(trec_eval, tmp_path, form):
    outcomes = []
    for seed in range(120):
        outcome, found = compared(str(trec_eval), "9", case(seed, "9", form), tmp_path)
        assert outcome != DIFFERS, (seed, case(seed, "9", form).words, found)
        outcomes.append(outcome)
    assert version_of(str(trec_eval)) == "9"
    assert outcomes.count("agree") > 80
    assert outcomes.count("refused by both") > 2


@pytest.mark.parametrize("form", FORMATS)
def test_every_case_ends_with_lines_or_a_message(tmp_path, form):
    for seed in range(60):
        one = case(seed, "10", form)
        code, output, messages = ours(written(one, tmp_path), "10")
        assert code in (0, 1, 2, 4, 7), (seed, messages)
        assert not (code and output), seed
        assert code == 0 or messages.startswith("trec_eval: "), seed


def test_a_difference_is_found(tmp_path):
    # a program that prints nothing and is content
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    outcomes = [compared(str(program), "9", case(seed, "9", "qrels"), tmp_path) for seed in range(10)]
    assert any(outcome == DIFFERS and found for outcome, found in outcomes)


def test_cases_are_of_every_form_and_always_the_same():
    words = [case(seed).words for seed in range(60)]
    assert words == [case(seed).words for seed in range(60)]
    for form in FORMATS[1:]:
        assert any(form in word for one in words for word in one) or form == "qrels"


def test_without_a_program_the_way_to_name_one_is_said(monkeypatch, capsys):
    monkeypatch.delenv("TREC_EVAL", raising=False)
    monkeypatch.setattr("sys.argv", ["trec_eval_peers.py"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "TREC_EVAL names no program" in capsys.readouterr().err
