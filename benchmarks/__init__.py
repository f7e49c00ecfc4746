"""Speed and memory beside the programs of the field: `python -m benchmarks`, or `make bench`."""

MEASURES = ("nDCG@10", "RR", "AP", "R@20", "R@1000", "P@10")
