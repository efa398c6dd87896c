"""A memory is opened, migrated by several processes at once, purged by the server, or refused with a clear reason."""

import contextlib
import pathlib
import socket
import subprocess
import sys
import time

import pytest
import sqlalchemy as sa

from tests.service.memory.answers import Clock, card_full, given
from tests.service.serving import Server
from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import _postgres, _url, open_engine, reading, shown
from tfhelp.service.memory.keeping import FILE_VARIABLE, VARIABLE, memory_of_server
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import INCIDENTS
from tfhelp.service.version import how_to_install

_KEEPS = """
import sys
from tfhelp.service.memory.similar import Embedder
from tfhelp.service.memory.store import TeamMemory

memory = TeamMemory.open(sys.argv[1])
memory.embedder._missing = True  # no vectors: this is about the database
answer = {"verdict": "unknown", "abstained": True, "matches": [], "condensed": "it broke", "kb_version": "1", "took_ms": 0.0}
for number in range(5):
    memory.keep({**answer, "took_ms": float(number)}, {"bytes": number, "name": sys.argv[2]}, sys.argv[2])
"""


def test_processes_that_start_at_once_share_a_memory(where: str) -> None:
    started = [subprocess.Popen([sys.executable, "-c", _KEEPS, where, f"process-{number}"]) for number in range(2)]
    assert [process.wait(timeout=120) for process in started] == [0] * 2
    engine = open_engine(where)
    with reading(engine) as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS)) == 10
        assert connection.scalars(sa.text("SELECT version_num FROM alembic_version")).all() == ["0003"]
    engine.dispose()


def test_a_memory_of_a_newer_program_is_refused(where: str) -> None:
    engine = open_engine(where)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(InputError, match="written by a newer release of tfhelp"):
        open_engine(where)


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("mysql://user:hush@host/name", "can be in SQLite or PostgreSQL, not in 'mysql'"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("/no/such/folder/team.db", "/no/such/folder/team.db cannot be opened: No such file or directory"),
        ("postgresql://user:hush@127.0.0.1:1/name?connect_timeout=2", r"postgresql://user:\*\*\*@127.0.0.1:1/name"),
        ("postgresql://user:hush@host:notaport/name", "is not a database URL"),
    ],
)
def test_an_invalid_memory_url_is_refused_without_showing_its_password(where: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        open_engine(where)
    assert "hush" not in str(caught.value)
    assert "hush" not in shown(where)


def test_a_database_that_never_answers_is_refused_and_not_asked_again_by_each_request() -> None:
    """Its machine hangs: the connection is accepted, and then nothing comes."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        where = f"postgresql://me:secret@127.0.0.1:{port}/team"
        with pytest.raises(InputError, match=rf"127.0.0.1:{port}/team cannot be opened: connection timeout expired"):
            open_engine(where)
        engine = _postgres(_url(where))
        for said in ("connection timeout expired", "did not answer a moment ago", "did not answer a moment ago"):
            with pytest.raises(sa.exc.OperationalError, match=said):
                engine.connect()
        assert connections(silent) == 2  # one of each engine


def connections(server: socket.socket) -> int:
    """How many connections wait to be accepted."""
    server.setblocking(False)
    found = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            found += 1
    return found


def test_a_file_that_is_not_a_database_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "train.log"
    path.write_text("Epoch 1/10\n" * 500)
    with pytest.raises(InputError, match=r"train.log cannot be opened: file is not a database"):
        open_engine(str(path))
    assert path.read_text() == "Epoch 1/10\n" * 500


@pytest.mark.parametrize(("package", "extra"), [("sqlalchemy", "memory"), ("alembic", "memory"), ("psycopg", "postgres")])
def test_a_missing_package_is_named_with_its_extra(package: str, extra: str, tmp_path: pathlib.Path) -> None:
    where = "postgresql://host/name" if extra == "postgres" else str(tmp_path / "team.db")
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from tfhelp.service.doors.cli.command_line import main\nsys.exit(main(['memory', 'import', '-', '--memory', {where!r}]))"
    )
    found = subprocess.run([sys.executable, "-c", program], input="", capture_output=True, text=True)
    assert found.returncode == 2
    assert found.stderr.splitlines()[-1].endswith(f"needs {package}, which is not installed: {how_to_install(extra)}")


def test_a_server_purges_at_once_and_again(tmp_path: pathlib.Path, clock: Clock) -> None:
    path = str(tmp_path / "team.db")
    old = TeamMemory(open_engine(path), clock=clock)
    old.keep(card_full(), given())
    old.close()
    with memory_of_server(path, 30, every_s=0.05) as memory:
        assert memory is not None
        end = time.monotonic() + 20
        while memory.oldest() and _count(memory) and time.monotonic() < end:
            time.sleep(0.02)
        assert _count(memory) == 0


def _count(memory: TeamMemory) -> int:
    with reading(memory.engine) as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS)) or 0


def test_the_variable_names_the_memory_where_the_option_does_not(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with memory_of_server(None) as memory:
        assert memory is None
    monkeypatch.setenv(VARIABLE, str(tmp_path / "of-variable.db"))
    with memory_of_server(None) as memory:
        assert memory is not None
    assert (tmp_path / "of-variable.db").is_file()
    with memory_of_server("") as memory:
        assert memory is None


@pytest.mark.parametrize("days", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_a_time_to_keep_that_makes_no_sense_is_refused(days: float) -> None:
    with pytest.raises(InputError, match="--keep-days"), memory_of_server("", days):
        raise AssertionError


def test_a_server_with_a_memory_starts_and_makes_its_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "team.db"
    with Server.real("--workers", "1", "--memory", f"sqlite:///{path}", "--keep-days", "30") as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert path.is_file()
    assert server.process.returncode in (0, -15, -9)


def test_a_server_without_its_memory_does_not_start() -> None:
    command = [sys.executable, "-m", "tfhelp.service", "serve", "--port", "0", "--memory", "/no/such/folder/team.db"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert found.returncode == 2
    assert found.stderr == "tfhelp: the memory /no/such/folder/team.db cannot be opened: No such file or directory\n"


def test_the_url_can_be_read_from_a_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memory-url"
    file.write_text(f"sqlite:///{tmp_path / 'team.db'}\n", encoding="utf-8")
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    with memory_of_server(None) as memory:
        assert memory is not None and (tmp_path / "team.db").is_file()
    monkeypatch.setenv(VARIABLE, "other.db")
    with pytest.raises(InputError, match="are both set"), memory_of_server(None):
        pass
    monkeypatch.delenv(VARIABLE)
    for named in (tmp_path / "missing", tmp_path):
        monkeypatch.setenv(FILE_VARIABLE, str(named))
        with pytest.raises(InputError, match="cannot be read"), memory_of_server(None):
            pass


def test_a_server_waits_less_long_for_a_locked_file_than_a_command(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "team.db")

    def patience(memory: TeamMemory) -> object:
        with memory.engine.begin() as connection:
            return connection.exec_driver_sql("PRAGMA busy_timeout").scalar()

    with memory_of_server(path) as memory:
        assert memory is not None and patience(memory) == 2_000
    command = TeamMemory.open(path)
    assert patience(command) == 30_000
    command.close()
