"""Views of the compiled knowledge base: mappings and sequences whose members are parsed on first use."""

import collections.abc
import typing

from tfhelp.kb.packed_rows import Names, Rows
from tfhelp.kb.sections import Sections

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary

Phrase = tuple[str, str, str]
"""Entry, cause or empty, text."""

_KEPT = 4_096  # summaries, and phrases, that stay in memory


class FactRow(typing.NamedTuple):
    """A fact that leads to an entry without any text.

    ``is_``: what the fact must be, as ``tfhelp.kb.compiled_entry.Wanted``. ``says``: the same in words. ``shared``: it is also true of
    other programs' failures.
    """

    entry: str
    fact: str
    is_: typing.Any
    strength: str
    says: str
    shared: bool = False


class Summaries(collections.abc.Mapping[str, "Summary"]):
    """Entry id -> summary, in the order of the entries."""

    __slots__ = ("_known", "_names", "_rows")

    def __init__(self, sections: Sections) -> None:
        """Args: sections: of the compiled file."""
        self._names = Names(sections, "names")
        self._rows = Rows(sections, "summaries")
        self._known: dict[str, Summary] = {}

    def __getitem__(self, identifier: str) -> "Summary":
        known = self._known.get(identifier)
        if known is None:
            number = self._names.find(identifier)
            if number is None:
                raise KeyError(identifier)
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[identifier] = self._rows.row(number)
        return known

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._known or (isinstance(identifier, str) and self._names.find(identifier) is not None)

    def __iter__(self) -> typing.Iterator[str]:
        return map(self._names.text, range(len(self._names)))

    def __len__(self) -> int:
        return len(self._names)


class Phrases(collections.abc.Sequence[Phrase]):
    """The phrases by their numbers."""

    __slots__ = ("_known", "_rows")

    def __init__(self, sections: Sections) -> None:
        """Args: sections: of the compiled file."""
        self._rows = Rows(sections, "phrases")
        self._known: dict[int, Phrase] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @typing.overload
    def __getitem__(self, number: int) -> Phrase: ...
    @typing.overload
    def __getitem__(self, number: slice) -> list[Phrase]: ...
    def __getitem__(self, number: int | slice) -> Phrase | list[Phrase]:
        if isinstance(number, slice):
            return [self[place] for place in range(len(self))[number]]
        known = self._known.get(number)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            entry, cause, text = self._rows.row(range(len(self))[number])
            known = self._known[number] = (entry, cause, text)
        return known
