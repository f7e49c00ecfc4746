"""Laws of the check: it finds an error just where irkit refuses a file, and what it mends is what was promised."""

import gzip

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irkit import read_prefs, read_prels, read_qrels, read_run, read_strata, read_subtopic_qrels, read_topics
from irkit.checking import CODES, SubmissionRules, check, mend
from irkit.data.runs import Run
from irkit.errors import FormatError

READERS = {
    "run": read_run,
    "qrels": read_qrels,
    "subtopics": read_subtopic_qrels,
    "strata": read_strata,
    "prels": read_prels,
    "prefs": read_prefs,
    "topics": read_topics,
}
JUDGMENTS = ("qrels", "subtopics", "strata", "prels", "prefs")

MARK = b"\xef\xbb\xbf"  # the byte order mark, or U+FEFF within a text

ids = st.sampled_from(
    [MARK + b"1", b"1", b"2", b"a", b"b", b"caf\xc3\xa9", b"caf\xe9", b"x\xc2\xa0y", b"007", b"1e5", b"<t", b"q\x01"]
)
scores = st.sampled_from(
    [b"1", b"2.5", b"-1", b"0.1", b"1e-05", b"inf", b"nan", b"1,5", b"abc", b"1_0", b"1e999", b"+.5"]
)
grades = st.sampled_from([b"0", b"1", b"2", b"-1", b"1.0", b"0.5", b"x", b"99999999999999999999", b"1e2", b"NA"])
ranks = st.sampled_from([b"1", b"2", b"3", b"-", b"1.0", b"0", b"1.5"])
methods = st.sampled_from([b"0", b"1", b"2", b"4", b"3"])
blanks = st.sampled_from([b" ", b"\t", b"  ", b" \t "])
ends = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b" \n"])
odd = st.sampled_from(
    [
        b"",
        b"# note",
        b" # note",
        MARK,
        MARK + b"# note",
        b"\0# note",
        b"   ",
        b"1 Q0 a",
        b"\0",
        b"1 0 a 1 \0",
        b"one",
        b"1\tsome text",
        b"a b c d e f g",
    ]
)


@st.composite
def files(draw, *fields, most=6):
    """The bytes of a file whose lines have these fields, with one or other odd line among them."""
    lines = []
    for _ in range(draw(st.integers(0, most))):
        line = draw(blanks).join(draw(field) for field in fields)
        lines.append(draw(odd) if draw(st.integers(0, 9)) == 0 else line)
        if draw(st.integers(0, 9)) == 0:
            lines.append(lines[-1])
    if lines and draw(st.integers(0, 3)) == 0:  # what may go, before a mark that is then the first
        lines[:1] = [draw(odd), MARK + lines[0]]
    data = b"".join(line + draw(ends) for line in lines)
    change = draw(st.integers(0, 11))
    if change == 0:
        data = draw(st.sampled_from([MARK, MARK + MARK, MARK + b"\n", MARK + b"\0"])) + data
    elif change == 1:
        data = data.rstrip(b"\n")
    elif change == 2:
        data = gzip.compress(data, mtime=0)[: draw(st.integers(5, 80))]
    elif change == 3:
        data = data.replace(b"\r", b"").replace(b"\n", b"\r")
    elif change == 4:
        cut = draw(st.integers(0, len(data)))
        data = data[:cut] + draw(st.binary(max_size=3)) + data[cut:]
    return data


second = st.sampled_from([b"0", b"Q0", b"1"])
runs = files(ids, second, ids, ranks, scores, st.sampled_from([b"r", b"r", b"s", b"r extra"]))
qrels = files(ids, second, ids, grades)
fives = st.one_of(
    files(ids, second, ids, st.sampled_from([b"s1", b"s2"]), grades),
    files(ids, ids, grades, methods, st.sampled_from([b"0.5", b"1", b"NA", b"0", b"2"])),
    files(ids, second, second, ids, scores),
)
topics = st.one_of(
    files(ids, st.just(b"\t"), st.sampled_from([b"cats", b"", b"caf\xe9", b"two words", b"a\tb"])),
    files(
        st.just(b"<top>\n<num>"), ids, st.sampled_from([b"\n<title> cats\n</top>", b"\n</top>", b"<num> 3\n<title> x"])
    ),
    files(
        st.just(b'{"id":'),
        st.sampled_from([b'"1"', b'"2"', b"3", b'""']),
        st.sampled_from([b',"text":"x"}', b"}", b""]),
    ),
)
anything = st.one_of(runs, qrels, fives, topics, st.binary(max_size=40))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("check") / "file"


