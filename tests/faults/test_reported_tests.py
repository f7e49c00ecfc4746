"""Faults that users of other tools met: corrections spoiled by the baseline, and p-values of randomisation."""

import pytest

from irkit import compare, evaluate
from irkit.stats.paired.corrections import correct

QRELS = {topic: {"x": 1} for topic in "123"}


def scored(name, values):
    """A run whose RR is 1 / place of the relevant document in each topic."""
    run = {topic: [*(f"{topic}{n}" for n in range(place - 1)), "x"] for topic, place in zip("123", values, strict=True)}
    return evaluate(run=run, qrels=QRELS, measures="RR", name=name)


def test_b54_the_baseline_is_no_test_of_the_family():
    # Two tests: Bonferroni 2 * 0.01 and 2 * 0.04; Holm 2 * 0.01, then max(0.02, 1 * 0.04).
    assert correct([0.01, 0.04], "bonferroni").corrected.tolist() == pytest.approx([0.02, 0.08])
    assert correct([0.01, 0.04], "holm").corrected.tolist() == pytest.approx([0.02, 0.04])
    runs = [scored("base", (1, 2, 3)), scored("one", (1, 1, 2)), scored("two", (2, 2, 1))]
    comparison = compare(runs, baseline="base", correction="bonferroni")
    assert comparison.n_tests == 2
    assert [one.test.candidate for one in comparison.contrasts] == ["one", "two"]
    for one in comparison.contrasts:
        assert one.adjusted_pvalue == pytest.approx(min(1, 2 * one.test.pvalue))


def test_b55_sign_flips_of_three_topics_are_counted_not_drawn():
    # RR of A 1/1 1/2 1/4, of B 1/2 1/4 1/8... the differences 0.5, 0.25, 0.125 reach |0.875| in 2 of 8 flips.
    a, b = scored("a", (1, 2, 4)), scored("b", (2, 4, 8))
    (one,) = compare([b, a], baseline="b", test="sign-flip").contrasts
    assert one.test.pvalue == 2 / 8
    (same,) = compare([a, scored("again", (1, 2, 4))], baseline="a", test="sign-flip").contrasts
    assert same.test.pvalue == 1


def test_b55_the_paired_t_test_of_three_differences():
    from irkit import paired_t_test

    first, second = [0.3, 0.6, 0.9], [0.2, 0.4, 0.6]
    # Mean 0.2, standard deviation 0.1: t = 0.2 / (0.1 / sqrt(3)) = 3.4641, 2 degrees of freedom.
    found = paired_t_test(first, second)
    assert found.statistic == pytest.approx(3.4641, abs=5e-5)
    assert found.pvalue == pytest.approx(0.0742, abs=5e-5)
