"""Find which of many literals a text contains, with tables that were built when the knowledge base was compiled.

For each literal, a piece of eight, four or two bytes that few literals share is chosen: its anchor. The pieces of a text are
compared with the anchors, and a literal is searched for only where its anchor occurs. So the cost of a question depends on its
text and on what nearly occurs in it, not on the number of literals. Nothing is built at start-up, and nothing is kept in memory.
"""

import array
import bisect
import collections
import sys
import typing

from tfhelp.kb.packed_rows import Groups, Names, packed_groups, packed_names
from tfhelp.kb.sections import Sections

_SIZES = {8: "Q", 4: "I", 2: "H"}  # bytes of an anchor -> format code of integers of this size
_MULTIPLIER = 0x9E3779B97F4A7C15  # Fibonacci hashing: the high bits of the product are well mixed
_WORD = (1 << 64) - 1
_ROOM = 32  # entries of the filter for each anchor: one in 32 pieces passes by chance
_FEWEST_BITS = 6
_KEPT = 8_192  # literals that stay in memory as bytes: program output mostly contains the same ones


def packed_literals(name: str, literals: list[str]) -> dict[str, bytes]:
    """Sections of a table.

    Args:
        name: of the table.
        literals: distinct, in lower case, of at least two bytes.

    Raises:
        ValueError: a literal is shorter.
    """
    encoded = [literal.encode("utf-8", "surrogatepass") for literal in literals]
    sections = packed_names(name, literals)
    for size in _SIZES:
        sections |= _packed_anchors(f"{name}.{size}", size, [(n, text) for n, text in enumerate(encoded) if _size(text) == size])
    return sections


def _size(literal: bytes) -> int:
    for size in _SIZES:
        if len(literal) >= size:
            return size
    raise ValueError(f"a literal has two bytes or more, not {literal!r}")


def _packed_anchors(name: str, size: int, literals: list[tuple[int, bytes]]) -> dict[str, bytes]:
    """``NAME``: the anchors, ascending (uint64); ``NAME.literals``: the literals of each; ``NAME.filter``: see ``_filter``."""
    shared = collections.Counter(piece for _, literal in literals for piece in set(_pieces(literal, size)))
    by_anchor: dict[int, list[int]] = {}
    for number, literal in literals:
        anchor = min(_pieces(literal, size), key=shared.__getitem__)  # if several are equally rare, the first
        by_anchor.setdefault(anchor, []).append(number)
    anchors = sorted(by_anchor)
    return {
        name: array.array("Q", anchors).tobytes(),
        f"{name}.filter": _filter(anchors),
        **packed_groups(f"{name}.literals", (by_anchor[anchor] for anchor in anchors)),
    }


def _pieces(literal: bytes, size: int) -> list[int]:
    return [int.from_bytes(literal[place : place + size], sys.byteorder) for place in range(len(literal) - size + 1)]


def _filter(anchors: list[int]) -> bytes:
    """A byte for each value of the hash: 1 if an anchor has it. Its length is a power of two."""
    bits = max(_FEWEST_BITS, (_ROOM * len(anchors)).bit_length())
    found = bytearray(1 << bits)
    for anchor in anchors:
        found[(anchor * _MULTIPLIER & _WORD) >> (64 - bits)] = 1
    return bytes(found)


class LiteralTable:
    """A set of literals; finds which of them a text contains."""

    __slots__ = ("_anchors", "_encoded", "names")

    def __init__(self, sections: Sections, name: str) -> None:
        """Args: sections: from ``packed_literals``. name: the table's."""
        self.names = Names(sections, name)
        self._encoded: dict[int, bytes] = {}
        self._anchors = [_Anchors(sections, f"{name}.{size}", size) for size in _SIZES]

    def possible(self, text: str) -> list[int]:
        """Numbers of the literals whose anchor is in a lower-case text, in no particular order."""
        encoded = text.encode("utf-8", "surrogatepass")
        return [number for anchors in self._anchors for number in anchors.literals_of(encoded)]

    def occurring(self, text: str) -> list[int]:
        """Ascending numbers of the literals that a lower-case text contains."""
        encoded = text.encode("utf-8", "surrogatepass")
        return sorted(
            number for anchors in self._anchors for number in anchors.literals_of(encoded) if self._literal(number) in encoded
        )

    def _literal(self, number: int) -> bytes:
        known = self._encoded.get(number)
        if known is None:
            if len(self._encoded) >= _KEPT:
                self._encoded.clear()
            known = self._encoded[number] = bytes(self.names.encoded(number))
        return known


class _Anchors:
    """The anchors of one size."""

    __slots__ = ("_filter", "_literals", "_shift", "_size", "_values")

    def __init__(self, sections: Sections, name: str, size: int) -> None:
        self._size = size
        self._values = sections.numbers(name, "Q")
        self._filter = sections.part(f"{name}.filter")
        self._literals = Groups(sections, f"{name}.literals")
        self._shift = 65 - len(self._filter).bit_length()

    def literals_of(self, text: bytes) -> list[int]:
        """Literals whose anchor is in the text."""
        if not len(self._values) or len(text) < self._size:
            return []
        numpy = sys.modules.get("numpy")  # use NumPy if it is loaded, but do not import it for this
        places = self._found_by_numpy(numpy, text) if numpy else self._found(text)
        return [number for place in places for number in self._literals[place]]

    def _found(self, text: bytes) -> typing.Iterable[int]:
        """Places of the anchors that occur."""
        values, count = self._values, len(self._values)
        pieces = self._pieces(text)
        if count < len(pieces):
            return [place for place, value in enumerate(values) if value in pieces]
        known, shift = self._filter, self._shift
        near = [piece for piece in pieces if known[(piece * _MULTIPLIER & _WORD) >> shift]]
        places = ((bisect.bisect_left(values, piece), piece) for piece in near)
        return [place for place, piece in places if place < count and values[place] == piece]

    def _pieces(self, text: bytes) -> set[int]:
        pieces: set[int] = set()
        view = memoryview(text)
        for start in range(self._size):
            end = start + (len(text) - start) // self._size * self._size
            pieces.update(view[start:end].cast(_SIZES[self._size]))  # type: ignore[call-overload]
        return pieces

    def _found_by_numpy(self, numpy: typing.Any, text: bytes) -> typing.Iterable[int]:
        """As ``_found``, in an eighth of the time."""
        form = numpy.dtype(f"u{self._size}")
        pieces = numpy.ndarray((len(text) - self._size + 1,), form, text, 0, (1,)).astype("uint64")
        known = numpy.frombuffer(self._filter, "uint8")
        with numpy.errstate(over="ignore"):
            near = pieces[known[(pieces * numpy.uint64(_MULTIPLIER)) >> numpy.uint64(self._shift)] != 0]
        values = numpy.frombuffer(self._values, "uint64")
        places = numpy.minimum(numpy.searchsorted(values, near), len(values) - 1)
        return sorted(set(places[values[places] == near].tolist()))
