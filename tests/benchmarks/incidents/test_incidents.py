"""The benchmark of a large memory measures a memory filled as the service fills it, and the page on sizing computes correctly."""

import pathlib

import sqlalchemy as sa

from tests.benchmarks import sizing
from tests.benchmarks.incidents import data, measure
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import FAILURES, INCIDENTS

COUNT = 400


def test_a_filled_memory_is_measured_and_stays_as_it_was(tmp_path: pathlib.Path) -> None:
    engine = open_engine(str(tmp_path / "team.db"))
    data.fill(engine, COUNT)
    data.fill(engine, COUNT)  # nothing is missing
    memory = TeamMemory(engine, clock=lambda: data.NOW)
    seen = memory.seen({**data.answer(0), "took_ms": -1.0})
    assert seen
    assert seen.times == 1 + COUNT // 20
    costs = measure.requests(engine, COUNT, 2)
    assert all(seconds >= 0 for seconds in costs.values())
    rows = {row.what.rpartition(": ")[2]: row for row in measure.likeness(engine, COUNT, 1)}
    assert rows["recall@10"].ratio == 1.0  # a small memory is searched exactly
    with engine.connect() as connection:
        counts = [connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in (FAILURES, INCIDENTS)]
    assert counts == [COUNT, COUNT + COUNT // 10]
    engine.dispose()


def test_needs_grow_with_the_rate_and_name_what_is_full_first() -> None:
    cost = sizing.Cost(0.002, 0.010, 0.004, 0.014, 200 << 20, 100 << 20, 3_000)
    assert cost.database == 0.9 * 0.004 + 0.1 * 0.014
    workers, cores, database, memory, daily = sizing.needs(cost, 80)
    assert (workers, cores, database) == (2, 3, 1)
    assert memory == 400 << 20
    assert daily == 80 * 86_400 * (3_000 + 2_300 + 380)
    text = sizing.page(cost, 1_000_000)
    full = [line for line in text.splitlines() if line.startswith("| a disk of 1 TiB")]
    assert text.index("a disk of 1 TiB") < text.index("a worker's core") < text.index("one process that serves HTTP")
    assert len(full) == 1
