"""Records that can be asked which of them hold a literal."""

import bisect
import typing

from tfhelp.kb.record import Record


class SearchableRecords(list[Record]):
    """A list of records, and their texts in small letters as one string, made when it is first needed.

    The records must not change afterwards.
    """

    __slots__ = ("_ends", "_joined")

    def __init__(self, records: typing.Iterable[Record]) -> None:
        super().__init__(records)
        self._joined: str | None = None
        self._ends: list[int] = []

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
        joined = self.joined
        found: set[int] = set()
        for literal in literals:
            place = joined.find(literal)
            while place >= 0:
                number = bisect.bisect_right(self._ends, place)
                found.add(number)
                place = joined.find(literal, self._ends[number])
        return [self[number] for number in sorted(found)]


def searchable(records: list[Record]) -> SearchableRecords:
    """The records, made searchable unless they are."""
    return records if isinstance(records, SearchableRecords) else SearchableRecords(records)
