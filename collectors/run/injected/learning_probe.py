"""A look into a model: the output of each layer for a batch, the loss and its gradients, with chosen weights.

The look runs in a separate ``tf.function``, so that it changes no random state of the program. Afterwards every variable
that it may have changed (moving averages, metrics, seeds) has its old value again.
"""

from __future__ import annotations

import functools
import math
import random
import sys
import typing
import warnings

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_data import number
else:
    from _tfhelp_learning_data import number

_MOST_LAYERS = 200
_MOST_WEIGHTS = 20_000_000
_ROWS = 64


def name_of(variable: typing.Any) -> str:
    """Path of a variable, without the suffix ``:0`` of TensorFlow's names."""
    return str(getattr(variable, "path", None) or variable.name).replace(":0", "")


def array_of(variable: typing.Any) -> typing.Any:
    """Value of a variable, as a NumPy array."""
    import numpy as np

    value = variable.numpy() if hasattr(variable, "numpy") else variable
    return np.asarray(value)


def layers_of(model: typing.Any) -> list[typing.Any]:
    """The layers of a model that contain no other layers, in the order of its own list."""
    try:
        flat = list(model._flatten_layers(include_self=False, recursive=True))
    except AttributeError:
        flat = list(model.layers)
    inner = [layer for layer in flat if not getattr(layer, "_layers", None) or not hasattr(layer, "layers")]
    return [layer for layer in inner if "InputLayer" not in type(layer).__name__]


def weights_of(model: typing.Any) -> list[typing.Any]:
    """The trainable variables of a model."""
    return list(model.trainable_variables)


def size_of(model: typing.Any) -> int:
    """Number of weights."""
    total = 0
    for variable in model.trainable_variables:
        count = 1
        for part in variable.shape:
            count *= int(part or 1)
        total += count
    return total


class Kept:
    """Saved values of everything that a look may change."""

    def __init__(self, model: typing.Any) -> None:
        import numpy as np

        self._variables = _touched(model)
        self._values = [np.array(array_of(variable)) for variable in self._variables]
        self._random = random.getstate()
        self._numpy = np.random.get_state()

    def put_back(self) -> None:
        """Restore each variable's old value, if it has changed."""
        import numpy as np

        for variable, value in zip(self._variables, self._values):
            if not np.array_equal(array_of(variable), value, equal_nan=value.dtype.kind == "f"):
                variable.assign(value)
        random.setstate(self._random)
        np.random.set_state(self._numpy)


def _touched(model: typing.Any) -> list[typing.Any]:
    trainable = {id(variable) for variable in model.trainable_variables}
    found = list(model.variables)
    for metric in getattr(model, "metrics", []):
        found += list(metric.variables)
    state = sys.modules.get("keras.src.backend.common.global_state")
    seeds = state.get_global_attribute("global_seed_generator") if state is not None else None
    if seeds is not None:
        found.append(seeds.state)
    unique = {id(variable): variable for variable in found if id(variable) not in trainable}
    return [variable for variable in unique.values() if _numeric(variable)]


def _numeric(variable: typing.Any) -> bool:
    return str(getattr(variable, "dtype", "")).find("string") < 0 and hasattr(variable, "assign")


class Look:
    """The result of a look. Layers are (name, kind, activation, dtype, array); gradients are (name, norm or None)."""

    def __init__(self) -> None:
        self.layers: list[tuple[str, str, str, str, typing.Any]] = []
        self.prediction: typing.Any = None
        self.loss: float | None = None
        self.gradients: list[tuple[str, float | None]] = []
        self.fault = ""


