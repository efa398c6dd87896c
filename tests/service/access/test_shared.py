"""Data that servers share through the database of a team's memory: owners, audit log, counted requests. SQLite and PostgreSQL."""

import concurrent.futures
import json
import pathlib
import typing

import pytest
import sqlalchemy as sa

from tests.service.access.doors import FULL, client, policy
from tests.service.memory.answers import Clock, card_full, given
from tfhelp.service.__main__ import main
from tfhelp.service.access import audit
from tfhelp.service.access.identity import ANYBODY, OF_A_PERSON, SLACK, Caller, NotAllowedError, Who, reset_current, set_current
from tfhelp.service.access.owned import DatabaseLedger, Owned, ledger_of
from tfhelp.service.access.policy import Options, Place, Policy
from tfhelp.service.access.purging import purge_access
from tfhelp.service.access.rates import DatabaseCounter, Rates
from tfhelp.service.access.tables import AUDIT, OWNERS, RATES
from tfhelp.service.access.tokens import DatabaseTokens
from tfhelp.service.doors.web.sender import sender_key
from tfhelp.service.memory.asking import is_team_memory, remembered
from tfhelp.service.memory.database import open_engine, reading
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.store import TeamMemory

ANA = Caller(Who("oidc:i:1", "ana@example.org", OF_A_PERSON), "198.51.100.1")
BEN = Caller(Who("oidc:i:2", "ben@example.org", OF_A_PERSON), "198.51.100.2")
CI = Caller(Who("token:1", "token ci", frozenset(["diagnose"])), "198.51.100.3")


