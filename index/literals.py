"""Many literals looked for in one pass.

Every pattern of the knowledge base but a few holds a literal wherever it matches, so a text is asked once which literals it
holds, and only their patterns run. One RE2 set of all patterns does the same on paper; but it builds its automaton while it
reads, and on texts that it has not seen before, which is what people send, it took 11 ms a report where this takes 1.3 ms.

There are two ways. Aho-Corasick (``pyahocorasick``) reads fastest, and its automaton has to be made first: in 5 ms for the
literals of a few hundred entries, and with some hundred bytes of memory for each literal. The table of the compiled file
(``tfhelp.kb.literal_table``) is there without any of it, however many literals there are.
"""

import itertools
import typing

from tfhelp.kb.literal_table import LiteralTable

_FEW = 100_000  # literals, of ten times today's knowledge: their automaton takes 40 MB and reads in a seventh of the time
_SHORT = 20_000  # characters, in which one literal after another is looked for faster than an automaton is made


class Finder(typing.Protocol):
    """Finds all occurrences of a fixed set of literals."""

    def knows(self, literal: str) -> bool:
        """Whether the literal is one of them."""

    def occurrences(self, text: str) -> typing.Iterator[tuple[int, str]]:
        """(place of the last character, literal) of every occurrence in a text in small letters."""


class LiteralFinder:
    """Finds literals by an automaton that was made for them.

    Attributes:
        literals: what it looks for.
    """

    __slots__ = ("_automaton", "literals")

    def __init__(self, literals: typing.Iterable[str]) -> None:
        """Args: literals: not empty ones, in small letters."""
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
    """Finds literals by the tables of compiled files."""

    __slots__ = ("_tables",)

    def __init__(self, tables: list[LiteralTable]) -> None:
        """Args: tables: of the literals."""
        self._tables = tables

    def knows(self, literal: str) -> bool:
        """As ``Finder.knows``."""
        return any(table.names.find(literal) is not None for table in self._tables)

    def occurrences(self, text: str) -> typing.Iterator[tuple[int, str]]:
        """As ``Finder.occurrences``; of those that overlap themselves the first."""
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


def finder_of(tables: list[LiteralTable], for_much: bool) -> Finder:
    """The finder that costs least.

    Args:
        tables: of the literals.
        for_much: whether it is for many texts, or for a long one.
    """
    if for_much and sum(len(table.names) for table in tables) <= _FEW:
        return LiteralFinder(table.names.text(number) for table in tables for number in range(len(table.names)))
    return TableFinder(tables)
