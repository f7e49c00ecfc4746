"""Topics named on the command line: those that are averaged, and the field whose values are shown apart."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from irkit.cli.stderr import say
from irkit.evaluation.result import Evaluation

if TYPE_CHECKING:
    from irkit.data.topic_matching import MatchTopics


class Slices(NamedTuple):
    """The topics of `--topics FILE`, and what `--by FIELD` says of each; None where they were not asked for."""

    averaged: Any
    listed: Any
    field: Mapping[str, str] | None

    def groups(self, evaluations: Iterable[Evaluation]) -> dict[str, str] | None:
        """The group of each topic evaluated; `(none)` where the file has no value."""
        if self.field is None:
            return None
        from irkit.data.topic_subsets import with_no_value

        evaluated = list(dict.fromkeys(topic for one in evaluations for topic in one.topics))
        groups = with_no_value(self.field, evaluated, self.listed.name)
        if len(groups) > len(self.field):
            from irkit.data.topic_matching import topic_hint

            if hint := topic_hint(self.listed.ids, evaluated):
                say(f"topic ids of {self.listed.name} and of those evaluated differ: {hint}")
        return groups

    def matched(self, evaluations: Iterable[Evaluation], rule: "MatchTopics | None") -> "Slices":
        """The same with the ids of the topics evaluated, where the file's own match them by a rule."""
        if rule is None or self.listed is None:
            return self
        from irkit.data.topic_matching import matched_topics, matching

        evaluated = list(dict.fromkeys(topic for one in evaluations for topic in one.topics))
        pairs = matching(self.listed.ids, evaluated, rule)
        field = None if self.field is None else {pairs.get(topic, topic): one for topic, one in self.field.items()}
        return Slices(self.averaged, matched_topics(self.listed, pairs), field)


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
    from irkit.data.topic_subsets import read_topic_list

    listed = read_topic_list(topics)
    return Slices(listed if averaged else None, listed, None if field is None else listed.field(field))
