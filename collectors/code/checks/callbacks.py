"""Callbacks: the metrics that they monitor, and those that end training."""

import ast
import re
import typing

from tfhelp.collectors.code import models
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.program import Program, argument, has_star, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("exit_in_callback", "early_stopping", "terminate_on_nan", "monitor_not_reported", "monitor_without_validation")

_EXITS = frozenset(("sys.exit", "os._exit", "os.abort"))
_MONITORING = {"EarlyStopping": 0, "ReduceLROnPlateau": 0, "ModelCheckpoint": 1}  # the position of the argument monitor
_ALWAYS_REPORTED = frozenset(("loss", "lr", "learning_rate"))
_ACCURACY = frozenset(("acc", "accuracy"))  # Keras before 2.3, and tf.keras of TensorFlow 1, report "accuracy" as "acc"
_MISSPELT_PREFIX = re.compile(r"(?i)(?P<prefix>value|valid|validation|test)[_ -](?P<base>loss|acc\w*)")


class _Reported(typing.NamedTuple):
    """What the program's calls of compile tell fit to report.

    Attributes:
        names: names of the metrics, without ``val_``.
        known: whether these are all names.
    """

    names: frozenset[str]
    known: bool


def check(subject: Subject) -> None:
    """Check every callback of the program."""
    program = subject.program
    reported = None
    for call in program.of(ast.Call):
        name = program.callee(call)
        if name == "keras.callbacks.EarlyStopping":
            subject.report.found("early_stopping", call, "EarlyStopping may end training before the last epoch.", "note")
        elif name == "keras.callbacks.TerminateOnNaN":
            subject.report.found("terminate_on_nan", call, "TerminateOnNaN ends training at the first NaN loss.", "note")
        elif name in _EXITS or (isinstance(call.func, ast.Name) and call.func.id in ("exit", "quit")):
            _check_exit(subject, call)
        package, _, klass = name.rpartition(".")
        if package == "keras.callbacks" and klass in _MONITORING:
            reported = reported or _reported(subject)
            _check_monitor(subject, call, klass, reported)


def _check_exit(subject: Subject, call: ast.Call) -> None:
    klass = subject.program.place(call).klass
    if klass is not None and subject.kinds.of_class(klass.name) == "callback":
        message = "A callback ends the whole process; set self.model.stop_training = True instead."
        subject.report.found("exit_in_callback", call, message, "warning")


def _check_monitor(subject: Subject, call: ast.Call, klass: str, reported: _Reported) -> None:
    program = subject.program
    given = argument(call, _MONITORING[klass], "monitor")
    monitored = constant(program, given) if given is not None else "val_loss"
    unused = klass == "ModelCheckpoint" and constant(program, argument(call, None, "save_best_only")) is not True
    if unused or not isinstance(monitored, str) or (given is None and has_star(call)):
        return
    base = monitored.removeprefix("val_")
    node = given or call
    misspelt = _MISSPELT_PREFIX.fullmatch(monitored)
    if misspelt and misspelt["prefix"] not in _named_outputs(program) and monitored not in reported.names:
        message = f"fit reports no {monitored!r}: names of validation metrics begin with val_."
        subject.report.found("monitor_not_reported", node, message, "warning")
    elif base in reported.names or base in _ALWAYS_REPORTED:
        subject.report.fine("monitor_not_reported", node)
    elif reported.known:
        names = ", ".join(sorted(reported.names | {"loss"}))
        message = f"fit reports no {monitored!r}: the model is compiled with {names}, also with val_ if there is validation."
        right_once = base in _ACCURACY and bool(_ACCURACY & reported.names) and not _is_of_tensorflow(program, call)
        subject.report.found("monitor_not_reported", node, message, "note" if right_once else "warning")
    if monitored != base and not misspelt:
        _check_validation(subject, call, node, monitored)


def _is_of_tensorflow(program: Program, call: ast.Call) -> bool:
    """Return whether the program takes a class from ``tf.keras``, as programs for TensorFlow 2 do."""
    return program.written_name(call.func).startswith("tensorflow.")


def _check_validation(subject: Subject, callback: ast.Call, node: ast.AST, monitored: str) -> None:
    """Check that each fit that gets the callback also gets validation data."""
    fits = [
        call for call in subject.program.of(ast.Call) if method(call) in models.FITS and _gets(subject.program, call, callback)
    ]
    if any(has_star(fit) for fit in fits):
        return
    without = [fit for fit in fits if not _validates(fit)]
    if without and len(without) == len(fits):
        message = f"A callback monitors {monitored!r}, but fit gets no validation data."
        subject.report.found("monitor_without_validation", without[0], message, "warning")
    elif fits and not without:
        subject.report.fine("monitor_without_validation", node)


