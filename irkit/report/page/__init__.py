"""A page: runs, judgments, topics and documents as one HTML file that needs no network.

```text
material    runs, judgments and topics -> what was scored
board       means, intervals, tests, groups
shares      what each document adds to a value
rankings    the first documents of every run, topic by topic
texts       what the documents and topics say
fusion      what each run brings
provenance  how the runs were made
charts      figures as specifications
payload     all of it as data, as much as the page may hold
embed       data, scripts and style -> HTML in which no text of a file can run
assets/     the frame, its style and its scripts
```
"""

from irkit.report.page.write import report_page, write_report

__all__ = ["report_page", "write_report"]
