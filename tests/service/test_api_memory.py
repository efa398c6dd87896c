"""The HTTP API and the memory: the real application, in process, with a team's memory in SQLite."""

import http.server
import json
import pathlib
import re
import threading
import typing

import jsonschema
import pytest
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.service.__main__ import main
from tfhelp.service.doors.cli.client import ask_server
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.documentation import sent_schemas
from tfhelp.service.doors.http.reached import Reached
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.memory import Seen
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]
URL, FEEDBACK, ANSWERS = "/api/v1/diagnose", "/api/v1/feedback", "/api/v1/answers"
FULL = "CardFullError: no room for tensor 8,8 of alice@example.com, 3 MB are held by others"


class Counting(ForADay):
    """Keeps answers for a day, and counts them."""

    kept = 0

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        self.kept += 1
        return super().keep(answer, given, sender, token)


class Away(ForADay):
    """A team's memory whose database is unavailable."""

    def seen(self, answer: Json) -> Seen | None:
        raise OSError(f"the database is away: {FULL}")

    def recall(self, answer: Json, given: Json, sender: str) -> Json:
        raise AssertionError("it is not asked again")

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        raise OSError(f"the database is away: {FULL}")


@pytest.fixture
def memory(tmp_path: pathlib.Path) -> typing.Iterator[TeamMemory]:
    opened = TeamMemory.open(str(tmp_path / "team.db"))
    yield opened
    opened.close()


@pytest.fixture
def client(memory: TeamMemory) -> TestClient:
    return small(memory)


def small(memory: typing.Any, root: str = "", public: str = "") -> TestClient:
    return TestClient(create_app(small_diagnoser(), memory=memory, reached=Reached.of(root, public, [])))


def ask(client: TestClient, text: str = FULL, **more: typing.Any) -> Json:
    response = client.post(URL, json={"text": text, **more})
    assert response.status_code == 200, response.text
    document: Json = response.json()
    jsonschema.Draft202012Validator(schema("Answer", closed=True)).validate(document)
    return document


def schema(name: str, closed: bool = False) -> Json:
    return {"$ref": f"#/components/schemas/{name}", "components": {"schemas": sent_schemas(closed)}}


def error(response: typing.Any) -> tuple[int, str, str]:
    found = response.json()["error"]
    assert found["status"] == response.status_code and found["reason"]
    return found["status"], found["code"], found["path"]


def token_of(answer: Json) -> str:
    return str(answer["link"]).rpartition("/")[2]


def test_a_team_is_told_what_it_met_and_the_answer_has_a_page(client: TestClient) -> None:
    first = ask(client)
    assert (first["memory"]["times"], first["memory"]["says"]) == (0, [])
    assert re.fullmatch(r"/a/[\w-]{16,64}", first["link"])
    page = client.get(first["link"])
    assert page.status_code == 200 and "A neighbour holds the card" in page.text and "CardFullError" in page.text
    second = ask(client, FULL.replace("8,8", "9,9"))
    assert second["memory"]["times"] == 1 and "met this failure once before" in second["memory"]["says"][0]
    as_text = client.post(f"{URL}?format=text", json={"text": FULL.replace("8,8", "7,7")})
    assert "met this failure twice before" in " ".join(as_text.text.split()) and "Kept as /a/" in as_text.text


def test_an_answer_is_not_kept_where_the_request_says_so(client: TestClient, memory: TeamMemory) -> None:
    ask(client)
    for response in (
        client.post(URL, json={"text": FULL.replace("8,8", "6,6"), "keep": False}),
        client.post(f"{URL}?keep=false", json={"text": FULL.replace("8,8", "5,5")}),
        client.post(f"{URL}?keep=false", content=FULL.replace("8,8", "4,4"), headers={"content-type": "text/plain"}),
    ):
        assert response.json()["memory"]["times"] == 1 and "link" not in response.json()
    assert ask(client, FULL.replace("8,8", "3,3"), keep=True)["memory"]["times"] == 1
    assert error(client.post(URL, json={"text": FULL, "keep": "no"})) == (422, "invalid-value", "keep")
    assert error(client.post(f"{URL}?keep=maybe", json={"text": FULL})) == (422, "invalid-value", "keep")


def test_a_memory_of_one_day_keeps_nothing_of_the_api() -> None:
    memory = Counting()
    answer = ask(small(memory), keep=True)
    assert not {"memory", "link"} & set(answer) and memory.kept == 0


@pytest.mark.parametrize(
    ("root", "public", "begins"),
    [("/tools", "", "/tools/a/"), ("/tools", "https://example.org/tools", "https://example.org/tools/a/")],
)
def test_the_link_begins_as_people_reach_the_server(memory: TeamMemory, root: str, public: str, begins: str) -> None:
    client = small(memory, root, public)
    link = ask(client)["link"]
    assert link.startswith(begins) and client.get(link.removeprefix("https://example.org")).status_code == 200


def test_a_failing_memory_does_not_prevent_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    client = small(Away())
    answer = ask(client)
    assert answer["matches"][0]["entry"] == "card-full" and "link" not in answer
    notes = " ".join(answer["notes"])
    assert "memory of this server did not answer" in notes and "could not be kept" in notes
    assert "could not be kept" not in " ".join(ask(client, keep=False)["notes"])
    said = capsys.readouterr().err
    assert "recalling: OSError" in said and "CardFullError" not in said


