"""The source of an index's vectors: the table of failures."""

import typing

import numpy
import numpy.typing
import sqlalchemy as sa

from tfhelp.service.memory.database import reading
from tfhelp.service.memory.tables import FAILURES

DIMENSION = 384
VECTOR_BYTES = 4 * DIMENSION
_BATCH = 2_000
_OVERTAKEN = 1_000  # identifiers

Numbers = numpy.typing.NDArray[numpy.int64]
Matrix = numpy.typing.NDArray[numpy.float32]


class Source:
    """The vectors of a memory.

    Attributes:
        overtaken: how far below the highest known identifier a new one may still appear. PostgreSQL assigns identifiers before
            their rows are committed, so a lower one can appear after a higher one.

    Args:
        engine: of its database.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self.overtaken = _OVERTAKEN if engine.dialect.name == "postgresql" else 0

    def after(self, identifier: int) -> typing.Iterator[tuple[Numbers, Matrix]]:
        """The vectors above an identifier in batches, in the order of their identifiers; invalid vectors are left out."""
        while rows := self._rows("id > {} ORDER BY id LIMIT {}", [identifier, _BATCH]):
            identifier = rows[-1][0]
            yield _arrays(rows)

    def of(self, identifiers: typing.Sequence[int]) -> tuple[Numbers, Matrix]:
        """The vectors of some identifiers, if they still exist."""
        if not identifiers:
            return _arrays([])
        return _arrays(self._rows(f"id IN ({', '.join(['{}'] * len(identifiers))})", list(identifiers)))

    def _rows(self, which: str, values: list[int]) -> list[tuple[int, bytes]]:
        """Identifiers and vectors, directly from SQLite's driver: the layers above it would take longer than the search."""
        if self._engine.dialect.name != "sqlite":
            names = [f"v{place}" for place in range(len(values))]
            query = sa.text(f"SELECT id, vector FROM failures WHERE {which.format(*(f':{name}' for name in names))}")
            with reading(self._engine) as connection:
                typed = query.columns(FAILURES.c.id, FAILURES.c.vector)
                return [(row[0], row[1]) for row in connection.execute(typed, dict(zip(names, values, strict=True)))]
        driver = self._engine.raw_connection()
        try:
            cursor = driver.cursor()
            cursor.execute(f"SELECT id, vector FROM failures WHERE {which.format(*'?' * len(values))}", values)
            return list(cursor.fetchall())
        finally:
            driver.close()

    def sample(self, identifiers: Numbers, most: int) -> Matrix:
        """The vectors of at most ``most`` of these identifiers, evenly spread."""
        chosen = identifiers[numpy.linspace(0, len(identifiers) - 1, min(most, len(identifiers)), dtype=numpy.int64)]
        parts = [self.of(chosen[start : start + _BATCH].tolist())[1] for start in range(0, len(chosen), _BATCH)]
        return numpy.concatenate([numpy.zeros((0, DIMENSION), dtype=numpy.float32), *parts])

    def identifiers(self) -> Numbers:
        """All identifiers, ascending."""
        query = sa.select(FAILURES.c.id).order_by(FAILURES.c.id)
        with reading(self._engine) as connection:
            rows = connection.execution_options(yield_per=_BATCH).execute(query)
            return numpy.fromiter((row[0] for row in rows), dtype=numpy.int64)

    def count(self, newest: int | None = None) -> int:
        """How many there are, up to an identifier if one is given."""
        query = sa.select(sa.func.count()).select_from(FAILURES)
        with reading(self._engine) as connection:
            return connection.scalar(query if newest is None else query.where(FAILURES.c.id <= newest)) or 0

    def highest(self) -> int:
        """The highest identifier; 0 for none."""
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(sa.func.max(FAILURES.c.id))) or 0


def _arrays(rows: typing.Sequence[typing.Any]) -> tuple[Numbers, Matrix]:
    right = [(number, content) for number, content in rows if len(content) == VECTOR_BYTES]
    numbers = numpy.array([number for number, _ in right], dtype=numpy.int64)
    matrix = numpy.frombuffer(b"".join(content for _, content in right), dtype="<f4").reshape(-1, DIMENSION)
    return numbers, matrix.astype(numpy.float32, copy=False)


def asked(vector: bytes) -> Matrix:
    """The one-row matrix for a search."""
    return numpy.frombuffer(vector, dtype="<f4").astype(numpy.float32, copy=False).reshape(1, -1)
