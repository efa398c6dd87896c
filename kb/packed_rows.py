"""Rows in a section: each is parsed on first use, and found by number or by name."""

import array
import json
import typing
import zlib

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.sections import Sections


def packed_texts(name: str, texts: typing.Iterable[str]) -> dict[str, bytes]:
    """Sections of texts: ``NAME`` holds them concatenated, ``NAME.ends`` where each ends (uint64)."""
    content = bytearray()
    ends = array.array("Q")
    for text in texts:
        content += text.encode("utf-8", "surrogatepass")
        ends.append(len(content))
    return {name: bytes(content), f"{name}.ends": ends.tobytes()}


def packed_rows(name: str, rows: typing.Iterable[object]) -> dict[str, bytes]:
    """Sections of JSON-serialisable rows."""
    return packed_texts(name, (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows))


def packed_names(name: str, names: list[str]) -> dict[str, bytes]:
    """Sections of distinct texts that can be looked up: ``NAME.slots`` is a hash table of their numbers (uint32)."""
    size = 8
    while size < 2 * len(names):
        size *= 2
    slots = array.array("I", bytes(4 * size))
    for number, text in enumerate(names):
        place = zlib.crc32(text.encode("utf-8", "surrogatepass")) & (size - 1)
        while slots[place]:
            place = (place + 1) & (size - 1)
        slots[place] = number + 1
    return packed_texts(name, names) | {f"{name}.slots": slots.tobytes()}


def packed_groups(name: str, groups: typing.Iterable[typing.Iterable[int]]) -> dict[str, bytes]:
    """Sections of lists of numbers: ``NAME`` holds them concatenated, ``NAME.starts`` where each begins (uint32)."""
    members, starts = array.array("I"), array.array("I", [0])
    for group in groups:
        members.extend(group)
        starts.append(len(members))
    return {name: members.tobytes(), f"{name}.starts": starts.tobytes()}


class Texts:
    """Texts by their numbers."""

    __slots__ = ("_content", "_ends", "_name")

    def __init__(self, sections: Sections, name: str) -> None:
        """Args: sections: from ``packed_texts``. name: their name."""
        self._name = name
        self._content = sections.part(name)
        self._ends = sections.numbers(f"{name}.ends", "Q")

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> typing.Iterator[str]:
        """The texts in their order."""
        return map(self.text, range(len(self)))

    def encoded(self, number: int) -> memoryview:
        """A text as UTF-8."""
        return self._content[self._ends[number - 1] if number else 0 : self._ends[number]]

    def text(self, number: int) -> str:
        """A text.

        Raises:
            IndexError: there is no text with that number.
            ArtefactError: it is damaged.
        """
        try:
            return str(self.encoded(number), "utf-8", "surrogatepass")
        except ValueError:
            raise self._fault(number) from None

    def _fault(self, number: int) -> ArtefactError:
        return ArtefactError(f"the compiled knowledge base is damaged: {self._name} {number} cannot be read; run 'make kb'")


class Rows(Texts):
    """Rows of JSON by their numbers."""

    __slots__ = ()

    def row(self, number: int) -> typing.Any:
        """A row, parsed.

        Raises:
            IndexError: there is no row with that number.
            ArtefactError: it is damaged.
        """
        try:
            return json.loads(self.text(number))
        except ValueError:
            raise self._fault(number) from None


class Names(Texts):
    """Distinct texts that can be looked up."""

    __slots__ = ("_slots",)

    def __init__(self, sections: Sections, name: str) -> None:
        """Args: sections: from ``packed_names``. name: their name."""
        super().__init__(sections, name)
        self._slots = sections.numbers(f"{name}.slots", "I")

    def find(self, text: str) -> int | None:
        """The number of a text; ``None`` if it is not one of them."""
        wanted = text.encode("utf-8", "surrogatepass")
        last = len(self._slots) - 1
        place = zlib.crc32(wanted) & last
        while number := self._slots[place]:
            if self.encoded(number - 1) == wanted:
                return number - 1
            place = (place + 1) & last
        return None


class Groups:
    """Lists of numbers by their numbers."""

    __slots__ = ("_members", "_starts")

    def __init__(self, sections: Sections, name: str) -> None:
        """Args: sections: from ``packed_groups``. name: their name."""
        self._members = sections.numbers(name, "I")
        self._starts = sections.numbers(f"{name}.starts", "I")

    def __getitem__(self, number: int) -> memoryview:
        return self._members[self._starts[number] : self._starts[number + 1]]
