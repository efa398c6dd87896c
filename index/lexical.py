"""Lexical search: BM25 over the knowledge base's phrases, from an inverted index that was made when it was compiled.

``search`` is pure Python: a cold ``ask`` reads the index from the compiled file and has the answer before NumPy would have
been imported. ``LexicalIndex`` gives the same in a seventh of the time where NumPy is there anyway, in the service.
"""

from __future__ import annotations

import heapq
import operator
import typing

from tfhelp.kb.lexicon import words

if typing.TYPE_CHECKING:
    import numpy
    import numpy.typing

    Numbers = numpy.typing.NDArray[numpy.int64]


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
    return _best(scores, whole, limit)


def search_beside(
    lexicon: dict[str, typing.Any], reference: dict[str, typing.Any], query: str, limit: int = 50
) -> list[tuple[int, float]]:
    """As ``search``, over a few further phrases; the query's weight is what it is in the reference.

    Args:
        lexicon: from ``tfhelp.kb.lexicon.build_lexicon_beside``.
        reference: the lexicon that it was built beside.
        query: the condensed failure or a question.
        limit: how many to return at most.
    """
    postings, known = lexicon["postings"], reference["postings"]
    scores: dict[int, int] = {}
    whole = 0
    for word in dict.fromkeys(words(query)):
        whole += int(known[word].partition(" ")[0]) if word in known else reference["unknown"]
        found = _numbers(postings[word]) if word in postings else []
        for number, score in zip(found[1::2], found[2::2], strict=True):
            scores[number] = scores.get(number, 0) + score
    return _best(scores, whole, limit)


def _best(scores: dict[int, int], whole: int, limit: int) -> list[tuple[int, float]]:
    best = heapq.nsmallest(limit, zip(map(operator.neg, scores.values()), scores, strict=True))
    return [(number, -score / whole) for score, number in best]


class LexicalIndex:
    """The lexicon as arrays, for a process that answers many questions; ``search`` finds what the function finds."""

    __slots__ = ("_arrays", "_count", "_postings", "_unknown")

    def __init__(self, lexicon: dict[str, typing.Any], count: int) -> None:
        """Args: lexicon: from ``tfhelp.kb.lexicon.build_lexicon``. count: how many phrases there are."""
        self._postings: dict[str, str] = lexicon["postings"]
        self._unknown: int = lexicon["unknown"]
        self._count = count
        self._arrays: dict[str, tuple[int, Numbers, Numbers]] = {}  # word -> its weight, phrases, scores

    def search(self, query: str, limit: int = 50) -> list[tuple[int, float]]:
        """As the function ``search``."""
        import numpy

        scores = numpy.zeros(self._count, dtype=numpy.int64)
        whole = 0
        for word in dict.fromkeys(words(query)):
            if word not in self._postings:
                whole += self._unknown
                continue
            weight, numbers, values = self._array(word)
            whole += weight
            scores[numbers] += values  # a phrase stands in a word's list once
        found = numpy.flatnonzero(scores)
        # One number for both keys: the higher score first, of equal ones the phrase that stands first.
        keys = scores[found] * self._count - found
        if len(keys) > limit:
            best = numpy.argpartition(-keys, limit)[:limit]
            found, keys = found[best], keys[best]
        order = found[numpy.argsort(-keys)]
        return [(number, score / whole) for number, score in zip(order.tolist(), scores[order].tolist(), strict=True)]

    def _array(self, word: str) -> tuple[int, Numbers, Numbers]:
        import numpy

        known = self._arrays.get(word)
        if known is None:
            weight, *pairs = _numbers(self._postings[word])
            known = self._arrays[word] = (weight, numpy.array(pairs[::2]), numpy.array(pairs[1::2]))
        return known


def _numbers(posting: str) -> list[int]:
    return list(map(int, posting.split()))
