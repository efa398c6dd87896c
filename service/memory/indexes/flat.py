"""The exact search: vectors in this process's memory."""

import threading
import typing

import numpy

from tfhelp.service.memory.indexes.source import DIMENSION, VECTOR_BYTES, Source, asked


class FlatSimilar:
    """An exact search by FAISS, 1.5 KiB for each vector. Thread-safe.

    Args:
        source: of the vectors.
        after: an identifier; only vectors above it are searched.
    """

    def __init__(self, source: Source, after: int = 0) -> None:
        import faiss

        self._source = source
        self._index: typing.Any = faiss.IndexIDMap2(faiss.IndexFlatIP(DIMENSION))
        self._known: set[int] = set()
        self._oldest = self._newest = after
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many vectors it holds."""
        return len(self._known)

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """See ``Similar.nearest``."""
        with self._lock:
            self._catch_up()
            if not self._known or len(vector) != VECTOR_BYTES:
                return []
            likeness, numbers = self._index.search(asked(vector), min(count, len(self._known)))
        return list(zip(numbers[0].tolist(), likeness[0].tolist(), strict=True))

    def holds_deleted(self) -> bool:
        """See ``Similar.holds_deleted``."""
        with self._lock:
            return len(self._known) > self._source.count(self._newest) - self._source.count(self._oldest)

    def tidy(self) -> None:
        """See ``Similar.tidy``."""
        with self._lock:
            gone = self._known - set(self._source.identifiers().tolist())
            if gone:
                self._index.remove_ids(numpy.fromiter(gone, dtype=numpy.int64))
                self._known -= gone

    def close(self) -> None:
        """See ``Similar.close``; nothing runs in the background."""

    def _catch_up(self) -> None:
        """Add new vectors, and those that a slower transaction has committed since."""
        for numbers, matrix in self._source.after(self._newest - self._source.overtaken):
            fresh = numpy.array([number not in self._known for number in numbers.tolist()], dtype=bool)
            if fresh.any():
                self._index.add_with_ids(matrix[fresh], numbers[fresh])
                self._known.update(numbers[fresh].tolist())
                self._newest = max(self._newest, int(numbers[-1]))
