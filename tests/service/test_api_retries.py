"""A request that is sent again with the same ``Idempotency-Key`` is kept once, in every replica of a server."""

import pathlib
import typing
import uuid

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import INCIDENTS

URL = "/api/v1/diagnose"
FULL = "CardFullError: no room for tensor 8,8 of alice@example.com, 3 MB are held by others"


@pytest.fixture
def where(tmp_path: pathlib.Path) -> str:
    return str(tmp_path / "team.db")


@pytest.fixture
def replicas(where: str) -> typing.Iterator[list[TestClient]]:
    """Two applications, each with its own memory object over one database."""
    memories = [TeamMemory.open(where) for _ in range(2)]
    yield [TestClient(create_app(small_diagnoser(), memory=memory)) for memory in memories]
    for memory in memories:
        memory.close()


def kept(where: str) -> int:
    memory = TeamMemory.open(where)
    with reading(memory.engine) as connection:
        count = connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS))
    memory.close()
    return int(count or 0)


def ask(client: TestClient, key: str, text: str = FULL) -> typing.Any:
    return client.post(URL, json={"text": text}, headers={"Idempotency-Key": key} if key else {})


def test_a_request_that_comes_twice_is_kept_once_and_answered_alike(replicas: list[TestClient], where: str) -> None:
    key = str(uuid.uuid4())
    first, second = (ask(client, key).json() for client in replicas)
    assert first["link"] == second["link"] and kept(where) == 1
    assert first["memory"] == second["memory"] and second["memory"]["times"] == 0  # it does not count itself
    assert [match["entry"] for match in first["matches"]] == [match["entry"] for match in second["matches"]] == ["card-full"]
    assert {client.get(first["link"]).status_code for client in replicas} == {200}


def test_without_a_key_each_request_is_kept(replicas: list[TestClient], where: str) -> None:
    assert ask(replicas[0], "").json()["link"] != ask(replicas[1], "").json()["link"]
    assert kept(where) == 2


def test_a_key_belongs_to_one_text(replicas: list[TestClient], where: str) -> None:
    key = str(uuid.uuid4())
    links = {ask(replicas[0], key, FULL.replace("8,8", f"{number},8")).json()["link"] for number in range(3)}
    assert len(links) == kept(where) == 3


def test_after_a_deletion_the_same_request_is_kept_again_under_its_link(replicas: list[TestClient], where: str) -> None:
    key = str(uuid.uuid4())
    link = ask(replicas[0], key).json()["link"]
    assert replicas[1].delete(link.replace("/a/", "/api/v1/answers/")).status_code == 204 and kept(where) == 0
    assert ask(replicas[0], key).json()["link"] == link and kept(where) == 1


@pytest.mark.parametrize("key", ["short", "with a space in it, and long", "x" * 129, "ä" * 20])
def test_an_invalid_idempotency_key_is_refused(replicas: list[TestClient], where: str, key: str) -> None:
    response = replicas[0].post(URL, json={"text": FULL}, headers={b"Idempotency-Key": key.encode("latin-1")})
    assert response.status_code == 422 and response.json()["error"]["path"] == "Idempotency-Key"
    assert kept(where) == 0


def test_the_form_that_a_proxy_sends_twice_leads_to_one_page(replicas: list[TestClient], where: str) -> None:
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    answers = [client.post("/", data={"text": FULL}, headers=headers, follow_redirects=False) for client in replicas]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == kept(where) == 1
