"""The phrases nearest to a vector, from FAISS's file without FAISS: an exact search, or one in cells as ``IndexIVFFlat`` does it.

A flat file has a short head and then the vectors. A file in cells ends with the cells: of each, its vectors and then their
numbers (int64). How many each cell has, and the vectors of the cells themselves, are noted when the index is built.
"""

from __future__ import annotations

import array
import heapq
import itertools
import mmap
import os
import typing

from tfhelp.index.encoder import DIMENSION

if typing.TYPE_CHECKING:
    from tfhelp.index.onnx_c import Map, Value
    from tfhelp.index.quick_products import Products

_FLAT_HEAD = 45  # bytes before the vectors of an IndexFlatIP: kind, dimension, count, two fillers, trained, metric, length
_VECTOR = 4 * DIMENSION  # bytes
_NUMBER = 8  # bytes
Near = list[tuple[int, float]]


class OtherIndexError(Exception):
    """The file is not an index of the expected kind and length."""


class FlatVectors:
    """All vectors, compared with each question.

    Raises:
        OtherIndexError: the file is not a flat index with this number of vectors.
    """

    __slots__ = ("_count", "_vectors")

    def __init__(self, path: str, count: int) -> None:
        length = count * _VECTOR
        if os.path.getsize(path) != _FLAT_HEAD + length:
            raise OtherIndexError
        self._count = count
        self._vectors = mmap.mmap(-1, max(1, length))  # aligned, which the vectors in the file are not
        with open(path, "rb", buffering=0) as file:
            if file.read(4) != b"IxFI":
                raise OtherIndexError
            file.seek(_FLAT_HEAD)
            _fill(memoryview(self._vectors)[:length], file)

    def nearest(self, products: Products, vector: Value, k: int) -> Near:
        """Number and cosine of the nearest phrases, nearest first."""
        from tfhelp.index.onnx_c import Map

        return _best(products.with_rows(vector, Map(self._vectors), self._count), range(self._count), k)


class Cells(typing.NamedTuple):
    """What is noted of an index in cells.

    Attributes:
        vectors: of the cells, float32 [cells, dimension].
        sizes: how many phrases each has.
        searched: how many cells a question is compared with.
    """

    vectors: bytes
    sizes: list[int]
    searched: int


class CellVectors:
    """The vectors of the cells that are nearest to a question.

    Args:
        path: of the index.
        sizes: how many phrases each cell has.
        searched: how many cells are searched.
        of_cells: the cells' own vectors, mapped.

    Raises:
        OtherIndexError: the file is not an index in cells, or has another length.
    """

    __slots__ = ("_of_cells", "_path", "_searched", "_sizes", "_starts")

    def __init__(self, path: str, sizes: list[int], searched: int, of_cells: Map) -> None:
        self._path = path
        self._sizes = sizes
        self._searched = searched
        self._of_cells = of_cells
        with open(path, "rb") as file:
            kind, length = file.read(4), os.fstat(file.fileno()).st_size
        self._starts = [*itertools.accumulate((size * (_VECTOR + _NUMBER) for size in sizes), initial=0)]
        first = length - self._starts.pop()
        if kind != b"IwFl" or first <= 0:
            raise OtherIndexError
        self._starts = [first + start for start in self._starts]

    def nearest(self, products: Products, vector: Value, k: int) -> Near:
        """Number and cosine of the nearest phrases in the nearest cells, nearest first."""
        from tfhelp.index.onnx_c import Map

        likeness = products.with_rows(vector, self._of_cells, len(self._sizes))
        cells = [cell for cell, _ in _best(likeness, range(len(self._sizes)), self._searched) if self._sizes[cell]]
        count = sum(self._sizes[cell] for cell in cells)
        vectors, numbers = mmap.mmap(-1, max(1, count * _VECTOR)), array.array("q")
        place = 0
        with open(self._path, "rb", buffering=0) as file, memoryview(vectors) as view:
            for cell in cells:
                end = place + self._sizes[cell] * _VECTOR
                file.seek(self._starts[cell])
                _fill(view[place:end], file)
                numbers.frombytes(file.read(self._sizes[cell] * _NUMBER))
                place = end
        return _best(products.with_rows(vector, Map(vectors), count), numbers, k) if count else []


def cells_of(index: typing.Any, path: str) -> Cells | None:
    """What ``CellVectors`` needs to know of an index; ``None`` if it is flat.

    Args:
        index: as FAISS has read it from the file.
        path: of its file.

    Raises:
        OtherIndexError: the file is not laid out as ``CellVectors`` expects.
    """
    if not hasattr(index, "nlist"):
        return None
    import faiss

    lists = index.invlists
    sizes = [lists.list_size(number) for number in range(index.nlist)]
    cells = Cells(index.quantizer.reconstruct_n(0, index.nlist).astype("<f4").tobytes(), sizes, index.nprobe)
    last = max((number for number, size in enumerate(sizes) if size), default=None)
    if last is not None:
        stored = faiss.rev_swig_ptr(lists.get_codes(last), sizes[last] * _VECTOR).tobytes()
        with open(path, "rb") as file:
            file.seek(-sizes[last] * (_VECTOR + _NUMBER), os.SEEK_END)
            if file.read(len(stored)) != stored:
                raise OtherIndexError
    return cells


def _best(values: array.array[float], numbers: typing.Sequence[int], k: int) -> Near:
    """The highest values, with the numbers that belong to them; the lower number first if values are equal."""
    places = heapq.nsmallest(min(k, len(values)), range(len(values)), key=lambda place: (-values[place], numbers[place]))
    return [(numbers[place], values[place]) for place in places]


def _fill(view: memoryview, file: typing.Any) -> None:
    read = 0
    while read < len(view) and (more := file.readinto(view[read:])):
        read += more
