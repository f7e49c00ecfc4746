"""The stations of the house: who may import whom, what `irkit` loads, and which names are public."""

import re

from imports import modules_after

from tools import house

# Each imports from stations above it only: the list of docs/architecture.md.
STATIONS = [
    {"_version", "_utils", "errors"},
    {"ids", "rules"},
    {"files"},
    {"_kernel"},
    {"data"},
    {"judged", "fusion", "conversion"},
    {"measures"},
    {"evaluation"},
    {"stats"},
    {"holes", "changes", "checking", "gate"},
    {"tuning", "retrieval"},
    {"recipes", "report"},
    {"experiment"},
    {"trec_eval", "pytrec_eval", "ir_measures", "pytest_plugin"},
    {"cli"},
    {"__init__", "__main__"},
]


def test_imports_point_up_the_list_of_stations_and_no_circle_is_among_them():
    station = {name: number for number, names in enumerate(STATIONS) for name in names}
    found = house.imports()
    wrong = [
        f"{arrow.source}, line {arrow.line}: {arrow.target}"
        for arrow in found
        if station[house.room(arrow.target)] > station[house.room(arrow.source)]
    ]
    assert wrong == []
    assert house.circles(house.arrows(found)) == []
    assert house.floors(house.arrows(found)) <= 14
    assert len(list(house.PACKAGE.glob("*.py"))) <= 8


def test_only_commands_name_flags():
    # A message names an option by `irkit._utils.options`, and each interface spells it. These modules give flags to git
    # and to Java, or name colours of CSS.
    others = {"gate/acceptance_record.py", "retrieval/java.py", "report/page/write.py"}
    named = {
        path.relative_to(house.PACKAGE).as_posix()
        for path in house.PACKAGE.rglob("*.py")
        if path.relative_to(house.PACKAGE).parts[0] not in ("cli", "trec_eval")
        and re.search(r"(?<![\w-])--[a-z][a-z-]+", path.read_text("utf-8"))
    }
    assert named <= others


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

    assert irkit.__all__ == sorted(set(irkit.__all__))
    assert all(hasattr(irkit, name) for name in irkit.__all__)
    assert set(dir(irkit)) == {*irkit.__all__, "__version__"}


def test_no_public_name_is_also_a_module_that_would_take_its_place_once_imported():
    import irkit

    modules = {path.stem for path in house.PACKAGE.iterdir()}
    assert not modules & set(irkit.__all__)
