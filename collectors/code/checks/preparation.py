"""Inputs that are scaled twice, or for training but not for prediction, or vice versa: nothing fails, but the predictions are wrong."""

import ast

from tfhelp.collectors.code import datasets
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import FITS, Model
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("inputs_scaled_differently", "inputs_scaled_twice")
UNSETTLED = FACTS  # the preparation of inputs is mostly in functions or files whose effect shows only at run time

_ASKS = frozenset(("predict", "evaluate", "predict_on_batch", "test_on_batch"))
_KEEP = frozenset(("astype", "copy", "reshape", "numpy"))
_KEEP_FIRST = frozenset(
    ("array", "asarray", "expand_dims", "cast", "constant", "convert_to_tensor", "float32", "stack", "reshape")
)
_SCALE = frozenset(("preprocess_input", "fit_transform", "transform", "convert_image_dtype"))
_READ = frozenset(("imread", "load_img", "img_to_array", "decode_png", "decode_jpeg", "decode_image"))
_COPIES = ("load_model", "clone_model")  # these make a model that wants the same inputs
# The networks of keras.applications (Keras 2.15 and 3.15) that begin with a layer that scales pixels from 0 to 255.
_SCALING_NETWORKS = ("EfficientNetB", "EfficientNetV2", "MobileNetV3", "ConvNeXt", "RegNet", "ResNetRS")
_DEEPEST = 12


def check(subject: Subject) -> None:
    _check_twice(subject)
    _check_differently(subject)


def _check_twice(subject: Subject) -> None:
    """Pixels that the program scales, although each pretrained network in it begins with a layer that scales them."""
    networks = [call for call in subject.program.of(ast.Call) if subject.program.callee(call).startswith("keras.applications.")]
    if any(subject.program.callee(call).endswith("preprocess_input") for call in networks):
        return
    networks = [call for call in networks if subject.program.callee(call).rpartition(".")[2][:1].isupper()]
    if not networks or not all(_scales_inside(subject, call) for call in networks):
        return
    elsewhere = {
        id(use) for model in subject.models if model.layers and not set(model.layers) & set(networks) for use in model.uses
    }
    calls = (call for call in subject.program.of(ast.Call) if id(call) not in elsewhere)
    place = next(filter(None, (_scaling(subject, call) for call in calls)), None)
    if place is None:
        subject.report.fine("inputs_scaled_twice", networks[0])
        return
    name = subject.program.callee(networks[0]).rpartition(".")[2]
    message = f"{name} scales its inputs itself, so give it pixels from 0 to 255 and leave out this scaling."
    subject.report.found("inputs_scaled_twice", place, message, "error")


def _scales_inside(subject: Subject, call: ast.Call) -> bool:
    """Return whether a network has pretrained weights and its own scaling."""
    name = subject.program.callee(call).rpartition(".")[2]
    own = constant(subject.program, argument(call, None, "include_preprocessing")) is not False
    weights = argument(call, None, "weights")
    return name.startswith(_SCALING_NETWORKS) and own and not (isinstance(weights, ast.Constant) and weights.value is None)


def _scaling(subject: Subject, call: ast.Call) -> ast.AST | None:
    """The place where a call scales pixels to about 0 to 1: the inputs of fit, a Rescaling layer, or an ImageDataGenerator."""
    last = subject.program.callee(call).rpartition(".")[2]
    if last in ("Rescaling", "ImageDataGenerator"):
        by = argument(call, 0, "scale") if last == "Rescaling" else argument(call, None, "rescale")
        factor = constant(subject.program, by)
        return call if isinstance(factor, float) and 0 < factor < 0.1 else None
    if method(call) in FITS and subject.kinds.of(getattr(call.func, "value", None)) == "model":
        inputs = call.args[0] if call.args else argument(call, None, "x")
        return inputs if _scaled(subject, inputs, 0) else None
    return None


