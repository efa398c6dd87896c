"""Search for many literals in one pass.

Almost every pattern of the knowledge base contains a literal wherever it matches. So a text is searched once for all literals,
and only the patterns of those that occur are run. One RE2 set of all patterns could do the same, but it builds its automaton
while it reads. On texts that it has not seen before, which is what people send, it took 11 ms per report; this takes 1.3 ms.

There are two ways. Aho-Corasick (``pyahocorasick``) reads fastest, but its automaton has to be built first. For the literals of a
few hundred entries this takes 5 ms, and a few hundred bytes of memory for each literal. The table of the compiled file
(``tfhelp.kb.literal_table``) needs neither, however many literals there are.
"""

import itertools
import typing

from tfhelp.kb.literal_table import LiteralTable

_FEW = 100_000  # literals, ten times today's number: their automaton takes 40 MB and reads in a seventh of the time
_SHORT = 20_000  # characters: in shorter texts, searching for each literal in turn is faster than building an automaton


class Finder(typing.Protocol):
    """Finds all occurrences of a fixed set of literals."""

    def knows(self, literal: str) -> bool:
        """Return whether the literal is in the set."""

    def occurrences(self, text: str) -> typing.Iterator[tuple[int, str]]:
        """(place of the last character, literal) of every occurrence in a lower-case text."""


class LiteralFinder:
    """Finds literals with an automaton built for them.

    Attributes:
        literals: the literals that it looks for.
    """

    __slots__ = ("_automaton", "literals")

    def __init__(self, literals: typing.Iterable[str]) -> None:
        """Args: literals: non-empty, in lower case."""
        import ahocorasick

        self.literals = frozenset(literals)
        self._automaton = ahocorasick.Automaton()
        for literal in self.literals:
            self._automaton.add_word(literal, literal)
        self._automaton.make_automaton()

    def knows(self, literal: str) -> bool:
        """As ``Finder.knows``."""
        return literal in self.literals

    def occurrences(self, text: str) -> typing.Iterator[tuple[int, str]]:
        """As ``Finder.occurrences``, in the order of the text."""
        if not len(self._automaton):
            return iter(())
        found: typing.Iterator[tuple[int, str]] = self._automaton.iter(text)
        return found


class TableFinder:
    """Finds literals with the tables of compiled files."""

    __slots__ = ("_tables",)

    def __init__(self, tables: list[LiteralTable]) -> None:
        """Args: tables: of the literals."""
        self._tables = tables

    def knows(self, literal: str) -> bool:
        """As ``Finder.knows``."""
        return any(table.names.find(literal) is not None for table in self._tables)

    def occurrences(self, text: str) -> typing.Iterator[tuple[int, str]]:
        """As ``Finder.occurrences``, but if a literal overlaps itself, only the first occurrence."""
        if len(text) > _SHORT:
            possible = {table.names.text(number) for table in self._tables for number in table.possible(text)}
            return LiteralFinder(possible).occurrences(text)
        found = {table.names.text(number) for table in self._tables for number in table.occurring(text)}
        return itertools.chain.from_iterable(_places(literal, text) for literal in sorted(found))


def _places(literal: str, text: str) -> typing.Iterator[tuple[int, str]]:
    end = text.find(literal) + len(literal) - 1
    while end >= len(literal) - 1:
        yield end, literal
        end = text.find(literal, end + 1) + len(literal) - 1


def finder_of(tables: list[LiteralTable], heavy_use: bool) -> Finder:
    """The cheapest finder.

    Args:
        tables: of the literals.
        heavy_use: whether the finder is for many texts, or for a long one.
    """
    if heavy_use and sum(len(table.names) for table in tables) <= _FEW:
        return LiteralFinder(table.names.text(number) for table in tables for number in range(len(table.names)))
    return TableFinder(tables)
