"""`irkit holes`: unjudged documents, what they could change, and which to judge next."""

from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irkit._utils.progress import progress
from irkit._utils.text import counted
from irkit.cli.files import settled
from irkit.cli.options import format_option, holes_options, parted, runs_and_qrels, topics_option
from irkit.cli.stderr import say, show
from irkit.data.qrels import read_qrels
from irkit.errors import UsageError
from irkit.files.overwrite import check_apart, is_kept
from irkit.files.textio import STDIN
from irkit.holes import Holes, find_holes
from irkit.holes.result import By
from irkit.holes.worklist import has_answers, joined, read_answers, texts_of, write_worklist
from irkit.report.text import COMPARISON_FORMATS, RECORDS, render, unsaid

if TYPE_CHECKING:
    from irkit.data.topic_matching import MatchTopics

SHOWN = 20


@click.command("holes")
@runs_and_qrels("RUN... QRELS")
@click.option(
    "-m",
    "--measure",
    default="nDCG@10",
    show_default=True,
    metavar="MEASURE",
    help="Measure whose values the judgments could change.",
)
@click.option(
    "-k",
    "k",
    type=click.IntRange(min=1),
    metavar="K",
    show_default="the measure's cutoff, or 10",
    help="Use the first K ranks of each run.",
)
@click.option(
    "--by",
    type=click.Choice(["difference", "value"]),
    show_default="difference; value for one run",
    help="Order documents by how much each could change the difference between two runs, or the mean of a run.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    show_default=f"{SHOWN} on a page; all in csv, tsv, json, jsonl and --out",
    help="Number of documents to list.",
)
@click.option(
    "--out", "-o", metavar="FILE", help="Also write the list as a tab-separated table with a column for grades."
)
@topics_option("Topics file: the queries in --out, and what --average topics averages.")
@click.option("--documents", metavar="FILE", help="Documents as JSON lines: the texts in --out.")
@click.option(
    "--answers",
    multiple=True,
    metavar="FILE",
    help="Add these judgments to the qrels: a list with grades filled in, or qrels. Repeat the option for more.",
)
@click.option("--joined", "joined_out", metavar="FILE", help="Write the qrels with the --answers.")
@holes_options
@format_option(*COMPARISON_FORMATS)
def command(
    files: tuple[str, ...],
    k: int | None,
    by: By | None,
    most: int | None,
    out: str | None,
    topics: str | None,
    documents: str | None,
    answers: tuple[str, ...],
    joined_out: str | None,
    form: str,
    **options: Any,
) -> None:
    """List unjudged documents, first those whose judgment could change most.

    Shown are how much of the first ranks of each run is judged; how low and how high its mean, and the difference
    between two runs, could become by judging the rest; and the documents to judge next.

    \b
    irkit holes bm25.run dense.run qrels.txt
    irkit holes *.run qrels.txt -k 10 --most 200 --out list.tsv --topics topics.txt --documents docs.jsonl
    irkit holes *.run qrels.txt --answers list.tsv --joined qrels.new.txt
    """
    runs, qrels_file = parted(files, least=1, wants="holes needs at least one run")
    _check(runs, qrels_file, topics, documents, answers, out, joined_out, options)
    qrels = read_qrels(qrels_file)
    if answers:
        qrels = joined(qrels, [answer for path in answers for answer in read_answers(path)])
    averaged = topics if options["average"] == "topics" else None
    steps = len(runs) + comb(len(runs), 2)
    with progress("looking at runs and pairs of runs", steps) as done:
        holes = find_holes(runs, qrels, topics=averaged, cutoff=k, by=by, done=done, **settled(options))
    if joined_out is not None:
        qrels.write(joined_out)
    if out is not None:
        _write(holes if most is None else holes.head(most), out, topics, documents, options["match_topics"])
    for line in unsaid(holes, form):
        say(line)
    if out == STDIN or joined_out == STDIN:
        return
    n_shown = most or (None if form in (*RECORDS, "json") else SHOWN)
    show(render(holes if n_shown is None else holes.head(n_shown), form), form)


def _check(
    runs: tuple[str, ...],
    qrels: str,
    topics: str | None,
    documents: str | None,
    answers: tuple[str, ...],
    out: str | None,
    joined_out: str | None,
    options: dict[str, Any],
) -> None:
    if [*runs, qrels, *answers].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    if options["average"] == "topics" and topics is None:
        raise click.UsageError("--average topics needs --topics FILE, whose topics are averaged")
    if topics is not None and options["average"] != "topics" and out is None:
        raise click.UsageError("--topics needs --out, where the queries are written, or --average topics")
    if documents is not None and out is None:
        raise click.UsageError("--documents needs --out, where the texts are written")
    if joined_out is not None and not answers:
        raise click.UsageError("--joined needs --answers: it writes the qrels with the answers")
    if out == STDIN and joined_out == STDIN:
        raise UsageError("standard output can take one file only; name one for the list or for the qrels")
    check_apart([*runs, qrels, *answers, *filter(None, [topics, documents])], out, joined_out)
    if out is not None and is_kept(out) and Path(out).is_file() and has_answers(out):
        raise click.UsageError(
            f"{out} holds judgments, which would be lost; read them with --answers {out}, and write to another file"
        )


def _write(holes: Holes, out: str, topics: str | None, documents: str | None, rule: "MatchTopics | None") -> None:
    queries = texts = None
    if topics is not None:
        from irkit.data.topics import read_topics

        known = read_topics(topics)
        if rule is not None:
            from irkit.data.topic_matching import matched_topics, matching

            known = matched_topics(known, matching(known.ids, holes.topics, rule))
        queries = {topic.id: topic.text for topic in known}
    if documents is not None:
        from irkit.data.documents import read_documents

        texts = texts_of(holes, ((document.id, document.text) for document in read_documents(documents)))
        without = sum(hole.document not in texts for hole in holes)
        if without:
            say(f"{counted(without, 'pair')} of the list: no such document in {documents}, so no text")
    write_worklist(out, holes, queries=queries, texts=texts)
