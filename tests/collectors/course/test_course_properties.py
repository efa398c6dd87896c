"""Properties of the course of any text: wherever it is cut, whatever stands before and after it, whatever it contains."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.collectors.course.reading import course_of
from tests.collectors.course.test_forms import STARTUP, TRACEBACK

METRIC = st.floats(0.001, 9.0).map(lambda value: f"{value:.4f}")
ENDS = {"completed", "exception", "signal", "aborted", "silent", "waiting", "interrupted", "unknown"}


@st.composite
def keras_lines(draw: st.DrawFn) -> list[str]:
    epochs, steps, loss = draw(st.integers(1, 12)), draw(st.integers(1, 500)), draw(METRIC)
    between = draw(st.sampled_from(["", "Learning rate is now 0.001", "WARNING:tensorflow:Callback is slow"]))
    lines = []
    for epoch in range(1, epochs + 1):
        lines += [f"Epoch {epoch}/{epochs}", f"{steps}/{steps} - 1s - 3ms/step - loss: {loss}", *([between] if between else [])]
    return lines


@st.composite
def keras_bars(draw: st.DrawFn) -> list[str]:
    epochs, steps, loss = draw(st.integers(1, 9)), draw(st.integers(2, 500)), draw(METRIC)
    lines = []
    for epoch in range(1, epochs + 1):
        bars = [f"{done}/{steps} [====>.....] - ETA: 1s - loss: {loss}" for done in sorted({1, steps // 2})]
        lines += [f"Epoch {epoch}/{epochs}", "\r".join([*bars, f"{steps}/{steps} [==========] - 0s 3ms/step - loss: {loss}"])]
    return lines


@st.composite
def loops(draw: st.DrawFn) -> list[str]:
    count, stride, loss = draw(st.integers(2, 30)), draw(st.sampled_from([1, 10, 25, 100])), draw(METRIC)
    first = draw(st.sampled_from([0, stride]))
    form = draw(st.sampled_from(["step {}/{}: loss={}", "[iter {}/{}] loss {}", "Step {} of {} - loss {}"]))
    return [form.format(first + place * stride, count * stride, loss) for place in range(count)]


@st.composite
def epoch_loops(draw: st.DrawFn) -> list[str]:
    count, loss, first = draw(st.integers(1, 30)), draw(METRIC), draw(st.sampled_from([0, 1]))
    form = draw(
        st.sampled_from(
            ["Epoch {}/{}, loss: {}", "epoch [{}/{}] loss {}", "2024-05-01 10:00:00,123 INFO train: Epoch {}/{} loss {}"]
        )
    )
    return [form.format(first + place, count, loss) for place in range(count)]


COMPLETED = st.one_of(keras_lines(), keras_bars(), loops(), epoch_loops())
LAST_WORDS = st.lists(st.sampled_from(["Saved model to model.keras", "Test accuracy: 0.98", "[0.12, 0.98]", ""]), max_size=3)


@given(COMPLETED, LAST_WORDS)
def test_completed_run_is_completed(lines: list[str], last_words: list[str]) -> None:
    found = course_of("\n".join(lines + last_words))
    assert (found["end"], found["failures"]) == ("completed", 0)


@given(COMPLETED, st.integers(0))
def test_cut_before_its_last_progress_it_is_not_completed(lines: list[str], at: int) -> None:
    last = max(place for place, line in enumerate(lines) if any(letter.isdigit() for letter in line) and "rate" not in line)
    cut = lines[: at % (last + 1)]
    assert course_of("\n".join(cut)).get("end") != "completed"


@given(COMPLETED, LAST_WORDS)
def test_traceback_behind_it_makes_it_an_exception(lines: list[str], last_words: list[str]) -> None:
    found = course_of("\n".join([*lines, *last_words, TRACEBACK]))
    assert (found["end"], found["failures"]) == ("exception", 1)


@given(COMPLETED, LAST_WORDS, st.booleans())
def test_startup_before_it_changes_nothing(lines: list[str], last_words: list[str], failed: bool) -> None:
    text = "\n".join([*lines, *last_words, *([TRACEBACK] if failed else [])])
    alone, behind = course_of(text), course_of(STARTUP + text)
    shift = STARTUP.count("\n")
    if "failure_line" in alone:
        alone["failure_line"] += shift
    assert {**behind, "started": None} == {**alone, "started": None}


PIECES = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["Traceback (most recent call last):", '  File "a.py", line 3, in <module>', "ValueError: x", "Killed", "Epoch 3/9", "^C"]
        + [
            "10/10 [====] - 1s",
            "step 9999999999999/3 loss nan",
            "Waiting for 1/2 tasks",
            "exit code 0",
            "exited with code -9",
            "epoch",
        ]
        + [
            "ERROR: x",
            "FAILED a.py::b",
            "3 passed in 1s",
            "| 0/0 [",
            "%|| 1/",
            "Process P-1:",
            "ValueError  Traceback (most recent call last)",
        ]
        + ["During handling of the above exception, another exception occurred:", "Test accuracy", "/", "0/", "Why?"]
    ),
)


@given(st.lists(PIECES, max_size=20))
def test_any_text_has_a_course_that_fits_itself(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    found = course_of(text)
    if not found:
        return
    assert found["end"] in ENDS
    assert (found["failures"] == 0) == ("failure_line" not in found)
    assert found["failures"] == 0 or found["end"] not in ("completed", "silent", "unknown")


def test_shuffled_text_of_many_lines_is_read() -> None:
    lines = [f"Epoch {number}/900" for number in range(900)] + TRACEBACK.splitlines() * 300 + ["Killed"] * 300
    random.Random(7).shuffle(lines)
    assert course_of("\n".join(lines * 4))["end"] in ENDS
