"""The change that ``TFHELP_EXPERIMENT`` names, for ``tfhelp try``. It is made when TensorFlow or Keras is imported.

Its findings go to ``experiment-<process id>.json`` in ``TFHELP_RUN_FOLDER``: ``applied`` once the change has taken effect, and
the outcome of an experiment that ends the program itself. It works with Keras 2 and 3. If anything here fails, the program
goes on unchanged. Unlike other hooks, it changes what the program does; ``__init__.py`` has the rest of the contract.
"""

import functools
import importlib.abc
import json
import os
import sys
import time

_MOST_BATCHES = 200
_SECONDS = 60.0
_LEARN_EPOCHS, _LEARN_STEPS = 15, 20
_LEARNED = 0.1  # share of the first loss; a run below it has learned something
_LOW = 0.01


def start():
    """Make the change as soon as there is something to change."""
    changes = _CHANGES.get(os.environ.get("TFHELP_EXPERIMENT", ""))
    if changes:
        sys.meta_path.insert(0, _Watch(changes))


class _Watch(importlib.abc.MetaPathFinder):
    """Calls a function when a module has been imported."""

    def __init__(self, changes):
        self._waiting = dict(changes)

    def find_spec(self, name, path=None, target=None):
        if name not in self._waiting:
            return None
        change = self._waiting.pop(name)
        for finder in sys.meta_path:
            spec = None if finder is self or not hasattr(finder, "find_spec") else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader.exec_module = _then(spec.loader.exec_module, change)
                return spec
        return None


def _then(execute, change):
    def exec_module(module):
        execute(module)
        try:
            change(module)
        except Exception as error:  # noqa: BLE001 - the program must not fail for us
            _record(failed=f"{type(error).__name__}: {error}")

    return exec_module


_found = {}


def _record(**values):
    """Add to the findings of the experiment in this process."""
    _found.update(values)
    folder = os.environ.get("TFHELP_RUN_FOLDER")
    if folder:
        path = os.path.join(folder, f"experiment-{os.getpid()}.json")
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            json.dump(_found, file)
        os.replace(f"{path}.new", path)


def _end(outcome, **values):
    """The experiment is over: write its finding and end the program."""
    _record(applied=True, outcome=outcome, **values)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


# -------------------------------------------------------------------- TensorFlow


def _eager(tensorflow):
    tensorflow.config.run_functions_eagerly(True)
    _record(applied=True)


def _numerics_checked(tensorflow):
    tensorflow.debugging.enable_check_numerics()
    _record(applied=True)


def _function_without_xla(tensorflow):
    original = tensorflow.function

    @functools.wraps(original)
    def function(*arguments, **keywords):
        keywords.pop("jit_compile", None)
        keywords.pop("experimental_compile", None)
        return original(*arguments, **keywords)

    tensorflow.function = function
    _record(applied=True)


def _half_of_datasets(tensorflow):
    original = tensorflow.data.Dataset.batch

    @functools.wraps(original)
    def batch(self, batch_size, *arguments, **keywords):
        if _is_called_by_the_program() and isinstance(batch_size, int) and batch_size > 1:
            batch_size //= 2
            _record(applied=True)
        return original(self, batch_size, *arguments, **keywords)

    tensorflow.data.Dataset.batch = batch


