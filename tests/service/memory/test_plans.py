"""The queries of a request use indexes: no statement reads a whole table."""

import typing

import pytest
import sqlalchemy as sa

from tests.service.memory.answers import answer, card_full, given, unknown
from tfhelp.service.memory import looking
from tfhelp.service.memory.store import TeamMemory

LOOM = "RuntimeError: the spindle of the loom has come loose in the {} shuttle"
ASKED: dict[str, typing.Callable[[TeamMemory, str], object]] = {
    "keep": lambda memory, token: memory.keep(card_full(), given(7), "somebody"),
    "keep what is new": lambda memory, token: memory.keep(unknown("new"), given(8), "somebody"),
    "read": lambda memory, token: memory.read(token),
    "feedback": lambda memory, token: memory.feedback(token, "helped", "me", "yes"),
    "recall": lambda memory, token: memory.recall(card_full(), given(9), "me"),
    "recall what is alike": lambda memory, token: memory.recall(answer(LOOM.format("upper")), given(10), "me"),
    "list": lambda memory, token: looking.listed(memory),
    "list an entry": lambda memory, token: looking.listed(memory, entry="card-full"),
    "list a failure": lambda memory, token: looking.listed(memory, mark="abcdef"),
    "purge": lambda memory, token: memory.purge(),
    "forget": lambda memory, token: memory.forget(token),
}


@pytest.mark.parametrize("what", ASKED)
def test_no_statement_of_a_request_reads_a_whole_table(memory: TeamMemory, what: str) -> None:
    token = memory.keep(card_full(), given(1), "me")
    memory.feedback(token, "helped", "somebody")
    memory.keep(answer(LOOM.format("left")), given(2), "me")
    memory.alike(answer(LOOM.format("right")))  # the similarity index exists
    said: list[tuple[str, typing.Any]] = []

    def listen(*event: typing.Any) -> None:
        said.append((event[2], event[3]))

    sa.event.listen(memory.engine, "before_cursor_execute", listen)
    ASKED[what](memory, token)
    sa.event.remove(memory.engine, "before_cursor_execute", listen)
    asked = [(text, values) for text, values in said if text.lstrip().startswith(("SELECT", "DELETE", "UPDATE", "WITH"))]
    assert asked
    whole = [(step, text) for text, values in asked for step in steps(memory.engine, text, values) if reads_all(step)]
    assert whole == []


def steps(engine: sa.Engine, text: str, values: typing.Any) -> list[str]:
    """The plan of a statement, one step per line; PostgreSQL is made to avoid whole tables if it can, as they are small here."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)]
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        return list(connection.exec_driver_sql(f"EXPLAIN {text}", values).scalars())


def reads_all(step: str) -> bool:
    tables = ("incidents", "feedback", "failures", "later")
    in_order = "USING INDEX ix_incidents_at" in step  # the newest: it stops after the first rows
    return "Seq Scan" in step or (any(step.startswith(f"SCAN {table}") for table in tables) and not in_order)
