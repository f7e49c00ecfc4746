"""`irkit trec_eval`: a command with another program's command line, which is not click's."""

import click

from irkit.trec_eval import main


class _Foreign(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["arguments"] = args
        return []


@click.pass_context
def _run(ctx: click.Context, arguments: list[str]) -> None:
    ctx.exit(main(arguments))


command = _Foreign("trec_eval", callback=_run, add_help_option=False)
