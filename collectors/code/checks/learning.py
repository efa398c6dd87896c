"""Faults in learning that raise no error: losses, activations, frozen layers, order of the data, rates, axes."""

import ast
import bisect
import itertools

from tfhelp.collectors.code.checks.losses import labels_of
from tfhelp.collectors.code.checks.preparation import scaled
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import FITS, Model, head, loss_of
from tfhelp.collectors.code.places import Binding
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = (
    "activation_not_of_loss",
    "binary_loss_for_several_classes",
    "hidden_layers_linear",
    "flatten_missing",
    "axis_over_samples",
    "model_frozen",
    "trainable_set_after_compile",
    "learning_rate_low",
    "shuffled_apart",
    "sorted_not_shuffled",
    "validation_is_training",
    "inputs_not_scaled",
)
# The preparation of data is mostly in files or functions.
UNSETTLED = ("shuffled_apart", "sorted_not_shuffled", "inputs_not_scaled", "binary_loss_for_several_classes")

_CATEGORICAL = frozenset(("categorical_crossentropy", "sparse_categorical_crossentropy"))
_NOT_SHARES = frozenset(("sigmoid", "relu", "tanh", "elu", "selu", "gelu", "softplus", "swish", "silu", "leaky_relu"))
_NOT_PROBABILITIES = _NOT_SHARES - {"sigmoid"}
_MAPS = ("Conv2D", "Conv3D", "MaxPooling2D", "AveragePooling2D", "DepthwiseConv2D", "SeparableConv2D")
_STEPS = ("Conv1D", "MaxPooling1D", "AveragePooling1D", "DepthwiseConv1D", "SeparableConv1D")
_FLAT = ("Flatten", "Reshape", "Lambda", "TimeDistributed", "ConvLSTM2D")
_SCALES = ("Rescaling", "Normalization", "BatchNormalization", "LayerNormalization", "Lambda", "Embedding", "TextVectorization")
_LOWEST = {"SGD": 1e-5}
_LOWEST_ADAPTIVE = 1e-6
_SHUFFLES = frozenset(("shuffle", "permutation", "train_test_split", "sample", "permuted"))
_SEEDS = frozenset(("seed", "set_state", "set_random_seed", "default_rng", "RandomState"))
_MOST_FITS = 100
_MOST_FROZEN = 100
_IMAGES = ("mnist", "fashion_mnist", "cifar10", "cifar100")


def check(subject: Subject) -> None:
    """Check every model that is compiled and fitted, and all optimizers, shuffles and axes."""
    order = _Order(subject)
    for model in subject.models:
        for call in model.compiles:
            _check_compile(subject, model, call)
        _check_layers(subject, model)
        for call in model.uses:
            if method(call) in FITS:
                _check_fit(subject, model, call, order)
    _check_frozen(subject)
    _check_shuffles(subject, order)
    for call in subject.program.of(ast.Call):
        _check_rate(subject, call)
        _check_axis(subject, call)


class _Order:
    """Calls that settle the order of data, gathered once: lines of shuffles and of seeds, and which names are fitted together."""

    def __init__(self, subject: Subject) -> None:
        self.shuffles: list[int] = []
        self.seeds: list[int] = []
        self.in_place: list[ast.Call] = []
        self.fitted: list[set[str]] = []
        for call in subject.program.of(ast.Call):
            last = subject.program.callee(call).rpartition(".")[2] or method(call)
            if last in _SHUFFLES:
                self.shuffles.append(call.lineno)
            elif last in _SEEDS:
                self.seeds.append(call.lineno)
            elif last in FITS or last in ("train_on_batch", "from_tensor_slices"):
                self.fitted.append({node.id for item in call.args for node in ast.walk(item) if isinstance(node, ast.Name)})
            if last == "shuffle" and _shuffles_in_place(subject, call):
                self.in_place.append(call)
        self.seeds.sort()
        self.shuffles.sort()

    def shuffled_before(self, line: int) -> bool:
        """Return whether anything is shuffled above a line."""
        return bool(self.shuffles) and self.shuffles[0] < line

    def seeded_between(self, first: int, second: int) -> bool:
        """Return whether a seed is set between two lines: the same seed before each shuffle gives the same permutation."""
        place = bisect.bisect_right(self.seeds, first)
        return place < len(self.seeds) and self.seeds[place] <= second

    def fitted_together(self, names: list[str]) -> bool:
        """Return whether one call trains with all of these names."""
        return any(set(names) <= used for used in self.fitted[:_MOST_FITS])


