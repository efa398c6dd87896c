"""Words of a text, and the inverted index that lexical search reads.

The same words must be made of the knowledge base's phrases (when it is compiled) and of a query (in
``tfhelp.index.lexical``), so both take them from here.
"""

import collections
import functools
import math
import re
import typing

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
    """The words that a text is compared by: lower case, stemmed, identifiers whole and in parts.

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
    """The word without its ending, roughly: enough that 'crashes', 'crashed' and 'crashing' meet."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def build_lexicon(texts: list[str]) -> dict[str, typing.Any]:
    """An inverted index with the weights of BM25 in it, so that a search only adds.

    Returns:
        {"unknown": weight of a word that no text holds, "postings": {word: "<its weight> <text number> <score that the word
        gives this text> <text number> <score> ..."}}; weights and scores are integers, in thousandths. They are one
        string because a question has few words: JSON reads the strings six times as fast as the numbers.
    """
    unknown = _weight(len(texts), 0)
    return _inverted(texts, lambda _, holding: _weight(len(texts), holding), unknown)


def build_lexicon_beside(texts: list[str], reference: dict[str, typing.Any]) -> dict[str, typing.Any]:
    """An inverted index over a few further texts, whose words weigh what they weigh in another one: the scores compare.

    Args:
        texts: the further ones.
        reference: from ``build_lexicon``; a word that it does not know weighs what it gives to an unknown one.
    """
    unknown: int = reference["unknown"]
    known: dict[str, str] = reference["postings"]

    def weight(word: str, _: int) -> float:
        return (int(known[word].partition(" ")[0]) if word in known else unknown) / 1000

    return _inverted(texts, weight, unknown / 1000)


def _inverted(texts: list[str], weight_of: typing.Callable[[str, int], float], unknown: float) -> dict[str, typing.Any]:
    counted = [collections.Counter(words(text)) for text in texts]
    holding: dict[str, list[int]] = {}
    for number, counts in enumerate(counted):
        for word in counts:
            holding.setdefault(word, []).append(number)
    lengths = [counts.total() for counts in counted]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    postings = {}
    for word in sorted(holding):
        weight = weight_of(word, len(holding[word]))
        posting = [round(1000 * weight)]
        for number in holding[word]:
            count = counted[number][word]
            length = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths[number] / mean)
            posting += [number, round(1000 * weight * count * (_SATURATION + 1) / (count + length))]
        postings[word] = " ".join(map(str, posting))
    return {"unknown": round(1000 * unknown), "postings": postings}


def _weight(texts: int, holding: int) -> float:
    """How much a word tells: inverse document frequency."""
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))
