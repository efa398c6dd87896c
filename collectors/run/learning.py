"""Facts about learning, from the measures that the hook ``learning`` wrote in each process of a watched run."""

import json
import os
import typing

from tfhelp.collectors.run.learning_data import (
    asked_of,
    inputs_of,
    loss_of_constant,
    measures_of_targets,
    number,
    restored_of,
    targets_of,
    validation_of,
)
from tfhelp.kb.fact_sheet import Document, FactSheet

FACTS: tuple[str, ...] = tuple(
    f"learning.{name}"
    for name in (
        "steps",
        "epochs",
        "own_loop",
        "loss",
        "own_loss",
        "from_logits",
        "loss_first",
        "loss_last",
        "loss_before_bad",
        "loss_of_constant",
        "accuracy",
        "first_bad_step",
        "first_bad_epoch",
        "first_bad",
        "first_bad_layer",
        "first_bad_dtype",
        "weights_grew",
        "activations_largest",
        "gradient_largest",
        "gradients_missing",
        "gradient_zero_share",
        "dead_share",
        "dead_layer",
        "saturated_share",
        "saturated_layer",
        "update_ratio",
        "unchanged",
        "not_given",
        "trainable_share",
        "learning_rate",
        "optimizer",
        "clips_gradients",
        "half_precision",
        "loss_scaling",
        "last_activation",
        "hidden_layers_linear",
        "last_layer",
        "output_units",
        "predictions_minimum",
        "predictions_maximum",
        "predictions_same",
        "predictions_are_shares",
        "leading_class_share",
        "input_minimum",
        "input_maximum",
        "input_spread",
        "input_offset",
        "input_dtype",
        "input_column_ratio",
        "input_nonfinite",
        "input_columns_bad",
        "inputs_same",
        "target_form",
        "target_classes",
        "target_minimum",
        "target_maximum",
        "target_spread",
        "target_nonfinite",
        "target_largest_share",
        "targets_beyond_units",
        "classes_weighted",
        "labels_sorted",
        "shuffled",
        "loss_in_training",
        "loss_in_inference",
        "validation_loss_best",
        "validation_loss_last",
        "validation_loss_first",
        "validation_overlap",
        "validation_classes_unseen",
        "validation_classes_differ",
        "validation_scale_ratio",
        "asked_scale_ratio",
        "replicas_made",
        "replicas_used",
        "unrestored",
        "restored_from_nothing",
    )
)
"""The fact paths that this module makes."""

Json = dict[str, typing.Any]
_SOURCE = "tfhelp run --watch-learning"
_LARGEST = 16 << 20  # bytes of a document; a normal one has some hundred thousand
_MOST_NAMES = 20


def read_folder(folder: str) -> Document:
    """The facts about one model of a run: of those that went bad, else of all, the one with the most steps.

    If nothing was trained, the document is empty.

    Args:
        folder: where the hooks wrote.
    """
    documents = [found for name in _names(folder) if (found := _load(os.path.join(folder, name))) is not None]
    trained = [(process, model) for process in documents for model in _models(process)]
    sheet = FactSheet()
    if trained:
        process, model = max(trained, key=lambda pair: _weight(pair[1]))
        for path, value in _guarded(process, model).items():
            if value is not None:
                sheet.put(f"learning.{path}", value, _SOURCE)
    return sheet.document()


def _models(process: Json) -> list[Json]:
    models = process.get("models")
    return [model for model in models if isinstance(model, dict)] if isinstance(models, list) else []


def _guarded(process: Json, model: Json) -> Json:
    """The facts; none if the program itself has overwritten the document."""
    try:
        return facts_of(process, model)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError):
        return {}


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith("learning-") and name.endswith(".json"))
    except OSError:
        return []


def _load(path: str) -> Json | None:
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and document.get("version") == 1 else None


