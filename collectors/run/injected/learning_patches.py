"""Where the hook looks on: one function for each kind of module that was just imported.

Each wrapper calls what it wraps with the same arguments and gives back its result or exception; all that we do besides is
done in ``quietly``.
"""

from __future__ import annotations

import atexit
import functools
import os
import sys
import threading
import typing
import weakref

_hook = sys.modules["_tfhelp_learning"]
for _name in ("learning_data", "learning_probe", "learning_watch"):
    _hook.sibling(_name)

if typing.TYPE_CHECKING:
    from tfhelp.collectors.run.injected.learning_data import Data, measures, describe_targets
    from tfhelp.collectors.run.injected.learning_probe import array_of, name_of
    from tfhelp.collectors.run.injected.learning_watch import Shared, Watch
else:
    from _tfhelp_learning_data import Data, describe_targets, measures
    from _tfhelp_learning_probe import array_of, name_of
    from _tfhelp_learning_watch import Shared, Watch

Any = typing.Any
_shared = Shared()
_here = threading.local()  # .roles: (watch, role) of the calls of fit, evaluate and predict that are going on
_steps: Any = weakref.WeakKeyDictionary()  # tf.function objects in which an optimizer is applied -> watch
_pid = os.getpid()


def _at_end() -> None:
    if os.getpid() == _pid and _shared.watches:
        quietly(_finish)


def _finish() -> None:
    for watch in _shared.watches:
        if watch.kind == "loop":
            quietly(watch.finish)
    _shared.save(now=True)


atexit.register(_at_end)


def quietly(function: typing.Callable[..., Any], *arguments: Any) -> Any:
    """Call our own code: an exception in it is nobody's concern."""
    try:
        return function(*arguments)
    except Exception as error:
        if os.environ.get("TFHELP_LEARNING_DEBUG"):
            import traceback

            traceback.print_exception(type(error), error, error.__traceback__)
        return None


def _roles() -> list[tuple[Watch, str]]:
    if not hasattr(_here, "roles"):
        _here.roles = []
    return typing.cast("list[tuple[Watch, str]]", _here.roles)


# -------------------------------------------------------------------- fit, evaluate, predict


def keras3_trainer(module: Any) -> None:
    """``TensorFlowTrainer`` of Keras 3."""
    _wrap_trainer(module.TensorFlowTrainer, module.callbacks_module.Callback)


def keras2_training(module: Any) -> None:
    """``Model`` of Keras 2."""
    _wrap_trainer(module.Model, module.callbacks_module.Callback)
    _wrap_model(module.Model)


def keras3_model(module: Any) -> None:
    """``Model`` of Keras 3."""
    _wrap_model(module.Model)


def _wrap_trainer(trainer: Any, callback: Any) -> None:
    looking = _callback_class(callback)
    for name in ("fit", "evaluate", "predict"):
        setattr(trainer, name, _asked(getattr(trainer, name), name, looking))


def _asked(original: Any, name: str, looking: Any) -> Any:
    import inspect

    signature = inspect.signature(original)

    @functools.wraps(original)
    def asked(self: Any, *arguments: Any, **options: Any) -> Any:
        if _shared.busy or (_roles() and name != "fit"):
            return original(self, *arguments, **options)
        bound = quietly(_bound, signature, self, arguments, options)
        watch = _shared.watch_of(self, "fit") if bound is not None else None
        if watch is None:
            return original(self, *arguments, **options)
        role = "train" if name == "fit" else name
        quietly(_given, watch, role, bound.arguments)
        if name == "fit":
            quietly(_add_callback, watch, bound, looking)
        _roles().append((watch, role))
        try:
            return original(*bound.args, **bound.kwargs)
        finally:
            _roles().pop()
            quietly(_shared.save)

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
        """Looks on at ``fit``; in inference calls of it too, where it does nothing."""

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

    return Looking


def _begin(watch: Watch) -> None:
    watch.loss = _about_loss(getattr(watch.model, "loss", None))
    watch.begin()


def _about_loss(loss: Any) -> dict[str, Any]:
    """A compiled loss in words."""
    if isinstance(loss, (list, tuple)) and len(loss) == 1:
        loss = loss[0]
    if loss is None or isinstance(loss, (list, tuple, dict)):
        return {} if loss is None else {"name": "several"}
    if isinstance(loss, str):
        return {"name": loss, "own": False, "from_logits": False}
    module = str(getattr(loss, "__module__", "") or type(loss).__module__)
    name = str(getattr(loss, "__name__", "") or type(loss).__name__)
    of_keras = module.partition(".")[0] in ("keras", "tf_keras", "tensorflow")
    logits = getattr(loss, "from_logits", None)
    if logits is None:
        logits = (getattr(loss, "_fn_kwargs", None) or {}).get("from_logits", False)
    return {"name": name, "own": not of_keras, "from_logits": bool(logits)}


