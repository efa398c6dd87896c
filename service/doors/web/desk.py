"""Texts of recent questions, kept for an hour so that a reply needs no second paste or upload.

They stay in this process, compressed, and are never written to disk. They are not redacted, since they may be long and are only
diagnosed again; whatever a page shows of them is redacted first.
"""

import collections
import threading
import time
import typing
import zlib

from tfhelp.service.diagnosis.given import Given

Json = dict[str, typing.Any]

HOUR_S = 3600.0
MOST_TEXTS = 500
MOST_BYTES = 64 << 20  # of all texts, compressed


class Asked(typing.NamedTuple):
    """A question: its text, its facts, and the name (empty for a paste) and size in bytes of the original input."""

    text: str
    facts: Json
    name: str
    size: int


class Desk:
    """Keeps each question under the token of its answer. Thread-safe."""

    __slots__ = ("_bytes", "_clock", "_keeps_s", "_lock", "_most", "_most_bytes", "_rows")

    def __init__(
        self,
        keeps_s: float = HOUR_S,
        most: int = MOST_TEXTS,
        most_bytes: int = MOST_BYTES,
        clock: typing.Callable[[], float] = time.monotonic,
    ) -> None:
        self._keeps_s = keeps_s
        self._most = most
        self._most_bytes = most_bytes
        self._clock = clock
        self._rows: collections.OrderedDict[str, tuple[float, bytes, Json, str, int]] = collections.OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def lay(self, token: str, given: Given, name: str, size: int) -> None:
        """Keep a question; the oldest ones are removed if there are too many."""
        packed = zlib.compress(given.text.encode("utf-8", "replace"), 1)
        with self._lock:
            self._rows[token] = (self._clock(), packed, given.facts, name, size)
            self._bytes += len(packed)
            self._drop_what_is_over()

    def take(self, token: str) -> Asked | None:
        """The question; ``None`` if it is no longer there."""
        with self._lock:
            self._drop_what_is_over()
            row = self._rows.get(token)
        if row is None:
            return None
        _, packed, facts, name, size = row
        return Asked(zlib.decompress(packed).decode("utf-8"), facts, name, size)

    def drop(self, token: str) -> None:
        """Remove the question."""
        with self._lock:
            row = self._rows.pop(token, None)
            self._bytes -= len(row[1]) if row else 0

    def _drop_what_is_over(self) -> None:
        oldest = self._clock() - self._keeps_s
        while self._rows:
            token, row = next(iter(self._rows.items()))
            if row[0] > oldest and len(self._rows) <= self._most and self._bytes <= self._most_bytes:
                return
            del self._rows[token]
            self._bytes -= len(row[1])
