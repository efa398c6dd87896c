"""The call in which a thread waits, determined from its Python stack.

The frames of libraries are between the user's own line and the innermost call. The outermost of them that is known to
wait determines the kind: a ``queue.get`` waits in a lock, but what it waits for is the queue.
"""

import re
import typing

from tfhelp.collectors.machine.files import read_file
from tfhelp.collectors.reading.origin import of_file
from tfhelp.collectors.run.python_stacks import StackFrame, ThreadStack

Kind = typing.Literal[
    "lock", "queue", "thread", "process", "network", "data", "collective", "cluster", "tensorflow", "sleep", "input"
]

# End of the file's path, functions (empty: all of them) -> kind. The first row that matches a frame counts.
_CALLS: tuple[tuple[str, tuple[str, ...], Kind], ...] = (
    ("/queue.py", ("get", "put", "join"), "queue"),
    ("/multiprocessing/queues.py", ("get", "put", "join", "join_thread"), "queue"),
    ("/multiprocessing/managers.py", (), "queue"),
    ("/multiprocessing/connection.py", (), "queue"),
    ("/multiprocessing/synchronize.py", (), "lock"),
    ("/multiprocessing/pool.py", (), "process"),
    ("/multiprocessing/process.py", ("join",), "process"),
    ("/multiprocessing/popen_fork.py", (), "process"),
    ("/concurrent/futures/_base.py", (), "thread"),
    ("/concurrent/futures/thread.py", ("shutdown",), "thread"),
    ("/concurrent/futures/process.py", ("shutdown",), "process"),
    ("/subprocess.py", ("run", "call", "check_call", "check_output", "wait", "communicate", "_wait", "_communicate"), "process"),
    ("/threading.py", ("join", "_wait_for_tstate_lock", "_shutdown"), "thread"),
    ("/threading.py", ("wait", "wait_for", "acquire", "__enter__"), "lock"),
    ("/socket.py", (), "network"),
    ("/ssl.py", (), "network"),
    ("/http/client.py", (), "network"),
    ("/urllib/request.py", (), "network"),
    ("/selectors.py", (), "network"),
    ("/asyncio/base_events.py", (), "network"),
    ("/py_dataset_adapter.py", (), "data"),
    ("/data_utils.py", (), "data"),
    ("/iterator_ops.py", (), "data"),
    ("/gen_dataset_ops.py", (), "data"),
    ("/collective_ops.py", (), "collective"),
    ("/gen_collective_ops.py", (), "collective"),
    ("/cross_device_utils.py", (), "collective"),
    ("/cross_device_ops.py", (), "collective"),
    ("/horovod/tensorflow/mpi_ops.py", (), "collective"),
    ("/server_lib.py", ("__init__", "start", "join"), "cluster"),
    ("/multi_worker_util.py", (), "cluster"),
    ("/collective_all_reduce_strategy.py", ("_initialize_multi_worker", "_initialize_strategy"), "cluster"),
    ("/cluster_coordinator.py", (), "cluster"),
    ("/parameter_server_strategy_v2.py", ("_connect_to_cluster",), "cluster"),
    ("/eager/remote.py", ("connect_to_cluster", "connect_to_remote_host"), "cluster"),
    ("/eager/context.py", ("ensure_initialized", "_initialize_logical_devices"), "tensorflow"),
    ("/eager/context.py", ("sync_executors", "async_wait"), "tensorflow"),
    ("/eager/execute.py", ("quick_execute",), "tensorflow"),
    ("/client/session.py", (), "tensorflow"),
)

# TensorFlow's generated wrappers of its operations; the rows above cover a data set or an all-reduce.
_OPERATION = re.compile(r"/tensorflow/python/ops/gen_(?!dataset|collective)\w{1,60}_ops\.py$")

