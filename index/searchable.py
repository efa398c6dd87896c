"""Records that can be asked which of them hold a literal."""

import bisect
import typing

from tfhelp.index.literals import LiteralFinder
from tfhelp.kb.record import Record


class SearchableRecords(list[Record]):
    """A list of records, and their texts in small letters as one string, made when it is first needed.

    The records must not change afterwards.
    """

    __slots__ = ("_ends", "_finder", "_held", "_joined")

    def __init__(self, records: typing.Iterable[Record], finder: LiteralFinder | None = None) -> None:
        """Args: records: of one text. finder: of the literals that will be asked for; without it each is looked for alone."""
        super().__init__(records)
        self._joined: str | None = None
        self._ends: list[int] = []
        self._finder = finder
        self._held: dict[str, set[int]] | None = None

    @property
    def joined(self) -> str:
        """All texts in small letters, one behind the other."""
        if self._joined is None:
            lowered = [record.text.lower() for record in self]
            ends = []
            end = 0
            for text in lowered:
                end += len(text) + 1
                ends.append(end)
            self._ends = ends  # before the string, which says that both are there: threads may share a list
            self._joined = "\n".join(lowered)
        return self._joined

    def holding(self, literals: list[str]) -> typing.Iterable[Record]:
        """Records that hold one of the literals, in order; all of them where there are no literals.

        Args:
            literals: in small letters.
        """
        if not literals:
            return self
        return [self[number] for number in sorted(set().union(*map(self._numbers, literals)))]

    @property
    def held(self) -> dict[str, set[int]]:
        """The finder's literals that occur, each with the numbers of the records that hold it.

        Raises:
            ValueError: there is no finder.
        """
        if self._held is None:
            if self._finder is None:
                raise ValueError("no finder")
            joined = self.joined
            held: dict[str, set[int]] = {}
            for place, literal in self._finder.occurrences(joined):
                held.setdefault(literal, set()).add(bisect.bisect_right(self._ends, place))
            self._held = held
        return self._held

    def _numbers(self, literal: str) -> set[int]:
        if self._finder is not None and literal in self._finder:
            return self.held.get(literal, set())
        joined = self.joined
        found = set()
        place = joined.find(literal)
        while place >= 0:
            number = bisect.bisect_right(self._ends, place)
            found.add(number)
            place = joined.find(literal, self._ends[number])
        return found


def searchable(records: list[Record]) -> SearchableRecords:
    """The records, made searchable unless they are."""
    return records if isinstance(records, SearchableRecords) else SearchableRecords(records)
