"""The database of a team's memory: found by a path or a URL, opened, migrated."""

import contextlib
import os
import pathlib
import time
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

PATIENCE_S = "patience_s"
"""Execution option of an engine: how many seconds a writer to an SQLite file waits for another."""
_USUAL_PATIENCE_S = 30.0
_EMPTYING_MS = 1000  # how long a deletion waits until nobody reads the log of SQLite any more
_ANSWERS_S = 3
"""How long PostgreSQL may take to accept a connection, or to acknowledge what was sent to it. Without this, a request would wait for
minutes for a database whose machine is gone, although it can be answered without a memory.
"""
_MIGRATIONS = pathlib.Path(__file__).parent / "migrations"
_LOCK = 0x7466_6865_6C70  # the PostgreSQL advisory lock that only migrations take; the letters of "tfhelp"
READS = {"reads": True}
"""Options of a read-only connection; see ``reading``."""
_NOT_ASKED_S = 10  # how long PostgreSQL is not asked again after it did not answer
_SCHEMES = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")


def open_engine(where: str) -> "sa.Engine":
    """The engine of a database, with all migrations applied.

    Args:
        where: ``sqlite:///team.db``, ``postgresql://user@host/name``, or the path of an SQLite file.

    Raises:
        InputError: SQLAlchemy or the driver is missing, the URL is invalid, or the database cannot be reached.
    """
    try:
        import alembic
        import alembic.util
        import sqlalchemy as sa
    except ImportError as error:
        raise InputError(f"a memory needs {error.name}, which is not installed: {how_to_install('memory')}") from None
    url = _url(where)
    try:
        engine = _sqlite(url) if url.drivername == "sqlite" else _postgres(url)
    except ImportError as error:
        raise InputError(
            f"a memory in PostgreSQL needs {error.name}, which is not installed: {how_to_install('postgres')}"
        ) from None
    try:
        migrate(engine)
        if engine.dialect.name == "sqlite":
            _use_write_ahead_log(engine)
    except alembic.util.CommandError:
        engine.dispose()
        raise InputError(
            f"the memory {shown(where)} was written by a newer release of tfhelp; use that release, or another memory"
        ) from None
    except sa.exc.DBAPIError as error:
        engine.dispose()
        raise InputError(f"the memory {shown(where)} cannot be opened: {_first_line(error.orig)}") from None
    return engine


def shown(where: str) -> str:
    """A path or URL without its password, for messages."""
    if "://" not in where:
        return where
    try:
        return _url(where).render_as_string(hide_password=True).replace("+psycopg", "", 1)
    except InputError:
        return where.partition("://")[0] + "://..."


def _url(where: str) -> "sa.URL":
    """The URL of a path or a URL, with the driver that is used here.

    Raises:
        InputError: it is not a URL, or the database is not supported.
    """
    import sqlalchemy as sa

    if "://" not in where:
        return sa.URL.create("sqlite", database=where)
    try:
        url = sa.make_url(where)
    except (sa.exc.ArgumentError, ValueError):
        scheme = where.partition("://")[0]
        raise InputError(f"{scheme}://... is not a database URL; write sqlite:///team.db or postgresql://host/name") from None
    if url.drivername not in _SCHEMES:
        raise InputError(f"a memory can be in SQLite or PostgreSQL, not in {url.drivername!r}")
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:":
            raise InputError("a memory in SQLite needs a file: sqlite:///team.db, or sqlite:////var/lib/tfhelp/team.db")
        return url
    return url.set(drivername="postgresql+psycopg")


def _sqlite(url: "sa.URL") -> "sa.Engine":
    """The engine of an SQLite file. A missing file is created, readable by its owner only, since it contains users' texts.

    Raises:
        InputError: the file cannot be created.
    """
    import sqlalchemy as sa

    from tfhelp.service.memory.sqlite_file import follow_file

    path = pathlib.Path(url.database or "")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise InputError(f"the memory {path} cannot be opened: {error.strerror}") from None
    engine = sa.create_engine(url)
    follow_file(engine, str(path))

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: typing.Any, _: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions itself, too late
        # Deleted data is overwritten, and feedback is deleted with its diagnosis.
        for pragma in ("secure_delete = ON", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: "sa.Connection") -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {options.get(PATIENCE_S, _USUAL_PATIENCE_S) * 1000:.0f}")
        # A transaction that reads first and then writes would fail if another one wrote in between.
        connection.exec_driver_sql("BEGIN" if options.get("reads") else "BEGIN IMMEDIATE")

    return engine


def _postgres(url: "sa.URL") -> "sa.Engine":
    """The engine of a PostgreSQL database. Timeouts in its URL take precedence."""
    import sqlalchemy as sa

    patience = {"connect_timeout": str(_ANSWERS_S), "tcp_user_timeout": str(_ANSWERS_S * 1000)}
    engine = sa.create_engine(url.set(query={**patience, **url.query}), pool_pre_ping=True)
    _pause_after_timeout(engine)
    return engine


def _pause_after_timeout(engine: "sa.Engine") -> None:
    """When PostgreSQL took too long, refuse connections immediately for some seconds: otherwise each request would wait."""
    import psycopg
    import sqlalchemy as sa

    until = 0.0

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: sa.Dialect, _: object, positional: typing.Any, named: typing.Any) -> typing.Any:
        nonlocal until
        if time.monotonic() < until:
            raise psycopg.errors.ConnectionTimeout("PostgreSQL did not answer a moment ago")
        try:
            return dialect.connect(*positional, **named)
        except psycopg.errors.ConnectionTimeout:
            until = time.monotonic() + _NOT_ASKED_S
            raise


def _use_write_ahead_log(engine: "sa.Engine") -> None:
    """Have writers add to a log beside the file (WAL), so that they and the readers never wait for each other.

    The mode is stored in the file. A file system without shared memory does not support it, and it cannot be changed while
    another process uses the file. In either case everything works as before, with waiting.
    """
    import sqlite3

    with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA journal_mode = WAL")


def empty_log(engine: "sa.Engine") -> None:
    """Move the content of SQLite's log into the file, so that deleted text is in neither. PostgreSQL has no such file.

    If somebody reads for longer than a second, the log is emptied after the next deletion, or when the last process closes the file.
    """
    if engine.dialect.name != "sqlite":
        return
    with contextlib.closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_EMPTYING_MS}")  # until the next transaction begins
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextlib.contextmanager
def reading(engine: "sa.Engine") -> "typing.Iterator[sa.Connection]":
    """A read-only transaction, which does not block other readers."""
    with engine.execution_options(**READS).connect() as connection:
        yield connection


def migrate(engine: "sa.Engine") -> None:
    """Apply all missing migrations. If two processes start at the same time, the second one waits for the first."""
    import alembic.command
    import alembic.config
    import sqlalchemy as sa

    with engine.begin() as connection:  # in SQLite this takes the lock of all writers
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = alembic.config.Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, "head")


def _first_line(error: object) -> str:
    return str(error).strip().partition("\n")[0][:300]
