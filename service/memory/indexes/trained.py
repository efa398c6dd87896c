"""The search for many vectors: a few bytes of each are searched, and the best candidates are compared exactly.

The index is an inverted file of RaBitQ codes (60 bytes for a vector), and the vectors themselves stay on the disk. Of a million
vectors it finds 99 of the 100 that an exact search finds, in a hundredth of the time.
"""

import math
import os
import pathlib
import threading
import time
import typing
import zlib

import numpy

from tfhelp.service.memory.indexes import index_file
from tfhelp.service.memory.indexes.flat import FlatSimilar
from tfhelp.service.memory.indexes.index_file import Head
from tfhelp.service.memory.indexes.source import DIMENSION, VECTOR_BYTES, Matrix, Numbers, Source, asked
from tfhelp.service.memory.indexes.vector_file import VectorFile
from tfhelp.service.memory.similar import PATIENCE_S

_LISTS_SEARCHED, _CODES_SEARCHED = 12, 4_000  # the minimum of each
_CANDIDATES = 80  # compared exactly; at least twice as many as requested
_BITS_OF_QUERY = 4
_LISTS = 2.0  # lists, as a multiple of the square root of the number of vectors
_SAMPLES = 32  # training vectors for each list
_ROUNDS = 8  # training iterations
_OUTGROWN = 4  # trained again when there are this many times as many vectors
MOST_FRESH = 4_000
"""Maximum number of new vectors that are searched exactly before they are added to the index."""
_PROBES = 16
_PAUSE_S = 10.0  # seconds between two attempts to rebuild


