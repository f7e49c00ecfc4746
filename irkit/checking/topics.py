"""Faults of topics and of documents."""

import re
from itertools import islice
from typing import Final

from irkit.checking.content import Content, quoted, say_not_utf_8
from irkit.checking.findings import Found
from irkit.documents import read_documents
from irkit.errors import FormatError
from irkit.ids import to_bytes
from irkit.textio import is_comment
from irkit.topic_formats import Found as FoundTopic
from irkit.topic_formats import parse_topics

_MOST_FAULTS: Final = 1000  # of form; each is left out and the rest read again
_TOP: Final = re.compile(r"\s*<top[\s>]", re.IGNORECASE)
