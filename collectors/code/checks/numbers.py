"""Where numbers become infinite or NaN: logarithms, roots and divisions without a guard, softmax before a loss on logits."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("activation_before_logits_loss", "softmax_then_log", "unguarded_log", "unguarded_division")

_TAPE = "tensorflow.GradientTape"
_LOGS = frozenset(
    ("tensorflow.log", "keras.ops.log", "keras.backend.log", "tensorflow.sqrt", "keras.ops.sqrt", "keras.backend.sqrt")
)
_LOGITS_LOSSES = {
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": "logits",
    "tensorflow.nn.softmax_cross_entropy_with_logits": "logits",
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits": "logits",
    "tensorflow.nn.weighted_cross_entropy_with_logits": "logits",
}
_SQUASHING = frozenset(("softmax", "sigmoid"))
_GUARDS = frozenset(
    ("clip_by_value", "maximum", "clip", "softplus", "exp", "square", "abs", "where", "add", "cast", "shape", "size", "log1p")
)


def check(subject: Subject) -> None:
    """Check every logarithm, root, division and loss on logits."""
    for call in subject.program.of(ast.Call):
        name = subject.program.callee(call)
        if name in _LOGS:
            _check_log(subject, call, name.rpartition(".")[2])
        elif name in _LOGITS_LOSSES:
            _check_logits(subject, call)
    for node in subject.program.of(ast.BinOp):
        if isinstance(node.op, ast.Div):
            _check_division(subject, node)


def _behind(subject: Subject, node: ast.AST | None) -> ast.AST | None:
    """The value of a name within the same function, else the node itself."""
    for _ in range(6):
        if not isinstance(node, ast.Name):
            break
        bound = subject.program.binding(node.id, node)
        if bound is None or bound.how != "value" or bound.place.function is not subject.program.place(node).function:
            break
        node = bound.value
    return node


def _squashed(subject: Subject, node: ast.AST | None) -> bool:
    """Return whether an expression is the output of softmax or sigmoid, by function or by a layer's activation."""
    value = _behind(subject, node)
    if not isinstance(value, ast.Call):
        return False
    if subject.program.callee(value).rpartition(".")[2] in _SQUASHING:
        return True
    layer = value.func
    return isinstance(layer, ast.Call) and constant(subject.program, argument(layer, 1, "activation")) in _SQUASHING


def _check_logits(subject: Subject, call: ast.Call) -> None:
    logits = argument(call, 1, "logits")
    if _squashed(subject, logits):
        message = "The loss applies softmax or sigmoid itself, but its input already went through it; pass the logits."
        subject.report.found("activation_before_logits_loss", call, message, "error")
    elif logits is not None:
        subject.report.fine("activation_before_logits_loss", call)


def _check_log(subject: Subject, call: ast.Call, name: str) -> None:
    given = argument(call, 0, "x")
    if given is None or not _in_loss(subject, call):
        return
    if name == "log" and _squashed(subject, given):
        message = "The logarithm of softmax or sigmoid is -inf where the result is 0; use tf.nn.log_softmax, or a loss with from_logits=True."
        subject.report.found("softmax_then_log", call, message, "warning")
    elif _guarded(subject, given):
        subject.report.fine("unguarded_log", call)
    elif subject.tensor(given) or _one_minus(subject, given):
        what = "is infinite at 0" if name == "log" else "has an infinite gradient at 0"
        message = f"{name} {what}; add a small number, tf.math.{name}(x + 1e-7), or use a loss that does it for you."
        subject.report.found("unguarded_log", call, message, "warning" if name == "log" else "note")


def _in_loss(subject: Subject, call: ast.Call) -> bool:
    """Return whether a call is in a loss function or under a tape: elsewhere a logarithm may well apply to data."""
    place = subject.program.place(call)
    traced = subject.traced.get(place.function) if place.function is not None else None
    named = place.function is not None and "loss" in place.function.name.lower()
    return subject.within(place, _TAPE) is not None or named or (traced is not None and traced.why in ("loss", "metric"))


def _one_minus(subject: Subject, node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and subject.tensor(node.right)


def _guarded(subject: Subject, node: ast.expr) -> bool:
    """Return whether an argument is kept away from zero: by an addition, a clip, a maximum or a constant."""
    value = _behind(subject, node)
    if isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return True
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Sub, ast.Mult, ast.Div)):
        return any(_guarded(subject, side) for side in (value.left, value.right) if not isinstance(side, ast.Constant))
    if isinstance(value, ast.Call):
        return (subject.program.callee(value).rpartition(".")[2] or method(value)) in _GUARDS
    return False


def _check_division(subject: Subject, node: ast.BinOp) -> None:
    """``x / x.std(axis=0)``: a constant column has a standard deviation of zero."""
    right = _behind(subject, node.right)
    if not isinstance(right, ast.Call):
        return
    name = subject.program.callee(right)
    if (name in ("numpy.std", "tensorflow.reduce_std", "keras.ops.std") or (not name and method(right) == "std")) and _per_column(
        right, name
    ):
        message = (
            "A constant column has a standard deviation of 0, and dividing by it gives NaN; divide by np.where(s > 0, s, 1)."
        )
        subject.report.found("unguarded_division", node, message, "note")


def _per_column(call: ast.Call, name: str) -> bool:
    return argument(call, 1 if name else 0, "axis") is not None