# -------------------------------------------------------------------- loss and layers


def _check_compile(subject: Subject, model: Model, call: ast.Call) -> None:
    last, loss = head(subject.program, model), loss_of(subject.program, call)
    if last is None or loss is None or loss.from_logits is not False or not last.activation:
        return
    several = isinstance(last.units, int) and last.units > 1
    wrong = (loss.name in _CATEGORICAL and several and last.activation in _NOT_SHARES) or (
        loss.name == "binary_crossentropy" and last.activation in _NOT_PROBABILITIES
    )
    if wrong:
        wanted = "softmax" if loss.name in _CATEGORICAL else "sigmoid"
        message = f"The last layer has {last.activation}, but {loss.name} expects probabilities from {wanted}."
        subject.report.found("activation_not_of_loss", last.node, message, "error")
    elif loss.name.endswith("crossentropy"):
        subject.report.fine("activation_not_of_loss", last.node)


def _check_layers(subject: Subject, model: Model) -> None:
    names = [subject.program.callee(layer).rpartition(".")[2] for layer in model.layers or ()]
    if not model.layers or "" in names or not model.compiles:
        return
    _check_flatten(subject, model, names)
    hidden = [layer for layer, name in zip(model.layers[:-1], names, strict=False) if name == "Dense"]
    plain = [layer for layer in hidden if argument(layer, 1, "activation") is None and all(word.arg for word in layer.keywords)]
    others = set(names) - {
        "Dense",
        "Input",
        "InputLayer",
        "Flatten",
        "Dropout",
        "Normalization",
        "Rescaling",
        "BatchNormalization",
    }
    if len(hidden) >= 2 and len(plain) == len(hidden) and not others:
        message = (
            "No hidden Dense layer has an activation, so together they can do no more than one layer; add activation='relu'."
        )
        subject.report.found("hidden_layers_linear", plain[0], message, "warning")
    elif hidden:
        subject.report.fine("hidden_layers_linear", hidden[0])


def _check_flatten(subject: Subject, model: Model, names: list[str]) -> None:
    losses = [loss.name for call in model.compiles if (loss := loss_of(subject.program, call)) is not None]
    maps = [place for place, name in enumerate(names) if name in (*_MAPS, *_STEPS)]
    if not maps or names[-1] != "Dense" or not any(name in _CATEGORICAL for name in losses) or not model.layers:
        return
    after = names[maps[-1] :]
    if any(
        name in _FLAT or name.startswith("Global") or name not in (*_MAPS, *_STEPS, "Dense", "Dropout", "BatchNormalization")
        for name in after
    ):
        subject.report.fine("flatten_missing", model.layers[-1])
        return
    # A class for each step is what some models are for, so feature maps with one axis are a note and no complaint.
    of_steps = names[maps[-1]] in _STEPS
    message = (
        "There is no Flatten or global pooling between the feature maps and Dense: "
        f"the model predicts a class for each {'step' if of_steps else 'pixel'}."
    )
    subject.report.found("flatten_missing", model.layers[-1], message, "note" if of_steps else "warning")


# -------------------------------------------------------------------- frozen


def _check_frozen(subject: Subject) -> None:
    """``model.trainable = False`` on the model that is fitted, and ``trainable`` set after its compile."""
    targets = [item for node in subject.program.of(ast.Assign) for item in node.targets if isinstance(item, ast.Attribute)]
    settings = [item for item in targets if item.attr == "trainable"][:_MOST_FROZEN]
    by_binding = {id(model.binding): model for model in subject.models}
    for target in settings:
        model, own = _model_of(subject, target, by_binding)
        if model is not None:
            _check_trainable(subject, model, target, own, [item.lineno for item in settings])


def _model_of(subject: Subject, target: ast.Attribute, models: dict[int, Model]) -> tuple[Model | None, bool]:
    """The model whose ``trainable`` is set, and whether it is the model's own attribute or that of its layers in a loop."""
    named = target.value if isinstance(target.value, ast.Name) else None
    model = models.get(id(subject.program.binding(named.id, named))) if named is not None else None
    if model is not None:
        return model, True
    for loop in subject.program.place(target).loops[-1:]:
        over = loop.iter if isinstance(loop, ast.For) else None
        over = over.value if isinstance(over, ast.Subscript) else over
        if isinstance(over, ast.Attribute) and over.attr == "layers" and isinstance(over.value, ast.Name):
            return models.get(id(subject.program.binding(over.value.id, over.value))), False
    return None, False


