"""Split the expression of a message into fixed text and values with their identifiers. Nothing is run.

An expression can produce several messages (``a if c else b``, a name that is assigned twice), so every function returns a list of
alternatives, at most ``MOST`` of them.
"""

import ast
import re
import string
import typing

from tfhelp.kb.atlas.fingerprint import WORD, Piece, Value

Pieces = list[Piece]
MOST = 8
"""Maximum number of alternatives that are kept for one expression."""
_DEEPEST = 6
_LONGEST_NAME = 40
_PERCENT = re.compile(r"%(?:\((\w*)\))?[#0+ -]*+(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])")
_SAME_TEXT = {"strip", "rstrip", "lstrip", "dedent", "cleandoc", "lower", "upper", "title", "capitalize", "as_text", "fill"}
"""Calls that return their text, except for white space and case."""
_CHANGES_CASE = {"lower", "upper", "title", "capitalize"}


_BODIES = ("body", "handlers", "cases", "orelse", "finalbody")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Assigned = dict[str, list[tuple[bool, ast.expr]]]


def inner(node: ast.AST) -> list[ast.AST]:
    """The statements directly inside a statement, including handlers and cases, in source order."""
    return [child for name in _BODIES for child in getattr(node, name, ())]


class Scope:
    """The meaning of names where a message is built: the expressions assigned to them, and the module's functions."""

    def __init__(self, module: ast.Module) -> None:
        self.functions: dict[str, ast.FunctionDef | None] = {}
        self.in_classes: dict[str, list[ast.expr]] = {}
        self._tables: dict[ast.AST, _Assigned] = {}
        self._module = module
        self._function: _Function | None = None
        waiting: list[ast.AST] = list(module.body)
        for node in waiting:
            waiting += inner(node)
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = None if node.name in self.functions else node
            elif isinstance(node, ast.ClassDef):
                for name, assigned in _assigned(node.body).items():
                    self.in_classes.setdefault(name, []).extend(expression for _, expression in assigned)

    def enter(self, function: _Function | None) -> None:
        """Look up names in ``function`` from now on; None means the module's top level."""
        self._function = function

    def assigned(self, name: str) -> list[tuple[bool, ast.expr]]:
        """(whether it is added to the previous value, expression) in source order."""
        local = self._table(self._function) if self._function else {}
        return local[name] if name in local else self._table(self._module).get(name, [])

    def _table(self, node: _Function | ast.Module) -> _Assigned:
        table = self._tables.get(node)
        if table is None:
            table = self._tables[node] = _assigned(node.body)
            for argument, default in () if isinstance(node, ast.Module) else _arguments(node):
                table.setdefault(argument, [(False, default)] if default else [])
        return table

    def is_argument(self, name: str) -> bool:
        """Return whether the name is an argument of the current function, so that a caller may pass anything."""
        return self._function is not None and any(argument == name for argument, _ in _arguments(self._function))

    def inside(self, function: _Function) -> "Scope":
        """The scope of another function of the same module."""
        other = Scope.__new__(Scope)
        other.__dict__.update(self.__dict__, _function=function)
        return other


