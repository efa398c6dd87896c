"""``python -m tests.benchmarks.sizing``: writes docs/sizing.md, from the measured cost of a request on this machine.

The cost of the database is read from the last measurement of ``python -m tests.benchmarks.incidents``.
"""

import argparse
import json
import math
import pathlib
import sys
import typing

import psutil

from tests.benchmarks import page_table, prose, recordings
from tests.benchmarks.load import put_load
from tests.benchmarks.speed import machine
from tests.service.serving import Server
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.memory.rows import packed

PAGE = recordings.ROOT / "docs" / "sizing.md"
RATES = (1, 10, 100, 1_000, 10_000)
BUSY = 0.5
"""Share of a core that is used on average, so that there is room for a burst."""
NEW = 0.1
"""Share of the requests whose failure was not seen before."""
DAYS = 180
_CLIENTS, _WARM_S = 3, 5.0
_MB, _GB, _TB = 2**20, 2**30, 2**40
_INDEXES = 2_300  # bytes of an incident in addition to its answer: columns, condensed text, and seven indexes
_FAILURE = 3_800  # bytes of a new failure: its vector, and its place in the index of PostgreSQL


class Cost(typing.NamedTuple):
    """Processor seconds and bytes.

    Attributes:
        web: of the process that serves HTTP, per request.
        worker: of a worker, per request.
        known, new: of the database, per request: if its failure was seen before, and if not.
        web_bytes, worker_bytes: the memory that each process has to itself.
        answer: bytes of a kept answer.
    """

    web: float
    worker: float
    known: float
    new: float
    web_bytes: int
    worker_bytes: int
    answer: int

    @property
    def database(self) -> float:
        """The cost of the database for an average request."""
        return (1 - NEW) * self.known + NEW * self.new


