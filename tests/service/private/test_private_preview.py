"""``tfhelp kb preview``: pages of a team's entries, rebuilt when a file changes."""

import pathlib

import pytest
from starlette.testclient import TestClient

from tfhelp.service.doors.http.preview import preview, preview_app


@pytest.fixture
def client(team_kb: pathlib.Path) -> TestClient:
    return TestClient(preview_app([str(team_kb)]))


def test_the_entries_are_listed_and_shown(client: TestClient) -> None:
    listed = client.get("/preview")
    assert listed.status_code == 200
    assert 'href="/entries/gannet-no-lease"' in listed.text
    assert "Answers are kept for a day" in listed.text
    page = client.get("/entries/gannet-no-lease")
    assert page.status_code == 200
    assert "The pool has no free GPUs" in page.text


def test_open_pages_look_again(client: TestClient) -> None:
    assert client.get("/entries/gannet-no-lease").headers["refresh"] == "2"
    assert "refresh" not in client.get("/").headers


def test_a_change_shows_and_a_fault_is_named(client: TestClient, team_kb: pathlib.Path) -> None:
    path = team_kb / "cluster" / "gannet-no-lease" / "entry.yaml"
    text = path.read_text()
    path.write_text(text.replace("The pool has no free GPUs", "Everybody <trains> today"))
    assert "Everybody &lt;trains&gt; today" in client.get("/entries/gannet-no-lease").text
    path.write_text(text.replace("frequency: common", "frequency: <always>"))
    assert client.get("/entries/gannet-no-lease").status_code == 404
    assert "causes.0.frequency" in client.get("/preview").text
    path.write_text(text)
    assert "The pool has no free GPUs" in client.get("/entries/gannet-no-lease").text


def test_a_text_can_be_asked_about(client: TestClient) -> None:
    answer = client.post("/api/v1/diagnose", json={"text": "gannetctl: LeaseError: no lease for pool 'a100' within 600 s"}).json()
    assert answer["matches"][0]["entry"] == "gannet-no-lease"


def test_without_a_folder_it_says_what_to_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert preview([], "127.0.0.1", 0) == 2
    assert "--kb DIR" in capsys.readouterr().err