def _given(watch: Watch, role: str, arguments: typing.Mapping[str, Any]) -> None:
    """What is told by the arguments themselves: arrays are looked at as a whole."""
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
    """Share of the rows of one array that stand in another, from at most 20,000 rows each."""
    import numpy as np

    first = {np.ascontiguousarray(row).tobytes() for row in np.asarray(x)[:20_000]}
    rows = [np.ascontiguousarray(row).tobytes() for row in np.asarray(other)[:20_000]]
    return round(sum(row in first for row in rows) / max(1, len(rows)), 4)


def _is_array(value: Any) -> bool:
    import numpy as np

    return isinstance(value, np.ndarray) and value.ndim > 0 and value.dtype.kind in "biuf"


# -------------------------------------------------------------------- batches


def keras3_adapter(module: Any) -> None:
    """A data adapter of Keras 3: what it makes a data set of passes a tap."""
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
        tapped = quietly(_tapped, made) if _roles() and not _shared.busy else None
        return made if tapped is None else tapped

    return get


def _tapped(dataset: Any) -> Any:
    """The same data set, whose batches are shown to us as they pass."""
    tf = sys.modules["tensorflow"]
    watch, role = _roles()[-1]
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
    rows = [part[:256] if part.ndim else part for part in whole]
    packed = tf.nest.pack_sequence_as(structure, rows)
    full = tf.nest.pack_sequence_as(structure, whole)
    if not isinstance(packed, tuple):
        packed, full = (packed,), (full,)
    inputs = tf.nest.flatten(full[0])
    targets = tf.nest.flatten(full[1]) if len(full) > 1 and full[1] is not None else []
    data.add(index, inputs, targets, (packed[0], packed[1] if targets else None))


# -------------------------------------------------------------------- loops of the program's own


def _wrap_model(model: Any) -> None:
    """Which model is called in a loop, with what; and whether weights that are loaded arrive."""
    original = model.__call__

    @functools.wraps(original)
    def called(self: Any, *arguments: Any, **options: Any) -> Any:
        output = original(self, *arguments, **options)
        if not _shared.busy and not _roles() and not getattr(_here, "deep", False):
            quietly(_model_called, self, arguments, output)
        return output

    model.__call__ = called
    if "load_weights" in vars(model):
        model.load_weights = _loading(model.load_weights)


def _model_called(model: Any, arguments: tuple[Any, ...], output: Any) -> None:
    if not arguments or not getattr(model, "trainable_variables", None):
        return
    # A tensor of a graph is not kept: it must not be used outside, and comparing it would add an operation.
    eager = bool(sys.modules["tensorflow"].executing_eagerly())
    calls = _here.__dict__.setdefault("calls", [])
    calls.append((model, arguments[0] if eager else None, output if eager else None))
    del calls[:-8]


def losses(module: Any) -> None:
    """``Loss.__call__``: labels, predictions and which loss it is."""
    original = module.Loss.__call__

    @functools.wraps(original)
    def called(self: Any, y_true: Any, y_pred: Any, *arguments: Any, **options: Any) -> Any:
        if not _shared.busy and not _roles():
            eager = sys.modules["tensorflow"].executing_eagerly()
            _here.loss = (self, y_true if eager else None)
        return original(self, y_true, y_pred, *arguments, **options)

    module.Loss.__call__ = called


def tape(module: Any) -> None:
    """``GradientTape.gradient``: the loss of a step, and variables that have no gradient."""
    original = module.GradientTape.gradient

    @functools.wraps(original)
    def gradient(self: Any, target: Any, sources: Any, *arguments: Any, **options: Any) -> Any:
        found = original(self, target, sources, *arguments, **options)
        if not _shared.busy and not _roles():
            quietly(_gradient, target, sources, found)
        return found

    module.GradientTape.gradient = gradient


def _gradient(target: Any, sources: Any, found: Any) -> None:
    tf = sys.modules["tensorflow"]
    _here.target = target if tf.executing_eagerly() else None
    _here.gradients = (sources, found) if tf.executing_eagerly() else None
    if isinstance(sources, (list, tuple)) and isinstance(found, (list, tuple)):
        for source, part in zip(sources, found):
            if part is None and hasattr(source, "assign") and name_of(source) not in _shared.detached:
                _shared.detached.append(name_of(source))
    _here.own_loss = True


