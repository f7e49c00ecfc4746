"""Tuning the configurations of an experiment: the runs of each point, and the topics that choose and test."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from math import inf
from pathlib import Path
from typing import Any

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.data.documents import read_documents
from irkit.data.qrels import read_qrels
from irkit.data.runs import Run
from irkit.data.topic_matching import matched_topics
from irkit.data.topic_subsets import read_topic_list
from irkit.data.topics import Topics, read_topics
from irkit.errors import UsageError
from irkit.evaluation.scoring import evaluator
from irkit.experiment.check import check_fields
from irkit.experiment.execute import without_lessons
from irkit.experiment.files import collection_files
from irkit.experiment.plan import Configuration, Experiment
from irkit.experiment.run_store import RunStore, parted
from irkit.experiment.tuning_plan import SplitPlan, TuningPlan
from irkit.measures import parse_measures
from irkit.recipes.parameters import DEFAULTS
from irkit.tuning import Folds, Nested, Separate, Share, Space, Tuned, tune
from irkit.tuning.splits import Splitting


class Tuning:
    """A configuration of an experiment being tuned.

    Parameters
    ----------
    experiment : Experiment
    plan : TuningPlan
    out : path
        The folder of the experiment's runs and indexes; what is there and unchanged is reused.
    """

    def __init__(self, experiment: Experiment, plan: TuningPlan, out: str | Path, command: Sequence[str] = ()) -> None:
        known = experiment.configurations
        if plan.configuration not in known:
            raise UsageError(f"there is no configuration '{plan.configuration}'; {instead(plan.configuration, known)}")
        self.experiment = experiment
        self.plan = plan
        self.step = known[plan.configuration]
        files = collection_files(experiment, Path(out))
        self.topics = read_topics(files.topics, files.query_field) if files.topics else None
        self.qrels = read_qrels(files.qrels)
        if self.topics is not None:
            check_fields(experiment, read_documents(files.corpus) if files.corpus else (), self.topics)
        self.workshop = RunStore(experiment, Path(out), files, command)
        self.qrels, self.notes = without_lessons(self.workshop, self.qrels, [plan.configuration])
        if self.topics is not None:
            pairs = experiment.of_runs.matched(self.topics.ids, self.qrels.topics)
            self.topics = matched_topics(self.topics, pairs)
        self._prepare = evaluator(self.qrels, plan.measure, **asdict(experiment.of_runs)).prepare

    def tuned(self) -> Tuned:
        """Result of the tuning."""
        space, conventions = Space.of(self.plan.space), self.experiment.conventions
        learns = space.learned is not None
        if learns and space.learned != "floor":
            raise UsageError(f"'{space.learned}' cannot be learned; 'floor' can")
        return tune(
            self.make,
            space,
            self.qrels,
            default={name: self.default_of(name) for name in space.names},
            split=split_of(self.plan.split, self.topics),
            measure=self.plan.measure,
            search=self.plan.search,
            n=self.plan.n,
            seed=self.plan.split.seed,
            limit=self.plan.limit,
            evidence=self.evidence if learns and self.step.evidence is not None else None,
            no_relevant=None if learns else conventions.no_relevant,
            average=conventions.average,
            ties=conventions.ties,
            rules=self.experiment.rules,
        )

    def make(self, parameters: Mapping[str, Any]) -> Run:
        """The run of a point, as it is scored: of documents, with the judged topics' ids.

        Where a floor is learned, nothing is left out yet: the floor is held against it later.
        """
        changed = dict(parameters)
        if "floor" not in changed and "floor" in self.plan.space:
            changed["floor"] = -inf
        return self._prepared(self.workshop.run(self.plan.configuration, changed))

    def run(self, tuned: Tuned) -> Run:
        """The tuned run: each topic by parameters that it did not choose."""
        evidence = self.evidence if self.step.evidence is not None and "floor" in self.plan.space else None
        return tuned.run(self.make, evidence)

    def evidence(self, parameters: Mapping[str, Any]) -> Run:
        """The run against whose best scores a floor is held."""
        assert self.step.evidence is not None
        below, _ = parted(parameters, self.step.upstream)
        return self._prepared(self.workshop.run(self.step.evidence, below.get(self.step.evidence, {})))

    def _prepared(self, run: Run) -> Run:
        return Run.of(self._prepare(run).run)

    def default_of(self, name: str) -> Any:
        """Current value of a parameter."""
        return default_of(name, self.step, self.experiment.configurations)


def default_of(name: str, step: Configuration, configurations: Mapping[str, Configuration]) -> Any:
    """Value of a parameter outside tuning."""
    head, dot, rest = name.partition(".")
    if dot and head in step.upstream:
        return default_of(rest, configurations[head], configurations)
    if dot:
        table = step.parameters.get(head)
        names: Mapping[str, Any] = table if isinstance(table, Mapping) else {}
        if rest not in names:
            raise UsageError(f"'{head}' of the configuration has no '{rest}'; {instead(rest, names)}")
        return names[rest]
    if name in step.parameters:
        return step.parameters[name]
    if step.method == "fuse" and name in ("weights", "alpha"):
        alpha = step.parameters.get("alpha")
        weights = step.parameters.get("weights") or (
            [alpha, 1 - alpha] if alpha is not None else [1.0] * len(step.runs)
        )
        return weights if name == "weights" else weights[0] / sum(weights)
    if step.method == "file":
        raise UsageError(f"a run that is a file has no parameter '{name}'")
    defaults = DEFAULTS.get(step.parameters.get("fusion", step.method), {})
    if name not in defaults:
        raise UsageError(f"{step.method} has no parameter '{name}'; {instead(name, defaults)}")
    return defaults[name]


def split_of(plan: SplitPlan, topics: Topics | None) -> Splitting:
    """The split over the topics of a collection."""
    if plan.by is not None and topics is None:
        raise UsageError(f"there are no topics whose field '{plan.by}' could be read")
    by = topics.field(plan.by) if plan.by is not None and topics is not None else {}
    # Two topics of the same query must not stand on both sides.
    texts = {topic.id: topic.text for topic in topics or () if topic.text.strip()}
    if plan.development is not None and plan.test is not None:
        return Separate(read_topic_list(plan.development).ids, read_topic_list(plan.test).ids, texts)
    if plan.share is not None:
        return Share(plan.share, plan.seed, by, texts)
    folds = Folds().k if plan.folds is None else plan.folds
    if plan.inner is not None:
        return Nested(folds, plan.inner, plan.seed, by, texts)
    return Folds(folds, plan.seed, by, texts)


def plan_of(
    experiment: Experiment, configuration: str, space: Sequence[str], *, measure: str | None = None, **given: Any
) -> TuningPlan:
    """The plan that the words of a command make."""
    named = dict(part.partition("=")[::2] for part in space)
    if len(named) < len(space):
        raise UsageError(f"a parameter is set twice; give all its values at once: {option(set='k1=0.6,0.9,1.2')}")
    of_split = {key: given.pop(key) for key in [one.name for one in fields(SplitPlan)] if key in given}
    of_split |= {key: Path(of_split[key]) for key in ("development", "test") if key in of_split}
    chosen = experiment.measures[0] if measure is None else parse_measures([measure])[0]
    return TuningPlan(configuration, named, chosen, SplitPlan(**of_split), **given)
