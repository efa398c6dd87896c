"""A memory with very many incidents: made from real vectors and written directly, since the doors would take hours.

Every failure has its own vector, which is the worst case: most failures recur, and a recurring one needs no second vector.
In addition, a tenth of all incidents belong to a few recurring failures, half of them to a single one.
"""

import functools
import pathlib
import struct
import typing
import zlib

import numpy
import numpy.typing
import sqlalchemy as sa

from tfhelp.service.memory.fingerprint import fingerprint
from tfhelp.service.memory.tables import FAILURES, FEEDBACK, INCIDENTS

Matrix = numpy.typing.NDArray[numpy.float32]

ROOT = pathlib.Path(__file__).parents[3]
NOW = 1_772_323_200.0
SPAN_S = 170 * 86_400.0
_BATCH = 10_000
_NOISE = 0.25  # length of the noise, for vectors of length one
_REPEATED = 10  # one in this many incidents belongs to a recurring failure
_VERDICTS = ("diagnosed", "likely", "undecided", "unknown", "diagnosed", "diagnosed", "explained", "nothing-failed")


def vectors(count: int, seed: int) -> Matrix:
    """Vectors like those of messages: each lies between two real ones, plus some noise.

    Returns:
        (count, 384), of length one.
    """
    real = _real()
    draw = numpy.random.default_rng(seed)
    one, other = real[draw.integers(0, len(real), count)], real[draw.integers(0, len(real), count)]
    share = draw.uniform(0.5, 1, (count, 1)).astype(numpy.float32)
    noise = draw.standard_normal(one.shape, dtype=numpy.float32) * numpy.float32(_NOISE / one.shape[1] ** 0.5)
    mixed = share * one + (1 - share) * other + noise
    found: Matrix = mixed / numpy.linalg.norm(mixed, axis=1, keepdims=True)
    return found


@functools.cache
def _real() -> Matrix:
    found: Matrix = numpy.load(ROOT / "index" / "artefacts" / "encoded.npz")["vectors"].astype(numpy.float32)
    return found


@functools.cache
def _answer(number: int) -> bytes:
    return numpy.random.default_rng(number).bytes(1024)


def batches(count: int) -> typing.Iterator[tuple[int, Matrix]]:
    """The vectors of a memory with this many failures: (identifier of the first one, matrix)."""
    for start in range(0, count, _BATCH):
        yield start + 1, vectors(min(_BATCH, count - start), seed=start + 1)


def answer(failure: int) -> dict[str, typing.Any]:
    """An answer to a failure, with everything that a memory reads from it."""
    message = f"FrobError: no room for the thing {'abcdefghij'[failure % 10] * (failure // 10 % 20 + 1)} in {failure // 200}"
    return {
        "verdict": "unknown",
        "abstained": True,
        "matches": [],
        "condensed": message,
        "kb_version": "1",
        "took_ms": float(failure),
        "failure": {"exception": "FrobError", "message": message, "own": "main", "library": ""},
    }


HOT = fingerprint(answer(0)).value
"""The fingerprint of the failure that comes back most."""


def fingerprint_of(failure: int) -> str:
    """32 hexadecimal digits, distributed like those of a hash."""
    if failure == 1:
        return HOT
    return f"{zlib.crc32(struct.pack('<q', failure)):08x}{failure:024x}"


def fill(engine: sa.Engine, count: int, said: typing.Callable[[int], object] = lambda done: None) -> None:
    """Fill a memory that has its tables; a partly filled one is completed.

    Args:
        engine: of its database.
        count: how many failures; there are a tenth more incidents.
        said: called after each batch with the number of failures so far.
    """
    with engine.connect() as connection:
        done = connection.scalar(sa.select(sa.func.max(FAILURES.c.id))) or 0
    for first, matrix in batches(count):
        if first <= done:
            continue
        with engine.begin() as connection:
            _put_failures(connection, first, matrix)
            numbers = range(first, first + len(matrix))
            _put(connection, INCIDENTS, [_incident(number, number, count) for number in numbers])
            again = [number for number in numbers if number % _REPEATED == 0]
            repeated = [_incident(count + number, 1 if number % 20 == 0 else 1 + number % 97, count) for number in again]
            _put(connection, INCIDENTS, repeated)
            _put(connection, FEEDBACK, [_word(row["id"], row) for row in repeated if row["id"] % 50 == 0])
        said(first + len(matrix) - 1)
    settle(engine)


