"""Memory growth of GPUs: whether it is requested in time, and for all of them."""

import ast

from tfhelp.collectors.code.program import argument
from tfhelp.collectors.code.subject import Subject

FACTS = ("memory_growth_too_late", "memory_growth_for_some_gpus")

_GROWTH = ("tensorflow.config.experimental.set_memory_growth", "tensorflow.config.set_memory_growth")
_VISIBLE = ("tensorflow.config.set_visible_devices", "tensorflow.config.experimental.set_visible_devices")
_STARTS = frozenset(("tensor", "variable", "model", "strategy", "layer", "dataset", "optimizer"))
_STARTING = ("tensorflow.config.list_logical_devices", "tensorflow.test.gpu_device_name", "tensorflow.test.is_gpu_available")


def check(subject: Subject) -> None:
    """Check every call of set_memory_growth."""
    program = subject.program
    calls = [call for call in program.of(ast.Call) if program.callee(call) in _GROWTH]
    if not calls:
        return
    chosen = any(program.callee(call) in _VISIBLE for call in program.of(ast.Call))
    first_use = next((call for call in program.of(ast.Call) if _starts(subject, call)), None)
    singles = [call for call in calls if _one_of_several(call)]
    for call in calls:
        place = program.place(call)
        if first_use is not None and place.function is None and first_use.lineno < call.lineno:
            message = f"Line {first_use.lineno} already uses TensorFlow; call set_memory_growth before it."
            subject.report.found("memory_growth_too_late", call, message, "error")
        elif place.function is None:
            subject.report.fine("memory_growth_too_late", call)
    if singles and len(singles) == len(calls) and len(calls) == 1 and not chosen:
        message = "Memory growth is set for only one GPU; with several GPUs it must be the same for all. Loop over the list."
        subject.report.found("memory_growth_for_some_gpus", singles[0], message, "warning")
    else:
        subject.report.fine("memory_growth_for_some_gpus", calls[0])


def _starts(subject: Subject, call: ast.Call) -> bool:
    """Return whether a call at module level makes TensorFlow open its devices."""
    if subject.program.place(call).function is not None:
        return False
    name = subject.program.callee(call)
    return name in _STARTING or (bool(name) and subject.kinds.of(call) in _STARTS)


def _one_of_several(call: ast.Call) -> bool:
    device = argument(call, 0, "device")
    return isinstance(device, ast.Subscript) and isinstance(device.slice, ast.Constant) and device.slice.value == 0