def test_a_kept_answer_is_read_and_deleted_by_its_token(client: TestClient) -> None:
    answer = ask(client)
    token = token_of(answer)
    kept = client.get(f"{ANSWERS}/{token}").json()
    jsonschema.Draft202012Validator(schema("KeptAnswer")).validate(kept)
    assert kept["token"] == token and kept["link"] == answer["link"] and kept["at"] > 1.7e9
    assert kept["answer"]["matches"][0]["entry"] == "card-full" and "alice@example.com" not in json.dumps(kept)
    assert client.delete(f"{ANSWERS}/{token}").status_code == 204
    for gone in (client.get(f"{ANSWERS}/{token}"), client.delete(f"{ANSWERS}/{token}"), client.get(f"{ANSWERS}/short")):
        assert error(gone) == (404, "not-found", "token")
    assert client.get(answer["link"]).status_code == 404


def test_deleting_through_the_api_also_deletes_the_pasted_text() -> None:
    client = small(ForADay())
    page = client.post("/", data={"text": FULL})
    token = page.url.path.rpartition("/")[2]
    assert "CardFullError" in client.get(f"/?again={token}").text
    assert client.delete(f"{ANSWERS}/{token}").status_code == 204
    assert "CardFullError" not in client.get(f"/?again={token}").text


def test_what_helped_comes_back_with_the_next_answer(client: TestClient) -> None:
    token = token_of(ask(client))
    said = {"token": token, "said": "helped", "words": "I asked  bob@example.com ", "by": "Ann", "cause": "card-full/neighbour"}
    response = client.post(FEEDBACK, json=said)
    assert response.json() == {"token": token, "said": "helped"}
    jsonschema.Draft202012Validator(schema("Noted", closed=True)).validate(response.json())
    says = ask(client, FULL.replace("8,8", "9,9"))["memory"]["says"][0]
    assert "What helped the last time, says Ann: A neighbour holds the card" in says and "bob@example.com" not in says


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"token": "short"}, (422, "invalid-value", "token")),
        ({"token": "a" * 40}, (404, "not-found", "token")),
        ({"said": "perhaps"}, (422, "invalid-value", "said")),
        ({"words": "w" * 2001}, (422, "invalid-value", "words")),
        ({"words": "\ud800"}, (422, "invalid-value", "words")),
        ({"by": 7}, (422, "invalid-value", "by")),
        ({"cause": "card-full/none"}, (422, "invalid-value", "cause")),
        ({"stars": 5}, (422, "unknown-key", "stars")),
    ],
)
def test_impossible_feedback_is_refused(client: TestClient, change: Json, wanted: tuple[int, str, str]) -> None:
    body = {"token": token_of(ask(client)), "said": "helped", **change}
    assert error(client.post(FEEDBACK, content=json.dumps(body))) == wanted


def test_feedback_that_is_not_json_or_too_long_is_refused(client: TestClient) -> None:
    assert error(client.post(FEEDBACK, content=b"{"))[:2] == (422, "invalid-json")
    assert error(client.post(FEEDBACK, content=b"[]"))[:2] == (422, "invalid-json")
    assert error(client.post(FEEDBACK, content=b" " * (65 << 10)))[:2] == (413, "too-large")


def test_the_description_has_the_routes(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert {"get", "delete"} == set(document["paths"][f"{ANSWERS}/{{token}}"]) and "post" in document["paths"][FEEDBACK]
    question = document["paths"][URL]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert question["keep"]["type"] == "boolean" and question["keep"]["default"] is True
    assert {"KeptAnswer", "Noted"} <= set(document["components"]["schemas"])
    page = client.get("/docs").text
    assert "DELETE /api/v1/answers/{token}" in page and "Say whether an answer helped" in page


def served(client: TestClient) -> tuple[http.server.HTTPServer, str]:
    """A port on this machine that passes questions to the application."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            response = client.post(self.path, content=content, headers={"content-type": "application/json"})
            self.send_response(response.status_code)
            self.end_headers()
            self.wfile.write(response.content)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def test_the_command_line_shows_the_link(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    server, url = served(client)
    try:
        assert main(["ask", FULL, "--server", url, "--no-collect"]) == 0
        shown = capsys.readouterr().out
        link = re.search(rf"Kept as ({url}/a/[\w-]+)\n", shown)
        assert link and client.get(link[1].removeprefix(url)).status_code == 200
        assert main(["ask", FULL, "--server", url, "--no-collect", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["link"].startswith(f"{url}/a/")
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://x/\x1b[31m", 7, ""])
def test_an_invalid_link_is_not_shown(link: object) -> None:
    class Odd:
        def post(self, *_: object, **__: object) -> typing.Any:
            content = json.dumps({"abstained": True, "link": link}).encode()
            return type("Response", (), {"status_code": 200, "content": content})

    server, url = served(typing.cast(TestClient, Odd()))
    try:
        assert "link" not in ask_server(url, "x", {}, 3)
    finally:
        server.shutdown()
        server.server_close()
