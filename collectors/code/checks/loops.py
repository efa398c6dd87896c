"""What a loop should not repeat: build models, keep tensors, call predict, wrap functions, run a training step eagerly."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.places import Place
from tfhelp.collectors.code.program import method
from tfhelp.collectors.code.subject import Subject

FACTS = (
    "model_built_in_loop",
    "tensors_appended",
    "predict_in_loop",
    "clear_session_in_loop",
    "function_in_loop",
    "dataset_built_in_loop",
    "step_not_traced",
)

_FEW_ROUNDS = 10
_APPLIES = frozenset(("apply_gradients", "apply"))
_ON_BATCH = frozenset(("train_on_batch", "test_on_batch", "predict_on_batch"))
_PREDICTS = _ON_BATCH | {"predict", "evaluate"}


def check(subject: Subject) -> None:
    """Check every call inside a loop, its own or a caller's."""
    for call in subject.program.of(ast.Call):
        name = subject.program.callee(call)
        if name == "keras.backend.clear_session" or name == "keras.utils.clear_session":
            _check_clear(subject, call)
        elif method(call) in ("append", "extend") and call.args:
            _check_append(subject, call)
        elif method(call) in _PREDICTS:
            _check_predict(subject, call)
        elif method(call) in _APPLIES:
            _check_step(subject, call)
        elif name == "tensorflow.function":
            _check_function(subject, call, subject.program.place(call))
        elif name.startswith("tensorflow.data.") and subject.kinds.of(call) == "dataset":
            _check_dataset(subject, call)
        elif subject.kinds.of(call) == "model" and (name or _own_class(subject, call)):
            _check_build(subject, call)
    for function in subject.traced:
        if subject.kinds.is_traced(function) and not function.klass:
            _check_function(subject, function.node, function.place)


def _own_class(subject: Subject, call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in subject.program.classes


def _loop(subject: Subject, node: ast.AST) -> ast.AST | None:
    return subject.repeated(subject.program.place(node))


def _holds(subject: Subject, loop: ast.AST, *names: str) -> bool:
    """Return whether a loop calls one of the given methods or functions, itself or in a function that it calls."""
    return not subject.methods_in(loop).isdisjoint(names)


def _few(subject: Subject, loop: ast.AST) -> bool:
    """Return whether a loop plainly has few iterations, or runs over folds or settings: then each is a separate training run."""
    iterated = (
        loop.iter
        if isinstance(loop, (ast.For, ast.AsyncFor))
        else loop.generators[0].iter
        if isinstance(loop, ast.ListComp)
        else None
    )
    if (
        isinstance(iterated, ast.Call)
        and isinstance(iterated.func, ast.Name)
        and iterated.func.id == "enumerate"
        and iterated.args
    ):
        iterated = iterated.args[0]
    if isinstance(iterated, (ast.List, ast.Tuple)):
        return len(iterated.elts) <= _FEW_ROUNDS
    if isinstance(iterated, ast.Call) and method(iterated) == "split":
        return True
    if (
        isinstance(iterated, ast.Call)
        and isinstance(iterated.func, ast.Name)
        and iterated.func.id == "range"
        and len(iterated.args) == 1
    ):
        rounds = constant(subject.program, iterated.args[0])
        return isinstance(rounds, int) and rounds <= _FEW_ROUNDS
    return False


def _check_build(subject: Subject, call: ast.Call) -> None:
    loop = _loop(subject, call)
    if loop is None:
        subject.report.fine("model_built_in_loop", call)
        return
    few = _few(subject, loop) and (_holds(subject, loop, "fit") or not subject.kinds.loads(call))
    harmless = few or _holds(subject, loop, "clear_session", "Process")
    message = "Each iteration of a loop creates a model: the graphs and variables of the earlier models stay in memory."
    subject.report.found("model_built_in_loop", call, message, "note" if harmless else "warning")


def _check_append(subject: Subject, call: ast.Call) -> None:
    place = subject.program.place(call)
    if not place.loops or place.function in subject.traced:
        return
    kept = _kept(subject, call.args[0], 0)
    if kept is not None:
        message = "The list keeps a tensor from every iteration, and the memory behind it; append float(...) or .numpy() instead."
        harmless = _few(subject, place.loops[-1]) or _joined(subject, call)
        fix = "append-number" if kept is call.args[0] else ""
        subject.report.found("tensors_appended", call, message, "note" if harmless else "warning", fix)
    elif _number(call.args[0]):
        subject.report.fine("tensors_appended", call)


def _check_step(subject: Subject, call: ast.Call) -> None:
    """A step that applies gradients in a loop; whoever debugs it may want to run it eagerly, so it is a note."""
    if not isinstance(call.func, ast.Attribute) or subject.kinds.of(call.func.value) != "optimizer":
        return
    place = subject.program.place(call)
    if place.function in subject.traced:
        subject.report.fine("step_not_traced", call)
    elif _loop(subject, call) is not None:
        message = (
            "This training step starts each op on its own from Python. In a tf.function, small steps are several times faster."
        )
        subject.report.found("step_not_traced", call, message, "note")


def _joined(subject: Subject, call: ast.Call) -> bool:
    """Return whether the list is passed to an operation (``tf.concat(parts, 0)``) or is returned: then the tensors are wanted."""
    kept = getattr(call.func, "value", None)
    if not isinstance(kept, ast.Name):
        return isinstance(kept, ast.Subscript)
    return (subject.program.place(call).function, kept.id) in subject.handed_on


def _kept(subject: Subject, node: ast.expr, depth: int) -> ast.expr | None:
    """The tensor within the expression that is appended."""
    if depth > 4:
        return None
    if isinstance(node, (ast.Tuple, ast.List)):
        return next((found for item in node.elts if (found := _kept(subject, item, depth + 1)) is not None), None)
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return node if _kept(subject, node.elt, depth + 1) is not None or _layer_output(subject, node) else None
    return node if subject.kinds.of(node) == "tensor" and not _of_new_layer(subject, node) else None


def _of_new_layer(subject: Subject, node: ast.expr) -> bool:
    """``layers.Conv2D(8, 3)(x)``: a layer that is made and called at once builds a functional model, whose tensors have no value."""
    bound = subject.program.binding(node.id, node) if isinstance(node, ast.Name) else None
    made = bound.value if bound is not None and bound.how == "value" else node
    return isinstance(made, ast.Call) and isinstance(made.func, ast.Call) and subject.kinds.of(made.func) == "layer"


def _layer_output(subject: Subject, node: ast.ListComp | ast.GeneratorExp) -> bool:
    """``[layer(x) for layer in model.layers]``."""
    source = node.generators[0].iter
    while isinstance(source, ast.Subscript):
        source = source.value
    of_model = isinstance(source, ast.Attribute) and source.attr == "layers" and subject.kinds.of(source.value) == "model"
    target, made = node.generators[0].target, node.elt
    if not of_model or not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name) or not isinstance(target, ast.Name):
        return False
    return made.func.id == target.id


