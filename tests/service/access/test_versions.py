"""An old client understands a new server, and a new client reports what it has met: an old server, a newer one, or another program."""

import contextlib
import http.server
import json
import pathlib
import threading
import typing

import jsonschema
import pytest

from tests.service.access.doors import FULL, Held, client, policy, running
from tests.service.access.old_client import client as old_client
from tests.service.small_server import small_diagnoser
from tfhelp.service.__main__ import main
from tfhelp.service.access.identity import OF_A_PERSON, Who
from tfhelp.service.doors.cli.client import ask_server, token_of
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.versions import API_VERSION
from tfhelp.service.errors import InputError
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]
OLD = json.loads((pathlib.Path(__file__).parent / "old_client" / "schemas.json").read_text(encoding="utf-8"))["schemas"]
TOKEN = "tfhelp_of-these-tests"
TEXTS = (
    FULL,
    "training ends without a word",
    "django.db.utils.OperationalError: no such table",
    "Epoch 1/1\n4/4 - loss: 0.3512\n",
)


def old(name: str) -> jsonschema.Draft202012Validator:
    """What an old client relies on: its keys are there and keep their meaning. It ignores keys that it does not know."""
    return jsonschema.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": OLD}})


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[str]:
    """A new server with a memory."""
    memory = TeamMemory.open(str(tmp_path_factory.mktemp("memory") / "team.db"))
    with running(create_app(small_diagnoser(), memory=memory)) as address:
        yield address
    memory.close()


def test_the_recorded_client_gets_an_answer_that_it_understands(url: str) -> None:
    for text in (*TEXTS, FULL):
        answer = old_client.ask_server(url, text, {"os": {"name": "linux"}}, 3)
        old("Answer").validate(answer)
        assert answer["link"].startswith(f"{url}/a/")
    assert answer["matches"][0]["entry"] == "card-full" and not answer["abstained"]


def test_every_answer_fits_what_an_old_reader_relies_on() -> None:
    asked = client(policy(is_open=True))
    for path, name in (("entries", "Entries"), ("entries/card-full", "Entry"), ("search?q=card", "Found")):
        old(name).validate(asked.get(f"/api/v1/{path}").json())
    old("Health").validate(asked.get("/healthz").json())
    old("Ready").validate(asked.get("/readyz").json())
    token = asked.post("/", files={"text": (None, FULL)}).headers["location"][3:]
    old("KeptAnswer").validate(asked.get(f"/api/v1/answers/{token}").json())
    old("Noted").validate(asked.post("/api/v1/feedback", json={"token": token, "said": "helped"}).json())


def test_every_refusal_fits_it_too() -> None:
    asked = client(policy(tokens=(Held(ci=Who("token:1", "ci", frozenset(["metrics"]))),), rate="2/minute"))
    found = [asked.post("/api/v1/diagnose", json={"text": FULL}, headers={"Authorization": "Bearer ci"}) for _ in range(3)]
    found.append(asked.post("/api/v1/diagnose", json={"text": FULL}))
    assert [response.status_code for response in found] == [403, 403, 429, 401]
    for response in found:
        old("Error").validate(response.json())


def test_an_old_client_says_why_it_is_refused() -> None:
    app = create_app(small_diagnoser(), policy=policy(tokens=(Held(),)))
    with (
        running(app) as url,
        pytest.raises(InputError, match=r"refused the question \(401\).*this server needs a token or a login"),
    ):
        old_client.ask_server(url, FULL, {}, 3)


def test_the_old_clients_reader_is_strict() -> None:
    answer = small_diagnoser().diagnose(FULL)
    old("Answer").validate(dict(answer))
    for changed in ({"verdict": "perhaps"}, {"matches": {}}, {"took_ms": "1"}):
        assert not old("Answer").is_valid({**answer, **changed})
    assert not old("Answer").is_valid({name: value for name, value in answer.items() if name != "abstained"})


def test_every_answer_of_the_api_names_its_version(url: str) -> None:
    asked = client(policy(tokens=(Held(),)))
    for response in (
        asked.get("/api/v1/entries"),
        asked.get("/api/v1/nothing"),
        client(policy(is_open=True)).get("/api/v1/entries"),
    ):
        assert response.headers["tfhelp-api"] == API_VERSION
    assert "tfhelp-api" not in asked.get("/static/style.css").headers
    assert client(policy(is_open=True)).get("/healthz").json()["api_version"] == API_VERSION