def _check_trainable(subject: Subject, model: Model, target: ast.Attribute, own: bool, others: list[int]) -> None:
    function = subject.program.place(target).function
    fits = [call for call in model.uses if method(call) in FITS and call.lineno > target.lineno]
    fits = [call for call in fits if subject.program.place(call).function is function]
    assigned = subject.program.parents.get(target)
    if not fits or not model.compiles or not isinstance(assigned, ast.Assign):
        return
    again = any(target.lineno < line < fits[0].lineno for line in others)
    if own and constant(subject.program, assigned.value) is False and not again:
        message = "This freezes every weight that fit could train; freeze only the layers that must not change."
        subject.report.found("model_frozen", target, message, "error")
    elif own:
        subject.report.fine("model_frozen", target)
    compiled = [call.lineno for call in model.compiles]
    if min(compiled) < target.lineno and not any(target.lineno < line <= fits[0].lineno for line in compiled):
        message = "trainable is set after compile; compile again before fit, or fit may use the old setting."
        subject.report.found("trainable_set_after_compile", target, message, "warning")
    else:
        subject.report.fine("trainable_set_after_compile", target)


# -------------------------------------------------------------------- data


def _check_fit(subject: Subject, model: Model, call: ast.Call, order: _Order) -> None:
    x, y = argument(call, 0, "x"), argument(call, 1, "y")
    if not isinstance(x, ast.Name):
        return
    _check_validation(subject, call, x, y)
    if isinstance(y, ast.Name):
        _check_order(subject, call, y, order)
    _check_scale(subject, model, x)
    _check_binary(subject, model, call)


def _check_validation(subject: Subject, call: ast.Call, x: ast.Name, y: ast.expr | None) -> None:
    given = argument(call, None, "validation_data")
    if isinstance(given, (ast.Tuple, ast.List)) and len(given.elts) >= 2 and y is not None:
        if [ast.dump(item) for item in given.elts[:2]] == [ast.dump(x), ast.dump(y)]:
            message = "The validation data are the training data: val_loss cannot show whether the model memorizes them."
            subject.report.found("validation_is_training", given, message, "warning")
        else:
            subject.report.fine("validation_is_training", given)


def _check_order(subject: Subject, call: ast.Call, y: ast.Name, order: _Order) -> None:
    """Labels that are written down in order, and a fit that does not shuffle or that splits before it shuffles."""
    unshuffled = constant(subject.program, argument(call, None, "shuffle")) is False
    split = argument(call, None, "validation_split") is not None
    bound = subject.program.binding(y.id, y)
    if not (unshuffled or split) or bound is None or bound.how != "value" or order.shuffled_before(call.lineno):
        return
    if _in_order(subject, bound.value):
        what = "shuffle=False keeps that order" if unshuffled else "validation_split takes the last rows before it shuffles"
        message = f"The samples are sorted by class, and {what}; shuffle inputs and labels together first."
        subject.report.found("sorted_not_shuffled", call, message, "error" if unshuffled else "warning")


def _in_order(subject: Subject, node: ast.expr | None) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = subject.program.callee(node)
    last = name.rpartition(".")[2] or method(node)
    if last in ("repeat", "sort"):
        return name.startswith("numpy.")
    if last in ("astype", "copy") and isinstance(node.func, ast.Attribute):
        return _in_order(subject, node.func.value)
    if last in ("array", "asarray", "to_categorical") and node.args:
        return _in_order(subject, node.args[0])
    if last in ("concatenate", "hstack", "concat", "append"):
        parts = node.args[0].elts if node.args and isinstance(node.args[0], (ast.List, ast.Tuple)) else node.args
        return len(parts) > 1 and all(_constant_array(subject, part) for part in parts)
    return False


