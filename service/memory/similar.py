"""Kept failures that are like a new one: a small interface, and what answers it without a database's help."""

import collections
import threading
import typing


class Similar(typing.Protocol):
    """Finds the nearest of the vectors that a memory holds, those too that another process has kept since."""

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """The nearest failures.

        Args:
            vector: 384 numbers of four bytes, little-endian, of length one.
            count: how many at most.

        Returns:
            (identifier, cosine) pairs, the best first; some may be deleted by now.
        """
        ...

    def tidy(self) -> None:
        """Forget what was deleted, whoever deleted it."""
        ...

    def close(self) -> None:
        """Start nothing more in the background, and wait for what runs there: ``PATIENCE_S`` seconds at most.

        A thread that outlives the memory would open a connection that nobody closes.
        """
        ...


PATIENCE_S = 5.0
"""How long a memory that is closed waits for the work on its index, in seconds. What is cut off is done by the next one."""

_MOST_LATEST = 64


class Embedder:
    """The service's own encoder, loaded on first need; without its files there are no vectors, and nothing else is missing."""

    def __init__(self) -> None:
        self._encoder: typing.Any = None
        self._missing = False
        self._lock = threading.Lock()
        self._latest: collections.OrderedDict[str, bytes] = collections.OrderedDict()

    def vector(self, text: str) -> bytes | None:
        """The vector of a text; None where it is empty or the encoder is not there."""
        if not text.strip() or self._missing:
            return None
        from tfhelp.kb.build_products import ArtefactError

        with self._lock:
            if text in self._latest:  # the same answer is recalled first and kept then
                return self._latest[text]
            try:
                if self._encoder is None:
                    from tfhelp.index.encoder import Encoder

                    self._encoder = Encoder.load()
            except ArtefactError:
                self._missing = True
                return None
            content: bytes = self._encoder.encode([text])[0].astype("<f4").tobytes()
            self._latest[text] = content
            if len(self._latest) > _MOST_LATEST:
                self._latest.popitem(last=False)
        return content