def _check_differently(subject: Subject) -> None:
    """If exactly one model is trained, compare the inputs of its fit with those of predict and evaluate, except on other models."""
    trained = [model for model in subject.models if any(method(call) in FITS for call in model.uses)]
    if len(trained) != 1:
        return
    fit = next(call for call in trained[0].uses if method(call) in FITS)
    in_training = _scaled(subject, fit.args[0] if fit.args else argument(fit, None, "x"), 0)
    if in_training is None:
        return
    elsewhere = {id(call) for model in subject.models if _is_other(subject, model, trained[0]) for call in model.uses}
    for call in subject.program.of(ast.Call):
        if method(call) not in _ASKS or not call.args or subject.kinds.of(getattr(call.func, "value", None)) != "model":
            continue
        if id(call) in elsewhere:
            continue
        asked = _scaled(subject, call.args[0], 0)
        if asked is None:
            continue
        if asked is in_training:
            subject.report.fine("inputs_scaled_differently", call)
        else:
            here, there = ("are scaled", "are not") if asked else ("are not scaled", "are")
            message = f"The inputs of {method(call)} {here}, but those of fit on line {fit.lineno} {there}."
            subject.report.found("inputs_scaled_differently", call, message, "error")


def _is_other(subject: Subject, model: Model, trained: Model) -> bool:
    """Return whether a model is neither the trained one nor made from a saved or cloned one, so that it may want other inputs."""
    return model is not trained and subject.program.callee(model.made).rpartition(".")[2] not in _COPIES


def scaled(subject: Subject, node: ast.expr | None) -> bool | None:
    """Return whether values are scaled, as far as the text shows it."""
    return _scaled(subject, node, 0)


def _scaled(subject: Subject, node: ast.expr | None, depth: int) -> bool | None:
    """Return whether values are scaled: true after a division or a known function, false for values as read, else ``None``."""
    if node is None or depth > _DEEPEST:
        return None
    if isinstance(node, ast.Subscript):
        return _scaled(subject, node.value, depth + 1)
    if isinstance(node, ast.BinOp):
        return _of_arithmetic(subject, node, depth)
    if isinstance(node, ast.Name):
        return _of_name(subject, node, depth)
    return _of_call(subject, node, depth) if isinstance(node, ast.Call) else None


def _of_arithmetic(subject: Subject, node: ast.BinOp, depth: int) -> bool | None:
    by = constant(subject.program, node.right)
    if isinstance(node.op, ast.Div):
        return True if by is None or (isinstance(by, (int, float)) and by > 2) else None
    if isinstance(node.op, ast.Mult):
        return True if isinstance(by, (int, float)) and 0 < by < 0.1 else None
    return _scaled(subject, node.left, depth + 1) if isinstance(node.op, (ast.Add, ast.Sub)) else None


def _of_name(subject: Subject, node: ast.Name, depth: int) -> bool | None:
    bound = subject.program.binding(node.id, node)
    if bound is None or bound.value is None:
        return None
    if bound.how == "value":
        return _scaled(subject, bound.value, depth + 1)
    if bound.how == "changed":
        change = subject.program.parents.get(bound.value)
        return True if isinstance(change, ast.AugAssign) and isinstance(change.op, ast.Div) else None
    of_keras = isinstance(bound.value, ast.Call) and subject.program.callee(bound.value).startswith("keras.datasets.")
    return False if bound.how == "part" and of_keras else None


def _of_call(subject: Subject, node: ast.Call, depth: int) -> bool | None:
    program = subject.program
    name = program.callee(node)
    last = name.rpartition(".")[2] or method(node)
    if last in _SCALE:
        return True
    if last in _READ:
        return False
    if last in ("integers", "randint"):
        return False if constant(program, argument(node, 1, "high")) == 256 else None
    if last in _KEEP and isinstance(node.func, ast.Attribute) and not name:
        return _scaled(subject, node.func.value, depth + 1)
    if last in _KEEP_FIRST and node.args:
        return _scaled(subject, node.args[0], depth + 1)
    if subject.kinds.of(node) == "dataset":
        return _of_dataset(subject, node, depth)
    return None


def _of_dataset(subject: Subject, node: ast.Call, depth: int) -> bool | None:
    chain = datasets.chain_of(subject.program, node)
    if chain.root is None or datasets.root_name(subject.program, chain) != "from_tensor_slices":
        return None
    if chain.has("map", "apply", "interleave", "flat_map"):
        return None
    given = argument(chain.root, 0, "tensors")
    inputs = given.elts[0] if isinstance(given, ast.Tuple) and given.elts else given
    return _scaled(subject, inputs, depth + 1)
