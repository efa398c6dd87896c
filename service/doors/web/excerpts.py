"""The part of a text that is shown: all of a short one; of a long one, its start, its end and each matched line in context."""

import typing

from tfhelp.collectors.reading.lines import shown
from tfhelp.service.memory.rows import mark_of_text

Json = dict[str, typing.Any]

_WHOLE_LINES = 40
_WHOLE_CHARACTERS = 8_000
_AROUND = 6  # lines before and after a matched one
_HEAD, _TAIL = 4, 12  # lines
_MOST_MATCHED = 40
_LONGEST_LINE = 500  # characters
_TELLING = 60  # characters of a line's start that show which message it belongs to; a third of that for a short line
_FRAME = 'File "'
_BLOCK = 64 << 10  # characters of a text that are split into lines at once


class Row(typing.NamedTuple):
    """A line for display: its number and text, ``hit`` if it decided the answer, ``gap`` if lines before it are left out."""

    number: int
    text: str
    hit: bool
    gap: bool


def excerpts_of(text: str, matched: typing.Sequence[int]) -> tuple[int, list[Json]]:
    """Cut out the parts of a text that are shown.

    Args:
        text: the text that was diagnosed.
        matched: numbers of the lines that decided the answer, counted from 1, the most important first.

    Returns:
        How many lines the text has, and the excerpts in order: ``first`` is the number of the first of the ``lines``.
    """
    count = count_lines(text)
    if count <= _WHOLE_LINES and len(text) <= _WHOLE_CHARACTERS:
        lines = text.removesuffix("\n").split("\n")
        return count, [{"first": 1, "lines": [_shown(line) for line in lines]}] if text.strip() else []
    wanted = {number for centre in matched[:_MOST_MATCHED] for number in range(centre - _AROUND, centre + _AROUND + 1)}
    wanted.update(range(1, _HEAD + 1), range(count - _TAIL + 1, count + 1))
    excerpts: list[Json] = []
    for number, line in lines_of(text, sorted(wanted)).items():
        if not excerpts or excerpts[-1]["first"] + len(excerpts[-1]["lines"]) != number:
            excerpts.append({"first": number, "lines": []})
        excerpts[-1]["lines"].append(_shown(line))
    return count, excerpts


def count_lines(text: str) -> int:
    """How many lines a text has. A line end at the end of the text begins no further line."""
    return text.count("\n") + (not text.endswith("\n"))


def lines_of(text: str, numbers: typing.Sequence[int], block: int = _BLOCK) -> dict[int, str]:
    """The lines with some numbers, counted from 1; a number that no line has is left out.

    The text is split block by block: all lines of a text of short ones would take twenty times its memory, in the process that
    serves everybody.

    Args:
        text: any.
        numbers: in the order of the result.
        block: characters that are split at once, at least.
    """
    wanted, found = set(numbers), {}
    first, start, size = 1, 0, len(text.removesuffix("\n"))
    while start <= size:
        end = text.find("\n", min(start + block, size), size)
        end = size if end < 0 else end
        behind = first + text.count("\n", start, end) + 1
        here = [number for number in wanted if first <= number < behind]
        if here:
            lines = text[start:end].split("\n")
            found.update({number: lines[number - first] for number in here})
        first, start = behind, end + 1
    return {number: found[number] for number in numbers if number in found}


def about_given(answer: typing.Mapping[str, typing.Any], text: str, name: str, size: int, key: bytes) -> Json:
    """What a memory keeps about a text in addition to its answer (``tfhelp.service.memory.memory.Kept``).

    Args:
        answer: the document that the API sends.
        text: the text that was diagnosed.
        name: name of the file that was uploaded; empty for a paste.
        size: size of the input, in bytes.
        key: see ``mark_of_text``.
    """
    count, excerpts = excerpts_of(text, matched_lines(answer))
    lines = count if text.strip() else 0
    return {"name": name, "bytes": size, "lines": lines, "excerpts": excerpts, "log": mark_of_text(text, key)}


def matched_lines(answer: typing.Mapping[str, typing.Any]) -> list[int]:
    """Numbers of all lines that an answer mentions, those of the first entry first, then the harmless ones."""
    numbers = [found["line"] for match in answer.get("matches", []) for found in match.get("matched", []) if found["line"] > 0]
    numbers += [item["line"] for item in answer.get("benign", [])]
    return list(dict.fromkeys(numbers))


class Lines:
    """The lines of excerpts by number."""

    __slots__ = ("_lines",)

    def __init__(self, excerpts: typing.Sequence[Json]) -> None:
        self._lines: dict[int, str] = {}
        for excerpt in excerpts:
            self._lines.update(enumerate(excerpt["lines"], excerpt["first"]))

    def line(self, number: int) -> str:
        """A line; empty if it is not among the excerpts."""
        return self._lines.get(number, "")

    def of_message(self, number: int, message: str) -> set[int]:
        """The line numbers of a message: the line of its record, and the nearby lines whose words are in the message.

        The frames of a traceback inside the message are left out: they show where it was raised, not what was raised.
        """
        said = " ".join(message.split())
        near = {number} & set(self._lines)
        for other in range(number - _AROUND, number + _AROUND + 1):
            words = " ".join(self._lines.get(other, "").split())[:_TELLING]
            if len(words) >= _TELLING // 3 and words in said and not words.startswith(_FRAME):
                near.add(other)
        return near

    def rows(self, hits: typing.Collection[int], around: int | None = None) -> list[Row]:
        """All lines, or the hits with ``around`` lines on each side; empty lines at both ends are left out."""
        numbers = sorted(self._lines) if around is None else sorted(self._near(hits, around))
        while numbers and not self._lines[numbers[0]].strip():
            numbers.pop(0)
        while numbers and not self._lines[numbers[-1]].strip():
            numbers.pop()
        before = [0, *numbers]
        return [
            Row(number, self._lines[number], number in hits, before[place] > 0 and before[place] + 1 != number)
            for place, number in enumerate(numbers)
        ]

    def _near(self, hits: typing.Collection[int], around: int) -> set[int]:
        return {near for hit in hits for near in range(hit - around, hit + around + 1) if near in self._lines}


def _shown(line: str) -> str:
    line = shown(line).expandtabs(4)
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + " \u2026"
