"""Words of a text, and the inverted index that lexical search reads.

The same words must be made of the knowledge base's phrases (when it is compiled) and of a query (in
``tfhelp.index.lexical``), so both take them from here.
"""

import re
import typing

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+|\d+(?:\.\d+)*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
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
    result = []
    for word in _WORD.findall(text):
        parts = _PARTS.findall(word)
        if len(parts) > 1:
            result.append(word.lower())
        result += [stem(part.lower()) for part in parts or [word] if part.lower() not in _STOP and len(part) > 1]
    return result


def stem(word: str) -> str:
    """The word without its ending, roughly: enough that 'crashes', 'crashed' and 'crashing' meet."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def build_lexicon(texts: list[str]) -> dict[str, typing.Any]:
    """An inverted index.

    Returns:
        {"lengths": words of each text, "postings": {word: [text number, occurrences, text number, ...]}}
    """
    lengths = []
    postings: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        found = words(text)
        lengths.append(len(found))
        for word in dict.fromkeys(found):
            postings.setdefault(word, []).extend((number, found.count(word)))
    return {"lengths": lengths, "postings": dict(sorted(postings.items()))}
