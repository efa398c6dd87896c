"""The real application under a policy: in process, or on a port of this machine."""

import contextlib
import socket
import threading
import time
import typing

import uvicorn
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.service.access.addresses import Networks
from tfhelp.service.access.policy import Options, Place, Policy
from tfhelp.service.access.rates import Rates
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.reached import Reached
from tfhelp.service.doors.http.server import listening_socket

FULL = "CardFullError: no room for tensor 8,8, 3 MB are held by others"
HERE = Place("127.0.0.1", True)
ELSEWHERE = Place("0.0.0.0", False)
PROXY = "10.0.0.9"


class Held:
    """Tokens of a test: word -> owner."""

    at_hand = True

    def __init__(self, **who: typing.Any) -> None:
        self.who = who

    def find(self, token: str) -> typing.Any:
        return self.who.get(token)

    def any_live(self) -> bool:
        return bool(self.who)


def policy(**named: typing.Any) -> Policy:
    """A policy that requires tokens, unless something else is set."""
    rate = named.pop("rate", None)
    proxies = named.pop("proxies", None)
    made = Policy.open_to_all()._replace(**{"is_open": False, **named})
    return made._replace(rates=Rates(rate) if rate else None, proxies=Networks([proxies]) if proxies else Networks())


def client(made: Policy, memory: typing.Any = None, peer: str = "192.0.2.7", **reached: typing.Any) -> TestClient:
    """The application in process, called from a given address."""
    settings = Reached.of(reached.pop("root_path", ""), made.place.public_url, made.place.origins)
    app = create_app(small_diagnoser(), memory=memory, reached=settings, policy=made)
    return TestClient(app, client=(peer, 50_000), follow_redirects=False)


@contextlib.contextmanager
def running(app: typing.Any, listener: socket.socket | None = None) -> typing.Iterator[str]:
    """The address of an application on a port of this machine."""
    with listener or listening_socket("127.0.0.1", 0) as taken:
        config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", lifespan="on", proxy_headers=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        end = time.monotonic() + 60
        while not server.started and thread.is_alive() and time.monotonic() < end:
            time.sleep(0.01)
        assert server.started
        try:
            yield f"http://127.0.0.1:{taken.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=30)


__all__ = ["ELSEWHERE", "FULL", "HERE", "PROXY", "Held", "Options", "client", "policy", "running"]
