"""Accept a baseline: who, why, from a complete run and a clean repository."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Unpack

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.runs import Run, RunSource
from irkit.data.topic_subsets import TopicList, topic_list, with_no_value
from irkit.data.topics import Topics
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator, Measures, default_measures
from irkit.evaluation.summary import some
from irkit.files.overwrite import check_apart
from irkit.files.textio import STDIN
from irkit.gate.acceptance_record import Acceptance, Repository, moment, versions_here, who_accepts
from irkit.gate.baseline import PREPARED, REMEMBERED, Baseline, means_of
from irkit.gate.baseline_file import read_baseline
from irkit.gate.digests import judgments_digest, run_digest, topics_digest
from irkit.gate.limit import fitting
from irkit.gate.limits import Limits
from irkit.gate.lock import held_bytes, move
from irkit.gate.regression import Options, check_regression, divided
from irkit.gate.result import GateResult
from irkit.judged.kinds import JudgmentsSource
from irkit.judged.no_overlap import NOTHING_JUDGED
from irkit.measures import Measure, parse_measures


class RefusedError(DataError):
    """A baseline that is refused, with each of its reasons."""

    def __init__(self, path: Path, reasons: Sequence[str]) -> None:
        super().__init__(f"{path}: not accepted: {'; '.join(reasons)}")
        self.path, self.reasons = path, tuple(reasons)


@dataclass(frozen=True, slots=True)
class AcceptedBaseline:
    """A baseline that was written.

    Attributes
    ----------
    baseline : Baseline
    before : Baseline or None
        The one in whose place it is; None where there was none.
    moved : GateResult or None
        The run held to that one.
    """

    baseline: Baseline
    before: Baseline | None = None
    moved: GateResult | None = None

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain Python values, with all changes."""
        return {
            "baseline": self.baseline.name,
            "accepted": self.baseline.accepted.to_dict(),
            "before": None if self.before is None else self.before.accepted.to_dict(),
            "limits": self.baseline.limits.to_dict(),
            "conventions": self.baseline.conventions,
            "moved": None if self.moved is None else self.moved.to_dict(),
        }


def accept_baseline(
    *,
    run: RunSource,
    qrels: JudgmentsSource,
    baseline: str | os.PathLike[str],
    why: str,
    who: str | None = None,
    topics: "TopicList | None" = None,
    by: str | None = None,
    measures: Measures | None = None,
    may_abstain: bool = False,
    even_if_worse: bool = False,
    allow_dirty: bool = False,
    name: str | None = None,
    now: datetime | None = None,
    **options: Unpack[Options],
) -> AcceptedBaseline:
    """Make a run the baseline, or move the baseline to it; the file is written whole or not at all.

    What is not named here is as in the baseline before.

    Parameters
    ----------
    run, qrels, measures, name
        As `irkit.evaluate` takes them. Measures have to be such that more is better, and means.
    baseline : path
        The file to write.
    why : str
        The reason, for whoever reads the file's history.
    who : str, optional
        Who accepts it; git's user if not given.
    topics : path, Topics, or what else `irkit.evaluate` takes, optional
        Where groups come from, and what `average="topics"` averages.
    by : str, optional
        The field of the topics whose values are held apart too.
    may_abstain : bool
        Topics that the run lacks are empty on purpose; the baseline names them.
    even_if_worse : bool
        Accept too what the baseline before would not let pass, or cannot be held against it.
    allow_dirty : bool
        Accept though files that git follows are changed and not committed; the baseline names them.
    now : datetime, optional
        When it is accepted.
    **options
        Limits and conventions, as `check_regression` takes them.

    Returns
    -------
    AcceptedBaseline

    Raises
    ------
    UsageError
        If there is no reason or nobody to accept it, an option is none, one of the files would be written over, or no
        tolerance is left for a measure.
    DataError
        If it is refused: topics are missing from the run, the repository is dirty, or the run is worse than the
        baseline before or cannot be held against it. With all of the reasons.
    """
    limits_given, conventions_given = divided(options, _NAMES)
    if not isinstance(baseline, str | os.PathLike):
        raise UsageError(f"baseline is the path of the file to write, not a {type(baseline).__name__}")
    path = Path(baseline)
    check_apart([one for one in (run, qrels, topics) if isinstance(one, str | os.PathLike)], path)
    if not isinstance(why, str) or not why.split():
        raise UsageError(f"a baseline says why it was accepted; give the reason ({option(why='TEXT')})")
    held = held_bytes(path)
    before = None if held is None else read_baseline(path)
    conventions = {**PREPARED, **({} if before is None else before.conventions), **conventions_given}
    chosen = _measures(before, measures, fractional=conventions["fractional"])
    repository = Repository.around(path)
    who = who_accepts(who, repository)
    listed = None if topics is None else topic_list(topics)
    if isinstance(run, Iterator) or run == STDIN:  # which can be read once
        run = Run.of(run, name)
    averaged = listed if conventions.get("average") == "topics" else None
    scorer = Evaluator(qrels, chosen, topics=averaged, **conventions)
    found = scorer.evaluate(run, name)
    field, groups = _groups(before, listed, by, found.topics)
    limits, _ = (Limits() if before is None else before.limits).changed(limits_given, groups.values())
    limits.check(found, groups.values())
    _check_judged(limits, found)
    reasons = [*_partial(found, before, may_abstain=may_abstain), *(() if allow_dirty else _dirty(repository))]
    moved = None
    if before is not None:
        moved = check_regression(
            run=run,
            qrels=qrels,
            baseline=before,
            topics=listed,
            may_abstain=may_abstain,
            name=name,
            **{**conventions_given, **_PLAIN},
        )
        reasons += () if even_if_worse else _worse(moved)
    if reasons:
        raise RefusedError(path, reasons)
    accepted = Baseline(
        # What else an evaluation says is of this run alone, and found anew with each.
        evaluation=replace(found, unjudged=(), without_relevant=(), notes=(), tie_range=None),
        prepared={name: conventions[name] for name in PREPARED},
        field=field,
        groups=groups,
        qrels=judgments_digest(scorer.judgments),
        topics=topics_digest(listed) if listed is not None else None if before is None else before.topics,
        run=run_digest(run),
        limits=limits,
        accepted=Acceptance(
            who,
            moment(now),
            " ".join(why.split()),
            repository.commit,
            repository.dirty,
            versions_here(),
            means_of(found),
        ),
        history=() if before is None else (before.accepted, *before.history)[:REMEMBERED],
        name=str(path),
    )
    move(path, held, accepted.as_json())
    return AcceptedBaseline(accepted, before, moved)