class Prober:
    """Looks into one model; traced once for each batch form and mode.

    Args:
        model: the model.
        loss: ``loss(inputs, targets, prediction, training)`` as a tensor, or ``None`` for the model's own loss.
    """

    def __init__(self, model: typing.Any, loss: typing.Callable[..., typing.Any] | None = None) -> None:
        self._model = model
        self._loss = loss
        self._known: dict[typing.Any, tuple[typing.Any, list[tuple[str, str, str]], list[str]]] = {}

    def possible(self) -> bool:
        """Return whether the model is small enough, and is not distributed over devices."""
        model = self._model
        strategy = getattr(model, "distribute_strategy", None)
        if strategy is not None and strategy.num_replicas_in_sync > 1:
            return False
        return bool(getattr(model, "built", True)) and len(layers_of(model)) <= _MOST_LAYERS and size_of(model) <= _MOST_WEIGHTS

    def look(self, inputs: typing.Any, targets: typing.Any, training: bool = False, weights: typing.Any = None) -> Look:
        """Run one batch through the model, with other weights if they are given."""
        kept, now = Kept(self._model), None
        variables = weights_of(self._model)
        found = Look()
        try:
            if weights is not None:
                now = [array_of(variable).copy() for variable in variables]
                _assign(variables, weights)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._run(found, inputs, targets, training)
        except Exception as error:  # noqa: BLE001 - whatever the model raises is reported
            found.fault = type(error).__name__ + ": " + str(error)[:300]
        finally:
            if now is not None:
                _assign(variables, now)
            kept.put_back()
        return found

    def _run(self, found: Look, inputs: typing.Any, targets: typing.Any, training: bool) -> None:
        tf = sys.modules["tensorflow"]
        given = tf.nest.map_structure(tf.convert_to_tensor, (inputs,) if targets is None else (inputs, targets))
        shapes = tuple(str(getattr(part, "shape", "")) + str(part.dtype) for part in tf.nest.flatten(given))
        key = (training, targets is None, shapes)
        if key not in self._known:
            if len(self._known) > 6:
                return
            self._known[key] = self._traced(tf, given, training)
        function, layers, gradients = self._known[key]
        outputs, prediction, loss, norms = function(*given)
        for (name, kind, activation), output in zip(layers, outputs):
            array = output.numpy()
            found.layers.append((name, kind, activation, str(output.dtype.name), array))
        flat = tf.nest.flatten(prediction)
        found.prediction = flat[0].numpy() if flat else None
        found.loss = float(loss.numpy()) if targets is not None else None
        found.gradients = [
            (name, float(norm.numpy()) if float(norm.numpy()) != -1.0 else None) for name, norm in zip(gradients, norms)
        ]

    def _traced(
        self, tf: typing.Any, given: tuple[typing.Any, ...], training: bool
    ) -> tuple[typing.Any, list[tuple[str, str, str]], list[str]]:
        layers: list[tuple[str, str, str]] = []
        names: list[str] = []
        with_loss = len(given) > 1

        def forward(inputs: typing.Any, targets: typing.Any = None) -> typing.Any:
            del layers[:], names[:]
            outputs: list[typing.Any] = []
            variables = weights_of(self._model)
            with tf.GradientTape() as tape:
                with _Watched(self._model, layers, outputs):
                    prediction = self._model(inputs, training=training)
                loss = self._loss_of(inputs, targets, prediction, training) if with_loss else tf.constant(0.0)
            norms = []
            if with_loss:
                for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                    names.append(name_of(variable))
                    norms.append(
                        tf.constant(-1.0) if gradient is None else tf.cast(tf.norm(tf.convert_to_tensor(gradient)), tf.float32)
                    )
            return [output[:_ROWS] for output in outputs], prediction, tf.reduce_mean(tf.cast(loss, tf.float32)), norms

        specs = tf.nest.map_structure(lambda part: tf.TensorSpec(part.shape, part.dtype), given)
        # A concrete function is called without the counter that leads to a warning about retracing.
        return tf.function(forward, autograph=False).get_concrete_function(*specs), layers, names

    def _loss_of(self, inputs: typing.Any, targets: typing.Any, prediction: typing.Any, training: bool) -> typing.Any:
        if self._loss is not None:
            return self._loss(inputs, targets, prediction, training)
        compute = self._model.compute_loss
        try:
            return compute(x=inputs, y=targets, y_pred=prediction, sample_weight=None, training=training)
        except TypeError:  # Keras 2, or a custom method, has no such argument
            return compute(x=inputs, y=targets, y_pred=prediction, sample_weight=None)


def _assign(variables: list[typing.Any], values: list[typing.Any]) -> None:
    for variable, value in zip(variables, values):
        variable.assign(value)


class _Watched:
    """While a model is traced, collects the outputs of its layers."""

    def __init__(self, model: typing.Any, layers: list[tuple[str, str, str]], outputs: list[typing.Any]) -> None:
        self._layers = [layer for layer in layers_of(model) if "call" not in vars(layer)]
        self._found = layers
        self._outputs = outputs

    def __enter__(self) -> None:
        for layer in self._layers:
            layer.__dict__["call"] = self._listening(layer, layer.call)

    def __exit__(self, *_: object) -> None:
        for layer in self._layers:
            layer.__dict__.pop("call", None)

    def _listening(self, layer: typing.Any, call: typing.Any) -> typing.Any:
        tf = sys.modules["tensorflow"]

        @functools.wraps(call)
        def listening(*inputs: typing.Any, **options: typing.Any) -> typing.Any:
            output = call(*inputs, **options)
            if tf.is_tensor(output) and output.shape.rank and output.dtype.is_floating:
                self._found.append((str(layer.name), type(layer).__name__, activation_of(layer)))
                self._outputs.append(output)
            return output

        return listening


