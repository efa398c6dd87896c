"""Call the public API wrongly, and write down the messages and the functions that raise them. The calls are random, not chosen.

    python -m tests.kb.atlas.wrong_calls > tests/kb/atlas/wrong_calls.jsonl
    python -m tests.kb.atlas.wrong_calls tf.math tf.nn         of these namespaces alone

Each line: the public name that was called, the exception's class and message as the caller sees it, the module and
qualified name of the function whose ``raise`` statement made it. A message is written only if its innermost frame is a
``raise`` in TensorFlow's or Keras' Python files. It takes some minutes; each namespace runs in a separate process,
because wrong arguments can end a process.
"""

import ast
import functools
import inspect
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import typing

from tests.kb.atlas import wrong_objects

NAMESPACES = (
    "keras", "keras.layers", "keras.ops", "keras.utils", "keras.losses", "keras.metrics", "keras.optimizers", "keras.initializers",
    "keras.models", "keras.saving", "keras.callbacks", "keras.optimizers.schedules", "keras.regularizers", "keras.constraints",
    "keras.random", "keras.activations", "keras.tree", "keras.dtype_policies", "keras.preprocessing", "keras.config",
    "tf", "tf.math", "tf.nn", "tf.image", "tf.linalg", "tf.sparse", "tf.ragged", "tf.strings", "tf.random", "tf.signal", "tf.data",
    "tf.data.Dataset", "tf.io", "tf.train", "tf.feature_column", "tf.sets", "tf.nest", "tf.debugging", "tf.lookup", "tf.queue",
    "tf.dtypes", "tf.audio", "tf.bitwise", "tf.quantization", "tf.graph_util", "tf.experimental.numpy", "tf.compat.v1",
    "tf.compat.v1.nn", "tf.compat.v1.train", "tf.autograph", "tf.types.experimental", "tf.saved_model", "tf.data.experimental",
    "tf.keras.preprocessing.sequence", "tf.keras.preprocessing.image", "tf.xla.experimental", "tf.distribute", "tf.summary",
    "tf.config", "tf.config.experimental", "tf.lite", "tf.tpu.experimental", "tf.experimental", "tf.experimental.dtensor", "tf.errors",
    "tf.compat.v1.data", "tf.compat.v1.losses", "tf.compat.v1.metrics", "tf.compat.v1.image", "tf.compat.v1.saved_model",
    "tf.compat.v1.distributions", "tf.compat.v1.math", "tf.compat.v1.strings", "tf.compat.v1.sparse", "tf.compat.v1.graph_util",
    "tf.compat.v1.initializers", "tf.distribute.experimental", "tf.distribute.cluster_resolver", "tf.distribute.coordinator",
    "tf.random.experimental", "tf.nn.experimental", "tf.train.experimental", "tf.lookup.experimental",
    "tf.debugging.experimental", "tf.mlir.experimental", "tf.experimental.numpy.random", "tf.saved_model.experimental",
    "keras.quantizers", "keras.distribution", "keras.wrappers", "keras.visualization", "keras.export", "keras.ops.image",
    "keras.ops.linalg", "keras.ops.nn", "keras.ops.numpy", "keras.applications", "keras.applications.resnet",
    "keras.applications.imagenet_utils", "keras.preprocessing.image", "keras.preprocessing.sequence", "keras.utils.legacy",
    "keras.mixed_precision", "keras.legacy.saving", "objects",
)  # fmt: skip
NEVER = (
    "get_file", "main", "gfile", "Server", "sleep", "breakpoint", "app", "exit", "plot_model", "load_op_library", "load_library",
    "audio_dataset_from_directory", "image_dataset_from_directory", "text_dataset_from_directory", "set_random_seed", "enable",
    "disable", "set_", "experimental_functions_run_eagerly", "while_loop", "py_function", "numpy_function", "assert_", "Assert",
)  # fmt: skip
"""Names that begin so are not called: they wait, leave, fetch, or change what later calls do."""
ALWAYS = {"weights": None}
"""Arguments that are always given so: the networks of ``keras.applications`` would fetch theirs."""
OF_CPP = "raise_from_not_ok_status"
"""The function that passes on what C++ says."""
LONGEST = 1200
TRIES = 10
SECONDS = 2
SLOWEST = 3600
ENV = {
    **os.environ,
    "PYTHONPATH": str(pathlib.Path(__file__).parents[3]),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "KERAS_BACKEND": "tensorflow",
}


@functools.cache
def values() -> list[typing.Any]:
    """The values used as arguments: of every kind that people mix up."""
    import keras
    import numpy
    import tensorflow as tf

    return [
        None, -1, 0, 3, 1.5, "abc", "same", [], [1, 2, 3], (2, 2), (1, 2, 3, 4), {}, {"a": 1}, True, len, object(),
        tf.zeros([2, 3]), tf.zeros([2]), tf.constant("a"), tf.zeros([1, 4, 4, 3]), tf.constant([1, 2]), tf.constant(True), tf.zeros([0]),
        numpy.zeros((2, 3, 4), "float32"), tf.ragged.constant([[1], [2, 3]]), tf.sparse.from_dense([[1.0, 0.0]]), keras.Input((3,)),
        keras.Input((8, 8, 3)), tf.float32, "float32", tf.data.Dataset.range(3), keras.layers.Dense(2), tf.Variable(1.0), tf.TensorSpec([2]),
    ]  # fmt: skip


class Overtime(BaseException):
    """A call took too long."""


def _stop(number: int, frame: object) -> None:
    raise Overtime


