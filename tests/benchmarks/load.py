"""Load on a running service: several clients that each ask one question after another, for a fixed time.

The standard library's HTTP client is used on purpose: the clients share the machine with the service, so the time that a
client library spends on a request would count against the faster service.
"""

import contextlib
import http.client
import itertools
import json
import threading
import time
import typing
import urllib.parse


class Load(typing.NamedTuple):
    """The result: requests per second, and the 99th percentile of the latency (p99) in seconds."""

    rate: float
    p99: float
    requests: int


def put_load(url: str, texts: list[str], clients: int, seconds: float) -> Load:
    """Ask the texts in turn, as many at a time as there are clients.

    Args:
        url: takes ``POST`` with ``{"text": ...}``.
        texts: the questions; each client begins with a different one.
        clients: how many ask at the same time.
        seconds: how long new questions are started.

    Raises:
        RuntimeError: a question was not answered with status 200.
    """
    bodies = [json.dumps({"text": text}).encode() for text in texts]
    latencies: list[float] = []
    faults: list[Exception] = []
    end = time.perf_counter() + seconds

    def ask(client: int) -> None:
        offset = client * len(bodies) // clients
        try:
            latencies.extend(_ask_until(end, url, itertools.cycle(bodies[offset:] + bodies[:offset])))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            faults.append(error)

    started = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise RuntimeError(f"{url}: {faults[0]}")
    passed = time.perf_counter() - started
    slowest = sorted(latencies)[min(len(latencies) - 1, len(latencies) * 99 // 100)]
    return Load(len(latencies) / passed, slowest, len(latencies))


def _ask_until(end: float, url: str, bodies: typing.Iterator[bytes]) -> list[float]:
    address = urllib.parse.urlsplit(url)
    latencies = []
    with contextlib.closing(http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)) as connection:
        while not latencies or time.perf_counter() < end:
            started = time.perf_counter()
            connection.request("POST", address.path, next(bodies), {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = response.read()
            latencies.append(time.perf_counter() - started)
            if response.status != http.HTTPStatus.OK:
                raise RuntimeError(f"status {response.status}: {answer[:200]!r}")
    return latencies
