"""The failure itself, as every answer names it: exception, message, innermost functions."""

import functools
import typing

import pytest

from tfhelp.service.diagnosis.diagnoser import Diagnoser


@functools.cache
def diagnoser() -> Diagnoser:
    return Diagnoser.load()


def failure(text: str) -> typing.Any:
    return diagnoser().diagnose(text).get("failure")


TRACEBACK = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 30, in <module>
    main()
  File "/home/user/project/train.py", line 12, in train_step
    model.fit(x, y)
  File "/home/user/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/home/user/venv/lib/python3.11/site-packages/keras/src/trainers/trainer.py", line 1075, in _assert_compile_called
    raise ValueError(msg)
ValueError: You must call `compile()` before using the model.
"""


def test_a_traceback_names_the_innermost_functions_of_both_sides() -> None:
    assert failure(TRACEBACK) == {
        "exception": "ValueError",
        "message": "ValueError: You must call `compile()` before using the model.",
        "own": "train_step",
        "library": "_assert_compile_called",
    }


def test_a_wrapper_that_raises_again_is_not_where_it_was_raised() -> None:
    without = "\n".join(
        line for line in TRACEBACK.splitlines() if "_assert_compile" not in line and "raise ValueError" not in line
    )
    assert failure(without)["library"] == ""


def test_the_calls_that_a_message_lists_are_left_out() -> None:
    said = failure(
        "ValueError: in user code:\n\n"
        '    File "/home/user/project/train.py", line 14, in clip  *\n        if norm > limit:\n\n'
        "    ValueError: 'clipped' must also be initialized in the else branch\n"
    )
    assert said["message"] == "ValueError: 'clipped' must also be initialized in the else branch"


def test_a_harmless_line_is_not_a_failure() -> None:
    harmless = "2026-01-02 03:04:05.678901: E tensorflow/stream_executor/cuda/cuda_driver.cc:265] failed call to cuInit: UNKNOWN ERROR (303)\n"
    assert failure(harmless) is None
    assert failure(harmless + TRACEBACK) == failure(TRACEBACK)


@pytest.mark.parametrize("text", ["", "Epoch 1/1\n100/100 - 1s - loss: 0.1\n"])
def test_nothing_that_fails_has_no_failure(text: str) -> None:
    assert failure(text) is None


def test_a_long_message_is_cut() -> None:
    assert len(failure("ValueError: " + "long " * 5_000)["message"]) == 1_000
