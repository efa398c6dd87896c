"""Custom training loops, strategies, and the restoring of weights.

A step is recognised by the application of an optimizer: directly in an eager loop, during tracing in a ``tf.function``.
"""

from __future__ import annotations

import functools
import sys
import typing
import weakref

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_data import Data
    from tfhelp.collectors.run.injected.learning_probe import array_of, name_of
    from tfhelp.collectors.run.injected.learning_shared import here, quietly, roles, shared
    from tfhelp.collectors.run.injected.learning_watch import Watch
else:
    from _tfhelp_learning_data import Data
    from _tfhelp_learning_probe import array_of, name_of
    from _tfhelp_learning_shared import here, quietly, roles, shared
    from _tfhelp_learning_watch import Watch

Any = typing.Any
_SMALL = 1 << 18  # values
_steps: Any = weakref.WeakKeyDictionary()  # tf.function objects in which an optimizer is applied -> watch


def keras3_model(module: Any) -> None:
    """``Model`` of Keras 3."""
    wrap_model(module.Model)


def about_loss(loss: Any) -> dict[str, Any]:
    """A compiled loss in words."""
    if isinstance(loss, (list, tuple)) and len(loss) == 1:
        loss = loss[0]
    if loss is None or isinstance(loss, (list, tuple, dict)):
        return {} if loss is None else {"name": "several"}
    if isinstance(loss, str):
        return {"name": loss, "own": False, "from_logits": False}
    if type(loss).__name__ == "LossFunctionWrapper":  # a wrapper around a function, from Keras or from the program
        loss = getattr(loss, "fn", loss)
    module = str(getattr(loss, "__module__", "") or type(loss).__module__)
    name = str(getattr(loss, "__name__", "") or type(loss).__name__)
    of_keras = module.partition(".")[0] in ("keras", "tf_keras", "tensorflow")
    logits = getattr(loss, "from_logits", None)
    if logits is None:
        logits = (getattr(loss, "_fn_kwargs", None) or {}).get("from_logits", False)
    return {"name": name, "own": not of_keras, "from_logits": bool(logits)}


def wrap_model(model: Any) -> None:
    """Which model a loop calls, with what inputs, and whether loaded weights reach it."""
    original = model.__call__

    @functools.wraps(original)
    def called(self: Any, *arguments: Any, **options: Any) -> Any:
        output = original(self, *arguments, **options)
        if not shared.busy and not roles() and not getattr(here, "deep", False):
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
    calls = here.__dict__.setdefault("calls", [])
    calls.append((model, arguments[0] if eager else None, output if eager and _is_small(output) else None))
    del calls[:-6]


def _is_small(output: Any) -> bool:
    """Return whether an output is small enough that keeping it until the step ends makes no difference to memory use."""
    sizes = [1]
    for part in sys.modules["tensorflow"].nest.flatten(output):
        size = 1
        for length in getattr(part, "shape", ()):
            size *= int(length or 1)
        sizes.append(size)
    return max(sizes) <= _SMALL


def losses(module: Any) -> None:
    """``Loss.__call__``: labels, predictions, and which loss it is."""
    original = module.Loss.__call__

    @functools.wraps(original)
    def called(self: Any, y_true: Any, y_pred: Any, *arguments: Any, **options: Any) -> Any:
        if not shared.busy and not roles():
            eager = sys.modules["tensorflow"].executing_eagerly()
            here.loss = (self, y_true if eager else None)
        return original(self, y_true, y_pred, *arguments, **options)

    module.Loss.__call__ = called


def tape(module: Any) -> None:
    """``GradientTape.gradient``: the loss of a step, and variables without a gradient."""
    original = module.GradientTape.gradient

    @functools.wraps(original)
    def gradient(self: Any, target: Any, sources: Any, *arguments: Any, **options: Any) -> Any:
        found = original(self, target, sources, *arguments, **options)
        if not shared.busy and not roles():
            quietly(_gradient, target, sources, found)
        return found

    module.GradientTape.gradient = gradient


def _gradient(target: Any, sources: Any, found: Any) -> None:
    tf = sys.modules["tensorflow"]
    here.target = target if tf.executing_eagerly() else None
    here.gradients = (sources, found) if tf.executing_eagerly() else None
    if isinstance(sources, (list, tuple)) and isinstance(found, (list, tuple)):
        for source, part in zip(sources, found):
            if part is None and hasattr(source, "assign") and name_of(source) not in shared.detached:
                shared.detached.append(name_of(source))
    here.own_loss = True


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
        outermost = not getattr(here, "deep", False) and not shared.busy and not roles()
        if not outermost:
            return original(self, first, *arguments, **options)
        if pairs and not isinstance(first, (list, tuple)):
            first = list(first)
        given = [pair[1] for pair in first] if pairs else (arguments[0] if arguments else options.get("trainable_variables"))
        found = quietly(_applying, self, given)
        here.deep = True
        try:
            result = original(self, first, *arguments, **options)
        finally:
            here.deep = False
        if found is not None:
            quietly(_applied, *found)
        return result

    setattr(kind, name, apply)


