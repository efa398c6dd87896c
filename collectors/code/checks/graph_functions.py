"""Functions that TensorFlow traces: Python code that only works outside a graph, variables made in them, their arguments."""

import ast

from tfhelp.collectors.code.places import Function
from tfhelp.collectors.code.program import method
from tfhelp.collectors.code.subject import Subject

FACTS = (
    "python_value_of_tensor",
    "condition_without_autograph",
    "tensor_kept_by_function",
    "tf_op_on_keras_input",
    "variables_in_function",
    "function_shared_by_models",
    "python_arguments_to_function",
    "function_returns_nothing",
    "loss_returns_nothing",
)

_MADE = frozenset(("optimizer", "layer", "metric", "variable", "model"))
_GUARDS = (ast.Is, ast.IsNot)
_NEED_A_RESULT = frozenset(("dataset", "loss", "metric", "layer"))
_PLAIN_LAYERS = frozenset(
    [
        "Activation",
        "Add",
        "Average",
        "Concatenate",
        "Dot",
        "ELU",
        "Flatten",
        "Identity",
        "Lambda",
        "LeakyReLU",
        "Masking",
        "Maximum",
        "Minimum",
        "Multiply",
        "Permute",
        "ReLU",
        "RepeatVector",
        "Rescaling",
        "Reshape",
        "Resizing",
        "Softmax",
        "Subtract",
    ]
)
_PLAIN_FAMILIES = ("AveragePooling", "Cropping", "Global", "MaxPool", "UpSampling", "ZeroPadding")


def check(subject: Subject) -> None:
    """Check every traced function and every call to one."""
    for function, traced in subject.traced.items():
        _check_body(subject, function, traced.why)
        if traced.why in _NEED_A_RESULT and function.name != "update_state":
            fact = "loss_returns_nothing" if traced.why == "loss" else "function_returns_nothing"
            _check_result(subject, function, fact)
    for call in subject.program.of(ast.Call):
        _check_keras_argument(subject, call)
    for function in subject.traced:
        calls = function.calls_to
        if subject.kinds.is_traced(function) and calls:
            _check_shared(subject, function, calls)
            for call in calls:
                _check_arguments(subject, call)


