"""Facts about the data of a watched training run: inputs, targets, their order, validation, and the inputs of later calls."""

import math
import typing

Json = dict[str, typing.Any]
_MOST_NAMES = 20
_SORTED_SHARE = 0.9  # share of a batch's most common class, if the rows are sorted; where two classes meet, a batch has both
_FEWEST_BATCHES = 4


def number(value: object) -> float | None:
    """A finite number from a document, which writes other numbers as words."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def inputs_of(training: Json) -> Json:
    """Range, spread and anomalies of the training inputs."""
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


def measures_of_targets(training: Json) -> Json:
    """Measures of the targets: of all if they were an array, else of a sample."""
    return typing.cast(Json, training.get("all_targets") or training.get("targets") or {})


def targets_of(training: Json, units: int | None, loss: str) -> Json:
    """Form, classes and range of the training targets."""
    targets = measures_of_targets(training)
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
    """Return whether each batch holds one class, and the next batches another."""
    if not order or order.get("batches", 0) < _FEWEST_BATCHES:
        return None
    within, leading = number(order.get("in_batch")), number(order.get("leading"))
    if within is None or leading is None:
        return None
    return within >= _SORTED_SHARE and order.get("leaders", 1) >= 2 and leading <= 0.8 * within


def validation_of(model: Json, data: Json) -> Json:
    """How validation went, and how its data differ from the training data."""
    losses = [value for epoch in model.get("epochs", []) if (value := number(epoch.get("val_loss"))) is not None]
    found: Json = {"validation_overlap": number(data.get("train", {}).get("overlap"))}
    if losses:
        first, best = model.get("validation") or (losses[0], min(losses))  # of a long run, not all epochs are in the list
        found |= {"validation_loss_best": best, "validation_loss_last": losses[-1], "validation_loss_first": first}
    given = data.get("validation", {})
    seen, asked = (_shares(measures_of_targets(role)) for role in (data.get("train", {}), given))
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


def asked_of(data: Json) -> Json:
    """How the inputs of predict and evaluate differ from the training inputs."""
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


def restored_of(process: Json) -> Json:
    """What a checkpoint should have restored but did not."""
    calls = [call for call in process.get("restored", []) if isinstance(call, dict)]
    if not calls:
        return {}
    lost = [name for call in calls if call.get("path") for name in call.get("same", [])]
    return {"unrestored": lost[:_MOST_NAMES], "restored_from_nothing": any(not call.get("path") for call in calls)}


def loss_of_constant(loss: str, targets: Json) -> float | None:
    """The loss of the best constant prediction; ``None`` if the loss is not known.

    Args:
        loss: its name, for example ``mse`` or ``MeanSquaredError``.
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
        return _entropy_of_columns(targets) if wide else number(targets.get("entropy"))
    return None


def _entropy_of_columns(targets: Json) -> float | None:
    """Mean over the columns of one-hot targets of the binary cross-entropy of a constant."""
    shares = [share for share in _shares(targets).values() if 0 < share < 1]
    if not shares:
        return None
    return sum(-share * math.log(share) - (1 - share) * math.log(1 - share) for share in shares) / len(shares)
