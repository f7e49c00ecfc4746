"""The kernel in Python and NumPy; it defines the right answers.

A chunk of the file is looked at as one array of bytes; only what is not of the common kind is looked at one by one.

```text
text     bytes -> lines and fields, as places
fields   one field of all lines: its bytes eight at a time, hashes, what repeats
numbers  fields -> scores, grades
rows     lines -> topics, documents, numbers, up to the first line that is wrong
order    rows -> by topic, ranked; a document that stands twice
parse    a file -> columns
judgments  a file with more columns than qrels -> rows by topic and document
pool     qrels that documents are looked up in; a run in columns -> its judged documents
judge    whole topics -> their judged documents
scorer   a run as it comes -> whole topics
fusion   several runs -> their documents, each once; documents with new scores -> ranked
writer   columns -> lines of a file
survey   a run file, faults and all -> what it holds
arrow    tables of other libraries
```

References
----------
trec_eval 10.0: get_trec_results.c, get_qrels.c, form_res_rels.c.
"""

from irkit._kernel.numpy_twin.arrow import arrow_table
from irkit._kernel.numpy_twin.fusion import merge, rerank
from irkit._kernel.numpy_twin.judgments import judgment_lines
from irkit._kernel.numpy_twin.order import gather, rank, rank_as_given
from irkit._kernel.numpy_twin.parse import parse_file, parse_qrels, parse_run, parse_run_as_given
from irkit._kernel.numpy_twin.pool import Pool, match
from irkit._kernel.numpy_twin.scorer import Scorer, score_file, score_mapping
from irkit._kernel.numpy_twin.survey import survey_run
from irkit._kernel.numpy_twin.writer import first_unfit, format_run

__all__ = [
    "Pool",
    "Scorer",
    "arrow_table",
    "first_unfit",
    "format_run",
    "gather",
    "judgment_lines",
    "match",
    "merge",
    "parse_file",
    "parse_qrels",
    "parse_run",
    "parse_run_as_given",
    "rank",
    "rank_as_given",
    "rerank",
    "score_file",
    "score_mapping",
    "survey_run",
]
