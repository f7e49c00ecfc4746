"""Measure the code: lines, rooms, floors, arrows, circles, sizes (`make house`).

A room is a package or a module directly in `irkit/`. An arrow is a pair of rooms of which the first imports the second;
imports inside functions and under `TYPE_CHECKING` count. The floors are the longest chain of arrows, where each circle
counts as a single room.
"""

import ast
import io
import json
import statistics
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "irkit"


@dataclass(frozen=True, slots=True)
class Import:
    """An import of one module of irkit by another one."""

    source: str
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of Python by what they hold."""

    files: int
    all: int
    code: int
    docstring: int
    comment: int
    blank: int


def modules(package: Path = PACKAGE) -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    named = {}
    for path in sorted(package.rglob("*.py")):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def imports(package: Path = PACKAGE) -> list[Import]:
    """Every import between modules of the package, wherever in a module it stands."""
    known = modules(package)
    return [
        Import(source, target, line)
        for source, path in known.items()
        for target, line in _targets(path, known, package.name)
        if target != source
    ]


def room(module: str) -> str:
    """Name of the package or module directly in `irkit/` that holds `module`."""
    return module.split(".")[1] if "." in module else "__init__"


def arrows(found: list[Import]) -> set[tuple[str, str]]:
    """Pairs of rooms of which the first imports the second."""
    return {(room(one.source), room(one.target)) for one in found if room(one.source) != room(one.target)}


def circles(edges: set[tuple[str, str]]) -> list[list[str]]:
    """Groups of rooms that import each other, directly or by others (strongly connected components of two and more)."""
    return sorted(group for group in _components(edges) if len(group) > 1)


def floors(edges: set[tuple[str, str]]) -> int:
    """Rooms on the longest chain of imports, a circle counted as one room."""
    group_of = {name: number for number, group in enumerate(_components(edges)) for name in group}
    above: dict[int, set[int]] = {number: set() for number in group_of.values()}
    for source, target in edges:
        if group_of[source] != group_of[target]:
            above[group_of[source]].add(group_of[target])
    height: dict[int, int] = {}

    def height_of(group: int) -> int:
        if group not in height:
            height[group] = 1 + max((height_of(other) for other in above[group]), default=0)
        return height[group]

    return max(map(height_of, above), default=0)


def count_lines(folder: Path) -> Lines:
    """Count the lines of all Python files below `folder`, stubs too."""
    kinds = dict.fromkeys(("all", "code", "docstring", "comment", "blank"), 0)
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".pyi")]
    for path in files:
        for kind in _kinds_of_lines(path.read_text("utf-8")):
            kinds[kind] += 1
            kinds["all"] += 1
    return Lines(files=len(files), **kinds)


def function_lengths(package: Path = PACKAGE) -> list[tuple[int, str]]:
    """Lines of the body of every function, without its docstring, with its place; the longest first."""
    lengths = []
    for module, path in modules(package).items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
                length = (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0
                lengths.append((length, f"{module}.{node.name}"))
    return sorted(lengths, reverse=True)


def measure() -> dict[str, object]:
    """All figures of the code as it stands."""
    found = imports()
    edges = arrows(found)
    rooms = {room(name) for name in modules()} - {"__init__"}
    loose = sorted(path.name for path in PACKAGE.glob("*.py"))
    library, tests = count_lines(PACKAGE), count_lines(ROOT / "tests")
    lengths = [length for length, _ in function_lengths()]
    sizes = sorted(len(path.read_text("utf-8").splitlines()) for path in modules().values())
    return {
        "irkit": asdict(library),
        "tests": asdict(tests),
        "test lines a line of irkit": round(tests.all / library.all, 3),
        "rooms": len(rooms),
        "modules loose in irkit/": len(loose),
        "floors": floors(edges),
        "arrows": len(edges),
        "circles": circles(edges),
        "module lines": _spread(sizes),
        "function lines": _spread(sorted(lengths)),
        "longest functions": [f"{length} {place}" for length, place in function_lengths()[:5]],
    }


def _spread(values: list[int]) -> dict[str, float]:
    """Median, ninth decile and largest of sorted values."""
    return {"median": statistics.median(values), "p90": values[int(0.9 * len(values))], "largest": values[-1]}


def _targets(path: Path, known: dict[str, Path], package: str) -> Iterator[tuple[str, int]]:
    """Modules of the package that a file imports, with the lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == package:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield (whole if whole in known else node.module), node.lineno


def _components(edges: set[tuple[str, str]]) -> list[list[str]]:
    """Strongly connected components (Tarjan 1972)."""
    after: dict[str, list[str]] = {}
    for source, target in sorted(edges):
        after.setdefault(source, []).append(target)
        after.setdefault(target, [])
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in after[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            place = stack.index(node)
            groups.append(sorted(stack[place:]))
            del stack[place:]

    for node in after:
        if node not in index:
            visit(node)
    return groups


def _kinds_of_lines(text: str) -> list[str]:
    """What each line of a file holds: code, docstring, comment or nothing."""
    lines = text.splitlines()
    kinds = ["code" if line.strip() else "blank" for line in lines]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and lines[token.start[0] - 1].lstrip().startswith("#"):
            kinds[token.start[0] - 1] = "comment"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            first = node.body[0]
            for number in range(first.lineno - 1, first.end_lineno or first.lineno):
                kinds[number] = "docstring"
    return kinds


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    print()
