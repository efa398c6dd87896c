"""The database of a team's memory: found by a path or a URL, opened, migrated."""

import contextlib
import os
import pathlib
import typing

from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

_PATIENCE_S = 30  # how long a writer waits for another
_MIGRATIONS = pathlib.Path(__file__).parent / "migrations"
_LOCK = 0x7466_6865_6C70  # PostgreSQL's advisory lock that only migrating takes; the letters of "tfhelp"
READS = {"reads": True}
"""Options of a read-only connection; see ``reading``."""
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
        raise InputError(f"a memory needs {error.name}, which is not installed: pip install 'tfhelp[memory]'") from None
    url = _url(where)
    try:
        engine = _sqlite(url) if url.drivername == "sqlite" else sa.create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise InputError(
            f"a memory in PostgreSQL needs {error.name}, which is not installed: pip install 'tfhelp[postgres]'"
        ) from None
    try:
        migrate(engine)
    except alembic.util.CommandError:
        engine.dispose()
        raise InputError(f"the memory {shown(where)} was made by a newer tfhelp; use that one, or another memory") from None
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
        raise InputError(f"{scheme}://... is no URL of a database; write sqlite:///team.db or postgresql://host/name") from None
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

    path = pathlib.Path(url.database or "")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise InputError(f"the memory {path} cannot be opened: {error.strerror}") from None
    engine = sa.create_engine(url, connect_args={"timeout": _PATIENCE_S})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: typing.Any, _: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions itself, too late
        # Deleted data is overwritten, and feedback is deleted with its diagnosis.
        for pragma in ("secure_delete = ON", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: "sa.Connection") -> None:
        # A transaction that reads first and then writes would fail if another one wrote in between.
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")

    return engine


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