def _arguments(function: _Function) -> list[tuple[str, ast.expr | None]]:
    """(name, default)."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + list(given.defaults)
    others = [(argument.arg, None) for argument in (given.vararg, given.kwarg) if argument]
    by_name = zip((argument.arg for argument in given.kwonlyargs), given.kw_defaults, strict=True)
    return [*zip((argument.arg for argument in positional), defaults, strict=True), *by_name, *others]


def _assigned(body: typing.Sequence[ast.stmt]) -> _Assigned:
    """Names that statements assign, including in branches and loops, but not in nested functions or classes."""
    found: _Assigned = {}
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append((False, node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add):
            found.setdefault(node.target.id, []).append((True, node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found.setdefault(node.target.id, []).append((False, node.value))
        waiting += reversed(inner(node))
    return found


def alternatives(node: ast.expr, scope: Scope, depth: int = 0) -> list[Pieces]:
    """The messages that an expression can produce: at least one, at most ``MOST``."""
    if depth > _DEEPEST:
        return [[Value(identifier(node))]]
    reader = _READERS.get(type(node))
    read = reader(node, scope, depth + 1) if reader else None
    return read[:MOST] if read else [[Value(identifier(node))]]


def identifier(node: ast.AST) -> str:
    """The name of an expression: a dotted name, or a call or element of one. Empty for anything longer."""
    name = _name(node)
    return name if len(name) <= _LONGEST_NAME else ""


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _name(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        function, argument = _name(node.func), _name(node.args[0])
        if function in ("str", "repr"):
            return argument
        return f"{function}({argument})" if function and argument and "(" not in argument else argument
    if isinstance(node, ast.Call):
        return _name(node.func) and f"{_name(node.func)}()"
    if isinstance(node, ast.Subscript):
        inner, index = _name(node.value), node.slice
        return f"{inner}[{index.value}]" if inner and isinstance(index, ast.Constant) and isinstance(index.value, int) else inner
    return ""


def _sum(parts: typing.Iterable[list[Pieces]]) -> list[Pieces]:
    """Every concatenation of one alternative of each part, at most ``MOST``."""
    sums: list[Pieces] = [[]]
    for part in parts:
        sums = [[*head, *tail] for head in sums for tail in part][:MOST]
    return sums


def _constant(node: ast.Constant, scope: Scope, depth: int) -> list[Pieces]:
    return [[node.value if isinstance(node.value, str) else str(node.value)]]


def _f_string(node: ast.JoinedStr, scope: Scope, depth: int) -> list[Pieces]:
    return _sum(alternatives(value, scope, depth) for value in node.values)


def _formatted(node: ast.FormattedValue, scope: Scope, depth: int) -> list[Pieces]:
    return alternatives(node.value, scope, depth)


def _choice(node: ast.IfExp, scope: Scope, depth: int) -> list[Pieces]:
    return alternatives(node.body, scope, depth) + alternatives(node.orelse, scope, depth)


def _either(node: ast.BoolOp, scope: Scope, depth: int) -> list[Pieces]:
    return [pieces for value in node.values for pieces in alternatives(value, scope, depth)]


def _variable(node: ast.Name, scope: Scope, depth: int) -> list[Pieces]:
    """What was assigned to a name; additions are alternatives, each appended to the previous ones. It may be a value as well."""
    found: list[Pieces] = []
    for added, expression in scope.assigned(node.id):
        pieces = [one for one in alternatives(expression, scope, depth) if added or _is_sentence(one)]
        found += _sum([found, pieces]) if added and found else pieces
    if len(found) != len(scope.assigned(node.id)) or not found or scope.is_argument(node.id):
        return [[Value(node.id)], *found]
    return found


def _is_sentence(pieces: Pieces) -> bool:
    """Return whether this is more than a single word such as ``"multi_hot"``, which may be a value."""
    return sum(len(piece.split()) for piece in pieces if isinstance(piece, str)) > 1


def _constant_of_class(node: ast.Attribute, scope: Scope, depth: int) -> list[Pieces]:
    """``self.MESSAGE``, if a class of the module defines it."""
    assigned = (
        scope.in_classes.get(node.attr, []) if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else []
    )
    found = [pieces for expression in assigned for pieces in alternatives(expression, scope, depth) if _is_sentence(pieces)]
    return found or [[Value(identifier(node))]]


def _binary(node: ast.BinOp, scope: Scope, depth: int) -> list[Pieces] | None:
    if isinstance(node.op, ast.Add):
        return _sum([alternatives(node.left, scope, depth), alternatives(node.right, scope, depth)])
    if isinstance(node.op, ast.Mod):
        return _filled(alternatives(node.left, scope, depth), lambda text: _percent(text, node.right, scope, depth))
    return None


def _filled(templates: list[Pieces], fill: typing.Callable[[str], list[Pieces]]) -> list[Pieces]:
    return [one for pieces in templates for one in _sum(fill(p) if isinstance(p, str) else [[p]] for p in pieces)]


def _percent(text: str, right: ast.expr, scope: Scope, depth: int) -> list[Pieces]:
    """A %-format with its arguments."""
    positional = list(right.elts) if isinstance(right, ast.Tuple) else [right]
    named = _keys(right) if isinstance(right, ast.Dict) else {}
    parts: list[list[Pieces]] = []
    end = used = 0
    for found in _PERCENT.finditer(text):
        parts.append([[text[end : found.start()]]])
        end = found.end()
        if found.group(2) == "%":
            parts.append([["%"]])
        elif found.group(1) is not None:
            key = found.group(1)
            parts.append(alternatives(named[key], scope, depth) if key in named else [[Value(key)]])
        else:
            parts.append(alternatives(positional[used], scope, depth) if used < len(positional) else [[Value("")]])
            used += 1
    return _sum([*parts, [[text[end:]]]])


def _keys(node: ast.Dict) -> dict[str, ast.expr]:
    pairs = zip(node.keys, node.values, strict=True)
    return {key.value: value for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _call(node: ast.Call, scope: Scope, depth: int) -> list[Pieces] | None:
    method = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
    if isinstance(node.func, ast.Attribute) and method == "format":
        return _filled(alternatives(node.func.value, scope, depth), lambda text: _braces(text, node, scope, depth))
    if isinstance(node.func, ast.Attribute) and method == "join" and node.args:
        return _joined(node.func.value, node.args[0], scope, depth)
    if method in _SAME_TEXT:
        text = (
            node.args[0]
            if node.args and method in ("dedent", "cleandoc", "as_text", "fill")
            else getattr(node.func, "value", None)
        )
        if isinstance(text, ast.expr) and (method not in _CHANGES_CASE or isinstance(text, ast.Constant)):
            return alternatives(text, scope, depth)
    if method == "str" and len(node.args) == 1:
        return alternatives(node.args[0], scope, depth)
    helper = scope.functions.get(method)
    returned = _returned(helper, scope, depth) if helper else None
    return returned or _passed_on(node, scope, depth)


def _passed_on(call: ast.Call, scope: Scope, depth: int) -> list[Pieces] | None:
    """The one sentence passed to a function of another module, such as one that puts a name before it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [one for one in given if isinstance(one, ast.Constant | ast.JoinedStr | ast.BinOp)]
    sentences = [read for read in (alternatives(one, scope, depth) for one in texts) if _is_sentence(read[0])]
    return _sum([[[Value("")]], sentences[0], [[Value("")]]]) if len(sentences) == 1 else None


