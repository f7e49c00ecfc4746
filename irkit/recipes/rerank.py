"""Re-ranking as a recipe says."""

from dataclasses import replace

from irkit.data.documents import read_documents
from irkit.data.topic_matching import matched_topics, matching
from irkit.errors import UsageError
from irkit.recipes.abstention import above
from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.recipe import Recipe
from irkit.retrieval.rerank import Reranked, Reranker, rerank
from irkit.retrieval.rerank.reranker import DEFAULT

_OF_THE_MODEL = ("model", "max_length", "batch_size")


def reranked(recipe: Recipe, materials: RecipeInputs) -> Reranked:
    """The re-ranked run of a recipe whose method is `rerank`."""
    run, topics, documents = map(recipe.file, ("runs", "topics", "documents"))
    if run is None or topics is None or documents is None:
        raise UsageError("rerank needs a run, and the files of its topics and documents")
    given = {name: value for name, value in recipe.parameters.items() if name not in _OF_THE_MODEL}
    asked = materials.topics(topics, given.pop("query_field", None))
    floor, rule = given.pop("floor", None), given.pop("match_topics", None)
    first = materials.run(run)
    if rule is not None:
        asked = matched_topics(asked, matching(asked.ids, first.topics, rule))
    found = rerank(first, asked, read_documents(documents), model_of(recipe, materials), **given)
    kept, silent = above(floor, found.run)
    return replace(found, run=kept, notes=(*found.notes, *silent))


def model_of(recipe: Recipe, materials: RecipeInputs) -> Reranker:
    """The model of a recipe, loaded once."""
    given = {name: recipe.parameters[name] for name in _OF_THE_MODEL[1:] if name in recipe.parameters}
    return materials.reranker(recipe.model(DEFAULT) or DEFAULT, **given)
