"""A database that hangs without an error: requests go on without it, and those that need it get 503."""

import contextlib
import threading
import typing

import anyio
import httpx
import psycopg
import pytest
import sqlalchemy as sa

from tests.service.access.doors import Held, running
from tests.service.small_server import small_diagnoser
from tests.service.test_web_form import FULL
from tfhelp.service.access.identity import Who
from tfhelp.service.access.policy import Policy
from tfhelp.service.access.tokens import DatabaseTokens
from tfhelp.service.doors.http import remembering
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.remembering import MemoryAwayError, Remembering
from tfhelp.service.memory.asking import NOT_ASKED, NOT_KEPT
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]


@contextlib.contextmanager
def hanging(where: str, tables: str) -> typing.Iterator[None]:
    """Another session holds a lock on tables, and requests wait half a second for them."""
    with pytest.MonkeyPatch.context() as patch, psycopg.connect(where) as other:
        other.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")
        patch.setattr(remembering, "PATIENCE_S", 0.5)
        yield


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long deadlines, and no pause after one was missed."""
    monkeypatch.setattr(remembering, "PATIENCE_S", 120.0)
    monkeypatch.setattr(remembering, "_PAUSE_S", 0.0)


def ask(url: str) -> Json:
    answer = httpx.post(f"{url}/api/v1/diagnose", json={"text": FULL}, timeout=60)
    assert answer.status_code == 200
    return typing.cast(Json, answer.json())


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
@pytest.mark.usefixtures("patient")
def test_answers_arrive_while_the_database_hangs(memory: TeamMemory, where: str) -> None:
    with running(create_app(small_diagnoser(), memory=memory)) as url:
        link = ask(url)["link"]
        with hanging(where, "failures, incidents"):
            held = ask(url)
            assert held["matches"] and "link" not in held and held["notes"] == [NOT_ASKED, NOT_KEPT]
            page = httpx.post(url, files={"text": (None, FULL)}, timeout=60)
            assert page.status_code == 200 and NOT_KEPT in page.text
            kept = httpx.get(f"{url}{link}", timeout=60)
            assert kept.status_code == 503 and "Retry-After" in kept.headers
        assert "link" in ask(url)


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
@pytest.mark.usefixtures("patient")
def test_a_token_that_cannot_be_looked_up_is_refused_for_now(memory: TeamMemory, where: str) -> None:
    tokens = DatabaseTokens(memory.engine)
    token = tokens.create("ci", ["diagnose"], None)
    sent: Json = {"headers": {"Authorization": f"Bearer {token}"}, "json": {"text": FULL, "keep": False}, "timeout": 60}
    with running(
        create_app(small_diagnoser(), memory=memory, policy=Policy.open_to_all()._replace(is_open=False, tokens=(tokens,)))
    ) as url:
        assert httpx.post(f"{url}/api/v1/diagnose", **sent).status_code == 200
        with hanging(where, "tokens"):
            refused = httpx.post(f"{url}/api/v1/diagnose", **sent)
            assert refused.status_code == 503 and "Retry-After" in refused.headers
        assert httpx.post(f"{url}/api/v1/diagnose", **sent).status_code == 200


@pytest.mark.usefixtures("patient")
def test_a_kept_answer_of_a_database_that_fails_is_refused_for_now(memory: TeamMemory, capfd: pytest.CaptureFixture[str]) -> None:
    """A full disk, for example: reading an answer writes a line of the audit log."""
    with running(create_app(small_diagnoser(), memory=memory)) as url:
        link = ask(url)["link"]
        api = link.replace("/a/", "/api/v1/answers/")
        with memory.engine.begin() as connection:
            connection.execute(sa.text("ALTER TABLE audit RENAME TO elsewhere"))
        said = {"token": link.rpartition("/")[2], "said": "helped"}
        refused = [
            httpx.get(f"{url}{link}"),
            httpx.get(f"{url}{link}.md"),
            httpx.post(f"{url}{link}/feedback", data={"said": "helped"}),
            httpx.post(f"{url}{link}/delete"),
            httpx.get(f"{url}{api}"),
            httpx.delete(f"{url}{api}"),
            httpx.post(f"{url}/api/v1/feedback", json=said),
        ]
        assert [(answer.status_code, "Retry-After" in answer.headers) for answer in refused] == [(503, True)] * len(refused)
        assert refused[-1].json()["error"]["code"] == "memory-away"
        assert ask(url)["notes"] == [NOT_KEPT]
    logged = capfd.readouterr().err
    assert "Error at" in logged and said["token"] not in logged


def test_the_log_of_a_fault_names_the_route_and_not_the_link(capfd: pytest.CaptureFixture[str]) -> None:
    token = "a" * 32
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ForADay, "read", lambda *_: 1 / 0)
        with running(create_app(small_diagnoser())) as url:
            answers = [httpx.get(f"{url}/a/{token}"), httpx.get(f"{url}/api/v1/answers/{token}")]
    assert [answer.status_code for answer in answers] == [500, 500]
    logged = capfd.readouterr().err
    assert token not in logged
    for route in ("GET /a/{token}", "GET /api/v1/answers/{token}"):
        assert f"{route} " in logged


def test_a_function_in_a_thread_returns_its_result_or_error() -> None:
    async def both() -> None:
        waiting = Remembering()
        assert await waiting.run(max, 1, 2) == 2
        with pytest.raises(ZeroDivisionError):
            await waiting.run(lambda: 1 / 0)

    anyio.run(both)


def test_after_a_hang_the_database_is_not_used_for_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request would wait for the whole deadline otherwise, and leave a thread behind."""
    monkeypatch.setattr(remembering, "PATIENCE_S", 0.2)
    freed, begun = threading.Event(), []

    def hang() -> None:
        begun.append(1)
        freed.wait(60)

    async def many() -> None:
        waiting = Remembering()

        async def one() -> None:
            with pytest.raises(MemoryAwayError):
                await waiting.run(hang)

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)
        with pytest.raises(MemoryAwayError):
            await waiting.run(max, 1, 2)

    try:
        anyio.run(many)
    finally:
        freed.set()
    assert 1 <= len(begun) <= 8  # four threads, and at most one more for each that is given up


def test_a_token_in_a_file_needs_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database with the other tokens hangs, whoever has a token of the file is let in."""
    monkeypatch.setattr(remembering, "PATIENCE_S", 0.5)
    freed = threading.Event()

    class Hanging(Held):
        at_hand = False

        def find(self, token: str) -> typing.NoReturn:
            freed.wait(60)
            raise OSError("ended")

    of_file = Held(ci=Who("token:1", "token ci", frozenset(["diagnose"])))
    policy = Policy.open_to_all()._replace(is_open=False, tokens=(Hanging(), of_file))
    with running(create_app(small_diagnoser(), policy=policy)) as url:
        try:
            sent = {
                word: httpx.get(f"{url}/api/v1/entries", headers={"Authorization": f"Bearer {word}"}) for word in ("ci", "no")
            }
        finally:
            freed.set()
    assert {word: answer.status_code for word, answer in sent.items()} == {"ci": 200, "no": 503}
