"""Judgments that say more than one whole grade: by group, subtopic, stratum, probability; fractions; preferences."""
