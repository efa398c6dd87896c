"""Gradients: the loss and its tape, operations that cannot be differentiated, one optimizer for several models."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.places import Binding, Function
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("loss_outside_tape", "non_differentiable_loss", "optimizer_reused", "numpy_in_tape", "gradients_not_zipped")

_TAPE = "tensorflow.GradientTape"
_FLAT = frozenset(
    [
        "argmax",
        "argmin",
        "round",
        "floor",
        "ceil",
        "sign",
        "equal",
        "not_equal",
        "greater",
        "greater_equal",
        "less",
        "less_equal",
        "one_hot",
        "logical_not",
    ]
)
_DEEPEST = 30


def check(subject: Subject) -> None:
    """Check every tape, every loss passed to compile, every step of an optimizer, and every optimizer."""
    for call in subject.program.of(ast.Call):
        if method(call) == "gradient" and subject.kinds.of(getattr(call.func, "value", None)) == "tape":
            _check_gradient(subject, call)
        elif method(call) == "compile":
            _check_own_loss(subject, call)
        elif method(call) == "numpy" and not call.args:
            _check_numpy(subject, call)
        elif method(call) == "apply_gradients":
            _check_pairs(subject, call)
    _check_optimizers(subject)


def _check_gradient(subject: Subject, call: ast.Call) -> None:
    program = subject.program
    target = argument(call, 0, "target")
    tape = getattr(call.func, "value", None)
    bound_tape = program.binding(tape.id, tape) if isinstance(tape, ast.Name) else None
    if target is None or bound_tape is None or bound_tape.how != "with" or bound_tape.value is None:
        return
    block = bound_tape.value
    if isinstance(target, ast.Name):
        bound = program.binding(target.id, target)
        if bound is None or bound.how == "parameter" or bound.place.function is not program.place(call).function:
            return
        if block not in bound.place.withs and bound.line >= (block.lineno or 0):
            _outside(subject, bound.value or call)
            return
        subject.report.fine("loss_outside_tape", call)
    elif isinstance(target, (ast.Call, ast.BinOp, ast.UnaryOp)) and block not in program.place(call).withs:
        _outside(subject, target)
    flow = _Flow(subject, None)
    depends, smooth = flow.of(target)
    if depends and not smooth:
        _not_smooth(subject, call)
    elif smooth:
        subject.report.fine("non_differentiable_loss", call)


def _outside(subject: Subject, node: ast.AST) -> None:
    message = "The loss is computed outside the tape's with block, so the tape does not record it: its gradients are None."
    subject.report.found("loss_outside_tape", node, message, "error")


def _not_smooth(subject: Subject, node: ast.AST) -> None:
    message = (
        "No path from the model's output to this loss is differentiable (argmax, round, a comparison or a cast to integers)."
    )
    subject.report.found("non_differentiable_loss", node, message, "error")


def _check_own_loss(subject: Subject, compile_call: ast.Call) -> None:
    loss = argument(compile_call, 1, "loss")
    function = subject.program.function_of(loss) if loss is not None else None
    if function is None or len(function.parameters) < 2:
        return
    flow = _Flow(subject, function)
    results = [flow.of(value) for value in function.returns]
    if results and all(depends and not smooth for depends, smooth in results):
        _not_smooth(subject, function.returns[0])
    elif any(smooth for _, smooth in results):
        subject.report.fine("non_differentiable_loss", function.returns[0])


class _Flow:
    """Follows a value back to the model's output: whether it depends on the output, and whether by a path with a gradient."""

    def __init__(self, subject: Subject, function: Function | None) -> None:
        self._subject = subject
        self._function = function  # a loss function, whose second parameter is the model's output
        self._known: dict[ast.AST, tuple[bool, bool]] = {}

    def of(self, node: ast.AST | None, depth: int = 0) -> tuple[bool, bool]:
        """(Whether it depends on the model's output, whether that dependence is smooth)."""
        if node is None or depth > _DEEPEST:
            return False, False
        if node not in self._known:
            self._known[node] = (False, False)
            self._known[node] = self._find(node, depth + 1)
        return self._known[node]

    def _find(self, node: ast.AST, depth: int) -> tuple[bool, bool]:
        program = self._subject.program
        if isinstance(node, ast.Name):
            bound = program.binding(node.id, node)
            return self._of_binding(bound, depth) if bound is not None else (False, False)
        if isinstance(node, ast.Compare):
            return self._any([node.left, *node.comparators], depth)[0], False
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype"):
            return False, False
        return self._any(list(ast.iter_child_nodes(node)), depth)

    def _of_binding(self, bound: Binding, depth: int) -> tuple[bool, bool]:
        if bound.how == "parameter":
            output = self._function is not None and bound.place.function is self._function and bound.index == 1
            return output, output
        return self.of(bound.value, depth) if bound.how in ("value", "part", "changed") else (False, False)

    def _of_call(self, node: ast.Call, depth: int) -> tuple[bool, bool]:
        program = self._subject.program
        if self._subject.kinds.of(node.func) == "model" and not program.callee(node):
            return True, True
        name = program.callee(node)
        inner: list[ast.AST] = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute) and not name:
            inner.append(node.func.value)
        depends, smooth = self._any(inner, depth)
        last = name.rpartition(".")[2]
        cast = _to_integer(self._subject, argument(node, 1, "dtype")) if last == "cast" else False
        return depends, smooth and last not in _FLAT and not cast

    def _any(self, nodes: list[ast.AST], depth: int) -> tuple[bool, bool]:
        found = [self.of(node, depth) for node in nodes]
        return any(depends for depends, _ in found), any(smooth for _, smooth in found)


