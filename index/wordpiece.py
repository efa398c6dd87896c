"""The encoder's tokens of a text without the ``tokenizers`` library, for a cold ``ask``: the library parses 30,000 tokens first.

It only supports ASCII texts without the model's special tokens, for which the rules are few. ``tests/index/test_quick_search.py``
compares it with the library.
"""

from __future__ import annotations

import re
import typing

from tfhelp.index import sorted_lines
from tfhelp.index.encoder import MAX_TOKENS

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_LONGEST_WORD = 100  # characters; a longer one is one unknown token
_UNSEEN = dict.fromkeys({*range(32), 127} - {ord("\t"), ord("\n"), ord("\r")})  # control characters are removed
_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """BERT's uncased tokens.

    Args:
        content: the file with the vocabulary's sorted lines, ``<token> <its number>``.
        start, end: where the lines begin and end in it.
    """

    __slots__ = ("_content", "_end", "_start")

    def __init__(self, content: typing.Any, start: int, end: int) -> None:
        self._content = content
        self._start = start
        self._end = end

    def ids(self, text: str) -> list[int] | None:
        """The numbers of a text's tokens, at most 128 with the special tokens at both ends; ``None`` if the library is needed."""
        if not text.isascii() or any(mark in text for mark in MARKS):
            return None
        found: list[int] = []
        for word in _WORD.findall(text.translate(_UNSEEN).lower()):
            found += self._pieces(word)
            if len(found) >= MAX_TOKENS - 2:
                break
        first, last = self._number("[CLS]"), self._number("[SEP]")
        if first is None or last is None:
            return None
        return [first, *found[: MAX_TOKENS - 2], last]

    def _pieces(self, word: str) -> list[int]:
        """The longest tokens from left to right; one unknown token if they do not cover the word."""
        pieces: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            for end in range(len(word), start, -1):
                number = self._number(("##" if start else "") + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                break
        return pieces if start == len(word) else [self._number("[UNK]") or 0]

    def _number(self, token: str) -> int | None:
        found = sorted_lines.find(self._content, self._start, self._end, token)
        return None if found is None else int(found)
