"""The help text of -h: options, formats and measures."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from irkit.measures.family import TrecName
from irkit.measures.trec import BY_TREC_NAME, NICKNAMES, TEXTS
from irkit.trec_eval.options import HOW, Options
from irkit.trec_eval.request import Line, in_order

_OPTIONS: Final = """\
irkit trec_eval scores a run against relevance judgments as NIST's trec_eval 10.0 does.

  -h, --help                          this text; with -m, what is printed for these measures
  -v, --version                       irkit's version, and the rules it follows
  -q, --query_eval_wanted             print each topic's values too
  -m, --measure NAME[.PARAMETERS]     a measure or a nickname; may be repeated; 'official' if there is none
  -c, --complete_rel_info_wanted      average over all judged topics; one that the run lacks returned nothing
  -n, --nosummary                     leave out the values of all topics
  -l, --level_for_rel GRADE           lowest grade that counts as relevant (1)
  -J, --Judged_docs_only              leave out documents that nobody judged, after ranking and -M
  -M, --Max_retrieved_per_topic N     look at the first N documents only
  -N, --Number_docs_in_coll N         documents in the collection, for utility
  -D, --Debug_level N[.TOPIC]         evaluate TOPIC alone
  -R, --Rel_info_format FORMAT        qrels (default), qrels_jg, prefs, qrels_prefs
  -T, --Results_format FORMAT         trec_results
  -Z, --Zscore FILE                   print z-scores by the means and deviations in FILE
      --rules trec_eval-9             the rules of trec_eval 9.0.8: 32-bit scores, levels of recall truncated
  -o, --Output_old_results_format=N   no effect, as in trec_eval

Files may be compressed (gzip, bzip2, xz, zstd); '-' is standard input. Lines that begin with '#' are comments.

  trec_results   topic Q0 document rank score run         the score alone ranks; of equal scores the higher document id
  qrels          topic iteration document grade           a negative grade: pooled and not judged
  qrels_jg       topic group document grade               judgments of several people or for several aspects
  prefs          topic group subgroup document level      in a subgroup a higher level is preferred to a lower
  qrels_prefs    topic group document level               the same with one subgroup

Nicknames of several measures: {nicknames}.
"""

_TAKES: Final = {
    "nothing": "",
    "cutoffs": "cutoffs, such as {name}.5,10",
    "fractions": "numbers, such as {name}.0.25,0.5",
    "numbers": "numbers, such as {name}.{example}",
    "gains": "pairs, such as {name}.1=3,2=9",
    "beta squared": "the square of F's beta, such as {name}.0.5",
}


def manual(options: Options, lines: Sequence[Line]) -> str:
    """Return the help text, with the requested measures, or those of a call without -m."""
    names = list(in_order({line.of for line in lines}))
    parts = [HOW, "", _OPTIONS.format(nicknames=", ".join(NICKNAMES)), *_explained(names)]
    return "\n".join(parts)


def _explained(names: Sequence[str]) -> Iterator[str]:
    yield "Measures asked for:" if names else ""
    for name in names:
        yield textwrap.fill(_explanation(name), 118, initial_indent=f"  {name:<23} ", subsequent_indent=" " * 26)


def _explanation(name: str) -> str:
    if name in TEXTS:
        return f"{TEXTS[name]}."
    family, trec = BY_TREC_NAME[name]
    how = {"mean": "", "sum": "; the sum over topics", "geometric mean": "; geometric mean over topics"}[family.summary]
    text = f"{family.help}{how}."
    known = family.defaults()
    if trec.takes != "nothing":
        example = "2,-1,0,0" if trec.name == "utility" else "0.25,0.5"
        takes = [_TAKES[trec.takes].format(name=name, example=example)] if trec.parameter in known else []
        takes += [f"the probability p, such as {name}.p=0.8"] if "p" in known else []
        text += f" Takes {' and '.join(takes)}; {_default(trec)}."
    return text[0].upper() + text[1:]


def _default(trec: TrecName) -> str:
    if trec.takes == "cutoffs" and not trec.defaults:
        return "trec_eval itself has no such measure"
    if trec.defaults:
        return f"without them {','.join(f'{value:g}' for value in trec.defaults)}"
    family, _ = BY_TREC_NAME[trec.name]
    defaults = [f"{name}={family.defaults()[name]}" for name in ("p", trec.parameter) if family.defaults().get(name)]
    return f"without them {', '.join(defaults) or 'the grades themselves'}"
