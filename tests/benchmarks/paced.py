"""Requests at a fixed pace, whatever happens to earlier ones: like many people who ask independently of each other.

Connections are kept open, and the client is small, because it shares the machine with the service.
"""

import asyncio
import itertools
import json
import math
import statistics
import time
import typing
import urllib.parse

PATH = "/api/v1/diagnose"


class Answered(typing.NamedTuple):
    """One request: its HTTP status, and the seconds from the first byte sent to the last one read."""

    status: int
    seconds: float


class Outcome(typing.NamedTuple):
    """The results of the requests of one load.

    Attributes:
        answered: every request.
        seconds: how long it took.
    """

    answered: list[Answered]
    seconds: float

    def of(self, status: int) -> list[float]:
        """The seconds of the requests with this status."""
        return [one.seconds for one in self.answered if one.status == status]

    def rate(self, status: int) -> float:
        """Requests with this status per second."""
        return len(self.of(status)) / self.seconds


def p99(seconds: list[float]) -> float:
    """The 99th percentile."""
    return sorted(seconds)[min(len(seconds) - 1, len(seconds) * 99 // 100)]


def median(seconds: list[float]) -> float:
    """The median."""
    return statistics.median(seconds)


def paced(url: str, texts: list[str], connections: int, seconds: float, rate: float = 0.0, most: float = math.inf) -> Outcome:
    """Ask the texts in turn.

    Args:
        url: of the service.
        texts: the questions.
        connections: how many requests may be in progress.
        seconds: how long new requests are started.
        rate: requests per second; 0: on each connection, the next request follows as soon as the last is answered.
        most: maximum number of requests.
    """
    return asyncio.run(_paced(url, texts, connections, seconds, rate, most))


async def _paced(url: str, texts: list[str], connections: int, seconds: float, rate: float, most: float) -> Outcome:
    place = urllib.parse.urlsplit(url)
    requests = itertools.cycle(_request(place.netloc, text) for text in texts)
    started = time.perf_counter()
    due = itertools.count()
    answered: list[Answered] = []

    async def ask() -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            while True:
                number = next(due)
                at = started + number / rate if rate else time.perf_counter()
                if at > started + seconds or number >= most:
                    return
                await asyncio.sleep(max(0.0, at - time.perf_counter()))
                if writer.is_closing() or reader.at_eof():
                    reader, writer = await asyncio.open_connection(place.hostname, place.port)
                began = time.perf_counter()
                writer.write(next(requests))
                status, kept = await _read(reader)
                answered.append(Answered(status, time.perf_counter() - began))
                if not kept:
                    writer.close()
        finally:
            writer.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return Outcome(answered, time.perf_counter() - started)


def _request(host: str, text: str) -> bytes:
    body = json.dumps({"text": text}).encode()
    head = f"POST {PATH} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _read(reader: asyncio.StreamReader) -> tuple[int, bool]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = next(int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1]), b"connection: close" not in head
