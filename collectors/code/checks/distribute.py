"""Training on several devices: what is made inside ``strategy.scope()``, what runs on the replicas, how data is sharded."""

import ast

from tfhelp.collectors.code import datasets
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import FITS
from tfhelp.collectors.code.places import Function, Place
from tfhelp.collectors.code.program import argument, has_star, method
from tfhelp.collectors.code.subject import RUNS, Subject

FACTS = (
    "model_outside_scope",
    "load_outside_scope",
    "step_not_run_by_strategy",
    "assign_in_replica_context",
    "drop_remainder_missing",
    "batch_below_replicas",
    "collective_call_on_one_worker",
)
UNSETTLED = ("batch_below_replicas",)  # the text seldom shows how many devices there are
_ONE_WORKER = ("rank", "chief", "task_index", "worker_index", "task_id")


def check(subject: Subject) -> None:
    """Look for the faults of a distributed program; without a strategy none of them can occur."""
    strategies = [
        call for call in subject.program.of(ast.Call) if subject.kinds.of(call) == "strategy" and subject.program.callee(call)
    ]
    scopes = [call for call in subject.program.of(ast.Call) if method(call) == "scope" and not call.args]
    if not strategies and not scopes:
        return
    if not any(method(call) == "__enter__" for call in subject.program.of(ast.Call)):
        _check_scope(subject)
    _check_steps(subject)
    _check_assignments(subject)
    _check_data(subject, strategies)
    _check_workers(subject, strategies)


# -------------------------------------------------------------------- the scope


def _check_scope(subject: Subject) -> None:
    made = [(call, kind) for call in subject.program.of(ast.Call) if (kind := _made(subject, call))]
    places = {call: _where(subject, subject.program.place(call), 0) for call, _ in made}
    inside = {_noun(kind) for call, kind in made if places[call] == "inside"}
    for call, kind in made:
        fact = "load_outside_scope" if kind == "loaded" else "model_outside_scope"
        if places[call] == "inside":
            subject.report.fine(fact, call)
        # If another one is made inside, this one is separate (a model that is loaded again to test it), unless it is compiled inside.
        elif places[call] == "outside" and (_noun(kind) not in inside or _compiled_inside(subject, call)):
            what, noun = "loaded" if kind == "loaded" else "made", _noun(kind)
            subject.report.found(
                fact,
                call,
                f"This {noun} is {what} outside strategy.scope(): its variables do not belong to the strategy.",
                "error",
            )


def _made(subject: Subject, call: ast.Call) -> str:
    """What a call makes, if it has variables: model, optimizer, metric or loaded; calls of own functions are not followed."""
    if subject.kinds.loads(call):
        return "loaded"
    name = subject.program.callee(call)
    own_class = isinstance(call.func, ast.Name) and call.func.id in subject.program.classes
    kind = subject.kinds.of(call)
    return kind if (name or own_class) and kind in ("model", "optimizer", "metric") else ""


def _noun(kind: str) -> str:
    return "model" if kind == "loaded" else kind


def _compiled_inside(subject: Subject, call: ast.Call) -> bool:
    """Return whether a model is compiled inside a scope."""
    return any(
        _where(subject, subject.program.place(inner), 0) == "inside"
        for model in subject.models
        if model.made is call
        for inner in model.compiles
    )


def _where(subject: Subject, place: Place, depth: int) -> str:
    """Return whether a place runs inside a scope: inside, outside or, if the text does not show it, neither (empty)."""
    if any(_is_scope(subject, item) for item in place.withs):
        return "inside"
    function = place.function
    if function is None:
        return "" if _not_run(place) else "outside"
    if depth > 6 or function in subject.run_by_strategy:
        return ""
    found = {_where(subject, subject.program.place(call), depth + 1) for call in function.calls_to[:50]}
    return "inside" if "inside" in found else "outside" if "outside" in found else ""


def _not_run(place: Place) -> bool:
    return place.klass is not None


def _is_scope(subject: Subject, item: ast.expr) -> bool:
    if isinstance(item, ast.Name):
        bound = subject.program.binding(item.id, item)
        item = bound.value if bound is not None and bound.how == "value" and bound.value is not None else item
    if isinstance(item, ast.IfExp):
        return _is_scope(subject, item.body) or _is_scope(subject, item.orelse)
    return isinstance(item, ast.Call) and method(item) == "scope" and not item.args


# -------------------------------------------------------------------- steps


def _check_steps(subject: Subject) -> None:
    program = subject.program
    for loop in program.of(ast.For):
        if not datasets.chain_of(program, _behind_iterator(loop.iter)).has("distribute"):
            continue
        for node in ast.walk(loop):
            if not isinstance(node, ast.Call):
                continue
            called = program.function_of(node.func)
            direct = program.callee(node) == "tensorflow.GradientTape"
            if direct or (called is not None and _trains(subject, called, 0) and not _runs_by_strategy(subject, called, 0)):
                subject.report.found(
                    "step_not_run_by_strategy",
                    node,
                    "This step gets one batch for each replica, but it is not called through strategy.run(step, args=(batch,)).",
                    "error",
                )
            elif method(node) in RUNS or (called is not None and _runs_by_strategy(subject, called, 0)):
                subject.report.fine("step_not_run_by_strategy", node)


def _behind_iterator(node: ast.expr) -> ast.expr:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("enumerate", "iter", "tqdm", "zip")
        and node.args
    ):
        return node.args[0]
    return node


