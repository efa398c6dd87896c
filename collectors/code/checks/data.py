"""Data sets: batches, repetition, number of steps, signatures of generators, what is kept in memory."""

import ast

from tfhelp.collectors.code import datasets
from tfhelp.collectors.code.datasets import Chain
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import USES
from tfhelp.collectors.code.places import Function
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = (
    "generator_without_signature",
    "dataset_not_batched",
    "repeat_missing",
    "generator_ends",
    "steps_exceed_data",
    "large_shuffle_buffer",
    "decoded_data_cached",
    "converted_copy_of_array",
)
# Lengths and sizes mostly come from files.
UNSETTLED = ("dataset_not_batched", "repeat_missing", "steps_exceed_data", "large_shuffle_buffer")

_BATCHES = ("batch", "padded_batch", "ragged_batch", "bucket_by_sequence_length", "dense_to_ragged_batch", "window", "rebatch")
_MAKE_OWN_SHAPE = ("tensorflow.random.", "tensorflow.zeros", "tensorflow.ones", "tensorflow.fill", "tensorflow.gather")
_UNCLEAR = ("apply", "interleave", "flat_map", "scan", "unbatch", "distribute")
_SINGLE_ROOTS = frozenset(("from_tensor_slices", "range", "TFRecordDataset", "TextLineDataset", "list_files"))
_GROW = frozenset(("map", "interleave", "flat_map"))
_LARGE_BUFFER = 20_000  # decoded elements; for images of 224 x 224 x 3 floats that is 12 GB


def check(subject: Subject) -> None:
    """Check every data set where it is created and where it is used."""
    for loop in subject.program.of(ast.For):
        _check_loop(subject, loop)
    for call in subject.program.of(ast.Call):
        name = method(call)
        if name == "from_generator" and subject.program.callee(call).startswith("tensorflow.data."):
            _check_signature(subject, call)
        elif name == "from_tensor_slices":
            _check_copy(subject, call)
        elif name == "shuffle" and subject.kinds.of(call) == "dataset":
            _check_buffer(subject, call)
        elif name == "cache" and not call.args and subject.kinds.of(call) == "dataset":
            _check_cache(subject, call)
        elif name in USES and call.args and subject.kinds.of(getattr(call.func, "value", None)) == "model":
            _check_use(subject, call)


def _check_signature(subject: Subject, call: ast.Call) -> None:
    if argument(call, 1, "output_types") is None and argument(call, None, "output_signature") is None:
        message = "from_generator needs output_signature=...: without it, TensorFlow does not know what the generator yields."
        subject.report.found("generator_without_signature", call, message, "error")
    else:
        subject.report.fine("generator_without_signature", call)


def _check_copy(subject: Subject, call: ast.Call) -> None:
    """``from_tensor_slices((images.astype("float32") / 255, labels))``: a wider copy of the data, and one in the graph."""
    given = argument(call, 0, "tensors")
    parts = given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given] if given is not None else []
    for part in parts:
        inner: ast.expr = part
        while isinstance(inner, ast.BinOp):
            inner = inner.left
        if isinstance(inner, ast.Call) and method(inner) == "astype":
            message = "This converts the whole array in memory; create the data set from the original array, and convert in map."
            subject.report.found("converted_copy_of_array", part, message, "note")


def _check_buffer(subject: Subject, call: ast.Call) -> None:
    """A large buffer after ``map`` holds the results of map (decoded images); before it, only names or numbers."""
    size = constant(subject.program, argument(call, 0, "buffer_size"))
    if not isinstance(size, int):
        return
    chain = datasets.chain_of(subject.program, call.func.value if isinstance(call.func, ast.Attribute) else None)
    grown = any(name in _GROW and _decodes(subject, step) for name, step in chain.steps)
    if size >= _LARGE_BUFFER and grown and chain.known:
        message = f"The buffer keeps {size} elements that map has already processed; shuffle before map, or use a smaller buffer."
        subject.report.found("large_shuffle_buffer", call, message, "warning")
    else:
        subject.report.fine("large_shuffle_buffer", call)


def _check_cache(subject: Subject, call: ast.Call) -> None:
    """``cache()`` without a file keeps everything that came before it in memory."""
    chain = datasets.chain_of(subject.program, call.func.value if isinstance(call.func, ast.Attribute) else None)
    if any(name in _GROW and _decodes(subject, step) for name, step in chain.steps):
        message = "cache() keeps all decoded data in memory; call cache(file) to keep them on disk, or call cache() before map."
        subject.report.found("decoded_data_cached", call, message, "note")
    else:
        subject.report.fine("decoded_data_cached", call)


def _decodes(subject: Subject, step: ast.Call) -> bool:
    """Return whether a map turns small elements into large ones: it reads, decodes or resizes."""
    given = argument(step, 0, "map_func")
    function = subject.program.function_of(given) if given is not None else None
    if function is None:
        return False
    names = [subject.program.callee(call) for call in subject.body_calls(function)]
    return any(name.startswith("tensorflow.image.") or ".decode_" in name or name.endswith("read_file") for name in names)


def _check_use(subject: Subject, call: ast.Call) -> None:
    chain = datasets.chain_of(subject.program, call.args[0])
    generator = _generator_of(subject, call.args[0])
    if generator is not None:
        _check_generator(subject, call, generator)
    elif chain.root is not None and subject.kinds.of(chain.root) == "dataset":
        _check_batched(subject, call, chain)
        _check_length(subject, call, chain)


