"""What a process is doing, judging by its stack: it imports, traces a function, trains, validates or ends.

The frames are those of TensorFlow 2.x and of Keras 2 and 3; if a release names them differently, no phase is reported.
"""

import re
import typing

from tfhelp.collectors.reading.origin import of_file
from tfhelp.collectors.run.python_stacks import ThreadStack

Phase = typing.Literal["import", "tracing", "training", "validation", "evaluation", "prediction", "exit"]
CrashPlace = typing.Literal["own-code", "tensorflow", "library"]

_TRAINERS = ("/trainer.py", "/training.py", "/training_v1.py", "/training_v2.py")
_OF_TRAINER: dict[str, Phase] = {"fit": "training", "evaluate": "evaluation", "predict": "prediction"}
# Not trace_function and _maybe_define_function: each call of a function that is traced already looks it up there.
_TRACING = {"func_graph_from_py_func", "_create_concrete_function", "converted_call"}
_IMPORTING = "<frozen importlib._bootstrap"
_OF_TENSORFLOW = ("/tensorflow/", "/keras/", "/tf_keras/")
_BINDINGS = re.compile(r"[/\\](?:ctypes|cffi)[/\\]")
_LEAST_DEPTH, _REPEATED = 60, 0.4


def phase_of(thread: ThreadStack) -> Phase | None:
    """What the thread is doing; ``None`` if its frames do not show it.

    The innermost sign counts, but a ``fit`` around an ``evaluate`` makes it a validation.
    """
    if thread.is_ending():
        return "exit"
    calls = [(frame.file.replace("\\", "/"), frame.function) for frame in thread.frames]
    for place, (file, function) in enumerate(calls):
        if file.startswith(_IMPORTING):
            return "import"
        if function in _TRACING and "/tensorflow/python/" in file:
            return "tracing"
        if file.endswith(_TRAINERS) and function in _OF_TRAINER:
            outer = any(name == "fit" and path.endswith(_TRAINERS) for path, name in calls[place + 1 :])
            return "validation" if function == "evaluate" and outer else _OF_TRAINER[function]
    return None


def crash_place(thread: ThreadStack) -> CrashPlace | None:
    """Whose code made the innermost Python call of a crash. ``own-code`` calls native code, perhaps by ctypes or cffi."""
    frame = next((frame for frame in thread.frames if not _BINDINGS.search(frame.file)), None)
    if frame is None:
        return None
    file = frame.file.replace("\\", "/")
    if of_file(frame.file) == "user":
        return "own-code"
    return "tensorflow" if any(part in file for part in _OF_TENSORFLOW) else "library"


def is_deep_recursion(thread: ThreadStack) -> bool:
    """Return whether a few functions fill a very deep stack. The fault handler writes at most 100 frames of each thread."""
    names = [(frame.file, frame.function) for frame in thread.frames]
    return len(names) >= _LEAST_DEPTH and max(map(names.count, set(names))) >= _REPEATED * len(names)
