"""The fingerprint of a message: hashes of its fixed parts, and the places of its values.

A message such as ``expected 3 axes, got 2`` comes from a template: runs of fixed words with values between them. For a run, the
atlas keeps the number of its words and their hash, never the words. For the place of a value, it keeps the punctuation around it
and the identifier that the source has there.
"""

import re
import typing
import zlib

WORD = re.compile(r"[A-Za-z0-9_]+")
"""A word. Punctuation, quotes and white space are ignored, so that a message may be quoted or wrapped in any way."""

_BASE = 0x1F3D5B79A2C4E6
_PRIME = (1 << 61) - 1
LONGEST_RUN = 8
"""A longer run is stored in pieces of this many words, so that a message that is cut off, or that ends differently in another
release, is found by its beginning. There is a gap without a value between two pieces.
"""
LONGEST_ANCHOR = 4
"""An anchor has at most this many words: the beginning of the longest run, by which candidates for a text are found."""


class Value(typing.NamedTuple):
    """A place in a template that is filled in when the error is raised; ``name`` is the identifier in the source, or empty."""

    name: str


Piece = str | Value
"""Fixed text, or a value."""


class Run(typing.NamedTuple):
    """Fixed words in a row: how many, and their hash (32 bits)."""

    words: int
    digest: int


Gap = tuple[str, ...]
"""What is before, between or after runs: alternating punctuation and names of values, ``("='", "name", "', ")``.

It begins and ends with punctuation, which may be empty, so its length is odd. A gap of length 1 has no value: the runs around it
are adjacent.
"""


class Template(typing.NamedTuple):
    """A message's fixed runs and the gaps around them: one more gap than runs."""

    runs: tuple[Run, ...]
    gaps: tuple[Gap, ...]

    @property
    def fixed(self) -> int:
        """How many words are fixed."""
        return sum(run.words for run in self.runs)

    @property
    def longest(self) -> int:
        """How many words the longest run has."""
        return max((run.words for run in self.runs), default=0)


class Hashes:
    """Hashes of every run of words in a text, each in constant time after one pass over the words."""

    def __init__(self, words: typing.Sequence[str]) -> None:
        self._sums = [0]
        self._powers = [1]
        total, power = 0, 1
        for word in words:
            total = (total * _BASE + zlib.crc32(word.encode()) + 1) % _PRIME
            power = power * _BASE % _PRIME
            self._sums.append(total)
            self._powers.append(power)

    def __len__(self) -> int:
        return len(self._sums) - 1

    def of(self, first: int, count: int) -> int:
        """The 32-bit hash of ``count`` words, starting with the word ``first``.

        Raises:
            IndexError: the text is too short.
        """
        whole = (self._sums[first + count] - self._sums[first] * self._powers[count]) % _PRIME
        return (whole ^ whole >> 29) & 0xFFFFFFFF


class Anchored(typing.NamedTuple):
    """A template that can be looked up: which run anchors it, how many words the anchor has, and the anchor's hash."""

    template: Template
    run: int
    words: int
    digest: int


def anchored(pieces: typing.Sequence[Piece]) -> Anchored | None:
    """The template of a message given in pieces, or None if it has no fixed word."""
    runs, gaps = _split(pieces)
    if not runs:
        return None
    hashes = [Hashes(run) for run in runs]
    template = Template(tuple(Run(len(h), h.of(0, len(h))) for h in hashes), tuple(gaps))
    anchor = max(range(len(runs)), key=lambda place: (len(runs[place]), -place))
    size = min(LONGEST_ANCHOR, len(runs[anchor]))
    return Anchored(template, anchor, size, hashes[anchor].of(0, size))


def _split(pieces: typing.Sequence[Piece]) -> tuple[list[list[str]], list[Gap]]:
    """Runs of words, and the gaps around them."""
    runs: list[list[str]] = []
    gaps: list[Gap] = []
    gap: list[str] = [""]
    joined = _joined(pieces)
    for place, piece in enumerate(joined):
        if isinstance(piece, Value):
            gap += [piece.name, ""]
            continue
        text, start, stop = piece, 0, len(piece)
        # A word directly next to a value is part of a longer word in the text, so it counts as punctuation.
        if place and (glued := WORD.match(text)):
            start = glued.end()
        if place + 1 < len(joined):
            stop = max(start, _without_last_word(text))
        words = list(WORD.finditer(text, start, stop))
        if not words:
            gap[-1] = _folded(text)
            continue
        gap[-1] = _folded(text[: words[0].start()])
        for first in range(0, len(words), LONGEST_RUN):
            piece_of_run = words[first : first + LONGEST_RUN]
            gaps.append(tuple(gap) if not first else (_folded(text[words[first - 1].end() : words[first].start()]),))
            runs.append([word.group() for word in piece_of_run])
        gap = [_folded(text[words[-1].end() :])]
    gaps.append(tuple(gap))
    return runs, gaps


def _joined(pieces: typing.Sequence[Piece]) -> list[Piece]:
    """Pieces with neighbouring texts joined and empty ones left out."""
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return joined


def _without_last_word(text: str) -> int:
    """The length of ``text`` without a word at its very end."""
    end = len(text)
    while end and (text[end - 1] == "_" or (text[end - 1].isascii() and text[end - 1].isalnum())):
        end -= 1
    return end


def _folded(punctuation: str) -> str:
    return " ".join(f"|{punctuation}|".split())[1:-1]
