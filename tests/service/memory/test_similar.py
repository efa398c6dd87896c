"""Every search finds the same similar failures, even while several processes write, delete and read."""

import pathlib
import stat
import threading
import time
import typing

import numpy
import psycopg
import pytest
import sqlalchemy as sa

from tests.benchmarks.incidents.data import vectors
from tests.service.memory.answers import Clock, answer, card_full, given
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.indexes import index_file, trained
from tfhelp.service.memory.indexes.choice import LocalSimilar, similar_of
from tfhelp.service.memory.indexes.flat import FlatSimilar
from tfhelp.service.memory.indexes.postgres import INDEX, Pgvector
from tfhelp.service.memory.indexes.source import Matrix, Source
from tfhelp.service.memory.indexes.trained import TrainedSimilar
from tfhelp.service.memory.indexes.vector_file import VectorFile
from tfhelp.service.memory.similar import Embedder, Similar
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import FAILURES

MANY, QUESTIONS = 1_500, 40
KEPT, ASKED = vectors(MANY, seed=1), vectors(QUESTIONS, seed=2)


def put(engine: sa.Engine, matrix: Matrix, first: int = 1) -> None:
    """Store vectors as failures with the identifiers from ``first`` on."""
    rows = [
        {"id": first + place, "fingerprint": f"{first + place:032x}", "vector": row.tobytes()} for place, row in enumerate(matrix)
    ]
    with engine.begin() as connection:
        connection.execute(sa.insert(FAILURES), rows)


def delete(engine: sa.Engine, identifiers: typing.Iterable[int]) -> None:
    with engine.begin() as connection:
        connection.execute(sa.delete(FAILURES).where(FAILURES.c.id.in_(list(identifiers))))


def ten(search: Similar, row: Matrix) -> list[int]:
    return [number for number, _ in search.nearest(row.tobytes(), 10)]


def recall(search: Similar, kept: Matrix = KEPT) -> float:
    """The share of the ten truly nearest among the ten that were found."""
    best = numpy.argsort(-(ASKED @ kept.T), axis=1)[:, :10] + 1
    return sum(len(set(ten(search, row)) & set(right.tolist())) for row, right in zip(ASKED, best, strict=True)) / best.size


@pytest.fixture
def engine(where: str) -> typing.Iterator[sa.Engine]:
    opened = open_engine(where)
    yield opened
    opened.dispose()


@pytest.fixture
def file(tmp_path: pathlib.Path) -> typing.Iterator[sa.Engine]:
    """An SQLite memory."""
    opened = open_engine(str(tmp_path / "team.db"))
    yield opened
    opened.dispose()


