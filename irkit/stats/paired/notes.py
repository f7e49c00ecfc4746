"""Notes below a table of runs or tests: findings and limits."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Final

from irkit._utils.numerals import four_decimals
from irkit._utils.text import counted
from irkit.evaluation.summary import range_of_topics
from irkit.measures import Measure
from irkit.stats.paired.bootstrap import SHIFT
from irkit.stats.paired.bootstrap_t import TEST as BOOTSTRAP_T
from irkit.stats.paired.cross_validation import OF_A_CHOICE, REPEATED_CHOICE
from irkit.stats.paired.means import FEW_TOPICS, FewTopics, t_half_width, too_few
from irkit.stats.paired.paired_result import Contrast
from irkit.stats.paired.pairing import why_left_out
from irkit.stats.paired.sign import TEST as SIGN
from irkit.stats.paired.signflip import TEST as SIGN_FLIP
from irkit.stats.paired.skew_notes import absent, rare_note
from irkit.stats.paired.verdicts import SAMPLES
from irkit.stats.paired.wilcoxon import TEST as WILCOXON

# Differences that are named; of more there is the number.
_MOST_NAMED: Final = 4


def remarks(
    contrasts: Sequence[Contrast],
    *,
    n_topics: int,
    left_out: Sequence[Measure],
    measures: Sequence[Measure],
    family: str,
) -> Iterator[str]:
    """Sentences under a comparison: shown differences, untested measures, cautions, corrections."""
    yield from _found(contrasts, family)
    yield from _within_margin(contrasts)
    for why in why_left_out(left_out):
        yield f"Not compared, because {why}."
    yield from _several_cutoffs(measures)
    everywhere = [contrast for contrast in contrasts if contrast.group is None]
    least = min(one.test.n_topics for one in everywhere)
    if least < n_topics:
        yield f"Topics left out because a measure has no value there: {n_topics - least} of {n_topics} at most."
    yield from _gathered(contrasts)
    few = [
        FewTopics(one.test.n_topics, _half_width(one), str(one), one.group)
        for one in contrasts
        if one.test.n_topics < FEW_TOPICS
    ]
    yield from too_few("mean difference", few)
    varied = (one.test.n_topics for one in contrasts if not one.differences.constant)
    yield from filter(None, [rare_note(varied)])
    n_tested = sum(not isnan(one.adjusted_pvalue) for one in contrasts)
    if n_tested > 1 and not family:
        yield f"{n_tested} comparisons are shown; their p-values are not corrected for that."


def _found(contrasts: Sequence[Contrast], family: str) -> Iterator[str]:
    """Say which differences are shown, and how large the others would have to be to be found."""
    tested = [
        contrast for contrast in contrasts if not (isnan(contrast.adjusted_pvalue) or contrast.differences.identical)
    ]
    shown = [one for one in tested if one.shown]
    others = [one for one in tested if not one.shown]
    level = f"at {contrasts[0].alpha:g}" + (f" ({family})" if family else "")
    if shown:
        named = (f"{item.measure} of {item.test.candidate} {_apart(item)}" for item in shown)
        which = "; ".join(named) if len(shown) <= _MOST_NAMED else f"{len(shown)} of {len(contrasts)} differences"
        yield f"Shown {level}: {which}."
    elif others:
        side = {"greater": "candidate above its baseline", "less": "candidate below its baseline"}
        what = side.get(others[0].test.alternative, "difference")
        yield f"No {what} is shown {level}, which does not say that there is none."
    yield from _out_of_reach(others, level)
    yield from _could_be_found(shown, others, corrected=bool(family))


def _out_of_reach(others: Sequence[Contrast], level: str) -> Iterator[str]:
    """Name tests that could not have shown any difference with so few topics."""
    found = [other for other in others if not other.can_be_shown]
    if found:
        numbers = [one.test.n_topics for one in found]
        topics = range_of_topics(min(numbers), max(numbers))
        least = min(one.least_pvalue for one in found)
        some = str(found[0]) if len(found) == 1 else f"{len(found)} of {len(others)} comparisons"
        start = "No difference" if len(found) == len(others) else f"In {some} no difference"
        by = found[0].deciding.test
        yield f"{start} can be shown {level} by the {by}: with {topics} p is {least:.4g} at least."


def _could_be_found(shown: Sequence[Contrast], others: Sequence[Contrast], *, corrected: bool) -> Iterator[str]:
    detectable = [(other.detectable_difference, other) for other in others if not isnan(other.detectable_difference)]
    if not detectable:
        return
    least, most = min(detectable, key=lambda pair: pair[0]), max(detectable, key=lambda pair: pair[0])
    alike = four_decimals(least[0]) == four_decimals(most[0])
    if least[0] >= 1:  # most measures end there
        sizes = "not even a true difference of 1"
    elif len(detectable) == 1:
        sizes = f"a true difference of {_size(*least)}"
    elif alike:
        sizes = f"true differences of {four_decimals(least[0])} (each of {len(detectable)})"
    else:
        sizes = f"true differences of {_size(*least)} to {_size(*most)}"
    numbers = {one.test.n_topics for _, one in detectable}
    topics = range_of_topics(min(numbers), max(numbers))
    before = f"{counted(len(others), 'other')} not shown: w" if shown else "W"
    less = "" if least[0] >= 1 else ", and smaller ones less often"
    yield (
        f"{before}ith {topics} {sizes} would be found by a t test in {SAMPLES}{less}"
        f"{', before any correction' if corrected else ''}."
    )


def _within_margin(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """Name the pairs that passed the test against the margin."""
    # Of identical runs the note of the test says all; one topic has no test.
    tested = [
        (contrast, contrast.margin)
        for contrast in contrasts
        if contrast.margin is not None and not (isnan(contrast.margin.pvalue) or contrast.differences.identical)
    ]
    if not tested:
        return
    _, margin = tested[0]
    equivalent = margin.kind == "equivalence"
    what = (
        f"to be equivalent within {margin.margin:g}" if equivalent else f"not to be worse by {margin.margin:g} or more"
    )
    passed = [one for one, _ in tested if one.within_margin]
    if not passed:
        yield f"None is shown {what}."
        return
    which = "; ".join(map(str, passed)) if len(passed) <= _MOST_NAMED else f"{len(passed)} of {len(tested)}"
    unseen = absent(min(one.test.n_topics for one in passed), "a loss or gain" if equivalent else "a loss")
    yield f"Shown {what}: {which} ({unseen})."


def _half_width(contrast: Contrast) -> float:
    """Half the t interval; 0 where folds chose the candidate, whose differences are no sample."""
    return (
        0.0
        if contrast.test.test in OF_A_CHOICE
        else t_half_width(contrast.test.n_topics, contrast.test.standard_deviation)
    )


def _apart(contrast: Contrast) -> str:
    side = "above" if contrast.test.mean_difference > 0 else "below"
    return f"{side} {contrast.test.baseline} by {four_decimals(abs(contrast.test.mean_difference))}"


def _size(difference: float, contrast: Contrast) -> str:
    return f"{four_decimals(difference) if difference < 1 else 'more than 1'} ({contrast})"


def _several_cutoffs(measures: Sequence[Measure]) -> Iterator[str]:
    families: dict[str, list[Measure]] = {}
    for measure in measures:
        if measure.cutoff is not None:
            families.setdefault(measure.family.name, []).append(measure)
    for alike in families.values():
        if len({measure.cutoff for measure in alike}) > 1:
            names = ", ".join(map(str, alike))
            yield f"{names}: one measure at several cutoffs, whose values are not to be held against each other."


def _by_signs_alone(contrast: Contrast) -> bool:
    """Whether the test uses signs only, and its note does not say that too few topics differ."""
    return contrast.test.test in (SIGN_FLIP, SIGN, WILCOXON, REPEATED_CHOICE) and not contrast.test.note


def _gathered(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """Notes of tests and cautions; of several alike the first, and how many more there are.

    That topics are few is said by `too_few`, but of the bootstrap; and what that makes of a test of signs, by its note.
    """
    found: dict[str, list[tuple[Contrast, str]]] = {}
    for one in contrasts:
        if one.test.note:
            found.setdefault(f"note: {one.test.note}", []).append((one, f"{one.test.note}."))
    for one in contrasts:
        resampled = one.interval.method in ("percentile", "BCa") or one.test.test in (SHIFT, BOOTSTRAP_T)
        for kind, sentence in one.cautions_by_kind():
            if (kind != "signs" or _by_signs_alone(one)) and (resampled or kind != "few"):
                found.setdefault(kind, []).append((one, f"{sentence[0].lower()}{sentence[1:]}"))
    for (first, sentence), *others in found.values():
        alike = f" (and {counted(len(others), 'more test')} alike)" if others else ""
        yield f"{first}{alike}: {sentence}"
