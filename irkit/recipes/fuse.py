"""Fuse runs by a recipe: hard filters, prior, floor."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from irkit import fusion
from irkit.data.runs import Run, run_names
from irkit.errors import UsageError
from irkit.fusion.no_overlap import SharedCounts
from irkit.fusion.request import Request, requested
from irkit.fusion.table import Method, method_named
from irkit.recipes.abstention import above
from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.prior import prior_of_field, read_prior
from irkit.recipes.recipe import Recipe
from irkit.retrieval.filters import filtered
from irkit.retrieval.ranking import Retrieved

# What is done around the fusion itself.
_OWN: Final = ("filters", "query_field", "prior_field", "prior_weight", "floor", "weights", "fusion")


def fuse(recipe: Recipe, materials: RecipeInputs) -> Retrieved:
    """The fused run of a recipe whose method is `fuse`.

    Raises
    ------
    IrkitError
        As `irkit.fuse`; or if a prior, a filter or the training cannot be read.
    """
    request = request_of(recipe, materials)
    evidence = recipe.file("evidence")
    # A prior ranks what the runs found, and has no documents of its own.
    weighs = _has_prior(recipe) and recipe.parameters.get("prior_weight", 1.0) > 0
    meeting = SharedCounts(request.runs[:-1] if weighs else request.runs)
    fused, silent = above(
        recipe.parameters.get("floor"), request.run(meeting), None if evidence is None else materials.run(evidence)
    )
    # Topics that were trained on are left out, and those that are in two runs may be among them.
    met = [str(note) for note in meeting.notes() if note.code != "no-common-topic" or not request.learned]
    return Retrieved(fused, (*request.notes, *met, *silent), {"engine": "fuse", "fusion": request.method.name})


def request_of(recipe: Recipe, materials: RecipeInputs) -> Request:
    """Request of the fusion without the floor; errors as `fuse`."""
    given = {name: value for name, value in recipe.parameters.items() if name not in _OWN}
    paths = recipe.files.get("runs", ())
    # One after the other, so that nobody but the fusion need hold them.
    runs: Iterable[Run] = (
        _filtered(replace(materials.run(path), name=name), recipe, materials)
        for path, name in zip(paths, run_names(paths), strict=True)
    )
    weights, alpha = recipe.parameters.get("weights"), given.get("alpha")
    method = recipe.parameters.get("fusion", "rrf")
    if (prior := _prior(recipe, materials)) is not None:
        _check_voter(method_named(method), recipe.parameters.get("prior_weight", 1.0))
        runs = list(runs)
        if alpha is not None:
            weights = [alpha, 1 - given.pop("alpha")]
        if method_named(method).weights != "none":
            weights = [*(weights or [1.0] * len(runs)), recipe.parameters.get("prior_weight", 1.0)]
        runs.append(fusion.prior_run(runs, prior))
    return requested(runs, method, weights=weights, training=_training(recipe, materials), **given)


def _check_voter(method: Method, weight: float) -> None:
    """Refuse a prior among runs that have to be learned from, or a weight where runs have none."""
    if method.learn is not None:
        raise UsageError(f"{method.name} learns from each run, and a prior is none; choose another method with a prior")
    if method.weights == "none" and weight != 1:
        raise UsageError(f"{method.name} weighs no run, so that a prior counts as one; leave out its weight")


def _has_prior(recipe: Recipe) -> bool:
    return recipe.file("prior") is not None or recipe.parameters.get("prior_field") is not None


def _prior(recipe: Recipe, materials: RecipeInputs) -> dict[str, float] | None:
    field, path = recipe.parameters.get("prior_field"), recipe.file("prior")
    if path is not None:
        return read_prior(path)
    return None if field is None else prior_of_field(materials.documents(_documents(recipe)), field)


def _filtered(run: Run, recipe: Recipe, materials: RecipeInputs) -> Run:
    filters, path = recipe.parameters.get("filters", ()), recipe.file("topics")
    if not filters:
        return run
    if path is None:
        raise UsageError("filters look at the fields of topics; name the file of the topics")
    topics = materials.topics(path, recipe.parameters.get("query_field"))
    allowed = materials.allowed(filters, recipe.file("documents"), topics)
    return run if allowed is None else filtered(run, topics, allowed)


def _training(recipe: Recipe, materials: RecipeInputs) -> fusion.Training | None:
    qrels, topics = recipe.file("training_qrels"), recipe.file("training_topics")
    runs = [materials.run(path) for path in recipe.files.get("training_runs", ())]
    return None if qrels is None else fusion.Training(qrels, topics, runs or None)


def _documents(recipe: Recipe) -> Path:
    documents = recipe.file("documents")
    if documents is None:
        raise UsageError("a prior by a field of the documents needs the file of the documents")
    return documents
