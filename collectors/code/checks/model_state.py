"""Models that are trained without being compiled, or asked for their shape before they have one."""

import ast

from tfhelp.collectors.code.models import Model
from tfhelp.collectors.code.program import Program, argument, has_star, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("compile_missing", "model_without_input_shape")
LACKS = ("compile_missing",)

_NEED_COMPILE = frozenset(("fit", "fit_generator", "evaluate", "train_on_batch", "test_on_batch"))
_NEED_GRAPH = frozenset(("input", "inputs", "output", "outputs", "input_shape", "output_shape"))
_NEED_WEIGHTS = frozenset(
    ("summary", "weights", "get_weights", "set_weights", "count_params", "load_weights", "to_json", "save_weights")
)
_SHAPES = ("input_shape", "input_dim", "batch_input_shape", "batch_shape", "input_length", "input_tensor")
# Layers other than Input that still tell the model its shape: an application, a model, a hub layer.
_UNSURE = ("applications", "hub", "KerasLayer", "TextVectorization", "InputLayer", "Normalization")


def check(subject: Subject) -> None:
    """Check every model that has a name."""
    compiled = {id(model.made) for model in subject.models if model.compiles}
    unclear = any(
        method(call) == "compile" and subject.kinds.of(getattr(call.func, "value", None)) != "model"
        for call in subject.program.of(ast.Call)
    )
    for model in subject.models:
        _check_compiled(subject, model, id(model.made) in compiled, unclear)
        _check_shape(subject, model)


def _check_compiled(subject: Subject, model: Model, compiled: bool, unclear: bool) -> None:
    uses = [call for call in model.uses if method(call) in _NEED_COMPILE]
    if not uses:
        return
    if compiled:
        subject.report.fine("compile_missing", uses[0])
    elif not unclear and not _may_be_compiled(subject, model):  # a compile on an unknown object may be a compile of this model
        message = f"{method(uses[0])} is called on a model that is never compiled."
        subject.report.found("compile_missing", uses[0], message, "error")


def _may_be_compiled(subject: Subject, model: Model) -> bool:
    """Return whether code that cannot be seen may compile it: a loader, or a function that gets the model as an argument."""
    program = subject.program
    name = program.callee(model.made)
    if not name.startswith(("keras.Sequential", "keras.Model", "keras.applications.")):
        return True  # loaded, of the user's own class, or from elsewhere
    for node in model.others:
        parent = program.parents.get(node)
        if isinstance(parent, ast.keyword):
            parent = program.parents.get(parent)
        if isinstance(parent, ast.Call) and not program.callee(parent):
            return True
        if isinstance(parent, (ast.Assign, ast.Return)):
            return True
    return False


def _check_shape(subject: Subject, model: Model) -> None:
    program = subject.program
    shaped = _has_shape(program, model)
    if shaped:
        subject.report.fine("model_without_input_shape", model.made)
    if shaped is not False:
        return
    built = [
        call
        for call in (*model.calls, *model.uses)
        if method(call) in ("build", "fit", "predict", "evaluate", "train_on_batch", "call")
    ]
    called = [node for node in model.others if isinstance(program.parents.get(node), ast.Call)]
    static = any(method(call) == "build" for call in model.calls)
    firsts = [getattr(node, "lineno", 0) for node in (*built, *called)]
    for node, name in _looks(program, model):
        line = getattr(node, "lineno", 0)
        if (name in _NEED_GRAPH and static) or (name in _NEED_WEIGHTS and any(first <= line for first in firsts)):
            continue
        message = f"{name} needs the model's input shape, which is not known yet: begin the model with keras.Input(shape)."
        subject.report.found("model_without_input_shape", node, message, "warning")


def _looks(program: Program, model: Model) -> list[tuple[ast.AST, str]]:
    """Places that use a member of a model that needs the model's shape."""
    found: list[tuple[ast.AST, str]] = [(call, method(call)) for call in model.calls if method(call) in _NEED_WEIGHTS]
    for node in model.others:
        parent = program.parents.get(node)
        if isinstance(parent, ast.Attribute) and parent.attr in _NEED_GRAPH | _NEED_WEIGHTS:
            found.append((parent, parent.attr))
    return sorted(found, key=lambda pair: getattr(pair[0], "lineno", 0))


def _has_shape(program: Program, model: Model) -> bool | None:
    """Return whether a model knows its input shape from the start; ``None`` if the text does not show it."""
    name = program.callee(model.made)
    if name == "keras.Model" or name.startswith("keras.applications."):
        return True
    if name == "keras.Sequential":
        if has_star(model.made):
            return None
        if not model.layers:
            return None
        first = model.layers[0]
        made = program.callee(first)
        if (
            made == "keras.Input"
            or made.endswith("InputLayer")
            or any(argument(first, None, shape) is not None for shape in _SHAPES)
        ):
            return True
        if not made.startswith("keras.layers.") or has_star(first) or any(sign in made for sign in _UNSURE):
            return None
        inner = first.args[0] if first.args else None  # Bidirectional(LSTM(8, input_shape=...))
        nested = isinstance(inner, ast.Call) and any(argument(inner, None, shape) is not None for shape in _SHAPES)
        return nested
    if isinstance(model.made.func, ast.Name) and model.made.func.id in program.classes:
        methods = program.classes[model.made.func.id].methods
        return None if "build" in methods or "summary" in methods or _functional(methods.get("__init__")) else False
    return None


def _functional(start: object) -> bool:
    """Return whether a subclass passes inputs and outputs to ``super().__init__`` (a functional model in a class)."""
    node = getattr(start, "node", None)
    if node is None:
        return True
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and method(inner) in ("build", "_set_inputs", "__call__"):
            return True
        if isinstance(inner, ast.Call) and method(inner) == "__init__" and (inner.args or argument(inner, None, "inputs")):
            return True
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "self":
            return True
    return False
