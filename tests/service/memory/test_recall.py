"""What an answer adds about a failure that was met before, and whether a retry will help."""

import typing

import pytest

from tests.service.memory.answers import Clock, answer, card_full, given, unknown
from tfhelp.kb import compiled
from tfhelp.service.memory import retry
from tfhelp.service.memory.recall import recalled_by
from tfhelp.service.memory.rows import mark_of_text
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]


def says(memory: TeamMemory, document: Json, handed: Json, sender: str = "") -> str:
    return " ".join(memory.recall(document, handed, sender)["memory"]["says"])


def test_a_new_failure_gets_no_remark(memory: TeamMemory) -> None:
    told = memory.recall(card_full(), given())
    assert told["memory"] | {"fingerprint": ""} == {
        "fingerprint": "",
        "cause": "",
        "times": 0,
        "alike": 0,
        "retry": "",
        "says": [],
    }
    assert "notes" not in told


def test_it_says_how_often_since_when_and_what_helped(memory: TeamMemory, clock: Clock) -> None:
    for number in range(14):
        token = memory.keep(card_full(), given(number, f"job-{number}.log"), f"sender {number}")
        clock.sleep(days=2)
    memory.feedback(token, "helped", "x", "I stopped the other notebook", "Ana")
    told = memory.recall(card_full(), given(99), "new")
    assert told["memory"]["times"] == 14
    assert "notes" not in told  # each door shows it in its own way
    assert told["memory"]["says"] == [
        "Your team has met this failure 14 times before, first on 1 March 2026 and last on 27 March 2026. "
        "What helped the last time, says Ana: A neighbour holds the card (“I stopped the other notebook”)."
    ]


def test_a_kept_answer_holds_what_was_recalled(memory: TeamMemory) -> None:
    memory.keep(card_full(), given(1, "a.log"), "one")
    read = memory.read(memory.keep(card_full(), given(2, "b.log"), "two"))
    assert read is not None
    assert read.answer["memory"]["times"] == 1
    assert read.answer["memory"]["says"] == ["Your team has met this failure once before, on 1 March 2026."]


def test_a_failure_that_is_only_alike_is_called_so(memory: TeamMemory) -> None:
    memory.keep(answer("RuntimeError: the spindle of the loom has come loose in the left shuttle"), given(1))
    told = memory.recall(answer("RuntimeError: the spindle of the loom has come loose in the right shuttle"), given(2))
    assert (told["memory"]["times"], told["memory"]["alike"]) == (0, 1)
    assert told["memory"]["says"] == [
        "Your team has met a failure like this one. It reads: “RuntimeError: the spindle of the loom has come loose in the left "
        "shuttle” (1 March 2026)."
    ]
    assert memory.recall(answer("ImportError: no teapot in the kitchen"), given(3))["memory"]["alike"] == 0


def test_failures_of_other_entries_are_not_alike(memory: TeamMemory) -> None:
    memory.keep(answer("CardFullError: no room for tensor 3,4"), given(1))
    assert memory.alike(answer("LetterError: 'no room for tensor' is misspelt")) == []


def test_the_same_end_at_the_same_place_needs_no_retry(memory: TeamMemory, clock: Clock) -> None:
    memory.keep(card_full(epochs=3), given(1, "job.log"), "me")
    clock.sleep(seconds=1_200)
    told = memory.recall(card_full(epochs=3), given(2, "job.log"), "me")
    assert told["memory"]["retry"] == "no"
    assert told["notes"] == told["memory"]["says"][1:]
    assert told["notes"][0] == (
        "The same failure was kept 20 minutes ago and ended at the same place, after 3 epochs. To run it again unchanged will not help."
    )


def test_two_logs_of_one_size_are_told_apart_by_their_text(memory: TeamMemory) -> None:
    logs = [{**given(7, "job.log"), "log": mark_of_text(f"12:00:0{number} CardFullError", b"key")} for number in (1, 2)]
    memory.keep(card_full(), logs[0], "me")
    assert memory.recall(card_full(), logs[0], "me")["memory"]["retry"] == ""
    assert memory.recall(card_full(), logs[1], "me")["memory"]["retry"] == "no"
    memory.keep(card_full(), logs[1], "me")
    assert memory.recall(card_full(), logs[1], "new")["memory"]["times"] == 2


def test_a_run_that_came_further_may_come_further_still(memory: TeamMemory, clock: Clock) -> None:
    memory.keep(card_full(), given(1, "job.log"))
    clock.sleep(seconds=8_000)
    told = memory.recall(card_full(epochs=5), given(2, "job.log"))
    assert told["memory"]["retry"] == "maybe"
    assert "kept 2 hours ago. That run ended before the first step, and this one after 5 epochs" in told["memory"]["says"][-1]


def test_a_transient_failure_may_pass_on_a_retry(memory: TeamMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "TRANSIENT", frozenset(["card-full"]))
    memory.keep(card_full(), given(1), "me")
    assert memory.recall(card_full(), given(2), "me")["memory"]["retry"] == "maybe"


@pytest.mark.parametrize(
    ("handed", "sender", "days"),
    [
        (given(2, "other.log"), "another", 0.0),  # somebody else's job
        (given(2, "job.log"), "me", 1.1),  # not of this day
        (given(1, "job.log"), "me", 0.0),  # the same log, asked about again
    ],
)
def test_the_same_or_an_unrelated_question_says_nothing_about_a_retry(
    memory: TeamMemory, clock: Clock, handed: Json, sender: str, days: float
) -> None:
    memory.keep(card_full(), given(1, "job.log"), "me")
    clock.sleep(days=days, seconds=5)
    assert memory.recall(card_full(), handed, sender)["memory"]["retry"] == ""


def test_another_failure_of_the_same_job_says_nothing_about_a_retry(memory: TeamMemory) -> None:
    memory.keep(card_full(), given(1, "job.log"), "me")
    assert memory.recall(unknown(), given(2, "job.log"), "me")["memory"]["retry"] == ""


def test_the_entries_of_passing_trouble_exist() -> None:
    assert retry.TRANSIENT - set(compiled.load().summaries) == set()


def test_an_answer_is_as_it_was_without_a_memory_or_with_one_that_recalls_nothing(memory: TeamMemory) -> None:
    document = card_full()
    assert recalled_by(None, document, given()) is document
    assert recalled_by(typing.cast(typing.Any, object()), document, given()) is document
    assert "memory" in recalled_by(memory, document, given())
    assert "memory" not in document
