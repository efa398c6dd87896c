"""Shapes of lines: the text with all digits alike and runs of them as one, so that repeated lines look the same.

The shapes of a whole text are made at once by C code, in pieces of bounded size, since a long log mostly repeats itself.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern

_DIGITS = str.maketrans("123456789", "000000000")
_PIECE = 1 << 19  # characters

# What the digits' number decides: a prefix of a launcher or a journal, or something that starts late on its line.
_DEPENDS_ON_DIGITS = Pattern(
    r"0: |0-0-0T|[A-Z][a-z]{2} +0 0:0:0 |.*(?:(?<!^0-0-0 0:0:0\.0): [IWEF] |.[IWEF]0 0:0:|(?:Killed|fault|error|Aborted|instruction|dumped\))\s*$)"
)


# Letters and digits by turns, three times or more; a word with a number behind it is none.
_IDENTIFIER = Pattern(r"\b(?:0[a-f]+0|[a-f]+0[a-f]+)[0a-f]*\b")
_RUNS = ("0" * 8, "0" * 4, "000", "00")


def shape(text: str) -> str:
    """The shape of a text."""
    folded = text.translate(_DIGITS)
    for run in _RUNS:
        while run in folded:
            folded = folded.replace(run, "0")
    return folded


def without_identifiers(folded: str) -> str:
    """A shape whose hexadecimal identifiers (of a run, a file, an object) are alike too.

    >>> without_identifiers(shape("Saved /runs/0ecd9221/ckpt-134 by worker-2"))
    'Saved /runs/0/ckpt-0 by worker-0'
    """
    return _IDENTIFIER.sub("0", folded)


def lines_with_shapes(text: str) -> typing.Iterator[tuple[list[str], list[str]]]:
    """The text's lines as they are, and the shape of each, in pieces."""
    start = 0
    while start <= len(text):
        end = text.find("\n", min(start + _PIECE, len(text)))
        piece = text[start:] if end < 0 else text[start:end]
        yield piece.split("\n"), shape(piece).split("\n")
        if end < 0:
            return
        start = end + 1


def is_read_by_shape(folded: str) -> bool:
    """Whether lines of this shape are read alike, however many digits their numbers have."""
    return not _DEPENDS_ON_DIGITS.match(folded)