def _check_result(subject: Subject, function: Function, fact: str) -> None:
    """A loss, a metric, a layer's call, train_step and a function for map return a tensor or a dictionary."""
    if function.returns:
        subject.report.fine(fact, function.node)
        return
    ends = function.node.body[-1] if isinstance(function.node.body, list) else None
    computes = isinstance(ends, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or (
        isinstance(ends, ast.Expr) and not isinstance(ends.value, ast.Constant)
    )
    nodes = _own_nodes(subject, function)
    if computes and not any(isinstance(node, (ast.Raise, ast.Yield, ast.YieldFrom)) for node in nodes):
        message = f"{function.name} has no return, so TensorFlow or Keras gets None from it."
        subject.report.found(fact, function.node, message, "error")


# -------------------------------------------------------------------- Python in a graph


def _check_body(subject: Subject, function: Function, why: str) -> None:
    # AutoGraph turns if and while on tensors into TensorFlow; Keras 3 traces losses and layers without it.
    autograph = why in ("function", "dataset", "called")
    for node in _own_nodes(subject, function):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not autograph and _of_tensor(subject, node.test):
            what = "while" if isinstance(node, ast.While) else "if"
            message = f"A Python {what} tests a tensor in code that Keras 3 traces without AutoGraph; use tf.where, tf.cond or keras.ops.cond."
            subject.report.found("condition_without_autograph", node, message, "warning")
        elif isinstance(node, ast.Call):
            _check_call(subject, function, node, why)
        elif isinstance(node, ast.Assign) and why in ("function", "called"):
            _check_kept(subject, function, node)


def _own_nodes(subject: Subject, function: Function) -> list[ast.AST]:
    """Nodes of a function's body without those of nested functions."""
    found: list[ast.AST] = []
    body = function.node.body
    stack: list[ast.AST] = [body] if isinstance(body, ast.expr) else list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        found.append(node)
        stack.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


def _of_tensor(subject: Subject, test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return any(_of_tensor(subject, value) for value in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _of_tensor(subject, test.operand)
    if isinstance(test, ast.Compare) and any(isinstance(operator, (*_GUARDS, ast.In, ast.NotIn)) for operator in test.ops):
        return False
    return subject.tensor(test)


def _check_call(subject: Subject, function: Function, call: ast.Call, why: str) -> None:
    name = subject.program.callee(call)
    if (
        isinstance(call.func, ast.Name)
        and call.func.id in ("float", "int", "bool")
        and call.args
        and subject.tensor(call.args[0])
    ):
        _found(subject, call, f"{call.func.id}() needs the value of a tensor, which has none while the graph is traced.")
    elif (
        method(call) == "numpy"
        and not call.args
        and isinstance(call.func, ast.Attribute)
        and not _module(subject, call.func.value)
    ):
        _found(subject, call, ".numpy() needs the value of a tensor, which has none while the graph is traced.")
    elif name.startswith("numpy.") and any(subject.tensor(item) for item in call.args):
        _found(subject, call, f"NumPy's {name.rpartition('.')[2]} gets a tensor that has no value while the graph is traced.")
    elif _makes_at_each_call(function, why) and subject.kinds.of(call) in _MADE and not _without_variables(name):
        _check_made(subject, call, name)


def _without_variables(name: str) -> bool:
    """Return whether a layer of Keras has no variables, so that it may be made anywhere."""
    last = name.rpartition(".")[2]
    return name.startswith("keras.layers.") and (last in _PLAIN_LAYERS or last.startswith(_PLAIN_FAMILIES))


def _makes_at_each_call(function: Function, why: str) -> bool:
    """A method called by a traced function often creates its variables only once, guarded in ways that cannot be seen here."""
    return why in ("function", "layer") or (why == "called" and function.klass is None)


def _module(subject: Subject, node: ast.expr) -> bool:
    return bool(subject.program.name_of(node))


def _found(subject: Subject, node: ast.AST, message: str) -> None:
    subject.report.found("python_value_of_tensor", node, message, "warning")


def _check_kept(subject: Subject, function: Function, node: ast.Assign) -> None:
    for target in node.targets:
        outside = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        value = node.value.body if isinstance(node.value, ast.IfExp) else node.value
        if outside and function.klass is not None and subject.kinds.of(value) == "tensor":
            message = "A traced function stores a tensor in an attribute: outside the function, this tensor has no value. Store a tf.Variable."
            subject.report.found("tensor_kept_by_function", node, message, "warning")


def _check_made(subject: Subject, call: ast.Call, name: str) -> None:
    own = isinstance(call.func, ast.Name) and call.func.id in subject.program.classes
    if not name and not own:
        return
    guarded = any(
        isinstance(test, ast.Compare) and any(isinstance(operator, _GUARDS) for operator in test.ops)
        for test in subject.program.place(call).tests
    ) or any(isinstance(test, ast.UnaryOp) for test in subject.program.place(call).tests)
    if guarded:
        subject.report.fine("variables_in_function", call)
        return
    kind = subject.kinds.of(call)
    message = (
        f"A {kind} is created inside a traced function, which may create variables only on its first call. Create it outside."
    )
    subject.report.found("variables_in_function", call, message, "error")


# -------------------------------------------------------------------- symbolic inputs


def _check_keras_argument(subject: Subject, call: ast.Call) -> None:
    name = subject.program.callee(call)
    if not name.startswith("tensorflow.") or name in ("tensorflow.function", "tensorflow.Variable"):
        return
    for item in call.args[:3]:
        parts = item.elts if isinstance(item, (ast.List, ast.Tuple)) else [item]
        if any(subject.kinds.of(part) == "keras_tensor" for part in parts):
            bundled = not any(root.startswith("keras") for root in subject.program.imports.values())
            message = f"{name.replace('tensorflow.', 'tf.')} gets the output of keras.Input or of a layer, which Keras 3 rejects. Use keras.ops or a layer."
            subject.report.found("tf_op_on_keras_input", call, message, "note" if bundled else "error")
            return


# -------------------------------------------------------------------- calls


def _check_shared(subject: Subject, function: Function, calls: list[ast.Call]) -> None:
    given: dict[int, set[object]] = {}
    for call in calls:
        for position, item in enumerate(call.args):
            if subject.kinds.of(item) not in ("model", "optimizer") or not isinstance(item, ast.Name):
                continue
            bound = subject.program.binding(item.id, item)
            if bound is None:
                continue
            given.setdefault(position, set()).add(id(bound))
            around = subject.program.place(call).loops
            if len(given[position]) > 1 or (around and around[-1] in bound.place.loops):
                message = "One tf.function is called with several models or optimizers, but it can only create the variables of the first."
                subject.report.found("function_shared_by_models", call, message, "error")
                return
    if given:
        subject.report.fine("function_shared_by_models", calls[0])


def _check_arguments(subject: Subject, call: ast.Call) -> None:
    place = subject.program.place(call)
    if place.function in subject.traced:
        return
    for item in (*call.args, *(keyword.value for keyword in call.keywords)):
        if place.loops and _changing_number(subject, item, place.loops):
            message = "A tf.function is traced again for each new Python number. Pass a tensor, for example tf.constant(...)."
            subject.report.found("python_arguments_to_function", item, message, "warning", "constant-argument")
        elif subject.tensor(item):
            subject.report.fine("python_arguments_to_function", call)


def _changing_number(subject: Subject, node: ast.expr, loops: tuple[ast.AST, ...]) -> bool:
    if isinstance(node, ast.Call):
        return (isinstance(node.func, ast.Name) and node.func.id in ("float", "int")) or method(node) == "item"
    if isinstance(node, ast.BinOp):
        return _changing_number(subject, node.left, loops) or _changing_number(subject, node.right, loops)
    if not isinstance(node, ast.Name):
        return False
    bound = subject.program.binding(node.id, node)
    if bound is None or bound.value is None:
        return False
    if bound.how == "changed":
        return subject.kinds.of(bound.value) == "number" and bool(set(bound.place.loops) & set(loops))
    if not isinstance(bound.value, ast.Call) or not isinstance(bound.value.func, ast.Name):
        return False
    counted = bound.value.func.id
    # The epoch number changes rarely, and is often wanted as a Python number; the batch number changes on every call.
    return (bound.how == "element" and counted == "range") or (
        bound.how == "element part" and counted == "enumerate" and bound.index == 0
    )
