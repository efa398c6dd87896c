"""The statements of the readers of a text, and which of them is believed.

A text often states the same thing twice and differently: the issue form was filled in from memory, the log below it was
printed by a program. So each statement has a rank: program output first, then a path, then a form,
then a sentence. Within a rank the last one counts, because people paste the latest output at the
end; among sentences the first one counts, because later ones describe other attempts. ``FactSheet.lost`` keeps the losers.

>>> said = Statements()
>>> said.say("python.version", "3.8", 0, FORM)
>>> said.say("python.version", "3.9.7", 5)
>>> sheet = said.sheet()
>>> sheet.get("python.version"), sheet.source("python.version"), sheet.lost[0][1]
('3.9.7', 'log line 6', '3.8')
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.gpu_lists import combine
from tfhelp.kb.fact_sheet import FactSheet

PROSE, FORM, PATH, PRINTED = 0, 1, 2, 3

Place = tuple[int, int]
"""Number of the line as pasted, index among the clean lines of its process."""

Statement = tuple[int, Place, typing.Any]
"""Rank, place, value."""

_NUMBERS = Pattern(r"\d+")


class Statements:
    """The statements of one text, by fact path."""

    __slots__ = ("_numbers", "_said")

    def __init__(self) -> None:
        self._numbers: list[int] | None = None
        self._said: dict[str, list[Statement]] = {}

    def show(self, numbers: list[int]) -> None:
        """Show the lines of another process.

        Args:
            numbers: for each line, its number in the pasted text. Without this call, the number is the index plus one.
        """
        self._numbers = numbers

    def say(self, path: str, value: typing.Any, line: int, rank: int = PRINTED) -> None:
        """State a fact.

        Args:
            path: fact path; under ``gpus`` the value is a list of GPUs, and several lists are combined.
            value: of the path's type.
            line: index of the line, counted from 0.
            rank: ``PRINTED``, ``PATH``, ``FORM`` or ``PROSE``.
        """
        number = self._numbers[line] if self._numbers else line + 1
        self._said.setdefault(path, []).append((rank, (number, line), value))

    def said(self, path: str) -> bool:
        """Return whether anything has been stated for a path."""
        return path in self._said

    def sheet(self) -> FactSheet:
        """Decide every path. The source of a fact is its line, counted from 1."""
        sheet = FactSheet()
        for path, statements in self._said.items():
            _rank, place, value = _believed(statements)
            source = _source(place)
            if path == "gpus":
                value = combine([said[2] for said in sorted(statements, key=lambda said: said[:2], reverse=True)])
            sheet.put(path, value, source)
            if path != "gpus":
                losers = _losers(statements, value)
                sheet.lost.extend((path, other, _source(at), f"{source} says otherwise") for other, at in losers.items())
        return sheet


def _source(place: Place) -> str:
    return f"log line {place[0]}"


def _believed(statements: list[Statement]) -> Statement:
    best = max(statement[0] for statement in statements)
    same_rank = [statement for statement in statements if statement[0] == best]
    pick = min if best == PROSE else max
    place = pick(statement[1] for statement in same_rank)
    return [statement for statement in same_rank if statement[1] == place][-1]


def _losers(statements: list[Statement], value: typing.Any) -> dict[str, Place]:
    """Other value -> place; numbers grow from line to line (a step, a size) and do not contradict each other."""
    if not isinstance(value, str):
        return {}
    return {other: place for _, place, other in statements if other != value and not _agree(other, value)}


def _agree(one: str, other: str) -> bool:
    """``3.8`` and ``3.8.10`` do not contradict each other."""
    ones, others = _NUMBERS.findall(one), _NUMBERS.findall(other)
    shorter = min(len(ones), len(others))
    return shorter > 0 and ones[:shorter] == others[:shorter]


def values_of(read: typing.Callable[[list[str], list[int], Statements], None], text: str) -> dict[str, typing.Any]:
    """The statements of one reader about a text when it is shown every line: for examples and tests."""
    lines = text.split("\n")
    said = Statements()
    read(lines, list(range(len(lines))), said)
    return said.sheet().values
