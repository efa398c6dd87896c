"""Facts of the learning, from the measures that the hook ``learning`` wrote in each process of a watched run."""

import json
import math
import os
import typing

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
_LARGEST = 16 << 20  # bytes of a document; one is some hundred thousand
_MOST_NAMES = 20
_SORTED_SHARE = 0.97  # of a batch that its commonest class has, where the rows are sorted
_FEWEST_BATCHES = 4


def read_folder(folder: str) -> Document:
    """The facts of the process of a run that trained most; an empty document where nothing was trained.

    Args:
        folder: where the hooks wrote.
    """
    documents = [found for name in _names(folder) if (found := _load(os.path.join(folder, name))) is not None]
    trained = [(process, model) for process in documents for model in process.get("models", []) if isinstance(model, dict)]
    sheet = FactSheet()
    if trained:
        process, model = max(trained, key=lambda pair: _weight(pair[1]))
        for path, value in facts_of(process, model).items():
            if value is not None:
                sheet.put(f"learning.{path}", value, _SOURCE)
    return sheet.document()


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
    """A model that went bad comes first, then the one with most steps."""
    return bool(model.get("bad")), int(model.get("steps") or 0)


def number(value: object) -> float | None:
    """A finite number of a document, in which others are words."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def facts_of(process: Json, model: Json) -> Json:
    """Fact (without its group) -> value, ``None`` where it is not known."""
    about, data = model.get("about", {}), model.get("data", {})
    training = data.get("train", {})
    found: Json = {
        "steps": int(model.get("steps") or 0),
        "epochs": len(model.get("epochs", [])),
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
    found |= _inputs(training) | _targets(training, found.get("output_units"), found.get("loss") or "")
    found |= _validation(model, data) | _asked(data) | _restored(process)
    found["last_activation"] = _last_activation(about)
    found["last_layer"] = about["layers"][-1][1] if about.get("layers") else None
    found["loss_of_constant"] = loss_of_constant(str(found["loss"] or ""), _targets_of(training))
    return found


# -------------------------------------------------------------------- the course


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
    """The last activation of the layers in their own order; layers that only change the form have none of their own."""
    for _, kind, activation, *_ in reversed(about.get("layers", [])):
        if kind in ("Reshape", "Flatten", "Dropout", "Identity"):
            continue
        return str(activation) or ("linear" if kind == "Dense" else None)
    return None


def _units(about: Json) -> int | None:
    """Units of the last layer, where it says how many it has."""
    layers = about.get("layers", [])
    return layers[-1][5] if layers and isinstance(layers[-1][5], int) else None


# -------------------------------------------------------------------- the data


def _inputs(training: Json) -> Json:
    inputs = training.get("inputs", {})
    largest, smallest = number(inputs.get("largest_column")), number(inputs.get("smallest_column"))
    return {
        "input_minimum": number(inputs.get("minimum")),
        "input_maximum": number(inputs.get("maximum")),
        "input_spread": number(inputs.get("spread")),
        "input_offset": number(inputs.get("offset")),
        "input_dtype": inputs.get("dtype"),
        "input_nonfinite": training.get("nonfinite_inputs"),
        "input_columns_bad": inputs.get("nonfinite_columns"),
        "input_column_ratio": round(largest / smallest, 3) if largest and smallest else None,
        "inputs_same": inputs.get("same_rows"),
    }


def _targets_of(training: Json) -> Json:
    return typing.cast(Json, training.get("all_targets") or training.get("targets") or {})


def _targets(training: Json, units: int | None, loss: str) -> Json:
    targets = _targets_of(training)
    kinds = [number(kind) for kind in targets.get("kinds", [])]
    known = [kind for kind in kinds if kind is not None]
    sparse = "sparse" in loss.lower() and targets.get("form") in ("integer", "binary") and bool(known) and bool(units)
    return {
        "target_form": targets.get("form") or None,
        "target_classes": targets.get("classes"),
        "target_minimum": number(targets.get("minimum")),
        "target_maximum": number(targets.get("maximum")),
        "target_spread": number(targets.get("spread")),
        "target_nonfinite": training.get("nonfinite_targets"),
        "target_largest_share": number(targets.get("largest_share")),
        "targets_beyond_units": min(known) < 0 or max(known) >= (units or 0) if sparse else None,
        "labels_sorted": _sorted(training.get("order")),
    }


def _sorted(order: Json | None) -> bool | None:
    """Whether a batch holds one class and the next batches another."""
    if not order or order.get("batches", 0) < _FEWEST_BATCHES:
        return None
    within, leading = number(order.get("in_batch")), number(order.get("leading"))
    if within is None or leading is None:
        return None
    return within >= _SORTED_SHARE and order.get("leaders", 1) >= 2 and leading <= 0.9 * within


def _validation(model: Json, data: Json) -> Json:
    losses = [value for epoch in model.get("epochs", []) if (value := number(epoch.get("val_loss"))) is not None]
    found: Json = {"validation_overlap": number(data.get("train", {}).get("overlap"))}
    if losses:
        found |= {"validation_loss_best": min(losses), "validation_loss_last": losses[-1], "validation_loss_first": losses[0]}
    given = data.get("validation", {})
    seen, asked = (_shares(_targets_of(role)) for role in (data.get("train", {}), given))
    if seen and asked:
        found["validation_classes_unseen"] = len(set(asked) - set(seen))
        kinds = set(seen) | set(asked)
        found["validation_classes_differ"] = round(sum(abs(seen.get(kind, 0.0) - asked.get(kind, 0.0)) for kind in kinds) / 2, 3)
    found["validation_scale_ratio"] = _ratio(given.get("all_inputs") or given.get("inputs"), data.get("train", {}).get("inputs"))
    return found


def _shares(targets: Json) -> dict[str, float]:
    """Share of each class."""
    return {
        str(kind): number(share) or 0.0 for kind, share in zip(targets.get("kinds", []), targets.get("shares", []), strict=False)
    }


def _asked(data: Json) -> Json:
    ratios = [_ratio(data.get(role, {}).get("inputs"), data.get("train", {}).get("inputs")) for role in ("predict", "evaluate")]
    known = [ratio for ratio in ratios if ratio is not None]
    return {"asked_scale_ratio": max(known) if known else None}


def _ratio(first: Json | None, second: Json | None) -> float | None:
    """How many times larger the values of one are than those of the other; at least 1."""
    sizes = [
        max(abs(number(part.get(end)) or 0.0) for end in ("minimum", "maximum")) if part else 0.0 for part in (first, second)
    ]
    if not all(sizes):
        return None
    return round(max(sizes[0] / sizes[1], sizes[1] / sizes[0]), 3)


def _restored(process: Json) -> Json:
    calls = [call for call in process.get("restored", []) if isinstance(call, dict)]
    if not calls:
        return {}
    lost = [name for call in calls if call.get("path") for name in call.get("same", [])]
    return {"unrestored": lost[:_MOST_NAMES], "restored_from_nothing": any(not call.get("path") for call in calls)}


def loss_of_constant(loss: str, targets: Json) -> float | None:
    """The loss of the best prediction that is the same for all samples; ``None`` for a loss that is not known.

    Args:
        loss: its name, ``mse`` or ``MeanSquaredError``, say.
        targets: their measures.
    """
    name = loss.lower().replace("_", "")
    if name in ("mse", "meansquarederror"):
        spread = number(targets.get("spread"))
        return None if spread is None else spread**2
    if name in ("mae", "meanabsoluteerror"):
        return number(targets.get("deviation"))
    if name in ("binarycrossentropy", "categoricalcrossentropy", "sparsecategoricalcrossentropy"):
        wide = name == "binarycrossentropy" and targets.get("form") == "one-hot"
        return None if wide else number(targets.get("entropy"))
    return None
