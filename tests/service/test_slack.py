"""The slash command over real HTTP: Slack's signatures, Slack's limits, and Slack's API reachable or not."""

import hashlib
import hmac
import html
import http.server
import json
import threading
import time
import typing
import urllib.parse

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.serving import Server
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.slack.blocks import answer_blocks, code_block, escape, unescape

Json = dict[str, typing.Any]

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TOKEN = "xoxb-1-made-up"
FULL = "CardFullError: no room for tensor 3,4"


class SlackApi:
    """A stand-in for Slack's Web API on loopback that knows ``auth.test``."""

    def __init__(self) -> None:
        asked: list[tuple[str, str]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                token = self.headers.get("Authorization", "")
                asked.append((self.path, token))
                good = token == f"Bearer {TOKEN}"
                answer = {"ok": True, "team_id": "T1", "user_id": "U1"} if good else {"ok": False, "error": "invalid_auth"}
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.asked = asked
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/api/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def slack_environment(api_url: str, token: str = TOKEN) -> dict[str, str]:
    """The environment of a server with Slack on."""
    return {"SLACK_SIGNING_SECRET": SECRET, "SLACK_BOT_TOKEN": token, "TFHELP_SLACK_API_URL": api_url}


@pytest.fixture(scope="module")
def api() -> typing.Iterator[SlackApi]:
    """Slack's API, reachable."""
    running = SlackApi()
    yield running
    running.close()


@pytest.fixture(scope="module")
def slack(api: SlackApi) -> typing.Iterator[Server]:
    """The doors with Slack on and its API reachable."""
    with Server.small(environment=slack_environment(api.url)) as running:
        yield running


def command(
    server: Server, text: str, *, secret: str = SECRET, age: int = 0, tamper: str = "", name: str = "/tfhelp"
) -> httpx.Response:
    """Send a slash command as Slack does."""
    fields = {
        "token": "deprecated",
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U2",
        "user_name": "ada",
        "command": name,
        "text": text,
        "api_app_id": "A1",
        "response_url": "http://127.0.0.1:9/none",
        "trigger_id": "1.2.3",
    }
    body = urllib.parse.urlencode(fields)
    stamp = str(int(time.time()) - age)
    signature = "v0=" + hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": signature,
    }
    return httpx.post(f"{server.url}/slack/events", content=body + tamper, headers=headers, timeout=10)


def texts(payload: Json) -> list[str]:
    """Every text of a payload."""
    found = []
    for block in payload["blocks"]:
        found += [block["text"]["text"]] if "text" in block else [element["text"] for element in block["elements"]]
    return found


def check_limits(payload: Json) -> None:
    """What Slack refuses a message for."""
    assert 1 <= len(payload["blocks"]) <= 50
    for block in payload["blocks"]:
        assert block["type"] in ("header", "section", "context")
        parts = [block["text"]] if "text" in block else block["elements"]
        assert 1 <= len(parts) <= 10
        for part in parts:
            assert 1 <= len(part["text"]) <= (150 if block["type"] == "header" else 3000)
            assert part["type"] == ("plain_text" if block["type"] == "header" else "mrkdwn")
            if part["type"] == "mrkdwn":
                assert "<" not in part["text"]
                assert part["text"].count("```") % 2 == 0
    assert "<" not in payload["text"]


def test_a_command_is_answered_in_the_acknowledgement(slack: Server) -> None:
    started = time.monotonic()
    response = command(slack, FULL)
    assert time.monotonic() - started < 3
    assert response.status_code == 200
    payload = response.json()
    check_limits(payload)
    assert payload["response_type"] == "ephemeral"
    said = html.unescape("\n".join(texts(payload)))
    for expected in (
        "The card <is> full",
        "`card-full`",
        "A neighbour holds the card",
        "Make room",
        "```\nnvidia-smi",
        "1 more step: `tfhelp explain card-full`",
        "stops the run",
        "Does it run in a container?",
    ):
        assert expected in said, expected


@pytest.mark.slow
def test_the_processes_of_the_real_service_answer_a_command(api: SlackApi) -> None:
    with Server.real("--workers", "2", environment=slack_environment(api.url)) as server:
        payload = command(server, "Cannot dlopen some GPU libraries.").json()
        check_limits(payload)
        assert any("GPU libraries" in text for text in texts(payload))


def test_the_command_says_what_the_one_function_says(slack: Server) -> None:
    text, blocks = answer_blocks(small_diagnoser().diagnose(FULL))
    payload = command(slack, FULL).json()
    assert payload["text"] == text and payload["blocks"] == blocks


def test_slacks_escapes_are_undone_before_the_diagnosis(slack: Server) -> None:
    payload = command(slack, escape(f"{FULL} <a & b>")).json()
    assert "no room for tensor 3,4 &lt;a &amp; b&gt;" in "\n".join(texts(payload))


@pytest.mark.parametrize("text", ["", "   ", "help"])
def test_an_empty_command_gets_the_usage(slack: Server, text: str) -> None:
    payload = command(slack, text).json()
    check_limits(payload)
    assert "Usage" in texts(payload)[0]


def test_an_unknown_error_gets_an_honest_answer(slack: Server) -> None:
    payload = command(slack, "the coffee machine on the second floor is broken again").json()
    check_limits(payload)
    assert "I do not know this one" in texts(payload)[0]


