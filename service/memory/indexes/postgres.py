"""The search inside PostgreSQL, by pgvector: one index for all servers, maintained by the database in its transactions."""

import threading
import typing

import sqlalchemy as sa

from tfhelp.service.faults import log_fault
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.indexes.source import DIMENSION, VECTOR_BYTES, asked
from tfhelp.service.memory.similar import PATIENCE_S

INDEX = "ix_failures_likeness"
_LEAST = (0, 7)  # the first version with half-precision vectors
_CANDIDATES, _LOOKED_AT = 100, 200  # found by half precision and compared exactly; kept while the graph is searched
_LOCK_OF_EXTENSION, _LOCK_OF_INDEX = 0x7466_6865_6C71, 0x7466_6865_6C72  # advisory locks, so that one server creates each
_AT_ONCE = 5_000  # vectors; a larger index is built in the background
_IN_MEMORY = "so what is like a failure is searched in the server's own memory, 60 bytes to 1.5 KiB for each failure."


def schema_of_pgvector(engine: sa.Engine, note: typing.Callable[[str], object]) -> str | None:
    """The schema of pgvector; the extension is created if that is allowed.

    Args:
        engine: of a PostgreSQL database.
        note: receives a sentence if there is no pgvector.
    """
    with engine.connect() as connection:
        there = connection.scalar(sa.text("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"))
    if there is None:
        note(f"This PostgreSQL has no pgvector, {_IN_MEMORY}")
        return None
    try:
        with engine.begin() as connection:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK_OF_EXTENSION})
            if _installed(connection) is None:
                connection.execute(sa.text("CREATE EXTENSION vector SCHEMA public"))
    except sa.exc.DBAPIError:
        note(f"This user may not create pgvector in the database (an owner can: CREATE EXTENSION vector), {_IN_MEMORY}")
        return None
    with engine.connect() as connection:
        schema, version = _installed(connection) or ("", "0")
    if tuple(map(int, version.split(".")[:2])) < _LEAST:
        note(f"pgvector {version} of this database is older than {'.'.join(map(str, _LEAST))}, {_IN_MEMORY}")
        return None
    return schema


def _installed(connection: sa.Connection) -> tuple[str, str] | None:
    query = "SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'vector'"
    row = connection.execute(sa.text(query)).one_or_none()
    return (row[0], row[1]) if row else None


class Pgvector:
    """A search by an HNSW index over half-precision vectors, whose candidates are compared exactly. Thread-safe.

    Args:
        engine: of the memory's database, which has the table of failures.
        schema: of pgvector.
        exact: whether all vectors are compared; for tests and small memories.
    """

    def __init__(self, engine: sa.Engine, schema: str, exact: bool = False) -> None:
        self._engine = engine
        self._exact = exact
        with engine.connect() as connection:
            name = connection.dialect.identifier_preparer.quote(schema)
            count = connection.scalar(sa.text("SELECT count(*) FROM failures")) or 0
        self._of = name
        half = f"(failures.vector::{name}.halfvec({DIMENSION}))"
        self._expression = half
        near = f"ORDER BY {half} OPERATOR({name}.<#>) CAST(:vector AS {name}.halfvec({DIMENSION})) LIMIT {_CANDIDATES}"
        inner = f"SELECT id, vector FROM failures {'' if exact else near}"
        whole = f"(near.vector::{name}.vector({DIMENSION}) OPERATOR({name}.<#>) CAST(:vector AS {name}.vector({DIMENSION})))"
        self._query = sa.text(f"SELECT id, -{whole} AS likeness FROM ({inner}) near ORDER BY {whole}, id LIMIT :count")
        self._thread: threading.Thread | None = None
        if not exact and count <= _AT_ONCE:
            self.make_index()
        elif not exact:
            self._thread = threading.Thread(target=self._make_index_later, name="similar", daemon=True)
            self._thread.start()

    def nearest(self, vector: bytes, count: int) -> list[tuple[int, float]]:
        """See ``Similar.nearest``."""
        if len(vector) != VECTOR_BYTES:
            return []
        written = "[" + ",".join(map(repr, asked(vector)[0].tolist())) + "]"
        with reading(self._engine) as connection:
            if not self._exact:
                connection.exec_driver_sql(f"SET LOCAL hnsw.ef_search = {_LOOKED_AT}")
            rows = connection.execute(self._query, {"vector": written, "count": count})
            return [(row.id, row.likeness) for row in rows]

    def holds_deleted(self) -> bool:
        """See ``Similar.holds_deleted``; PostgreSQL deletes the vector with its row."""
        return False

    def tidy(self) -> None:
        """See ``Similar.tidy``; PostgreSQL does this."""

    def close(self) -> None:
        """See ``Similar.close``."""
        if self._thread is not None:
            self._thread.join(PATIENCE_S)

    def make_index(self) -> None:
        """Build the index, unless it exists or another server is building it. Writers do not wait for it."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if not connection.scalar(sa.text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK_OF_INDEX}):
                return
            try:
                self._make_unless_valid(connection)
            finally:
                connection.execute(sa.text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK_OF_INDEX})

    def _make_unless_valid(self, connection: sa.Connection) -> None:
        valid = connection.scalar(sa.text(f"SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{INDEX}')"))
        if valid:
            return
        if valid is False:  # its creation was interrupted
            connection.execute(sa.text(f"DROP INDEX {INDEX}"))
        operators = f"{self._of}.halfvec_ip_ops"
        connection.execute(sa.text(f"CREATE INDEX CONCURRENTLY {INDEX} ON failures USING hnsw ({self._expression} {operators})"))

    def _make_index_later(self) -> None:
        try:
            self.make_index()
        except Exception as error:  # noqa: BLE001 - without an index, the search is slower but correct
            log_fault("indexing the failures", error)