def wait_for(condition: typing.Callable[[], bool]) -> None:
    for _ in range(1_200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about in a minute")


@pytest.fixture
def in_postgres(postgres: str) -> typing.Iterator[sa.Engine]:
    """A PostgreSQL memory in its own database."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS likeness WITH (FORCE)")
        connection.execute("CREATE DATABASE likeness")
    opened = open_engine(postgres.replace("/postgres?", "/likeness?"))
    yield opened
    opened.dispose()


def test_faiss_and_pgvector_give_the_same_ten_with_the_same_cosines(in_postgres: sa.Engine) -> None:
    put(in_postgres, KEPT)
    chosen = similar_of(in_postgres, pytest.fail)
    assert isinstance(chosen, Pgvector)
    exact, flat = Pgvector(in_postgres, "public", exact=True), FlatSimilar(Source(in_postgres))
    for row in ASKED:
        ours, theirs = exact.nearest(row.tobytes(), 10), flat.nearest(row.tobytes(), 10)
        assert [number for number, _ in ours] == [number for number, _ in theirs]
        assert [cosine for _, cosine in ours] == pytest.approx([cosine for _, cosine in theirs], abs=1e-5)
    assert recall(flat) == recall(exact) == 1.0
    assert recall(chosen) >= 0.98


def test_pgvector_searches_by_its_index(in_postgres: sa.Engine) -> None:
    search = typing.cast(Pgvector, similar_of(in_postgres, pytest.fail))
    put(in_postgres, KEPT)
    asked: list[tuple[str, typing.Any]] = []
    sa.event.listen(in_postgres, "before_cursor_execute", lambda *said: asked.append((said[2], said[3])))
    search.nearest(ASKED[0].tobytes(), 10)
    statement, parameters = asked[-1]
    with in_postgres.connect() as connection:
        connection.exec_driver_sql("ANALYZE failures")
        plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars().all()
    assert any(f"Index Scan using {INDEX}" in line for line in plan), plan


def test_an_index_whose_creation_was_interrupted_is_rebuilt(in_postgres: sa.Engine) -> None:
    similar_of(in_postgres, pytest.fail)
    with in_postgres.begin() as connection:
        connection.exec_driver_sql(f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{INDEX}'::regclass")
    similar_of(in_postgres, pytest.fail)
    with in_postgres.connect() as connection:
        assert connection.exec_driver_sql(f"SELECT indisvalid FROM pg_index WHERE indexrelid = '{INDEX}'::regclass").scalar()


def test_a_user_who_may_not_create_pgvector_gets_a_note_and_a_search(in_postgres: sa.Engine) -> None:
    with in_postgres.begin() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS guest")
        connection.exec_driver_sql("CREATE ROLE guest LOGIN")
        connection.exec_driver_sql("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
    guest = sa.create_engine(in_postgres.url.set(username="guest"))
    notes: list[str] = []
    try:
        put(in_postgres, KEPT[:100])
        search = similar_of(guest, notes.append)
        assert isinstance(search, LocalSimilar)
        assert ten(search, KEPT[41])[0] == 42
    finally:
        guest.dispose()
        with in_postgres.begin() as connection:
            connection.exec_driver_sql("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM guest")
            connection.exec_driver_sql("DROP ROLE guest")
    assert ["CREATE EXTENSION vector" in note for note in notes] == [True]


def test_a_row_that_a_slower_transaction_shows_later_is_found(in_postgres: sa.Engine) -> None:
    flat = FlatSimilar(Source(in_postgres))
    put(in_postgres, KEPT[50:60], first=51)
    assert ten(flat, KEPT[50])[0] == 51
    put(in_postgres, KEPT[:1], first=1)
    assert ten(flat, KEPT[0])[0] == 1


@pytest.mark.parametrize("kind", [FlatSimilar, lambda source: TrainedSimilar(source, None)])
def test_an_invalid_vector_finds_nothing(engine: sa.Engine, kind: typing.Callable[[Source], Similar]) -> None:
    search = kind(Source(engine))
    assert search.nearest(KEPT[0].tobytes(), 10) == []
    put(engine, KEPT[:5])
    assert [search.nearest(content, 10) for content in (b"", b"\0" * 12)] == [[], []]
    assert len(search.nearest(KEPT[0].tobytes(), 10)) == 5
    search.close()


def test_a_trained_search_finds_what_an_exact_one_finds(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    put(file, KEPT)
    path = tmp_path / "index"
    search = TrainedSimilar(Source(file), path)
    search.tidy()
    assert search.ready
    assert recall(search) >= 0.98
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    flat = dict(FlatSimilar(Source(file)).nearest(ASKED[0].tobytes(), 10))
    found = dict(search.nearest(ASKED[0].tobytes(), 10))
    assert all(found[number] == pytest.approx(flat[number], abs=1e-3) for number in found.keys() & flat.keys())


def test_what_one_process_keeps_or_deletes_another_one_finds_or_not(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    put(file, KEPT[:1_000])
    one, other = (TrainedSimilar(Source(file), tmp_path / "index", most_fresh=100) for _ in range(2))
    one.tidy()
    assert ten(other, KEPT[500])[0] == 501  # by the file of the other one
    put(file, KEPT[1_000:1_050], first=1_001)
    assert ten(other, KEPT[1_020])[0] == 1_021  # not in the file
    assert not one.holds_deleted() and not other.holds_deleted()
    delete(file, [501, 1_021])
    assert one.holds_deleted() and other.holds_deleted()
    one.tidy()
    assert not one.holds_deleted() and not other.holds_deleted()
    assert 501 not in ten(other, KEPT[500])
    assert held_by(tmp_path / "index") == set(range(1, 1_051)) - {501, 1_021}
    stored = VectorFile(tmp_path / "index.vectors")
    assert stored.of([500, 501, 502, 1_021])[0].tolist() == [500, 502]
    assert 1_021 not in ten(other, KEPT[1_020])
    assert ten(other, KEPT[1_021])[0] == 1_022


def held_by(path: pathlib.Path) -> set[int]:
    """The identifiers in an index file."""
    import faiss

    read = index_file.read(path, shared=False)
    assert read
    lists = read[0].invlists
    held = [faiss.rev_swig_ptr(lists.get_ids(number), lists.list_size(number)).tolist() for number in range(read[0].nlist)]
    return {number for numbers in held for number in numbers}


def test_an_index_grows_in_the_background_and_is_trained_anew_when_it_is_outgrown(
    file: sa.Engine, tmp_path: pathlib.Path
) -> None:
    put(file, KEPT[:300])
    path = tmp_path / "index"
    search = TrainedSimilar(Source(file), path, most_fresh=50)
    search.tidy()
    first = index_file.read(path)
    assert first and first[1].trained == 300
    put(file, KEPT[300:], first=301)
    assert ten(search, KEPT[1_200])[0] == 1_201
    search.prepare()
    wait_for(lambda: len(held_by(path)) == MANY)
    grown = index_file.read(path)
    assert grown and grown[1].trained == MANY
    assert recall(search) >= 0.98
    search.close()


@pytest.mark.parametrize("kind", ["one that trains", "one that has outgrown the exact search"])
def test_a_closed_search_works_no_more_in_the_background(kind: str, engine: sa.Engine) -> None:
    put(engine, KEPT)
    others = set(threading.enumerate())  # of earlier tests

    def working() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "similar" and thread not in others]

    source = Source(engine)
    search = TrainedSimilar(source, None) if kind == "one that trains" else LocalSimilar(source, None, most_flat=500)
    opened: list[object] = []
    search.nearest(ASKED[0].tobytes(), 10)  # begins to train
    search.close()
    engine.dispose()
    sa.event.listen(engine, "connect", lambda *made: opened.append(made))
    assert not working()
    if isinstance(search, TrainedSimilar):
        search.prepare()
    assert not working() and not opened


@pytest.mark.parametrize("harm", ["cut", "flipped", "empty", "foreign", "removed", "without vectors"])
def test_a_file_that_cannot_be_used_is_rebuilt(harm: str, file: sa.Engine, tmp_path: pathlib.Path) -> None:
    put(file, KEPT[:800])
    path = tmp_path / "index"
    TrainedSimilar(Source(file), path).tidy()
    content = path.read_bytes()
    if harm == "foreign":
        delete(file, range(1, 801))
        put(file, KEPT[700:1_500])
    harmed = {
        "cut": content[:-100],
        "flipped": content[:5_000] + bytes([content[5_000] ^ 1]) + content[5_001:],
        "empty": b"",
        "foreign": content,
        "removed": b"",
        "without vectors": content,
    }
    path.write_bytes(harmed[harm])
    if harm == "removed":
        path.unlink()
    if harm == "without vectors":
        (tmp_path / "index.vectors").unlink()
    search = TrainedSimilar(Source(file), path)
    assert not search.ready
    wanted = KEPT[1_400] if harm == "foreign" else KEPT[700]
    assert ten(search, wanted)[0] == 701  # the newest are searched in the meantime
    wait_for(lambda: search.ready or not ten(search, wanted))
    assert len(held_by(path)) == 800
    assert ten(search, wanted)[0] == 701
    search.close()


def test_only_one_process_writes_and_what_a_killed_one_left_is_removed(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    put(file, KEPT[:200])
    path = tmp_path / "index"
    left = tmp_path / "index.123.new"
    left.write_bytes(b"half")
    with index_file.locked(path) as ours:
        assert ours
        TrainedSimilar(Source(file), path).tidy()
        assert not path.exists()
    TrainedSimilar(Source(file), path).tidy()
    assert len(held_by(path)) == 200
    assert not left.exists()


def test_answers_arrive_while_the_disk_is_full(
    file: sa.Engine, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(file, KEPT[:200])
    search = TrainedSimilar(Source(file), tmp_path / "missing" / "index")
    assert ten(search, KEPT[7])[0] == 8
    wait_for(lambda: "renewing the index of failures" in capsys.readouterr().err)
    assert ten(search, KEPT[7])[0] == 8
    search.close()


def test_a_memory_that_outgrows_the_exact_search_is_searched_all_the_while(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    search = LocalSimilar(Source(file), tmp_path / "index", most_flat=500)
    put(file, KEPT[:1_000])
    assert recall(search, KEPT[:1_000]) == 1.0
    wait_for(lambda: bool(ten(search, KEPT[0])) and (tmp_path / "index").exists() and search._flat is None)
    assert recall(search, KEPT[:1_000]) >= 0.98
    again = LocalSimilar(Source(file), tmp_path / "index", most_flat=500)
    assert recall(again, KEPT[:1_000]) >= 0.98
    search.close()
    again.close()


def test_a_search_without_a_file_is_trained_in_memory(in_postgres: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(in_postgres, KEPT)
    search = TrainedSimilar(Source(in_postgres), None)
    search.tidy()
    assert search.ready
    assert recall(search) >= 0.98
    delete(in_postgres, [5])
    put(in_postgres, ASKED[:1], first=MANY + 1)
    search.tidy()
    assert ten(search, ASKED[0])[0] == MANY + 1
    assert 5 not in ten(search, KEPT[4])


def test_threads_search_while_the_index_is_renewed(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    put(file, KEPT[:1_000])
    search = TrainedSimilar(Source(file), tmp_path / "index", most_fresh=100)
    search.tidy()
    wrong: list[int] = []

    def ask(start: int) -> None:
        wrong.extend(place for place in range(start, 1_000, 40) if ten(search, KEPT[place])[:1] != [place + 1])

    threads = [threading.Thread(target=ask, args=(start,)) for start in range(3)]
    for thread in threads:
        thread.start()
    put(file, KEPT[1_000:], first=1_001)
    search.tidy()
    for thread in threads:
        thread.join()
    assert wrong == []
    search.close()


def test_deleted_failures_are_neither_found_nor_in_the_table(memory: TeamMemory, clock: Clock) -> None:
    near = "RuntimeError: the spindle of the loom has come loose in the {} shuttle"
    tokens = [memory.keep(answer(near.format("left")), given(number)) for number in range(2)]
    assert len(memory.alike(answer(near.format("right")))) == 1  # it was met twice but is one failure
    for token in tokens:
        assert memory.forget(token)
    assert memory.alike(answer(near.format("right"))) == []
    with memory.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(FAILURES)) == 0


def test_a_failure_that_is_known_needs_no_encoder(memory: TeamMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.keep(card_full(), given(1))
    monkeypatch.setattr(memory, "embedder", Embedder())
    monkeypatch.setattr(Embedder, "vector", lambda *_: pytest.fail("the encoder ran"))
    memory.keep(card_full(), given(2))
    seen = memory.seen(card_full())
    assert seen and seen.times == 2


def test_a_search_is_trained_with_few_vectors_too(file: sa.Engine, tmp_path: pathlib.Path) -> None:
    search = TrainedSimilar(Source(file), tmp_path / "index")
    search.tidy()
    put(file, KEPT[:3])
    search.tidy()
    assert set(ten(search, KEPT[0])) == {1, 2, 3}
    assert trained.MOST_FRESH > 3
