"""Slow, idle, large and many connections against a running server."""

import contextlib
import os
import socket
import sys
import typing

import httpx
import pytest

from tests.service.limits.asking import PLAIN, ask, closed_by_server, connected, poisoned
from tests.service.limits.poison import SLEEP
from tests.service.serving import Server
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="the limits are those of POSIX")]

ADDRESSES = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 as its own addresses")
HEAD = b"POST /api/v1/diagnose HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
def impatient() -> typing.Iterator[Server]:
    """A server that waits four seconds, which a client on a busy machine needs for its first bytes, and can open few files."""
    with poisoned("--workers", "1", "--patience", "4", "--files", "100") as running:
        yield running


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"HTTP/1.1 408"),
        (HEAD + b"Content-Length: 100\r\n\r\nabc", b"HTTP/1.1 408"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", b"HTTP/1.1 408"),
    ],
)
def test_a_connection_that_says_too_little_is_closed(impatient: Server, sent: bytes, answer: bytes) -> None:
    with connected(impatient) as connection:
        connection.sendall(sent)
        assert closed_by_server(connection).startswith(answer)


def test_a_slow_connection_is_closed(impatient: Server) -> None:
    with connected(impatient) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")

        def dripped() -> bool:
            try:
                connection.sendall(b"X: y\r\n")
            except OSError:
                return True
            return False

        assert until(dripped)


def test_line_ends_between_requests_keep_no_connection(impatient: Server) -> None:
    with connected(impatient) as connection:

        def dripped() -> bool:
            try:
                connection.sendall(b"\r\n")
            except OSError:
                return True
            return False

        assert until(dripped)


def test_a_slow_answer_does_not_count_as_a_slow_client(impatient: Server) -> None:
    assert ask(impatient, SLEEP * 6).status_code == 200  # six seconds


@pytest.mark.parametrize("line", [b"X: " + b"a" * (1 << 20), b"X: y\r\n" * 100_000, b"a" * (1 << 20)])
def test_a_large_head_is_refused(impatient: Server, line: bytes) -> None:
    with connected(impatient) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + line)
        assert closed_by_server(connection).startswith(b"HTTP/1.1 431")


def test_a_long_address_is_refused(impatient: Server) -> None:
    with connected(impatient) as connection:
        connection.sendall(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        assert closed_by_server(connection).startswith(b"HTTP/1.1 431")


def test_idle_connections_block_no_new_ones(impatient: Server) -> None:
    kept = [connected(impatient) for _ in range(150)]
    try:
        for one in kept:
            one.__enter__()
        assert httpx.get(f"{impatient.url}/healthz", timeout=60).status_code == 200
        assert ask(impatient, PLAIN).status_code == 200
    finally:
        for one in kept:
            one.__exit__(None, None, None)
    impatient.wait_for("connections are open")
    assert "Traceback" not in impatient.output()


def test_a_refusal_reaches_a_client_that_is_still_sending(impatient: Server) -> None:
    with connected(impatient) as connection:
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % (60 << 20))
        for _ in range(20):
            connection.sendall(b"x" * (1 << 20))
        answer = closed_by_server(connection)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in answer.lower() and b"too-large" in answer


@contextlib.contextmanager
def _server_of_36_connections() -> typing.Iterator[Server]:
    """A server that closes no connection for being slow while a test runs. It trusts the proxy 127.0.0.3."""
    with poisoned("--workers", "1", "--patience", "600", "--files", "100", "--trust-proxy", "127.0.0.3") as running:
        yield running


def _upload(server: Server, source: str, kept: contextlib.ExitStack) -> bytes:
    """Begin a body that never ends; return the beginning of what the server says when it has read the head."""
    connection = kept.enter_context(connected(server, source))
    connection.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 100\r\n\r\nabc")
    return connection.recv(12)


def _health(connection: socket.socket) -> bytes:
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    return closed_by_server(connection)[:12]


@ADDRESSES
def test_a_client_that_holds_all_connections_gives_one_up_for_another_client() -> None:
    with _server_of_36_connections() as server, contextlib.ExitStack() as kept:
        assert {_upload(server, "127.0.0.2", kept) for _ in range(36)} == {b"HTTP/1.1 100"}
        with connected(server, "127.0.0.4") as other:
            assert _health(other) == b"HTTP/1.1 200"
        assert ask(server, PLAIN).status_code == 200


@ADDRESSES
def test_a_client_with_many_connections_closes_none_of_another_client() -> None:
    with _server_of_36_connections() as server, contextlib.ExitStack() as kept, connected(server, "127.0.0.4") as other:
        assert {_upload(server, "127.0.0.2", kept) for _ in range(35)} == {b"HTTP/1.1 100"}
        assert _upload(server, "127.0.0.2", kept) == b"HTTP/1.1 503"
        assert _health(other) == b"HTTP/1.1 200"


@ADDRESSES
def test_the_connections_of_a_proxy_are_not_those_of_one_client() -> None:
    with _server_of_36_connections() as server, contextlib.ExitStack() as kept:
        assert {_upload(server, "127.0.0.3", kept) for _ in range(36)} == {b"HTTP/1.1 100"}
        with connected(server, "127.0.0.4") as other:
            assert closed_by_server(other)[:12] == b"HTTP/1.1 503"
