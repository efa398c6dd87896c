"""The exact search: all vectors in this process's memory."""

import threading
import typing

from tfhelp.service.memory.indexes.source import DIMENSION, VECTOR_BYTES, Source

if typing.TYPE_CHECKING:
    import sqlalchemy as sa


class FlatSimilar:
    """An exact search by FAISS, 1.5 KiB for each vector. Safe for threads.

    Args:
        engine: of the memory's database.
    """

    def __init__(self, engine: "sa.Engine") -> None:
        import faiss

        self._source = Source(engine)
        self._index: typing.Any = faiss.IndexIDMap2(faiss.IndexFlatIP(DIMENSION))
        self._known: set[int] = set()
        self._newest = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many vectors it holds."""
        return len(self._known)

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """See ``Similar.nearest``."""
        import numpy

        with self._lock:
            self._catch_up()
            if not self._known or len(vector) != VECTOR_BYTES:
                return []
            asked = numpy.frombuffer(vector, dtype="<f4").astype(numpy.float32)[None, :]
            likeness, numbers = self._index.search(asked, min(count, len(self._known)))
        return list(zip(numbers[0].tolist(), likeness[0].tolist(), strict=True))

    def tidy(self) -> None:
        """See ``Similar.tidy``."""
        import numpy

        with self._lock:
            gone = self._known - self._source.identifiers()
            if gone:
                self._index.remove_ids(numpy.fromiter(gone, dtype=numpy.int64))
                self._known -= gone

    def _catch_up(self) -> None:
        """Take in what is new, and what a slower transaction has shown since."""
        import numpy

        for batch in self._source.after(self._newest - self._source.overtaken):
            fresh = [(number, content) for number, content in batch if number not in self._known]
            if fresh:
                matrix = numpy.stack([numpy.frombuffer(content, dtype="<f4") for _, content in fresh])
                numbers = numpy.array([number for number, _ in fresh], dtype=numpy.int64)
                self._index.add_with_ids(matrix.astype(numpy.float32), numbers)
                self._known.update(numbers.tolist())
                self._newest = max(self._newest, int(numbers[-1]))
