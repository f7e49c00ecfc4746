"""What is timed: each work with the commands of all who take part."""

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import MEASURES, programs
from benchmarks.programs import Program
from benchmarks.shapes import BUILD, SHAPES, VECTORS, Shape, Vectors
from benchmarks.values import Reader, of_irkit, of_peer, of_trec_eval

IRKIT_WORDS = tuple(word for measure in MEASURES for word in ("-m", measure))
TREC_EVAL_WORDS = ("-m", "ndcg_cut.10", "-m", "recip_rank", "-m", "map", "-m", "recall.20,1000", "-m", "P.10")
KERNELS = ("compiled", "numpy")
# Six measures cost next to reading nothing; these are five times as many, of every kind that plain qrels have.
MANY_MEASURES = (
    *("nDCG@5", "nDCG@10", "nDCG@20", "nDCG", "nDCG(dcg='exp-log2')@10", "DCG@10", "AP", "AP@100", "RR", "RR@10"),
    *("P@1", "P@5", "P@10", "P@20", "R@10", "R@20", "R@100", "R@1000", "Success@1", "Success@5", "Success@10"),
    *("Rprec", "Bpref", "IPrec@0.1", "infAP", "RBP", "RBP(p=0.5,rel=1)", "ERR@10", "SetF", "Judged@10"),
)
PEERS = (("pytrec_eval-terrier", None), ("ir-measures", "ir_measures"), ("ranx", None))


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its words, and how its output is read; None where it has no values."""

    program: Program
    words: tuple[str, ...] = ()
    reads: Reader | None = None

    @property
    def line(self) -> list[str]:
        """All words of it."""
        return [*self.program.start, *self.words]


@dataclass(frozen=True, slots=True)
class Contender:
    """A command that is timed.

    Attributes
    ----------
    command : Command
    check : Command, optional
        Another one that shows whether it did right, where its own output does not.
    target : Path, optional
        A file that it writes, which is not there when it starts.
    times_itself : bool
        It prints its own `seconds`, which leave out how it came by its input.
    """

    command: Command
    check: Command | None = None
    target: Path | None = None
    times_itself: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """Something to do, of which irkit stands first among the contenders; `wanted` gives the values it should find."""

    name: str
    title: str
    shape: Shape | Vectors
    contenders: tuple[Contender, ...]
    wanted: Command | None = None
    gzipped: bool = False

    def without(self, names: Sequence[str]) -> "Work":
        """The work without the programs of these names."""
        kept = (contender for contender in self.contenders if contender.command.program.name not in names)
        return replace(self, contenders=tuple(kept))


def score_runs(name: str, title: str, shape: Shape, *, peers: bool = True, floors: Sequence[Command] = ()) -> Work:
    """The work of scoring the runs of a shape, by files, all in one call where a program can."""
    runs, qrels = tuple(map(str, shape.runs)), str(shape.qrels)
    ours = [Command(programs.irkit(kernel), ("score", *runs, qrels, *IRKIT_WORDS), of_irkit) for kernel in KERNELS]
    others = []
    if peers:
        others = [trec_eval_over(program, runs, qrels) for program in programs.trec_evals()]
        others += [Command(programs.peer(*peer), ("score", qrels, *runs), of_peer) for peer in PEERS]
    return Work(name, title, shape, tuple(map(Contender, [*ours, *others, *floors])), first_present([*others, *ours]))


def trec_eval_over(program: Program, runs: Sequence[str], qrels: str) -> Command:
    """trec_eval, which takes a run in each call."""
    if len(runs) == 1:
        return Command(program, (*TREC_EVAL_WORDS, qrels, runs[0]), of_trec_eval)
    loop = f'program=$1; qrels=$2; shift 2; for run; do "$program" {" ".join(TREC_EVAL_WORDS)} "$qrels" "$run"; done'
    return Command(programs.shell(program.name, loop, program), (qrels, *runs), of_trec_eval)


def first_present(commands: Sequence[Command]) -> Command | None:
    """The first command that there is."""
    return next((command for command in commands if not command.program.absent), None)


def bare_over(shape: Shape) -> list[Command]:
    """The bare program in C on one core and on two."""
    return [Command(programs.bare(n), (str(shape.runs[0]), str(shape.qrels), str(n))) for n in (1, 2)]


def passage() -> Work:
    """One large run."""
    shape = SHAPES["passage"]
    return score_runs("passage", "passage run, whole command", shape, floors=bare_over(shape))


def news() -> Work:
    """One run of usual size, much judged."""
    shape = SHAPES["news"]
    return score_runs("news", "news run, whole command", shape, floors=bare_over(shape))


def measures() -> Work:
    """The passage run by many measures: what a measure costs."""
    shape = SHAPES["passage"]
    files, program = (str(shape.runs[0]), str(shape.qrels)), programs.irkit("compiled")
    many = replace(program, name=f"irkit, {len(MANY_MEASURES)} measures")
    words = tuple(word for measure in MANY_MEASURES for word in ("-m", measure))
    commands = [
        Command(program, ("score", *files, *IRKIT_WORDS), of_irkit),
        Command(many, ("score", *files, *words)),
    ]
    title = f"passage run by {len(MEASURES)} measures, and by {len(MANY_MEASURES)}"
    return Work("measures", title, shape, tuple(map(Contender, commands)), commands[0])


def checking() -> Work:
    """The passage run scored, looked through for faults by itself, and held against its qrels."""
    shape = SHAPES["passage"]
    run, qrels = str(shape.runs[0]), str(shape.qrels)
    program = programs.irkit("compiled")
    scored = Command(program, ("score", run, qrels, *IRKIT_WORDS), of_irkit)
    others = [
        Command(replace(program, name="irkit check RUN"), ("check", run)),
        Command(replace(program, name="irkit check RUN QRELS"), ("check", run, qrels)),
    ]
    return Work("check", "passage run scored, and checked", shape, tuple(map(Contender, [scored, *others])), scored)


def gate() -> Work:
    """Many topics scored, and another run of them held to a baseline: both have to grow with the topics alone."""
    shape = SHAPES["passage-gate"]
    (then, now), qrels = map(str, shape.runs), str(shape.qrels)
    program, baseline = programs.irkit("compiled"), str(shape.folder / "baseline.json")
    scored = Command(program, ("score", now, qrels, *IRKIT_WORDS), of_irkit)
    words = " ".join(map(shlex.quote, IRKIT_WORDS))
    accept = f"--accept --allow-dirty --why bench --by-whom bench {words} > {os.devnull}"
    # The baseline is made by the first run, which is not timed.
    script = (
        f'test -f "$5" || "$1" gate "$2" "$4" --baseline "$5" {accept}; '
        '"$1" gate "$3" "$4" --baseline "$5" --tolerance 0.5 --warn-if-stale'
    )
    held = Command(programs.shell("irkit gate", script, program), (then, now, qrels, baseline))
    return Work("gate", "28,000 topics scored, and gated", shape, (Contender(scored), Contender(held)), scored)


def holes() -> Work:
    """A hundred runs scored, and what judgments of their holes could change in every pair of them."""
    shape = SHAPES["news-many"]
    runs, qrels, program = tuple(map(str, shape.runs)), str(shape.qrels), programs.irkit("compiled")
    scored = Command(program, ("score", *runs, qrels, *IRKIT_WORDS), of_irkit)
    looked = Command(replace(program, name="irkit holes"), ("holes", *runs, qrels))
    return Work("holes", "100 news runs scored, and their holes", shape, (Contender(scored), Contender(looked)), scored)


def startup() -> Work:
    """Ten lines: what is left is starting."""
    return score_runs(
        "startup", "ten-line run, whole command", SHAPES["ten-lines"], floors=[Command(programs.numpy_alone())]
    )


def many() -> Work:
    """A hundred runs in one call, or in a hundred."""
    return score_runs("many", "100 news runs, one call (trec_eval: 100)", SHAPES["news-many"])


def long() -> Work:
    """Ten times the passage run: memory must not grow."""
    shape = SHAPES["passage-long"]
    title = "ten times the passage run, whole command"
    return score_runs("long", title, shape, peers=False, floors=bare_over(shape))


def gzipped() -> Work:
    """The passage run as gzip packs it; trec_eval needs it unpacked."""
    shape = SHAPES["passage"]
    run, qrels = f"{shape.runs[0]}.gz", str(shape.qrels)
    ours = [Command(programs.irkit(kernel), ("score", run, qrels, *IRKIT_WORDS), of_irkit) for kernel in KERNELS]
    unpacked = str(BUILD / "unpacked.txt")
    script = f'gzip -dc "$2" > "$4"; "$1" {" ".join(TREC_EVAL_WORDS)} "$3" "$4"'
    others = [
        Command(programs.shell(f"gzip and {program.name}", script, program), (run, qrels, unpacked), of_trec_eval)
        for program in programs.trec_evals()
    ]
    others += [Command(programs.peer(*peer), ("score", qrels, run), of_peer) for peer in PEERS]
    floor = Command(Program("gzip -dc alone", start=("gzip", "-dc")), (run,))
    wanted = first_present([*others, *ours])
    contenders = tuple(map(Contender, [*ours, *others, floor]))
    return Work("gzip", "passage run, gzipped, whole command", shape, contenders, wanted, gzipped=True)


def dicts() -> Work:
    """Dicts that are in memory already."""
    shape = SHAPES["passage"]
    libraries = [programs.irkit_library(kernel) for kernel in KERNELS] + [programs.peer(*peer) for peer in PEERS]
    words = ("dicts", str(shape.qrels), str(shape.runs[0]))
    commands = [Command(program, words, of_peer) for program in libraries]
    contenders = tuple(Contender(command, times_itself=True) for command in commands)
    return Work("dicts", "passage run in dicts, scoring alone", shape, contenders, first_present(commands[2:]))


def copy() -> Work:
    """A run is read, ordered and written; that the copy scores like the original says that nothing was lost."""
    shape = SHAPES["passage"]
    run, scorer = str(shape.runs[0]), checker()
    libraries = [programs.irkit_library(kernel) for kernel in KERNELS]
    libraries += [programs.peer(*peer) for peer in (PEERS[2], ("pandas", None), PEERS[1])]
    contenders = writers("copy", shape, [Command(program, ("copy", run)) for program in libraries], scorer)
    return Work("write", "passage run read and written again", shape, contenders, scored(scorer, run, shape))


def fusion() -> Work:
    """Two runs become one by their ranks, with all their documents; that it scores like a peer's says it is right."""
    shape = SHAPES["passage-two"]
    runs, all_of_both, scorer = tuple(map(str, shape.runs)), str(2 * shape.depth), checker()
    ours = [
        Command(programs.irkit(kernel), ("fuse", *runs, "--method", "rrf", "--depth", all_of_both, "--out"))
        for kernel in KERNELS
    ]
    depths = ("--depth", str(shape.depth), "--k", all_of_both)
    others = [
        Command(programs.peer("ranx"), ("fuse", *runs)),
        Command(programs.pyserini_fusion(), ("--method", "rrf", *depths, "--runs", *runs, "--output")),
    ]
    contenders = writers("fused", shape, [*ours, *others], scorer)
    peer = first_present(others[::-1])  # Pyserini starts the sooner of the two
    wanted = None if peer is None else written_and_scored(peer, str(BUILD / "fused.wanted.txt"), scorer, shape)
    return Work("fuse", "two passage runs fused, whole command", shape, contenders, wanted)


