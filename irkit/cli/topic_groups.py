"""Topics named on the command line: those that are averaged, and the field whose values are shown apart."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from irkit.cli.stderr import say
from irkit.evaluation.result import Evaluation

if TYPE_CHECKING:
    from irkit.data.topic_matching import MatchTopics


class Slices(NamedTuple):
    """Topics of `--topics FILE`, and the value of `--by FIELD` for each; None if the options are not given."""

    averaged: Any
    listed: Any
    field: Mapping[str, str] | None

    def groups(self, evaluations: Iterable[Evaluation]) -> dict[str, str] | None:
        """Return the group of each evaluated topic; `(none)` if the file has no value."""
        if self.field is None:
            return None
        from irkit.data.topic_subsets import with_no_value

        evaluated = list(dict.fromkeys(topic for evaluation in evaluations for topic in evaluation.topics))
        groups = with_no_value(self.field, evaluated, self.listed.name)
        if len(groups) > len(self.field):
            from irkit.data.topic_matching import topic_hint

            if hint := topic_hint(self.listed.ids, evaluated):
                say(f"topic ids of {self.listed.name} and of those evaluated differ: {hint}")
        return groups

    def matched(self, evaluations: Iterable[Evaluation], rule: "MatchTopics | None") -> "Slices":
        """Replace the topic ids of the file by those evaluated, matched by a rule."""
        if rule is None or self.listed is None:
            return self
        from irkit.data.topic_matching import matched_topics, matching

        evaluated = list(dict.fromkeys(topic for evaluation in evaluations for topic in evaluation.topics))
        pairs = matching(self.listed.ids, evaluated, rule)
        field = None if self.field is None else {pairs.get(topic, topic): value for topic, value in self.field.items()}
        return Slices(self.averaged, matched_topics(self.listed, pairs), field)


def read_slices(topics: str | None, field: str | None, average: str, *, texts: bool = False) -> Slices:
    """Read the file of `--topics`, if given; with `texts`, the file may be used for the texts of topics only.

    Raises
    ------
    click.UsageError
        If --by, --topics and --average topics do not fit together.
    """
    if field is not None and topics is None:
        raise click.UsageError("--by FIELD and --topics FILE go together: the field is read from the topics file")
    averaged = average == "topics"
    if averaged != (topics is not None) and field is None and not (texts and topics):
        raise click.UsageError(
            "--average topics needs --topics FILE; --topics FILE needs --average topics, --by FIELD, or both"
        )
    if topics is None:
        return Slices(None, None, None)
    from irkit.data.topic_subsets import read_topic_list

    listed = read_topic_list(topics)
    return Slices(listed if averaged else None, listed, None if field is None else listed.field(field))
