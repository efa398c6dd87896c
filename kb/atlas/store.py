"""The atlas's file: sorted tables in compressed blocks, and arrays of integers. A look-up decompresses one block of one table.

    magic, length of the directory (4 bytes), directory (JSON, zlib), blocks and arrays

The directory gives the first key and the place of every block of each table, and the place of each array. A block is compressed
lines ``key TAB value``. Keys and values contain neither tabs nor line ends; values are JSON.
"""

import array
import bisect
import json
import mmap
import os
import struct
import sys
import typing
import zlib

if typing.TYPE_CHECKING:
    import pathlib

MAGIC = b"tfhelp atlas 1\n"
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "atlas.bin")
_BLOCK = 24_000
"""Characters of a block before it is compressed: a larger one compresses better and takes longer to open (about 0.2 ms)."""


class AtlasError(Exception):
    """The atlas's file is missing or damaged, or has a different format. The message names the command that builds it."""


def write(path: "pathlib.Path", tables: dict[str, dict[str, typing.Any]], arrays: dict[str, typing.Iterable[int]]) -> None:
    """Write the file; the same rows give the same bytes.

    Args:
        tables: name -> key -> JSON-serialisable value.
        arrays: name -> 32-bit integers.

    Raises:
        ValueError: a key contains a tab or a line end.
    """
    directory: dict[str, typing.Any] = {"tables": {}, "arrays": {}}
    body = bytearray()
    for name, rows in tables.items():
        directory["tables"][name] = index = []
        for first, block in _blocks(rows):
            packed = zlib.compress(block.encode(), 9)
            index.append([first, len(body), len(packed)])
            body += packed
    for name, numbers in arrays.items():
        values = _little(array.array("I", numbers)).tobytes()
        directory["arrays"][name] = [len(body), len(values)]
        body += values
    head = zlib.compress(json.dumps(directory, separators=(",", ":")).encode(), 9)
    path.write_bytes(MAGIC + struct.pack("<I", len(head)) + head + body)


def _blocks(rows: dict[str, typing.Any]) -> typing.Iterator[tuple[str, str]]:
    """(first key, lines) of each block."""
    lines: list[str] = []
    first, size = "", 0
    for key in sorted(rows):
        if "\t" in key or "\n" in key:
            raise ValueError(f"a key of the atlas holds white space: {key!r}")
        line = f"{key}\t{json.dumps(rows[key], separators=(',', ':'))}"
        if lines and size + len(line) > _BLOCK:
            yield first, "\n".join(lines)
            lines, size = [], 0
        first = first if lines else key
        lines.append(line)
        size += len(line)
    if lines:
        yield first, "\n".join(lines)


def _little(numbers: "array.array[int]") -> "array.array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Store:
    """The opened file. Blocks are read on first use and cached."""

    def __init__(self, path: str = PATH) -> None:
        """Open the file.

        Raises:
            AtlasError: it is missing or damaged, or has a different format.
        """
        self._path = path
        try:
            with open(path, "rb") as opened:
                self._bytes = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            if self._bytes[: len(MAGIC)] != MAGIC:
                raise AtlasError(f"{path} is no atlas of this version; run: python -m tfhelp.kb.atlas.build")
            start = len(MAGIC) + 4
            length = struct.unpack("<I", self._bytes[len(MAGIC) : start])[0]
            directory = json.loads(zlib.decompress(self._bytes[start : start + length]))
        except (OSError, ValueError, zlib.error, struct.error) as error:
            raise AtlasError(f"{path} cannot be read ({error}); run: python -m tfhelp.kb.atlas.build") from None
        self._start = start + length
        self._tables: dict[str, list[list[typing.Any]]] = directory["tables"]
        self._firsts = {name: [block[0] for block in index] for name, index in self._tables.items()}
        self._arrays: dict[str, list[int]] = directory["arrays"]
        self._opened: dict[tuple[str, int], dict[str, str]] = {}

    def get(self, table: str, key: str) -> typing.Any:
        """The value of a key, None if the table has no such key.

        Raises:
            KeyError: there is no such table.
            AtlasError: the block is damaged.
        """
        place = bisect.bisect_right(self._firsts[table], key) - 1
        line = self._block(table, place).get(key) if place >= 0 else None
        return None if line is None else json.loads(line)

    def keys(self, table: str, prefix: str = "") -> list[str]:
        """The keys that begin with ``prefix``, sorted."""
        firsts = self._firsts[table]
        place = max(0, bisect.bisect_right(firsts, prefix) - 1)
        found: list[str] = []
        while place < len(firsts) and (firsts[place] <= prefix or firsts[place].startswith(prefix)):
            found += [key for key in self._block(table, place) if key.startswith(prefix)]
            place += 1
        return found

    def numbers(self, name: str) -> "array.array[int]":
        """An array."""
        start, length = self._arrays[name]
        values = array.array("I")
        try:
            values.frombytes(self._bytes[self._start + start : self._start + start + length])
        except ValueError as error:
            raise self._damaged(error) from None
        return _little(values)

    def _damaged(self, error: Exception) -> AtlasError:
        return AtlasError(f"{self._path} is damaged ({error}); run: python -m tfhelp.kb.atlas.build")

    def _block(self, table: str, place: int) -> dict[str, str]:
        block = self._opened.get((table, place))
        if block is None:
            _, start, length = self._tables[table][place]
            try:
                text = zlib.decompress(self._bytes[self._start + start : self._start + start + length]).decode()
            except (zlib.error, ValueError) as error:
                raise self._damaged(error) from None
            pairs = (line.partition("\t") for line in text.split("\n"))
            block = self._opened[table, place] = {key: value for key, _, value in pairs}
        return block
