"""Objects whose methods ``wrong_calls`` calls wrongly: a compiled model, a dataset, an optimizer, each layer, and so on.

Each is made again for each call, by correct calls of the public API.
"""

import functools
import inspect
import typing

PLAUSIBLE = {
    "units": 3, "filters": 2, "kernel_size": 2, "pool_size": 2, "rate": 0.3, "n": 2, "dims": (2, 1), "target_shape": (3, 1), "size": 2,
    "input_dim": 5, "output_dim": 2, "num_bins": 3, "num_tokens": 4, "height": 4, "width": 4, "factor": 0.5, "equation": "ab,bc->ac",
    "output_shape": (None, 2), "num_heads": 2, "key_dim": 2, "stddev": 0.1, "seed_generator": 1, "function": abs, "head_dim": 2,
    "num_query_heads": 2, "num_key_value_heads": 1, "epsilon": 0.1, "bin_boundaries": [0.0, 1.0], "output_size": 2, "axes": 1,
    "num_classes": 3, "initial_learning_rate": 0.1, "decay_steps": 5, "decay_rate": 0.9, "boundaries": [1], "values": [0.1, 0.2],
    "end_learning_rate": 0.01, "t_mul": 2.0, "warmup_target": 0.1, "recall": 0.5, "precision": 0.5, "specificity": 0.5,
    "sensitivity": 0.5, "thresholds": [0.5], "target_class_ids": [0], "mean_metric_wrapper": None, "scale": 2.0, "filepath": "m.keras",
}  # fmt: skip
"""Arguments with which the constructors of layers, losses, metrics and schedules do what they shall."""


def _with_plausible(kind: typing.Any) -> typing.Any:
    needed = [
        parameter.name
        for parameter in inspect.signature(kind).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    return kind(**{name: PLAUSIBLE[name] for name in needed})


def _wrapped(kind: typing.Any) -> typing.Any:
    import keras

    inner = keras.layers.LSTM(2) if kind is keras.layers.Bidirectional else keras.layers.Dense(2)
    return kind(keras.layers.LSTMCell(2) if kind.__name__ in ("RNN", "StackedRNNCells") else inner)


def _compiled() -> typing.Any:
    import keras

    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    model.compile("sgd", "mse", metrics=["accuracy"])
    return model


def _two_headed() -> typing.Any:
    import keras

    one, other = keras.Input((3,), name="one"), keras.Input((3,), name="other")
    both = keras.layers.Add()([one, other])
    model = keras.Model([one, other], {"a": keras.layers.Dense(1)(both), "b": keras.layers.Dense(2)(both)})
    model.compile("adam", {"a": "mse", "b": "mse"})
    return model


def _not_compiled() -> typing.Any:
    import keras

    return keras.Sequential([keras.layers.Conv2D(2, 2), keras.layers.Flatten(), keras.layers.Dense(2)])


def _subclassed() -> typing.Any:
    import keras

    class Mine(keras.Model):
        """Without ``call``."""

    return Mine()


def _used_optimizer(name: str) -> typing.Any:
    import keras

    optimizer = getattr(keras.optimizers, name)()
    optimizer.build([keras.Variable([1.0, 2.0])])
    return optimizer


def _tape() -> typing.Any:
    import tensorflow as tf

    with tf.GradientTape() as tape:
        tape.watch(tf.constant(1.0))
    return tape


def _traced(signature: bool) -> typing.Any:
    import tensorflow as tf

    decorate = tf.function(input_signature=[tf.TensorSpec([None, 3])]) if signature else tf.function
    return decorate(lambda x, y=None: tf.reduce_sum(x))


def _looping() -> typing.Any:
    import tensorflow as tf

    @tf.function
    def loop(values: typing.Any, count: typing.Any = 3) -> typing.Any:
        total = tf.zeros([2])
        for _ in tf.range(count):
            total = total + values
            if tf.reduce_sum(total) > 3:
                total = tf.concat([total, values], 0)
        return total

    return loop


def _saved() -> typing.Any:
    import tensorflow as tf

    module = tf.Module()
    module.kept = tf.Variable([1.0, 2.0])
    module.run = tf.function(lambda x: x + module.kept, input_signature=[tf.TensorSpec([2])])
    tf.saved_model.save(module, "saved")
    return tf.saved_model.load("saved")


def _loaded_from(name: str, text: str) -> typing.Any:
    import keras

    with open(name, "w", encoding="utf-8") as opened:
        opened.write(text)
    return functools.partial(keras.models.load_model, name)


def _fit_with(kind: str) -> typing.Any:
    """``fit`` with a callback that is made with drawn arguments."""
    import keras
    import numpy

    def fit(*positional: typing.Any, **named: typing.Any) -> typing.Any:
        callback = getattr(keras.callbacks, kind)(*positional, **named)
        return _compiled().fit(numpy.zeros((4, 3)), numpy.zeros((4, 2)), epochs=2, verbose=0, callbacks=[callback])

    fit.__signature__ = inspect.signature(getattr(keras.callbacks, kind))  # type: ignore[attr-defined]
    return fit


def _compiled_with(kind: str) -> typing.Any:
    """``fit`` of a model that is compiled with drawn arguments."""
    import numpy

    def fit(**named: typing.Any) -> typing.Any:
        model = _compiled()
        model.compile(**named)
        return model.fit(numpy.zeros((4, 3)), numpy.zeros((4, 2)), verbose=0)

    fit.__signature__ = inspect.signature(_compiled().compile)  # type: ignore[attr-defined]
    return fit


def _writer() -> typing.Any:
    import tensorflow as tf

    return tf.io.TFRecordWriter("records")


def _checkpoint() -> typing.Any:
    import tensorflow as tf

    checkpoint = tf.train.Checkpoint(kept=tf.Variable([1.0]))
    checkpoint.save("kept")
    return checkpoint


def _manager() -> typing.Any:
    import tensorflow as tf

    return tf.train.CheckpointManager(_checkpoint(), "folder", max_to_keep=2)


def _table() -> typing.Any:
    import tensorflow as tf

    pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    return tf.lookup.StaticHashTable(pairs, -1)


def _dataset(kind: str) -> typing.Any:
    import tensorflow as tf

    sets = {
        "numbers": lambda: tf.data.Dataset.range(6),
        "pairs": lambda: tf.data.Dataset.from_tensor_slices((tf.zeros([4, 3]), tf.zeros([4]))),
        "ragged": lambda: tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]])),
        "named": lambda: tf.data.Dataset.from_tensor_slices({"a": ["x", "y"], "b": [1, 2]}),
    }
    return sets[kind]()


