"""Which functions of a program TensorFlow traces into a graph, and which of their parameters are tensors there."""

import ast

from tfhelp.collectors.code.kinds import Kinds
from tfhelp.collectors.code.places import Function
from tfhelp.collectors.code.program import Program, argument, method

_OF_DATASETS = frozenset(("map", "filter", "flat_map", "interleave", "scan", "reduce"))
_TRACED_METHODS = {
    "layer": ("call",),
    "model": ("call", "train_step", "test_step"),
    "loss": ("call",),
    "metric": ("update_state",),
}
# Parameters that are Python values by convention.
_PLAIN = frozenset(
    [
        "self",
        "cls",
        "training",
        "mask",
        "model",
        "models",
        "optimizer",
        "opt",
        "strategy",
        "config",
        "loss_fn",
        "loss_object",
        "metric",
        "metrics",
        "step",
        "steps",
        "epoch",
        "batch_size",
        "name",
        "dtype",
        "axis",
        "units",
        "network",
        "generator",
        "discriminator",
        "variables",
        "iterator",
        "dataset",
        "tape",
        "policy",
        "num_classes",
        "args",
        "kwargs",
        "encoder",
        "decoder",
    ]
)


class Traced:
    """A traced function: ``why`` is function (a tf.function), dataset, loss, metric, layer, or called (by a traced function)."""

    __slots__ = ("function", "why")

    def __init__(self, function: Function, why: str) -> None:
        self.function = function
        self.why = why


def find_traced(program: Program, kinds: Kinds) -> dict[Function, Traced]:
    """All traced functions, including those that they call."""
    found: dict[Function, Traced] = {}

    def put(function: Function | None, why: str) -> None:
        if function is not None and function not in found:
            found[function] = Traced(function, why)

    for function in program.functions.values():
        if kinds.is_traced(function):
            put(function, "function")
    for call in program.of(ast.Call):
        for node, why in _handed_on(program, kinds, call):
            put(program.function_of(node), why)
    for klass in program.classes.values():
        for name in _TRACED_METHODS.get(kinds.of_class(klass.name), ()):
            put(klass.methods.get(name), "layer" if name != "update_state" else "metric")
    _add_called(program, found)
    return found


def _handed_on(program: Program, kinds: Kinds, call: ast.Call) -> list[tuple[ast.expr, str]]:
    """Functions that a call passes to TensorFlow for tracing."""
    name = program.callee(call)
    attribute = method(call)
    if name == "tensorflow.function":
        given = argument(call, 0, "func")
        return [(given, "function")] if given is not None else []
    if attribute == "compile":
        loss = argument(call, 1, "loss")
        metrics = argument(call, 2, "metrics")
        items = list(metrics.elts) if isinstance(metrics, (ast.List, ast.Tuple)) else []
        handed = [(loss, "loss"), *((item, "metric") for item in items)]
        return [(node, why) for node, why in handed if isinstance(node, (ast.Name, ast.Lambda))]
    if not name and attribute in _OF_DATASETS and isinstance(call.func, ast.Attribute):
        given = argument(call, 0, "map_func")
        return (
            [(given, "dataset")] if isinstance(given, (ast.Name, ast.Lambda)) and kinds.of(call.func.value) == "dataset" else []
        )
    return []


def _add_called(program: Program, found: dict[Function, Traced]) -> None:
    """Add the functions that traced functions call; a function passed to py_function or numpy_function is not traced."""
    calls: dict[Function, list[ast.Call]] = {}
    for call in program.of(ast.Call):
        function = program.place(call).function
        if function is not None:
            calls.setdefault(function, []).append(call)
    pending = list(found)
    while pending:
        traced = pending.pop()
        for call in calls.get(traced, []):
            called = program.function_of(call.func)
            if called is not None and called not in found:
                found[called] = Traced(called, "called")
                pending.append(called)


def tensor_parameters(traced: dict[Function, Traced]) -> set[tuple[Function, int]]:
    """Parameters of traced functions that are tensors there: (function, position)."""
    found: set[tuple[Function, int]] = set()
    for function, item in traced.items():
        if item.why == "called":
            continue
        optional = len(function.node.args.defaults)
        plain = len(function.node.args.posonlyargs) + len(function.node.args.args)
        for position, name in enumerate(function.parameters[: plain - optional] if optional else function.parameters):
            if name not in _PLAIN and (item.why != "function" or name[:1].islower()):
                found.add((function, position))
    return found
