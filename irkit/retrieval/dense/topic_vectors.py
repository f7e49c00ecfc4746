"""Topics as an index wants them: by its own encoder, behind its prefix."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irkit.errors import DataError
from irkit.retrieval import vectors
from irkit.retrieval.dense.index import DenseIndex
from irkit.retrieval.encoder import Encoder, card_of

if TYPE_CHECKING:
    from irkit.data.topics import Topic


def encoded_topics(
    index: DenseIndex, topics: "Sequence[Topic]", encoder: Encoder, prefix: str | None
) -> vectors.EncodedTexts:
    """Encode topics; a prefix of None means that of the index."""
    check_encoder(index, encoder)
    before = prefix_of(index, encoder, prefix)
    return vectors.encode([before + topic.text for topic in topics], encoder, description="encoding topics")


def prefix_of(index: DenseIndex, encoder: Encoder, given: str | None) -> str:
    """Return the prefix of topics: the given one, else that of the index, else that of the encoder."""
    if given is not None:
        return given
    return card_of(encoder).query_prefix if index.manifest is None else index.manifest.query_prefix


def check_encoder(index: DenseIndex, encoder: Encoder) -> None:
    """Raise DataError if another encoder made the index; the message names both."""
    if index.index.d != encoder.dimensions:
        raise DataError(
            f"the index has {index.index.d} dimensions, encoder {encoder.name} gives {encoder.dimensions}; "
            "search with the encoder that made the index"
        )
    manifest = index.manifest
    if manifest is None or manifest.encoder == encoder.identity:
        return
    maker = f"encoder {manifest.encoder_name or 'of another name'}"
    if manifest.encoder_name == encoder.name:
        lengths = manifest.max_length, encoder.max_length
        differ = f"{lengths[0]} tokens, now {lengths[1]}" if len(set(lengths)) > 1 else "weights or settings differ"
        raise DataError(f"the index was made by another {maker} ({differ}); build it again, or use that encoder")
    raise DataError(f"the index was made by {maker}, not by {encoder.name}; build it again, or use that encoder")
