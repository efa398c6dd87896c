"""What ``tfhelp ask --server`` sends, captured between the client and a real server."""

import collections.abc
import http.server
import json
import pathlib
import socket
import subprocess
import sys
import threading
import typing
import urllib.request

import pytest

from tests.redaction import planting
from tests.service.serving import Server
from tfhelp.service.doors.cli.client import ask_server
from tfhelp.service.errors import InputError

SECRETS = {
    "user": "qamelunow",
    "host": "qzirog17",
    "address": "10.87.45.201",
    "key": "0f3c9a7b5d1e2f4a6b8c0d9e7f5a3b1c2d4e6f80",
    "script": "qrevolatow",
}
LOG = """\
{user}@{host}:~/project$ WANDB_API_KEY={key} python /home/{user}/train.py
worker at {address}:2222
Traceback (most recent call last):
  File "/home/{user}/train.py", line 3, in <module>
    model.fit(x)
ResourceExhaustedError: OOM when allocating tensor with shape[256,128] and type float on /job:localhost/device:GPU:0 by allocator GPU_0_bfc
""".format(**SECRETS)


class Wire:
    """Passes requests on to a server and records them.

    Attributes:
        url: where it listens.
        bodies: each request's path, headers and body as text.
    """

    def __init__(self, target: str) -> None:
        self.bodies: list[str] = []
        wire = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                wire.bodies.append(f"{self.path}\n{self.headers}\n{body.decode()}")
                request = urllib.request.Request(target + self.path, body, {"content-type": "application/json"})
                with urllib.request.urlopen(request, timeout=60) as response:
                    content = response.read()
                self.send_response(200)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def sent(self) -> dict[str, typing.Any]:
        """The last request's document."""
        document: dict[str, typing.Any] = json.loads(self.bodies[-1].rpartition("\n")[2])
        return document

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture(scope="module")
def wire() -> collections.abc.Iterator[Wire]:
    with Server.small() as server:
        wire = Wire(server.url)
        try:
            yield wire
        finally:
            wire.close()


def _ask(wire: Wire, folder: pathlib.Path, *options: str) -> "subprocess.CompletedProcess[str]":
    (folder / f"{SECRETS['user']}.log").write_text(LOG)
    (folder / f"{SECRETS['script']}.py").write_text(
        f"import tensorflow as tf\ntoken = '{SECRETS['key']}'\nx = tf.zeros([3])\nopen('/home/{SECRETS['user']}/x')\n"
    )
    (folder / "facts.json").write_text(json.dumps({"python": {"executable": f"/home/{SECRETS['user']}/venv/bin/python"}}))
    files = ("-f", f"{SECRETS['user']}.log", "--code", f"{SECRETS['script']}.py", "--facts", "facts.json")
    return subprocess.run(
        [sys.executable, "-m", "tfhelp.service", "ask", *files, "--no-collect", "--server", wire.url, *options],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
    )


def test_text_facts_code_and_names_of_files_leave_without_secrets(wire: Wire, tmp_path: pathlib.Path) -> None:
    asked = _ask(wire, tmp_path, "--json")
    assert asked.returncode in (0, 1), asked.stderr
    sent = wire.bodies[-1]
    assert [name for name, secret in SECRETS.items() if secret in sent] == []
    assert "/home/USER-1/train.py" in wire.sent()["text"]
    assert wire.sent()["facts"]["python"]["executable"].startswith("/home/USER-1/")  # the same user as in the text
    assert "keep" not in wire.sent()


def test_the_reader_sees_their_own_path_and_no_key(wire: Wire, tmp_path: pathlib.Path) -> None:
    answer = typing.cast(dict[str, typing.Any], ask_server(wire.url, LOG, {}, 3, own_names=True))
    shown = json.dumps(answer)
    assert "USER-1" not in shown
    assert SECRETS["key"] not in shown
    assert SECRETS["user"] not in wire.bodies[-1]
    plain = json.dumps(ask_server(wire.url, LOG, {}, 3))
    assert SECRETS["user"] not in plain


def test_no_keep_asks_the_server_to_keep_nothing(wire: Wire, tmp_path: pathlib.Path) -> None:
    assert _ask(wire, tmp_path, "--json", "--no-keep").returncode in (0, 1)
    assert wire.sent()["keep"] is False


def test_no_keep_without_a_server_is_refused(tmp_path: pathlib.Path) -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "tfhelp.service", "ask", "x", "--no-keep"], capture_output=True, text=True, timeout=60, check=False
    )
    assert asked.returncode == 2
    assert "--no-keep needs --server" in asked.stderr


def test_planted_secrets_do_not_reach_the_server(wire: Wire) -> None:
    for case in list(planting.cases("wire", 60)):
        ask_server(wire.url, case.text, {"python": {"executable": case.text}}, 1)
        assert planting.let_through(case, json.dumps(wire.sent(), ensure_ascii=False)) == []


def test_facts_of_this_machine_do_not_go_along_with_a_log_of_another_one(wire: Wire, tmp_path: pathlib.Path) -> None:
    """It says Python 3.7, and no test runs with that."""
    (tmp_path / "other.log").write_text("Python 3.7.9\nCardFullError: no room for tensor 8,8\n")
    command = [sys.executable, "-m", "tfhelp.service", "ask", "--server", wire.url, "-f", "other.log"]
    asked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert "os" not in (wire.sent().get("facts") or {})
    assert "facts of this machine are not sent" in asked.stderr


@pytest.mark.parametrize("said", [b'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"a', b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_a_stranger_at_the_port_is_an_error_in_one_line(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(said)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(InputError, match="does not answer"):
            ask_server(f"http://127.0.0.1:{listening.getsockname()[1]}", "x", {}, 3)
        thread.join()


def test_a_mistyped_port_is_an_error_in_one_line() -> None:
    with pytest.raises(InputError, match="does not answer"):
        ask_server("http://127.0.0.1:80a", "x", {}, 3)
