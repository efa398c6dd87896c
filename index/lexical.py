"""Lexical search: BM25 over the knowledge base's phrases, from an inverted index that was made when it was compiled.

Pure Python on purpose: a cold ``ask`` reads the index from the compiled file and has the answer before NumPy would
have been imported.
"""

import functools
import heapq
import operator
import typing

from tfhelp.kb.lexicon import words


def search(lexicon: dict[str, typing.Any], query: str, limit: int = 50) -> list[tuple[int, float]]:
    """Phrases that share words with the query.

    Args:
        lexicon: from ``tfhelp.kb.lexicon.build_lexicon``.
        query: the condensed failure or a question.
        limit: how many to return at most.

    Returns:
        (number of the phrase, share of the query's weight that it covers, 0 to about 1), best first.
    """
    postings: dict[str, str] = lexicon["postings"]
    scores: dict[int, int] = {}
    whole = 0
    for word in dict.fromkeys(words(query)):
        if word not in postings:
            whole += lexicon["unknown"]
            continue
        found = _numbers(postings[word])
        whole += found[0]
        for number, score in zip(found[1::2], found[2::2], strict=True):
            scores[number] = scores.get(number, 0) + score
    best = heapq.nsmallest(limit, zip(map(operator.neg, scores.values()), scores, strict=True))
    return [(number, -score / whole) for score, number in best]


@functools.lru_cache(maxsize=10_000)
def _numbers(posting: str) -> list[int]:
    return list(map(int, posting.split()))