def keras3_optimizer(module: Any) -> None:
    """``BaseOptimizer.apply`` of Keras 3."""
    _wrap_apply(module.BaseOptimizer, "apply", False)


def keras2_optimizer(module: Any) -> None:
    """``apply_gradients`` of Keras 2."""
    for name in ("_BaseOptimizer", "Optimizer", "OptimizerV2"):
        kind = getattr(module, name, None)
        if isinstance(kind, type) and "apply_gradients" in vars(kind):
            _wrap_apply(kind, "apply_gradients", True)


def _wrap_apply(kind: Any, name: str, pairs: bool) -> None:
    original = getattr(kind, name)

    @functools.wraps(original)
    def apply(self: Any, first: Any, *arguments: Any, **options: Any) -> Any:
        if pairs and not _shared.busy and not _roles() and not isinstance(first, (list, tuple)):
            first = list(first)
        deep, _here.deep = getattr(_here, "deep", False), True
        try:
            result = original(self, first, *arguments, **options)
        finally:
            _here.deep = deep
        if not deep and not _shared.busy and not _roles():
            given = [pair[1] for pair in first] if pairs else (arguments[0] if arguments else options.get("trainable_variables"))
            quietly(_applied, self, given)
        return result

    setattr(kind, name, apply)


def _applied(optimizer: Any, given: Any) -> None:
    """An optimizer was applied: in a graph this is the tracing, else a step."""
    tf = sys.modules["tensorflow"]
    given = list(given or getattr(optimizer, "_trainable_variables", []))
    ids = {id(variable) for variable in given}
    calls = _here.__dict__.get("calls", [])
    owners = [call for call in calls if ids & {id(variable) for variable in call[0].trainable_variables}]
    if not owners:
        return
    model, inputs, _ = _largest(owners)
    watch = _shared.watch_of(model, "loop")
    if watch is None or watch.kind != "loop":
        return
    watch.optimizer = optimizer
    watch.given |= ids
    loss = getattr(_here, "loss", None)
    if loss is not None:
        watch.loss = _about_loss(loss[0])
    elif getattr(_here, "own_loss", False):
        watch.loss = {"name": "own", "own": True, "from_logits": False}
    if tf.executing_eagerly():
        quietly(_take_batch, watch, inputs, None if loss is None else loss[1])
        target = getattr(_here, "target", None)
        if watch.looks_at_next():
            watch.evidence = quietly(_evidence) or {}
            quietly(watch.step, _scalar(target))
        else:
            quietly(watch.step, None)
        _after_step()
    elif getattr(_here, "functions", None):
        _steps[_here.functions[0]] = watch


def _evidence() -> dict[str, Any]:
    """What of an eager step is not finite first: an input of a model, its output, the loss, a gradient."""
    for _, inputs, output in _here.__dict__.get("calls", []):
        for what, value in (("inputs", inputs), ("prediction", output)):
            if any(not _finite(part) for part in _arrays(value)):
                return {"what": what}
    if not _finite(_arrays(_here.target)[0]):
        return {"what": "loss"}
    sources, found = _here.gradients or ([], [])
    if isinstance(sources, (list, tuple)) and isinstance(found, (list, tuple)):
        for source, part in zip(sources, found):
            if part is not None and not _finite(_arrays(getattr(part, "values", part))[0]):
                return {"what": "gradient", "name": name_of(source)}
    return {}


def _finite(array: Any) -> bool:
    import numpy as np

    return array.dtype.kind != "f" and array.dtype.kind != "V" or bool(np.isfinite(array.astype("float64")).all())


def _largest(calls: list[Any]) -> Any:
    """Of nested models the outermost: the one that has the most variables."""
    sizes = [len(call[0].variables) for call in calls]
    return calls[len(sizes) - 1 - sizes[::-1].index(max(sizes))]


def _after_step() -> None:
    _here.calls, _here.loss, _here.target, _here.own_loss, _here.gradients = [], None, None, False, None


def _take_batch(watch: Watch, inputs: Any, targets: Any) -> None:
    if not watch.looks_at_next():
        return
    inner = _arrays(inputs)
    outer = [] if targets is None else _arrays(targets)
    if not inner:
        return
    packed = (_same(inputs), _same(targets) if targets is not None else None)
    watch.data.setdefault("train", Data()).add(watch.steps, inner, outer, packed)


def _arrays(value: Any) -> list[Any]:
    import numpy as np

    flat = sys.modules["tensorflow"].nest.flatten(value)
    return [np.asarray(part) for part in flat if hasattr(part, "dtype")]