def _constant_array(subject: Subject, node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _constant_array(subject, node.left) or _constant_array(subject, node.right)
    made = subject.program.callee(node) if isinstance(node, ast.Call) else ""
    return made.rpartition(".")[2] in ("zeros", "ones", "full", "zeros_like", "ones_like")


def _check_shuffles(subject: Subject, order: _Order) -> None:
    """Two arrays that are each shuffled separately, and then fitted together."""
    for first, second in itertools.pairwise(order.in_place[:_MOST_FITS]):
        names = [item.args[0].id for item in (first, second) if isinstance(item.args[0], ast.Name)]
        if len(set(names)) < 2 or order.seeded_between(first.lineno, second.lineno) or not order.fitted_together(names):
            continue
        message = f"{names[0]} and {names[1]} are shuffled separately, so the labels no longer match the inputs; use one permutation for both."
        subject.report.found("shuffled_apart", second, message, "error")


def _shuffles_in_place(subject: Subject, call: ast.Call) -> bool:
    name = subject.program.callee(call)
    random = name in ("numpy.random.shuffle", "random.shuffle")
    generator = method(call) == "shuffle" and not name and subject.kinds.of(getattr(call.func, "value", None)) != "dataset"
    return (random or generator) and len(call.args) == 1 and isinstance(call.args[0], ast.Name)


def _check_scale(subject: Subject, model: Model, x: ast.Name) -> None:
    """Images of a data set that ships with Keras, 0 to 255, for a model that does not scale them."""
    bound = subject.program.binding(x.id, x)
    if scaled(subject, x) is not False or not _of_images(subject, bound) or not model.layers:
        return
    names = [subject.program.callee(layer).rpartition(".")[2] for layer in model.layers]
    if "" in names or any(name in _SCALES for name in names):
        return
    message = "fit gets images with values from 0 to 255; divide by 255, or begin the model with keras.layers.Rescaling(1 / 255)."
    subject.report.found("inputs_not_scaled", x, message, "warning")


def _of_images(subject: Subject, bound: Binding | None) -> bool:
    if bound is None or bound.how != "part" or not isinstance(bound.value, ast.Call):
        return False
    name = subject.program.callee(bound.value).split(".")
    return len(name) == 4 and name[1] == "datasets" and name[2] in _IMAGES


def _check_binary(subject: Subject, model: Model, fit: ast.Call) -> None:
    labels = labels_of(subject, fit)
    for call in model.compiles:
        loss = loss_of(subject.program, call)
        if labels is None or loss is None or labels.form != "integer" or labels.classes is None:
            continue
        if loss.name == "binary_crossentropy" and labels.classes > 2:
            message = f"The labels have {labels.classes} classes, but the loss is for two; use sparse_categorical_crossentropy."
            subject.report.found("binary_loss_for_several_classes", loss.node, message, "error")
        else:
            subject.report.fine("binary_loss_for_several_classes", loss.node)


# -------------------------------------------------------------------- rates, axes


def _check_rate(subject: Subject, call: ast.Call) -> None:
    name = subject.program.callee(call)
    if not name.startswith("keras.optimizers.") or subject.kinds.of(call) != "optimizer":
        return
    rate = constant(subject.program, argument(call, 0, "learning_rate") or argument(call, None, "lr"))
    if not isinstance(rate, (int, float)) or isinstance(rate, bool):
        return
    kind = name.rpartition(".")[2]
    if 0 <= rate <= _LOWEST.get(kind, _LOWEST_ADAPTIVE):
        message = f"A learning rate of {rate:g} is so low for {kind} that the weights hardly move."
        subject.report.found("learning_rate_low", call, message, "warning")
    else:
        subject.report.fine("learning_rate_low", call)


def _check_axis(subject: Subject, call: ast.Call) -> None:
    """A softmax or an argmax of predictions taken over the samples instead of the classes."""
    last = subject.program.callee(call).rpartition(".")[2] or method(call)
    if last not in ("softmax", "Softmax", "argmax", "log_softmax"):
        return
    position = 0 if last == "Softmax" or (method(call) == "argmax" and not subject.program.callee(call)) else 1
    axis = constant(subject.program, argument(call, position, "axis"))
    if last == "argmax" and not _of_prediction(subject, call):
        return
    if axis == 0 and not isinstance(axis, bool):
        message = (
            f"{last} with axis=0 compares the samples of a batch with each other; the classes are on the last axis, axis=-1."
        )
        subject.report.found("axis_over_samples", call, message, "error")
    else:
        subject.report.fine("axis_over_samples", call)


def _of_prediction(subject: Subject, call: ast.Call) -> bool:
    """Return whether an argmax is applied to the result of ``predict`` for a whole batch."""
    given: ast.AST | None = call.args[0] if subject.program.callee(call) and call.args else getattr(call.func, "value", None)
    if isinstance(given, ast.Name):
        bound = subject.program.binding(given.id, given)
        given = bound.value if bound is not None and bound.how == "value" else None
    return isinstance(given, ast.Call) and method(given) in ("predict", "predict_on_batch")
