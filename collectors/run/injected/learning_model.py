"""The description of a model: its layers, and how its optimizer is configured."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_data import number
    from tfhelp.collectors.run.injected.learning_probe import activation_of, array_of, layers_of
else:
    from _tfhelp_learning_data import number
    from _tfhelp_learning_probe import activation_of, array_of, layers_of


def about_model(model: typing.Any, optimizer: typing.Any) -> dict[str, typing.Any]:
    """Name, layers and replicas of a model, and its optimizer."""
    layers = layers_of(model)
    found: dict[str, typing.Any] = {
        "name": str(getattr(model, "name", "")),
        "keras": type(model).__module__.partition(".")[0],
    }
    found["layers"] = [
        [
            str(layer.name),
            type(layer).__name__,
            activation_of(layer),
            bool(layer.trainable),
            str(getattr(layer, "compute_dtype", "")),
            getattr(layer, "units", None),
        ]
        for layer in layers[:200]
    ]
    strategy = getattr(model, "distribute_strategy", None)
    found["replicas"] = int(strategy.num_replicas_in_sync) if strategy is not None else 1
    found.update(about_optimizer(optimizer))
    return found


def about_optimizer(optimizer: typing.Any) -> dict[str, typing.Any]:
    """Class, learning rate, clipping and loss scaling of an optimizer."""
    if optimizer is None:
        return {}
    found: dict[str, typing.Any] = {"optimizer": type(optimizer).__name__}
    inner = getattr(optimizer, "inner_optimizer", None)
    if inner is not None:
        found["loss_scaling"], found["optimizer"] = True, type(inner).__name__
        optimizer = inner
    try:
        rate = getattr(optimizer, "learning_rate", None)
        found["learning_rate"] = number(rate(optimizer.iterations) if callable(rate) else array_of(rate))
    except Exception:  # noqa: BLE001 - a custom schedule may do anything
        pass
    found["clips"] = any(getattr(optimizer, name, None) for name in ("clipnorm", "clipvalue", "global_clipnorm"))
    return found
