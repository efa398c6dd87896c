"""The signatures of a knowledge base: rows that are parsed when a text contains one of their literals."""

import bisect
import itertools
import typing

from tfhelp.kb.literal_table import LiteralTable, packed_literals
from tfhelp.kb.packed_rows import Groups, Rows, packed_groups, packed_rows
from tfhelp.kb.sections import Sections, packed

_NAME = "signatures"
_LITERALS = "literals"
_OF_LITERALS = "literals.signatures"
_FREE = "signatures.free"
_KEPT = 4_096  # rows that stay parsed: most texts that people send are of the same kinds


class SignatureRow(typing.NamedTuple):
    """A signature as compiled.

    ``literals``: groups of literals; wherever the pattern matches, one of each group occurs. ``captures``: group -> path of the
    fact. ``said``: it is about people's wording. ``raised_by``: the required origin of the record; empty for the default rule of
    its kind. ``shared``: other programs print these words too.
    """

    entry: str
    strength: str
    pattern: str
    literals: list[list[str]]
    captures: dict[str, str]
    said: bool = False
    raised_by: typing.Sequence[str] = ()
    shared: bool = False


def packed_signatures(rows: typing.Sequence[typing.Sequence[typing.Any]], others: typing.Iterable[str] = ()) -> dict[str, bytes]:
    """Sections of signatures.

    Args:
        rows: of ``SignatureRow``.
        others: further literals to search texts for: those of the checks.
    """
    signatures = [SignatureRow(*row) for row in rows]
    found: dict[str, list[int]] = {literal: [] for literal in others}
    for number, row in enumerate(signatures):
        for literal in dict.fromkeys(row.literals[0] if row.literals else ()):
            found.setdefault(literal, []).append(number)
    literals = sorted(found)
    return {
        **packed_rows(_NAME, signatures),
        **packed_literals(_LITERALS, literals),
        **packed_groups(_OF_LITERALS, (found[literal] for literal in literals)),
        **packed_groups(_FREE, [[number for number, row in enumerate(signatures) if not row.literals]]),
    }


class Signatures(typing.Protocol):
    """Signatures by number, and by the literals of their first groups."""

    def __iter__(self) -> typing.Iterator[SignatureRow]:
        """All of them."""

    def __len__(self) -> int:
        """How many numbers there are."""

    def row(self, number: int) -> SignatureRow:
        """A signature."""

    def of_literal(self, literal: str) -> list[int]:
        """Numbers of the signatures that have the literal in their first group."""

    def free(self) -> list[int]:
        """Numbers of the signatures without literals."""

    @property
    def tables(self) -> list[LiteralTable]:
        """The literals."""


def table_of(rows: typing.Sequence[typing.Sequence[typing.Any]]) -> "SignatureTable":
    """A signature table of a few rows, without a file."""
    return SignatureTable(Sections(packed({"format": 0}, packed_signatures(rows)), 0))


class SignatureTable(typing.Sequence[SignatureRow]):
    """The signatures of one compiled file."""

    __slots__ = ("_free", "_known", "_known_literals", "_literals", "_of_literals", "_rows")

    def __init__(self, sections: Sections) -> None:
        """Args: sections: from ``packed_signatures``."""
        self._rows = Rows(sections, _NAME)
        self._literals = LiteralTable(sections, _LITERALS)
        self._of_literals = Groups(sections, _OF_LITERALS)
        self._free = Groups(sections, _FREE)
        self._known: dict[int, SignatureRow] = {}
        self._known_literals: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @typing.overload
    def __getitem__(self, number: int) -> SignatureRow: ...
    @typing.overload
    def __getitem__(self, number: slice) -> list[SignatureRow]: ...
    def __getitem__(self, number: int | slice) -> SignatureRow | list[SignatureRow]:
        if isinstance(number, slice):
            return [self.row(place) for place in range(len(self))[number]]
        return self.row(range(len(self))[number])

    def row(self, number: int) -> SignatureRow:
        """A signature by its number, from 0 on."""
        known = self._known.get(number)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[number] = SignatureRow(*self._rows.row(number))
        return known

    def of_literal(self, literal: str) -> list[int]:
        """As ``Signatures.of_literal``."""
        known = self._known_literals.get(literal)
        if known is None:
            if len(self._known_literals) >= _KEPT:
                self._known_literals.clear()
            number = self._literals.names.find(literal)
            known = self._known_literals[literal] = [] if number is None else self._of_literals[number].tolist()
        return known

    def free(self) -> list[int]:
        """As ``Signatures.free``."""
        return self._free[0].tolist()

    @property
    def tables(self) -> list[LiteralTable]:
        """As ``Signatures.tables``."""
        return [self._literals]


class OverlaidSignatures:
    """The signatures of several compiled files, without those of entries that another file replaces."""

    __slots__ = ("_parts", "_starts")

    def __init__(self, parts: list[tuple[Signatures, typing.Callable[[str], bool]]]) -> None:
        """Args: parts: each with a function that returns whether an entry's signatures count."""
        self._parts = parts
        self._starts = [0, *itertools.accumulate(len(table) for table, _ in parts)]

    def __iter__(self) -> typing.Iterator[SignatureRow]:
        return (row for table, counts in self._parts for row in table if counts(row.entry))

    def __len__(self) -> int:
        return self._starts[-1]

    def row(self, number: int) -> SignatureRow:
        """As ``Signatures.row``."""
        place = bisect.bisect_right(self._starts, number) - 1
        return self._parts[place][0].row(number - self._starts[place])

    def of_literal(self, literal: str) -> list[int]:
        """As ``Signatures.of_literal``."""
        return self._counting(lambda table: table.of_literal(literal))

    def free(self) -> list[int]:
        """As ``Signatures.free``."""
        return self._counting(lambda table: table.free())

    def _counting(self, numbers_of: typing.Callable[[Signatures], list[int]]) -> list[int]:
        return [
            start + number
            for start, (table, counts) in zip(self._starts, self._parts, strict=False)
            for number in numbers_of(table)
            if counts(table.row(number).entry)
        ]

    @property
    def tables(self) -> list[LiteralTable]:
        """As ``Signatures.tables``."""
        return [literals for table, _ in self._parts for literals in table.tables]
