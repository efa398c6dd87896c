"""Optimizers and precision: arguments that Keras renamed or dropped, learning rates, mixed precision, floatx."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.names import parts
from tfhelp.collectors.code.program import argument
from tfhelp.collectors.code.subject import Subject

FACTS = ("lr_argument", "decay_argument", "optimizer_lr_attribute", "learning_rate_high", "mixed_precision", "set_floatx")

_ADAPTIVE = frozenset(("Adam", "AdamW", "Nadam", "Adamax", "RMSprop"))
_HIGHEST_ADAPTIVE = 0.1  # highest useful rate: the steps of these optimizers are about this large, whatever the gradient is
_HIGHEST_PLAIN = 0.5
_POLICIES = (
    "keras.mixed_precision.set_global_policy",
    "keras.mixed_precision.set_dtype_policy",
    "keras.mixed_precision.experimental.set_policy",
    "keras.mixed_precision.DTypePolicy",
    "keras.mixed_precision.Policy",
    "keras.mixed_precision.experimental.Policy",
    "keras.config.set_dtype_policy",
    "keras.DTypePolicy",
    "keras.dtype_policies.DTypePolicy",
)
_REWRITES = ("enable_mixed_precision_graph_rewrite", "LossScaleOptimizer")


def check(subject: Subject) -> None:
    """Check every call and every attribute of an optimizer."""
    for call in subject.program.of(ast.Call):
        name = subject.program.callee(call)
        if name.startswith("keras.optimizers.") and subject.kinds.of(call) == "optimizer":
            _check_optimizer(subject, call, name.rpartition(".")[2])
        elif name.startswith("keras."):
            _check_precision(subject, call, name)
    for node in subject.program.of(ast.Attribute):
        if node.attr == "lr" and _is_optimizer(subject, node.value):
            message = "Keras 3 removed the optimizer attribute lr; use learning_rate."
            subject.report.found("optimizer_lr_attribute", node, message, "warning", "learning-rate-attribute")
        elif node.attr == "learning_rate" and _is_optimizer(subject, node.value):
            subject.report.fine("optimizer_lr_attribute", node)


def _is_optimizer(subject: Subject, node: ast.expr) -> bool:
    if subject.kinds.of(node) == "optimizer":
        return True
    return isinstance(node, ast.Attribute) and node.attr == "optimizer" and _is_model(subject, node.value)


def _is_model(subject: Subject, node: ast.expr) -> bool:
    """Return whether the owner of an ``optimizer`` is a model; ``config.optimizer.lr`` is a setting of the program's own."""
    if subject.kinds.of(node) == "model":
        return True
    named = parts(node)
    if named == ["self"]:
        klass = subject.program.place(node).klass
        return klass is not None and subject.kinds.of_class(klass.name) == "model"
    own = len(named) == 1 or (len(named) == 2 and named[0] == "self")
    return own and named[-1].lower().endswith(("model", "network", "net"))


def _check_optimizer(subject: Subject, call: ast.Call, name: str) -> None:
    if argument(call, None, "lr") is not None:
        message = "lr= is now called learning_rate=: Keras 2.11 to 2.15 ignore lr=, and Keras 3 rejects it."
        subject.report.found("lr_argument", call, message, "error", "learning-rate-argument")
    elif argument(call, 0, "learning_rate") is not None:
        subject.report.fine("lr_argument", call)
    if argument(call, None, "decay") is not None and name != "LearningRateSchedule":
        message = "Keras 2.11 to 2.15 reject decay=, and Keras 3 ignores it; use keras.optimizers.schedules.InverseTimeDecay."
        subject.report.found("decay_argument", call, message, "error")
    rate = constant(subject.program, argument(call, 0, "learning_rate") or argument(call, None, "lr"))
    if not isinstance(rate, (int, float)) or isinstance(rate, bool):
        return
    if (name in _ADAPTIVE and rate > _HIGHEST_ADAPTIVE) or (name == "SGD" and rate >= _HIGHEST_PLAIN):
        message = f"A learning rate of {rate:g} is high for {name}; the loss often becomes NaN."
        subject.report.found("learning_rate_high", call, message, "warning")
    else:
        subject.report.fine("learning_rate_high", call)


def _check_precision(subject: Subject, call: ast.Call, name: str) -> None:
    if name.endswith(".set_floatx"):
        message = "floatx is changed: every layer created from here on has this dtype, which does not mix with float32 constants."
        if constant(subject.program, argument(call, 0, "value")) != "float32":
            subject.report.found("set_floatx", call, message, "note")
    elif name in _POLICIES or name.endswith(_REWRITES):
        policy = constant(subject.program, argument(call, 0, "name"))
        if policy in ("float32", "float64"):
            subject.report.fine("mixed_precision", call)
        elif isinstance(policy, str) or name.endswith(_REWRITES):
            subject.report.found(
                "mixed_precision", call, f"A mixed-precision policy is set ({policy or 'by rewriting'}).", "note"
            )
    elif name.startswith("keras.layers.") and str(constant(subject.program, argument(call, None, "dtype"))).startswith("mixed_"):
        subject.report.found("mixed_precision", call, "A layer has its own mixed-precision policy.", "note")
