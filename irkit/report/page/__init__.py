"""A page: runs, judgments, topics and documents as one HTML file that needs no network.

```text
inputs         runs, judgments and topics -> scored runs
leaderboard    means, intervals, tests, groups
contributions  contributions of documents to a value
rankings       the first documents of every run, topic by topic
texts          texts of documents and topics
fusion         relevant documents by run, and from the parts of a fusion
provenance     how the runs were made
numbers        numbers as plain JSON values
charts         figures as specifications
payload        all data, up to the size limit of the page
embed          data, scripts and style -> HTML in which no text of a file can run
write          the page as text, and as a file
assets/        HTML frame, style and scripts
```
"""

from irkit.report.page.write import report_page, write_report

__all__ = ["report_page", "write_report"]
