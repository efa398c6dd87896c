"""Labels, last layer and loss of a model: whether the three fit together."""

import ast

from tfhelp.collectors.code import datasets
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import FITS, Head, Loss, Model, head, loss_of
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = (
    "integer_labels_with_categorical_loss",
    "one_hot_labels_with_sparse_loss",
    "single_unit_with_categorical_loss",
    "activation_with_from_logits",
    "logits_without_from_logits",
    "last_layer_smaller_than_labels",
    "labels_beyond_last_layer",
)
# Labels mostly come from a file.
UNSETTLED = (
    "integer_labels_with_categorical_loss",
    "one_hot_labels_with_sparse_loss",
    "last_layer_smaller_than_labels",
    "labels_beyond_last_layer",
)

_CATEGORICAL = frozenset(("categorical_crossentropy", "sparse_categorical_crossentropy"))
_CROSS = _CATEGORICAL | {"binary_crossentropy"}
_INTEGER_DATA = ("mnist", "fashion_mnist", "cifar10", "cifar100", "reuters", "imdb")
_CLASSES = {"mnist": 10, "fashion_mnist": 10, "cifar10": 10, "cifar100": 100, "reuters": 46}


def check(subject: Subject) -> None:
    """Check every model that is compiled with a single loss of the library."""
    for model in subject.models:
        for call in model.compiles:
            loss = loss_of(subject.program, call)
            if loss is not None and loss.name in _CROSS:
                _check_model(subject, model, loss)


def _check_model(subject: Subject, model: Model, loss: Loss) -> None:
    last = head(subject.program, model)
    if last is not None:
        _check_head(subject, last, loss)
        _check_logits(subject, last, loss)
    for call in model.uses:
        if method(call) in FITS | {"train_on_batch", "evaluate"}:
            labels = labels_of(subject, call)
            if labels is not None:
                _check_labels(subject, labels, loss, call)
                if last is not None:
                    _check_classes(subject, labels, last, loss)


def _check_head(subject: Subject, last: Head, loss: Loss) -> None:
    if last.units == 1 and (loss.name in _CATEGORICAL or last.activation == "softmax"):
        what = (
            "softmax over one unit is always 1"
            if last.activation == "softmax"
            else f"{loss.name} expects one unit for each class"
        )
        message = f"The last layer has one unit, and {what}; for two classes use sigmoid with binary_crossentropy."
        subject.report.found("single_unit_with_categorical_loss", last.node, message, "error")
    elif last.units is not None:
        subject.report.fine("single_unit_with_categorical_loss", last.node)


def _check_logits(subject: Subject, last: Head, loss: Loss) -> None:
    if loss.from_logits is None or not last.activation:
        return
    if loss.from_logits and last.activation in ("softmax", "sigmoid"):
        message = f"The last layer has {last.activation}, but the loss has from_logits=True and would apply it again."
        subject.report.found("activation_with_from_logits", loss.node, message, "warning", "drop-from-logits")
    elif not loss.from_logits and last.activation == "linear":
        message = f"The last layer has no activation, but {loss.name} expects probabilities; pass from_logits=True."
        subject.report.found("logits_without_from_logits", loss.node, message, "warning", "from-logits")
    else:
        subject.report.fine("activation_with_from_logits", loss.node)
        subject.report.fine("logits_without_from_logits", loss.node)


# -------------------------------------------------------------------- labels


class Labels:
    """A summary of labels: ``form`` is integer or one-hot, ``classes`` is the number of classes if the text shows it."""

    __slots__ = ("classes", "form", "node")

    def __init__(self, form: str, classes: int | None, node: ast.expr) -> None:
        self.form = form
        self.classes = classes
        self.node = node


def labels_of(subject: Subject, call: ast.Call) -> Labels | None:
    """The labels that a call of fit gets, ``None`` if the text does not show them."""
    given = argument(call, 1, "y")
    if given is None and call.args:
        chain = datasets.chain_of(subject.program, call.args[0])
        if (
            chain.has("map", "apply", "interleave")
            or datasets.root_name(subject.program, chain) != "from_tensor_slices"
            or chain.root is None
        ):
            return None
        tensors = argument(chain.root, 0, "tensors")
        given = tensors.elts[1] if isinstance(tensors, ast.Tuple) and len(tensors.elts) == 2 else None
    return _form(subject, given, 0) if given is not None else None