def _array() -> typing.Any:
    import tensorflow as tf

    return tf.TensorArray(tf.float32, 2, element_shape=[2])


def _iterator() -> typing.Any:
    return iter(_dataset("pairs"))


def _lite(kind: str) -> typing.Any:
    import tensorflow as tf

    return tf.lite.TFLiteConverter.from_keras_model(_compiled())


def _strategy(kind: str) -> typing.Any:
    import tensorflow as tf

    return tf.distribute.get_strategy() if kind == "default" else tf.distribute.MirroredStrategy(["CPU:0"])


def _tensor(kind: str) -> typing.Any:
    import tensorflow as tf

    made = {
        "ragged": lambda: tf.ragged.constant([[1], [2, 3]]),
        "sparse": lambda: tf.sparse.from_dense([[1.0, 0.0]]),
        "variable": lambda: tf.Variable([[1.0, 2.0]]),
        "eager": lambda: tf.zeros([2, 3]),
        "shape": lambda: tf.TensorShape([2, None]),
        "spec": lambda: tf.TensorSpec([2, None]),
        "dtype": lambda: tf.float32,
    }
    return made[kind]()


def objects() -> dict[str, typing.Callable[[], typing.Any]]:
    """Name of an object, as people write it -> the function that makes it."""
    import keras

    part = functools.partial
    found: dict[str, typing.Callable[[], typing.Any]] = {
        "keras.Sequential()": _compiled, "keras.Model()": _two_headed, "keras.Sequential([])": _not_compiled,
        "keras.Model(keras.Model)": _subclassed, "tf.GradientTape()": _tape, "tf.function()": part(_traced, False),
        "tf.function(input_signature)": part(_traced, True), "tf.function(loop)": _looping, "tf.saved_model.load()": _saved,
        "tf.io.TFRecordWriter()": _writer, "tf.train.Checkpoint()": _checkpoint, "tf.train.CheckpointManager()": _manager,
        "tf.lookup.StaticHashTable()": _table, "tf.TensorArray()": _array, "iter(tf.data.Dataset)": _iterator,
        "keras.models.load_model(text)": part(_loaded_from, "m.keras", "no archive"), "keras.Model.fit()": part(_compiled_with, ""),
        "keras.models.load_model(h5)": part(_loaded_from, "m.h5", "no archive"), "tf.lite.TFLiteConverter()": part(_lite, ""),
    }  # fmt: skip
    found |= {f"tf.data.Dataset {kind}": part(_dataset, kind) for kind in ("numbers", "pairs", "ragged", "named")}
    found |= {f"tf {k}": part(_tensor, k) for k in ("ragged", "sparse", "variable", "eager", "shape", "spec", "dtype")}
    found |= {f"tf.distribute {kind}": part(_strategy, kind) for kind in ("default", "mirrored")}
    found |= {
        f"keras.optimizers.{name}()": part(_used_optimizer, name) for name in ("SGD", "Adam", "Adafactor", "RMSprop", "Lion")
    }
    found |= {f"keras.callbacks.{name}()": part(_fit_with, name) for name in _classes(keras.callbacks)}
    for space in (keras.layers, keras.losses, keras.metrics, keras.optimizers.schedules, keras.initializers):
        for name in _classes(space):
            kind = getattr(space, name)
            wrapper = name in ("Bidirectional", "TimeDistributed", "SpectralNormalization", "RNN", "StackedRNNCells")
            found[f"{space.__name__.replace('keras.api.', 'keras.')}.{name}()"] = part(
                _wrapped if wrapper else _with_plausible, kind
            )
    return found


def _classes(space: typing.Any) -> list[str]:
    return [name for name in dir(space) if name[0].isupper() and inspect.isclass(getattr(space, name))]


class Method:
    """A method of an object that is made again for each call. It has the method's own signature."""

    def __init__(self, make: typing.Callable[[], typing.Any], name: str) -> None:
        self._make, self._name = make, name
        self.__signature__ = inspect.signature(getattr(make(), name))

    def __call__(self, *positional: typing.Any, **named: typing.Any) -> typing.Any:
        return getattr(self._make(), self._name)(*positional, **named)


def methods(made: typing.Any) -> list[str]:
    """The public methods, and the call itself if there is one."""
    if isinstance(made, functools.partial) or inspect.isfunction(made):
        return ["__call__"]
    called = ["__call__"] if callable(made) else []
    return called + [name for name in dir(made) if not name.startswith("_") and callable(getattr(made, name, None))]
