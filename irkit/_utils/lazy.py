"""Load the names of a package when they are first used: the package's stub says where each one stands."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def modules_by_name(file: str) -> dict[str, str]:
    """Module of each name that the stub beside a package's `__init__.py` imports, sorted by name."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return dict(sorted((name.name, str(node.module)) for node in imports for name in node.names))


def lazy_names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of a package from its stub."""

    def load(name: str) -> Any:
        if name == "__all__":
            return [public for public in modules_by_name(file) if not public.startswith("_")]
        if name not in modules_by_name(file):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules_by_name(file)[name]), name)
        setattr(import_module(package), name, value)  # found there the next time
        return value

    return load, lambda: list(modules_by_name(file))
