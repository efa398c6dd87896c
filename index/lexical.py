"""Lexical search: BM25 over the knowledge base's phrases, from an inverted index built at compile time.

``search`` is pure Python: a cold ``ask`` has the answer before NumPy would have been imported. In the service, where NumPy is
loaded anyway, ``LexicalIndex`` gives the same result in a seventh of the time. Both read the index in place in the compiled file,
and skip the long lists of common words if these cannot change the result.
"""

from __future__ import annotations

import bisect
import heapq
import operator
import typing

from tfhelp.kb.lexicon import Lexicon, Posting, words

if typing.TYPE_CHECKING:
    import numpy
    import numpy.typing

    Numbers = numpy.typing.NDArray[numpy.int64]


_LONG = 2_000  # texts that contain a word: above this it pays to check whether they can still matter


def search(lexicon: Lexicon, query: str, limit: int = 50) -> list[tuple[int, float]]:
    """Phrases that share words with the query.

    Args:
        lexicon: from ``tfhelp.kb.lexicon.build_lexicon``.
        query: the condensed failure or a question.
        limit: how many to return at most.

    Returns:
        (number of the phrase, share of the query's weight that it covers, 0 to about 1), best first.
    """
    return search_beside(lexicon, lexicon, query, limit)


def search_beside(lexicon: Lexicon, reference: Lexicon, query: str, limit: int = 50) -> list[tuple[int, float]]:
    """Like ``search``, but over a few further phrases; the weight of the query is computed from the reference.

    Args:
        lexicon: of the further phrases, built with the weights of the reference.
        reference: the lexicon whose weights it has.
        query: the condensed failure or a question.
        limit: how many to return at most.
    """
    asked = dict.fromkeys(words(query))
    whole = sum(map(reference.weight, asked))
    scores: dict[int, int] = {}
    postings = _rare_first(lexicon, asked)
    for place, posting in enumerate(postings):
        least = _least(scores.values(), limit) if len(posting.numbers) > _LONG else 0
        if least > sum(other.most for other in postings[place:]):
            scores = _finished(scores, least, postings[place:])
            break
        for number, score in zip(posting.numbers, posting.scores, strict=True):
            scores[number] = scores.get(number, 0) + score
    best = heapq.nsmallest(limit, zip(map(operator.neg, scores.values()), scores, strict=True))
    return [(number, -score / whole) for score, number in best]


def _rare_first(lexicon: Lexicon, asked: typing.Iterable[str]) -> list[Posting]:
    return sorted(filter(None, map(lexicon.find, asked)), key=lambda posting: len(posting.numbers))


def _least(scores: typing.Collection[int], limit: int) -> int:
    """The lowest score among the best ``limit`` phrases; 0 if there are fewer phrases."""
    return heapq.nlargest(limit, scores)[-1] if len(scores) >= limit else 0


def _finished(scores: dict[int, int], least: int, postings: list[Posting]) -> dict[int, int]:
    """The scores with those of the remaining words added, which cannot lift another phrase into the best."""
    left = sum(posting.most for posting in postings)
    for posting in postings:
        scores = {number: score for number, score in scores.items() if score + left >= least}
        left -= posting.most
        for number in scores:
            place = bisect.bisect_left(posting.numbers, number)
            if place < len(posting.numbers) and posting.numbers[place] == number:
                scores[number] += posting.scores[place]
    return scores


class LexicalIndex:
    """The lexicon for a process that answers many questions; its ``search`` gives the same result as the function."""

    __slots__ = ("_lexicon",)

    def __init__(self, lexicon: Lexicon) -> None:
        """Args: lexicon: from ``tfhelp.kb.lexicon.build_lexicon``."""
        self._lexicon = lexicon

    def search(self, query: str, limit: int = 50) -> list[tuple[int, float]]:
        """As the function ``search``."""
        import numpy

        asked = dict.fromkeys(words(query))
        whole = sum(map(self._lexicon.weight, asked))
        scores = numpy.zeros(self._lexicon.texts, dtype=numpy.int64)
        postings = _rare_first(self._lexicon, asked)
        found: Numbers | None = None
        taken, left, rows = 0, sum(posting.most for posting in postings), sum(len(posting.numbers) for posting in postings)
        for posting in postings:
            # Looking for the phrases that can still be among the best costs as much as adding a few words, so it pays only if many
            # rows are left. It finds nothing while the remaining words can add more than any phrase has.
            if found is None and len(posting.numbers) > _LONG and taken > left and rows > self._lexicon.texts:
                found = self._settled(scores, limit, left)
            taken, left, rows = taken + posting.most, left - posting.most, rows - len(posting.numbers)
            numbers, values = numpy.frombuffer(posting.numbers, "uint32"), numpy.frombuffer(posting.scores, "uint32")
            if found is None:
                scores[numbers] += values  # a phrase is in a word's list only once
            else:
                places = numpy.minimum(numpy.searchsorted(numbers, found), len(numbers) - 1)
                scores[found] += numpy.where(numbers[places] == found, values[places], 0)
        found = numpy.flatnonzero(scores) if found is None else found
        # One number for both keys: the higher score first, and for equal scores the phrase with the lower number.
        keys = scores[found] * self._lexicon.texts - found
        if len(keys) > limit:
            best = numpy.argpartition(-keys, limit)[:limit]
            found, keys = found[best], keys[best]
        order = found[numpy.argsort(-keys)]
        return [(number, score / whole) for number, score in zip(order.tolist(), scores[order].tolist(), strict=True)]

    def _settled(self, scores: Numbers, limit: int, left: int) -> Numbers | None:
        """The phrases that can still be among the best; ``None`` while one without a score can.

        Args:
            scores: of all phrases so far.
            limit: how many phrases count as the best.
            left: the most that the remaining words can add.
        """
        import numpy

        found = numpy.flatnonzero(scores)
        if len(found) < limit:
            return None
        least = int(numpy.partition(scores[found], -limit)[-limit])
        return found[scores[found] + left >= least] if least > left else None
