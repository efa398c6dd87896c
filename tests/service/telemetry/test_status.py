"""The status of a service, from a real memory: as JSON, as a page and as metrics."""

import pathlib
import typing

import jsonschema
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.documentation import sent_schemas
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import INCIDENTS

FULL = "CardFullError: no room for tensor 8,8"
PRIVATE = "<b>bold</b> alice@example.com"


@pytest.fixture
def memory(tmp_path: pathlib.Path) -> typing.Iterator[TeamMemory]:
    opened = TeamMemory.open(str(tmp_path / "team.db"))
    yield opened
    opened.close()


@pytest.fixture
def client(memory: TeamMemory) -> TestClient:
    return TestClient(create_app(small_diagnoser(), memory=memory))


def ask(client: TestClient, text: str) -> str:
    """The token of the kept answer."""
    link: str = client.post("/api/v1/diagnose", json={"text": text}).json()["link"]
    return link.rpartition("/")[2]


def test_the_week_counts_what_was_kept_and_what_helped(client: TestClient) -> None:
    token = ask(client, FULL)
    client.post("/api/v1/feedback", json={"token": token, "said": "helped"})
    ask(client, f"ValueError: something that nobody knows {PRIVATE}")
    status = client.get("/api/v1/status").json()
    schemas = sent_schemas(closed=True)
    jsonschema.validate(status, {**schemas["Status"], "components": {"schemas": schemas}})
    week = status["week"]
    assert week["diagnoses"] == 2 and week["answered"] == 0.5 and week["helped"] == 1.0 and week["new"] == 2
    assert week["entries"] == [{"entry": "card-full", "times": 1}]
    assert status["server"]["diagnosis"] == status["server"]["memory"] == "ok"
    assert status["server"]["verdicts"]["unknown"] >= 1


def test_the_page_names_entries_and_shows_what_was_pasted_only_redacted_and_escaped(client: TestClient) -> None:
    ask(client, FULL)
    ask(client, f"ValueError: something that nobody knows {PRIVATE}")
    page = client.get("/status").text
    assert "This server answers." in page and "The card &lt;is&gt; full" in page
    assert "no entry matches" in page and "alice" not in page and "<b>bold" not in page


def test_without_a_memory_the_page_says_how_to_have_the_figures() -> None:
    client = TestClient(create_app(small_diagnoser()))
    assert client.get("/api/v1/status").json()["week"] is None
    assert "--memory" in client.get("/status").text
    assert "tfhelp_memory_up" not in client.get("/metrics").text


def test_the_figures_of_the_week_are_metrics_without_messages(client: TestClient) -> None:
    client.post("/api/v1/feedback", json={"token": ask(client, FULL), "said": "did-not-help"})
    text = client.get("/metrics").text
    for line in (
        'tfhelp_week_failures{entry="card-full"} 1.0',
        'tfhelp_week_feedback{said="did-not-help"} 1.0',
        "tfhelp_week_new_failures 1.0",
        "tfhelp_memory_up 1.0",
    ):
        assert line in text
    assert "no room" not in text


def test_an_unreachable_memory_is_reported_and_affects_nothing_else(client: TestClient, memory: TeamMemory) -> None:
    with memory.engine.begin() as connection:
        connection.execute(sa.schema.DropTable(INCIDENTS))
    status = client.get("/api/v1/status").json()
    assert status["week"] is None
    assert status["server"]["memory"].startswith("it fails") and status["server"]["diagnosis"] == "ok"
    assert "tfhelp_memory_up 0.0" in client.get("/metrics").text
    assert client.get("/readyz").status_code == 200
    assert "does not answer" in client.get("/status").text
