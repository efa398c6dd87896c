"""Lexical search: BM25 over the knowledge base's phrases, from an inverted index that was made when it was compiled.

Pure Python on purpose: a cold ``ask`` reads the index from the compiled file and has the answer before NumPy would
have been imported.
"""

import heapq
import math
import typing

from tfhelp.kb.lexicon import words

# Robertson and Zaragoza's usual values; phrases are short and alike in length, so length matters little.
_SATURATION = 1.2
_LENGTH_SHARE = 0.5


def search(lexicon: dict[str, typing.Any], query: str, limit: int = 50) -> list[tuple[int, float]]:
    """Phrases that share words with the query.

    Args:
        lexicon: from ``tfhelp.kb.lexicon.build_lexicon``.
        query: the condensed failure or a question.
        limit: how many to return at most.

    Returns:
        (number of the phrase, share of the query's weight that it covers, 0 to about 1), best first.
    """
    lengths: list[int] = lexicon["lengths"]
    postings: dict[str, list[int]] = lexicon["postings"]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    fixed, by_length = _SATURATION * (1 - _LENGTH_SHARE), _SATURATION * _LENGTH_SHARE / mean
    scores: dict[int, float] = {}
    whole = 0.0
    for word in dict.fromkeys(words(query)):
        found = postings.get(word, ())
        weight = math.log(1 + (len(lengths) - len(found) / 2 + 0.5) / (len(found) / 2 + 0.5))
        whole += weight
        for place in range(0, len(found), 2):
            number, count = found[place], found[place + 1]
            score = weight * count * (_SATURATION + 1) / (count + fixed + by_length * lengths[number])
            scores[number] = scores.get(number, 0.0) + score
    ranked = heapq.nsmallest(limit, [(-score, number) for number, score in scores.items()])
    return [(number, -score / whole) for score, number in ranked] if whole else []