def bm25() -> Work:
    """An index is opened and searched for all topics, and the run is written; that Java starts is not counted."""
    shape, scorer = SHAPES["abstracts"], checker()
    libraries = (programs.irkit_library("compiled"), programs.peer("pyserini"))
    words = ("search", str(shape.index), str(shape.topics))
    found = writers("search", shape, [Command(program, words) for program in libraries], scorer)
    contenders = tuple(replace(contender, times_itself=True) for contender in found)
    title = "1,000 topics searched by BM25 in 11,429 abstracts"
    return Work("bm25", title, shape, contenders, scored(scorer, str(shape.runs[0]), shape))


def writers(name: str, shape: Shape, commands: Sequence[Command], scorer: Program) -> tuple[Contender, ...]:
    """Commands that write a run into the file that is their last word; it is scored to see whether it is right."""
    targets = [BUILD / f"{name}.{number}.txt" for number in range(len(commands))]
    return tuple(
        Contender(replace(command, words=(*command.words, str(target))), scored(scorer, str(target), shape), target)
        for command, target in zip(commands, targets, strict=True)
    )


def checker() -> Program:
    """Who scores a run that somebody wrote: trec_eval, where it is there."""
    return next(program for program in [*programs.trec_evals(), programs.irkit("numpy")] if not program.absent)