@functools.cache
def _raising_lines(path: str) -> dict[int, bool]:
    """The lines of a file that belong to a ``raise`` with an exception made there."""
    with open(path, encoding="utf-8") as opened:
        tree = ast.parse(opened.read())
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    return {line: True for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def raised_at(error: BaseException) -> tuple[str, str] | None:
    """(module, qualified function) of the ``raise`` that made an exception, if it is one of TensorFlow's or Keras'."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return None
    code = trace.tb_frame.f_code
    path = code.co_filename.replace(os.sep, "/").rpartition("/site-packages/")[2]
    if not path.startswith(("tensorflow/", "keras/")) or trace.tb_lineno not in _raising_lines(code.co_filename):
        return None
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return module, code.co_qualname.replace(".<locals>", "")


def _attempt(function: typing.Callable[..., typing.Any], draw: random.Random) -> BaseException | None:
    """Call with random arguments; if it is a class, also call a random method of the object, or the object itself."""
    positional, named = _drawn(function, draw)
    signal.alarm(SECONDS)
    try:
        made = function(*positional, **named)
        if inspect.isclass(function):
            methods = [
                name for name in dir(function) if not name.startswith(("_", *NEVER)) and callable(getattr(made, name, None))
            ]
            method = getattr(made, draw.choice(methods)) if methods and draw.random() < 0.6 else made
            positional, named = _drawn(method, draw)
            method(*positional, **named)
    except (Exception, Overtime, SystemExit) as error:  # noqa: BLE001  (whatever a wrong call raises is the result)
        return None if isinstance(error, Overtime | SystemExit) else error
    finally:
        signal.alarm(0)
    return None


def _drawn(function: typing.Callable[..., typing.Any], draw: random.Random) -> tuple[list[typing.Any], dict[str, typing.Any]]:
    parameters = list(inspect.signature(function).parameters.values())
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    pool = values()
    needed = [p for p in parameters if p.default is p.empty and p.kind in kinds]
    optional = [p.name for p in parameters if p.default is not p.empty and p.name not in ("name", "dtype")]
    named = {name: draw.choice(pool) for name in draw.sample(optional, min(len(optional), draw.choice((0, 1, 1, 2))))}
    named |= {p.name: ALWAYS[p.name] for p in parameters if p.name in ALWAYS}
    return [draw.choice(pool) for _ in needed], named


def _call_objects(start: int) -> None:
    """Call the methods of every object, from the ``start``-th on; inherited methods are called only on the first object."""
    called: set[str] = set()
    for number, (name, make) in enumerate(wrong_objects.objects().items()):
        if number < start:
            continue
        print(json.dumps({"at": number}), flush=True)
        try:
            made = make()
            found = wrong_objects.methods(made)
        except Exception as error:  # noqa: BLE001  (an object that cannot be made here is skipped, with a message)
            print(f"{name}: {error}", file=sys.stderr)
            continue
        for method in found:
            defined = getattr(getattr(type(made), method, None), "__qualname__", f"{name}.{method}")
            if not method.startswith(NEVER) and (method == "__call__" or defined not in called):
                called.add(defined)
                _call_method(f"{name}.{method}", make, method)


def _call_method(name: str, make: typing.Callable[[], typing.Any], method: str) -> None:
    try:
        function = wrong_objects.Method(make, method)
    except (TypeError, ValueError):
        return  # implemented in C, without a signature
    _call(name, function)


def _call_all(namespace: str, start: int) -> None:
    """Call every function and class of a namespace, from the ``start``-th on."""
    import keras
    import tensorflow as tf

    signal.signal(signal.SIGALRM, _stop)
    if namespace == "objects":
        _call_objects(start)
        return
    inside: typing.Any = {"tf": tf, "keras": keras}[namespace.partition(".")[0]]
    for part in namespace.split(".")[1:]:
        inside = getattr(inside, part)
    for number, name in enumerate(dir(inside)):
        if number < start or name.startswith(("_", *NEVER)) or not callable(getattr(inside, name)):
            continue
        print(json.dumps({"at": number}), flush=True)
        _call(f"{namespace}.{name}", getattr(inside, name))


def _call(name: str, function: typing.Callable[..., typing.Any]) -> None:
    import keras
    import tensorflow as tf

    for attempt in range(TRIES):
        found = []
        for switch in ("disable", "enable"):
            getattr(keras.config, f"{switch}_traceback_filtering")()
            getattr(tf.debugging, f"{switch}_traceback_filtering")()
            try:
                found.append(_attempt(function, random.Random(f"{name} {attempt}")))
            except (ValueError, TypeError):
                return
        place = raised_at(found[0]) if found[0] is not None else None
        if place and found[1] is not None:
            row = {
                "called": name,
                "exception": type(found[1]).__name__,
                "message": str(found[1]),
                "module": place[0],
                "function": place[1],
            }
            print(json.dumps(row), flush=True)


def _key(row: dict[str, str]) -> tuple[str, ...]:
    words = row["message"].split()[:4] if row["function"] == OF_CPP else ()
    return (row["module"], row["function"], *words)


def main(namespaces: typing.Sequence[str]) -> None:
    """Call all of these namespaces; write the first message of each raising function; from C++, each with a new beginning."""
    seen: set[tuple[str, ...]] = set()
    for namespace in namespaces:
        start = 0
        for _ in range(6):
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, "-m", "tests.kb.atlas.wrong_calls", "--from", str(start), namespace]
                run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=SLOWEST, env=ENV)
            for line in run.stdout.splitlines():
                row = json.loads(line) if line.startswith("{") else {}
                start = row["at"] + 1 if "at" in row else start
                if "module" in row and len(row["message"]) < LONGEST and (key := _key(row)) not in seen:
                    seen.add(key)
                    print(line, flush=True)
            if run.returncode == 0:
                break
        print(namespace, len(seen), run.returncode, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--from"]:
        _call_all(sys.argv[3], int(sys.argv[2]))
    else:
        main(sys.argv[1:] or NAMESPACES)
