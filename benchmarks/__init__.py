"""Speed and memory beside the programs of the field: `python -m benchmarks`, or `make bench`."""
