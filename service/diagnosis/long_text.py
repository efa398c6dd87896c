"""Texts that are too long to be read line by line: reduce a stream, or a long string, to the few parts that matter."""

import typing

from tfhelp.kb.compiled import Knowledge

if typing.TYPE_CHECKING:
    from tfhelp.index.sieve_scanners import Scanner

LONG = 1 << 18  # bytes; a shorter text is read whole, which is exact and takes at most a tenth of a second
Part = tuple[int, str]


class Progress(typing.Protocol):
    """Receives the progress of a long read."""

    def __call__(self, done: int) -> None:
        """Report the number of bytes read so far."""

    def close(self) -> None:
        """Report that the whole text has been read."""


class Stream:
    """A text that is not in memory: the start that has already been read, and a function that reads more.

    Attributes:
        start: at least ``LONG`` bytes.
        read: returns at most the given number of further bytes, none at the end.
        progress: receives the number of bytes read, repeatedly.
        parts: the parts that were kept, once it has been read, so that the same stream can be diagnosed again.
    """

    __slots__ = ("parts", "progress", "read", "start")

    def __init__(self, start: bytes, read: typing.Callable[[int], bytes], progress: Progress | None = None) -> None:
        self.start = start
        self.read = read
        self.progress = progress
        self.parts: list[Part] | None = None

    def add(self, text: str) -> None:
        """Add lines below the end of a stream that has been read."""
        parts = self.parts or []
        first, last = parts[-1] if parts else (0, "")
        self.parts = [*parts, (first + last.count("\n") + 1, text)]


def is_long(text: "str | Stream") -> bool:
    """Return whether a text goes through the sieve."""
    return isinstance(text, Stream) or len(text) > LONG


def sieved(source: Stream | str, knowledge: Knowledge) -> list[Part]:
    """The parts of a long text that can matter.

    Args:
        source: a stream or a string.
        knowledge: its signatures decide what matters.

    Returns:
        (number of its first line, lines) of each part, in order, half a megabyte at most.
    """
    from tfhelp.collectors.reading.byte_stream import pieces
    from tfhelp.index.sieve import sieve

    stream = Stream(source.encode("utf-8", "replace"), lambda _size: b"") if isinstance(source, str) else source
    if stream.parts is None:
        everywhere, edges = scanners(knowledge)
        stream.parts = sieve(_counted(pieces(stream.start, stream.read), stream.progress), everywhere, edges)
    return stream.parts


def _counted(parts: typing.Iterable[bytes], progress: Progress | None) -> typing.Iterator[bytes]:
    done = 0
    for part in parts:
        yield part
        done += len(part)
        if progress:
            progress(done)
    if progress:
        progress.close()


_scanners: dict[str, "tuple[Scanner, Scanner]"] = {}


def scanners(knowledge: Knowledge) -> "tuple[Scanner, Scanner]":
    """The scanners for all bytes and for the edges: Hyperscan, or the slower way if it or its database is missing."""
    if knowledge.version not in _scanners:
        _scanners.clear()
        found = _by_hyperscan(knowledge.shipped) or _by_literals(knowledge.shipped)
        _scanners[knowledge.version] = _with_private(found, knowledge) if knowledge.parts else found
    return _scanners[knowledge.version]


def _with_private(found: "tuple[Scanner, Scanner]", knowledge: Knowledge) -> "tuple[Scanner, Scanner]":
    """The scanners with the patterns of private entries added: these are few, so they are searched by literals."""
    from tfhelp.index import sieve_patterns
    from tfhelp.index.sieve_scanners import BothScanners, LiteralScanner

    everywhere, edges = found
    for part in knowledge.parts:
        everywhere = BothScanners(everywhere, LiteralScanner(sieve_patterns.everywhere(part.knowledge, ())))
        edges = BothScanners(edges, LiteralScanner(sieve_patterns.on_edges(part.knowledge)))
    return everywhere, edges


def _by_hyperscan(knowledge: Knowledge) -> "tuple[Scanner, Scanner] | None":
    from tfhelp.index.sieve_patterns import read
    from tfhelp.index.sieve_scanners import HyperscanScanner

    everywhere, edges = read("all", knowledge.version), read("edges", knowledge.version)
    if everywhere is None or edges is None:
        return None
    try:
        return HyperscanScanner(everywhere), HyperscanScanner(edges)
    except (ImportError, RuntimeError):
        return None


def _by_literals(knowledge: Knowledge) -> "tuple[Scanner, Scanner]":
    from tfhelp.index import sieve_patterns
    from tfhelp.index.sieve_scanners import LiteralScanner
    from tfhelp.kb.marks import MARKS

    everywhere = sieve_patterns.everywhere(knowledge, MARKS)
    return LiteralScanner(everywhere), LiteralScanner(sieve_patterns.on_edges(knowledge))
