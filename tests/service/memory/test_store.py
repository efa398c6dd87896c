"""Kept answers can be read, deleted, counted and commented on; the same in both databases."""

import json
import pathlib
import sqlite3
import stat
import typing

import pytest
import sqlalchemy as sa

import tfhelp.service.access.tables  # noqa: F401 - the tables that belong to the same migrations
from tests.service.memory.answers import BATCH, NEIGHBOUR, Clock, answer, card_full, given, unknown
from tfhelp.service.memory.database import open_engine, reading
from tfhelp.service.memory.indexes.choice import LocalSimilar
from tfhelp.service.memory.indexes.source import VECTOR_BYTES
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import FAILURES, FEEDBACK, INCIDENTS, METADATA

SECRETS = ("hf_abcdefghijklmnopqrstuvwx", "10.31.2.77", "ana.lopez@corp.example.com", "/home/zebediah")


def test_an_answer_is_read_with_its_token_and_no_other(memory: TeamMemory) -> None:
    kept = card_full()
    token = memory.keep(kept, given(12, "train.log"))
    read = memory.read(token)
    assert read is not None
    assert read.given == given(12, "train.log")
    assert read.answer["matches"][0]["entry"] == "card-full"
    assert read.answer["condensed"] == kept["condensed"]
    assert [memory.read(other) for other in ("", token[:-1], token.swapcase(), token + "A")] == [None] * 4


def test_tokens_have_256_random_bits_and_are_not_stored(memory: TeamMemory) -> None:
    tokens = {memory.keep(card_full(), given()) for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) >= 43 for token in tokens)
    with reading(memory.engine) as connection:
        stored = repr(connection.execute(sa.select(INCIDENTS)).all())
    assert not any(token in stored for token in tokens)


def test_a_deleted_answer_is_gone_with_what_was_said_of_it(memory: TeamMemory) -> None:
    token = memory.keep(card_full(), given())
    assert memory.feedback(token, "helped", "me")
    assert memory.forget(token)
    assert memory.read(token) is None
    assert not memory.forget(token)
    assert not memory.feedback(token, "helped", "me")
    with reading(memory.engine) as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(FEEDBACK)) == 0


def test_no_caller_can_store_a_secret(memory: TeamMemory) -> None:
    secretive = unknown("Cannot reach 10.31.2.77 with HF_TOKEN=hf_abcdefghijklmnopqrstuvwx from /home/zebediah/run ")
    told = {**given(1, "/home/zebediah/job.log"), "excerpts": [{"text": "mail ana.lopez@corp.example.com"}]}
    token = memory.keep(secretive, told, "sender@corp.example.com")
    memory.feedback(
        token, "something-else", "sender@corp.example.com", "ask ana.lopez@corp.example.com", "ana.lopez@corp.example.com"
    )
    with reading(memory.engine) as connection:
        rows = [*connection.execute(sa.select(INCIDENTS)), *connection.execute(sa.select(FEEDBACK))]
    read = memory.read(token)
    assert read is not None
    stored = f"{rows!r} {json.dumps(read.answer)} {json.dumps(read.given)}"
    assert [secret for secret in (*SECRETS, "sender@corp") if secret in stored] == []
    assert "HF-TOKEN-1" in stored


def test_text_that_a_database_cannot_hold_is_kept_all_the_same(memory: TeamMemory) -> None:
    odd = unknown("a\0b\ud800c")
    odd["condensed"] = "a\0b\ud800c"
    token = memory.keep(odd, {"name": "\0\udfff"}, "\ud800")
    assert memory.feedback(token, "helped", "\ud800", "\0\ud800", "\0")
    assert memory.read(token) is not None


def test_how_often_a_failure_was_met(memory: TeamMemory, clock: Clock) -> None:
    assert memory.seen(card_full()) is None
    first = clock.now
    for day, home in enumerate(("alice", "bob", "carol")):
        memory.keep(card_full(home=home, rank=day), given(day))
        clock.sleep(days=1)
    memory.keep(unknown(), given())
    seen = memory.seen(card_full(shape="7,7", home="dave"))
    assert seen is not None
    assert (seen.times, seen.first, seen.last, seen.helped) == (3, first, first + 2 * 86_400, "")


def test_a_run_without_a_failure_was_not_seen_before(memory: TeamMemory) -> None:
    for number in range(2):
        memory.keep(answer("Epoch 1/1\nall is done, exit code 0"), given(number))
    harmless = {**answer("Epoch 1/1\nall is done"), "verdict": "nothing-failed"}
    assert memory.seen(harmless) is None
    assert memory.recall(harmless, given(9))["memory"]["says"] == []


def test_an_answer_does_not_count_itself_before_or_after_it_is_kept(memory: TeamMemory) -> None:
    one, two = card_full(), card_full()
    memory.keep(one, given(1))
    assert memory.seen(one) is None
    token = memory.keep(two, given(2))
    seen, read = memory.seen(two), memory.read(token)
    assert seen is not None
    assert read is not None
    again = memory.seen(read.answer)
    assert (seen.times, again and again.times) == (1, 1)


def test_the_same_log_asked_about_with_more_facts_counts_once(memory: TeamMemory, clock: Clock) -> None:
    memory.keep(card_full(), given(5), "me")
    clock.sleep(seconds=60)
    memory.keep(card_full(), given(5), "me")
    seen = memory.seen(card_full())
    assert seen is not None
    assert seen.times == 1
    clock.sleep(days=1)
    memory.keep(card_full(), given(5), "me")
    later = memory.seen(card_full())
    assert later is not None
    assert later.times == 2