def _applying(optimizer: Any, given: Any) -> tuple[Watch, Any] | None:
    """An optimizer is about to be applied: return (watch, inputs) of the model whose variables it gets.

    In a graph, this happens during tracing; the variables then have their values from before the first step.
    """
    tf = sys.modules["tensorflow"]
    ids = {id(variable) for variable in list(given or getattr(optimizer, "_trainable_variables", []))}
    calls = here.__dict__.get("calls", [])
    owners = [call for call in calls if ids & {id(variable) for variable in call[0].trainable_variables}]
    if not owners:
        return None
    model, inputs, _ = _largest(owners)
    watch = shared.watch_of(model, "loop")
    if watch is None or watch.kind != "loop":
        return None
    watch.optimizer = weakref.ref(optimizer)
    watch.given |= ids
    loss = getattr(here, "loss", None)
    if loss is not None:
        watch.loss = about_loss(loss[0])
    elif getattr(here, "own_loss", False):
        watch.loss = {"name": "own", "own": True, "from_logits": False}
    with tf.init_scope():
        quietly(watch.begin)
    return watch, inputs


def _applied(watch: Watch, inputs: Any) -> None:
    """The optimizer was applied: the end of a step, or of tracing one."""
    if not sys.modules["tensorflow"].executing_eagerly():
        if getattr(here, "functions", None):
            _steps[here.functions[0]] = watch
        return
    loss = getattr(here, "loss", None)
    if watch.looks_at_next():
        quietly(_take_batch, watch, inputs, None if loss is None else loss[1])
        watch.evidence = quietly(_evidence) or {}
        quietly(watch.step, _scalar(getattr(here, "target", None)))
    else:
        quietly(watch.step, None)
    _after_step()


def _evidence() -> dict[str, Any]:
    """The first value of an eager step that is not finite: an input of a model, its output, the loss, a gradient."""
    for _, inputs, output in here.__dict__.get("calls", []):
        for what, value in (("inputs", inputs), ("prediction", output)):
            if any(not _finite(part) for part in _arrays(value)):
                return {"what": what}
    if not _finite(_arrays(here.target)[0]):
        return {"what": "loss"}
    sources, found = here.gradients or ([], [])
    if isinstance(sources, (list, tuple)) and isinstance(found, (list, tuple)):
        for source, part in zip(sources, found):
            if part is not None and not _finite(_arrays(getattr(part, "values", part))[0]):
                return {"what": "gradient", "name": name_of(source)}
    return {}


def _finite(array: Any) -> bool:
    import numpy as np

    return (array.dtype.kind != "f" and array.dtype.kind != "V") or bool(np.isfinite(array.astype("float64")).all())


def _largest(calls: list[Any]) -> Any:
    """The outermost of nested models: the one with the most variables."""
    sizes = [len(call[0].variables) for call in calls]
    return calls[len(sizes) - 1 - sizes[::-1].index(max(sizes))]


def _after_step() -> None:
    here.calls, here.loss, here.target, here.own_loss, here.gradients = [], None, None, False, None


def _take_batch(watch: Watch, inputs: Any, targets: Any) -> None:
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
    """``tf.function``: a call to one that applies an optimizer completes a step."""
    original = module.Function.__call__

    @functools.wraps(original)
    def called(self: Any, *arguments: Any, **options: Any) -> Any:
        if shared.busy or roles():
            return original(self, *arguments, **options)
        functions = here.__dict__.setdefault("functions", [])
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
    shared.replicas = max(shared.replicas, int(made.num_replicas_in_sync))


def checkpoint(module: Any) -> None:
    """``Checkpoint.restore``: which parts of the models it did not find in the file."""
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
            return  # the file has the values that the variables already had
        except AssertionError:
            pass
    if before:
        shared.restored.append({"path": path is not None, "variables": len(before), "same": same[:40]})
        del shared.restored[:-20]


def _loading(original: Any) -> Any:
    """``load_weights`` that may skip weights that it does not find."""

    @functools.wraps(original)
    def load(self: Any, *arguments: Any, **options: Any) -> Any:
        skips = options.get("by_name") or options.get("skip_mismatch")
        before = quietly(_values, self) if skips else None
        result = original(self, *arguments, **options)
        if before:
            same = [name_of(variable) for variable, value in before if array_of(variable).tobytes() == value]
            shared.restored.append({"path": True, "variables": len(before), "same": same[:40]})
        return result

    return load


def _values(model: Any) -> list[tuple[Any, bytes]]:
    return [(variable, array_of(variable).tobytes()) for variable in model.trainable_variables]