def refused(read, path):
    try:
        read(path)
    except FormatError:
        return True
    return False


def has_error(report):
    return not report.passes()


@settings(max_examples=60)
@given(data=anything)
@example(data=b"")
@example(data=b"<1> Q0 a 1 2 r\n")
@example(data=b"1 Q0 a 1 infinity r\n")
@example(data=b"1 a 1 0 0.5\n1 b 1 0 0.5\n")
@example(data=b"1 a 1 1 NA\n1 b 1 1 NA")
@example(data=b"[]")
def test_a_file_has_an_error_just_where_its_reader_refuses_it(place, data):
    place.write_bytes(data)
    report = check(place)
    kind = report.files[0].kind
    if kind in READERS:
        assert has_error(report) == refused(READERS[kind], place)
    elif kind == "unknown":
        assert has_error(report)
        assert all(refused(read, place) for read in (read_run, read_qrels, read_topics))


@settings(max_examples=60)
@given(data=anything)
@example(data=b"<1> Q0 a 1 2 r\n")
@example(data=b"[1] Q0 a 1 2 r\n")
def test_a_file_given_as_a_run_has_an_error_just_where_read_run_refuses_it(place, data):
    place.write_bytes(data)
    assert has_error(check(runs=[place])) == refused(read_run, place)


@settings(max_examples=60)
@given(data=anything)
def test_a_file_given_as_topics_has_an_error_just_where_read_topics_refuses_it(place, data):
    place.write_bytes(data)
    assert has_error(check(topics=[place])) == refused(read_topics, place)


@settings(max_examples=60)
@given(data=anything)
def test_a_file_given_as_qrels_has_an_error_just_where_their_reader_refuses_it(place, data):
    place.write_bytes(data)
    report = check(qrels=[place])
    kind = report.files[0].kind
    assert has_error(report) == refused(READERS[kind if kind in JUDGMENTS else "qrels"], place)


# Repairs -----------------------------------------------------------------------------------------------------------

mixed_up = files(
    ids, second, ids, ranks, st.sampled_from([b"3", b"2.5", b"2", b"1,5"]), st.sampled_from([b"r", b"s", b"r x"])
)


def best_scores(data):
    """What a run says where the best score of a document counts, by the plainest means; commas are points."""
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    data = data.removeprefix(MARK).replace(b"\0", b"").strip()
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    best = {}
    for line in data.split(b"\n"):
        fields = line.split()
        if len(fields) < 6 or fields[0].startswith(b"#"):
            continue
        topic, document = (field.decode("utf-8", "surrogateescape") for field in (fields[0], fields[2]))
        score = float(fields[4].replace(b",", b"."))
        best.setdefault(topic, {})[document] = max(score, best.get(topic, {}).get(document, score))
    return best


@settings(max_examples=60)
@given(data=anything)
@example(data=b"1 Q0 a 1 0,5 r\n1 Q0 a 2 1.5 s x\n")
def test_what_is_mended_once_has_nothing_more_to_mend(place, data):
    copy, again = place.with_name("copy"), place.with_name("again")
    copy.unlink(missing_ok=True)
    place.write_bytes(data)
    kind = mend(place, out=copy, decimal_commas=True).files[0].kind
    assert place.read_bytes() == data
    if copy.exists():  # fewer lines may look like something else
        given_as = {"run": "runs", "topics": "topics"}.get(kind, "qrels" if kind in JUDGMENTS else "files")
        report = mend(**{given_as: [copy]}, out=again, decimal_commas=True)
        assert report.repaired[0].repairs == ()
        assert again.read_bytes() == copy.read_bytes()


