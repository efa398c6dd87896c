"""Records that can be searched for literals."""

from __future__ import annotations

import array
import bisect
import itertools
import typing

from tfhelp.index.literals import Finder
from tfhelp.kb.text import Record

_PIECE = 1 << 16  # characters
_BRIEF = 4_096  # characters: in shorter texts, looking for a literal costs less than asking the table whether it has it


class SearchableRecords(list[Record]):
    """A list of records, and their texts in lower case as one string, which is built when it is first needed.

    The records must not change afterwards.
    """

    __slots__ = ("_ends", "_finder", "_held", "_joined")

    def __init__(self, records: typing.Iterable[Record], finder: Finder | None = None) -> None:
        """Args: records: of one text. finder: of the literals that will be asked for. Without it, each literal is searched for
        separately.
        """
        super().__init__(records)
        self._joined: str | None = None
        self._ends = array.array("L")
        self._finder = finder
        self._held: dict[str, list[int]] | None = None

    @property
    def joined(self) -> str:
        """All texts in lower case, joined."""
        if self._joined is None:
            texts = [record.text for record in self]
            together = "\n".join(texts)
            if not together.isascii():  # a lower-case letter may be longer than its capital
                texts = [text.lower() for text in texts]
                together = "\n".join(texts)
            # Set before the string, whose presence means that both are ready: threads may share a list.
            self._ends = array.array("L", itertools.accumulate(len(text) + 1 for text in texts))
            self._joined = together.lower() if together.isascii() else together
        return self._joined

    def holding(self, groups: list[list[str]]) -> typing.Iterable[Record]:
        """The records that contain a literal of each group, in order; all records if there are no groups.

        Args:
            groups: groups of lower-case literals; the first group is searched for first.
        """
        if not groups:
            return self
        found = self._with_one_of(groups[0])
        return [self[number] for number in sorted(found) if self.holds(number, groups[1:])] if found else ()

    def _with_one_of(self, literals: list[str]) -> typing.Collection[int]:
        joined, held = self.joined, self.held
        found: set[int] = set()
        for literal in literals:
            if literal in held:
                found.update(held[literal])
            elif self._may_hold(literal) and literal in joined:
                found |= self._places(literal)
        return found

    def _may_hold(self, literal: str) -> bool:
        """Return whether a literal that was not found may still occur, because the finder did not look for it."""
        return self._finder is None or len(self.joined) <= _BRIEF or not self._finder.knows(literal)

    def holds(self, number: int, groups: list[list[str]]) -> bool:
        """Return whether a record contains a literal of each group."""
        find = self.joined.find
        start, end = self._ends[number - 1] if number else 0, self._ends[number]
        for group in groups:
            for literal in group:
                if find(literal, start, end) >= 0:
                    break
            else:
                return False
        return True

    @property
    def held(self) -> dict[str, list[int]]:
        """The finder's literals that occur, each with the ascending numbers of the records that contain it."""
        if self._held is None:
            held: dict[str, list[int]] = {}
            for start, piece in self._pieces():
                for place, literal in self._occurrences(piece):
                    number = bisect.bisect_right(self._ends, start + place)
                    numbers = held.get(literal)
                    if numbers is None:
                        held[literal] = [number]
                    elif numbers[-1] != number:
                        numbers.append(number)
            self._held = held
        return self._held

    def _occurrences(self, piece: str) -> typing.Iterable[tuple[int, str]]:
        return self._finder.occurrences(piece) if self._finder else ()

    def _pieces(self) -> typing.Iterator[tuple[int, str]]:
        """(place, text) of whole records, in pieces: the finder needs four bytes for each character that it reads."""
        joined = self.joined if self._finder else ""
        start = 0
        while start < len(joined):
            end = self._ends[bisect.bisect_right(self._ends, min(start + _PIECE, len(joined) - 1))]
            yield start, joined[start:end]
            start = end

    def _places(self, literal: str) -> set[int]:
        """Numbers of the records that contain a literal, found by searching for this literal only."""
        joined = self.joined
        found = set()
        place = joined.find(literal)
        while place >= 0:
            number = bisect.bisect_right(self._ends, place)
            found.add(number)
            place = joined.find(literal, self._ends[number])
        return found


def searchable(records: list[Record]) -> SearchableRecords:
    """The records as ``SearchableRecords``, unchanged if they are already searchable."""
    return records if isinstance(records, SearchableRecords) else SearchableRecords(records)
