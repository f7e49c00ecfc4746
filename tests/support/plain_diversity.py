"""Novel gain and its ideal ranking by plain loops, in whatever numbers alpha is."""


def plain_gains(ranking, subtopics, alpha):
    """G of each document of the ranking, given the documents relevant to each subtopic."""
    seen, gains = dict.fromkeys(subtopics, 0), []
    for document in ranking:
        its = [name for name, documents in subtopics.items() if document in documents]
        gains.append(sum((1 - alpha) ** seen[name] for name in its))
        for name in its:
            seen[name] += 1
    return gains


def plain_ideal(subtopics, alpha):
    left, ranking = set().union(*subtopics.values()), []
    while left:
        best = max(left, key=lambda one: (plain_gains([*ranking, one], subtopics, alpha)[-1], one.encode()))
        left.remove(best)
        ranking.append(best)
    return ranking
