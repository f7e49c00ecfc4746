"""A recipe becomes a run."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.recipes.fuse import fuse
from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.parameters import check_together
from irkit.recipes.recipe import Recipe
from irkit.recipes.rerank import reranked
from irkit.retrieval.encoder import MINILM
from irkit.retrieval.feedback import feedback_of
from irkit.retrieval.index_kinds import KIND_PARAMETERS, kind_of
from irkit.retrieval.ranking import Retrieved
from irkit.retrieval.texts import CONTENTS


def make(recipe: Recipe, materials: RecipeInputs | None = None) -> Retrieved:
    """Make the run of a recipe, with its notes.

    Parameters
    ----------
    recipe : Recipe
    materials : RecipeInputs, optional
        What was read for other recipes already.

    Raises
    ------
    IrkitError
        If a file, a parameter or an engine is not what it has to be.
    """
    if recipe.method not in _METHODS:
        raise UsageError(f"unknown method {recipe.method!r}; {instead(recipe.method, _METHODS)}")
    index = recipe.file("index")
    check_together(recipe.method, recipe.parameters, indexed=index is not None)
    materials = materials or RecipeInputs()
    for paths in recipe.files.values():
        for path in paths:
            materials.see(path)
    if index is not None and index.is_dir():
        materials.digest(
            index
        )  # now: the record names the index that is searched, though another replaces it meanwhile
    return _METHODS[recipe.method](recipe, materials)


def _bm25(recipe: Recipe, materials: RecipeInputs) -> Retrieved:
    from irkit.retrieval import bm25

    given = dict(recipe.parameters)
    topics = materials.topics(_needed(recipe, "topics"), given.pop("query_field", None))
    allowed = materials.allowed(given.pop("filters", ()), recipe.file("documents"), topics)
    options = _taken(given, "language", "stemmer", "keep_stop_words", "pretokenized")
    feedback = given.pop("feedback", None)
    search = {"k": given.pop("depth", 1000), "allowed": allowed, "threads": materials.threads, **given}
    if feedback is not None:
        search["feedback"] = feedback_of(feedback)
    if index := recipe.file("index"):
        return bm25.search(index, topics, analysis=bm25.Analysis(**options) if options else None, **search)
    documents = _needed(recipe, "documents")
    if feedback is not None:
        options["feedback"] = True
    options["fields"] = sorted(name for name in given.get("fields") or () if name != CONTENTS)
    return materials.in_index(
        "lucene",
        documents,
        options,
        lambda folder: bm25.build_index(materials.documents(documents), folder, **options),
        lambda folder: bm25.search(folder, topics, **search),
    )


def _dense(recipe: Recipe, materials: RecipeInputs) -> Retrieved:
    from irkit.retrieval import dense

    given = dict(recipe.parameters)
    topics = materials.topics(_needed(recipe, "topics"), given.pop("query_field", None))
    allowed = materials.allowed(given.pop("filters", ()), recipe.file("documents"), topics)
    given.pop("encoder", None)
    name, index = recipe.model(), recipe.file("index")
    search = {"k": given.pop("depth", 1000), "allowed": allowed}
    if index:
        read = dense.load_index(index)
        encoder = materials.encoder(name or read.encoder_name, **read.encoder_options)
        return dense.search_index(read, topics, encoder=encoder, **search, **given)
    documents, encoder = _needed(recipe, "documents"), materials.encoder(name or MINILM)
    kind = kind_of(given.pop("kind", "flat"), _taken(given, *KIND_PARAMETERS))
    options = _taken(given, "fields", "query_prefix", "document_prefix")
    return materials.in_index(
        "dense",
        documents,
        {"encoder": encoder.identity, "kind": str(kind), **options},
        lambda folder: dense.save_index(
            dense.build_index(materials.documents(documents), encoder, kind=kind, **options), folder
        ),
        lambda folder: dense.search_index(dense.load_index(folder), topics, encoder=encoder, **search, **given),
    )


def _needed(recipe: Recipe, role: str) -> Path:
    path = recipe.file(role)
    if path is None:
        raise UsageError(f"{recipe.method} needs a file of {role}")
    return path


def _taken(parameters: dict[str, Any], *names: str) -> dict[str, Any]:
    """The parameters of these names, which are taken out of the others."""
    return {name: parameters.pop(name) for name in names if name in parameters}


_METHODS: Final[Mapping[str, Callable[[Recipe, RecipeInputs], Retrieved]]] = {
    "bm25": _bm25,
    "dense": _dense,
    "fuse": fuse,
    "rerank": reranked,
}
