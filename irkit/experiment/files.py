"""The files of an experiment's collection: read where they are, or converted."""

from pathlib import Path
from typing import NamedTuple

from irkit.conversion import convert, converted_files, is_ready
from irkit.experiment.plan import Experiment
from irkit.files.overwrite import check_apart


class CollectionFiles(NamedTuple):
    """Documents, topics and qrels of a collection, with notes on their conversion.

    Documents and topics are None where nothing needs them: the runs are there already. `notes` is empty where nothing
    was converted, or the files were there already as they had to be.
    """

    corpus: Path | None
    topics: Path | None
    qrels: Path
    query_field: str | None
    notes: tuple[str, ...] = ()


def collection_files(experiment: Experiment, folder: Path) -> CollectionFiles:
    """Find the files of the collection; convert unsupported formats into `folder`."""
    corpus, topics, qrels = experiment.corpus, experiment.topics, experiment.qrels
    name = experiment.collection
    converted = converted_files(folder, name)
    is_converted = not (
        experiment.source is None and qrels and (not (corpus and topics) or is_ready(corpus, topics, qrels))
    )
    check_apart(
        (*experiment.other_reads, *(() if is_converted else experiment.collection_reads)),
        implied=(*experiment.writes(folder), *(converted if is_converted else ())),
    )
    if not is_converted:
        assert qrels is not None
        return CollectionFiles(corpus, topics, qrels, experiment.query_field)
    report = convert(
        experiment.source,
        folder,
        name=name,
        split=experiment.split,
        documents=corpus,
        topics=topics,
        qrels=qrels,
        query_field=experiment.query_field,
        need_judgments=True,
    )
    return CollectionFiles(
        converted.documents,
        converted.topics,
        converted.qrels,
        None,
        tuple(map(str, report.notes)) if report.changed else (),
    )
