"""Shapes of lines: digits are normalised and runs of digits become one, so that repeated lines look the same.

The shapes of many lines are computed together in C code, because a long log consists mostly of repeated lines.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.text import Line

_DIGITS = str.maketrans("123456789", "000000000")
_PIECE = 4096  # lines

# Letters and digits alternate at least three times; a word followed by a number does not count.
_IDENTIFIER = Pattern(r"\b(?:0[a-f]+0|[a-f]+0[a-f])[0a-f]*\b")
_RUNS = ("0" * 8, "0" * 4, "000", "00")


def shape(text: str) -> str:
    """The shape of a text."""
    folded = text.translate(_DIGITS)
    for run in _RUNS:
        while run in folded:
            folded = folded.replace(run, "0")
    return folded


def without_identifiers(folded: str) -> str:
    """A shape in which hexadecimal identifiers (of a run, a file, an object) are normalised too.

    >>> without_identifiers(shape("Saved /runs/0ecd9221/ckpt-134 by worker-2"))
    'Saved /runs/0/ckpt-0 by worker-0'
    """
    return _IDENTIFIER.sub("0", folded)


def shapes(lines: typing.Sequence[Line]) -> typing.Iterator[str]:
    """The shape of each line, computed for many lines at once."""
    for start in range(0, len(lines), _PIECE):
        yield from shape("\n".join([line.text for line in lines[start : start + _PIECE]])).split("\n")
