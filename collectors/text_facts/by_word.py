"""The few lines of a text that a reader has to inspect.

A log may have thousands of lines that differ only in a number. So C code first reduces the text to the words of
each line (lower case, no digits, no punctuation). Lines with the same words have the same shape, a reader is asked once
per shape whether a word concerns it, and for a very frequent shape only the first and the last lines are read.
"""

import re
import typing

from tfhelp.collectors.text_facts.reader import Lines

_KEPT_OF_ONE_SHAPE = 64
"""Lines from each end of a shape's occurrences: enough for every GPU of a machine, and for the last epoch."""

_LINES_AT_A_TIME = 2_000
_HEXADECIMAL = re.compile(rb"0x[0-9a-fA-F]{1,64}")
_DIGITS = b"0123456789"


def _word_table() -> bytes:
    table = bytearray(b" " * 256)
    for code in range(ord("a"), ord("z") + 1):
        table[code] = code
        table[code - 32] = code
    table[ord("_")] = ord("_")
    table[ord("\n")] = ord("\n")
    return bytes(table)


_WORD_TABLE = _word_table()


def _shapes(lines: Lines) -> typing.Iterator[bytes]:
    """The words of each line; the lines are taken in blocks, so that the whole text is not held in memory twice."""
    for start in range(0, len(lines), _LINES_AT_A_TIME):
        text = _HEXADECIMAL.sub(b" ", "\n".join(lines[start : start + _LINES_AT_A_TIME]).encode("utf-8", "replace"))
        yield from text.translate(_WORD_TABLE, _DIGITS).split(b"\n")


def lines_by_word(lines: Lines, words: frozenset[bytes]) -> dict[bytes, list[int]]:
    """Return the lines in which each word occurs.

    Args:
        lines: without line ends.
        words: lower case and underscores only, as in ``Reader.words``.

    Returns:
        word -> indices of lines, ascending; only words that occur.
    """
    groups: dict[bytes, list[int]] = {}
    for number, shape in enumerate(_shapes(lines)):
        groups.setdefault(shape, []).append(number)
    found: dict[bytes, list[int]] = {}
    for shape, numbers in groups.items():
        concerned = words.intersection(shape.split())
        if not concerned:
            continue
        if len(numbers) > 2 * _KEPT_OF_ONE_SHAPE:
            numbers = numbers[:_KEPT_OF_ONE_SHAPE] + numbers[-_KEPT_OF_ONE_SHAPE:]
        for word in concerned:
            found.setdefault(word, []).extend(numbers)
    for numbers in found.values():
        numbers.sort()
    return found
