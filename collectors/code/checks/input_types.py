"""NumPy data of the wrong type that reaches TensorFlow without a cast. ``fit`` casts its inputs; bare operations do not."""

import ast

from tfhelp.collectors.code.places import Function
from tfhelp.collectors.code.program import Program, argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("numpy_input_without_cast",)
UNSETTLED = FACTS  # the text does not tell what a file holds

_FLOATS = frozenset(
    [
        "normal",
        "uniform",
        "rand",
        "randn",
        "random",
        "random_sample",
        "standard_normal",
        "zeros",
        "ones",
        "linspace",
        "full",
        "empty",
        "sin",
        "cos",
        "loadtxt",
        "genfromtxt",
    ]
)
_INTEGERS = frozenset(("integers", "randint", "arange"))
_KEEPING = frozenset(
    [
        "reshape",
        "transpose",
        "copy",
        "clip",
        "mean",
        "sum",
        "squeeze",
        "flatten",
        "ravel",
        "stack",
        "concatenate",
        "vstack",
        "hstack",
        "expand_dims",
    ]
)
# Operations that require all their arguments to have the same type.
_STRICT = frozenset(
    [
        "matmul",
        "add",
        "subtract",
        "multiply",
        "divide",
        "square_difference",
        "squared_difference",
        "maximum",
        "minimum",
        "tensordot",
        "einsum",
        "where",
        "concat",
        "stack",
        "dynamic_rnn",
        "bias_add",
        "conv2d",
    ]
)


def check(subject: Subject) -> None:
    """Follow arrays from where they are made to the operations that use them."""
    program = subject.program
    if any(program.callee(call).endswith(("enable_numpy_behavior", ".set_floatx")) for call in program.of(ast.Call)):
        return
    for call in program.of(ast.Call):
        name = program.callee(call)
        if name.startswith("tensorflow.") and name.rpartition(".")[2] in _STRICT:
            _check_operation(subject, call, [*call.args])
        elif (called := program.function_of(call.func)) is not None:
            _check_call(subject, call, called)


def _check_operation(subject: Subject, node: ast.AST, operands: list[ast.expr]) -> None:
    if not any(_is_float32_variable(subject, item) for item in operands):
        return
    for item in operands:
        _judge(subject, item, node)


def _check_call(subject: Subject, call: ast.Call, called: Function) -> None:
    """An array passed to a function that combines it with a variable or another tensor in an operation."""
    for position, item in enumerate(call.args):
        if (
            _type_of(subject.program, item)
            and position < len(called.parameters)
            and _meets(subject, called, called.parameters[position])
        ):
            _judge(subject, item, call)


def _meets(subject: Subject, function: Function, name: str) -> bool:
    for node in ast.walk(function.node):
        operands: list[ast.expr] = []
        if isinstance(node, ast.Call):
            dotted = subject.program.callee(node)
            if dotted.startswith("tensorflow.") and dotted.rpartition(".")[2] in _STRICT:
                operands = node.args
        elif isinstance(node, ast.BinOp) and function in subject.traced:
            operands = [node.left, node.right]  # with an array, an operator converts it; here the array is already a tensor
        plain = any(isinstance(item, ast.Name) and item.id == name for item in operands)
        if plain and any(_is_float32_variable(subject, item) for item in operands):
            return True
    return False


def _is_float32_variable(subject: Subject, node: ast.expr) -> bool:
    """Return whether an operand is a variable and nothing in the text gives it a type other than float32."""
    if subject.kinds.of(node) != "variable":
        return False
    bound = subject.program.binding(node.id, node) if isinstance(node, ast.Name) else None
    made = bound.value if bound is not None and bound.how == "value" else None
    if not isinstance(made, ast.Call):
        return True
    kind = _type_of(subject.program, made) or _type_of(subject.program, argument(made, 0, "initial_value"))
    return kind in ("", "float32")


def _judge(subject: Subject, item: ast.expr, node: ast.AST) -> None:
    kind = _type_of(subject.program, item)
    if kind in ("float64", "int64"):
        message = f"NumPy data of {kind} is combined with a float32 variable here; cast it with .astype('float32')."
        subject.report.found("numpy_input_without_cast", item if hasattr(item, "lineno") else node, message, "error")
    elif kind == "float32":
        subject.report.fine("numpy_input_without_cast", item)


def _type_of(program: Program, node: ast.AST | None, depth: int = 0) -> str:
    """The name of an array's type, or of a call's ``dtype``; ``other`` for one that is not read; empty if none is known."""
    if node is None or depth > 8:
        return ""
    if isinstance(node, ast.Name):
        bound = program.binding(node.id, node)
        return _type_of(program, bound.value, depth + 1) if bound is not None and bound.how == "value" else ""
    if isinstance(node, (ast.Subscript, ast.UnaryOp)):
        return _type_of(program, node.value if isinstance(node, ast.Subscript) else node.operand, depth + 1)
    if isinstance(node, ast.BinOp):
        types = {_type_of(program, node.left, depth + 1), _type_of(program, node.right, depth + 1)} - {""}
        return "float64" if "float64" in types else types.pop() if len(types) == 1 else ""
    return _type_of_call(program, node, depth) if isinstance(node, ast.Call) else ""


def _type_of_call(program: Program, node: ast.Call, depth: int) -> str:
    name = program.callee(node)
    last = name.rpartition(".")[2] or method(node)
    if last == "astype":
        return "float32" if node.args and _named_type(program, node.args[0]).startswith("float32") else "other"
    if argument(node, None, "dtype") is not None:
        return _named_type(program, argument(node, None, "dtype"))
    if last in ("float32", "float16"):
        return last
    of_numpy = name.startswith("numpy.") or (not name and _of_generator(program, node))
    if of_numpy and last in _FLOATS:
        return "float64" if last not in ("zeros", "ones", "full", "empty") or len(node.args) < 2 else "other"
    if of_numpy and last in _INTEGERS:
        return "int64"
    if last in _KEEPING and isinstance(node.func, ast.Attribute) and not name:
        return _type_of(program, node.func.value, depth + 1)
    return ""


def _of_generator(program: Program, node: ast.Call) -> bool:
    """A method of ``np.random.default_rng(...)``, called directly or through a name."""
    receiver: ast.AST | None = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(receiver, ast.Name):
        bound = program.binding(receiver.id, receiver)
        receiver = bound.value if bound is not None and bound.how == "value" else None
    return isinstance(receiver, ast.Call) and program.callee(receiver) in ("numpy.random.default_rng", "numpy.random.RandomState")


def _named_type(program: Program, node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name) and node.id in ("float", "int"):
        return f"{node.id}64"
    return program.name_of(node).rpartition(".")[2] if node is not None and program.name_of(node) else "other"
