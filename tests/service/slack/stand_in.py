"""A stand-in for Slack on loopback: a real HTTP server that accepts tfhelp's calls, and refuses what Slack refuses.

It checks tokens, the limits of blocks and views, triggers (they work once), response URLs (five messages) and the order of calls.
Slack's triggers and acknowledgements have three seconds. Here they have longer, because a busy machine may stop a process for so
long. It can answer 429, serves files to callers with the token, and opens sockets for Socket Mode.
``sender`` sends the requests.
"""

from __future__ import annotations

import base64
import collections
import hashlib
import http.server
import json
import threading
import time
import typing
import urllib.parse

from tests.service.slack.block_limits import faults_of_message, faults_of_view
from tests.service.slack.socket_end import Socket

Json = dict[str, typing.Any]

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TOKEN = "xoxb-1-made-up"
APP_TOKEN = "xapp-1-made-up"
_TRIGGER_SECONDS = 30.0
_PATIENCE = 60.0
_SOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Call(typing.NamedTuple):
    """A call that came in: a method of the Web API, ``respond`` for a response URL, ``file`` or ``webhook``."""

    method: str
    body: Json
    token: str = ""


class Slack:
    """The stand-in.

    Attributes:
        calls: the calls received, in order, without those that were answered with 429.
        faults: what Slack would have refused, in words.
        threads: (channel, time stamp) -> messages.
        files: name -> content.
        members: channels that the app is in.
        links: addresses that a post by webhook may link to.
        hooks: path of an incoming webhook -> what it answers instead of taking a message; empty if it takes one.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.faults: list[str] = []
        self.threads: dict[tuple[str, str], list[Json]] = {}
        self.files: dict[str, bytes] = {}
        self.infos: dict[str, Json] = {}
        self.members = {"C1"}
        self.links: set[str] = set()
        self.hooks: dict[str, tuple[int, str]] = {}
        self._limits: dict[str, list[float]] = collections.defaultdict(list)
        self._closed_until: dict[str, float] = {}
        self._failures: dict[str, int] = collections.defaultdict(int)
        self._triggers: dict[str, float] = {}
        self._uses: dict[str, int] = collections.defaultdict(int)
        self._dead: set[str] = set()
        self._number = 0
        self.changed = threading.Condition()
        self.sockets: list[Socket] = []
        slack = self

        class Handler(_Handler):
            stand_in = slack

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.host}/api/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def environment(self, **changes: str) -> dict[str, str]:
        """The environment of a server that talks to this Slack."""
        return {
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_BOT_TOKEN": TOKEN,
            "TFHELP_SLACK_API_URL": self.url,
            **changes,
        }

    def close(self) -> None:
        """Stop answering."""
        for socket in self.sockets:
            socket.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # What a test arranges.

    def limit(self, method: str, seconds: int) -> None:
        """Answer the next call of a method with 429, and any call that comes before the seconds are over."""
        self._limits[method].append(seconds)

    def fail(self, method: str, times: int = 1) -> None:
        """Answer the next calls with 503."""
        self._failures[method] += times

    def new(self, prefix: str) -> str:
        """A new identifier."""
        with self.changed:
            self._number += 1
            return f"{prefix}{self._number}"

    def trigger(self) -> str:
        """A trigger that opens one modal soon."""
        name = self.new("trigger.")
        self._triggers[name] = time.monotonic() + _TRIGGER_SECONDS
        return name

    def response_url(self, dead: bool = False) -> str:
        """A response URL; a dead one has expired."""
        name = self.new("r")
        if dead:
            self._dead.add(name)
        return f"{self.host}/respond/{name}"

    def file(self, name: str, content: bytes, mimetype: str = "text/plain", **more: typing.Any) -> Json:
        """A file as a message describes it."""
        identifier = self.new("F")
        self.files[identifier] = content
        described = {
            "id": identifier,
            "name": name,
            "mimetype": mimetype,
            "mode": "hosted",
            "size": len(content),
            "url_private_download": f"{self.host}/files/{identifier}/{urllib.parse.quote(name)}",
            **more,
        }
        self.infos[identifier] = described
        return described

    # What came in.

    def mark(self) -> int:
        """The number of calls so far; ``wait`` looks after it."""
        with self.changed:
            return len(self.calls)

    def wait(self, *methods: str, after: int = 0) -> Call:
        """The next call of one of the methods."""
        end = time.monotonic() + _PATIENCE
        with self.changed:
            while True:
                for call in self.calls[after:]:
                    if call.method in methods:
                        return call
                left = end - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"no {' or '.join(methods)} came; calls: {[call.method for call in self.calls[after:]]}")
                self.changed.wait(left)

    def connected(self, count: int) -> Socket:
        """The newest connection of Socket Mode, once there are this many."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.sockets) >= count, _PATIENCE), "no connection came"
            return self.sockets[-1]

    def acknowledged(self, socket: Socket, envelope: str) -> None:
        """Wait until a message is acknowledged."""
        with self.changed:
            assert self.changed.wait_for(lambda: envelope in socket.acknowledged, _PATIENCE), f"{envelope} was not acknowledged"

    def took(self, method: str, body: Json, token: str = "") -> None:
        """Record a call."""
        with self.changed:
            self.calls.append(Call(method, body, token))
            self.changed.notify_all()

    # How Slack answers.

    def refusal(self, method: str) -> tuple[int, dict[str, str]] | None:
        """Whether the rate limit refuses a call, or it fails: status and headers."""
        with self.changed:
            if self._failures[method]:
                self._failures[method] -= 1
                return 503, {}
            if time.monotonic() < self._closed_until.get(method, 0.0):
                self.faults.append(f"{method} came again before Retry-After was over")
                return 429, {"Retry-After": "1"}
            if self._limits[method]:
                seconds = self._limits[method].pop(0)
                # Slack counts in whole seconds, and serves a client that waits exactly that long.
                self._closed_until[method] = time.monotonic() + seconds - 0.05
                return 429, {"Retry-After": f"{seconds:.0f}"}
        return None

    def answer(self, method: str, body: Json, token: str) -> Json:
        """The answer of a method of the Web API."""
        wanted = APP_TOKEN if method == "apps.connections.open" else TOKEN
        if token != wanted:
            return {"ok": False, "error": "invalid_auth"}
        known = getattr(self, "_" + method.replace(".", "_"), None)
        if known is None:
            self.faults.append(f"a call of {method}")
            return {"ok": False, "error": "unknown_method"}
        reply: Json = known(body)
        return reply

    def respond(self, name: str, body: Json) -> tuple[int, str]:
        """Take a message for a response URL."""
        self._uses[name] += 1
        if name in self._dead:
            return 404, "expired_url"
        if self._uses[name] > 5:
            return 404, "used_url"
        faults = faults_of_message(body)
        if body.get("response_type", "ephemeral") not in ("ephemeral", "in_channel"):
            faults.append(f"response_type {body['response_type']}")
        return self._judged("respond", faults, (200, "ok"), (500, "invalid_blocks"))

    def webhook(self, name: str, body: Json) -> tuple[int, str]:
        """Take a message for an incoming webhook."""
        if name in self.hooks:
            return self.hooks[name]
        written = json.dumps(body)
        for link in self.links:
            written = written.replace(f"<{link}|", "")
        faults = faults_of_message(json.loads(written))
        return self._judged("webhook", faults, (200, "ok"), (400, "invalid_blocks"))

    def _judged(self, method: str, faults: list[str], good: typing.Any, bad: typing.Any) -> typing.Any:
        self.faults += [f"{method}: {fault}" for fault in faults]
        return bad if faults else good

    def _auth_test(self, body: Json) -> Json:
        return {"ok": True, "team_id": "T1", "user_id": "U1", "bot_id": "B1"}

    def _chat_postMessage(self, body: Json) -> Json:  # noqa: N802 - Slack's name
        channel = body.get("channel", "")
        if not channel.startswith(("U", "D")) and channel not in self.members:
            return {"ok": False, "error": "not_in_channel"}
        bad = {"ok": False, "error": "invalid_blocks"}
        reply: Json = self._judged("chat.postMessage", faults_of_message(body), {"ok": True, "ts": self.new("9.")}, bad)
        return reply

    def _chat_postEphemeral(self, body: Json) -> Json:  # noqa: N802 - Slack's name
        if body.get("channel") not in self.members:
            return {"ok": False, "error": "not_in_channel"}
        faults = faults_of_message(body) + ([] if body.get("user") else ["no user"])
        reply: Json = self._judged("chat.postEphemeral", faults, {"ok": True}, {"ok": False, "error": "invalid_blocks"})
        return reply

    def _views_open(self, body: Json) -> Json:
        lives_until = self._triggers.pop(body.get("trigger_id", ""), 0.0)
        if time.monotonic() > lives_until:
            self.faults.append("views.open with a trigger that has expired")
            return {"ok": False, "error": "expired_trigger_id"}
        bad = {"ok": False, "error": "invalid_arguments"}
        reply: Json = self._judged("views.open", faults_of_view(body["view"]), {"ok": True}, bad)
        return reply

    def _views_publish(self, body: Json) -> Json:
        bad = {"ok": False, "error": "invalid_arguments"}
        reply: Json = self._judged("views.publish", faults_of_view(body["view"]), {"ok": True}, bad)
        return reply

    def _conversations_replies(self, body: Json) -> Json:
        if body["channel"] not in self.members:
            return {"ok": False, "error": "channel_not_found"}
        messages = self.threads.get((body["channel"], body["ts"]))
        if messages is None:
            return {"ok": False, "error": "thread_not_found"}
        begin, count = int(body.get("cursor") or 0), min(int(body.get("limit", 1000)), 2)
        more = begin + count < len(messages)
        metadata = {"next_cursor": str(begin + count) if more else ""}
        return {"ok": True, "messages": messages[begin : begin + count], "has_more": more, "response_metadata": metadata}

    def _files_info(self, body: Json) -> Json:
        known = self.infos.get(body.get("file", ""))
        return {"ok": True, "file": known} if known else {"ok": False, "error": "file_not_found"}

    def _apps_connections_open(self, body: Json) -> Json:
        return {"ok": True, "url": f"{self.host.replace('http', 'ws')}/link/?ticket={self.new('t')}"}


