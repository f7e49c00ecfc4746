"""Random cases for trec_eval's command line: judgments in every format, runs, options, hostile in every way known.

A case is made from its seed alone. What no version of trec_eval reads for certain is not in them: comments in
judgments one after another or last, `-Z`, gains less than 1 apart.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from irkit.measures.trec import NICKNAMES, PRINT_ORDER, SINCE_10

FORMATS = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
NOT_IN_9 = {*SINCE_10, "dcg", "ideal_dcg"}
OTHER_FORMS = {*NICKNAMES["qrels_jg"], *NICKNAMES["all_prefs"]} - {"runid", "num_q"}
MEASURES = {
    "qrels": tuple(name for name in PRINT_ORDER if name not in OTHER_FORMS),
    "qrels_jg": NICKNAMES["qrels_jg"],
    "prefs": NICKNAMES["all_prefs"],
}
WITH_NAME = {"qrels": ("all_trec", "official", "set"), "qrels_jg": ("qrels_jg",), "prefs": ("prefs", "all_prefs")}
TOPICS = ("1", "10", "9", "02", "2", "301", "q-a", "Q", "été", "\U0001f600", "a#7")
PARAMETERS = {
    "P": ("5", "1,3,7", "7,3", "2000", "23.4", "3,30"),
    "iprec_at_recall": ("0.1,0.5", ".10,.20,.25,.75,.50", "0", "1.0", "0.07,0.33"),
    "Rprec_mult": ("0.5,1.0,2.0", "5.0,0.2,0.35", "0", "1"),
    "relstring": ("15", "1", "0", "20"),
    "utility": ("2,-1,0,0", "1,2,3,4", "0.5,-0.25,-1,0.001"),
    "11pt_avg": (".25,.5,.75", "0,1", "0.5"),
    "set_F": ("0.5", "2", "1.0", "10", "0"),
    "ndcg": ("1=3,2=9,3=4.5", "1=2", "2=1,1=1,0=1", "-1=1", "-2=3,1=7", "5=0"),
    "success": ("1,2", "20"),
    "rbp_resid": ("p=0.8", "p=0.5"),
}
LIKE = {
    **dict.fromkeys(("recall", "ndcg_cut", "map_cut", "relative_P", "P_avgjg", "unj"), "P"),
    **dict.fromkeys(("G", "ndcg_rel", "Rndcg", "dcg", "ideal_dcg"), "ndcg"),
    "Rprec_mult_avgjg": "Rprec_mult",
}
LONG = {
    "-q": ("--query_eval_wanted", "--query", "--q"),
    "-c": ("--complete_rel_info_wanted", "--complete"),
    "-J": ("--Judged_docs_only", "--Judged"),
    "-n": ("--nosummary", "--no"),
    "-l": ("--level_for_rel", "--level"),
    "-M": ("--Max_retrieved_per_topic", "--Max"),
    "-N": ("--Number_docs_in_coll", "--Number"),
    "-m": ("--measure", "--mea"),
    "-R": ("--Rel_info_format", "--Rel"),
    "-D": ("--Debug_level",),
}


class Case(NamedTuple):
    """Words of a command line, `qrels` and `run` for the two files, and what the files hold."""

    words: tuple[str, ...]
    qrels: bytes
    run: bytes


def case(seed: int, version: str = "10", form: str | None = None) -> Case:
    """The case of this seed, for a trec_eval of version `9` or `10`; in this format, or in any, most often qrels."""
    rng = random.Random(seed)
    form = form or rng.choice((*FORMATS, "qrels", "qrels"))
    topics = rng.sample(TOPICS, rng.randint(1, 5))
    documents = _documents(rng)
    grades = rng.choice(([0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 4], [-1, 1], [0, 1, 12]))
    qrels = [line for topic in topics for line in _judgments(rng, form, topic, documents, grades)]
    present = [topic for topic in topics if rng.random() < 0.85] + rng.sample(TOPICS, 1)
    ranked = [line for topic in dict.fromkeys(present) for line in _ranking(rng, topic, documents)]
    rng.shuffle(ranked)
    if rng.random() < 0.7 and form not in ("prefs", "qrels_prefs"):
        rng.shuffle(qrels)
    if rng.random() < 0.08:
        (qrels if rng.random() < 0.5 else ranked).append(_fault(rng, qrels, ranked))
    return Case(
        _words(rng, form, topics, version),
        _text(rng, qrels, comments=1 if version == "10" else 0),
        _text(rng, ranked, comments=9 if version == "10" else 0, blank=True),
    )


def _documents(rng: random.Random) -> list[str]:
    kinds = ("d{}", "Doc_{}", "FT{:03}-7", "{}", "été{}", "doc.{}#x", "\U0001f600{}", "\uffff{}")
    return [rng.choice(kinds).format(place) for place in range(40)]


def _judgments(
    rng: random.Random, form: str, topic: str, documents: Sequence[str], grades: Sequence[int]
) -> list[list[str]]:
    if form == "qrels":
        judged = rng.sample(documents, rng.randint(1, 20))
        lines = [
            [topic, rng.choice(("0", "Q0", "x")), document, _whole(rng, rng.choice(grades))] for document in judged
        ]
        if all(int(line[3]) < 0 for line in lines):  # where it is the first topic, it cannot be evaluated
            lines[0][3] = "1"
        return lines
    lines = []
    for group in rng.sample(("1", "a", "10", "jörg"), rng.randint(1, 3)):
        judged = rng.sample(documents, rng.randint(1, 12))
        if form == "qrels_jg":
            grade = {document: rng.choice(grades) for document in judged}
            if all(value < 0 for value in grade.values()):
                grade[judged[0]] = 1
            lines += [[topic, group, document, _whole(rng, value)] for document, value in grade.items()]
            continue
        # One order for the whole group, so that its sub-groups do not contradict each other.
        level = {document: rng.choice((0, 1, 2, 3)) for document in judged}
        for part in range(rng.randint(1, 3) if form == "prefs" else 1):
            shown = rng.sample(judged, rng.randint(1, len(judged)))
            middle = [f"s{part}"] if form == "prefs" else []
            lines += [[topic, group, *middle, document, _level(rng, level[document])] for document in shown]
    return lines


def _ranking(rng: random.Random, topic: str, documents: Sequence[str]) -> list[list[str]]:
    spelling = rng.choice((_tied, _spread, _close, _odd))
    more = [f"x{place}" for place in range(10)]
    found = rng.sample([*documents, *more], rng.randint(1, 50))
    tag = rng.choice(("tag", "BM25(k1=0.9)", "é"))
    return [
        [topic, rng.choice(("Q0", "0", "?")), document, str(rng.randint(0, 99)), spelling(rng), tag]
        for document in found
    ]


def _tied(rng: random.Random) -> str:
    return rng.choice(("0", "1", "2.0", "1.0", "-0", "+2", "1e0", "2.", ".0"))


def _spread(rng: random.Random) -> str:
    score = rng.uniform(-5, 25)
    return rng.choice((f"{score:.2f}", f"{score:.4e}", f"{score!r}", f"{score:+.1f}", f"{score:.0f}"))


def _close(rng: random.Random) -> str:
    """Scores that a 32-bit float tells apart, and others that it does not."""
    return f"16.00000{rng.randint(0, 99):02}"


def _odd(rng: random.Random) -> str:
    return rng.choice(("inf", "-inf", "1e39", "1e300", "-1e300", "1E-400", "5e-324", "00012.50", "1e+2", "-.5", "7"))


def _whole(rng: random.Random, grade: int) -> str:
    return rng.choice((f"{grade}", f"{grade}", f"{grade}", f"{grade:03}", f"{grade:+}"))


def _level(rng: random.Random, level: int) -> str:
    return rng.choice((f"{level}", f"{level}.0", f"{level:.2f}", f"{level}e0"))


def _fault(rng: random.Random, qrels: Sequence[list[str]], ranked: Sequence[list[str]]) -> list[str]:
    """A line again, or with too few fields."""
    line = rng.choice([*qrels, *ranked])
    return rng.choice((line, line[:-1][:3], ["1"]))


def _words(rng: random.Random, form: str, topics: Sequence[str], version: str) -> tuple[str, ...]:
    options: list[tuple[str, ...]] = [("-m", mark) for mark in _marks(rng, form, version)]
    if form != "qrels" or rng.random() < 0.05:
        options.append(("-R", form))
    for flag, chance in (("-q", 0.7), ("-c", 0.35), ("-J", 0.15), ("-n", 0.05), ("-o", 0.02)):
        if rng.random() < chance:
            options.append((flag,))
    for option, values, chance in (
        ("-l", (1, 2, 3), 0.2),
        ("-M", (*range(15), 1000), 0.25),
        ("-N", (0, 100, 5000), 0.2),
        ("-D", (0, f"0.{rng.choice(topics)}"), 0.05),
    ):
        if rng.random() < chance:
            options.append((option, str(rng.choice(values))))
    rng.shuffle(options)
    words = [_spelt(rng, option) for option in options]
    # Options may stand before, between and behind the two files, which keep their order.
    for file in ("run", "qrels"):
        limit = next((place for place, word in enumerate(words) if word == ["run"]), len(words))
        words.insert(rng.randint(0, limit) if rng.random() < 0.3 else limit, [file])
    return tuple(word for group in words for word in group)


def _spelt(rng: random.Random, option: tuple[str, ...]) -> list[str]:
    name, *value = option
    way = rng.random()
    if way < 0.15 and name in LONG:
        long = rng.choice(LONG[name])
        return [f"{long}={value[0]}"] if value and rng.random() < 0.5 else [long, *value]
    return ["".join(option)] if way < 0.6 else list(option)


def _marks(rng: random.Random, form: str, version: str) -> list[str]:
    kind = "prefs" if form == "qrels_prefs" else form
    marks = [rng.choice(WITH_NAME[kind])] if rng.random() < 0.45 else []
    if not marks or rng.random() < 0.4:
        known = [name for name in MEASURES[kind] if version != "9" or name not in NOT_IN_9]
        marks += rng.sample(known, rng.randint(1, min(6, len(known))))
    marks = [_with_parameters(rng, mark) for mark in marks]
    if rng.random() < 0.02:
        wrong = rng.choice(("mapp", "P.0", "utility.1,2", "P.", "ndcg.1", "map."))
        # A measure that is marked twice keeps its first parameters there.
        marks = [mark for mark in marks if mark.partition(".")[0] != wrong.partition(".")[0]] + [wrong]
    if kind == "qrels" and rng.random() < 0.05:
        marks = []
    return marks


def _with_parameters(rng: random.Random, name: str) -> str:
    choices = PARAMETERS.get(LIKE.get(name, name))
    return f"{name}.{rng.choice(choices)}" if choices and rng.random() < 0.6 else name


def _text(rng: random.Random, lines: Sequence[list[str]], comments: int, blank: bool = False) -> bytes:
    text: list[str] = []
    for place, fields in enumerate(lines):
        line = rng.choice((" ", " ", " ", "\t", "  ", " \t", "\v", "\f ")).join(fields)
        if len(fields) == 6 and rng.random() < 0.03:
            line += " more of it"
        way = rng.random()
        line = f" {line}" if way < 0.03 else f"{line} \t" if way < 0.06 else f"{line}\r" if way < 0.09 else line
        if comments and place < len(lines) and rng.random() < 0.03:
            text += ["# a comment", "#", "#1 0 a 1"][: rng.randint(1, min(comments, 3))]
        if blank and rng.random() < 0.02:
            text.append(rng.choice(("", "  ", "\t")))
        text.append(line)
    end = rng.choice(("\n", "\n", ""))
    return ("\n".join(text) + end).encode()
