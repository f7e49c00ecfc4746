"""The house itself: imports point one way, and what is light stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "irkit"

# Each floor may import from those above it and from itself; docs/architecture.md shows the same list.
FLOORS = [
    {"errors", "ending"},
    {"rules", "frozen", "ids", "field_names", "formats", "archives", "parts"},
    {"textio", "outputs", "progress", "spelling", "remedies", "look_alikes", "numerals", "visible", "cores"},
    {"notices", "locks"},
    {"_kernel", "records"},
    {"values", "tables", "objects"},
    {"topic_formats", "topics", "topic_matching", "topic_lists", "collapse"}
    | {"beir", "documents", "qrels", "exchanged", "runs", "retrieved"},
    {"judgments"},
    {"judged", "fusion", "conversion"},
    {"kinds", "strangers", "ties"},
    {"measures"},
    {"heading", "display", "tie_range", "evaluation"},
    {"joined", "tied_values", "gaps", "unjudged"},
    {"scoring"},
    {"stats"},
    {"checking", "changes", "holes", "gate"},
    {"tuning"},
    {"report"},
    {"figures"},
    {"trec_eval"},
    {"pytrec_eval", "ir_measures", "ir_measures_provider"},
    {"retrieval"},
    {"recipes"},
    {"experiment"},
    {"page"},
    {"cli", "pytest_plugin"},
    {"__init__", "__main__"},
]


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "irkit":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("irkit."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("irkit.")}
    return found


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "collections" not in path.parts[:-1])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_up_the_list_only(path):
    floor_of = {name: number for number, floor in enumerate(FLOORS) for name in floor}
    here = room(path)
    assert here in floor_of, f"{here} stands on no floor: add it to the list and to docs/architecture.md"
    below = {name for name in imported(path) if name in floor_of and floor_of[name] > floor_of[here]}
    assert not below, f"{here} imports from below: {below}"


def modules_after(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split("\n"))


def test_import_irkit_loads_nothing_but_the_standard_library():
    assert not modules_after("import irkit") & {"numpy", "click", "rich", "pandas", "scipy"}


def test_score_loads_no_library_heavier_than_numpy(tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 r\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    words = ["score", str(tmp_path / "run"), str(tmp_path / "run"), str(tmp_path / "qrels")]
    loaded = modules_after(f"from irkit.cli import main\nassert main({words!r}) == 0")
    assert "numpy" in loaded
    assert not loaded & {
        "pandas",
        "pyarrow",
        "polars",
        "scipy",
        "faiss",
        "onnxruntime",
        "jnius",
        "pyserini",
        "torch",
        "tokenizers",
    }


def test_every_public_name_is_found_and_listed_once():
    import irkit

    assert irkit.__all__ == sorted(irkit._HOME)
    assert all(hasattr(irkit, name) for name in irkit.__all__)
    assert set(dir(irkit)) == {*irkit.__all__, "__version__"}


def test_no_public_name_is_also_a_module_that_would_take_its_place_once_imported():
    import irkit

    assert not {name for name in irkit.__all__ if (PACKAGE / name).exists() or (PACKAGE / f"{name}.py").exists()}