def activation_of(layer: typing.Any) -> str:
    """Name of a layer's activation, empty if the layer has none."""
    kind = type(layer).__name__
    if kind in ("ReLU", "Softmax", "LeakyReLU", "ELU", "PReLU"):
        return kind.lower()
    activation = getattr(layer, "activation", None)
    if activation is None:
        return ""
    return str(getattr(activation, "__name__", None) or getattr(activation, "name", None) or type(activation).__name__).lower()


def describe(look: Look, limit: int = 60) -> dict[str, typing.Any]:
    """A look for the JSON document: size, dead and saturated units of each layer; the gradient of each variable."""
    import numpy as np

    found: dict[str, typing.Any] = {"layers": [_describe_layer(np, *layer) for layer in look.layers[:limit]]}
    found["gradients"] = [[name, None if norm is None else number(norm)] for name, norm in look.gradients[:limit]]
    if look.loss is not None:
        found["loss"] = number(look.loss)
    if look.prediction is not None:
        found["prediction"] = describe_prediction(look.prediction)
    if look.fault:
        found["fault"] = look.fault
    return found


def _describe_layer(
    np: typing.Any, name: str, kind: str, activation: str, dtype: str, array: typing.Any
) -> dict[str, typing.Any]:
    values = array.astype("float64")
    finite = np.isfinite(values)
    found: dict[str, typing.Any] = {"name": name, "kind": kind, "activation": activation, "dtype": dtype}
    found["finite"] = bool(finite.all())
    good = np.where(finite, values, 0.0)
    found["largest"], found["spread"] = number(np.abs(good).max() if good.size else 0), number(good.std() if good.size else 0)
    units = good.reshape(-1, good.shape[-1]) if good.ndim > 1 else good.reshape(-1, 1)
    if len(units) > 1:
        found["constant"] = number((units.std(axis=0) <= 1e-6 * (np.abs(units).max(axis=0) + 1e-12)).mean())
        if activation in ("relu", "leakyrelu", "elu", "prelu"):
            found["dead"] = number((units <= 0).all(axis=0).mean())
        elif activation in ("sigmoid", "tanh", "hard_sigmoid"):
            ends = (units > 0.99) | (units < (0.01 if "sigmoid" in activation else -0.99))
            found["saturated"] = number(ends.mean())
    return found


def describe_prediction(prediction: typing.Any) -> dict[str, typing.Any]:
    """Range of predictions, whether they are the same for all samples, and the most frequent class."""
    import numpy as np

    values = np.asarray(prediction).astype("float64")
    found: dict[str, typing.Any] = {"shape": [int(size) for size in values.shape]}
    finite = np.isfinite(values)
    found["finite"] = bool(finite.all())
    if not finite.any():
        return found
    good = values[finite]
    found.update(minimum=number(good.min()), maximum=number(good.max()), mean=number(good.mean()), spread=number(good.std()))
    rows = np.where(finite, values, 0.0).reshape(-1, values.shape[-1] if values.ndim > 1 else 1)
    found["zeros"], found["ones"] = int((rows == 0).sum()), int((rows == 1).sum())
    if len(rows) > 1:
        found["row_spread"] = number(rows.std(axis=0).max())
    if rows.shape[1] > 1:
        kinds, counts = np.unique(rows.argmax(axis=1), return_counts=True)
        found["row_sums_to_one"] = bool(np.allclose(rows.sum(axis=1), 1.0, atol=1e-3) and rows.min() >= 0)
    else:
        kinds, counts = np.unique(rows[:, 0] > (0.5 if rows.min() >= 0 else 0.0), return_counts=True)
    found["leading_class"], found["leading_share"] = int(kinds[counts.argmax()]), number(counts.max() / counts.sum())
    return found


def first_bad(look: Look) -> dict[str, typing.Any]:
    """The first value of a look that is not finite: a layer's output, the loss, a gradient; empty if all are finite."""
    import numpy as np

    for name, kind, _, dtype, array in look.layers:
        if not np.isfinite(array.astype("float64")).all():
            return {"what": "layer", "name": name, "kind": kind, "dtype": dtype}
    if look.prediction is not None and not np.isfinite(np.asarray(look.prediction).astype("float64")).all():
        return {"what": "prediction"}
    if look.loss is not None and not math.isfinite(look.loss):
        return {"what": "loss"}
    for name, norm in look.gradients:
        if norm is not None and not math.isfinite(norm):
            return {"what": "gradient", "name": name}
    return {}
