"""Measures of a run over its topics: values, summaries, ranges under ties, bounds under missing judgments."""
