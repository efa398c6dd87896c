"""A program's output, kept within bounds: its beginning and its end, however much it writes."""

import threading
import time

HEAD_BYTES = 1 << 20
TAIL_BYTES = 4 << 20
_LONGEST_LINE = 1 << 16  # a line without an end is kept in pieces of this size


class KeptOutput:
    """The first and the last part of the bytes of one or more streams, in the order in which their lines were completed.

    Lines of two streams are not mixed: an unfinished one waits for its end. Thread-safe.

    Attributes:
        total: bytes that were written, kept or not.
        last_at: ``time.monotonic()`` of the last byte; initially the time of creation.
        longest_pause: seconds of the longest pause between two writes.
    """

    __slots__ = (
        "_head",
        "_head_bytes",
        "_left_out",
        "_lock",
        "_open",
        "_tail",
        "_tail_bytes",
        "last_at",
        "longest_pause",
        "total",
    )

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self.total = 0
        self.last_at = time.monotonic()
        self.longest_pause = 0.0
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0
        self._head_bytes = head_bytes
        self._tail_bytes = tail_bytes
        self._open: dict[int, bytearray] = {}
        self._lock = threading.Lock()

    def add(self, data: bytes, stream: int = 0) -> None:
        """Add output of a stream, which is identified by an arbitrary number."""
        with self._lock:
            now = time.monotonic()
            self.longest_pause = max(self.longest_pause, now - self.last_at)
            self.last_at = now
            self.total += len(data)
            waiting = self._open.setdefault(stream, bytearray())
            waiting += data
            end = waiting.rfind(b"\n") + 1
            if not end and len(waiting) > _LONGEST_LINE:
                end = len(waiting)
            if end:
                self._keep(bytes(waiting[:end]))
                del waiting[:end]

    def _keep(self, data: bytes) -> None:
        room = self._head_bytes - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._tail_bytes:  # cut rarely, because cutting moves everything that remains
            self._cut()

    def _cut(self) -> None:
        surplus = len(self._tail) - self._tail_bytes
        if surplus > 0:
            self._left_out += surplus
            del self._tail[:surplus]

    def content(self) -> bytes:
        """All kept output; where something was left out, a line says how much."""
        with self._lock:
            self._cut()
            gap = f"\n[{self._left_out} bytes are left out here]\n".encode() if self._left_out else b""
            return bytes(self._head) + gap + bytes(self._tail) + b"".join(map(bytes, self._open.values()))
