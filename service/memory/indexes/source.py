"""Where an index gets its vectors: the table of failures."""

import typing

import sqlalchemy as sa

from tfhelp.service.memory.database import reading
from tfhelp.service.memory.tables import FAILURES

DIMENSION = 384
VECTOR_BYTES = 4 * DIMENSION
_BATCH = 2_000
_OVERTAKEN = 1_000  # identifiers: PostgreSQL may show a higher one before a lower one, whose transaction takes longer


class Source:
    """The vectors of a memory.

    Args:
        engine: of its database.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self.overtaken = _OVERTAKEN if engine.dialect.name == "postgresql" else 0
        """How far below the highest known identifier one may still appear."""

    def after(self, identifier: int) -> typing.Iterator[list[tuple[int, bytes]]]:
        """The vectors above an identifier in batches, in the order of their identifiers; what is no vector is left out."""
        while True:
            query = sa.select(FAILURES.c.id, FAILURES.c.vector).where(FAILURES.c.id > identifier)
            with reading(self._engine) as connection:
                rows = connection.execute(query.order_by(FAILURES.c.id).limit(_BATCH)).all()
            if not rows:
                return
            identifier = rows[-1].id
            yield [(row.id, row.vector) for row in rows if len(row.vector) == VECTOR_BYTES]

    def of(self, identifiers: typing.Iterable[int]) -> list[tuple[int, bytes]]:
        """The vectors of some identifiers, as far as they are still there."""
        query = sa.select(FAILURES.c.id, FAILURES.c.vector).where(FAILURES.c.id.in_(list(identifiers)))
        with reading(self._engine) as connection:
            return [(row.id, row.vector) for row in connection.execute(query)]

    def identifiers(self) -> set[int]:
        """All that are there."""
        with reading(self._engine) as connection:
            return set(connection.scalars(sa.select(FAILURES.c.id)))

    def count(self) -> int:
        """How many there are."""
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(FAILURES)) or 0
