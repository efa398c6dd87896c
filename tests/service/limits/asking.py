"""What the tests of the limits share: questions, and the processes of a server."""

import concurrent.futures
import contextlib
import socket
import typing
import urllib.parse

import httpx
import psutil

from tests.service.serving import Server

PLAIN = "ValueError: something is wrong with a shape"


def poisoned(*arguments: str, environment: dict[str, str] | None = None) -> Server:
    """A server whose processes can be poisoned."""
    return Server("tests.service.limits.poisoned_server", *arguments, environment=environment)


def ask(server: Server, text: str, **named: typing.Any) -> httpx.Response:
    """Send a question to the API."""
    return httpx.post(f"{server.url}/api/v1/diagnose", json={"text": text}, timeout=60, **named)


def ask_at_once(server: Server, texts: list[str]) -> list[httpx.Response]:
    """Send all questions at the same time; return the answers in the order of the texts."""
    with concurrent.futures.ThreadPoolExecutor(len(texts)) as clients:
        return list(clients.map(lambda text: ask(server, text), texts))


def workers_of(server: Server) -> list[psutil.Process]:
    """The processes that diagnose."""
    return [worker for template in psutil.Process(server.process.pid).children() for worker in template.children()]


def busy_since_now(server: Server) -> typing.Callable[[], int]:
    """A function that counts the processes that have worked for a fifth of a second since this call.

    What a process did before does not count: it may be the work of an earlier test.
    """
    before = {worker.pid: worker.cpu_times().user for worker in workers_of(server)}
    return lambda: sum(worker.cpu_times().user > before.get(worker.pid, 0.0) + 0.2 for worker in workers_of(server))


@contextlib.contextmanager
def connected(server: Server, source: str = "") -> typing.Iterator[socket.socket]:
    """A connection that has sent nothing yet. ``source``: the client's address; on Linux, all of 127.0.0.0/8 are this machine."""
    place = urllib.parse.urlsplit(server.url)
    own = (source, 0) if source else None
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=30, source_address=own) as connection:
        yield connection


def closed_by_server(connection: socket.socket) -> bytes:
    """The data that the server sends until it closes the connection."""
    answer = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            answer += piece
    return bytes(answer)