def _trains(subject: Subject, function: Function, depth: int) -> bool:
    for call in subject.body_calls(function):
        if subject.program.callee(call) == "tensorflow.GradientTape":
            return True
        inner = subject.program.function_of(call.func)
        if inner is not None and inner is not function and depth < 3 and _trains(subject, inner, depth + 1):
            return True
    return False


def _runs_by_strategy(subject: Subject, function: Function, depth: int) -> bool:
    for call in subject.body_calls(function):
        if method(call) in RUNS:
            return True
        inner = subject.program.function_of(call.func)
        if inner is not None and inner is not function and depth < 3 and _runs_by_strategy(subject, inner, depth + 1):
            return True
    return False


def _check_assignments(subject: Subject) -> None:
    for step in subject.run_by_strategy:
        for call in subject.body_calls(step):
            if method(call) in ("assign", "assign_add", "assign_sub"):
                _check_assignment(subject, call)


def _check_assignment(subject: Subject, call: ast.Call) -> None:
    variable = getattr(call.func, "value", None)
    bound = subject.program.binding(variable.id, variable) if isinstance(variable, ast.Name) else None
    made = bound.value if bound is not None and bound.how == "value" else None
    if not isinstance(made, ast.Call) or subject.program.callee(made) != "tensorflow.Variable":
        return
    if argument(made, None, "aggregation") is not None or has_star(made):
        subject.report.fine("assign_in_replica_context", call)
        return
    central = any(subject.program.callee(other).endswith("CentralStorageStrategy") for other in subject.program.of(ast.Call))
    message = (
        "Every replica assigns to this variable, which has no aggregation: the copies differ, or TensorFlow raises an error."
    )
    subject.report.found("assign_in_replica_context", call, message, "error" if central else "note")


# -------------------------------------------------------------------- data


def _check_data(subject: Subject, strategies: list[ast.Call]) -> None:
    program = subject.program
    tpu = any(program.callee(call).endswith("TPUStrategy") for call in strategies)
    replicas = [count for call in strategies if (count := _replicas(subject, call))]
    for call in program.of(ast.Call):
        if method(call) in FITS and call.args:
            given: ast.expr | None = call.args[0]
            size = constant(program, argument(call, 3, "batch_size"))
            if isinstance(size, int) and replicas and size < min(replicas):
                _small(subject, call, size, min(replicas))
        elif method(call).startswith("experimental_distribute_dataset"):
            given = argument(call, 0, "dataset")
        else:
            continue
        chain = datasets.chain_of(program, given)
        last = next((step for name, step in reversed(chain.steps) if name in ("batch", "padded_batch")), None)
        if last is not None and chain.known:
            _check_batch(subject, chain, last, tpu, min(replicas) if replicas else 0)


def _check_batch(subject: Subject, chain: datasets.Chain, batch: ast.Call, tpu: bool, replicas: int) -> None:
    program = subject.program
    size = constant(program, argument(batch, 0, "batch_size"))
    if isinstance(size, int) and (size == 1 or size < replicas):
        _small(subject, batch, size, replicas)
    elif size is not None:
        subject.report.fine("batch_below_replicas", batch)
    dropped = argument(batch, 1 if method(batch) == "batch" else 3, "drop_remainder")
    if dropped is not None or has_star(batch) or _whole_batches(subject, chain, size) or (chain.has("repeat") and not tpu):
        subject.report.fine("drop_remainder_missing", batch)
        return
    count = datasets.samples(program, chain)
    uneven = isinstance(count, int) and isinstance(size, int) and size > 0 and count % size != 0
    subject.report.found(
        "drop_remainder_missing",
        batch,
        "The last batch may not divide evenly among the replicas; batch(..., drop_remainder=True) drops it.",
        "warning" if tpu or uneven else "note",
        "drop-remainder",
    )


def _whole_batches(subject: Subject, chain: datasets.Chain, size: object) -> bool:
    count = datasets.samples(subject.program, chain)
    return isinstance(count, int) and isinstance(size, int) and size > 0 and count % size == 0


def _small(subject: Subject, node: ast.Call, size: int, replicas: int) -> None:
    of = f" of {replicas}" if replicas else ""
    message = f"A global batch of {size} leaves replicas{of} without samples, because it is divided among them."
    subject.report.found("batch_below_replicas", node, message, "error")


def _replicas(subject: Subject, strategy: ast.Call) -> int:
    devices = argument(strategy, 0, "devices")
    return len(devices.elts) if isinstance(devices, (ast.List, ast.Tuple)) else 0


def _check_workers(subject: Subject, strategies: list[ast.Call]) -> None:
    if not any("MultiWorker" in subject.program.callee(call) for call in strategies):
        return
    for call in subject.program.of(ast.Call):
        if method(call) not in FITS | {"evaluate", "predict"} or subject.kinds.of(getattr(call.func, "value", None)) != "model":
            continue
        if any(_of_one_worker(test) for test in subject.program.place(call).tests):
            message = f"Only one worker calls {method(call)} here, and it waits forever for the others."
            subject.report.found("collective_call_on_one_worker", call, message, "error")
        else:
            subject.report.fine("collective_call_on_one_worker", call)


def _of_one_worker(test: ast.expr) -> bool:
    words = [
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(test)
        if isinstance(node, (ast.Name, ast.Attribute))
    ]
    return any(sign in word.lower() for word in words for sign in _ONE_WORKER)
