"""The lines of a pasted text, and the few of them that a reader has to look at.

A log may have 100,000 lines that differ in a number only. So the text is reduced once, by C code, to the words of each
line (small letters, no digits, no punctuation); lines with the same words have the same shape, a reader is asked once
per shape whether a word concerns it, and of a shape that comes very often only the first and the last lines are read.
"""

import array
import collections.abc
import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern

LONGEST_LINE = 4000
"""Characters; what is longer (a dumped array, a minified page) is cut."""

_KEPT_OF_ONE_SHAPE = 64
"""Lines from each end of a shape's occurrences: enough for every GPU of a machine, and for the last epoch."""

_ESCAPES = Pattern(r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)?|[@-Z\\^_])")
_KEPT_OF_ONE_WORD = 1000
"""Lines from each end of a word's lines: a text that says new things in 100,000 lines is read at its two ends."""

_LINES_AT_A_TIME = 2_000
_LONG_TEXT = 1 << 20  # characters

Lines = collections.abc.Sequence[str]

_HEXADECIMAL = re.compile(rb"0x[0-9a-fA-F]{1,64}")
_QUOTATION = Pattern(r"^(?:> ?){1,4}", re.MULTILINE)
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


def split(text: str) -> tuple[Lines, list[int] | None]:
    """The lines, without colour codes, without what a progress bar overwrote, and without marks of quotation.

    Returns:
        The lines; and for each the number of the line it was pasted as, counted from 1, or ``None`` where each line is
        its own (a notebook's output as JSON holds many lines in one).
    """
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\n> " in text or text.startswith("> "):
        text = _QUOTATION.sub("", text)
    lines = LongText(text) if len(text) > _LONG_TEXT else _as_shown(text.split("\n"))
    if "\\n" in text:
        return _unescaped(lines)
    return lines, None


def _as_shown(lines: list[str]) -> list[str]:
    """The lines as a terminal shows them, cut where they are too long."""
    return [_last_state(line)[:LONGEST_LINE] if "\r" in line else line[:LONGEST_LINE] for line in lines]


class LongText(Lines):
    """The lines of a long text, each taken out of it when it is asked for: a list of them would be larger than the text."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array.array("Q", (0,))
        place = text.find("\n")
        while place >= 0:
            self._starts.append(place + 1)
            place = text.find("\n", place + 1)
        self._starts.append(len(text) + 1)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @typing.overload
    def __getitem__(self, place: int) -> str: ...
    @typing.overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, int):
            number = range(len(self))[place]
            return _as_shown([self._text[self._starts[number] : self._starts[number + 1] - 1]])[0]
        start, end, step = place.indices(len(self))
        if start >= end or step != 1:
            return [self[number] for number in range(start, end, step)]
        return _as_shown(self._text[self._starts[start] : self._starts[end] - 1].split("\n"))


def _unescaped(lines: Lines) -> tuple[list[str], list[int]]:
    """Lines inside JSON or Python strings, with ``\\n`` for a line's end, become lines."""
    result: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, 1):
        parts = [line]
        if line.count("\\n") > 1 and '"' in line:
            line = line.replace("\\u001b", "\x1b").replace('\\"', '"').replace("\\n", "\n")
            parts = _ESCAPES.sub("", line).split("\n")
        result += parts
        numbers += [number] * len(parts)
    return result, numbers


def _last_state(line: str) -> str:
    """What a terminal shows of a line that carriage returns overwrote."""
    return next((state for state in reversed(line.rstrip("\r").rsplit("\r", 8)[1:]) if state.strip()), line.rstrip("\r"))


def _shapes(lines: Lines) -> typing.Iterator[bytes]:
    """The words of each line; some lines at a time, so that a long text is not held once more as a whole."""
    for start in range(0, len(lines), _LINES_AT_A_TIME):
        text = _HEXADECIMAL.sub(b" ", "\n".join(lines[start : start + _LINES_AT_A_TIME]).encode("utf-8", "replace"))
        yield from text.translate(_WORD_TABLE, _DIGITS).split(b"\n")


def lines_by_word(lines: Lines, words: frozenset[bytes]) -> dict[bytes, list[int]]:
    """Where the words stand.

    Args:
        lines: as ``split`` returns them.
        words: small letters and underscores only; digits are left out (``libcudart.so.11.0`` has the words
            ``libcudart`` and ``so``).

    Returns:
        word -> indices of lines, ascending; only words that occur.
    """
    groups: dict[bytes, array.array[int]] = {}
    for number, shape in enumerate(_shapes(lines)):
        same = groups.get(shape)
        if same is None:
            groups[shape] = array.array("L", (number,))
        else:
            same.append(number)
    found: dict[bytes, list[int]] = {}
    for shape, places in groups.items():
        concerned = words.intersection(shape.split())
        if not concerned:
            continue
        numbers = places.tolist()
        if len(numbers) > 2 * _KEPT_OF_ONE_SHAPE:
            numbers = numbers[:_KEPT_OF_ONE_SHAPE] + numbers[-_KEPT_OF_ONE_SHAPE:]
        for word in concerned:
            found.setdefault(word, []).extend(numbers)
    for word, numbers in found.items():
        numbers.sort()
        if len(numbers) > 2 * _KEPT_OF_ONE_WORD:
            found[word] = numbers[:_KEPT_OF_ONE_WORD] + numbers[-_KEPT_OF_ONE_WORD:]
    return found
