"""Statistics of two or more runs over the same topics: tests, intervals, effect sizes, corrections."""
