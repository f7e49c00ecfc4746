"""`irkit verify`: make runs again from their records, and compare."""

import click

from irkit.cli.stderr import say
from irkit.errors import IrkitError


@click.command("verify")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--in",
    "folders",
    multiple=True,
    metavar="FOLDER",
    help="Folder to search for files that are not where the record says. Repeat the option for more.",
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="FOLDER",
    show_default="the folder of each run, and the working folder",
    help="Read files that a record names only from this folder. Repeat the option for more.",
)
def command(runs: tuple[str, ...], folders: tuple[str, ...], roots: tuple[str, ...]) -> int:
    """Make runs again from the records beside them (RUN.provenance.json), and compare the results.

    Topics, documents, indexes and fused runs have to be what they were, by their SHA-256. A run holds if it comes out
    byte for byte, or with the same rankings and scores closer than 2e-6: the last digits of an encoder depend on the
    processor. Exit code 1 if one does not hold.

    A record may come from a stranger: files that it names outside the folders of --root and --in are not looked for.

    \b
    irkit verify runs/*.txt
    """
    from irkit.recipes import verify

    failed = False
    for run in runs:
        try:
            verification = verify(run, look_in=folders, roots=roots)
        except IrkitError as problem:  # the other runs are still verified
            failed = True
            say(f"{run}: CANNOT BE VERIFIED", err=False)
            say(f"  {problem}", err=False)
            continue
        failed |= not verification.holds
        say(f"{run}: {'holds' if verification.holds else 'DOES NOT HOLD'}", err=False)
        for finding in verification.findings:
            say(f"  {finding}", err=False)
    return int(failed)
