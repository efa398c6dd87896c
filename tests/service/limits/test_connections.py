"""Slow, idle, large and many connections against a running server."""

import os
import typing

import httpx
import pytest

from tests.service.limits.asking import PLAIN, ask, closed_by_server, connected, poisoned, until
from tests.service.limits.poison import SLEEP
from tests.service.serving import Server

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="the limits are those of POSIX")]

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


def test_a_connection_that_drips_is_closed(impatient: Server) -> None:
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


def test_an_answer_that_takes_long_is_no_slow_client(impatient: Server) -> None:
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


def test_idle_connections_keep_nobody_out(impatient: Server) -> None:
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