def _braces(text: str, call: ast.Call, scope: Scope, depth: int) -> list[Pieces]:
    """A text for ``str.format`` with its arguments."""
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    parts: list[list[Pieces]] = []
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return [[text]]
    for place, (before, field, _, _) in enumerate(fields):
        parts.append([[before]])
        if field is None:
            continue
        key, rest = re.match(r"([^.\[]*)(.*)", field, re.DOTALL).groups()  # type: ignore[union-attr]
        index = int(key) if key.isdigit() else sum(1 for _, name, _, _ in fields[:place] if name == "") if not key else -1
        given = named.get(key) or (call.args[index] if 0 <= index < len(call.args) else None)
        usable = given is not None and not isinstance(given, ast.Starred)
        parts.append(alternatives(given, scope, depth) if usable and not rest and given is not None else [[Value(field)]])
    return _sum(parts)


def _joined(separator: ast.expr, items: ast.expr, scope: Scope, depth: int) -> list[Pieces] | None:
    if not isinstance(items, ast.List | ast.Tuple) or not isinstance(separator, ast.Constant):
        return None
    parts: list[list[Pieces]] = []
    for item in items.elts:
        parts += [[[str(separator.value)]]] if parts else []
        parts.append(alternatives(item, scope, depth))
    return _sum(parts)


def _returned(helper: ast.FunctionDef, scope: Scope, depth: int) -> list[Pieces] | None:
    """The return value of a function of the same module, if it is text."""
    inner = scope.inside(helper)
    returns = [node.value for node in ast.walk(helper) if isinstance(node, ast.Return) and node.value is not None]
    found = [pieces for value in returns[:MOST] for pieces in alternatives(value, inner, depth)]
    return [pieces for pieces in found if any(isinstance(piece, str) and WORD.search(piece) for piece in pieces)]


_READERS: dict[type[ast.AST], typing.Callable[[typing.Any, Scope, int], list[Pieces] | None]] = {
    ast.Constant: _constant,
    ast.JoinedStr: _f_string,
    ast.FormattedValue: _formatted,
    ast.IfExp: _choice,
    ast.BoolOp: _either,
    ast.Name: _variable,
    ast.Attribute: _constant_of_class,
    ast.BinOp: _binary,
    ast.Call: _call,
}
