"""The change of a fixed program is what people are shown, and the call that failed is still made."""

import pytest

from tfhelp.kb.honesty import check_pair
from tfhelp.kb.honesty_change import dropped_call, unshown

BROKEN = """\
import keras

# --- shown
layer = keras.layers.Dense(4, activation="wrong")
# --- end
rate = 1.0
model = keras.Sequential([layer])
model.compile(loss="mse")
model.fit(data)
"""
FIXED = BROKEN.replace("wrong", "relu") + "assert model.built\n"


def texts(fixed: str, broken: str = BROKEN) -> list[str]:
    return [text for _, text in unshown(broken, fixed)]


def test_a_change_in_the_region_is_shown() -> None:
    assert texts(FIXED) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rate = 1.0", "rate = 0.1", ["rate = 0.1"]),
        (
            'model.compile(loss="mse")',
            'model.compile(loss="mse", run_eagerly=True)',
            ['model.compile(loss="mse", run_eagerly=True)'],
        ),
        ('model.compile(loss="mse")\n', "", ['-model.compile(loss="mse")']),
        ("model.fit(data)", "history = model.fit(data)", []),
        ("model.fit(data)", "history = model.fit(data[:1])\nprint(history)", ["history = model.fit(data[:1])"]),
        ("import keras", "import keras\nimport numpy as np", []),
    ],
)
def test_a_change_elsewhere_is_found(old: str, new: str, said: list[str]) -> None:
    assert texts(FIXED.replace(old, new)) == said


def test_a_name_that_only_an_assertion_reads_is_no_change() -> None:
    measured = FIXED.replace("model.fit(data)", "before = model.get_weights()\nmodel.fit(data)")
    assert texts(measured + "assert before\n") == []
    assert texts(measured + "assert before\nmodel.set_weights(before)\n") != []


def test_the_failing_call_may_be_replaced_but_not_left_out() -> None:
    output = (
        'Traceback (most recent call last):\n  File "/home/user/project/train.py", line 9, in <module>\n    model.fit(data)\n'
    )
    assert dropped_call(BROKEN, FIXED, output) is None
    assert dropped_call(BROKEN, FIXED.replace("model.fit(data)\n", ""), output) == (9, "model.fit(data)")
    assert dropped_call(BROKEN, FIXED.replace("model.fit(data)", "model.train_on_batch(data)"), output) is None
    assert dropped_call(BROKEN, FIXED.replace("model.fit(data)\n", ""), "Killed\n") is None


def test_both_are_faults_of_a_pair() -> None:
    output = '  File "train.py", line 9, in <module>\n'
    fixed = FIXED.replace("model.fit(data)\n", "").replace("rate = 1.0", "rate = 2.0")
    rules = [fault.rule for fault in check_pair("a.broken.py", BROKEN, fixed, (), output)]
    assert {"not-shown", "dropped-call"} <= set(rules)
