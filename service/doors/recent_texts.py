"""Texts of recent questions, kept for an hour so that a reply needs no second paste or upload.

They stay in this process, compressed, and are never written to disk. They are not redacted, since they may be long and are only
diagnosed again; whatever a page shows of them is redacted first.
"""

import collections
import threading
import time
import typing
import zlib

HOUR_S = 3600.0
MOST_TEXTS = 500
MOST_BYTES = 64 << 20  # bytes of all texts, compressed


About = typing.TypeVar("About")


class RecentTexts:
    """Keeps each text under the token of its answer. Thread-safe. All doors share one, so that no text outlives its answer.

    Args:
        keeps_s: after so many seconds a text is removed.
        most, most_bytes: how many texts, and how many bytes of them, are kept at most; the oldest are removed first.
        clock: the time in seconds.
    """

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
        self._rows: collections.OrderedDict[str, tuple[float, bytes, object]] = collections.OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def keep(self, token: str, text: str, about: object) -> None:
        """Keep a text, with whatever else its door needs to diagnose it again."""
        packed = zlib.compress(text.encode("utf-8", "replace"), 1)
        with self._lock:
            self._remove(token)
            self._rows[token] = (self._clock(), packed, about)
            self._bytes += len(packed)
            self._drop_expired()

    def take(self, token: str, kind: type[About]) -> tuple[str, About] | None:
        """The text and what was kept with it; ``None`` if it is no longer there, or if another door keeps it."""
        with self._lock:
            self._drop_expired()
            row = self._rows.get(token)
        if row is None or not isinstance(row[2], kind):
            return None
        return zlib.decompress(row[1]).decode("utf-8"), row[2]

    def drop(self, token: str) -> None:
        """Remove a text."""
        with self._lock:
            self._remove(token)

    def drop_old(self) -> None:
        """Remove the texts whose time is over. The server calls this each minute, so that none stays because nobody asks."""
        with self._lock:
            self._drop_expired()

    def _remove(self, token: str) -> None:
        row = self._rows.pop(token, None)
        self._bytes -= len(row[1]) if row else 0

    def _drop_expired(self) -> None:
        oldest = self._clock() - self._keeps_s
        while self._rows:
            token, row = next(iter(self._rows.items()))
            if row[0] > oldest and len(self._rows) <= self._most and self._bytes <= self._most_bytes:
                return
            self._remove(token)
