"""Choose a memory's search: PostgreSQL's own if pgvector is installed, else one in this process, by the memory's size."""

import pathlib
import typing

import sqlalchemy as sa

from tfhelp.service.memory.indexes.flat import FlatSimilar
from tfhelp.service.memory.indexes.postgres import Pgvector, schema_of_pgvector
from tfhelp.service.memory.indexes.source import Source
from tfhelp.service.memory.indexes.trained import TrainedSimilar
from tfhelp.service.memory.similar import Similar

MOST_FLAT = 20_000
"""Maximum number of vectors for the exact search: about 30 MB, and 1 ms."""


class LocalSimilar:
    """A search that is exact while there are few vectors, and trained once there are many.

    Args:
        source: of the vectors.
        path: the file for an index of many vectors; None for no file.
        most_flat: see ``MOST_FLAT``.
    """

    def __init__(self, source: Source, path: pathlib.Path | None, most_flat: int = MOST_FLAT) -> None:
        self._source = source
        self._path = path
        self._most_flat = most_flat
        is_large = source.count() > most_flat
        self._flat = None if is_large else FlatSimilar(source)
        self._trained = TrainedSimilar(source, path) if is_large else None

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """See ``Similar.nearest``."""
        flat, large = self._flat, self._trained
        if large and (flat is None or large.ready):
            self._flat = None
            return large.nearest(vector, count)
        if large:
            large.prepare()
        elif flat is not None and len(flat) > self._most_flat:
            self._trained = TrainedSimilar(self._source, self._path)
        return [] if flat is None else flat.nearest(vector, count)

    def holds_deleted(self) -> bool:
        """See ``Similar.holds_deleted``."""
        return any(search is not None and search.holds_deleted() for search in (self._flat, self._trained))

    def tidy(self) -> None:
        """See ``Similar.tidy``."""
        for search in (self._flat, self._trained):
            if search is not None:
                search.tidy()

    def close(self) -> None:
        """See ``Similar.close``."""
        if self._trained is not None:
            self._trained.close()


def similar_of(engine: sa.Engine, note: typing.Callable[[str], object]) -> Similar:
    """The search for a database.

    Args:
        engine: of the database.
        note: receives a sentence for the server's operator if PostgreSQL cannot search by similarity itself.
    """
    source = Source(engine)
    if engine.dialect.name == "postgresql":
        schema = schema_of_pgvector(engine, note)
        return Pgvector(engine, schema) if schema else LocalSimilar(source, None)
    return LocalSimilar(source, pathlib.Path(f"{engine.url.database}.similar"))
