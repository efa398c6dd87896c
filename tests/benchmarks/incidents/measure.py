"""The cost of a memory with very many failures: the search for similar ones, and the queries of a request and a curator."""

import os
import pathlib
import statistics
import subprocess
import sys
import time
import typing

import numpy
import sqlalchemy as sa

from tests.benchmarks.incidents import data
from tests.benchmarks.targets import Row, milliseconds
from tfhelp.service.memory import figures, gaps, looking
from tfhelp.service.memory.indexes.choice import similar_of
from tfhelp.service.memory.similar import Embedder, Similar
from tfhelp.service.memory.store import TeamMemory

QUESTIONS = 200
_SEED = 10**9
_MB = 1 << 20
_TICKS = os.sysconf("SC_CLK_TCK")


class Drawn(Embedder):
    """Gives each text a random vector: the cost of the encoder is measured elsewhere."""

    def vector(self, text: str) -> bytes | None:
        """A vector that no failure has."""
        return data.vectors(1, seed=_SEED + abs(hash(text)) % 10**9)[0].tobytes()


class Processor:
    """Processor time of this process, and of the database process that serves one engine."""

    def __init__(self, engine: sa.Engine) -> None:
        self.backend: int | None = None
        if engine.dialect.name == "postgresql":
            with engine.connect() as connection:
                self.backend = connection.scalar(sa.text("SELECT pg_backend_pid()"))

    def seconds(self) -> float:
        """Seconds so far."""
        own = time.process_time()
        if self.backend is None:
            return own
        fields = pathlib.Path(f"/proc/{self.backend}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return own + (int(fields[11]) + int(fields[12])) / _TICKS


def likeness(engine: sa.Engine, count: int, rounds: int) -> typing.Iterator[Row]:
    """The search of a database of ``count`` failures, alternating with a flat one over the same vectors."""
    name = "PostgreSQL" if engine.dialect.name == "postgresql" else "SQLite"
    search = similar_of(engine, print)
    search.tidy()
    asked = data.vectors(QUESTIONS, seed=_SEED)
    found = [search.nearest(row.tobytes(), 10) for row in asked]
    grown = _grown(engine) if name == "SQLite" else 0
    flat, right = _flat(count, asked)
    processor = Processor(engine)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(_cost(processor, lambda: _all(search, asked)) / QUESTIONS)
        theirs.append(_cost(processor, lambda: [flat.search(row[None, :], 10) for row in asked[:10]]) / 10)
    what = f"likeness among {count:,} failures, {name}"
    mine, peer = statistics.median(ours), statistics.median(theirs)
    share = sum(len({number for number, _ in ten} & set(best)) for ten, best in zip(found, right, strict=True)) / (10 * QUESTIONS)
    if name == "SQLite":
        bound = 0.01 if count >= 10**6 else 0.1
        yield Row(f"{what}: processor time", milliseconds(mine), f"flat search: {milliseconds(peer)}", mine / peer, bound)
        yield Row(f"{what}: memory", f"{grown / _MB:.0f} MB", "the limit: 100 MB", grown / _MB / 100, 1.0)
    else:
        yield Row(f"{what}: processor time", milliseconds(mine), "the limit: 10 ms", mine / 0.010, 1.0)
    yield Row(f"{what}: recall@10", f"{share:.3f}", "flat search: 1.000", share, 0.98, True)


def _all(search: Similar, asked: data.Matrix) -> None:
    for row in asked:
        search.nearest(row.tobytes(), 10)


def _flat(count: int, asked: data.Matrix) -> tuple[typing.Any, list[list[int]]]:
    """A flat search over all vectors, and the ten nearest to each question."""
    import faiss

    faiss.omp_set_num_threads(1)
    flat = faiss.IndexFlatIP(asked.shape[1])
    for _, matrix in data.batches(count):
        flat.add(matrix)
    return flat, (flat.search(asked, 10)[1] + 1).tolist()


def _cost(processor: Processor, action: typing.Callable[[], object]) -> float:
    began = processor.seconds()
    action()
    return processor.seconds() - began


def _grown(engine: sa.Engine) -> int:
    """Bytes that the search adds to an otherwise idle process."""
    command = [sys.executable, "-m", "tests.benchmarks.incidents.resident", str(engine.url.database)]
    return int(subprocess.run(command, cwd=data.ROOT, check=True, capture_output=True, text=True).stdout)


def requests(engine: sa.Engine, count: int, times: int) -> dict[str, float]:
    """Seconds of processor time of the queries of a request, a scraper and a curator; kept answers are deleted again."""
    memory = TeamMemory(engine, clock=lambda: data.NOW, embedder=Drawn())
    memory.similar()
    hot = {**data.answer(0), "took_ms": -1.0}
    tokens: list[str] = []
    fresh = iter(range(count * 2, count * 2 + 10**6))
    handed: typing.Any = {"name": "", "bytes": 1, "lines": 1, "excerpts": []}
    actions: dict[str, tuple[int, typing.Callable[[], object]]] = {
        "keep a new failure": (times, lambda: tokens.append(memory.keep(_with_memory(next(fresh)), handed, "me"))),
        "keep one that came back": (times, lambda: tokens.append(memory.keep(_with_memory(0), handed, "me"))),
        "read a link": (times, lambda: memory.read(tokens[0])),
        "seen before": (times, lambda: memory.seen(hot)),
        "recall a failure that came back": (times, lambda: memory.recall(hot, handed, "me")),
        "recall a new failure": (times, lambda: memory.recall(data.answer(next(fresh)), handed, "me")),
        "experience with an entry": (times, lambda: memory.votes(["entry-1", "entry-2"])),
        "list the newest": (times, lambda: looking.listed(memory)),
        "list an entry's": (times, lambda: looking.listed(memory, "entry-1")),
        "the figures of a week": (3, lambda: figures.read(memory)),
        "the statistics": (1, lambda: looking.stats(memory)),
        "the gaps": (1, lambda: gaps.find(memory)),
        "delete an answer": (len(range(times)), lambda: memory.forget(tokens.pop())),
    }
    processor = Processor(engine)
    costs = {}
    for what, (often, action) in actions.items():
        costs[what] = _cost(processor, lambda action=action, often=often: [action() for _ in range(often)]) / often  # type: ignore[misc]
    while tokens:
        memory.forget(tokens.pop())
    return costs


def _with_memory(failure: int) -> dict[str, typing.Any]:
    """An answer that was recalled already, so that keeping it does nothing else."""
    found = data.answer(failure)
    return {**found, "took_ms": numpy.random.default_rng().random(), "memory": {"fingerprint": "", "cause": ""}}