def _weight(model: Json) -> tuple[bool, int]:
    """A model that went bad comes first, then the one with the most steps."""
    steps = model.get("steps")
    return bool(model.get("bad")), steps if isinstance(steps, int) else 0


def facts_of(process: Json, model: Json) -> Json:
    """Fact (without its group) -> value, ``None`` if not known."""
    about, data = model.get("about", {}), model.get("data", {})
    training = data.get("train", {})
    found: Json = {
        "steps": int(model.get("steps") or 0),
        "epochs": int(model.get("epochs_done") or len(model.get("epochs", []))),
        "own_loop": model.get("kind") == "loop",
        "loss": model.get("loss", {}).get("name"),
        "own_loss": model.get("loss", {}).get("own"),
        "from_logits": model.get("loss", {}).get("from_logits"),
        "learning_rate": number(about.get("learning_rate")),
        "optimizer": about.get("optimizer"),
        "clips_gradients": about.get("clips"),
        "loss_scaling": bool(about.get("loss_scaling")),
        "half_precision": any(
            "float16" in str(layer[4]) and "bfloat16" not in str(layer[4]) for layer in about.get("layers", [])
        ),
        "replicas_made": process.get("replicas"),
        "replicas_used": about.get("replicas"),
        "shuffled": about.get("shuffle") if about.get("arrays") else None,
        "classes_weighted": about.get("class_weight"),
    }
    found |= _losses(model) | _first_bad(model, training) | {"output_units": _units(about)} | _of_looks(model)
    found |= _of_variables(process, model)
    found |= inputs_of(training) | targets_of(training, found.get("output_units"), found.get("loss") or "")
    found |= validation_of(model, data) | asked_of(data) | restored_of(process)
    found["last_activation"] = _last_activation(about)
    found["hidden_layers_linear"] = _hidden_linear(about.get("layers", []))
    found["last_layer"] = about["layers"][-1][1] if about.get("layers") else None
    found["loss_of_constant"] = loss_of_constant(str(found["loss"] or ""), measures_of_targets(training))
    return found


# -------------------------------------------------------------------- the course of training