def _to_integer(subject: Subject, dtype: ast.expr | None) -> bool:
    name = subject.program.name_of(dtype) if dtype is not None else ""
    value = constant(subject.program, dtype)
    return (value if isinstance(value, str) else name.rpartition(".")[2]).startswith(("int", "uint", "bool"))


def _check_numpy(subject: Subject, call: ast.Call) -> None:
    place = subject.program.place(call)
    if subject.within(place, _TAPE) is None or not isinstance(call.func, ast.Attribute):
        return
    parent = subject.program.parents.get(call)
    while isinstance(parent, (ast.BinOp, ast.Subscript, ast.Tuple, ast.List)):
        parent = subject.program.parents.get(parent)
    kept = isinstance(parent, (ast.Assign, ast.AugAssign)) or (
        isinstance(parent, ast.Call) and subject.program.callee(parent).startswith(("tensorflow.", "keras."))
    )
    if kept and subject.kinds.of(call.func.value) in ("tensor", "variable"):
        message = ".numpy() inside the tape's with block breaks the gradient: the tape does not record NumPy."
        subject.report.found("numpy_in_tape", call, message, "warning")


def _check_pairs(subject: Subject, call: ast.Call) -> None:
    """``apply_gradients`` takes pairs of gradient and variable, and not what ``tape.gradient`` returns."""
    given = argument(call, 0, "grads_and_vars")
    if isinstance(given, ast.Name):
        bound = subject.program.binding(given.id, given)
        given = bound.value if bound is not None and bound.how == "value" else None
    if not isinstance(given, ast.Call):
        return
    if method(given) == "gradient" and subject.kinds.of(getattr(given.func, "value", None)) == "tape":
        message = "apply_gradients gets the gradients without their variables. Pass zip(gradients, variables)."
        subject.report.found("gradients_not_zipped", call, message, "error")
    elif isinstance(given.func, ast.Name) and given.func.id == "zip":
        subject.report.fine("gradients_not_zipped", call)


def _check_optimizers(subject: Subject) -> None:
    """One optimizer compiled into several models, or applied to the variables of several."""
    program = subject.program
    models: dict[int, set[int]] = {}
    for call in program.of(ast.Call):
        name = method(call)
        if name == "compile":
            given, model = argument(call, 0, "optimizer"), getattr(call.func, "value", None)
        elif name == "apply_gradients" and call.args:
            given, model = getattr(call.func, "value", None), _model_of_variables(call.args[0])
        else:
            continue
        if not isinstance(given, ast.Name) or not isinstance(model, ast.Name) or subject.kinds.of(given) != "optimizer":
            continue
        optimizer, owner = program.binding(given.id, given), program.binding(model.id, model)
        if optimizer is None or owner is None:
            continue
        owners = models.setdefault(id(optimizer), set())
        owners.add(id(owner))
        again = _again(subject, call, optimizer, owner)
        if len(owners) > 1 or again:
            message = (
                "One optimizer serves several models, but it only knows the variables of the first. Create one for each model."
            )
            subject.report.found("optimizer_reused", call, message, "error")
        else:
            subject.report.fine("optimizer_reused", call)


def _again(subject: Subject, call: ast.Call, optimizer: Binding, owner: Binding) -> bool:
    """Return whether a loop, or a function that is called several times, uses the same optimizer with a new model each time."""
    place = subject.program.place(call)
    if place.loops:
        return place.loops[-1] in owner.place.loops and place.loops[-1] not in optimizer.place.loops
    function = place.function
    if function is None or owner.place.function is not function or optimizer.place.function is function:
        return False
    return owner.how == "value" and (len(function.calls_to) > 1 or subject.repeated(place) is not None)


def _model_of_variables(node: ast.expr) -> ast.expr | None:
    """The model in ``zip(gradients, model.trainable_variables)``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip" and len(node.args) == 2:
        variables = node.args[1]
        if isinstance(variables, ast.Attribute) and variables.attr in ("trainable_variables", "trainable_weights", "variables"):
            return variables.value
    return None