def test_what_helped_the_last_time_and_who_said_so(memory: TeamMemory, clock: Clock) -> None:
    tokens = [memory.keep(card_full(), given(number)) for number in range(3)]
    memory.feedback(tokens[0], "helped", "one", "ended the other job", "Ana")
    clock.sleep(days=1)
    memory.feedback(tokens[1], "helped", "two", "a batch of 16", "Bo", BATCH)
    clock.sleep(days=1)
    memory.feedback(tokens[2], "did-not-help", "three", "no")
    seen = memory.seen(card_full())
    assert seen is not None
    assert (seen.times, seen.helped, seen.words, seen.by) == (3, BATCH, "a batch of 16", "Bo")


def test_only_a_senders_last_feedback_counts(memory: TeamMemory, clock: Clock) -> None:
    token = memory.keep(card_full(), given())
    memory.feedback(token, "helped", "me", "yes")
    clock.sleep(seconds=5)
    memory.feedback(token, "did-not-help", "me", "no, it came back")
    memory.feedback(token, "helped", "another", "for me it did")
    with reading(memory.engine) as connection:
        said = sorted(connection.scalars(sa.select(FEEDBACK.c.said)))
    assert said == ["did-not-help", "helped"]
    votes = memory.votes(["card-full"])
    assert [vote.was_it for vote in votes] == [False, True]
    assert {vote.cause for vote in votes} <= {NEIGHBOUR, BATCH}


def test_an_expired_diagnosis_is_neither_read_nor_counted_and_then_purged(memory: TeamMemory, clock: Clock) -> None:
    old = memory.keep(card_full(), given(1))
    clock.sleep(days=179)
    new = memory.keep(card_full(), given(2))
    assert memory.purge() == 0
    clock.sleep(days=2)
    assert memory.read(old) is None
    assert not memory.feedback(old, "helped")
    seen = memory.seen(card_full())
    assert seen is not None
    assert seen.times == 1
    assert (memory.purge(), memory.purge()) == (1, 0)
    assert memory.read(new) is not None


def test_a_purge_also_frees_the_index_of_what_was_deleted_before(memory: TeamMemory) -> None:
    token = memory.keep(card_full(), given())
    similar = memory.similar()
    similar.nearest(bytes(VECTOR_BYTES), 1)  # it has read what there is
    assert not similar.holds_deleted()
    assert memory.forget(token)
    memory.purge()
    assert not similar.holds_deleted()
    if isinstance(similar, LocalSimilar):
        assert similar._flat is not None and len(similar._flat) == 0


def test_a_second_process_sees_what_the_first_one_keeps(memory: TeamMemory, where: str) -> None:
    other = TeamMemory(open_engine(where), clock=memory.clock, embedder=memory.embedder)
    token = memory.keep(card_full(), given())
    assert other.read(token) is not None
    assert other.seen(card_full()) is not None
    assert other.forget(token)
    assert memory.read(token) is None
    other.close()


def test_fingerprints_of_other_rules_are_computed_again(memory: TeamMemory) -> None:
    memory.keep(card_full(), given())
    with memory.engine.begin() as connection:
        connection.execute(sa.update(INCIDENTS).values(fingerprint="0" * 32, fingerprint_version=0, message=""))
        connection.execute(sa.delete(FAILURES))
    assert memory.seen(card_full()) is None
    assert (memory.renew_fingerprints(), memory.renew_fingerprints()) == (1, 0)
    assert memory.seen(card_full()) is not None


def test_the_migrations_make_the_tables_that_the_code_writes(memory: TeamMemory) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with memory.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_the_file_is_private_and_deleted_text_is_overwritten(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "team.db"
    memory = TeamMemory.open(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token = memory.keep(unknown("Zanzibar"), given())
    marked = memory.feedback(token, "something-else", words="it was the Quetzalcoatlus setting")
    assert marked

    def content() -> bytes:
        """Of the file and of what SQLite has beside it, which is for the same owner alone."""
        files = list(tmp_path.glob("team.db*"))
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        return b"".join(file.read_bytes() for file in files)

    assert b"Quetzalcoatlus" in content()
    memory.forget(token)
    assert b"Quetzalcoatlus" not in content()
    memory.close()
    assert b"Quetzalcoatlus" not in content()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]


def test_a_memory_satisfies_the_interface_of_the_doors(memory: TeamMemory) -> None:
    from tfhelp.service.memory.memory import Memory

    kept: Memory = memory
    assert kept.keeps_s == 180 * 86_400
    assert (
        [name for name in typing.get_protocol_members(Memory) if not hasattr(memory, name)] == []
        if hasattr(typing, "get_protocol_members")
        else all(hasattr(memory, name) for name in ("keep", "read", "forget", "feedback", "seen"))
    )


@pytest.mark.parametrize("said", ["helped", "did-not-help", "something-else"])
def test_an_abstention_can_be_commented_on(memory: TeamMemory, said: typing.Any) -> None:
    token = memory.keep(unknown(), given())
    assert memory.feedback(token, said, "me", "words")
    assert memory.votes(["card-full"]) == []


def test_an_undecided_answer_names_no_entry(memory: TeamMemory) -> None:
    token = memory.keep({**card_full(), "verdict": "undecided"}, given(1), "ana")
    assert memory.feedback(token, "something-else", "ana")
    assert memory.votes(["card-full"]) == []
    with reading(memory.engine) as connection:
        assert connection.scalars(sa.select(INCIDENTS.c.entry)).all() == [""]
