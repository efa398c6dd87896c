"""A long log as trainings write it: start-up, progress, several programs' own lines, warnings, and a failure near its end."""

import itertools
import pathlib
import random
import typing

_SEED = 20261120

_START = """\
2026-11-20 02:11:09.713204: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on. You may see slightly different \
numerical results due to floating-point round-off errors from different computation orders.
2026-11-20 02:11:12.004417: I tensorflow/core/common_runtime/gpu/gpu_device.cc:2020] Created device \
/job:localhost/replica:0/task:0/device:GPU:0 with 14236 MB memory:  -> device: 0, name: Tesla T4, pci bus id: 0000:00:04.0, \
compute capability: 7.5
"""
_FAILURE = """\
2026-11-20 09:47:31.118275: W tensorflow/tsl/framework/bfc_allocator.cc:497] Allocator (GPU_0_bfc) ran out of memory trying to \
allocate 1.53GiB (rounded to 1644167168)requested by op model/block_4/conv2d/Conv2D
Traceback (most recent call last):
  File "/home/user/project/train.py", line 214, in <module>
    model.fit(training, validation_data=validation, epochs=40)
  File "/home/user/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:

OOM when allocating tensor with shape[256,128,112,112] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by \
allocator GPU_0_bfc
\t [[{{node model/block_4/conv2d/Conv2D}}]]
"""


def write(path: pathlib.Path, size: int) -> int:
    """Write a log; the same size gives the same log.

    Args:
        path: the file.
        size: bytes, nearly; at least a few thousand.

    Returns:
        How many lines it has.
    """
    lines = 0
    written = 0
    with open(path, "w", encoding="ascii") as file:
        for piece in _pieces(size):
            file.write(piece)
            written += len(piece)
            lines += piece.count("\n")
    return lines


def _pieces(size: int) -> typing.Iterator[str]:
    yield _START
    left = size - len(_START) - len(_FAILURE)
    tail = max(0, left // 50)
    failed = False
    for piece in _steps():
        if left <= tail and not failed:
            yield _FAILURE
            failed = True
        if left <= 0:
            return
        left -= len(piece)
        yield piece


def _steps() -> typing.Iterator[str]:
    """A step after the other: mostly progress, now and then what other parts of a training say."""
    chance = random.Random(_SEED)
    for step in itertools.count(1):
        loss = f"{chance.random():.4f}"
        time = f"{step // 3600 % 24:02d}:{step // 60 % 60:02d}:{step % 60:02d}"
        kind = chance.random()
        if kind < 0.55:
            yield (
                f"{step % 20_000:5d}/20000 [==>...........................] - ETA: {chance.randrange(60)}:{chance.randrange(60):02d}"
                f" - loss: {loss} - accuracy: {chance.random():.4f} - lr: 1.0e-04\n"
            )
        elif kind < 0.75:
            yield (
                f"2026-11-20 {time},{chance.randrange(1000):03d} INFO trainer: step={step} loss={loss} "
                f"images_per_second={chance.random() * 900:.1f}\n"
            )
        elif kind < 0.90:
            yield (
                f"[data] read shard gs://bucket/train/part-{chance.randrange(4096):05d}-of-04096.tfrecord "
                f"({chance.randrange(10_000)} examples, etag {chance.getrandbits(64):016x})\n"
            )
        elif kind < 0.96:
            yield (
                f"2026-11-20 {time}.{chance.randrange(1_000_000):06d}: W tensorflow/core/data/root_dataset.cc:342] Input buffer "
                f"is {chance.randrange(100)} % full; the step waited {chance.randrange(900)} ms for data\n"
            )
        elif kind < 0.98:
            yield f'{{"step": {step}, "loss": {loss}, "gradient_norm": {chance.random() * 10:.5f}, "host": "node-{step % 8}"}}\n'
        elif kind < 0.995:
            yield f"Saved checkpoint /home/user/runs/{chance.getrandbits(32):08x}/ckpt-{step} in {chance.random() * 9:.2f} s\n"
        else:
            yield f"\nEpoch {step // 20_000 + 1}/40\n"
