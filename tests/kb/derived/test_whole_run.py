"""What the course of the run means, from facts alone and from texts."""

import typing

import pytest

from tests.collectors.course.reading import sheet_of
from tfhelp.collectors import text_facts
from tfhelp.collectors.reading import read
from tfhelp.kb.compat_tables import tables
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet

TABLES = tables()
DONE = "Epoch 1/2\n5/5 - 1s - loss: 0.4\nEpoch 2/2\n5/5 - 1s - loss: 0.3"
BROKEN_OFF = "$ python train.py\n" + "\n".join(f"Epoch {number}/300\n5/5 - 1s - loss: 0.4" for number in range(1, 19))


def derived(text: str = "", **facts: typing.Any) -> FactSheet:
    """Facts of a text and of its course, with others given (``run__exit_code=1``), and the facts derived from them."""
    sheet = text_facts.read(read(text)) if text else FactSheet()
    sheet.add(sheet_of(text))
    for path, value in facts.items():
        sheet.put(path.replace("__", ".", 1), value, "given")
    derive(sheet, TABLES)
    return sheet


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        (DONE, {}, True),
        (DONE, {"run__exit_code": 1}, False),
        (DONE, {"run__signal": "SIGKILL"}, False),
        (DONE + '\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x', {}, False),
        ("2.16.1", {"run__exit_code": 0}, True),
        ("2.16.1", {}, False),
        (BROKEN_OFF, {"run__exit_code": 0}, False),
    ],
)
def test_completed_without_failure(text: str, facts: dict[str, typing.Any], expected: bool) -> None:
    assert derived(text, **facts).get("derived.completed_without_failure") is expected


def test_a_complaint_or_a_loss_that_is_nan_is_not_nothing() -> None:
    assert derived(DONE).get("derived.nothing_failed") is True
    assert derived(DONE + "\n\nWhy is my accuracy so low?").get("derived.nothing_failed") is False
    assert derived(DONE.replace("0.3", "nan")).get("derived.nothing_failed") is False


def test_text_that_breaks_off_is_a_silent_stop() -> None:
    sheet = derived(BROKEN_OFF)
    assert sheet.get("derived.silent_stop") is True
    assert sheet.get("derived.silent_stop_without_words") is True
    assert derived(BROKEN_OFF, run__signal="SIGKILL").get("derived.silent_stop") is False
    assert derived(DONE).get("derived.silent_stop") is False


def test_excerpt_is_a_silent_stop_of_which_anything_can_be_asked() -> None:
    sheet = derived("Epoch 2/200\n5/5 - 1s - loss: 0.4\nEpoch 3/200\n5/5 - 1s - loss: 0.3")
    assert sheet.get("derived.silent_stop") is True
    assert sheet.get("derived.silent_stop_without_words") is False
    long = "\n".join(f"Epoch {number}/300\n5/5 - 1s - loss: 0.4" for number in range(7, 19))
    assert derived(long).get("derived.silent_stop_without_words") is False


@pytest.mark.parametrize(
    ("epoch", "fact"),
    [
        ("5/5 - 1s - loss: 7.6712 - acc: 0.5000", "log.metrics_stand_still"),
        ("5/5 - 1s - loss: 0.{left}1 - val_loss: 1.{number}0", "log.validation_diverges"),
        ("5/5 - 1s - loss: -{number}.5 - iou_score: 1.{number}0", "log.score_above_one"),
    ],
)
def test_numbers_that_show_another_problem_are_not_a_question_about_the_stop(epoch: str, fact: str) -> None:
    epochs = (f"Epoch {number}/300\n" + epoch.format(number=number, left=9 - number) for number in range(1, 7))
    sheet = derived("$ python train.py\n" + "\n".join(epochs))
    assert sheet.get(fact) is True
    assert sheet.get("derived.silent_stop") is True
    assert sheet.get("derived.silent_stop_without_words") is False


def test_what_says_why_it_stopped_is_not_silent() -> None:
    ran_out = BROKEN_OFF + "\nWARNING:tensorflow:Your input ran out of data; interrupting training."
    assert derived(ran_out).get("derived.silent_stop") is False


def test_wait_that_is_killed_is_the_wait_and_not_for_memory() -> None:
    sheet = derived("I0101 coordination: Waiting for 1/2 tasks to connect.\nKilled")
    assert sheet.get("derived.ended_in_wait") is True
    assert sheet.get("derived.killed_perhaps_for_memory") is False
    assert sheet.get("derived.kill_sender_unknown") is False


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, True),
        ({"run__killed_by": "oom-killer"}, False),
        ({"log__scheduler_verdict": "time-limit"}, False),
        ({"host__oom_killed": "python"}, False),
        ({"log__host_allocation_mib": 4096.0}, False),
        ({"run__memory_pattern": "steady-growth"}, False),
    ],
)
def test_sender_of_a_bare_kill_is_unknown_until_a_fact_says_more(facts: dict[str, typing.Any], expected: bool) -> None:
    assert derived("Epoch 3/50\nKilled", **facts).get("derived.kill_sender_unknown") is expected


def test_bare_word_killed_is_weaker_than_an_exit_code() -> None:
    bare = derived("Epoch 3/50\nKilled")
    assert bare.get("derived.kill_named_by_text_alone") is True
    assert bare.get("derived.killed_probably_for_memory") is False
    coded = derived("Epoch 3/50", run__exit_code=137, run__signal="SIGKILL")
    assert coded.get("derived.kill_named_by_text_alone") is False
    assert coded.get("derived.killed_probably_for_memory") is True


@pytest.mark.parametrize(("system", "expected"), [(None, True), ("linux", True), ("macos", False)])
def test_bus_error_is_of_linux_unless_the_system_is_known(system: str | None, expected: bool) -> None:
    facts = {} if system is None else {"os__name": system}
    assert derived("Epoch 1/2\nBus error (core dumped)", **facts).get("derived.bus_error_on_linux") is expected


def test_old_line_of_this_machines_kernel_log_is_not_of_this_run() -> None:
    sheet = FactSheet()
    sheet.put("host.oom_killed", "python", "kernel log")
    derive(sheet, TABLES)
    assert sheet.get("derived.oom_kill_was_this_run") is UNKNOWN
    sheet.put("run.signal", "SIGKILL", "given")
    derive(sheet, TABLES)
    assert sheet.get("derived.oom_kill_was_this_run") is True


@pytest.mark.parametrize(
    ("text", "shown"), [(DONE, False), (BROKEN_OFF, True), ("Epoch 1/3\nKilled", True), ("it hangs, why?", True)]
)
def test_failure_is_shown(text: str, shown: bool) -> None:
    assert derived(text).get("derived.failure_is_shown") is shown
