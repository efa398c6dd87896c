"""A hook: measures of a training run's data and learning, written to ``TFHELP_RUN_FOLDER/learning-PID.json``.

It is off by default, because it reads values. It waits until the program imports Keras and TensorFlow, and then observes
``Model.fit``, ``evaluate`` and ``predict``, tapes, optimizers, losses, ``tf.function`` and the restoring of weights.

It must not change any result. So it adds no operation to a model or a training step, draws no random number, makes no second
iterator over the program's data, and restores every variable that a look at the model may have changed. To see the batches, it
adds ``enumerate`` and ``map`` to the data set that Keras builds; they pass every batch on as it is. An exception in it is
dropped. It works with Keras 3, tf_keras and Keras 2, and with Python 3.7 and later.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import typing

_FOLDER = os.path.dirname(os.path.abspath(__file__))

# Modules of the libraries, and the function of learning_fit or learning_loops that is called when each has been imported.
_PLACES = {
    "keras.src.backend.tensorflow.trainer": "keras3_trainer",
    "keras.src.models.model": "keras3_model",
    "keras.src.losses.loss": "losses",
    "keras.src.optimizers.base_optimizer": "keras3_optimizer",
    "tensorflow.python.eager.backprop": "tape",
    "tensorflow.python.eager.polymorphic_function.polymorphic_function": "traced_function",
    "tensorflow.python.eager.def_function": "traced_function",
    "tensorflow.python.distribute.distribute_lib": "strategy",
    "tensorflow.python.checkpoint.checkpoint": "checkpoint",
    "tensorflow.python.training.tracking.util": "checkpoint",
}
for _package in ("tf_keras.src", "tf_keras", "keras.src", "keras"):
    _PLACES[_package + ".engine.training"] = "keras2_training"
    _PLACES[_package + ".engine.data_adapter"] = "keras2_adapters"
    _PLACES[_package + ".losses"] = "losses"
    _PLACES[_package + ".optimizers.optimizer"] = "keras2_optimizer"
    _PLACES[_package + ".optimizers.optimizer_experimental.optimizer"] = "keras2_optimizer"
    _PLACES[_package + ".optimizers.optimizer_v2.optimizer_v2"] = "keras2_optimizer"
    _PLACES[_package + ".optimizer_v2.optimizer_v2"] = "keras2_optimizer"
# In the order of their dependencies.
_HELPERS = (
    "learning_data",
    "learning_probe",
    "learning_model",
    "learning_watch",
    "learning_shared",
    "learning_loops",
    "learning_fit",
)
_ADAPTERS = "keras.src.trainers.data_adapters."
_ADAPTED = (
    "array_data_adapter",
    "tf_dataset_adapter",
    "generator_data_adapter",
    "py_dataset_adapter",
    "torch_data_loader_adapter",
)
for _name in _ADAPTED:
    _PLACES[_ADAPTERS + _name] = "keras3_adapter"


def sibling(name: str) -> typing.Any:
    """A module of this folder, loaded by path under a name that no program imports by chance."""
    known = "_tfhelp_" + name
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, os.path.join(_FOLDER, name + ".py"))
        if spec is None or spec.loader is None:
            raise ImportError(name)
        module = importlib.util.module_from_spec(spec)
        sys.modules[known] = module
        spec.loader.exec_module(module)
    return sys.modules[known]


class _Loader:
    """The loader that the library would have had, followed by our hook."""

    def __init__(self, loader: typing.Any, name: str) -> None:
        self._loader = loader
        self._name = name

    def __getattr__(self, name: str) -> typing.Any:
        return getattr(self._loader, name)

    def create_module(self, spec: typing.Any) -> typing.Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: typing.Any) -> None:
        self._loader.exec_module(module)
        _patch(self._name, module)


class _Finder:
    """Finds the few modules that are observed, with the program's own finders."""

    def find_spec(self, name: str, path: typing.Any = None, target: typing.Any = None) -> typing.Any:
        if name not in _PLACES:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader, name)  # type: ignore[assignment]
                return spec
        return None


def _patch(name: str, module: typing.Any) -> None:
    try:
        modules = [sibling(helper) for helper in _HELPERS]
        for found in modules:
            if hasattr(found, _PLACES[name]):
                getattr(found, _PLACES[name])(module)
    except Exception:  # noqa: BLE001 - the program goes on as if there were no hook
        pass


def start() -> None:
    """Wait for the libraries."""
    sys.meta_path.insert(0, _Finder())
    for name in _PLACES:
        if name in sys.modules:
            _patch(name, sys.modules[name])
