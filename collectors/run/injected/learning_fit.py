"""``fit``, ``evaluate`` and ``predict`` of Keras: their data and their progress.

Each wrapper calls the wrapped function with the same arguments and passes on its result or exception.
"""

from __future__ import annotations

import functools
import sys
import typing

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_data import Data, describe_targets, kept_rows, measures
    from tfhelp.collectors.run.injected.learning_loops import about_loss, wrap_model
    from tfhelp.collectors.run.injected.learning_shared import quietly, roles, shared
    from tfhelp.collectors.run.injected.learning_watch import Watch
else:
    from _tfhelp_learning_data import Data, describe_targets, kept_rows, measures
    from _tfhelp_learning_loops import about_loss, wrap_model
    from _tfhelp_learning_shared import quietly, roles, shared
    from _tfhelp_learning_watch import Watch

Any = typing.Any


def keras3_trainer(module: Any) -> None:
    """``TensorFlowTrainer`` of Keras 3."""
    _wrap_trainer(module.TensorFlowTrainer, module.callbacks_module.Callback)


def keras2_training(module: Any) -> None:
    """``Model`` of Keras 2."""
    _wrap_trainer(module.Model, module.callbacks_module.Callback)
    wrap_model(module.Model)


def _wrap_trainer(trainer: Any, callback: Any) -> None:
    looking = _callback_class(callback)
    for name in ("fit", "evaluate", "predict"):
        setattr(trainer, name, _asked(getattr(trainer, name), name, looking))


def _asked(original: Any, name: str, looking: Any) -> Any:
    import inspect

    signature = inspect.signature(original)

    @functools.wraps(original)
    def asked(self: Any, *arguments: Any, **options: Any) -> Any:
        if shared.busy or (roles() and name != "fit"):
            return original(self, *arguments, **options)
        bound = quietly(_bound, signature, self, arguments, options)
        watch = shared.watch_of(self, "fit") if bound is not None else None
        if watch is None:
            return original(self, *arguments, **options)
        role = "train" if name == "fit" else name
        quietly(_given, watch, role, bound.arguments)
        if name == "fit":
            watch.tapped = False
            quietly(_add_callback, watch, bound, looking)
        roles().append((watch, role))
        try:
            return original(*bound.args, **bound.kwargs)
        finally:
            roles().pop()
            quietly(shared.save)

    return asked


def _bound(signature: Any, self: Any, arguments: Any, options: Any) -> Any:
    return signature.bind(self, *arguments, **options)


def _add_callback(watch: Watch, bound: Any, looking: Any) -> None:
    given = bound.arguments.get("callbacks")
    ours = looking(watch)
    if hasattr(given, "append") and hasattr(given, "on_train_begin"):  # a CallbackList
        given.append(ours)
    elif given is None or isinstance(given, (list, tuple)):
        bound.arguments["callbacks"] = [*(given or []), ours]
    else:
        bound.arguments["callbacks"] = [given, ours]


def _callback_class(base: Any) -> Any:
    class Looking(base):  # type: ignore[misc]
        """Observes ``fit``; Keras also calls it in inference calls, where it does nothing."""

        _supports_tf_logs = True

        def __init__(self, watch: Watch) -> None:
            super().__init__()
            self._watch = watch

        def on_train_begin(self, logs: Any = None) -> None:
            quietly(_begin, self._watch)

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            quietly(self._watch.epoch_begins)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            quietly(self._watch.step_of_fit, batch + 1, lambda: float((logs or {})["loss"]))

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            quietly(self._watch.epoch_ends, logs or {})

        def on_train_end(self, logs: Any = None) -> None:
            quietly(self._watch.finish)

    Looking.__name__ = "Callback"  # Keras 2 warns about slow callbacks, but not about those whose names it knows
    return Looking


def _begin(watch: Watch) -> None:
    watch.loss = about_loss(getattr(watch.model, "loss", None))
    watch.begin()


def _given(watch: Watch, role: str, arguments: typing.Mapping[str, Any]) -> None:
    """What the arguments themselves show: arrays are measured as a whole."""
    data = watch.data.setdefault(role, Data())
    if role == "train":
        watch.about["shuffle"] = arguments.get("shuffle", True) is not False
        watch.about["class_weight"] = arguments.get("class_weight") is not None
        watch.about["arrays"] = _is_array(arguments.get("x"))
        watch.about["split"] = float(arguments.get("validation_split") or 0.0)
        watch.about["batch_size"] = arguments.get("batch_size")
    if role != "train" or not _is_array(arguments.get("x")):
        return
    cut = watch.about["split"]
    x, y = arguments["x"], arguments.get("y")
    rows = len(x)
    used = rows - int(rows * cut)
    data.whole["rows"] = used
    if cut and y is not None and _is_array(y):
        _validation(watch, x[used:], y[used:])
        y = y[:used]
    given = arguments.get("validation_data")
    if isinstance(given, (list, tuple)) and len(given) >= 2 and _is_array(given[0]) and _is_array(given[1]):
        _validation(watch, given[0], given[1])
        data.whole["overlap"] = _overlap(x, given[0])
    if y is not None and _is_array(y):
        data.whole["all_targets"] = describe_targets(y)


