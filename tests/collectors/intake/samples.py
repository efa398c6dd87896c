"""Real files and outputs of each kind, generated where the tests run."""

import functools
import io
import json
import struct
import subprocess
import sys
import typing
import zlib

FAILURE = (
    "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor "
    "but is a double tensor [Op:AddV2]"
)
LOG = f"Epoch 1/3\n{FAILURE}\n"
SCRIPT = """import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(loss="mse")
with strategy.scope():
    model.fit([[1.0, 2.0, 3.0]], [1.0])  # out of memory? ValueError: no, it is not
"""
NVIDIA_SMI = """
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
|   0  NVIDIA GeForce RTX 3060        Off | 00000000:01:00.0  On |                  N/A |
|  0%   45C    P8              15W / 170W |    512MiB / 12288MiB |      3%      Default |
+-----------------------------------------+----------------------+----------------------+
"""


@functools.cache
def collected() -> str:
    """The output of ``tfhelp collect`` on this machine."""
    return _printed("-m", "tfhelp.service", "collect")


@functools.cache
def pip_list(form: str) -> str:
    """The output of ``pip list`` on this machine, in one of its forms."""
    return _printed("-m", "pip", "list", f"--format={form}", "--disable-pip-version-check")


def _printed(*command: str) -> str:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120, check=True).stdout


def png() -> bytes:
    """A grey image of two by two points."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\1\2\0\3\4")) + chunk(b"IEND", b"")


def hdf5() -> bytes:
    """A file as h5py writes it."""
    import h5py

    file = io.BytesIO()
    with h5py.File(file, "w") as store:
        store["weights"] = [1.0, 2.0]
    return file.getvalue()


def npz() -> bytes:
    """An archive as NumPy writes it."""
    import numpy as np

    file = io.BytesIO()
    np.savez(file, weights=np.arange(10))
    return file.getvalue()


def notebook(*outputs: dict[str, typing.Any], code: str = SCRIPT) -> str:
    """A notebook of one code cell, as Jupyter saves it."""
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": list(outputs), "source": code.splitlines(True)}
    words = {"cell_type": "markdown", "metadata": {}, "source": ["# My training"]}
    return json.dumps({"cells": [words, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def error_output(message: str = FAILURE) -> dict[str, typing.Any]:
    """A cell's error, with the colours that IPython gives it."""
    name, _, value = message.partition(": ")
    lines = [
        "\x1b[0;31m---------------------------------------------------------------------------\x1b[0m",
        f"\x1b[0;31m{name}\x1b[0m                      Traceback (most recent call last)",
        "Cell \x1b[0;32mIn[1], line 10\x1b[0m\n\x1b[1;32m      9\x1b[0m with strategy.scope():\n\x1b[0;32m---> 10\x1b[0m     model.fit(x, y)",
        f"\x1b[0;31m{name}\x1b[0m: {value}",
    ]
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": lines}
