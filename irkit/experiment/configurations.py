"""The configurations of an experiment file: ways to make runs, some from the runs of others."""

from pathlib import Path
from typing import Any

from irkit._utils.text import counted, instead
from irkit.conversion import NAME_RULE, fits_file_names
from irkit.errors import UsageError
from irkit.experiment.plan import Configuration
from irkit.experiment.toml import Table
from irkit.fusion import METHODS as FUSIONS
from irkit.fusion.table import method_named
from irkit.recipes.checks import number
from irkit.recipes.parameters import PARAMETERS, check_together, checked

MADE = ("bm25", "dense", "rerank", "file")


def read_configurations(root: Table, folder: Path) -> dict[str, Configuration]:
    """The tables `[configurations.NAME]`, in their order."""
    section = root.table("configurations")
    if section is None or not section.entries:
        raise root.error(None, "an experiment needs at least one [configurations.NAME]")
    made: dict[str, Configuration] = {}
    for name in section.entries:
        if not fits_file_names(name):
            raise section.error(name, f"a configuration's name is part of file names: {name!r} cannot be; {NAME_RULE}")
        table = section.table(name)
        assert table is not None
        made[name] = _configuration(table, folder, made)
        table.done()
    return made


def known(table: Table, key: str, names: tuple[str, ...], made: dict[str, Configuration]) -> None:
    """Refuse a key that does not name a configuration above this one."""
    if not names:
        raise table.error(key, f"{table.called} needs '{key}', one configuration at least")
    for name in names:
        if name not in made:
            raise table.error(
                key, f"'{name}' is no configuration above this one; there are {', '.join(made) or 'none'}"
            )


def _configuration(table: Table, folder: Path, made: dict[str, Configuration]) -> Configuration:
    method = table.need("method", str)
    if method not in MADE:
        try:
            fusion = method_named(method).name
        except UsageError as problem:
            raise table.error("method", f"unknown method '{method}'; {instead(method, (*MADE, *FUSIONS))}") from problem
        return _fused(table, fusion, folder, made)
    if method == "file":
        table.need("run", str)
        return Configuration("file", files=_files(table, folder, runs="run"))
    runs: tuple[str, ...] = ()
    if method == "rerank":
        runs = (table.need("run", str),)
        known(table, "run", runs, made)
    parameters = _parameters(table, method)
    try:
        check_together(method, parameters)
    except UsageError as problem:
        raise table.error(None, str(problem)) from problem
    return Configuration(method, parameters, runs)


def _fused(table: Table, method: str, folder: Path, made: dict[str, Configuration]) -> Configuration:
    runs = table.texts("runs")
    known(table, "runs", runs, made)
    parameters: dict[str, Any] = {"fusion": method, **_parameters(table, method)}
    weights = parameters.get("weights")
    if weights and len(weights) != len(runs):
        raise table.error(
            "weights", f"{counted(len(weights), 'weight')} for {counted(len(runs), 'run')}; give one to each"
        )
    if "alpha" in parameters and (len(runs) != 2 or weights):
        raise table.error("alpha", "'alpha' is the first of two runs' weight; it needs two runs and no 'weights'")
    _check_given(table, method, parameters)
    files: dict[str, Path] = {}
    if (prior := table.table("prior")) is not None:
        files |= _files(prior, folder, prior="file")
        if not files:
            parameters["prior_field"] = prior.need("field", str)
        parameters["prior_weight"] = _value(prior, "weight", 1.0)
        prior.done()
    if (training := table.table("training")) is not None:
        if "training" not in FUSIONS[method].known:
            raise table.error("training", f"{method} learns nothing; leave it out")
        files |= _files(training, folder, training_qrels="qrels", training_topics="topics")
        training.done()
    elif "training" in FUSIONS[method].known:
        raise table.error(
            None, f"{method} learns from judged topics: training = {{ topics = FILE }}, which its run then leaves out"
        )
    evidence = None
    if (abstain := table.table("abstain")) is not None:
        evidence = abstain.take("run", str)
        if evidence is not None:
            known(abstain, "run", (evidence,), made)
        abstain.need("floor", float)
        parameters["floor"] = _checked(abstain, method, "floor")
        abstain.done()
    return Configuration("fuse", parameters, runs, evidence, files)


def _check_given(table: Table, method: str, parameters: dict[str, Any]) -> None:
    """Refuse a fusion without its required keys."""
    fusion = FUSIONS[method]
    if fusion.weights == "needed" and not {"weights", "alpha"} & parameters.keys():
        raise table.error(None, f"{method} needs weights, one for each run")
    for parameter in fusion.parameters:
        if parameter.default is None and not parameter.optional and parameter.name not in parameters:
            raise table.error(None, f"{method} needs '{parameter.name}', {parameter.takes}: {parameter.help}")


def _parameters(table: Table, method: str) -> dict[str, Any]:
    return {name: _checked(table, method, name) for name in PARAMETERS[method] if table.mark(name)}


def _checked(table: Table, method: str, name: str) -> object:
    try:
        return checked(method, name, table.entries[name])
    except UsageError as problem:
        raise table.error(name, str(problem)) from problem


def _value(table: Table, key: str, default: float) -> float:
    value = table.take(key, float, default)
    try:
        found: float = number(0)(key, value)
    except UsageError as problem:
        raise table.error(key, str(problem)) from problem
    return found


def _files(table: Table, folder: Path, **keys: str) -> dict[str, Path]:
    """Files named by these keys of a table, by role."""
    found = {role: table.file(key, folder) for role, key in keys.items()}
    return {role: path for role, path in found.items() if path is not None}