def settle(engine: sa.Engine) -> None:
    """What a database does by itself over time: statistics, the visibility map, the next identifier."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name == "postgresql":
            for table in (INCIDENTS, FEEDBACK, FAILURES):
                highest = f"(SELECT coalesce(max(id), 1) FROM {table.name})"
                connection.execute(sa.text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {highest})"))
        connection.execute(sa.text("VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE"))


def _put_failures(connection: sa.Connection, first: int, matrix: Matrix) -> None:
    marks = [fingerprint_of(number) for number in range(first, first + len(matrix))]
    if connection.dialect.name == "sqlite":
        rows = [(first + place, mark, matrix[place].tobytes()) for place, mark in enumerate(marks)]
        connection.exec_driver_sql("INSERT INTO failures (id, fingerprint, vector) VALUES (?, ?, ?)", rows)
        return
    with _copy(connection, "COPY failures (id, fingerprint, vector) FROM STDIN WITH (FORMAT BINARY)") as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for place, mark in enumerate(marks):
            copy.write(struct.pack(">hiqi32s", 3, 8, first + place, 32, mark.encode()) + _array(matrix[place]))
        copy.write(struct.pack(">h", -1))


def _array(vector: Matrix) -> bytes:
    """A ``real[]`` as PostgreSQL's binary format has it."""
    pairs = numpy.empty((len(vector), 2), dtype=">i4")
    pairs[:, 0] = 4
    pairs[:, 1] = vector.astype(">f4").view(">i4")
    body = struct.pack(">iiiii", 1, 0, 700, len(vector), 1) + pairs.tobytes()
    return struct.pack(">i", len(body)) + body


def _copy(connection: sa.Connection, statement: str) -> typing.Any:
    driver: typing.Any = connection.connection.driver_connection
    return driver.cursor().copy(statement)


def _put(connection: sa.Connection, table: sa.Table, rows: list[dict[str, typing.Any]]) -> None:
    if not rows:
        return
    names = list(rows[0])
    columns = ", ".join(f'"{name}"' for name in names)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        values = [tuple(row.values()) for row in rows]
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", values)
        return
    with _copy(connection, f"COPY {table.name} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(tuple(row.values()))


def _incident(identifier: int, failure: int, count: int) -> dict[str, typing.Any]:
    """A row as ``keep`` writes it; the answer is a kibibyte that cannot be compressed further."""
    mark = fingerprint_of(failure)
    own = f"{zlib.crc32(struct.pack('<q', identifier)):08x}{identifier:024x}"
    verdict = _VERDICTS[failure % len(_VERDICTS)]
    return {
        "id": identifier,
        "uid": own,
        "token_hash": own * 2,
        "at": NOW - SPAN_S * (1 - (identifier % count) / count),
        "fingerprint": mark,
        "fingerprint_version": 1,
        "message": f"RuntimeError: the thing {failure} of kind '#' has no place in '#'",
        "kb_version": "1",
        "verdict": verdict,
        "entry": f"entry-{failure % 150}" if verdict in ("diagnosed", "likely") else "",
        "cause": f"cause-{failure % 4}" if verdict in ("diagnosed", "likely") else "",
        "sender": fingerprint_of(identifier % 500),
        "job": f"job-{identifier % 5000}.log",
        "log": own,
        "digest": own,
        "again": False,
        "condensed": f"RuntimeError: the thing {failure} has no place\n" * 4,
        "answer": _answer(identifier % 1000),
        "given": '{"name": "", "bytes": 1, "lines": 1, "excerpts": []}',
    }


def _word(identifier: int, row: dict[str, typing.Any]) -> dict[str, typing.Any]:
    return {
        "incident": identifier,
        "sender": row["sender"],
        "at": row["at"] + 60,
        "said": ("helped", "did-not-help", "something-else")[identifier % 3],
        "words": "",
        "by": "",
        "cause": f"{row['entry']}/{row['cause']}" if row["entry"] else "",
        "fingerprint": row["fingerprint"],
        "entry": row["entry"],
        "named": row["entry"],
    }
