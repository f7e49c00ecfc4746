"""The rules of a submission: how many documents, which tag, which topics."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from irkit._kernel.columns import RunSurvey
from irkit._utils.text import counted
from irkit.checking.encoding import quoted
from irkit.checking.looked import InspectedFile
from irkit.checking.patterns import matching
from irkit.errors import UsageError
from irkit.ids import to_text


@dataclass(frozen=True, slots=True)
class SubmissionRules:
    """Rules of a track for submitted runs.

    Attributes
    ----------
    max_per_topic, min_per_topic : int or None
        Documents of a topic.
    tag_pattern : str or None
        A regular expression that the whole of each tag matches; one that takes longer than five seconds is refused.
    all_topics : bool
        Every topic of the topics file, or of the qrels if there is none, is answered.
    """

    max_per_topic: int | None = None
    min_per_topic: int | None = None
    tag_pattern: str | None = None
    all_topics: bool = False

    def __post_init__(self) -> None:
        most, least = self.max_per_topic, self.min_per_topic
        for name, value in (("max-per-topic", most), ("min-per-topic", least)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise UsageError(f"{name} is a whole number, 1 or more, not {value!r}")
        if most is not None and least is not None and least > most:
            raise UsageError(f"min-per-topic, {least}, is above max-per-topic, {most}: no ranking could be both")
        if self.tag_pattern is not None:
            try:
                re.compile(self.tag_pattern)
            except (re.error, RecursionError, OverflowError) as problem:
                raise UsageError(f"tag-pattern {self.tag_pattern!r} is no regular expression: {problem}") from problem

    def check(self, run: InspectedFile, required: Iterable[bytes]) -> None:
        """Findings about a run; `required` are the topics that have to be answered where all have."""
        if run.survey is None:
            return
        self._check_lengths(run, run.survey)
        self._check_tags(run, run.survey)
        answered = set(run.topics)
        for topic in required if self.all_topics else ():
            if topic not in answered and topic not in run.unread:
                run.found.add(
                    "required-topic",
                    f"topic {quoted(topic)} is missing, and every topic has to be answered",
                    topic=to_text(topic),
                )

    def _check_lengths(self, run: InspectedFile, survey: RunSurvey) -> None:
        most, least = self.max_per_topic, self.min_per_topic
        if most is None and least is None:
            return
        for topic, n, first in zip(survey.topics, survey.n_documents.tolist(), survey.first.tolist(), strict=True):
            said = f"topic {quoted(topic)} has {counted(n, 'document')}"
            if most is not None and n > most:
                run.found.add("too-many-documents", f"{said}, {most} are allowed", first, to_text(topic))
            if least is not None and n < least and topic not in run.unread:
                run.found.add("too-few-documents", f"{said}, {least} are asked for", first, to_text(topic))

    def _check_tags(self, run: InspectedFile, survey: RunSurvey) -> None:
        if self.tag_pattern is None:
            return
        allowed = matching(self.tag_pattern, list(map(to_text, survey.tags)))
        for tag, first, is_allowed in zip(survey.tags, survey.tag_first.tolist(), allowed, strict=True):
            if not is_allowed:
                run.found.add("forbidden-tag", f"the tag {quoted(tag)} does not match {self.tag_pattern!r}", first)