def _is_called_by_the_program():
    """Return whether the function two frames up is outside Keras and TensorFlow."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return name.partition(".")[0] not in ("keras", "tf_keras", "tensorflow")


# -------------------------------------------------------------------- Keras


def _on_fit(change):
    """Apply a change to the arguments of every ``Model.fit``."""

    def apply(keras):
        model = keras.Model
        original = model.fit

        @functools.wraps(original)
        def fit(self, x=None, y=None, *arguments, **keywords):
            x, y, keywords = change(self, x, y, keywords, original)
            _record(applied=True)
            return original(self, x, y, *arguments, **keywords)

        model.fit = fit

    return apply


def _compile_without_xla(keras):
    original = keras.Model.compile

    @functools.wraps(original)
    def compile_model(self, *arguments, **keywords):
        _record(applied=True)
        return original(self, *arguments, **{**keywords, "jit_compile": False})

    keras.Model.compile = compile_model


def _float32(keras):
    place = getattr(keras, "mixed_precision", None)
    for holder, name in ((place, "set_global_policy"), (place, "set_dtype_policy"), (keras.config, "set_dtype_policy")):
        if hasattr(holder, name):
            setattr(holder, name, lambda policy: _record(applied=True))


def _low_learning_rate(keras):
    base = keras.optimizers.Optimizer
    name = "_build_learning_rate" if hasattr(base, "_build_learning_rate") else "__init__"
    original = getattr(base, name)

    @functools.wraps(original)
    def build(self, learning_rate, *arguments, **keywords):
        if isinstance(learning_rate, (int, float)):
            learning_rate *= _LOW
            _record(applied=True)
        return original(self, learning_rate, *arguments, **keywords)

    setattr(base, name, build)


def _halved(model, x, y, keywords, original):
    if y is not None or hasattr(x, "shape"):
        keywords = {**keywords, "batch_size": max(1, (keywords.get("batch_size") or 32) // 2)}
    return x, y, keywords


def _in_one_process(model, x, y, keywords, original):
    for holder in (x, keywords.get("validation_data")):
        for name, value in (("workers", 1), ("use_multiprocessing", False)):
            if hasattr(holder, name):
                setattr(holder, name, value)
    kept = {name: value for name, value in keywords.items() if name not in ("workers", "use_multiprocessing")}
    return x, y, kept


def _made_up(model, x, y, keywords, original):
    import numpy
    import tensorflow

    source = numpy.random.RandomState(1)

    def random(part):
        part = numpy.asarray(part)
        return source.normal(size=part.shape).astype(part.dtype) if part.dtype.kind == "f" else part

    if isinstance(x, tensorflow.data.Dataset):

        def made_up(part):
            return tensorflow.random.normal(tensorflow.shape(part), dtype=part.dtype) if part.dtype.is_floating else part

        def in_element(inputs, *rest):
            return (tensorflow.nest.map_structure(made_up, inputs), *rest)

        return x.map(in_element), y, keywords
    if y is None:
        raise TypeError("the inputs are neither arrays nor a tf.data.Dataset")
    return tensorflow.nest.map_structure(random, x), y, keywords


def _batches(x, y, keywords):
    """The batches that ``fit`` would get, as (inputs, targets, ...)."""
    import tensorflow

    size = keywords.get("batch_size") or 32
    if y is not None or hasattr(x, "shape"):
        parts = [part for part in (x, y, keywords.get("sample_weight")) if part is not None]
        count = len(tensorflow.nest.flatten(x)[0])
        for first in range(0, count, size):
            yield tensorflow.nest.map_structure(lambda part, first=first: part[first : first + size], tuple(parts))
    elif hasattr(x, "__getitem__") and hasattr(x, "__len__"):
        for number in range(len(x)):
            yield x[number]
    else:
        yield from x


def _data_alone(model, x, y, keywords, original):
    import numpy
    import tensorflow

    started = time.monotonic()
    number = 0
    _record(applied=True, outcome="stops", batches=0)
    try:
        for number, batch in enumerate(_batches(x, y, keywords), 1):
            for part in tensorflow.nest.flatten(batch):
                values = numpy.asarray(part)
                if values.dtype.kind == "f" and not numpy.isfinite(values).all():
                    _end("not-finite", batches=number)
            _record(batches=number)
            if number >= _MOST_BATCHES or time.monotonic() - started > _SECONDS:
                break
    except Exception as error:  # noqa: BLE001 - whatever the user's data raise is the finding
        _end("fails", batches=number, error=f"{type(error).__name__}: {error}"[:500])
    _end("finite", batches=number, seconds=round(time.monotonic() - started, 1))


def _one_batch(model, x, y, keywords, original):
    import numpy
    import tensorflow

    batch = next(iter(_batches(x, y, keywords)))
    parts = tuple(batch) if isinstance(batch, (tuple, list)) else (batch,)
    first = float(numpy.ravel(model.test_on_batch(*parts[:2]))[0])
    again = tensorflow.data.Dataset.from_tensors(parts).repeat()
    history = original(model, again, epochs=_LEARN_EPOCHS, steps_per_epoch=_LEARN_STEPS, verbose=0)
    last = float(history.history["loss"][-1])
    # A comparison with NaN is false.
    _end("learned" if last < _LEARNED * first else "not-learned", losses=[f"{first:.4g}", f"{last:.4g}"])


_CHANGES = {
    "eager": {"tensorflow": _eager},
    "numerics_checked": {"tensorflow": _numerics_checked},
    "without_xla": {"tensorflow": _function_without_xla, "keras": _compile_without_xla, "tf_keras": _compile_without_xla},
    "half_batch": {"tensorflow": _half_of_datasets, "keras": _on_fit(_halved), "tf_keras": _on_fit(_halved)},
    **{
        name: {"keras": change, "tf_keras": change}
        for name, change in (
            ("float32", _float32),
            ("low_learning_rate", _low_learning_rate),
            ("one_process", _on_fit(_in_one_process)),
            ("made_up_data", _on_fit(_made_up)),
            ("data_alone", _on_fit(_data_alone)),
            ("one_batch", _on_fit(_one_batch)),
        )
    },
}