@settings(max_examples=60)
@given(data=mixed_up)
@example(data=b"1 Q0 a 1 2 r\n1 Q0 b 2 3 r\n1 Q0 a 3 2,5 s x\r\n")
def test_a_mended_run_has_the_best_score_of_each_document(place, data):
    copy = place.with_name("copy")
    place.write_bytes(data)
    report = mend(runs=[place], out=copy, decimal_commas=True, by_score=True)
    if report.passes():
        assert read_run(copy).to_dict() == Run.of(best_scores(data)).to_dict()
        assert not {code for code in report.codes if CODES[code].about == "runs" and CODES[code].mended}
    copy.unlink(missing_ok=True)


def all_that_is_read(kind, path):
    """Topics, documents and numbers in their order; ids that are not UTF-8 keep their bytes."""
    read = READERS[kind](path)
    if kind == "topics":
        return repr(list(read))
    return repr(list(read.by_topic()) if kind == "run" else read.to_dict())


SAID = {"run": "runs", "topics": "topics"}


@settings(max_examples=150)
@given(data=anything)
@example(data=b"# made by pool\n" + MARK + b"1 0 a 1\n2 0 b 1\n")
@example(data=b"\n" + MARK + b"1 0 a 1\n2 0 b 1\n")
@example(data=MARK + MARK + b"1 0 a 1\r\n")
@example(data=MARK + MARK + b"1 Q0 a 1 2.5 r\r\n")
@example(data=MARK + b"\n" + MARK + b"1 Q0 a 1 2.5 r x\n")
@example(data=MARK + MARK + b"1\tcats\r\n2\tdogs\n")
@example(data=b"1 0 a 1.0\n1 0 b 1\r\n\n # x")
@example(data=b"1 A x a 2\n\n#\n1 B x b 1.5")
@example(data=b"1 a 1 1 .5\r\n\n1 b 0 1 .5\n")
@example(data=b"1 Q0 a 1 1 r\n1 Q0 b 2 2 s\n1 Q0 c - 1 r\n")
def test_a_file_that_is_read_is_read_alike_when_it_is_mended(place, data):
    place.write_bytes(data)
    copy = place.with_name("copy")
    copy.unlink(missing_ok=True)
    kind = check(place).files[0].kind
    if kind not in READERS or refused(READERS[kind], place):
        return
    assert mend(place, out=copy).passes()
    assert all_that_is_read(kind, copy) == all_that_is_read(kind, place)
    as_kind = {SAID.get(kind, "qrels"): [place]}
    assert mend(**as_kind, out=copy).passes()
    assert all_that_is_read(kind, copy) == all_that_is_read(kind, place)


@settings(max_examples=100)
@given(data=runs, most=st.none() | st.just(1))
@example(data=b"1 Q0 a 1 1 r\n1 Q0 a 3 1 r\n1 Q0 b 2 1.5 r\n", most=1)
@example(data=b"1 Q0 a 2 2 r\n1 Q0 b 1 1 r\n1 Q0 c - 3 r\n", most=1)
def test_no_order_that_ranks_and_scores_contradict_is_chosen_unless_one_is_said_to_be_meant(place, data, most):
    rules = SubmissionRules(max_per_topic=most)
    copy = place.with_name("copy")
    place.write_bytes(data)
    report = mend(runs=[place], out=copy, rules=rules)
    by_score = mend(runs=[place], out=copy, rules=rules, by_score=True)
    contradicts = {"rank-contradicts-score", "rank-contradicts-tie-order"}
    assert not contradicts.intersection(by_score.codes)
    assert not by_score.repaired or not any("by_score=True" in one for one in by_score.repaired[0].left)
    if contradicts.intersection(report.codes):
        assert any("is a guess; by_score=True" in one for one in report.repaired[0].left)
    for topic in {one.topic for one in report.findings if one.code in contradicts}:
        changed = [one for one in report.repaired[0].repairs if one.line and one.was.split()[:1] == [topic]]
        assert not {one.code for one in changed} & {"too-many-documents", "bad-rank", *contradicts}
