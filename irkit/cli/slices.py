"""Topics named on the command line: those that are averaged, and the field whose values are shown apart."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click

from irkit.evaluation import Evaluation


class Slices(NamedTuple):
    """The topics of `--topics FILE`, and what `--by FIELD` says of each; None where they were not asked for."""

    averaged: Any
    listed: Any
    field: Mapping[str, str] | None

    def groups(self, evaluations: Iterable[Evaluation]) -> dict[str, str] | None:
        """The group of each topic evaluated; `(none)` where the file has no value."""
        if self.field is None:
            return None
        from irkit.topic_lists import with_no_value

        evaluated = dict.fromkeys(topic for one in evaluations for topic in one.topics)
        return with_no_value(self.field, list(evaluated), self.listed.name)


def read_slices(topics: str | None, field: str | None, average: str, *, texts: bool = False) -> Slices:
    """Read the file of `--topics`, if there is one; with `texts` it is good for the texts of topics alone.

    Raises
    ------
    click.UsageError
        If options stand without those that they go with.
    """
    if field is not None and topics is None:
        raise click.UsageError("--by FIELD and --topics FILE go together: the field is read from the topics file")
    averaged = average == "topics"
    if averaged != (topics is not None) and field is None and not (texts and topics):
        raise click.UsageError("--topics FILE goes with --average topics, or with --by FIELD, or with both")
    if topics is None:
        return Slices(None, None, None)
    from irkit.topic_lists import read_topic_list

    listed = read_topic_list(topics)
    return Slices(listed if averaged else None, listed, None if field is None else listed.field(field))
