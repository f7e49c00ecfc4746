"""A command group that suggests the nearest command for a misspelt one."""

import click

from irkit._utils.text import instead


class Group(click.Group):
    """A group of commands that suggests the nearest command for an unknown name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command with the name of the first word."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(f"unknown command '{args[0]}'; {instead(args[0], known)}", ctx)
        return super().resolve_command(ctx, args)