def scored(scorer: Program, run: str, shape: Shape) -> Command:
    """The run as trec_eval, or irkit, scores it."""
    if scorer.name.startswith("irkit"):
        return Command(scorer, ("score", run, str(shape.qrels), *IRKIT_WORDS), of_irkit)
    return trec_eval_over(scorer, [run], str(shape.qrels))


def written_and_scored(writer: Command, target: str, scorer: Program, shape: Shape) -> Command:
    """The run that a command writes, scored."""
    then = scored(scorer, target, shape)
    script = f'"$@" {shlex.quote(target)} > {os.devnull}; {shlex.join(then.line)}'
    return replace(then, program=programs.shell(writer.program.name, script, writer.program), words=writer.words)


def search(kind: str) -> Work:
    """Vectors of topics against an index that is in memory already, into a ranked run; FAISS stops at arrays."""
    words = ("dense", str(VECTORS.folder), kind, str(VECTORS.depth))
    ours = [Command(programs.irkit_library(kernel), words, of_peer) for kernel in KERNELS]
    faiss = Command(programs.peer("faiss-cpu", "faiss"), words, of_peer)
    contenders = tuple(Contender(command, times_itself=True) for command in (*ours, faiss))
    title = f"{VECTORS.n_topics} of {VECTORS.n:,} vectors of {VECTORS.dimensions}, {kind}, searching alone"
    return Work("dense" if kind == "flat" else kind, title, VECTORS, contenders, faiss)


def dense() -> Work:
    """All vectors are compared."""
    return search("flat")


def hnsw() -> Work:
    """A graph of neighbours is walked."""
    return search("hnsw")


WORKS: dict[str, Callable[[], Work]] = {
    "passage": passage,
    "news": news,
    "measures": measures,
    "check": checking,
    "gate": gate,
    "holes": holes,
    "startup": startup,
    "many": many,
    "dicts": dicts,
    "write": copy,
    "fuse": fusion,
    "gzip": gzipped,
    "bm25": bm25,
    "dense": dense,
    "hnsw": hnsw,
    "long": long,
}