class _Handler(http.server.BaseHTTPRequestHandler):
    stand_in: Slack

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = urllib.parse.urlsplit(self.path).path
        place, _, name = path.lstrip("/").partition("/")
        method = {"api": name, "respond": "respond", "services": "webhook"}.get(place, "")
        refused = self.stand_in.refusal(method)
        if refused is not None:
            self._send(refused[0], b"", "text/plain", refused[1])
            return
        body = self._body(raw)
        token = self.headers.get("Authorization", "").removeprefix("Bearer ") or body.pop("token", "")
        # Judged before it is recorded: a test that waits for the call sees the fault. Recorded before it is answered: a caller
        # that goes on after the answer makes later calls, and those are recorded later.
        status, text, kind = 404, "", "text/plain"
        if place == "api":
            status, text, kind = 200, json.dumps(self.stand_in.answer(name, body, token)), "application/json"
        elif place in ("respond", "services"):
            status, text = self.stand_in.respond(name, body) if place == "respond" else self.stand_in.webhook(name, body)
        self.stand_in.took(method, body | ({"response_url": name} if place == "respond" else {}), token)
        self._send(status, text.encode(), kind)

    def do_GET(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        place, _, name = parts.path.lstrip("/").partition("/")
        if place == "api":
            query = dict(urllib.parse.parse_qsl(parts.query))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            answer = json.dumps(self.stand_in.answer(name, query, token)).encode()
            self.stand_in.took(name, query, token)
            self._send(200, answer, "application/json")
        elif place == "files":
            self._file(name.partition("/")[0])
        elif place == "link":
            self._socket()
        else:
            self._send(200, b"<html>Sign in to Slack</html>", "text/html")

    def _file(self, identifier: str) -> None:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        content = self.stand_in.files.get(identifier)
        self.stand_in.took("file", {"id": identifier}, token)
        if token != TOKEN or content is None:
            self._send(302, b"", "text/plain", {"Location": f"{self.stand_in.host}/login"})
        else:
            self._send(200, content, "application/octet-stream")

    def _socket(self) -> None:
        key = self.headers["Sec-WebSocket-Key"] + _SOCKET_GUID
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.close_connection = True
        lines = [
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Accept: {accept}",
        ]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        socket = Socket(self.connection)
        socket.send({"type": "hello", "num_connections": 1})
        with self.stand_in.changed:
            self.stand_in.sockets.append(socket)
            self.stand_in.changed.notify_all()
        socket.read_until_closed(self.stand_in.changed)

    def _body(self, raw: bytes) -> Json:
        if self.headers.get("Content-Type", "").startswith("application/json"):
            return dict(json.loads(raw or b"{}"))
        return dict(urllib.parse.parse_qsl(raw.decode()))

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Log nothing."""
