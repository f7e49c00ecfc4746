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
    """The vectors of topics; a prefix that is None is that of the index.

    Raises
    ------
    DataError
        If the encoder is not the one that made the index; before anything is encoded.
    """
    check_encoder(index, encoder)
    before = prefix_of(index, encoder, prefix)
    return vectors.encode([before + topic.text for topic in topics], encoder, description="encoding topics")


def prefix_of(index: DenseIndex, encoder: Encoder, given: str | None) -> str:
    """What stands before each topic: what is given, or belongs to the index, or to the encoder."""
    if given is not None:
        return given
    return card_of(encoder).query_prefix if index.manifest is None else index.manifest.query_prefix


def check_encoder(index: DenseIndex, encoder: Encoder) -> None:
    """Refuse an encoder that did not make the index.

    Raises
    ------
    DataError
        With both sides.
    """
    if index.index.d != encoder.dimensions:
        raise DataError(
            f"the index has {index.index.d} dimensions, encoder {encoder.name} gives {encoder.dimensions}; "
            "search with the encoder that made the index"
        )
    manifest = index.manifest
    if manifest is None or manifest.encoder == encoder.identity:
        return
    made = f"encoder {manifest.encoder_name or 'of another name'}"
    if manifest.encoder_name == encoder.name:
        lengths = manifest.max_length, encoder.max_length
        differ = f"{lengths[0]} tokens, now {lengths[1]}" if len(set(lengths)) > 1 else "weights or settings differ"
        raise DataError(f"the index was made by another {made} ({differ}); build it again, or use that one")
    raise DataError(f"the index was made by {made}, not by {encoder.name}; build it again, or use that one")