@pytest.mark.parametrize(
    "attack",
    ["<!channel> <@U1> <https://evil.example|click>", "``` *bold* ```", "&lt;!here&gt;", "x" * 7000, "&" * 4000, "`" * 500],
)
def test_pasted_text_cannot_mention_link_or_break_out(slack: Server, attack: str) -> None:
    payload = command(slack, f"{FULL} {attack}").json()
    check_limits(payload)
    sections = [block["text"] for block in payload["blocks"] if block["type"] == "section"]
    assert all(section["verbatim"] for section in sections)
    shown = next(section["text"] for section in sections if "CardFullError" in section["text"])
    assert shown.startswith("```\n") and shown.endswith("\n```") and "```" not in shown[3:-3]


def test_a_wrong_signature_is_refused(slack: Server) -> None:
    assert command(slack, FULL, secret="another").status_code == 401


def test_a_changed_body_is_refused(slack: Server) -> None:
    assert command(slack, FULL, tamper="&text=other").status_code == 401


def test_a_replayed_request_is_refused(slack: Server) -> None:
    assert command(slack, FULL, age=60).status_code == 200
    assert command(slack, FULL, age=6 * 60).status_code == 401
    assert command(slack, FULL, age=-6 * 60).status_code == 401


def test_a_request_without_a_signature_is_refused(slack: Server) -> None:
    assert httpx.post(f"{slack.url}/slack/events", data={"command": "/tfhelp", "text": FULL}).status_code == 401


def test_slacks_url_verification_is_answered(slack: Server) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-1", "token": "t"})
    stamp = str(int(time.time()))
    signature = "v0=" + hmac.new(SECRET.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    headers = {"content-type": "application/json", "x-slack-request-timestamp": stamp, "x-slack-signature": signature}
    response = httpx.post(f"{slack.url}/slack/events", content=body, headers=headers)
    assert response.status_code == 200 and response.json() == {"challenge": "c-1"}


def test_another_command_is_not_ours(slack: Server) -> None:
    assert command(slack, FULL, name="/other").status_code == 404


def test_bytes_that_are_no_text_and_bodies_too_large_are_refused(slack: Server) -> None:
    assert httpx.post(f"{slack.url}/slack/events", content=b"\xff\xfe").status_code == 400
    assert httpx.post(f"{slack.url}/slack/events", content=b"x" * (2 << 20)).status_code == 413


def test_a_fault_of_ours_is_a_sentence_and_logs_no_text(slack: Server) -> None:
    payload = command(slack, "FAIL-ON-PURPOSE my-secret-token-789").json()
    check_limits(payload)
    assert "tfhelp failed on this text" in texts(payload)[0]
    assert "my-secret-token-789" not in json.dumps(payload) + slack.output()


def wait_for_slack_state(server: Server, expected: str) -> None:
    """Until the health says so; the check of the token runs beside the first requests."""
    end = time.monotonic() + 20
    state = ""
    while time.monotonic() < end:
        state = httpx.get(f"{server.url}/healthz").json()["slack"]
        if expected in state:
            return
        time.sleep(0.1)
    raise AssertionError(f"the state of Slack is {state!r}, not {expected!r}")


def test_the_token_is_checked_with_slack(slack: Server, api: SlackApi) -> None:
    wait_for_slack_state(slack, "on")
    assert ("/api/auth.test", f"Bearer {TOKEN}") in api.asked


def test_a_refused_token_is_said_and_nothing_else_breaks(api: SlackApi) -> None:
    with Server.small(environment=slack_environment(api.url, token="xoxb-wrong")) as server:
        wait_for_slack_state(server, "token refused by Slack: invalid_auth")
        assert "invalid_auth" in server.output()
        assert command(server, FULL).status_code == 200


def test_commands_are_answered_while_slacks_api_cannot_be_reached() -> None:
    with Server.small(environment=slack_environment("http://127.0.0.1:9/api/")) as server:
        started = time.monotonic()
        assert "card-full" in command(server, FULL).text
        assert time.monotonic() - started < 3
        wait_for_slack_state(server, "cannot be reached")
        assert command(server, FULL, secret="another").status_code == 401


@pytest.mark.parametrize("environment", [{}, {"SLACK_SIGNING_SECRET": SECRET}, {"SLACK_BOT_TOKEN": TOKEN}])
def test_slack_is_off_unless_both_secrets_are_set(environment: dict[str, str]) -> None:
    with Server.small(environment=environment) as server:
        assert command(server, FULL).status_code == 404
        assert httpx.get(f"{server.url}/healthz").json()["slack"] == "off"
        assert ("Slack stays off" in server.output()) == bool(environment)


@given(st.text(st.sampled_from("&<>;ltgamp `*_|"), max_size=40))
def test_escaping_is_undone_by_unescaping(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "<" not in escape(text) and ">" not in escape(text)


@given(st.text(st.sampled_from("`\n ab<&"), max_size=3500))
def test_no_code_breaks_out_of_its_block(code: str) -> None:
    block = code_block(code)
    assert len(block) <= 3000
    assert block.startswith("```\n") and block.endswith("\n```") and "```" not in block[3:-3]
