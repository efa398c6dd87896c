"""A memory is deleted, full, locked or read-only while a server runs: readiness says so, and answers still come."""

import contextlib
import pathlib
import sqlite3
import sys
import time
import typing

import httpx
import pytest
import sqlalchemy as sa

from tests.service.memory.answers import card_full, given
from tests.service.serving import Server
from tfhelp.service.memory.asking import NOT_ASKED, NOT_KEPT
from tfhelp.service.memory.database import PATIENCE_S, _postgres, _url
from tfhelp.service.memory.sqlite_file import FileGoneError, fault_of_file
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]
_TEXT = "CardFullError: no room for tensor 32,128"
_ENDS_A_FAILED_TEST_S = 120


def ask(server: Server) -> Json:
    answer = httpx.post(f"{server.url}/api/v1/diagnose", json={"text": _TEXT}, timeout=120)
    assert answer.status_code == 200
    return typing.cast(Json, answer.json())


def wait_until_memory_is(server: Server, words: str) -> None:
    """Wait until the server is ready and says this of its memory: it repeats an earlier result for some seconds."""
    end = time.monotonic() + _ENDS_A_FAILED_TEST_S
    while True:
        said = httpx.get(f"{server.url}/readyz", timeout=120)
        if said.status_code == 200 and words in said.json()["memory"]:
            return
        assert time.monotonic() < end, said.text
        time.sleep(0.5)


def test_a_server_whose_memory_was_moved_says_so_until_it_is_back(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "team.db"
    with Server.small("--memory", str(file)) as server:
        link = ask(server)["link"]
        wait_until_memory_is(server, "ok")
        file.rename(tmp_path / "elsewhere.db")
        wait_until_memory_is(server, "no answer is kept: its file was deleted or moved")
        answer = ask(server)
        assert answer["matches"] and "link" not in answer and answer["notes"] == [NOT_ASKED, NOT_KEPT]
        assert httpx.get(f"{server.url}{link}", timeout=120).status_code == 503
        assert not file.exists()
        (tmp_path / "elsewhere.db").rename(file)
        wait_until_memory_is(server, "ok")
        assert httpx.get(f"{server.url}{link}", timeout=120).status_code == 200
        assert "link" in ask(server)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets one process limit the files of another")
def test_a_server_whose_memory_cannot_grow_says_so_until_it_can(tmp_path: pathlib.Path) -> None:
    import resource

    with Server.small("--memory", str(tmp_path / "team.db")) as server:
        wait_until_memory_is(server, "ok")
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, most))  # as a full disk: no page of SQLite fits
        wait_until_memory_is(server, "no answer is kept: its file cannot grow")
        answer = ask(server)
        assert answer["matches"] and "link" not in answer and NOT_KEPT in answer["notes"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        wait_until_memory_is(server, "ok")
        assert "link" in ask(server)


@pytest.fixture
def memory(tmp_path: pathlib.Path) -> typing.Iterator[TeamMemory]:
    with contextlib.closing(TeamMemory.open(str(tmp_path / "team.db"))) as opened:
        opened.engine = opened.engine.execution_options(**{PATIENCE_S: 0})
        yield opened


def test_a_file_that_is_well_has_no_fault_and_stays_as_it_is(memory: TeamMemory) -> None:
    token = memory.keep(card_full(), given("a"))
    assert [memory.fault() for _ in range(3)] == [""] * 3
    assert memory.read(token) is not None


def test_a_file_that_is_put_back_from_a_backup_is_used(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    """Otherwise the open connection would keep answers in the file that was replaced."""
    token = memory.keep(card_full(), given("a"))
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "team.db")) as old,
        contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as new,
    ):
        old.backup(new)
    later = memory.keep(card_full(), given("b"))
    for left in tmp_path.glob("team.db-*"):
        left.unlink()
    (tmp_path / "copy.db").replace(tmp_path / "team.db")
    assert memory.fault() == ""
    assert memory.read(token) is not None and memory.read(later) is None


def test_a_deleted_file_is_not_created_again(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    for file in tmp_path.glob("team.db*"):
        file.unlink()
    for _ in range(2):
        assert "was deleted or moved" in memory.fault()
        with pytest.raises(FileGoneError):
            memory.keep(card_full(), given("a"))
    assert not (tmp_path / "team.db").exists()


def test_a_file_that_is_locked_says_so(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "team.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert memory.fault() == "another program has locked its file"
        other.execute("ROLLBACK")
    assert memory.fault() == ""


def test_a_file_that_may_only_be_read_says_so(memory: TeamMemory) -> None:
    @sa.event.listens_for(memory.engine, "connect")
    def read_only(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    memory.engine.dispose()
    assert memory.fault() == "its file or its folder cannot be written"


def test_a_damaged_file_says_so(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    memory.engine.dispose()
    (tmp_path / "team.db").write_bytes(b"no database " * 1000)
    with pytest.raises(sa.exc.DatabaseError):
        memory.seen(card_full())
    assert fault_of_file(memory.engine) == "its file is damaged"


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_postgresql_that_may_only_be_read_says_so(where: str) -> None:
    with contextlib.closing(TeamMemory.open(where)) as opened:
        assert opened.fault() == ""
    url = _url(where).update_query_dict({"options": "-c default_transaction_read_only=on"})
    with contextlib.closing(TeamMemory(_postgres(url))) as read_only:
        assert read_only.fault() == "it can only be read"
