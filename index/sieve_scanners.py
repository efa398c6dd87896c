"""Find where patterns match in a block of bytes: with Hyperscan, or without it with literals and RE2.

Both report where a pattern's first match in a block ends. A few patterns, those for how far a run got, also have words at their
end: the last place of these words in the block is reported as well. Hyperscan reads 150 to 500 MB a second with all patterns. The
other way reads about 20 MB a second, and finds the same matches.
"""

import itertools
import os
import queue
import threading
import typing

from tfhelp.index.automata import compiled
from tfhelp.index.literals import LiteralFinder
from tfhelp.index.sieve_patterns import Serialised, SievePattern, ends_of

BLOCK = 1 << 15  # bytes
_OVERLAP = 1 << 10  # bytes; a match may span two blocks
Place = tuple[int, int]
"""Number of a pattern, and where in the piece its match ends."""


class Scanner(typing.Protocol):
    """Finds patterns; thread-safe."""

    kept: list[tuple[int, int]]

    def scan(self, piece: bytes) -> list[Place]:
        """Where patterns match in a piece of UTF-8, ascending by block."""


class _Ends:
    """The words at the end of some patterns."""

    __slots__ = ("_words",)

    def __init__(self, ends: list[tuple[int, str]]) -> None:
        self._words = {number: words.encode() for number, words in ends}

    def of(self, block: bytes, base: int, places: list[Place]) -> list[Place]:
        """The last places in a block of the words of those patterns that match in it."""
        found = []
        for number, _ in places:
            if words := self._words.get(number):
                last = block.rfind(words)
                if last >= 0:
                    found.append((number, base + last + len(words)))
        return found


class HyperscanScanner:
    """Finds patterns with Hyperscan.

    Raises:
        ImportError: there is no Hyperscan here.
        RuntimeError: the database is not for this processor.
    """

    def __init__(self, serialised: Serialised) -> None:
        import hyperscan

        self.kept = serialised.kept
        self._ends = _Ends(serialised.ends)
        try:
            self._database = hyperscan.loadb(serialised.content, hyperscan.HS_MODE_BLOCK)
            self._scratch = hyperscan.Scratch(self._database)
        except hyperscan.HyperscanError as error:
            raise RuntimeError(f"the sieve's database does not load: {error}") from None
        self._database.scratch = self._scratch
        self._own = threading.local()

    def scan(self, piece: bytes) -> list[Place]:
        """Where patterns match in a piece of UTF-8, ascending by block."""
        if not hasattr(self._own, "scratch"):
            self._own.scratch = self._scratch.clone()
        found: list[Place] = []
        base = 0

        def report(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((number, base + end))

        for start in range(0, len(piece), BLOCK):
            base = max(0, start - _OVERLAP)
            block, before = piece[base : start + BLOCK], len(found)
            self._database.scan(block, match_event_handler=report, scratch=self._own.scratch)
            if len(found) > before:
                found += self._ends.of(block, base, found[before:])
        return found


class LiteralScanner:
    """Finds patterns by their literals in one pass, and runs RE2 on the blocks that contain them."""

    def __init__(self, patterns: list[SievePattern]) -> None:
        """Args: patterns: those without literals are tried on every block."""
        self.kept = [(row.first, row.last) for row in patterns]
        self._patterns = patterns
        self._by_literal: dict[str, list[int]] = {}
        for number, row in enumerate(patterns):
            for literal in row.literals[0] if row.literals else ():
                self._by_literal.setdefault(literal, []).append(number)
        self._without = [number for number, row in enumerate(patterns) if not row.literals]
        self._ends = _Ends(ends_of(patterns))
        self._finder = LiteralFinder(self._by_literal)
        self._compiled: dict[int, typing.Any] = {}

    def scan(self, piece: bytes) -> list[Place]:
        """Where patterns match in a piece of UTF-8, ascending by block."""
        return [place for start in range(0, len(piece), BLOCK) for place in self._block(piece, start)]

    def _block(self, piece: bytes, start: int) -> list[Place]:
        base = max(0, start - _OVERLAP)
        block = piece[base : start + BLOCK]
        small = block.decode("utf-8", "replace").lower()
        literals = {literal for _, literal in self._finder.occurrences(small)}
        numbers = {number for literal in literals for number in self._by_literal[literal]}
        found = []
        for number in sorted(numbers.union(self._without)):
            if all(any(literal in small for literal in group) for group in self._patterns[number].literals[1:]):
                match = self._regex(number).search(block)
                if match:
                    found.append((number, base + match.end()))
        return found + self._ends.of(block, base, found)

    def _regex(self, number: int) -> typing.Any:
        if number not in self._compiled:
            self._compiled[number] = compiled(f"(?ms){self._patterns[number].pattern}".encode())
        return self._compiled[number]


class BothScanners:
    """The patterns of two scanners; the second one's are numbered after the first one's."""

    def __init__(self, first: Scanner, second: Scanner) -> None:
        """Args: first, second: the scanners."""
        self.kept = [*first.kept, *second.kept]
        self._first = first
        self._second = second
        self._start = len(first.kept)

    def scan(self, piece: bytes) -> list[Place]:
        """Where patterns match in a piece of UTF-8, ascending by block."""
        found = self._second.scan(piece)
        if not found:
            return self._first.scan(piece)
        both = self._first.scan(piece) + [(self._start + number, place) for number, place in found]
        return sorted(both, key=lambda place: place[1] // BLOCK)


_Work = tuple[bytes, list[Place], threading.Event]


def scanned(pieces: typing.Iterable[bytes], scanner: Scanner) -> typing.Iterator[tuple[bytes, list[Place]]]:
    """Each piece with the places in it, in order. Two pieces are scanned at a time, because Hyperscan releases the GIL.

    At most four pieces are held. ``concurrent.futures`` would do the same, but importing it takes longer than scanning 3 MB.
    """
    todo: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
    failed: list[BaseException] = []

    def work() -> None:
        while (task := todo.get()) is not None:
            piece, places, done = task
            try:
                places += scanner.scan(piece)
            except BaseException as error:  # noqa: BLE001 raised again in the thread that consumes the pieces
                failed.append(error)
            done.set()

    workers = [threading.Thread(target=work, name="sieve", daemon=True) for _ in range(min(2, os.cpu_count() or 1))]
    for worker in workers:
        worker.start()
    try:
        yield from _in_order(pieces, todo, failed, len(workers))
    finally:
        for _ in workers:
            todo.put(None)


def _in_order(
    pieces: typing.Iterable[bytes], todo: "queue.SimpleQueue[_Work | None]", failed: list[BaseException], ahead: int
) -> typing.Iterator[tuple[bytes, list[Place]]]:
    waiting: list[_Work] = []
    for piece in itertools.chain(pieces, [None] * ahead):
        if piece is not None:
            waiting.append((piece, [], threading.Event()))
            todo.put(waiting[-1])
        if waiting and (piece is None or len(waiting) > ahead):
            first, places, done = waiting.pop(0)
            done.wait()
            if failed:
                raise failed[0]
            yield first, places
