"""What is wrong with a training run, from the facts of its learning (``learning.*``).

One fault is named. The rules are ordered so that a fault comes before those that it explains: bad input data, the first infinite
value, a form that cannot learn, then why the model did not learn. For a run that did learn, only faults that still make its
result wrong are named.
"""

import typing

from tfhelp.kb.derived.read import finite
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

_FEWEST_STEPS = 30  # hardly any model learns in fewer steps
_LEARNED = 0.93  # share of a constant prediction's loss; a run below it has learned something
_HUGE_WEIGHTS, _HUGE_ACTIVATIONS, _HUGE_LOSS, _HUGE_GRADIENT = 100.0, 1e6, 1e3, 1e7
_HIGH_RATES = {"SGD": 0.5, "Adadelta": 10.0, "Adagrad": 2.0, "Ftrl": 2.0}
_HIGH_ADAPTIVE = 0.05
_LOW_RATES = {"SGD": 1e-5, "Adadelta": 1e-3}
_LOW_ADAPTIVE = 1e-6
_FOR_NUMBERS = ("mse", "meansquarederror", "mae", "meanabsoluteerror", "huber", "msle", "logcosh")
_RATHER_HIGH, _RATHER_LOW = {"SGD": 0.1, "Adadelta": 5.0, "Adagrad": 0.5}, {"SGD": 5e-4, "Adadelta": 0.01}
_RATHER_HIGH_ADAPTIVE, _RATHER_LOW_ADAPTIVE = 0.01, 5e-5
_LARGE_TARGETS = 100.0
_MANY_DEAD, _MANY_SATURATED = 0.9, 0.7
_LARGE_INPUTS, _LARGE_COLUMN_RATIO, _OTHER_SCALE = 50.0, 1000.0, 20.0
_CANNOT_LEARN = ("one-unit", "twice", "scores", "range", "loss")  # faults of form, which longer training does not help
_IMBALANCED = 0.75
_OTHER_CLASSES = 0.5
_READ = tuple(
    "learning." + name
    for name in (
        "last_layer",
        "loss",
        "own_loss",
        "accuracy",
        "hidden_layers_linear",
        "inputs_same",
        "activations_largest",
        "asked_scale_ratio",
        "classes_weighted",
        "dead_share",
        "first_bad",
        "first_bad_dtype",
        "first_bad_step",
        "from_logits",
        "gradient_largest",
        "half_precision",
        "input_column_ratio",
        "input_dtype",
        "input_maximum",
        "input_minimum",
        "input_nonfinite",
        "labels_sorted",
        "last_activation",
        "leading_class_share",
        "learning_rate",
        "loss_before_bad",
        "loss_first",
        "loss_in_inference",
        "loss_in_training",
        "loss_last",
        "loss_of_constant",
        "loss_scaling",
        "not_given",
        "optimizer",
        "output_units",
        "own_loop",
        "predictions_are_shares",
        "predictions_maximum",
        "predictions_minimum",
        "replicas_made",
        "replicas_used",
        "restored_from_nothing",
        "saturated_share",
        "target_classes",
        "target_form",
        "target_largest_share",
        "target_maximum",
        "target_minimum",
        "target_nonfinite",
        "targets_beyond_units",
        "trainable_share",
        "unrestored",
        "validation_classes_differ",
        "validation_loss_best",
        "validation_loss_last",
        "validation_scale_ratio",
        "weights_grew",
    )
)


class _Facts:
    """The learning facts by their short names."""

    def __init__(self, sheet: FactSheet) -> None:
        self._sheet = sheet

    def number(self, name: str) -> float | None:
        """A finite number, which may be negative."""
        value = self._sheet.get(f"learning.{name}")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        positive = finite(abs(value))
        return None if positive is None else (positive if value >= 0 else -positive)

    def at_least(self, name: str, least: float) -> bool:
        """Return whether a number is known and at least the limit."""
        value = self.number(name)
        return value is not None and value >= least

    def true(self, name: str) -> bool:
        """Return whether a fact is known to be true."""
        return self._sheet.get(f"learning.{name}") is True

    def text(self, name: str) -> str:
        """A text, empty if there is none."""
        value = self._sheet.get(f"learning.{name}")
        return value if isinstance(value, str) else ""

    def names(self, name: str) -> list[typing.Any]:
        """A list, empty if there is none."""
        value = self._sheet.get(f"learning.{name}")
        return value if isinstance(value, list) else []

    def loss(self) -> str:
        """The name of the Keras loss, without underscores; empty for a custom loss."""
        return "" if self.true("own_loss") else self.text("loss").lower().replace("_", "")


