"""Twenty texts that cover every verdict and every family of entries; most are recorded outputs."""

import functools
import pathlib

from tests.faults.knowledge import diagnoser
from tests.service.vague import question_with
from tfhelp.service.curation.recordings import read_recording

ENTRIES = pathlib.Path(__file__).resolve().parents[3] / "kb" / "entries"

RECORDED = (
    "benign-cpu-instructions/harmless-information",
    "benign-iterator-cancelled/harmless-cancellation",
    "cannot-pickle-model/pickle-file-empty",
    "custom-op-undefined-symbol/addon-built-for-other-version",
    "dataset-not-iterable/eager-turned-off",
    "determinism-unavailable/no-seed-set",
    "device-already-initialised/configured-too-late",
    "disk-full/pip-temp-or-cache",
    "host-out-of-memory/dataset-in-memory",
    "tensorflow-not-installed/not-installed",
    "variable-outside-scope/built-outside-scope",
)
WRITTEN = {
    "a line alone": "ValueError: Shapes (None, 1) and (None, 10) are incompatible",
    "markup and other scripts": (
        "\u041e\u0448\u0438\u0431\u043a\u0430 <b>&amp; ``` *so*</b> \U0001f600\n"
        "OSError: Unable to open file (file signature not found)"
    ),
    "two failures": (
        "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float on GPU:0 by allocator GPU_0_bfc\n"
        "Traceback (most recent call last):\n"
        '  File "train.py", line 1, in <module>\n'
        "    import tensorflow as tf\n"
        "ModuleNotFoundError: No module named 'tensorflow'"
    ),
    "a question in words": "My loss becomes nan after some steps, what can I do?",
    "explained": 'ValueError: `subset` must be either "training" or "validation", received: both',
    "of another program": "django.db.utils.OperationalError: no such table: auth_user",
    "nothing of a program": "the quarterly report is due on Friday",
}


@functools.cache
def cases() -> dict[str, str]:
    """Name -> text."""
    recorded = {name: _recorded(name) for name in RECORDED}
    vague = {verdict: question_with(verdict, _verdict) for verdict in ("likely", "undecided")}
    return {**recorded, **WRITTEN, **vague}


def _verdict(text: str) -> str:
    return str(diagnoser().diagnose(text)["verdict"])


def _recorded(name: str) -> str:
    [path] = ENTRIES.glob(f"*/{name}.recorded.json")
    return str(read_recording(path)["output"])