def _number(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return method(node) in ("numpy", "item") or (isinstance(node.func, ast.Name) and node.func.id in ("float", "int"))


def _check_predict(subject: Subject, call: ast.Call) -> None:
    receiver = getattr(call.func, "value", None)
    named = isinstance(receiver, ast.Name) and "model" in receiver.id.lower() and not _of_other_library(subject, receiver)
    if subject.kinds.of(receiver) != "model" and not named:
        return
    loop = _loop(subject, call)
    if loop is None:
        subject.report.fine("predict_in_loop", call)
        return
    _check_fresh_model(subject, call, loop)
    # evaluate and *_on_batch are made for loops; a loop of training runs may well call predict once per run.
    name = method(call)
    harmless = name != "predict" or _few(subject, loop) or _holds(subject, loop, "fit", "train_step", "train_on_batch", "compile")
    message = (
        f"{name} is called in every iteration of a loop; predict builds a data pipeline on each call, and model(x) does not."
    )
    subject.report.found("predict_in_loop", call, message, "note" if harmless else "warning")


def _of_other_library(subject: Subject, receiver: ast.Name) -> bool:
    """``xgb_model = xgb.XGBClassifier()``, also with ``.fit(...)`` behind it."""
    bound = subject.program.binding(receiver.id, receiver)
    made = bound.value if bound is not None and bound.how == "value" else None
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and isinstance(made.func.value, ast.Call):
        made = made.func.value
    name = subject.program.callee(made) if isinstance(made, ast.Call) else ""
    return bool(name) and not name.startswith(("keras.", "tensorflow."))


def _check_fresh_model(subject: Subject, call: ast.Call, loop: ast.AST) -> None:
    """predict creates a tf.function for each new model: a loop that creates a model in each iteration also creates a function."""
    receiver = getattr(call.func, "value", None)
    bound = subject.program.binding(receiver.id, receiver) if isinstance(receiver, ast.Name) else None
    if bound is None or bound.how != "value" or bound.value is None or subject.repeated(bound.place) is not loop:
        return
    if not _holds(subject, loop, "fit", "train_on_batch", "clear_session"):
        message = f"{method(call)} creates a tf.function for each new model, and every iteration creates a new model."
        subject.report.found("function_in_loop", call, message, "warning")


def _check_clear(subject: Subject, call: ast.Call) -> None:
    """clear_session is right between training runs; between the batches of a run it discards the model being trained."""
    loops = subject.program.place(call).loops
    loop = loops[-1] if loops else None
    if loop is None:
        subject.report.fine("clear_session_in_loop", call)
        return
    steps = _holds(subject, loop, "train_on_batch", "apply_gradients", "train_step") and not _makes_model(subject, loop)
    if steps:
        message = "clear_session inside the loop over batches discards the state of the model that is being trained."
        subject.report.found("clear_session_in_loop", call, message, "error")
    else:
        subject.report.fine("clear_session_in_loop", call)


def _makes_model(subject: Subject, loop: ast.AST) -> bool:
    return loop in subject.loops_with_models


def _check_function(subject: Subject, node: ast.AST, place: Place) -> None:
    loop = subject.repeated(place)
    if loop is None:
        subject.report.fine("function_in_loop", node)
        return
    own_model = _makes_model(subject, loop)
    message = "tf.function is applied in each iteration of a loop: each new function is traced, and its graphs stay in memory."
    subject.report.found("function_in_loop", node, message, "note" if own_model or _few(subject, loop) else "warning")


def _check_dataset(subject: Subject, call: ast.Call) -> None:
    loop = subject.program.place(call).loops
    if not loop:
        subject.report.fine("dataset_built_in_loop", call)
        return
    graph = any("disable_eager_execution" in subject.program.callee(other) for other in subject.program.of(ast.Call))
    message = "Each iteration of a loop creates a data set; create it once, before the loop."
    subject.report.found("dataset_built_in_loop", call, message, "warning" if graph else "note")