# --- a new client ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def answering(
    body: bytes, status: int = 200, headers: typing.Mapping[str, str] | None = None, host: str = "127.0.0.1"
) -> typing.Iterator[tuple[str, list[dict[str, str]]]]:
    """The address of a server that gives this answer, and the headers that it received."""
    asked: list[dict[str, str]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append({name.lower(): value for name, value in self.headers.items()})
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815 - the name that http.server looks for

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer((host, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{host}:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


ANSWER = json.dumps(small_diagnoser().diagnose(FULL)).encode()


def test_a_new_client_and_a_new_server_print_no_version_warning(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask_server(url, FULL, {}, 3)["matches"]
    assert capsys.readouterr().err == ""


def test_an_old_server_is_answered_for_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(ANSWER) as (url, _):
        assert ask_server(url, FULL, {}, 3)["matches"][0]["entry"] == "card-full"
        assert f"{url} is an older tfhelp" in capsys.readouterr().err


def test_a_server_with_more_than_this_client_knows_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    more = json.dumps({**json.loads(ANSWER), "more": {"to": "come"}}).encode()
    with answering(more, headers={"Tfhelp-Api": "1.9"}) as (url, _):
        assert ask_server(url, FULL, {}, 3)["matches"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("body", "status", "headers", "says"),
    [
        (b"{}", 200, {"Tfhelp-Api": "2.0"}, r"speaks version 2\.0 of the API.*speaks version 1: update tfhelp here"),
        (ANSWER, 200, {"Tfhelp-Api": "2.0"}, r"update tfhelp here"),
        (b"", 404, {"Tfhelp-Api": "2.1"}, r"update tfhelp here"),
        (b"", 404, {"Tfhelp-Api": "0.9"}, r"update the server"),
        (b'{"hello": "world"}', 200, {}, "answers, but it is not a tfhelp server"),
        (b"<html>hello</html>", 200, {}, "does not answer"),
        (b"nothing here", 404, {}, r"refused the question \(404\): nothing here; is that the address of a 'tfhelp serve'"),
        (b"\x1b[2Jgone", 500, {}, r"refused the question \(500\):  \[2Jgone"),
        (
            b'{"error": {"path": "", "reason": "who?"}}',
            401,
            {},
            r"\(401\): who\?; ask the server's owner for a token.*TFHELP_TOKEN",
        ),
        (b'{"error": {"path": "facts.os", "reason": "no"}}', 422, {}, r"\(422\): facts\.os: no$"),
        (b'{"error": {"reason": "slow down"}}', 429, {"Retry-After": "17"}, r"slow down; ask again in 17 s"),
        (b"[]", 503, {"Retry-After": "soon\x1b"}, r"\(503\): \[\]$"),
    ],
    # ANSWER holds a duration, and the ids of a test must be the same in each process of pytest-xdist.
    ids=("newer", "newer-answers", "newer-404", "older-404", "json", "html", "404", "500", "401", "422", "429", "503"),
)
def test_an_answer_of_another_program_is_reported(body: bytes, status: int, headers: dict[str, str], says: str) -> None:
    with answering(body, status, headers) as (url, _), pytest.raises(InputError, match=says) as told:
        ask_server(url, FULL, {}, 3)
    assert "\x1b" not in str(told.value)


def test_a_token_comes_from_the_environment_or_a_file_and_never_from_the_command_line(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    monkeypatch.setenv("TFHELP_TOKEN", "of-the-environment")
    with answering(ANSWER, headers={"Tfhelp-Api": "1.1"}) as (url, asked):
        assert main(["ask", FULL, "--no-collect", "--server", url, "--token-file", str(path)]) == 0
        assert main(["ask", FULL, "--no-collect", "--server", url]) == 0
        monkeypatch.delenv("TFHELP_TOKEN")
        assert main(["ask", FULL, "--no-collect", "--server", url]) == 0
    assert [one.get("authorization") for one in asked] == [f"Bearer {TOKEN}", "Bearer of-the-environment", None]
    assert capsys.readouterr().err == ""
    for bad, says in (("", "is empty"), ("two words", "holds no token"), ("caf\u00e9", "holds no token")):
        path.write_text(bad)
        with pytest.raises(InputError, match=says):
            token_of(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        token_of(str(tmp_path / "none"))
    assert main(["ask", FULL, "--token-file", str(path)]) == 2


def test_a_token_follows_no_redirect() -> None:
    with (
        answering(ANSWER) as (target, there),
        answering(b"", 302, {"Location": f"{target}/elsewhere"}) as (url, here),
        contextlib.suppress(InputError),
    ):
        ask_server(url, FULL, {}, 3, TOKEN)
    assert here[0]["authorization"] == f"Bearer {TOKEN}"
    assert there and "authorization" not in there[0]


def test_sending_a_token_unencrypted_prints_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(ANSWER, headers={"Tfhelp-Api": "1.1"}, host="127.0.0.2") as (url, asked):
        ask_server(url, FULL, {}, 3)
        assert capsys.readouterr().err == ""
        ask_server(url, FULL, {}, 3, TOKEN)
    said = capsys.readouterr().err
    assert "go to 127.0.0.2 unencrypted" in said and TOKEN not in said and len(asked) == 2


def test_a_new_client_asks_a_new_server_with_its_token() -> None:
    app = create_app(small_diagnoser(), policy=policy(tokens=(Held(**{TOKEN: Who("token:1", "ci", OF_A_PERSON)}),)))
    with running(app) as url:
        assert ask_server(url, FULL, {}, 3, TOKEN)["matches"]
        for token in ("", "wrong"):
            with pytest.raises(InputError, match=r"\(401\).*ask the server's owner for a token"):
                ask_server(url, FULL, {}, 3, token)
