"""`irkit verify`: whether runs are what their records say."""

import click


@click.command("verify")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--in",
    "folders",
    multiple=True,
    metavar="FOLDER",
    help="Where files are looked for by name that are not where the record says; repeat for more.",
)
def command(runs: tuple[str, ...], folders: tuple[str, ...]) -> int:
    """Make runs again by the records beside them (RUN.provenance.json), and say whether they hold.

    Topics, documents, indexes and fused runs have to be what they were, by their SHA-256. A run holds if it comes out
    byte for byte, or with the same rankings and scores closer than 2e-6: the last digits of an encoder depend on the
    processor. Exit code 1 if one does not hold.

    \b
    irkit verify runs/*.txt
    """
    from irkit.recipes import verify

    failed = False
    for run in runs:
        found = verify(run, look_in=folders)
        failed |= not found.holds
        click.echo(f"{run}: {'holds' if found.holds else 'DOES NOT HOLD'}")
        for finding in found.findings:
            click.echo(f"  {finding}")
    return int(failed)