def main() -> int:
    """Write the page. Exit status: 0, or 1 if the database was not measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sizing", description="Write docs/sizing.md.")
    parser.add_argument("--folder", type=pathlib.Path, default=recordings.ROOT / "build" / "incidents", help="of bench-incidents")
    parser.add_argument("--seconds", type=float, default=20.0, help="of load (default: %(default)s)")
    arguments = parser.parse_args()
    measured = sorted(arguments.folder.glob("postgresql-*.json"), key=lambda path: int(path.stem.rpartition("-")[2]))
    if not measured:
        print(f"sizing: {arguments.folder} holds no figures of PostgreSQL; make bench-incidents makes them", file=sys.stderr)
        return 1
    database: dict[str, float] = json.loads(measured[-1].read_text(encoding="utf-8"))
    cost = measure(arguments.seconds, database)
    print(cost)
    text = page(cost, int(measured[-1].stem.rpartition("-")[2]))
    return 0 if page_table.put(PAGE, text, "sizing") else 1


def measure(seconds: float, database: dict[str, float]) -> Cost:
    """The cost of a request: three of four are recorded failures, and one is a question in words.

    Args:
        seconds: how long the load lasts.
        database: milliseconds by kind of query.
    """
    failures = [recording.output for recording in recordings.failures()]
    questions = (prose.SHORT + prose.LONG) * (len(failures) // (3 * len(prose.SHORT + prose.LONG)) + 1)
    texts = [
        text
        for place, failure in enumerate(failures)
        for text in (failure, *questions[place // 3 : place // 3 + (place % 3 == 0)])
    ]
    with Server.real() as server:
        put_load(f"{server.url}/api/v1/diagnose", texts, _CLIENTS, _WARM_S)
        processes = [psutil.Process(server.process.pid), *psutil.Process(server.process.pid).children(recursive=True)]
        before = [_seconds(process) for process in processes]
        load = put_load(f"{server.url}/api/v1/diagnose", texts, _CLIENTS, seconds)
        spent = [_seconds(process) - started for process, started in zip(processes, before, strict=True)]
        own = [process.memory_full_info().uss for process in processes]
    known = database["recall a failure that came back"] + database["keep one that came back"]
    new = database["recall a new failure"] + database["keep a new failure"]
    answer = packed(typing.cast(typing.Any, Diagnoser.load().diagnose(failures[0])))
    return Cost(
        spent[0] / load.requests,
        sum(spent[1:]) / load.requests,
        known / 1e3,
        new / 1e3,
        own[0],
        max(own[1:], default=0),
        len(answer),
    )


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def page(cost: Cost, failures: int) -> str:
    """The measured costs, and what each rate requires."""
    return "\n".join([*_costs(cost, failures), "", *_needs(cost), "", *_first(cost)])


def _costs(cost: Cost, failures: int) -> list[str]:
    rows = [
        ("the process that serves HTTP: processor time of a request", f"{cost.web * 1e3:.1f} ms"),
        ("a worker: processor time of a diagnosis", f"{cost.worker * 1e3:.1f} ms"),
        (f"memory and database, {failures:,} failures kept: a failure that was met before", f"{cost.known * 1e3:.1f} ms"),
        (f"memory and database, {failures:,} failures kept: a new failure", f"{cost.new * 1e3:.1f} ms"),
        ("private memory of the HTTP process", f"{cost.web_bytes / _MB:.0f} MB"),
        ("private memory of a worker", f"{cost.worker_bytes / _MB:.0f} MB"),
        ("a kept answer, compressed", f"{cost.answer / 1024:.1f} KiB"),
    ]
    head = [f"Measured by `make sizing` on {machine()}.", "", "| what a request costs | measured |", "| --- | --- |"]
    return [*head, *(f"| {what} | {figure} |" for what, figure in rows)]


def _needs(cost: Cost) -> list[str]:
    lines = [
        "| requests a second | workers | cores for workers and HTTP | cores for memory and database | memory of the workers "
        f"| disk after a day | after {DAYS} days |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for rate in RATES:
        workers, cores, database, memory, daily = needs(cost, rate)
        lines.append(
            f"| {rate:,} | {workers:,} | {cores:,} | {database:,} | {size(memory)} | {size(daily)} | {size(daily * DAYS)} |"
        )
    return lines


def needs(cost: Cost, rate: float) -> tuple[int, int, int, int, int]:
    """For a rate in requests per second: workers, cores for them and HTTP, database cores, bytes of memory, bytes per day."""
    workers = max(1, math.ceil(rate * cost.worker / BUSY))
    web = max(1, math.ceil(rate * cost.web / BUSY))
    daily = rate * 86_400 * (cost.answer + _INDEXES + NEW * _FAILURE)
    database = max(1, math.ceil(rate * cost.database / BUSY))
    return workers, workers + web, database, workers * cost.worker_bytes + web * cost.web_bytes, round(daily)


def _first(cost: Cost) -> list[str]:
    """The limit that is reached first: of one machine, of one process for HTTP, of one database, of its disk."""
    disk = _TB / (DAYS * 86_400 * (cost.answer + _INDEXES + NEW * _FAILURE))
    limits = [
        ("a worker's core", 1 / cost.worker, "another worker, on this machine or on another one"),
        ("the one process that serves HTTP on a machine", 1 / cost.web, "another replica behind the load balancer"),
        (
            "eight cores for memory and database",
            8 / cost.database,
            'a larger database server; or `"keep": false` from clients in bulk',
        ),
        (f"a disk of 1 TiB, with {DAYS} days kept", disk, "a smaller `--keep-days`, or a larger disk"),
    ]
    head = ["| what is full | from this many requests a second | then |", "| --- | --- | --- |"]
    return [*head, *(f"| {what} | {rate:,.0f} | {then} |" for what, rate, then in sorted(limits, key=lambda row: row[1]))]


def size(count: float) -> str:
    """Bytes in readable form.

    >>> size(3 * 2**30)
    '3.0 GiB'
    """
    for unit, name in ((2**50, "PiB"), (_TB, "TiB"), (_GB, "GiB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count / _MB:.0f} MiB"


if __name__ == "__main__":
    sys.exit(main())
