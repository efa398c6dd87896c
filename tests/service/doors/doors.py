"""The doors, each as a function that is entered once and then receives one text after another.

To add a door, write a function that yields ``text -> Said`` and put it into ``DOORS``.
"""

import contextlib
import hashlib
import hmac
import http.server
import io
import json
import sys
import threading
import time
import typing
import urllib.parse

import httpx
import pytest

from tests.faults.knowledge import diagnoser
from tests.service.agents.session import connected, stdio
from tests.service.doors.reading import Said, of_blocks, of_document, of_page
from tests.service.serving import Server
from tfhelp.service.doors.cli.command_line import main

Json = dict[str, typing.Any]
Ask = typing.Callable[[str], Said]

_SECRET, _TOKEN = "8f742231b10e8888abcd99yyyzzz85a5", "xoxb-1-made-up"
_SECONDS = 60


class Surroundings(typing.NamedTuple):
    """What doors share: the server over the real knowledge base, and the stand-in for Slack that it uses."""

    server: Server
    slack: "Slack"


class Slack:
    """A stand-in for Slack on loopback: any method of its API succeeds, and messages to response URLs are kept."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._messages: dict[str, Json] = {}
        slack = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path.startswith("/respond/"):
                    slack._take(self.path, json.loads(body))
                answer = json.dumps({"ok": True, "team_id": "T1", "user_id": "U1", "bot_id": "B1"}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments: object) -> None:
                """Log nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def environment(self) -> dict[str, str]:
        """The environment of a server that belongs to this Slack."""
        return {"SLACK_SIGNING_SECRET": _SECRET, "SLACK_BOT_TOKEN": _TOKEN, "TFHELP_SLACK_API_URL": f"{self.url}/api/"}

    def _take(self, path: str, message: Json) -> None:
        with self._arrived:
            self._messages[path] = message
            self._arrived.notify_all()

    def message(self, path: str) -> Json:
        """The message to a response URL, as soon as it arrives."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: path in self._messages, _SECONDS), "Slack got no answer"
            return self._messages[path]

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def directly(_: Surroundings) -> typing.Iterator[Ask]:
    """The function that every door calls."""
    yield lambda text: of_document(typing.cast(Json, diagnoser().diagnose(text)))


@contextlib.contextmanager
def command_line(_: Surroundings) -> typing.Iterator[Ask]:
    """``tfhelp ask --json`` with the text on standard input."""

    def ask(text: str) -> Said:
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            assert main(["ask", "--no-collect", "--json"]) in (0, 1)
        return of_document(json.loads(out.getvalue()))

    yield ask


@contextlib.contextmanager
def http_api(around: Surroundings) -> typing.Iterator[Ask]:
    """``POST /api/v1/diagnose``."""
    with httpx.Client(base_url=around.server.url, timeout=_SECONDS) as client:
        yield lambda text: of_document(client.post("/api/v1/diagnose", json={"text": text}).json())


@contextlib.contextmanager
def web_form(around: Surroundings) -> typing.Iterator[Ask]:
    """The page that a browser without JavaScript gets for the form."""
    with httpx.Client(base_url=around.server.url, timeout=_SECONDS, follow_redirects=True) as client:

        def ask(text: str) -> Said:
            response = client.post("/", files={"text": (None, text)})
            assert response.status_code == 200
            return of_page(response.text, diagnoser().knowledge)

        yield ask


@contextlib.contextmanager
def slack_command(around: Surroundings) -> typing.Iterator[Ask]:
    """``/tfhelp TEXT`` in Slack, whose answer comes with the acknowledgement or after it."""
    number = 0

    def ask(text: str) -> Said:
        nonlocal number
        number += 1
        acknowledged = httpx.post(
            f"{around.server.url}/slack/events", timeout=_SECONDS, **_signed(text, f"{around.slack.url}/respond/{number}")
        )
        assert acknowledged.status_code == 200
        message = acknowledged.json() if acknowledged.text.startswith("{") else {}
        if "blocks" not in message:
            message = around.slack.message(f"/respond/{number}")
        return of_blocks(message, diagnoser().knowledge)

    yield ask


def _signed(text: str, response_url: str) -> Json:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    fields = {
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U2",
        "command": "/tfhelp",
        "text": escaped,
        "api_app_id": "A1",
        "response_url": response_url,
        "trigger_id": "1.2.3",
    }
    body, stamp = urllib.parse.urlencode(fields), str(int(time.time()))
    signature = hmac.new(_SECRET.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {
        "content": body,
        "headers": {
            "content-type": "application/x-www-form-urlencoded",
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": f"v0={signature}",
        },
    }


@contextlib.contextmanager
def agent(_: Surroundings) -> typing.Iterator[Ask]:
    """The tool ``diagnose`` over standard input and output."""
    with connected(stdio()) as session:

        def ask(text: str) -> Said:
            found = session.document("diagnose", text=text)
            named = found["verdict"] in ("undecided", "nothing-failed")
            candidates = found.get("candidates", []) if named else []
            entry = found.get("entry") or (candidates[0]["entry"] if candidates else None)
            return Said(found["verdict"], entry, found["cause"]["id"] if "cause" in found else None)

        yield ask


@contextlib.contextmanager
def library(_: Surroundings) -> typing.Iterator[Ask]:
    """``tfhelp.diagnose``, which the notebook's ``%tfhelp`` calls."""
    import tfhelp

    yield lambda text: of_document(typing.cast(Json, tfhelp.diagnose(text)))


DOORS: dict[str, typing.Callable[[Surroundings], typing.ContextManager[Ask]]] = {
    "command line": command_line,
    "http api": http_api,
    "web form": web_form,
    "slack": slack_command,
    "agent": agent,
    "library": library,
}
