"""What every door does with an answer: it asks the memory and keeps the answer; if the memory fails, the answer still comes."""

import typing

import pytest

from tests.service.memory.answers import card_full, given, unknown
from tests.service.small_server import small_diagnoser
from tfhelp.service.access.identity import Caller, Who
from tfhelp.service.access.owned import Owned, ledger_of
from tfhelp.service.diagnosis.given import Piece
from tfhelp.service.doors.http.interface import Interface
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.slack.answering import Answering
from tfhelp.service.doors.slack.incoming import MessageContent
from tfhelp.service.memory.asking import NOT_ASKED, NOT_KEPT, is_team_memory, remembered
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.telemetry.metrics import Metrics
from tfhelp.service.telemetry.watch import Watch

Json = dict[str, typing.Any]


class Away(ForADay):
    """A memory whose database is unavailable."""

    def seen(self, answer: Json) -> typing.NoReturn:
        raise OSError("away")

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> typing.NoReturn:
        raise OSError("away")


def test_it_recalls_and_keeps_and_changes_nothing_that_it_was_given(memory: TeamMemory) -> None:
    memory.keep(card_full(), given(1), "one")
    document, handed = card_full(), given(2)
    before = dict(document), dict(handed)
    told = remembered(memory, document, handed, "two")
    assert (document, handed) == before
    assert told.seen is not None and told.seen.times == 1 == told.answer["memory"]["times"]
    kept = memory.read(told.token)
    assert kept is not None and kept.answer["memory"] == told.answer["memory"] and kept.given["seen"]["times"] == 1
    private = remembered(memory, card_full(), given(3), "three", keep=False)
    assert private.token == "" and private.answer["memory"]["times"] == 2
    assert remembered(memory, card_full(), given(4), "four").answer["memory"]["times"] == 2


def test_a_memory_of_one_day_recalls_nothing_and_keeps(memory: TeamMemory) -> None:
    day, document = ForADay(), card_full()
    told = remembered(day, document, given())
    assert told.answer == document and told.seen is None and day.read(told.token) is not None
    assert is_team_memory(memory) and not is_team_memory(day)


def test_an_unreachable_memory_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    told = remembered(Away(), {**card_full(), "notes": ["first"]}, given())
    assert told.answer["notes"] == ["first", NOT_ASKED, NOT_KEPT] and told.token == "" and told.given["seen"] is None
    assert "recalling: OSError" in capsys.readouterr().err


def test_slack_answers_without_a_memory_too() -> None:
    answering = Answering(
        Interface(small_diagnoser(), 1 << 20, None, "", Watch(Metrics("0", "0"))), Away(), RecentTexts(), "secret"
    )
    brought = MessageContent([Piece("CardFullError: no room for tensor 8,8")], ["the message"], [])
    answered = answering.answer(brought, "me")
    assert answered.answer["matches"][0]["entry"] == "card-full" and answered.token == ""
    assert answered.answer.get("notes", [])[-2:] == [NOT_ASKED, NOT_KEPT] and answering.recent("me") == []


def test_a_caller_who_may_not_read_does_not_learn_that_the_memory_is_broken(memory: TeamMemory) -> None:
    caller = Caller(Who("token:x", "token ci", frozenset(["diagnose"])), "")
    owned = Owned(memory, ledger_of(memory), caller)
    assert "notes" not in remembered(owned, card_full(), given(1), "ci", True, "k" * 43).answer


def test_what_helped_with_an_unknown_failure_is_said(memory: TeamMemory) -> None:
    token = memory.keep(unknown(), given(1), "ana")
    assert memory.feedback(token, "helped", "ana", "Pin frob to 1.2", "Ana")
    says = remembered(memory, unknown(), given(2), "ben").answer["memory"]["says"]
    assert says[0].endswith("What helped the last time, says Ana: \u201cPin frob to 1.2\u201d.")
