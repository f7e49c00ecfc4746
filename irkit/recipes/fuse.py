"""Fusing as a recipe says: hard filters first, the prior as one more voter, silence below a floor."""

from pathlib import Path

from irkit import fusion
from irkit.errors import UsageError
from irkit.fusion.request import requested
from irkit.recipes.materials import Materials
from irkit.recipes.prior import prior_of_field, read_prior
from irkit.recipes.recipe import Recipe
from irkit.retrieval.filters import filtered
from irkit.retrieval.ranking import Retrieved, note_of_topics
from irkit.runs import Run


def fuse(recipe: Recipe, materials: Materials) -> Retrieved:
    """The fused run of a recipe whose method is `fuse`."""
    given = dict(recipe.parameters)
    runs = [_filtered(materials.run(path), recipe, materials) for path in recipe.files.get("runs", ())]
    weights = given.pop("weights", None)
    alpha = given.pop("alpha", None)
    if alpha is not None:
        weights = [alpha, 1 - alpha]
    for name in ("filters", "query_field"):
        given.pop(name, None)
    field, weight = given.pop("prior_field", None), given.pop("prior_weight", 1.0)
    prior = recipe.file("prior")
    if field is not None or prior is not None:
        known = prior_of_field(materials.documents(_documents(recipe)), field) if prior is None else read_prior(prior)
        weights = [*(weights or [1.0] * len(runs)), weight]
        runs.append(fusion.prior_run(runs, known))
    floor = given.pop("floor", None)
    method = given.pop("fusion", "rrf")
    request = requested(runs, method, weights=weights, training=_training(recipe, materials), **given)
    fused, notes = request.run(), request.notes
    if floor is not None:
        evidence = recipe.file("evidence")
        kept = fusion.abstain(fused, fused if evidence is None else materials.run(evidence), floor)
        silent = [topic for topic in fused.topics if topic not in set(kept.topics)]
        notes += note_of_topics(silent, f"abstained from, since no document scores {floor:g}")
        fused = kept
    return Retrieved(fused, notes, {"engine": "fuse", "fusion": method})


def _filtered(run: Run, recipe: Recipe, materials: Materials) -> Run:
    filters, path = recipe.parameters.get("filters", ()), recipe.file("topics")
    if not filters:
        return run
    if path is None:
        raise UsageError("filters look at the fields of topics; name the file of the topics")
    topics = materials.topics(path, recipe.parameters.get("query_field"))
    allowed = materials.allowed(filters, recipe.file("documents"), topics)
    return run if allowed is None else filtered(run, topics, allowed)


def _training(recipe: Recipe, materials: Materials) -> fusion.Training | None:
    qrels, topics = recipe.file("training_qrels"), recipe.file("training_topics")
    runs = [materials.run(path) for path in recipe.files.get("training_runs", ())]
    return None if qrels is None else fusion.Training(qrels, topics, runs or None)


def _documents(recipe: Recipe) -> Path:
    documents = recipe.file("documents")
    if documents is None:
        raise UsageError("a prior by a field of the documents needs the file of the documents")
    return documents