def _validation(watch: Watch, x: Any, y: Any) -> None:
    data = watch.data.setdefault("validation", Data())
    data.whole.update(rows=len(x), all_inputs=measures(x), all_targets=describe_targets(y))


def _overlap(x: Any, other: Any) -> float:
    """Share of the rows of one array that also occur in another, from at most 20,000 rows each."""
    import numpy as np

    first = {np.ascontiguousarray(row).tobytes() for row in np.asarray(x)[:20_000]}
    rows = [np.ascontiguousarray(row).tobytes() for row in np.asarray(other)[:20_000]]
    return round(sum(row in first for row in rows) / max(1, len(rows)), 4)


def _is_array(value: Any) -> bool:
    import numpy as np

    return isinstance(value, np.ndarray) and value.ndim > 0 and value.dtype.kind in "biuf"


# -------------------------------------------------------------------- batches


def keras3_adapter(module: Any) -> None:
    """A data adapter of Keras 3: the data set that it makes passes through a tap."""
    for value in list(vars(module).values()):
        if isinstance(value, type) and "get_tf_dataset" in vars(value):
            value.get_tf_dataset = _tapping(value.get_tf_dataset)  # type: ignore[attr-defined]


def keras2_adapters(module: Any) -> None:
    """The data adapters of Keras 2."""
    for value in list(vars(module).values()):
        if isinstance(value, type) and "get_dataset" in vars(value) and value.__name__ != "DataAdapter":
            value.get_dataset = _tapping(value.get_dataset)  # type: ignore[attr-defined]


def _tapping(original: Any) -> Any:
    @functools.wraps(original)
    def get(self: Any, *arguments: Any, **options: Any) -> Any:
        made = original(self, *arguments, **options)
        tapped = quietly(_tapped, made) if roles() and not shared.busy else None
        return made if tapped is None else tapped

    return get


def _tapped(dataset: Any) -> Any:
    """The same data set, whose batches we see as they pass."""
    tf = sys.modules["tensorflow"]
    watch, role = roles()[-1]
    if role == "train" and watch.tapped:
        role = "validation"
    if not isinstance(dataset, tf.data.Dataset) or getattr(dataset, "_tfhelp_tapped", False):
        return None
    if (
        tf.distribute.get_strategy().num_replicas_in_sync > 1
        or getattr(watch.model, "distribute_strategy", tf.distribute.get_strategy()).num_replicas_in_sync > 1
    ):
        return None
    specs = tf.nest.flatten(dataset.element_spec)
    if not all(isinstance(spec, tf.TensorSpec) for spec in specs):
        return None
    if role == "train":
        watch.tapped = True
    data = watch.data.setdefault(role, Data())
    structure = dataset.element_spec

    def record(index: Any, *parts: Any) -> Any:
        quietly(_record, data, structure, int(index), parts)
        import numpy as np

        return np.int64(0)

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def look(index: Any, element: Any) -> Any:
        parts = tf.nest.flatten(element)
        floats = [part for part in parts if part.dtype.is_floating]
        bad = tf.reduce_any([tf.reduce_any(~tf.math.is_finite(part)) for part in floats]) if floats else tf.constant(False)
        shown = (index < 64) | tf.equal(index % 16, 0) | bad
        tf.cond(shown, lambda: tf.numpy_function(record, [index, *parts], tf.int64), lambda: tf.constant(0, tf.int64))
        return element

    made = dataset.enumerate().map(look)
    made._tfhelp_tapped = True
    return made


def _record(data: Data, structure: Any, index: int, parts: typing.Sequence[Any]) -> None:
    import numpy as np

    tf = sys.modules["tensorflow"]
    whole = [np.array(part) for part in parts]
    if any(part.dtype.kind not in "biuf" for part in whole):
        return
    rows = [part[: kept_rows(part)] if part.ndim else part for part in whole]
    least = min((len(part) for part in rows if part.ndim), default=0)
    rows = [part[:least] if part.ndim else part for part in rows]
    packed = tf.nest.pack_sequence_as(structure, rows)
    full = tf.nest.pack_sequence_as(structure, whole)
    if not isinstance(packed, tuple):
        packed, full = (packed,), (full,)
    inputs = tf.nest.flatten(full[0])
    targets = tf.nest.flatten(full[1]) if len(full) > 1 and full[1] is not None else []
    data.add(index, inputs, targets, (packed[0], packed[1] if targets else None))