def _form(subject: Subject, node: ast.expr, depth: int) -> Labels | None:
    """What form of labels an expression gives, through names, slices and functions that keep the form."""
    if depth > 10:
        return None
    program = subject.program
    if isinstance(node, ast.Subscript):
        if not isinstance(node.slice, (ast.Slice, ast.Name)):
            return None
        inner = _form(subject, node.value, depth + 1)
        # An index array or a mask may choose some of the classes.
        return Labels(inner.form, None, node) if inner is not None and isinstance(node.slice, ast.Name) else inner
    if isinstance(node, ast.Name):
        bound = program.binding(node.id, node)
        if bound is None or bound.value is None:
            return None
        if bound.how == "value":
            return _form(subject, bound.value, depth + 1)
        return _of_known_data(subject, bound.value, node) if bound.how == "part" and isinstance(bound.value, ast.Call) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        count = constant(program, node.right)
        inner = _form(subject, node.left, depth + 1)
        return Labels("integer", count if isinstance(count, int) else None, node) if inner and inner.form == "integer" else None
    return _of_call(subject, node, depth) if isinstance(node, ast.Call) else None


def _of_call(subject: Subject, node: ast.Call, depth: int) -> Labels | None:
    program = subject.program
    name = program.callee(node)
    last = name.rpartition(".")[2] or method(node)
    if last in ("to_categorical", "one_hot", "get_dummies"):
        count = constant(program, argument(node, 1, "depth" if last == "one_hot" else "num_classes"))
        inner = _form(subject, node.args[0], depth + 1) if node.args and count is None else None
        return Labels("one-hot", count if isinstance(count, int) else inner.classes if inner else None, node)
    if last == "arange" and name.startswith("numpy."):
        return Labels("integer", None, node)
    if last in ("integers", "randint"):
        size = argument(node, 2, "size")
        high = constant(program, argument(node, 1, "high"))
        if isinstance(size, ast.Tuple) and len(size.elts) > 1 and constant(program, size.elts[-1]) != 1:
            return None
        return Labels("integer", high if isinstance(high, int) else None, node)
    if last == "fit_transform" and isinstance(node.func, ast.Attribute):
        maker = node.func.value
        if isinstance(maker, ast.Name):
            bound = program.binding(maker.id, maker)
            maker = bound.value if bound is not None and bound.how == "value" and bound.value is not None else maker
        made = program.callee(maker).rpartition(".")[2] if isinstance(maker, ast.Call) else ""
        return {"LabelEncoder": Labels("integer", None, node), "LabelBinarizer": Labels("one-hot", None, node)}.get(made)
    if last in ("astype", "copy", "flatten", "ravel") and isinstance(node.func, ast.Attribute):
        return _form(subject, node.func.value, depth + 1)
    if last in ("asarray", "array", "constant", "convert_to_tensor") and node.args:
        return _form(subject, node.args[0], depth + 1)
    return None


def _of_known_data(subject: Subject, value: ast.Call, node: ast.Name) -> Labels | None:
    """The labels of a data set that ships with Keras: integers."""
    name = subject.program.callee(value)
    if (
        not name.startswith("keras.datasets.")
        or not name.endswith(".load_data")
        or not node.id.lower().lstrip("_").startswith(("y", "label", "train_l", "test_l", "train_y", "test_y"))
    ):
        return None
    which = name.split(".")[2]
    if which not in _INTEGER_DATA:
        return None
    changed = any(
        isinstance(item.ctx, ast.Store) and isinstance(item.value, ast.Name) and item.value.id == node.id
        for item in subject.program.of(ast.Subscript)
    )
    fine = which != "cifar100" or constant(subject.program, argument(value, 0, "label_mode") or ast.Constant("fine")) == "fine"
    return Labels("integer", _CLASSES.get(which) if fine and not changed else None, node)


def _check_labels(subject: Subject, labels: Labels, loss: Loss, call: ast.Call) -> None:
    if labels.form == "integer" and loss.name == "categorical_crossentropy":
        message = "The labels are integers, but the loss expects one-hot labels; use sparse_categorical_crossentropy."
        subject.report.found("integer_labels_with_categorical_loss", loss.node, message, "error", "sparse-loss")
    elif labels.form == "one-hot" and loss.name == "sparse_categorical_crossentropy":
        message = "The labels are one-hot, but the loss expects integers; use categorical_crossentropy."
        subject.report.found("one_hot_labels_with_sparse_loss", loss.node, message, "error", "one-hot-loss")
    elif loss.name in _CATEGORICAL:
        subject.report.fine("integer_labels_with_categorical_loss", call)
        subject.report.fine("one_hot_labels_with_sparse_loss", call)


def _check_classes(subject: Subject, labels: Labels, last: Head, loss: Loss) -> None:
    if labels.classes is None or not isinstance(last.units, int) or loss.name not in _CATEGORICAL or last.units == 1:
        return
    # Integers are used as indices: out of range, or NaN on a GPU. One-hot rows are compared: their shape differs.
    looked_up = labels.form == "integer" and loss.name == "sparse_categorical_crossentropy"
    fact = "labels_beyond_last_layer" if looked_up else "last_layer_smaller_than_labels"
    if last.units < labels.classes:
        message = f"The last layer has {last.units} units, but the labels have {labels.classes} classes."
        subject.report.found(fact, last.node, message, "error")
    else:
        subject.report.fine(fact, last.node)
