"""The words of a text, and the inverted index for lexical search.

The knowledge base's phrases (at compile time) and a query (in ``tfhelp.index.lexical``) must be split into words in the same way,
so both use this module.
"""

import array
import collections
import functools
import math
import re
import typing

from tfhelp.kb.packed_rows import Names, packed_groups, packed_names
from tfhelp.kb.sections import Sections, packed

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+|\d+(?:\.\d+)*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Robertson and Zaragoza's usual values; phrases are short and alike in length, so length matters little.
_SATURATION = 1.2
_LENGTH_SHARE = 0.5
_SUFFIXES = ("ization", "ations", "ation", "ing", "ies", "ed", "es", "s", "e")
# Words that say nothing about a failure; negations stay ("does not see").
_STOP_WORDS = """a an the of to in on at by for with from and or but is are was were be been it its this that these those
    i my me we our you your have has had do does did so as if then than there here when while which what who how why can
    could will would should may might just also only very some any get gets got am into about after before again always"""
_STOP = frozenset(_STOP_WORDS.split())


def words(text: str) -> list[str]:
    """The words of a text for comparison: lower case, stemmed, identifiers whole and in parts.

    >>> words("ResourceExhaustedError while training")
    ['resourceexhaustederror', 'resourc', 'exhaust', 'error', 'train']
    """
    return [word for found in _WORD.findall(text) for word in _words_of(found)]


@functools.lru_cache(maxsize=10_000)
def _words_of(identifier: str) -> list[str]:
    parts = _PARTS.findall(identifier)
    whole = [identifier.lower()] if len(parts) > 1 else []
    return whole + [stem(part.lower()) for part in parts or [identifier] if part.lower() not in _STOP and len(part) > 1]


def stem(word: str) -> str:
    """The word without its ending, roughly: enough that 'crashes', 'crashed' and 'crashing' become the same."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


_NAME = "lexicon"


class Posting(typing.NamedTuple):
    """A word in the inverted index.

    Attributes:
        weight: the weight of the word, in thousandths.
        most: the highest of its scores.
        numbers: of the texts that contain it, ascending.
        scores: what it adds to each of them, in thousandths.
    """

    weight: int
    most: int
    numbers: memoryview
    scores: memoryview


class Lexicon:
    """An inverted index that contains the BM25 weights, so that a search only adds.

    Attributes:
        texts: how many texts it covers.
        unknown: weight of a word that is in no text.
    """

    __slots__ = ("_numbers", "_scores", "_starts", "_weights", "_words", "texts", "unknown")

    def __init__(self, sections: Sections) -> None:
        """Args: sections: from ``packed_lexicon``."""
        self._words = Names(sections, _NAME)
        self._weights = sections.numbers(f"{_NAME}.weights", "I")
        self._starts = sections.numbers(f"{_NAME}.numbers.starts", "I")
        self._numbers = sections.numbers(f"{_NAME}.numbers", "I")
        self._scores = sections.numbers(f"{_NAME}.scores", "I")
        self.unknown, self.texts = sections.numbers(f"{_NAME}.all", "I")

    def find(self, word: str) -> Posting | None:
        """The posting of a word; ``None`` if no text contains it."""
        number = self._words.find(word)
        if number is None:
            return None
        start, end = self._starts[number], self._starts[number + 1]
        weight, most = self._weights[2 * number], self._weights[2 * number + 1]
        return Posting(weight, most, self._numbers[start:end], self._scores[start:end])

    def weight(self, word: str) -> int:
        """The weight of a word, in thousandths."""
        number = self._words.find(word)
        return self.unknown if number is None else int(self._weights[2 * number])


def build_lexicon(texts: list[str]) -> Lexicon:
    """The inverted index over texts."""
    return Lexicon(Sections(packed({"format": 0}, packed_lexicon(texts)), 0))


def packed_lexicon(texts: list[str], reference: Lexicon | None = None) -> dict[str, bytes]:
    """The sections of an inverted index.

    Args:
        texts: the texts to search.
        reference: the lexicon of many more texts. Its word weights are used, so that the scores of both can be compared.
    """
    counted = [collections.Counter(words(text)) for text in texts]
    holding: dict[str, list[int]] = {}
    for number, counts in enumerate(counted):
        for word in counts:
            holding.setdefault(word, []).append(number)
    unknown = reference.unknown if reference else round(1000 * _weight(len(texts), 0))
    lengths = [counts.total() for counts in counted]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    norms = [_SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean) for length in lengths]
    weights, scores = array.array("I"), array.array("I")
    for word in sorted(holding):
        weight = reference.weight(word) / 1000 if reference else _weight(len(texts), len(holding[word]))
        counts_of_word = [(number, counted[number][word]) for number in holding[word]]
        values = [round(1000 * weight * count * (_SATURATION + 1) / (count + norms[number])) for number, count in counts_of_word]
        weights.extend((round(1000 * weight), max(values)))
        scores.extend(values)
    return {
        **packed_names(_NAME, sorted(holding)),
        **packed_groups(f"{_NAME}.numbers", (holding[word] for word in sorted(holding))),
        f"{_NAME}.weights": weights.tobytes(),
        f"{_NAME}.scores": scores.tobytes(),
        f"{_NAME}.all": array.array("I", [unknown, len(texts)]).tobytes(),
    }


def _weight(texts: int, holding: int) -> float:
    """The weight of a word: its inverse document frequency."""
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))
