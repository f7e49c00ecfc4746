"""The reference of the Python interface: every public name with its signature and its docstring, in Markdown."""

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

import irkit
from irkit._utils.lazy import modules_by_name

_INTRODUCTION: Final = """\
# Every public name

Made from the docstrings; `help(irkit.NAME)` says the same. [Python](python.md) shows how the names go together. What
stands in the modules below and is not here, such as `irkit.stats.bootstrap_intervals`, is public too where its name
begins with no underscore."""

# The rooms in the order in which data pass through them; others follow.
_ORDER: Final = (
    *("topics", "qrels", "runs", "documents", "convert", "judgments", "judged", "measures", "scoring", "evaluation"),
    *("unjudged", "stats", "fusion", "tuning", "recipes", "report"),
)
_LONGEST_LINE: Final = 100


def page() -> str:
    """A list of the names by module, then a section for each."""
    rooms: dict[str, list[str]] = {}
    for name, module in modules_by_name(irkit.__file__).items():
        if name != "__version__":
            rooms.setdefault(module.split(".")[1], []).append(name)
    ordered = sorted(rooms, key=lambda room: (_ORDER.index(room) if room in _ORDER else len(_ORDER), room))
    lines = (f"| {_summary(room)} | {', '.join(map(_link, rooms[room]))} |" for room in ordered)
    table = "\n".join(["| about | names |", "| --- | --- |", *lines])
    sections = [part for room in ordered for part in (f"## irkit.{room}", *_of_room(rooms[room]))]
    return "\n\n".join([_INTRODUCTION, table, *sections])


def _summary(room: str) -> str:
    """What a module says it is."""
    return _cell(_first(import_module(f"irkit.{room}")).rstrip("."))


def _link(name: str) -> str:
    return f"[`{name}`](#{name.lower()})"


def _of_room(names: list[str]) -> Iterator[str]:
    for name in names:
        it = getattr(irkit, name)
        yield f"### {name}"
        yield f"```py\n{_call(f'irkit.{name}', it)}\n```"
        yield from _docstring(it)
        if isinstance(it, type):
            yield from _methods(name, it)


def _call(called: str, function: Callable[..., Any]) -> str:
    """How it is called: the names and defaults of its parameters, whose types the docstring says."""
    if isinstance(function, type) and issubclass(function, Exception):
        return f"class {called}({', '.join(base.__name__ for base in function.__bases__)})"
    parts, star = [], False
    for one in inspect.signature(function).parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or one.kind is one.VAR_POSITIONAL
        mark = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        parts.append(f"{mark}{one.name}{_default(one.default)}")
    line = f"{called}({', '.join(parts)})"
    return line if len(line) <= _LONGEST_LINE else "\n".join([f"{called}(", *(f"    {one}," for one in parts), ")"])


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    if isinstance(value, str):
        return f"={json.dumps(value)}"
    said = repr(value)
    return f"={said}" if re.fullmatch(r"[\w.()+-]+", said) else "=..."


def _docstring(it: Any) -> Iterator[str]:
    """Its docstring: paragraphs as they are, parameters and their like as lists."""
    before, *rest = re.split(r"^([A-Z]\w+)\n-+\n", inspect.cleandoc(it.__doc__ or ""), flags=re.M)
    yield before.strip()
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        if title in ("Parameters", "Attributes", "Returns", "Raises", "Yields"):
            yield f"**{title}**"
            yield "\n".join(_entries(body))
        elif title == "Examples":
            yield f"**{title}**"
            yield f"```text\n{body.strip()}\n```"
        else:
            yield f"**{title}.** {body.strip()}"


def _entries(body: str) -> Iterator[str]:
    """The entries of a section of a docstring: a line that is not indented, and what is indented below it."""
    for entry in re.findall(r"^\S.*(?:\n(?:[ \t].*)?)*", body, re.M):
        head, _, text = entry.partition("\n")
        name, colon, kind = head.partition(" : ")
        said = " ".join(text.split())
        named = f"`{name}`: {kind}" if colon else head if " " in head else f"`{head}`"
        yield f"- {named}{'.' if said and not named.endswith('.') else ''} {said}".rstrip()


def _methods(name: str, cls: type) -> Iterator[str]:
    """The public methods and properties of a class, a line for each."""
    fields = {one.name for one in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    rows = []
    for one in dir(cls):
        it = inspect.getattr_static(cls, one)
        owner = next((each for each in cls.__mro__ if one in vars(each)), object)
        if one.startswith("_") or one in fields or not owner.__module__.startswith("irkit"):
            continue
        if isinstance(it, property):
            rows.append(f"| `{one}` | {_cell(_first(it.fget))} |")
        elif callable(getattr(cls, one)):
            at = name if isinstance(it, (classmethod, staticmethod)) else ""
            rows.append(f"| `{_flat(_call(f'{at}.{one}', getattr(cls, one)))}` | {_cell(_first(getattr(cls, one)))} |")
    if rows:
        yield "\n".join(["| it has | |", "| --- | --- |", *rows])


def _flat(call: str) -> str:
    return re.sub(r"\s+", " ", call).replace("( ", "(").replace(", )", ")").removeprefix(".")


def _first(it: Any) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join(inspect.cleandoc(it.__doc__ or "").partition("\n\n")[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
