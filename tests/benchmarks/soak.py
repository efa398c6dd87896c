"""The service at half of its capacity for half an hour: memory, descriptors, threads and processes must stay constant."""

import argparse
import http
import math
import statistics
import sys
import threading
import typing

import psutil

from tests.benchmarks import paced
from tests.benchmarks.burst import questions
from tests.benchmarks.targets import Row
from tests.service.serving import Server

MINUTES = 30.0
_TIMES_EACH = 4  # every text is asked this often beforehand, so that the caches of each worker are full
_LONGEST_S = 600.0  # seconds for asking all texts that often
_CONNECTIONS = 8
_EVERY_S = 2.0
_REAL = 4.0  # a slope of this many standard errors is significant
_MOST_GROWTH = {"memory, MB": 0.05, "descriptors": 0.05, "threads": 0.0, "processes": 0.0}
"""Share of the mean by which a figure may grow during the soak, even if its slope is real."""


class Trend(typing.NamedTuple):
    """The trend of one figure.

    Attributes:
        name: of the figure.
        first, last: its median in the first and the last quarter.
        growth: of the fitted line over the whole time.
        real: whether the growth is more than chance and more than the figure may grow.
    """

    name: str
    first: float
    last: float
    growth: float
    real: bool


def trend(name: str, values: list[float]) -> Trend:
    """Fit a line to samples taken at equal intervals.

    Args:
        name: one of ``_MOST_GROWTH``.
        values: eight or more samples.
    """
    count = len(values)
    middle, mean = (count - 1) / 2, statistics.fmean(values)
    spread = sum((place - middle) ** 2 for place in range(count))
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(values)) / spread
    left = sum((value - mean - slope * (place - middle)) ** 2 for place, value in enumerate(values))
    error = math.sqrt(left / (count - 2) / spread)
    growth = slope * (count - 1)
    quarter = max(1, count // 4)
    real = slope > _REAL * error and growth > _MOST_GROWTH[name] * mean
    return Trend(name, statistics.median(values[:quarter]), statistics.median(values[-quarter:]), growth, real)


def sample(server: psutil.Process) -> dict[str, float]:
    """The figures of a service and all of its processes now."""
    totals = dict.fromkeys(_MOST_GROWTH, 0.0)
    for process in [server, *server.children(recursive=True)]:
        try:
            # Shared memory counts once in the sum: each process counts its part of it.
            values = (process.memory_full_info().pss / 1e6, float(process.num_fds()), float(process.num_threads()), 1.0)
        except psutil.NoSuchProcess:
            continue  # a worker that was replaced in the meantime
        for name, value in zip(totals, values, strict=True):
            totals[name] += value
    return totals


class Soaked(typing.NamedTuple):
    """The result: the trends, requests answered with 200, others by status, and the p99 in seconds."""

    trends: list[Trend]
    answered: int
    others: dict[int, int]
    p99: float


def soak(texts: list[str], minutes: float) -> Soaked:
    """Put half of the maximum load on the service, and sample it at the same time.

    Args:
        texts: the questions.
        minutes: how long.
    """
    samples: list[dict[str, float]] = []
    ended = threading.Event()
    with Server.real("--workers", "2") as server:
        process = psutil.Process(server.process.pid)
        settling = paced.paced(server.url, texts, _CONNECTIONS, _LONGEST_S, most=_TIMES_EACH * len(texts))
        capacity = settling.rate(http.HTTPStatus.OK)

        def look() -> None:
            while not ended.wait(_EVERY_S):
                samples.append(sample(process))

        looking = threading.Thread(target=look)
        looking.start()
        try:
            outcome = paced.paced(server.url, texts, _CONNECTIONS, minutes * 60, capacity / 2)
        finally:
            ended.set()
            looking.join()
    others: dict[int, int] = {}
    for one in outcome.answered:
        if one.status != http.HTTPStatus.OK:
            others[one.status] = others.get(one.status, 0) + 1
    trends = [trend(name, [one[name] for one in samples]) for name in _MOST_GROWTH]
    good = outcome.of(http.HTTPStatus.OK)
    return Soaked(trends, len(good), others, paced.p99(good))


def rows(texts: list[str], minutes: float) -> typing.Iterator[Row]:
    """The memory at the end of a soak, compared with that at its beginning."""
    soaked = soak(texts, minutes)
    memory = soaked.trends[0]
    yield Row(
        f"soak of {minutes:g} minutes at half of what the service can answer ({soaked.answered} requests): memory at its end",
        f"{memory.last:.0f} MB",
        f"at its beginning: {memory.first:.0f} MB",
        memory.last / memory.first,
        1 + _MOST_GROWTH[memory.name],
    )


def main() -> int:
    """Print a table. Exit status: 0, or 1 if a figure grows or a request failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.minutes < 1:
        parser.error("--minutes must be at least 1")
    soaked = soak(questions(), arguments.minutes)
    print(f"{'':12} {'first':>10} {'last':>10} {'growth':>10}")
    for one in soaked.trends:
        verdict = "GROWS" if one.real else "flat"
        print(f"{one.name:12} {one.first:10.1f} {one.last:10.1f} {one.growth:+10.2f}  {verdict}")
    print(
        f"{soaked.answered} requests answered, 99th percentile {soaked.p99 * 1e3:.0f} ms; others by status: {soaked.others or 'none'}"
    )
    return 1 if soaked.others or any(one.real for one in soaked.trends) else 0


if __name__ == "__main__":
    sys.exit(main())