def _losses(model: Json) -> Json:
    losses = [value for _, loss in model.get("losses", []) if (value := number(loss)) is not None]
    epochs = model.get("epochs", [])
    last = number(epochs[-1].get("loss")) if epochs else None
    if last is None and losses and not model.get("bad"):
        tail = losses[-max(1, min(8, len(losses) // 4)) :]
        last = sum(tail) / len(tail)
    accuracy = next(
        (number(value) for name, value in (epochs[-1] if epochs else {}).items() if "acc" in name and "val" not in name), None
    )
    first = number(epochs[0].get("loss")) if epochs and not losses else losses[0] if losses else None
    return {"loss_first": first, "loss_last": last, "accuracy": accuracy}


def _first_bad(model: Json, training: Json) -> Json:
    bad = model.get("bad") or {}
    if not bad:
        return {}
    look = bad.get("look") or {}
    first = look.get("bad") or {}
    what = first.get("what", "unknown")
    if training.get("nonfinite_inputs"):
        what = "inputs"
    elif training.get("nonfinite_targets"):
        what = "targets"
    weights, start = number(bad.get("weights")), number(bad.get("weights_at_start"))
    sizes = [size for layer in look.get("layers", []) if (size := number(layer.get("largest"))) is not None]
    return {
        "first_bad_step": bad.get("step"),
        "first_bad_epoch": bad.get("epoch"),
        "loss_before_bad": number(bad.get("loss_before")),
        "first_bad": what,
        "first_bad_layer": first.get("name") if what in ("layer", "gradient") else None,
        "first_bad_dtype": first.get("dtype") if what == "layer" else None,
        "weights_grew": round(weights / start, 3) if weights is not None and start else None,
        "activations_largest": max(sizes) if sizes else None,
    }


def _of_looks(model: Json) -> Json:
    looks = [look for look in model.get("looks", []) if look.get("layers") or look.get("prediction")]
    every = looks + [look for look in [(model.get("bad") or {}).get("look")] if look]
    norms = [value for look in every for _, norm in look.get("gradients", []) if (value := number(norm)) is not None]
    found: Json = {"gradient_largest": max(norms) if norms else None}
    if not every:
        return found
    last = every[-1]
    gradients = last.get("gradients", [])
    if gradients:
        found["gradients_missing"] = [name for name, norm in gradients if norm is None][:_MOST_NAMES] or None
        known = [norm for _, norm in gradients if norm is not None]
        found["gradient_zero_share"] = round(sum(norm == 0 for norm in known) / len(known), 4) if known else None
    layers = last.get("layers", [])
    found["dead_share"], found["dead_layer"] = _worst(layers, "dead")
    found["saturated_share"], found["saturated_layer"] = _worst(layers[:-1], "saturated")
    prediction = last.get("prediction") or {}
    shape = prediction.get("shape") or []
    if shape:
        found["output_units"] = shape[-1] if len(shape) > 1 else 1
    found["predictions_minimum"], found["predictions_maximum"] = (
        number(prediction.get("minimum")),
        number(prediction.get("maximum")),
    )
    spread, size = (
        number(prediction.get("row_spread")),
        max(abs(number(prediction.get(end)) or 0.0) for end in ("minimum", "maximum")),
    )
    found["predictions_same"] = None if spread is None else spread <= 1e-5 * max(size, 1e-6)
    found["predictions_are_shares"] = prediction.get("row_sums_to_one")
    found["leading_class_share"] = number(prediction.get("leading_share"))
    for path in ("loss_in_training", "loss_in_inference"):
        found[path] = number(last.get(path))
    return found


def _worst(layers: list[Json], kind: str) -> tuple[float | None, str | None]:
    known = [(share, str(layer["name"])) for layer in layers if (share := number(layer.get(kind))) is not None]
    return max(known) if known else (None, None)


def _of_variables(process: Json, model: Json) -> Json:
    rows = [row for row in model.get("variables", []) if row[1]]
    about = model.get("about", {})
    if not rows:
        return {"trainable_share": 0.0} if model.get("variables") and about.get("trainable") == 0 else {}
    shares = [share for row in rows if (share := number(row[4])) is not None]
    steps = max(1, int(model.get("steps") or 1))
    all_weights = number(about.get("all"))
    return {
        "unchanged": [row[0] for row in rows if not row[2]][:_MOST_NAMES],
        "not_given": [row[0] for row in rows if not row[3]][:_MOST_NAMES],
        "trainable_share": round(
            sum(1 for row in rows if row[3]) / len(rows) * (number(about.get("trainable")) or 0) / all_weights, 4
        )
        if all_weights
        else None,
        "update_ratio": float(f"{max(shares) / steps:.3g}") if shares else None,
    }


def _last_activation(about: Json) -> str | None:
    """The last activation of the layers in order; layers such as Flatten and Dropout have none."""
    for _, kind, activation, *_ in reversed(about.get("layers", [])):
        if kind in ("Reshape", "Flatten", "Dropout", "Identity"):
            continue
        return str(activation) or ("linear" if kind == "Dense" else None)
    return None


def _units(about: Json) -> int | None:
    """Units of the last layer, if it states them."""
    layers = about.get("layers", [])
    return layers[-1][5] if layers and isinstance(layers[-1][5], int) else None


def _hidden_linear(layers: list[list[typing.Any]]) -> bool | None:
    """Return whether all hidden layers are Dense and none has an activation; ``None`` if other layers may be nonlinear."""
    kinds = {layer[1] for layer in layers[:-1]}
    if "Dense" not in kinds or not kinds <= {"Dense", "Flatten", "Dropout", "Normalization", "Rescaling", "BatchNormalization"}:
        return None
    return all(layer[2] in ("", "linear") for layer in layers[:-1])
