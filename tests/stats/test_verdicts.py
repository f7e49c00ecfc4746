"""What a test of a pair means, in a sentence, and what to be careful about."""

from dataclasses import replace

import numpy as np
import pytest
from per_topic_scores import A, B, C, X, Y, scores_of

from irkit.stats import (
    MarginTest,
    cautions,
    equivalence_test,
    paired_differences,
    paired_t_test,
    sign_flip_test,
    t_interval,
    verdict,
    wilcoxon_test,
)


def within(candidate, baseline, margin):
    pvalue = equivalence_test(candidate, baseline, margin).pvalue
    return MarginTest("equivalence", margin, pvalue, pvalue)


def named(test):
    return replace(test, measure="AP", candidate="A", baseline="B")


def test_a_difference_that_is_shown():
    test = named(sign_flip_test(A, B))
    assert verdict(test, t_interval(A - B)) == (
        "AP: A exceeds B by 0.0610 (95% t interval 0.0179 to 0.1041, n=10; sign-flip randomisation test p 0.0195)."
    )
    assert verdict(test, t_interval(A - B), adjusted=(0.0433, "Holm over 6 pairs")) == (
        "AP: A exceeds B by 0.0610 (95% t interval 0.0179 to 0.1041, n=10; sign-flip randomisation test p 0.0195; "
        "Holm over 6 pairs 0.0433)."
    )
    turned = verdict(paired_t_test(B, A), t_interval(B - A))
    assert turned.startswith(
        "the candidate falls below the baseline by 0.0610 (95% t interval -0.1041 to -0.0179, n=10;"
    )


def test_a_difference_that_is_not_shown_is_not_called_none():
    # the interval of A-C over the first three topics: mean 0.03, sd 0.01, half width 4.302653 * 0.01 / sqrt 3 = 0.0248
    # The smallest p of three signs is 2 / 2^3.
    pair = A[:3], C[:3]
    test = named(sign_flip_test(*pair))
    assert verdict(test, t_interval(pair[0] - pair[1])) == (
        "AP: no difference between A and B shown (95% t interval 0.0052 to 0.0548, n=3; sign-flip randomisation test "
        "p 0.2500); differences up to 0.0548 are compatible with these topics, and none could be shown: with "
        "3 topics p is 0.25 at least; 3 topics differ: the two-sided p cannot be below 0.25."
    )


def test_the_corrected_p_decides():
    test = named(paired_t_test(A, B))
    assert "no difference between A and B shown" in verdict(test, t_interval(A - B), adjusted=(0.0649, "Bonferroni"))


def test_different_and_equivalent_are_both_said():
    words = verdict(named(paired_t_test(X, Y)), t_interval(X - Y), margin=within(X, Y, 0.05))
    assert words == (
        "AP: A exceeds B by 0.0352 (95% t interval 0.0197 to 0.0507, n=25; paired t test p < 0.0001); the two are "
        "equivalent within 0.0500 either way (p 0.0305; a loss or gain on fewer than one topic in 8 may be absent)."
    )
    words = verdict(named(paired_t_test(A, B)), t_interval(A - B), margin=within(A, B, 0.05))
    assert words.endswith("; they are not shown to be equivalent within 0.0500 either way (p 0.7110).")


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ((A, A), "AP: A against B: identical: no topic differs."),
        (([0.5], [0.25]), "AP: A against B: one topic: no test is possible."),
    ],
)
def test_what_could_not_be_tested_is_said_in_its_own_words(pair, words):
    assert verdict(named(paired_t_test(*pair)), t_interval(np.subtract(*pair))) == words


def test_c29_the_sign_test_decides_where_every_topic_differs_by_the_same():
    words = verdict(named(paired_t_test(A + 0.1, A)), t_interval((A + 0.1) - A))
    assert words == (
        "AP: A exceeds B by 0.1000 (95% t interval 0.1000 to 0.1000, n=10; paired t test p < 1e-300; sign test in its "
        "place p 0.0020); every topic differs by the same amount: t has no noise to measure it by."
    )


def cautions_of(test, candidate, baseline, **options):
    return cautions(test(candidate, baseline), paired_differences(candidate, baseline), **options)


def test_nothing_is_said_where_nothing_is_wrong():
    assert cautions_of(paired_t_test, X, Y) == ()
    assert cautions_of(wilcoxon_test, X, Y, n_planned=25) == ()


def test_few_topics_and_fewer_than_planned():
    assert cautions_of(paired_t_test, A[2:7], B[2:7], n_planned=50) == (
        "5 topics differ: a test of signs cannot reach 0.05.",
        "5 topics: intervals and bootstrap tests are unreliable below 25.",
        "5 topics of 50 planned: the power is less than planned.",
    )


def test_ties_one_topic_and_scores_of_zero():
    differences = np.zeros(30)
    differences[:4] = 0.5, 0.125, 0.125, -0.125  # 0.5 of 0.875 is 57%
    assert cautions_of(paired_t_test, *scores_of(differences, at=0.0)) == (
        "4 topics differ: a test of signs cannot reach 0.05.",
        "26 of 30 topics do not differ: all of the difference comes from the others.",
        "One topic carries 57% of all that differs.",
        "30 of 30 topics score 0 in one of the runs.",
    )


def test_skewed_differences_are_said_of_a_test_of_symmetry():
    # 29 of -0.01 and one of 0.29: a skewness of 28 / sqrt 29 = 5.2
    pair = scores_of([-0.01] * 29 + [0.29])
    words = "The differences are skewed: this test is one of symmetry, and may reject where the means are equal."
    assert words in cautions_of(wilcoxon_test, *pair)
    assert words not in cautions_of(paired_t_test, *pair)


def test_a_sampled_p_near_alpha_is_said_to_be_so():
    pair = scores_of(np.random.default_rng(8).normal(0.03, 0.1, 45))
    test = sign_flip_test(*pair, n_resamples=400)
    differences = paired_differences(*pair)
    words = "p is sampled, and too close to 0.05 to tell on which side of it p is: draw more than 400."
    assert words in cautions(replace(test, pvalue=0.07), differences)  # 3 errors of 0.0128
    assert words not in cautions(replace(test, pvalue=0.12), differences)  # 0.07 is more than 3 of 0.0162
    assert words not in cautions(replace(test, pvalue=0.07, n_resamples=None), differences)