# Calls without a Python frame, recognised by the reader's line.
_WORDS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    # A ``with`` whose manager is not a call and has no Python frame: a lock, or another object implemented in C.
    (
        re.compile(
            r"\.acquire\(|^(?:async )?with [\w.\[\]]{1,80}(?: as \w{1,40})?:"
            r"|\bwith\b[^\n]{0,80}(?:lock|mutex|semaphore|condition)",
            re.IGNORECASE,
        ),
        "lock",
    ),
    (re.compile(r"\bsleep\("), "sleep"),
    (re.compile(r"\binput\("), "input"),
    (re.compile(r"\.(?:recv|recv_into|accept|connect)\("), "network"),
    (re.compile(r"\bos\.wait(?:pid|id|3|4)?\("), "process"),
    (re.compile(r"\bSimpleQueue\b"), "queue"),
)

WHAT: dict[str, str] = {
    "lock": "a lock or a condition that no thread gives",
    "queue": "an item of a queue or a pipe between processes",
    "thread": "another thread's end",
    "process": "another process",
    "network": "the network",
    "data": "the next batch of the data",
    "collective": "the other workers or GPUs, in an operation that all take part in",
    "cluster": "the other workers' start",
    "tensorflow": "an operation of TensorFlow",
    "sleep": "time to pass",
    "input": "something to be typed",
}
"""Kind -> what is waited for, in words."""


class Wait(typing.NamedTuple):
    """Where a thread is: the reader's own innermost line, its source, the kind of wait, and the call that waits."""

    frame: StackFrame
    source: str
    kind: Kind | None
    call: str

    def line(self) -> str:
        """``train.py line 12: item = work.get()``."""
        return f"{short_name(self.frame.file)} line {self.frame.line}" + (f": {self.source}" if self.source else "")


def wait_of(thread: ThreadStack) -> Wait | None:
    """Where a thread is; ``None`` for one that runs none of the reader's code."""
    own = next((place for place, frame in enumerate(thread.frames) if of_file(frame.file) == "user"), None)
    if own is None:
        return None
    frame, inner = thread.frames[own], thread.frames[:own]
    source = source_of(frame)
    for call in reversed(inner):
        if kind := _kind_of(call):
            return Wait(frame, source, kind, _called(call))
    if inner:
        return Wait(frame, source, None, _called(inner[0]))
    return Wait(frame, source, next((kind for pattern, kind in _WORDS if pattern.search(source)), None), "")


def kind_in(thread: ThreadStack) -> Kind | None:
    """What a thread waits for, even if it runs none of the reader's code: an idle worker, a Keras loader."""
    wait = wait_of(thread)
    if wait is not None:
        return wait.kind
    kinds = [kind for frame in reversed(thread.frames) if (kind := _kind_of(frame))]
    # If a data set waits for data, only the calls inside it show why.
    return next((kind for kind in kinds if kind not in ("data", "tensorflow")), None)


def _kind_of(frame: StackFrame) -> Kind | None:
    path = frame.file.replace("\\", "/")
    if _OPERATION.search(path):
        return "tensorflow"
    return next((kind for end, names, kind in _CALLS if path.endswith(end) and (not names or frame.function in names)), None)


def _called(frame: StackFrame) -> str:
    """``queue.get``; for a package's ``__init__``, its folder's name."""
    parts = frame.file.replace("\\", "/").removesuffix("/__init__.py").split("/")
    return f"{parts[-1].removesuffix('.py')}.{frame.function}"


def makes_data(thread: ThreadStack) -> bool:
    """Return whether TensorFlow runs the reader's code in this thread to make data: a generator or a ``py_function``."""
    return any(frame.file.replace("\\", "/").endswith("/script_ops.py") for frame in thread.frames)


def source_of(frame: StackFrame) -> str:
    """The line of the reader's file, if it can be read; a stack may name any file, even one without an end."""
    lines = read_file(frame.file).split("\n", frame.line) if frame.line else []
    return lines[frame.line - 1].strip()[:200] if len(lines) >= frame.line > 0 else ""


def short_name(file: str) -> str:
    """The file as the reader knows it: relative to the working folder, else its last two parts.

    >>> short_name("/srv/jobs/7/train.py"), short_name("train.py"), short_name("<string>")
    ('7/train.py', 'train.py', '<string>')
    """
    import os

    try:
        folder = os.getcwd() + os.sep
    except OSError:  # the folder was removed while the program ran
        folder = "//"
    if file.startswith(folder):
        return file.removeprefix(folder)
    return "/".join(file.replace("\\", "/").split("/")[-2:])
