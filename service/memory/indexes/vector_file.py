"""The vectors of an index in a file next to it, for the exact comparison: half precision, each at the offset of its identifier.

Only the few vectors that are compared are read, and none stay in memory. A deleted vector is overwritten with zeros.
"""

import os
import pathlib

import numpy

from tfhelp.service.memory.indexes.source import DIMENSION, Matrix, Numbers

_BYTES = 2 * DIMENSION


class VectorFile:
    """An open file of vectors. Safe for threads and processes: one writes, and all read.

    Args:
        path: of the file. A missing file is created, readable by the owner of the database only.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def __del__(self) -> None:
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)

    def of(self, identifiers: list[int]) -> tuple[Numbers, Matrix]:
        """The identifiers that exist and their vectors; (n,) and (n, 384)."""
        read = [os.pread(self._descriptor, _BYTES, number * _BYTES) for number in identifiers]
        whole = [place for place, content in enumerate(read) if len(content) == _BYTES]
        matrix = (
            numpy.frombuffer(b"".join(read[place] for place in whole), dtype="<f2").reshape(-1, DIMENSION).astype(numpy.float32)
        )
        numbers = numpy.array([identifiers[place] for place in whole], dtype=numpy.int64)
        there = matrix.any(axis=1)
        return numbers[there], matrix[there]

    def put(self, numbers: Numbers, matrix: Matrix) -> None:
        """Write vectors."""
        for number, row in zip(numbers.tolist(), matrix.astype("<f2"), strict=True):
            os.pwrite(self._descriptor, row.tobytes(), number * _BYTES)

    def clear(self, numbers: Numbers) -> None:
        """Overwrite deleted vectors."""
        for number in numbers.tolist():
            os.pwrite(self._descriptor, bytes(_BYTES), number * _BYTES)

    def empty(self) -> None:
        """Delete all."""
        os.ftruncate(self._descriptor, 0)

    def sync(self) -> None:
        """Wait until everything is on the disk."""
        os.fsync(self._descriptor)