@derived("derived.learning_went_bad", "boolean", needs=("learning.steps",), uses=("learning.first_bad_step",))
def learning_went_bad(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The loss or a weight of a watched training run became infinite or NaN."""
    return _Facts(sheet).at_least("first_bad_step", 1)


@derived("derived.learned", "boolean", needs=("learning.steps",), uses=_READ)
def learned(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The loss of a watched training run fell below that of a constant prediction, or, if that is not known, below nine tenths of
    its first value; unknown for a short run.
    """
    facts = _Facts(sheet)
    first, last, constant = facts.number("loss_first"), facts.number("loss_last"), facts.number("loss_of_constant")
    if last is None or not facts.at_least("steps", _FEWEST_STEPS):
        return UNKNOWN
    if _better_than_one_class(facts):
        return True
    if constant is not None and not facts.true("classes_weighted"):
        return last < _LEARNED * constant
    return UNKNOWN if first is None else last < 0.9 * first


def _better_than_one_class(facts: _Facts) -> bool:
    """Return whether the accuracy is well above the share of the largest class."""
    accuracy, share = facts.number("accuracy"), facts.number("target_largest_share")
    if accuracy is None or share is None or facts.text("target_form") not in ("integer", "binary", "one-hot"):
        return False
    return accuracy >= share + 0.3 * (1 - share)


@derived("derived.activation_fault", "text", needs=("learning.steps",), uses=_READ)
def activation_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """How the last activation, the loss and the targets of a watched run do not match: ``one-unit`` (softmax over one unit),
    ``twice`` (probabilities to a loss that applies softmax itself; ``undone`` if Keras uses the logits anyway), ``scores`` (a
    cross-entropy gets values below 0 or above 1), ``range`` (the activation cannot reach the targets), ``loss`` (a loss for a
    different kind of target), ``pairing`` (sigmoid with a categorical loss), ``hidden`` (no hidden layer has an activation).
    """
    facts = _Facts(sheet)
    loss, activation, units = facts.loss(), facts.text("last_activation"), facts.number("output_units")
    form = facts.text("target_form")
    if units == 1 and activation == "softmax":
        return "one-unit"
    if units == 1 and "categoricalcrossentropy" in loss and facts.at_least("target_classes", 2):
        return "one-unit"
    cross = "crossentropy" in loss
    fault = (_fault_of_cross_entropy if cross else _fault_of_regression)(facts, loss, activation, form)
    return fault or ("hidden" if facts.true("hidden_layers_linear") else None)


def _fault_of_cross_entropy(facts: _Facts, loss: str, activation: str, form: str) -> typing.Any:
    low, high = facts.number("predictions_minimum"), facts.number("predictions_maximum")
    outside = (low is not None and low < -1e-6) or (high is not None and high > 1 + 1e-5)
    if facts.true("from_logits"):
        shares = facts.true("predictions_are_shares") or (activation == "sigmoid" and not outside)
        # If softmax or sigmoid is the very last op, Keras finds its input, the logits, and uses that.
        undone = facts.text("last_layer") in ("Dense", "Activation", "Softmax")
        return ("undone" if undone else "twice") if shares else None
    if outside or activation in ("relu", "tanh", "linear", "elu", "gelu", "swish", "silu", "softplus", "selu", "leakyrelu"):
        return "scores"
    if (form == "real" and (facts.number("target_minimum") or 0) < 0) or (
        form == "real" and (facts.number("target_maximum") or 0) > 1
    ):
        return "loss"
    return _fault_of_pairing(facts, loss, activation, form)


def _fault_of_pairing(facts: _Facts, loss: str, activation: str, form: str) -> typing.Any:
    """Sigmoid with a categorical loss, or labels that do not match the loss."""
    several = facts.at_least("output_units", 2)
    if several and loss in ("categoricalcrossentropy", "sparsecategoricalcrossentropy") and activation == "sigmoid":
        return "pairing"
    if loss == "binarycrossentropy" and form == "integer" and facts.at_least("target_classes", 3):
        return "loss"
    if loss == "binarycrossentropy" and form == "integer" and (facts.number("target_minimum") or 0.0) < 0:
        return "loss"
    if loss == "categoricalcrossentropy" and form == "several":
        return "loss"
    return None


def _fault_of_regression(facts: _Facts, loss: str, activation: str, form: str) -> typing.Any:
    if loss not in ("mse", "meansquarederror", "mae", "meanabsoluteerror", "huber", "msle", "logcosh") or form not in (
        "real",
        "integer",
    ):
        return None
    least, most = facts.number("target_minimum"), facts.number("target_maximum")
    if least is None or most is None:
        return None
    low, high = {"sigmoid": (0.0, 1.0), "softmax": (0.0, 1.0), "tanh": (-1.0, 1.0), "relu": (0.0, float("inf"))}.get(
        activation, (float("-inf"), float("inf"))
    )
    room = 0.1 * (most - least)
    return "range" if least < low - room or most > high + room else None


def _loss_for_numbers(facts: _Facts) -> bool:
    """Return whether classes are trained with a regression loss."""
    return facts.loss() in _FOR_NUMBERS and facts.text("target_form") in ("one-hot", "binary", "several")


@derived("derived.rate_fault", "text", needs=("learning.steps",), uses=_READ)
def rate_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Whether a watched run's learning rate is far above or below what works for its optimizer: ``high``, ``low``."""
    facts = _Facts(sheet)
    rate, optimizer = facts.number("learning_rate"), facts.text("optimizer")
    if rate is None:
        return UNKNOWN
    if rate >= _HIGH_RATES.get(optimizer, _HIGH_ADAPTIVE):
        return "high"
    return "low" if rate <= _LOW_RATES.get(optimizer, _LOW_ADAPTIVE) else None


@derived("derived.inputs_unscaled", "boolean", needs=("learning.input_maximum", "learning.input_minimum"), uses=_READ)
def inputs_unscaled(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The inputs of a watched run are large numbers that are not indices, or one feature is a thousand times another."""
    facts = _Facts(sheet)
    size = max(abs(facts.number("input_minimum") or 0.0), abs(facts.number("input_maximum") or 0.0))
    if facts.text("input_dtype").startswith(("int", "uint")) and not facts.text("input_dtype").startswith("uint8"):
        return False  # tokens, for an embedding
    return size >= _LARGE_INPUTS or (size > 10 and facts.at_least("input_column_ratio", _LARGE_COLUMN_RATIO))


@derived(
    "derived.learning_fault",
    "text",
    needs=("learning.steps",),
    uses=(*_READ, "derived.learned", "derived.activation_fault", "derived.rate_fault", "derived.inputs_unscaled"),
)
def learning_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The one fault of a watched run that explains the others: ``bad-data``, ``label-out-of-range``, ``half-precision``,
    ``exploded``, ``unsafe-math``, ``bad-values`` (infinite or NaN for an unknown reason), ``not-restored``,
    ``strategy-unused``, ``asked-otherwise`` (predict gets inputs of a different scale), ``activation``, ``not-trained``,
    ``labels``, ``sorted``, ``split``, ``modes-differ``, ``rate``, ``unscaled``, ``majority``, ``overfitting``."""
    facts = _Facts(sheet)
    if facts.at_least("first_bad_step", 1):
        return _why_bad(facts, sheet)
    for fault, found in (
        ("not-restored", _not_restored(facts)),
        ("strategy-unused", facts.at_least("replicas_made", 2) and facts.number("replicas_used") == 1),
        ("asked-otherwise", facts.at_least("asked_scale_ratio", _OTHER_SCALE)),
    ):
        if found:
            return fault
    if sheet.get("derived.activation_fault") in _CANNOT_LEARN:
        return "activation"
    return _why_not_learned(facts, sheet) if facts.at_least("steps", _FEWEST_STEPS) else None


def _why_bad(facts: _Facts, sheet: FactSheet) -> str:
    if facts.at_least("input_nonfinite", 1) or facts.at_least("target_nonfinite", 1):
        return "bad-data"
    if facts.true("targets_beyond_units"):
        return "label-out-of-range"
    if facts.text("first_bad_dtype") == "float16" or (facts.true("half_precision") and not facts.true("loss_scaling")):
        return "half-precision"
    before, first = facts.number("loss_before_bad"), facts.number("loss_first")
    rose = before is not None and first is not None and before >= _HUGE_LOSS * max(abs(first), 1e-3)
    huge = facts.at_least("weights_grew", _HUGE_WEIGHTS) or facts.at_least("activations_largest", _HUGE_ACTIVATIONS)
    if rose or huge or (facts.at_least("gradient_largest", _HUGE_GRADIENT) and facts.text("first_bad") != "loss"):
        return "exploded"
    if facts.text("first_bad") in ("loss", "gradient", "layer", "prediction"):
        return "unsafe-math"
    return "exploded" if sheet.get("derived.rate_fault") == "high" else "bad-values"


def _not_restored(facts: _Facts) -> bool:
    return facts.true("restored_from_nothing") or bool(facts.names("unrestored"))


def _why_not_learned(facts: _Facts, sheet: FactSheet) -> str | None:
    did = sheet.get("derived.learned")
    activation, rate = sheet.get("derived.activation_fault"), sheet.get("derived.rate_fault")
    if activation in ("pairing", "undone") and did is False:
        return "activation"
    if facts.true("labels_sorted"):
        return "sorted"
    other = facts.at_least("validation_classes_differ", _OTHER_CLASSES) or facts.at_least("validation_scale_ratio", _OTHER_SCALE)
    if other and (facts.number("validation_loss_last") or 0.0) > (facts.number("loss_last") or 0.0):
        return "split"
    if did is False:
        return _reason(facts, sheet, rate)
    if did is True and _modes_differ(facts):
        return "modes-differ"
    return "overfitting" if did is True and _overfits(facts) else None


def _reason(facts: _Facts, sheet: FactSheet, rate: object) -> str | None:
    """Why a model with a suitable loss did not learn; ``None`` if nothing explains it."""
    if facts.number("trainable_share") == 0 or (_only_few_given(facts) and facts.true("own_loop")):
        return "not-trained"
    if facts.true("inputs_same") or facts.number("target_classes") == 1:
        return "labels"
    if rate == "high":
        return "rate"
    if sheet.get("derived.inputs_unscaled") is True:
        return "unscaled"
    if rate == "low":
        return "rate"
    if sheet.get("derived.activation_fault") == "hidden" or _loss_for_numbers(facts):
        return "activation"
    if facts.at_least("dead_share", _MANY_DEAD) or facts.at_least("saturated_share", _MANY_SATURATED):
        return "rate"
    one_class = facts.at_least("leading_class_share", 0.98)
    if one_class and facts.at_least("target_largest_share", _IMBALANCED) and facts.at_least("target_classes", 2):
        return "majority"
    return _weaker_reason(facts)


def _weaker_reason(facts: _Facts) -> str | None:
    """Large targets, or a learning rate that is ten times the usual one or a twentieth of it."""
    size = max(abs(facts.number("target_minimum") or 0.0), abs(facts.number("target_maximum") or 0.0))
    if facts.loss() in _FOR_NUMBERS and size >= _LARGE_TARGETS:
        return "unscaled"
    rate, optimizer = facts.number("learning_rate"), facts.text("optimizer")
    if rate is None:
        return None
    high = rate >= _RATHER_HIGH.get(optimizer, _RATHER_HIGH_ADAPTIVE)
    return "rate" if high or rate <= _RATHER_LOW.get(optimizer, _RATHER_LOW_ADAPTIVE) else None


def _only_few_given(facts: _Facts) -> bool:
    share = facts.number("trainable_share")
    return bool(facts.names("not_given")) and share is not None and share < 0.9


def _modes_differ(facts: _Facts) -> bool:
    """Return whether inference is much worse than training on the same batches, and hardly better than a constant."""
    training, inference = facts.number("loss_in_training"), facts.number("loss_in_inference")
    constant = facts.number("loss_of_constant")
    if training is None or inference is None:
        return False
    return inference > 1.5 * training and (constant is None or inference > 0.8 * constant)


def _overfits(facts: _Facts) -> bool:
    best, last, training = (facts.number(name) for name in ("validation_loss_best", "validation_loss_last", "loss_last"))
    constant = facts.number("loss_of_constant")
    if best is None or last is None or training is None:
        return False
    return last > 1.3 * best and last > 4 * training and (constant is None or last > 0.9 * constant)
