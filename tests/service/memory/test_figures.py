"""The figures of the last days: the number of answers, what helped, what fails most, what is new."""

import threading
import typing

import sqlalchemy as sa

from tests.service.memory.answers import Clock, answer, card_full, given, unknown
from tfhelp.service.memory import figures
from tfhelp.service.memory.store import TeamMemory

DAY_S = 86_400


def test_an_empty_memory_has_figures_without_shares(memory: TeamMemory, clock: Clock) -> None:
    found = figures.read(memory)
    assert (found.since, found.until) == (clock.now - 7 * DAY_S, clock.now)
    assert (found.diagnoses, found.verdicts, found.entries, found.failures, found.new, found.newest) == (0, {}, [], [], 0, [])
    assert found.said == {"helped": 0, "did-not-help": 0, "something-else": 0}
    assert (found.answered, found.helped) == (None, None)


def test_a_week_is_counted_and_what_was_before_it_is_not(memory: TeamMemory, clock: Clock) -> None:
    memory.feedback(memory.keep(card_full(), given(1)), "helped", "long ago")
    memory.keep(unknown("old"), given(2))
    clock.sleep(days=10)
    tokens = [memory.keep(card_full(), given(number), f"s{number}") for number in range(3)]
    memory.keep(card_full(), given(0), "s0")  # the same log from the same sender
    memory.keep(unknown(), given(4))
    for number, said in enumerate(("helped", "helped", "did-not-help")):
        memory.feedback(tokens[number], typing.cast(typing.Any, said), "me")
    found = figures.read(memory)
    assert found.diagnoses == 4
    assert sum(found.verdicts.values()) == 4
    assert found.verdicts["unknown"] == 1
    assert found.answered == 0.75
    assert found.said == {"helped": 2, "did-not-help": 1, "something-else": 0}
    assert found.helped == 2 / 3
    assert found.entries == [("card-full", 3)]
    assert [(row.times, row.entry) for row in found.failures] == [(3, "card-full"), (1, "")]
    assert found.failures[0].message
    assert (found.new, [row.message for row in found.newest]) == (1, [found.failures[1].message])


def test_lists_are_short_and_counts_are_whole(memory: TeamMemory) -> None:
    for number, name in enumerate(("ab", "cd", "ef")):
        for time in range(number + 1):
            memory.keep(unknown(name * 3), given(10 * number + time))
    found = figures.read(memory, most=2)
    assert (found.new, found.diagnoses) == (3, 6)
    assert [row.times for row in found.failures] == [row.times for row in found.newest] == [3, 2]


def test_a_run_without_a_failure_is_not_a_new_failure(memory: TeamMemory) -> None:
    harmless = {**answer("Epoch 1/1\nall is done, exit code 0"), "verdict": "nothing-failed"}
    memory.keep(harmless, given(1))
    found = figures.read(memory)
    assert (found.diagnoses, found.answered, found.new, found.failures) == (1, 1.0, 0, [])


def test_figures_are_asked_once_a_minute_however_many_want_them(memory: TeamMemory) -> None:
    asked: list[str] = []
    sa.event.listen(memory.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    timer = Clock()
    fresh = figures.FreshFigures(memory, timer=timer)
    first = fresh.get()
    once = len(asked)
    threads = [threading.Thread(target=fresh.get) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory.keep(card_full(), given())
    before = len(asked)
    assert fresh.get() is first
    assert (once > 0, len(asked)) == (True, before)
    timer.sleep(seconds=61)
    assert fresh.get().diagnoses == 1
