"""``tfhelp run`` on real trainings with TensorFlow."""

import json
import os
import pathlib
import signal
import sys
import time

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


def test_a_healthy_training_prints_one_line(tool: RunTool) -> None:
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


REPLICAS = """
import numpy as np, tensorflow as tf
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
x = np.random.default_rng(1).normal(size=(512, 8)).astype("float32")
{scope}
{indent}model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
{indent}model.compile("adam", "mse")
model.fit(x, x.sum(axis=1, keepdims=True), epochs=2, verbose=2)
"""


def test_a_training_on_one_of_two_replicas(tool: RunTool) -> None:
    assert tool.python(REPLICAS.format(scope="", indent="")).status == 0
    assert tool.first() == ("variable-outside-scope", "silent-single-replica")
    tool.python(REPLICAS.format(scope="with strategy.scope():", indent="    "))
    assert not tool.file("answer.json").exists()


def test_a_loop_whose_data_end_before_its_steps(tool: RunTool) -> None:
    source = """
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
optimizer = tf.keras.optimizers.SGD(0.01)
for step, (a, b) in zip(range(100), data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    if step % 5 == 0:
        print(f"step {step}/100 loss {float(loss):.3f}")
"""
    assert tool.python(START + source).status == 0
    assert tool.first() == ("training-stops-silently", "finite-data")


def test_inputs_that_are_scaled_for_fit_alone(tool: RunTool) -> None:
    source = """
model.compile("adam", "mse")
pictures = np.random.default_rng(1).integers(0, 256, size=(512, 8))
model.fit(pictures / 255.0, y, epochs=2, verbose=2)
print("error", model.evaluate(pictures, y, verbose=0))
"""
    assert tool.python(START + source).status == 0
    assert tool.first() == ("weights-loaded-but-wrong", "preprocessing-differs")


WAITS = """
import os, queue, sys, threading, time
files, lock = queue.Queue(), threading.Lock()
lock.acquire()
def batches():
    for number in range(3):
        yield x[:64], y[:64]
    {wait}
    yield x[:64], y[:64]
data = tf.data.Dataset.from_generator(
    batches, output_signature=(tf.TensorSpec((64, 8), tf.float32), tf.TensorSpec((64, 1), tf.float32))
)
threading.Thread(target=lambda: (time.sleep(600), os._exit(0)), daemon=True).start()
model.compile("adam", "mse")
model.fit(data, epochs=2, steps_per_epoch=8, verbose=2)
"""


@pytest.mark.parametrize(
    ("wait", "kind", "cause"),
    [("files.get()", "queue", "input-never-yields"), ("lock.acquire()", "lock", "deadlock-in-python")],
)
def test_a_generator_that_waits(tool: RunTool, wait: str, kind: str, cause: str) -> None:
    process = tool.start(sys.executable, tool.script(START + WAITS.replace("{wait}", wait)), options=("--hang-after", "14"))
    # The answer is written while the program hangs; after that the program is no longer needed. A slow import is a silence too.
    known: dict[str, object] = {}
    end = time.monotonic() + 300
    while "data_waits_in" not in known:
        assert time.monotonic() < end, known
        time.sleep(0.2)
        if tool.runs() and tool.file("answer.json").exists():
            known = tool.answer()["facts"]["run"]
    first = tool.first()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert known["data_waits_in"] == kind
    assert known["data_line"] == f"train.py line 13: {wait}"
    assert known["waits_in"] == "tensorflow"
    assert first == ("fit-hangs", cause)
