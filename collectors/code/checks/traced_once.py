"""Python code that runs only while a function is traced, and data sets whose new version is not used: nothing fails."""

import ast

from tfhelp.collectors.code.places import Function
from tfhelp.collectors.code.program import method
from tfhelp.collectors.code.subject import Subject

FACTS = ("random_number_while_traced", "side_effect_while_traced", "dataset_result_unused")

_GRAPHS = ("function", "dataset")
_NEW_DATASET = frozenset(("map", "batch", "shuffle", "repeat", "filter", "take", "skip", "padded_batch", "unbatch"))
_DRAWS = ("numpy.random.", "random.")
_DRAWS_NOTHING = frozenset(("seed", "default_rng", "RandomState", "Random", "get_state", "set_state", "getstate", "setstate"))


def check(subject: Subject) -> None:
    """Check the bodies of traced functions, and the statements that only call a method of a data set."""
    for function, traced in subject.traced.items():
        if traced.why in _GRAPHS:
            _check_body(subject, function)
    for statement in subject.program.of(ast.Expr):
        call = statement.value
        if (
            isinstance(call, ast.Call)
            and method(call) in _NEW_DATASET
            and isinstance(call.func, ast.Attribute)
            and subject.kinds.of(call.func.value) == "dataset"
        ):
            message = f"{method(call)} returns a new data set, which is not assigned to a name, so it has no effect."
            subject.report.found("dataset_result_unused", call, message, "error")


def _check_body(subject: Subject, function: Function) -> None:
    body = function.node.body
    shared = {name for node in ast.walk(function.node) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    for node in [part for top in (body if isinstance(body, list) else [body]) for part in ast.walk(top)]:
        if isinstance(node, ast.Call):
            name = subject.program.callee(node)
            if name.startswith(_DRAWS) and name.rpartition(".")[2] not in _DRAWS_NOTHING:
                message = f"{name} draws its number only while TensorFlow traces the function. Each element or call then gets the same one."
                subject.report.found("random_number_while_traced", node, message, "error")
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in shared:
            message = f"{node.target.id} changes only while TensorFlow traces the function, and not in each call."
            subject.report.found("side_effect_while_traced", node, message, "error")
