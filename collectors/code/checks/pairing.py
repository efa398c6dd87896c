"""Predictions and labels from separate passes over a data set that is reshuffled in each pass: nothing fails, but they do not match."""

import ast

from tfhelp.collectors.code import datasets
from tfhelp.collectors.code.datasets import Chain
from tfhelp.collectors.code.finding import line_of
from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("labels_in_another_order",)
UNSETTLED = FACTS  # labels may be read in ways that the text does not show

_SHUFFLE_UNLESS_TOLD = frozenset(
    (
        "image_dataset_from_directory",
        "text_dataset_from_directory",
        "audio_dataset_from_directory",
        "flow",
        "flow_from_directory",
        "flow_from_dataframe",
    )
)
_LABELS = frozenset(("classes", "labels"))  # of an iterator over a directory: in the order of the files
_COLLECT = frozenset(("append", "extend"))


def check(subject: Subject) -> None:
    """Compare the data of each ``predict`` with what the program reads labels from."""
    asked = [call for call in subject.program.of(ast.Call) if _predicts(subject, call)]
    if not asked:
        return
    labelled = [chain for node in _with_labels(subject) if (chain := datasets.chain_of(subject.program, node)).known]
    for call in asked:
        chain = datasets.chain_of(subject.program, call.args[0])
        of_same_data = [other for other in labelled if other.root is chain.root]
        if not of_same_data:
            continue
        shuffling = _shuffling(subject, chain)
        if not shuffling:
            subject.report.fine("labels_in_another_order", call)
        elif _shuffles(subject, shuffling[-1]) and any(shuffling[-1] in _calls(other) for other in of_same_data):
            message = (
                f"Line {line_of(shuffling[-1])} reshuffles the data in each pass. The labels are read in a separate pass, so they do not "
                "match these predictions."
            )
            subject.report.found("labels_in_another_order", call, message, "error")


def _predicts(subject: Subject, call: ast.Call) -> bool:
    return method(call) == "predict" and bool(call.args) and subject.kinds.of(getattr(call.func, "value", None)) == "model"


def _calls(chain: Chain) -> list[ast.Call]:
    """All calls of a chain, from the root on."""
    return ([chain.root] if chain.root is not None else []) + [call for _, call in chain.steps]


def _shuffling(subject: Subject, chain: Chain) -> list[ast.Call]:
    """The calls that give each pass another order, or may do so; none if ``cache`` keeps the order of the first pass."""
    found: list[ast.Call] = []
    for call in _calls(chain):
        if _name(subject, call) == "cache":
            found.clear()
        elif _shuffles(subject, call) is not False:
            found.append(call)
    return found


def _shuffles(subject: Subject, call: ast.Call) -> bool | None:
    """Return whether a call gives each pass another order; ``None`` if the text does not show it."""
    name = _name(subject, call)
    if name != "shuffle" and name not in _SHUFFLE_UNLESS_TOLD:
        return False
    given = argument(call, None, "reshuffle_each_iteration" if name == "shuffle" else "shuffle")
    if given is None:
        return True
    told = constant(subject.program, given)
    return told if isinstance(told, bool) else None


def _name(subject: Subject, call: ast.Call) -> str:
    return subject.program.callee(call).rpartition(".")[2] or method(call)


def _with_labels(subject: Subject) -> list[ast.expr]:
    """The data whose labels the program collects: ``[y for x, y in data]``, a loop, ``data.map``, or ``data.classes``."""
    program = subject.program
    found = [node.value for node in program.of(ast.Attribute) if node.attr in _LABELS]
    listed: list[ast.ListComp | ast.GeneratorExp] = [*program.of(ast.ListComp), *program.of(ast.GeneratorExp)]
    for node in listed:
        inner = node.generators[0]
        if _mentions(node.elt, _second_of(inner.target)) and not _mentions(node.elt, _first_of(inner.target)):
            found.append(inner.iter)
    found += [loop.iter for loop in program.of(ast.For) if _collects_labels(loop)]
    for call in program.of(ast.Call):
        if method(call) == "map" and isinstance(call.func, ast.Attribute) and _keeps_labels(subject, call):
            found.append(call.func.value)
    return found


def _collects_labels(loop: ast.For) -> bool:
    """Return whether a loop collects the second part of each element, and does nothing with the first."""
    collected = False
    for call in ast.walk(loop):
        if not isinstance(call, ast.Call):
            continue
        if any(_mentions(value, _first_of(loop.target)) for value in call.args):
            return False
        collected |= method(call) in _COLLECT and any(_mentions(value, _second_of(loop.target)) for value in call.args)
    return collected


def _keeps_labels(subject: Subject, call: ast.Call) -> bool:
    """Return whether a map returns the second part of each element: ``map(lambda x, y: y)``."""
    given = argument(call, 0, "map_func")
    function = subject.program.function_of(given) if given is not None else None
    if function is None or len(function.returns) != 1 or not isinstance(function.node, (ast.Lambda, ast.FunctionDef)):
        return False
    names = [item.arg for item in function.node.args.args]
    kept = function.returns[0]
    return len(names) == 2 and isinstance(kept, ast.Name) and kept.id == names[1]


def _first_of(target: ast.expr) -> str:
    return _name_in(target, 0)


def _second_of(target: ast.expr) -> str:
    return _name_in(target, 1)


def _name_in(target: ast.expr, place: int) -> str:
    """A name of a pair that a loop unpacks; empty if the loop does not unpack a pair."""
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return ""
    part = target.elts[place]
    return part.id if isinstance(part, ast.Name) else ""


def _mentions(node: ast.AST, name: str) -> bool:
    return bool(name) and any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
