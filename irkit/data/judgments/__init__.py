"""Judgments with more than one whole grade: groups, subtopics, strata, probabilities, fractions, preferences."""
