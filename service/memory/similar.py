"""Find kept failures that are similar to a new one: the interface, and the encoder."""

import collections
import threading
import typing


class Similar(typing.Protocol):
    """Finds the nearest of a memory's vectors, including those that another process has stored since."""

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """The nearest failures.

        Args:
            vector: 384 numbers of four bytes, little-endian, of length one.
            count: the maximum number.

        Returns:
            (identifier, cosine) pairs, best first; some may have been deleted since.
        """
        ...

    def holds_deleted(self) -> bool:
        """Return whether it holds vectors of failures that any process has deleted. It only counts, so it is cheap."""
        ...

    def tidy(self) -> None:
        """Remove what was deleted, by this process or another."""
        ...

    def close(self) -> None:
        """Start no more background work, and wait for running work: at most ``PATIENCE_S`` seconds.

        A thread that outlives the memory would open a connection that is never closed.
        """
        ...


PATIENCE_S = 5.0
"""How long closing a memory waits for the work on its index, in seconds. Interrupted work is done by the next process."""

_MOST_LATEST = 64


class Embedder:
    """The service's encoder, loaded on first use; without its files there are no vectors, but everything else works."""

    def __init__(self) -> None:
        self._encoder: typing.Any = None
        self._missing = False
        self._lock = threading.Lock()
        self._latest: collections.OrderedDict[str, bytes] = collections.OrderedDict()

    def vector(self, text: str) -> bytes | None:
        """The vector of a text; None if the text is empty or there is no encoder."""
        if not text.strip() or self._missing:
            return None
        from tfhelp.kb.build_products import ArtefactError

        with self._lock:
            if text in self._latest:  # the same answer is first recalled and then kept
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
