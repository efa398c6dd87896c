"""Kept failures that are like a new one: a small interface, and what answers it without a database's help."""

import threading
import typing

if typing.TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vector = numpy.typing.NDArray[numpy.float32]


class Similar(typing.Protocol):
    """Finds the nearest of the vectors that a memory holds."""

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """The nearest incidents.

        Args:
            vector: 384 numbers of four bytes, little-endian, of length one.
            count: how many at most.

        Returns:
            (identifier, cosine) pairs, the best first; some may be deleted by now.
        """
        ...

    def learn(self, vectors: typing.Iterable[tuple[int, bytes]]) -> None:
        """Take vectors in that are new; one that is known already stays as it is."""
        ...

    @property
    def newest(self) -> int:
        """The highest identifier that it has taken in; 0 for none."""
        ...


class FlatSimilar:
    """An exact search by FAISS over all vectors, in this process's memory: 1.5 KiB each."""

    def __init__(self, dimension: int) -> None:
        import faiss

        self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
        self._dimension = dimension
        self._newest = 0
        self._lock = threading.Lock()

    @property
    def newest(self) -> int:
        """The highest identifier that it has taken in; 0 for none."""
        return self._newest

    def learn(self, vectors: typing.Iterable[tuple[int, bytes]]) -> None:
        """Take vectors in, in the order of their identifiers; what is no vector of the right length is left out."""
        import numpy

        with self._lock:
            fresh = [(number, content) for number, content in vectors if number > self._newest]
            if not fresh:
                return
            self._newest = max(number for number, _ in fresh)
            right = [pair for pair in fresh if len(pair[1]) == 4 * self._dimension]
            if right:
                matrix = numpy.stack([numpy.frombuffer(content, dtype="<f4") for _, content in right])
                self._index.add_with_ids(matrix.astype(numpy.float32), numpy.array([number for number, _ in right]))

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """The nearest, the best first."""
        import numpy

        with self._lock:
            if not self._index.ntotal or len(vector) != 4 * self._dimension:
                return []
            asked = numpy.frombuffer(vector, dtype="<f4").astype(numpy.float32)[None, :]
            likeness, numbers = self._index.search(asked, min(count, self._index.ntotal))
        pairs = zip(numbers[0].tolist(), likeness[0].tolist(), strict=True)
        return [(number, value) for number, value in pairs if number >= 0]


class Embedder:
    """The service's own encoder, loaded on first need; without its files there are no vectors, and nothing else is missing."""

    def __init__(self) -> None:
        self._encoder: typing.Any = None
        self._missing = False
        self._lock = threading.Lock()

    def vector(self, text: str) -> bytes | None:
        """The vector of a text; None where it is empty or the encoder is not there."""
        if not text.strip() or self._missing:
            return None
        from tfhelp.kb.build_products import ArtefactError

        with self._lock:
            try:
                if self._encoder is None:
                    from tfhelp.index.encoder import Encoder

                    self._encoder = Encoder.load()
            except ArtefactError:
                self._missing = True
                return None
            content: bytes = self._encoder.encode([text])[0].astype("<f4").tobytes()
        return content
