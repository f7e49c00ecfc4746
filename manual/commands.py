"""The reference of the commands: what click knows of each, in Markdown."""

import contextlib
import inspect
import io
from collections.abc import Iterator
from typing import Any, Final

import click

from irkit.cli import COMMANDS, irkit
from irkit.trec_eval import main as trec_eval

_INTRODUCTION: Final = """\
# Every command

Made from the commands themselves; `irkit COMMAND --help` says the same. A command ends with 0 where it did its work,
with 1 where data are wrong or a check failed, with 2 where it was called wrongly, and with 130 where it was
interrupted."""


def page() -> str:
    """A table of the commands, then a section for each."""
    rows = [f"| [`irkit {name}`](#{_anchor(f'irkit {name}')}) | {says} |" for name, says in COMMANDS.items()]
    table = "\n".join(["| command | what it does |", "| --- | --- |", *rows])
    context = click.Context(irkit, info_name="irkit")
    sections = [part for name in COMMANDS for part in _sections(name, context, "##")]
    return "\n\n".join([_INTRODUCTION, table, *sections])


def _anchor(title: str) -> str:
    return title.replace(" ", "-")


def _sections(name: str, parent: click.Context, mark: str) -> Iterator[str]:
    """The command of this name, and its own commands behind it."""
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    yield f"{mark} {context.command_path}"
    if name == "trec_eval":
        yield f"{COMMANDS[name]} [Where it differs](trec_eval.md#where-it-differs).\n\n```text\n{_foreign()}\n```"
        return
    yield from _said(command)
    pieces = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{pieces}\n```"
    options = [one for one in command.get_params(context) if isinstance(one, click.Option) and "--help" not in one.opts]
    if options:
        rows = [_row(one, context) for one in options if not one.hidden]
        yield "\n".join(["| option | meaning | default |", "| --- | --- | --- |", *rows])
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            yield from _sections(each, context, f"{mark}#")


def _said(command: click.Command) -> Iterator[str]:
    """The paragraphs of its help; those that click leaves as they are, which are examples, as blocks."""
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("\b\n"):
            lines = [line for line in paragraph.split("\n")[1:] if line]
            yield "```sh\n" + "\n".join(lines) + "\n```"
        else:
            yield " ".join(paragraph.split())


def _row(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    chosen = option.type.choices if isinstance(option.type, click.Choice) else ()
    value = "" if option.is_flag or chosen else f" {option.metavar or _kind(option.type)}"
    meaning = " ".join((option.help or "").split())
    if chosen:
        meaning = f"{meaning} One of {', '.join(f'`{one}`' for one in chosen)}."
    return f"| {names}{value} | {_cell(meaning)} | {_cell(_default(option, context))} |"


def _kind(kind: click.types.ParamType[Any]) -> str:
    return {"integer": "N", "integer range": "N", "float": "X", "float range": "X"}.get(kind.name, kind.name.upper())


def _default(option: click.Option, context: click.Context) -> str:
    if option.required:
        return "needed"
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.get_default(context) if option.show_default else None
    if default is None or option.is_flag:
        return ""
    return ", ".join(map(str, default)) if isinstance(default, tuple) else str(default)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _foreign() -> str:
    """The help of the command whose command line is another program's, but for the measures, which have their page."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        trec_eval(["-h"])
    return said.getvalue().partition("\nMeasures asked for:")[0].strip()
