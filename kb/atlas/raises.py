"""The raises of a module: which exception, in which function, with which messages."""

import ast
import typing
import warnings

from tfhelp.kb.atlas.fingerprint import Anchored, anchored
from tfhelp.kb.atlas.messages import Scope, alternatives, inner

_NO_MESSAGE = {"NotImplementedError", "StopIteration", "SystemExit", "KeyboardInterrupt"}
_CLASSES = ("Error", "Exception")
_MESSAGE_KEYWORDS = ("message", "msg")
_OP_ERRORS = 3
"""Exceptions of ``tf.errors`` take (node_def, op, message)."""


class Raise(typing.NamedTuple):
    """A message that a function can raise.

    Attributes:
        exception: class name without its module.
        function: qualified name inside the module, ``Model.fit``; empty at the module's level.
        message: its fingerprint and anchor.
    """

    exception: str
    function: str
    message: Anchored


def parsed(source: bytes, name: str) -> ast.Module | None:
    """The syntax tree; None if today's Python cannot parse it (a print statement, tabs mixed with spaces)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source, name)
        except (SyntaxError, ValueError):
            return None


def raises(module: ast.Module) -> list[Raise]:
    """Every raise and assertion of a module that has a message with a fixed word, in source order."""
    scope = Scope(module)
    found: dict[Raise, None] = {}
    _collect(module.body, "", scope, None, found)
    return list(found)


_Function = ast.FunctionDef | ast.AsyncFunctionDef | None


def _collect(body: typing.Iterable[ast.AST], place: str, scope: Scope, function: _Function, found: dict[Raise, None]) -> None:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            scope.enter(node)
            _collect(node.body, f"{place}.{node.name}".lstrip("."), scope, node, found)
            scope.enter(function)
        elif isinstance(node, ast.ClassDef):
            _collect(node.body, f"{place}.{node.name}".lstrip("."), scope, function, found)
        elif isinstance(node, ast.Raise | ast.Assert):
            found.update(dict.fromkeys(of_statement(node, place, scope)))
        else:
            _collect(inner(node), place, scope, function, found)


def of_statement(node: ast.AST, place: str, scope: Scope) -> list[Raise]:
    """The messages of a ``raise`` or ``assert`` that have a fixed word.

    Args:
        node: the statement.
        place: qualified name of its function.
        scope: the scope, with the function entered.
    """
    found: dict[Raise, None] = {}
    if isinstance(node, ast.Raise):
        for made in _raised(node.exc, scope):
            _add(_exception(made), _message(made), place, scope, found)
    elif isinstance(node, ast.Assert) and node.msg is not None:
        _add("AssertionError", [node.msg], place, scope, found)
    return list(found)


def _raised(raised: ast.expr | None, scope: Scope) -> list[ast.Call]:
    """The calls that create the raised exception; a name stands for the calls assigned to it."""
    if isinstance(raised, ast.Call):
        return _made(raised, scope)
    assigned = [value for _, value in scope.assigned(raised.id)] if isinstance(raised, ast.Name) else []
    return [value for value in assigned if isinstance(value, ast.Call) and _exception(value).endswith(_CLASSES)]


def _made(call: ast.Call, scope: Scope) -> list[ast.Call]:
    """The calls that create the exception: the raised one, or those that a helper of the module returns."""
    helper = scope.functions.get(_exception(call))
    if helper is None:
        return [call]
    returned = [node.value for node in ast.walk(helper) if isinstance(node, ast.Return)]
    made = [value for value in returned if isinstance(value, ast.Call) and _exception(value).endswith(_CLASSES)]
    return made or [call]


def _exception(call: ast.Call) -> str:
    """The class of the exception that a call creates; empty if it is computed."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr if not call.func.attr.startswith("__") else ""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _message(call: ast.Call) -> list[ast.expr]:
    """The arguments that make up the message."""
    for keyword in call.keywords:
        if keyword.arg in _MESSAGE_KEYWORDS:
            return [keyword.value]
    if len(call.args) == _OP_ERRORS and all(_is_no_text(argument) for argument in call.args[:2]):
        return [call.args[2]]
    return list(call.args)


def _is_no_text(node: ast.expr) -> bool:
    return not isinstance(node, ast.JoinedStr | ast.BinOp) and not (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _add(exception: str, message: list[ast.expr], place: str, scope: Scope, found: dict[Raise, None]) -> None:
    if not message or (exception in _NO_MESSAGE and len(message) != 1):
        return
    wholes: list[list[typing.Any]] = [[]]
    for argument in message:
        wholes = [[*head, *([" "] if head else []), *tail] for head in wholes for tail in alternatives(argument, scope)]
    for pieces in wholes[:16]:
        made = anchored(pieces)
        if made is not None:
            found[Raise(exception, place, made)] = None