# What could have been meant by a keyword that is none of the options.
_NAMES: Final = ("why", "who", "topics", "by", "measures", "may_abstain", "even_if_worse", "allow_dirty", "name", "now")
# Whether a move is for the worse is asked of the plain means: a baseline that is stale is there to be moved.
_PLAIN: Final[Options] = {"only_if_significant": False, "non_inferior": None, "fail_if_stale": False}


def _measures(before: Baseline | None, measures: Measures | None, *, fractional: bool) -> tuple[Measure, ...]:
    if measures is None:
        usual = default_measures("fractional" if fractional else "qrels")
        return tuple(one for one in usual if one.compared) if before is None else before.evaluation.measures
    chosen = parse_measures(measures)
    if other := [str(choice) for choice in chosen if not choice.compared]:
        raise UsageError(f"{', '.join(other)}: the gate holds means of which more is better; name such as nDCG@10")
    return chosen


def _check_judged(limits: Limits, evaluation: Evaluation) -> None:
    """Refuse limits by which a mean could not be judged."""
    without = [str(measure) for measure in evaluation.measures if fitting(limits.tolerance, str(measure), None) is None]
    if without and limits.non_inferior is None:
        raise UsageError(
            f"tolerance: nothing says by how much {', '.join(without)} may fall, and the gate could not judge it; "
            f"give a tolerance for all measures (0 for no fall at all), or a margin ({option(non_inferior='MARGIN')})"
        )


def _groups(
    before: Baseline | None, listed: Topics | None, by: str | None, evaluated: Sequence[str]
) -> tuple[str, dict[str, str]]:
    """The field of the groups, and the group of each topic evaluated, groups in the order of the topics file."""
    field = by if by is not None else "" if before is None else before.field
    if not field:
        return "", {}
    if listed is not None:
        groups: Mapping[str, str] = with_no_value(listed.field(field), evaluated, listed.name)
    elif before is not None and field == before.field:
        groups = before.groups
        if new := [topic for topic in evaluated if topic not in groups]:
            raise DataError(
                f"{counted(len(new), 'topic')} without a group: {some(new)}; give the file ({option(topics='FILE')})"
            )
    else:
        raise UsageError(
            f"groups are of a field of the topics; give their file too ({option(by='FIELD', topics='FILE')})"
        )
    wanted = set(evaluated)
    return field, {topic: group for topic, group in groups.items() if topic in wanted}


def _partial(evaluation: Evaluation, before: Baseline | None, *, may_abstain: bool) -> Iterator[str]:
    known = set(() if before is None else before.evaluation.missing)
    if not may_abstain and (missing := [topic for topic in evaluation.missing if topic not in known]):
        yield (
            f"{counted(len(missing), 'judged topic')} missing from the run: {some(missing)}; make it whole, or say "
            f"that it returns nothing there on purpose ({option(may_abstain=True)})"
        )
    if evaluation.nothing_judged:
        yield f"{NOTHING_JUDGED}, so that its values say nothing; look at the document ids"
    for name, mean in means_of(evaluation).items():
        if mean is None:
            yield f"no topic has a value of {name}"


def _dirty(repository: Repository) -> Iterator[str]:
    if repository.dirty:
        changed = repository.problem or f"changed and not committed: {some(repository.changed)}"
        yield f"{changed}; commit first, so that the values can be made again, or allow it ({option(allow_dirty=True)})"


def _worse(moved: GateResult) -> Iterator[str]:
    """Reasons to refuse the run by the old baseline, without topics missing from it."""
    said = list(moved.problems)
    for _, checks, reason in moved.reasons:
        if checks[0].verdict == "failed" or (checks[0].verdict == "not judged" and not moved.missing):
            said.append(f"{', '.join(map(str, checks))}: {reason}")
    if said or not (moved.passed or moved.missing):
        yield from said or ["it did not pass"]
        yield f"accept it all the same with {option(even_if_worse=True)}"