def _validates(fit: ast.Call) -> bool:
    if method(fit) == "fit_generator":
        return len(fit.args) > 5 or argument(fit, None, "validation_data") is not None
    return any(argument(fit, position, name) is not None for position, name in ((6, "validation_split"), (7, "validation_data")))


def _gets(program: Program, fit: ast.Call, callback: ast.Call) -> bool:
    """Return whether a call of fit passes the callback in a list, or by itself."""
    given = argument(fit, 5 if method(fit) == "fit" else None, "callbacks")
    return any(_value(program, item) is callback for item in _items(program, given))


def _value(program: Program, node: ast.AST | None) -> ast.AST | None:
    """The expression that a name stands for, or the expression itself."""
    if isinstance(node, ast.Name):
        bound = program.binding(node.id, node)
        return bound.value if bound is not None and bound.how == "value" else None
    return node


def _items(program: Program, given: ast.expr | None) -> list[ast.expr]:
    """The items of a list, or one expression that stands for itself; nothing for an argument that is not given."""
    if given is None:
        return []
    value = _value(program, given)
    return value.elts if isinstance(value, (ast.List, ast.Tuple)) else [given]


def _named_outputs(program: Program) -> frozenset[object]:
    """Names that layers are given; fit reports the loss of an output as ``<name>_loss``."""
    return frozenset(constant(program, argument(call, None, "name")) for call in program.of(ast.Call))


def _reported(subject: Subject) -> _Reported:
    program = subject.program
    calls = [call for call in program.of(ast.Call) if method(call) == "compile" and not program.callee(call)]
    names: set[str] = set()
    known = bool(calls) and not _reports_more(program)
    for call in calls:
        known = known and not has_star(call) and _is_one_loss(program, argument(call, 1, "loss"))
        for position, argument_name in ((2, "metrics"), (None, "weighted_metrics")):
            for item in _items(program, argument(call, position, argument_name)):
                found = _names_of(program, item)
                names.update(found)
                known = known and bool(found)
    return _Reported(frozenset(names), known)


def _is_one_loss(program: Program, given: ast.expr | None) -> bool:
    """Return whether a loss is one for the only output: with several losses, the names of outputs come before those of metrics."""
    if given is None:
        return False
    return isinstance(_value(program, given), (ast.Constant, ast.Call, ast.Attribute)) or program.function_of(given) is not None


def _reports_more(program: Program) -> bool:
    """Return whether the program may report names that compile does not show.

    A training step or a callback of its own can write to the logs, add_metric adds a name, and a model with several outputs puts
    the name of the output before that of the metric.
    """
    written = any(isinstance(node.ctx, ast.Store) and _is_logs(node.value) for node in program.of(ast.Subscript))
    updated = any(_is_logs(node.value) and node.attr == "update" for node in program.of(ast.Attribute))
    steps = any({"train_step", "test_step"} & set(klass.methods) for klass in program.classes.values())
    added = any(method(call) == "add_metric" for call in program.of(ast.Call))
    outputs = (argument(call, 1, "outputs") for call in program.of(ast.Call) if program.callee(call) == "keras.Model")
    several = any(isinstance(_value(program, output), (ast.List, ast.Tuple, ast.Dict)) for output in outputs)
    return written or updated or steps or added or several


def _is_logs(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "logs"


def _names_of(program: Program, item: ast.expr) -> set[str]:
    """The names under which fit may report a metric; empty if the program does not show it.

    Keras 3 reports a string as it is. Keras 2 reports the name of a class in snake case (tried with Keras 3.15 and 2.15).
    """
    value = constant(program, item)
    if isinstance(value, str):
        return {value, _snake(value)}
    made = _value(program, item)
    if isinstance(made, ast.Call):
        return _names_of_made(program, made)
    name = program.name_of(made) if isinstance(made, (ast.Name, ast.Attribute)) else ""
    if name.startswith(("keras.metrics.", "keras.losses.")):
        last = name.rpartition(".")[2]
        return {last, _snake(last)}
    function = program.function_of(item)
    return {item.id} if function is not None and isinstance(item, ast.Name) else set()


def _names_of_made(program: Program, made: ast.Call) -> set[str]:
    """The names of a metric object."""
    name = program.callee(made)
    if not name.startswith("keras.metrics.") or has_star(made):
        return set()
    given = argument(made, None, "name")
    if given is not None:
        own = constant(program, given)
        return {own} if isinstance(own, str) else set()
    if made.args and name.rpartition(".")[2] not in ("MeanIoU", "TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy"):
        return set()  # the name may be among the positional arguments
    return {_snake(name.rpartition(".")[2])}


def _snake(name: str) -> str:
    """A class name in snake case, by Keras's rule: ``MeanIoU`` becomes ``mean_io_u``."""
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)).lower()
