"""``tfhelp run`` on real trainings with TensorFlow."""

import json
import pathlib
import sys

import pytest

from tests.service.run_tool import RunTool

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")]

START = """
import numpy as np, tensorflow as tf
x = np.random.default_rng(1).normal(size=(512, 8)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
"""


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    return RunTool(tmp_path)


def test_a_healthy_training_says_one_line(tool: RunTool) -> None:
    ended = tool.python(START + "model.compile('adam', 'mse')\nmodel.fit(x, y, epochs=3, verbose=2)\n")
    assert ended.status == 0
    ours = [line for line in ended.err.decode().splitlines() if line.startswith("tfhelp:")]
    assert len(ours) == 1
    assert ours[0].startswith("tfhelp: exit code 0")
    assert not tool.file("answer.json").exists()


def test_early_stopping_that_says_nothing(tool: RunTool) -> None:
    source = """
model.compile(tf.keras.optimizers.SGD(0.0), "mse")
stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=2)
model.fit(x, y, epochs=50, verbose=2, callbacks=[stop])
"""
    assert tool.python(START + source).status == 0
    assert tool.first() == ("training-stops-silently", "stopped-by-callback")


def test_a_loss_that_turns_nan(tool: RunTool) -> None:
    source = "model.compile(tf.keras.optimizers.SGD(1e6), 'mse')\nmodel.fit(x, y, epochs=3, verbose=2)\n"
    assert tool.python(START + source).status == 0
    assert tool.first()[0] == "nan-loss"


def test_data_that_ends_early(tool: RunTool) -> None:
    source = """
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
model.fit(data, epochs=4, steps_per_epoch=6, verbose=2)
"""
    assert tool.python(START + source).status == 0
    assert tool.first()[0] == "ran-out-of-data"


def test_a_training_that_is_killed(tool: RunTool) -> None:
    source = """
import os, signal
class Kill(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 1:
            os.kill(os.getpid(), signal.SIGKILL)
model.compile("adam", "mse")
model.fit(x, y, epochs=5, verbose=2, callbacks=[Kill()])
"""
    assert tool.python(START + source).status == 137
    assert tool.first() == ("training-stops-silently", "killed-from-outside")
    facts = json.loads(tool.file("facts.json").read_text())
    assert facts["run"]["memory_peak_mib"] > 200