def _check_batched(subject: Subject, call: ast.Call, chain: Chain) -> None:
    root = datasets.root_name(subject.program, chain)
    if chain.has(*_BATCHES):
        subject.report.fine("dataset_not_batched", call)
    elif root in _SINGLE_ROOTS and not chain.has(*_UNCLEAR) and not _adds_axis(subject, chain):
        message = "The data set is not batched: the model gets one sample without a batch axis. Add .batch(32)."
        subject.report.found("dataset_not_batched", call.args[0], message, "error")


def _adds_axis(subject: Subject, chain: Chain) -> bool:
    """Return whether a map may make batches itself; true if its function is not known."""
    for name, step in chain.steps:
        if name != "map":
            continue
        given = argument(step, 0, "map_func")
        function = subject.program.function_of(given) if given is not None else None
        if function is None:
            return True
        for node in ast.walk(function.node):
            if (
                isinstance(node, ast.Constant)
                and node.value is None
                and isinstance(subject.program.parents.get(node), (ast.Tuple, ast.Subscript))
            ):
                return True
            if isinstance(node, ast.Call) and (method(node) or getattr(node.func, "id", "")) in (
                "expand_dims",
                "reshape",
                "stack",
                "newaxis",
            ):
                return True
            if isinstance(node, ast.Attribute) and node.attr == "newaxis":
                return True
            if isinstance(node, ast.Call) and subject.program.callee(node).startswith(_MAKE_OWN_SHAPE):
                return True
    return False


def _check_length(subject: Subject, call: ast.Call, chain: Chain) -> None:
    steps = argument(call, None, "steps_per_epoch")
    if steps is None or (isinstance(steps, ast.Constant) and steps.value is None):
        return
    if chain.has("repeat", "apply", "interleave", "flat_map"):
        subject.report.fine("repeat_missing", call)
        subject.report.fine("steps_exceed_data", call)
        return
    count, wanted = datasets.batches(subject.program, chain), _steps(subject, steps)
    if wanted is None or count is None:
        return
    if wanted > count:
        message = f"steps_per_epoch is {wanted}, but one pass through this data set has {count} batches."
        subject.report.found("steps_exceed_data", steps, message, "warning")
    else:
        subject.report.fine("steps_exceed_data", steps)
    epochs = constant(subject.program, argument(call, None, "epochs"))
    if isinstance(epochs, int) and wanted * epochs > count and wanted != count:
        message = (
            f"{epochs} epochs of {wanted} steps need {wanted * epochs} batches; without .repeat(), the data set has {count}."
        )
        subject.report.found("repeat_missing", call, message, "warning")


def _check_loop(subject: Subject, loop: ast.For) -> None:
    """``for step, batch in zip(range(STEPS), dataset)``: the data set must have a batch for every step."""
    call = loop.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "zip" and len(call.args) == 2):
        return
    wanted = next((count for item in call.args if (count := _counted(subject, item)) is not None), None)
    chains = [datasets.chain_of(subject.program, item) for item in call.args]
    chain = next((found for found in chains if found.root is not None and subject.kinds.of(found.root) == "dataset"), None)
    if wanted is None or chain is None:
        return
    if chain.has("repeat"):
        subject.report.fine("repeat_missing", call)
        return
    count = datasets.batches(subject.program, chain)
    if count is not None and wanted > count:
        message = f"The loop needs {wanted} batches; without .repeat(), the data set has {count}."
        subject.report.found("repeat_missing", call, message, "warning")
    elif count is not None:
        subject.report.fine("repeat_missing", call)


def _counted(subject: Subject, node: ast.expr) -> int | None:
    """The number of values that a ``range(...)`` yields."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and len(node.args) < 3):
        return None
    limits = [constant(subject.program, item) for item in node.args]
    whole = [value for value in limits if isinstance(value, int) and not isinstance(value, bool)]
    return whole[-1] - (whole[0] if len(whole) == 2 else 0) if whole and len(whole) == len(limits) else None


def _steps(subject: Subject, node: ast.expr) -> int | None:
    value = constant(subject.program, node)
    if isinstance(node, ast.Name):
        bound = subject.program.binding(node.id, node)
        node = bound.value if bound is not None and bound.how == "value" and bound.value is not None else node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        value = datasets.length(subject.program, node.args[0])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _generator_of(subject: Subject, node: ast.expr) -> Function | None:
    """The generator function of the program whose call is passed to fit."""
    if isinstance(node, ast.Name):
        bound = subject.program.binding(node.id, node)
        node = bound.value if bound is not None and bound.how == "value" and bound.value is not None else node
    function = subject.program.function_of(node.func) if isinstance(node, ast.Call) else None
    if function is None or not any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(function.node)):
        return None
    return function


def _check_generator(subject: Subject, call: ast.Call, generator: Function) -> None:
    """A generator that feeds several epochs with a fixed number of steps must not end."""
    epochs = constant(subject.program, argument(call, None, "epochs"))
    if argument(call, None, "steps_per_epoch") is None or not isinstance(epochs, int) or epochs < 2:
        return
    endless = any(isinstance(node, ast.While) for node in ast.walk(generator.node)) or any(
        method(inner) in ("cycle", "repeat") for inner in subject.body_calls(generator)
    )
    if endless:
        subject.report.fine("repeat_missing", call)
        subject.report.fine("generator_ends", call)
    elif isinstance(call.args[0], (ast.Call, ast.Name)):
        message = f"The generator ends after one pass, but fit needs {epochs} epochs from it; put its loop inside while True."
        subject.report.found("repeat_missing", call, message, "warning")
        subject.report.found("generator_ends", call.args[0], "This generator yields each batch once.", "note")
