"""Worker processes started next to TensorFlow."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.places import Place
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("multiprocessing_workers", "main_guard_missing")
LACKS = ("main_guard_missing",)

_POOLS = (
    "multiprocessing.Pool",
    "multiprocessing.Process",
    "multiprocessing.pool.Pool",
    "concurrent.futures.ProcessPoolExecutor",
    "os.fork",
)


def check(subject: Subject) -> None:
    """Check every call that starts processes."""
    program = subject.program
    spawned = any(_start_method(subject, call) in ("spawn", "forkserver") for call in program.of(ast.Call))
    for call in program.of(ast.Call):
        name = program.callee(call)
        if constant(program, argument(call, None, "use_multiprocessing")) is True:
            message = "use_multiprocessing=True forks a process that runs TensorFlow, which can hang or crash; Keras 3 moved this argument."
            subject.report.found(
                "multiprocessing_workers", argument(call, None, "use_multiprocessing") or call, message, "warning"
            )
            _check_guard(subject, call, False)
        elif name in _POOLS or _of_context(subject, call):
            message = (
                "Worker processes are started in a program that uses TensorFlow; forked workers inherit its locks and may hang."
            )
            subject.report.found("multiprocessing_workers", call, message, "note" if spawned else "warning")
            _check_guard(subject, call, spawned)


def _start_method(subject: Subject, call: ast.Call) -> object:
    if subject.program.callee(call) in ("multiprocessing.set_start_method", "multiprocessing.get_context"):
        return constant(subject.program, argument(call, 0, "method"))
    return None


def _of_context(subject: Subject, call: ast.Call) -> bool:
    """``context.Pool(...)`` or ``context.Process(...)`` of ``multiprocessing.get_context``."""
    receiver = getattr(call.func, "value", None)
    if method(call) not in ("Pool", "Process"):
        return False
    if isinstance(receiver, ast.Name):
        bound = subject.program.binding(receiver.id, receiver)
        receiver = bound.value if bound is not None and bound.how == "value" else None
    return isinstance(receiver, ast.Call) and subject.program.callee(receiver) == "multiprocessing.get_context"


def _check_guard(subject: Subject, call: ast.Call, spawned: bool) -> None:
    if _guarded(subject, subject.program.place(call), 0):
        subject.report.fine("main_guard_missing", call)
    else:
        message = 'Processes are started without if __name__ == "__main__": each spawned process runs this line again.'
        subject.report.found("main_guard_missing", call, message, "warning" if spawned else "note")


def _guarded(subject: Subject, place: Place, depth: int) -> bool:
    if any(isinstance(node, ast.Name) and node.id == "__name__" for test in place.tests for node in ast.walk(test)):
        return True
    if place.function is None:
        return False
    if depth > 6 or not place.function.calls_to:
        return True  # a function that nothing here calls is called by the code that imports the file
    return all(_guarded(subject, subject.program.place(call), depth + 1) for call in place.function.calls_to[:20])