class As:
    """A request of a caller."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def __enter__(self) -> None:
        self._before = set_current(self._caller)

    def __exit__(self, *_: object) -> None:
        reset_current(self._before)


def count(memory: TeamMemory, table: sa.Table) -> int:
    with reading(memory.engine) as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def test_two_servers_know_whose_answer_it_is_and_the_log_tells_what_was_done(memory: TeamMemory) -> None:
    one, other = (Owned(memory, ledger_of(memory)) for _ in range(2))
    with As(ANA):
        token = one.keep(card_full(), given())
    with As(BEN):
        assert other.read(token) is not None and not other.may_forget(token)
        assert other.feedback(token, "helped", "b")
        with pytest.raises(NotAllowedError, match="only who had this answer kept"):
            other.forget(token)
    with As(ANA):
        assert other.may_forget(token) and other.forget(token) and not other.forget(token)
    events = audit.listed(memory.engine)
    assert [(event.action, event.who, event.address) for event in reversed(events)] == [
        ("kept", "ana@example.org", "198.51.100.1"),
        ("read", "ben@example.org", "198.51.100.2"),
        ("judged", "ben@example.org", "198.51.100.2"),
        ("deleted", "ana@example.org", "198.51.100.1"),
    ]
    assert len({event.subject for event in events}) == 1 and len(events[0].subject) == 32
    assert count(memory, OWNERS) == 0  # it went with the answer
    with reading(memory.engine) as connection:
        everything = str(connection.execute(sa.select(AUDIT)).all())
    assert "CardFull" not in everything and token not in everything


def test_outside_of_a_request_nothing_may_be_done(memory: TeamMemory) -> None:
    owned = Owned(memory, ledger_of(memory))
    assert owned.keep(card_full(), given()) == "" and owned.seen(card_full()) is None
    for step in (lambda: owned.read("x" * 20), lambda: owned.forget("x" * 20), lambda: owned.feedback("x" * 20, "helped")):
        with pytest.raises(NotAllowedError):
            step()


def test_a_caller_who_may_only_diagnose_neither_keeps_nor_sees_answers(memory: TeamMemory) -> None:
    owned = Owned(memory, ledger_of(memory))
    with As(ANA):
        owned.keep(card_full(), given())
    answer = card_full()
    with As(CI):
        told = remembered(owned, answer, given(2))
    assert told.token == "" and told.seen is None and told.answer == answer and count(memory, AUDIT) == 1
    with As(ANA):
        assert remembered(owned, answer, given(2)).answer["memory"]["times"] == 1


def test_slack_has_its_own_answers(memory: TeamMemory) -> None:
    ledger = ledger_of(memory)
    slack, web = Owned(memory, ledger, SLACK), Owned(memory, ledger)
    token = slack.keep(card_full(), given(), "U1")
    with As(ANA):
        assert web.read(token) and not web.may_forget(token)
        assert slack.forget(token)
    assert [event.who for event in audit.listed(memory.engine, action="deleted")] == ["Slack"]


def test_an_answer_whose_owner_cannot_be_noted_is_not_kept(memory: TeamMemory) -> None:
    class Failing(type(ledger_of(memory))):  # type: ignore[misc]
        def own(self, token: str, caller: Caller) -> None:
            raise OSError("the disk is full")

    with As(ANA):
        told = remembered(Owned(memory, Failing(memory.engine)), card_full(), given())
    assert told.token == "" and "could not be kept" in str(told.answer["notes"])
    assert memory.seen(card_full()) is None


def test_a_request_that_two_servers_answer_at_once_leaves_its_answer_kept(memory: TeamMemory) -> None:
    """A proxy sent it to another server, because the first one took long: both look for an owner before either notes one."""
    slow = Owned(memory, ledger_of(memory))
    token = "q" * 43
    with As(ANA), pytest.MonkeyPatch.context() as patch:
        first = Owned(memory, ledger_of(memory)).keep(card_full(), given(), token=token)
        patch.setattr(DatabaseLedger, "owner", lambda *_: "")
        assert slow.keep(card_full(), given(), token=token) == first == token
    with As(ANA):
        assert slow.may_forget(token) and slow.read(token) is not None
    assert [event.action for event in audit.listed(memory.engine)] == ["read", "kept"]


def test_the_memory_of_a_day_is_not_a_team_memory(memory: TeamMemory) -> None:
    assert is_team_memory(Owned(memory, ledger_of(memory)))
    assert not is_team_memory(Owned(ForADay(), ledger_of(ForADay())))


def test_old_events_and_windows_that_are_over_are_purged(memory: TeamMemory, clock: Clock) -> None:
    with memory.engine.begin() as connection:
        for days in (0, 100):
            audit.note(connection, "token made", f"day-{days}", ANA, clock() - days * 86_400)
    DatabaseCounter(memory.engine, clock).hit("a", 60)
    purge_access(memory.engine, clock() - 90 * 86_400)
    assert [event.subject for event in audit.listed(memory.engine)] == ["day-0"]
    assert count(memory, RATES) == 0


# --- counted requests --------------------------------------------------------------------------------------------------


def test_servers_count_together_and_a_window_ends(where: str, clock: Clock) -> None:
    engines = [open_engine(where) for _ in range(2)]
    servers = [Rates("3/minute", DatabaseCounter(engine, clock), clock) for engine in engines]
    hits = [servers[number % 2].hit("ana") for number in range(4)]
    assert [hit.allowed for hit in hits] == [True, True, True, False] and hits[-1].remaining == 0
    assert servers[0].hit("ben").allowed
    clock.sleep(seconds=59)
    assert not servers[1].hit("ana").allowed and servers[0].hit("ana").seconds <= 2
    clock.sleep(seconds=2)
    assert servers[1].hit("ana") == (True, 3, 2, 60)
    for engine in engines:
        engine.dispose()


def test_hits_at_once_are_all_counted(where: str) -> None:
    engine = open_engine(where)
    rates = Rates("25/hour", DatabaseCounter(engine))
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        allowed = list(pool.map(lambda _: rates.hit("ana").allowed, range(40)))
    assert sum(allowed) == 25
    engine.dispose()


def test_requests_are_served_while_the_database_is_down(capsys: pytest.CaptureFixture[str]) -> None:
    class Away:
        shared = True

        def hit(self, client: str, window_s: int) -> tuple[int, float]:
            raise OSError("away")

    rates = Rates("2/minute", Away())
    assert [rates.hit("ana").allowed for _ in range(3)] == [True, True, False]
    assert "counting requests: OSError" in capsys.readouterr().err


def test_postgresql_counts_for_all_and_sqlite_in_the_process(where: str) -> None:
    engine = open_engine(where)
    made = Policy.of(Options(open_to_all=True), Place("0.0.0.0", False), {}, engine)
    assert made.rates is not None and made.rates.shared == (engine.dialect.name == "postgresql")
    engine.dispose()


def test_replicas_that_share_a_password_know_a_sender_by_one_word(tmp_path: pathlib.Path) -> None:
    engines = [sa.create_engine(f"postgresql+psycopg://tfhelp:{word}@db.example.org/tfhelp") for word in ("one", "one", "two")]
    first, second, other = (sender_key(TeamMemory(engine)) for engine in engines)
    assert first == second != other and b"one" not in first
    without = TeamMemory(open_engine(str(tmp_path / "team.db")))
    assert sender_key(without) != sender_key(without)
    without.close()


# --- through the doors -------------------------------------------------------------------------------------------------


def test_the_whole_way_with_a_token_of_the_memory(memory: TeamMemory) -> None:
    tokens = DatabaseTokens(memory.engine)
    asked = client(policy(tokens=(tokens,)), memory)
    headers = {"Authorization": f"Bearer {tokens.create('ci', sorted(OF_A_PERSON), None)}"}
    link = asked.post("/api/v1/diagnose", json={"text": FULL}, headers=headers).json()["link"]
    assert asked.get(f"/api/v1/answers/{link[3:]}", headers=headers).status_code == 200
    assert asked.post("/api/v1/feedback", json={"token": link[3:], "said": "helped"}, headers=headers).status_code == 200
    assert asked.post(f"{link}/delete", headers=headers).status_code == 303
    events = audit.listed(memory.engine)
    assert [event.action for event in events] == ["deleted", "judged", "read", "kept"]
    assert {(event.who, event.address) for event in events} == {("token ci", "192.0.2.7")}


@pytest.fixture
def path(tmp_path: pathlib.Path) -> typing.Iterator[str]:
    """The path of a memory with two events."""
    where = str(tmp_path / "team.db")
    memory = TeamMemory.open(where)
    with As(Caller(ANYBODY, "192.0.2.9")):
        Owned(memory, ledger_of(memory)).keep(card_full(), given())
    memory.close()
    assert main(["token", "create", "ci", "--memory", where]) == 0
    yield where


def test_the_command_shows_the_log(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["memory", "audit", "--memory", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and "token made" in lines[0] and "ci" in lines[0] and "on the command line" in lines[0]
    assert "kept" in lines[1] and "(nobody was asked) from 192.0.2.9" in lines[1]
    assert main(["memory", "audit", "--memory", path, "--action", "kept", "--json"]) == 0
    [event] = json.loads(capsys.readouterr().out)
    assert main(["memory", "delete", event["subject"][:8], "--yes", "--memory", path]) == 0
    assert main(["memory", "audit", "--memory", path, "--id", event["subject"][:8]]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()[1:]] == ["deleted", "kept"]
    assert main(["memory", "audit", "--memory", path, "--who", "nobody"]) == 1
    assert main(["memory", "audit", "--memory", path, "--action", "stolen"]) == 2
    assert "there are kept, read" in capsys.readouterr().err