def _same(value: Any) -> Any:
    import numpy as np

    return sys.modules["tensorflow"].nest.map_structure(np.asarray, value)


def _scalar(value: Any) -> float | None:
    import numpy as np

    array = np.asarray(value)
    return float(array.astype("float64").mean()) if array.size and array.dtype.kind in "iuf" else None


def traced_function(module: Any) -> None:
    """``tf.function``: after a call of one in which an optimizer is applied, a step is done."""
    original = module.Function.__call__

    @functools.wraps(original)
    def called(self: Any, *arguments: Any, **options: Any) -> Any:
        if _shared.busy or _roles():
            return original(self, *arguments, **options)
        functions = _here.__dict__.setdefault("functions", [])
        functions.append(self)
        try:
            result = original(self, *arguments, **options)
        finally:
            functions.pop()
        watch = None if functions else _steps.get(self)
        if watch is not None:
            quietly(_traced_step, watch, arguments, options, result)
        return result

    module.Function.__call__ = called


def _traced_step(watch: Watch, arguments: Any, options: Any, result: Any) -> None:
    parts = [part for part in _arrays((arguments, options)) if part.dtype.kind in "biuf" and part.ndim]
    looked_at = watch.looks_at_next()
    if parts and looked_at:
        rows = [part for part in parts if len(part) == len(parts[0])]
        watch.data.setdefault("train", Data()).add(
            watch.steps, rows[:1], rows[1:2], (parts[0], rows[1] if len(rows) > 1 else None)
        )
    loss = None
    if looked_at:
        scalars = [
            part
            for part in sys.modules["tensorflow"].nest.flatten(result)
            if getattr(part, "shape", None) == () and part.dtype.is_floating
        ]
        loss = _scalar(scalars[0]) if scalars else None
    watch.step(loss)
    _after_step()


# -------------------------------------------------------------------- strategies, loading


def strategy(module: Any) -> None:
    """The program's strategy with the most replicas."""
    original = module.StrategyBase.__init__

    @functools.wraps(original)
    def made(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        quietly(_count_replicas, self)

    module.StrategyBase.__init__ = made


def _count_replicas(made: Any) -> None:
    _shared.replicas = max(_shared.replicas, int(made.num_replicas_in_sync))


def checkpoint(module: Any) -> None:
    """``Checkpoint.restore``: what of the models it did not find in the file."""
    kind = getattr(module, "Checkpoint", None)
    if not isinstance(kind, type) or "restore" not in vars(kind):
        return
    original = kind.restore  # type: ignore[attr-defined]

    @functools.wraps(original)
    def restore(self: Any, save_path: Any, *arguments: Any, **options: Any) -> Any:
        before = quietly(_values_of, self) or []
        status = original(self, save_path, *arguments, **options)
        quietly(_restored, before, save_path, status)
        return status

    kind.restore = restore  # type: ignore[attr-defined]


def _values_of(restored: Any) -> list[tuple[Any, bytes]]:
    """The variables of the models in a checkpoint object, with their values."""
    found: list[tuple[Any, bytes]] = []
    for value in list(vars(restored).values()):
        if hasattr(value, "trainable_variables") and getattr(value, "built", True) and hasattr(value, "layers"):
            found += [(variable, array_of(variable).tobytes()) for variable in value.trainable_variables]
    return found


def _restored(before: list[tuple[Any, bytes]], path: Any, status: Any) -> None:
    same = [name_of(variable) for variable, value in before if array_of(variable).tobytes() == value]
    if path is not None and same:
        try:
            status.assert_existing_objects_matched()
            return  # the file has the values that were there already
        except AssertionError:
            pass
    if before:
        _shared.restored.append({"path": path is not None, "variables": len(before), "same": same[:40]})
        del _shared.restored[:-20]


def _loading(original: Any) -> Any:
    """``load_weights`` that may skip what it does not find."""

    @functools.wraps(original)
    def load(self: Any, *arguments: Any, **options: Any) -> Any:
        skips = options.get("by_name") or options.get("skip_mismatch")
        before = quietly(_values, self) if skips else None
        result = original(self, *arguments, **options)
        if before:
            same = [name_of(variable) for variable, value in before if array_of(variable).tobytes() == value]
            _shared.restored.append({"path": True, "variables": len(before), "same": same[:40]})
        return result

    return load


def _values(model: Any) -> list[tuple[Any, bytes]]:
    return [(variable, array_of(variable).tobytes()) for variable in model.trainable_variables]
