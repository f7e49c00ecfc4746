"""The files of an experiment's collection: read where they are, or converted."""

from pathlib import Path
from typing import NamedTuple

from irkit.conversion import convert, is_ready
from irkit.experiment.plan import Experiment


class CollectionFiles(NamedTuple):
    """Documents, topics and qrels as everything else reads them, and what their conversion has to say.

    Documents and topics are None where nothing needs them: the runs are there already. `notes` is empty where nothing
    was converted, or the files were there already as they had to be.
    """

    corpus: Path | None
    topics: Path | None
    qrels: Path
    query_field: str | None
    notes: tuple[str, ...] = ()


def collection_files(experiment: Experiment, folder: Path) -> CollectionFiles:
    """The files of the collection; what is not in the forms that are read is converted into `folder`.

    Raises
    ------
    IrkitError
        As `convert`; a collection without judgments is refused too.
    """
    corpus, topics, qrels = experiment.corpus, experiment.topics, experiment.qrels
    if experiment.source is None and qrels and (not (corpus and topics) or is_ready(corpus, topics, qrels)):
        return CollectionFiles(corpus, topics, qrels, experiment.query_field)
    name = experiment.collection
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
        folder / "documents" / f"documents.{name}.jsonl",
        folder / "topics" / f"topics.{name}.txt",
        folder / "qrels" / f"qrels.{name}.txt",
        None,
        tuple(map(str, report.notes)) if report.changed else (),
    )