class TrainedSimilar:
    """A search that is trained on a memory's vectors. Thread-safe, and safe for processes that share the file.

    Args:
        source: of the vectors.
        path: the index's file; None keeps the index in this process's memory.
        most_fresh: see ``MOST_FRESH``.
    """

    def __init__(self, source: Source, path: pathlib.Path | None, most_fresh: int = MOST_FRESH) -> None:
        self._source = source
        self._path = path
        self._most_fresh = most_fresh
        self._lock = threading.Lock()
        self._renewing = threading.Lock()
        self._not_before = 0.0
        self._thread: threading.Thread | None = None
        self._closed = False
        self._stamp: tuple[int, int] | None = None
        self._base: tuple[typing.Any, Head] | None = None
        self._vectors: VectorFile | None = None
        self._fresh = FlatSimilar(source)
        self._load()

    @property
    def ready(self) -> bool:
        """Return whether there is an index; without one, only the newest failures are searched."""
        return self._base is not None

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """See ``Similar.nearest``."""
        if len(vector) != VECTOR_BYTES:
            return []
        with self._lock:
            if self._path and _stamp(self._path) != self._stamp:
                self._load()
            base, fresh = self._base, self._fresh
        found = dict(fresh.nearest(vector, count))
        if base:
            found |= self._compared(base[0], vector, max(_CANDIDATES, 2 * count))
        if base is None or len(fresh) > self._most_fresh:
            self.prepare()
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:count]

    def _compared(self, index: typing.Any, vector: bytes, count: int) -> dict[int, float]:
        """The candidates of the index with their true cosines."""
        import faiss

        wanted = asked(vector)
        lists = max(_LISTS_SEARCHED, _CODES_SEARCHED * index.nlist // max(1, index.ntotal))
        parameters: typing.Any = faiss.IVFRaBitQSearchParameters
        how = parameters(nprobe=min(lists, index.nlist), qb=_BITS_OF_QUERY)
        _, numbers = index.search(wanted, count, params=how)
        there, matrix = (self._vectors or self._source).of(numbers[numbers >= 0].tolist())
        return dict(zip(there.tolist(), (matrix @ wanted[0]).tolist(), strict=True))

    # --- the index itself ----------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """Load the index of the file, if it belongs to this database."""
        if self._path:
            self._stamp = _stamp(self._path)
            read = index_file.read(self._path) if self._stamp else None
            self._vectors = self._opened() if read else None
            self._base = read if read and self._vectors and self._is_of(read[1]) else None
        newest = self._base[1].newest if self._base else max(0, self._source.highest() - self._most_fresh)
        self._fresh = FlatSimilar(self._source, newest)

    def _opened(self) -> VectorFile | None:
        """The vector file next to the index; None if it cannot be read."""
        try:
            return VectorFile(self._path.with_name(f"{self._path.name}.vectors")) if self._path else None
        except OSError:
            return None

    def _is_of(self, head: Head) -> bool:
        """Return whether an index was made from this database: at least one of its probe vectors still exists, and all that exist
        are equal in the database and in the file.
        """
        numbers, matrix = self._source.of(list(head.probe))
        same = [zlib.crc32(row.tobytes()) == head.probe[number] for number, row in zip(numbers.tolist(), matrix, strict=True)]
        if self._vectors:
            same += [len(self._vectors.of(numbers.tolist())[0]) == len(numbers)]
        return bool(len(numbers)) and all(same)

    def prepare(self) -> None:
        """Rebuild the index in a thread, so that requests need not wait; after a failure, try again later."""
        if not self._closed and time.monotonic() >= self._not_before and self._renewing.acquire(blocking=False):
            self._not_before = time.monotonic() + _PAUSE_S
            self._thread = threading.Thread(target=self._renew_and_release, name="similar", daemon=True)
            self._thread.start()

    def _renew_and_release(self) -> None:
        from tfhelp.service.faults import log_fault

        try:
            self._renew()
        except Exception as error:  # noqa: BLE001 - a full disk or an unreachable database must not stop the search; the next one tries again
            log_fault("renewing the index of failures", error)
        finally:
            self._renewing.release()

    def holds_deleted(self) -> bool:
        """See ``Similar.holds_deleted``."""
        with self._lock:
            if self._path and _stamp(self._path) != self._stamp:
                self._load()
            base, fresh = self._base, self._fresh
        in_index = base is not None and base[0].ntotal > self._source.count(base[1].newest)
        return in_index or fresh.holds_deleted()

    def tidy(self) -> None:
        """See ``Similar.tidy``; it also adds new vectors, and waits until that is done."""
        with self._renewing:
            self._renew()
        self._fresh.tidy()

    def close(self) -> None:
        """See ``Similar.close``."""
        self._closed = True
        if self._thread is not None:
            self._thread.join(PATIENCE_S)

    def _renew(self) -> None:
        """Write the index with new vectors added and deleted ones removed; train it again if there is none or it is outgrown."""
        import faiss

        faiss.omp_set_num_threads(1)  # for this thread only: the others keep answering
        if self._path is None:
            made = self._made((faiss.clone_index(self._base[0]), self._base[1]) if self._base else None)
            with self._lock:
                self._base = made
                self._load()
            return
        with index_file.locked(self._path) as ours:
            if not ours:
                return
            old = index_file.read(self._path, shared=False)
            self._vectors = self._vectors or self._opened()
            is_ours = old is not None and self._is_of(old[1])
            if self._vectors and not is_ours:
                self._vectors.empty()
            made = self._made(old if is_ours else None)
            if self._vectors:
                self._vectors.sync()
            index_file.write(self._path, *made)
        with self._lock:
            self._load()

    def _made(self, old: tuple[typing.Any, Head] | None) -> tuple[typing.Any, Head]:
        there = self._source.identifiers()
        there = there[there <= max(0, int(there[-1]) - self._source.overtaken)] if len(there) else there
        if old is None or len(there) > _OUTGROWN * old[1].trained:
            lists = max(1, round(_LISTS * math.sqrt(len(there))))
            old = _trained(self._source.sample(there, _SAMPLES * lists), lists), Head(0, len(there), {})
        index, head = old
        gone = _remove_gone(index, there)
        if self._vectors:
            self._vectors.clear(gone)
        for numbers, matrix in self._source.after(head.newest):
            taken = numbers <= (there[-1] if len(there) else 0)
            index.add_with_ids(matrix[taken], numbers[taken])
            if self._vectors:
                self._vectors.put(numbers[taken], matrix[taken])
            if not taken.all():
                break
        newest = int(there[-1]) if len(there) else head.newest
        return index, Head(newest, head.trained, self._probe(there))

    def _probe(self, there: Numbers) -> dict[int, int]:
        chosen = there[numpy.linspace(0, len(there) - 1, min(_PROBES, len(there)), dtype=numpy.int64)]
        numbers, matrix = self._source.of(chosen.tolist())
        return {number: zlib.crc32(row.tobytes()) for number, row in zip(numbers.tolist(), matrix, strict=True)}


def _trained(sample: Matrix, lists: int) -> typing.Any:
    """An empty index, trained on a sample of vectors."""
    import faiss

    sample = sample if len(sample) else numpy.ones((1, DIMENSION), dtype=numpy.float32)
    lists = min(lists, len(sample))
    index: typing.Any = faiss.IndexIVFRaBitQ(faiss.IndexFlatL2(DIMENSION), DIMENSION, lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.min_points_per_centroid = _ROUNDS, 1
    index.train(sample)
    return index


def _remove_gone(index: typing.Any, there: Numbers) -> Numbers:
    """Remove vectors that no longer exist; return their identifiers."""
    import faiss

    held = [faiss.rev_swig_ptr(index.invlists.get_ids(number), index.invlists.list_size(number)) for number in range(index.nlist)]
    gone = numpy.setdiff1d(numpy.concatenate([numpy.zeros(0, dtype=numpy.int64), *held]), there)
    if len(gone):
        index.remove_ids(gone)
    return gone


def _stamp(path: pathlib.Path) -> tuple[int, int] | None:
    """A stamp that differs between versions of a file; None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
