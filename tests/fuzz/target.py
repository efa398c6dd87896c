"""A fuzzed reader, and the rules for every reader: it raises no unexpected error, gives the same result twice, and is linear."""

import gc
import time
import typing
import zlib

Read = typing.Callable[[bytes], object]

_ASKED_TWICE = 64  # one in this many inputs is read twice
_PUMPED_ONE_OF = 256
_PUMPED = 24_000  # bytes of the longer pumped text; the shorter one has a quarter of them
_SUSPICIOUS_S = 0.15  # processor seconds above which a pumped text is examined
_TOO_FAST = 9  # four times the text may take this many times as long; quadratic time would make it sixteen
_LONGEST_PIECE = 64


class Target(typing.NamedTuple):
    """A reader of bytes from outside.

    Attributes:
        name: of its corpus, and the value of ``make fuzz READER=``.
        read: reads the bytes and asserts the properties of the result; it must return the same each time.
        seeds: the inputs that a corpus begins with.
        longest: bytes of an input.
        words: of its format; the fuzzer inserts them into inputs.
        pumped: whether a repeated piece of an input must take time proportional to its length.
    """

    name: str
    read: Read
    seeds: typing.Callable[[], typing.Iterable[bytes]]
    longest: int = 2_048
    words: tuple[str, ...] = ()
    pumped: bool = True


class FuzzError(AssertionError):
    """A reader breaks one of the rules for every reader."""


def once(target: Target, data: bytes) -> None:
    """Read an input; from time to time read it twice.

    Raises:
        FuzzError: the second answer differs from the first.
    """
    first = target.read(data)
    if zlib.crc32(data) % _ASKED_TWICE == 0 and repr(target.read(data)) != repr(first):
        raise FuzzError(f"{target.name}: the same bytes were read in two ways")


def pumped(target: Target, data: bytes) -> None:
    """From time to time repeat a piece of an input, and check how the time grows.

    Raises:
        FuzzError: four times the text takes far more than four times as long.
    """
    mark = zlib.crc32(data, 1)
    if not target.pumped or len(data) < 2 or mark % _PUMPED_ONE_OF:
        return
    start = (mark >> 8) % len(data)
    piece = data[start : start + 1 + (mark >> 16) % _LONGEST_PIECE]
    if grows_too_fast(target, data[:start], piece, data[start:]):
        raise FuzzError(f"{target.name}: its time grows faster than the text, which repeats {piece!r} at byte {start}")


def grows_too_fast(target: Target, before: bytes, piece: bytes, behind: bytes) -> bool:
    """Whether four times as many repetitions of a piece take much more than four times the processor time."""

    def cost(size: int) -> float:
        return _cost(target.read, before + piece * (size // len(piece)) + behind)

    if cost(_PUMPED) < _SUSPICIOUS_S:
        return False
    return all(cost(_PUMPED) > _TOO_FAST * cost(_PUMPED // 4) for _ in range(3))


def _cost(read: Read, data: bytes) -> float:
    """Processor seconds of a reader alone.

    The garbage collector is off meanwhile: its full collection visits everything that the process has loaded. It made the cost of a
    linear reader fifteen times as large for four times the text, because only the longer text set it off.
    """
    collects = gc.isenabled()
    gc.disable()
    start = time.process_time()
    try:
        read(data)
    finally:
        if collects:
            gc.enable()
    return time.process_time() - start
