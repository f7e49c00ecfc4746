"""The pages of the manual that are made from the code are those that the code makes."""

import re

import click
import pytest

import irkit
from irkit.cli import COMMANDS
from irkit.cli import irkit as program
from manual import DOCS, PAGES


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_page_is_what_the_code_makes(path):
    assert path.read_text("utf-8") == f"{PAGES[path]()}\n", "make reference writes it again"


def every_command(group=program, context=None):
    context = click.Context(group, parent=context)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield command
        if isinstance(command, click.Group):
            yield from every_command(command, context)


@pytest.mark.parametrize("command", list(every_command()), ids=lambda command: command.name)
def test_every_option_says_what_it_does(command):
    page = (DOCS / "commands-reference.md").read_text("utf-8")
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help
            assert f"`{option.opts[0]}`" in page


def test_every_command_and_every_public_name_has_a_section():
    commands = re.findall(r"^## irkit (.*)$", (DOCS / "commands-reference.md").read_text("utf-8"), re.M)
    names = re.findall(r"^### (.*)$", (DOCS / "python-reference.md").read_text("utf-8"), re.M)
    assert commands == list(COMMANDS)
    assert sorted(names) == irkit.__all__
