"""Read what a module binds at its top level: functions and classes with their parameters, imports, other names. Nothing is
run.
"""

import ast
import typing

from tfhelp.kb.atlas.messages import inner

Binding = list[typing.Any]
"""JSON of what a name is bound to, its kind first:

``["from", level, module, name]``, ``["module", dotted]``, ``["function", parameters]``,
``["class", [bases], {method: parameters}]``, ``["alias", dotted]``, ``["value"]``.

Parameters are written ``x,axis=,*,name=,**kwargs``: an equals sign stands for a default.
"""

_WRAPPERS = {"to_raw_op", "do_not_generate_docs", "_kwarg_only", "kwarg_only"}
"""Calls that return the function in their last argument."""


def definitions(module: ast.Module) -> dict[str, Binding]:
    """Name -> its final binding; star imports are listed as ``*1``, ``*2`` in order."""
    found: dict[str, Binding] = {}
    waiting: list[ast.AST] = list(reversed(module.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = ["function", parameters(node)]
        elif isinstance(node, ast.ClassDef):
            found[node.name] = _class(node)
        elif isinstance(node, ast.ImportFrom):
            _import_from(node, found)
        elif isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: ["module", alias.name] for alias in node.names})
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            _assign(node, found)
        elif isinstance(node, ast.Delete):
            _delete(node, found)
        elif isinstance(node, ast.If) and dotted(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            waiting += reversed(node.orelse)  # the rest is for type checkers, and does not run
        else:
            waiting += reversed(inner(node))
    return found


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, method: bool = False) -> str:
    """The parameters of a function; for a method without the first one, unless it is static."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    written = [argument.arg + ("=" if place >= first_default else "") for place, argument in enumerate(positional)]
    if arguments.posonlyargs:
        written.insert(len(arguments.posonlyargs), "/")
    if (
        method
        and written
        and not any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)
    ):
        del written[0]
    if arguments.vararg:
        written.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        written.append("*")
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    written += [argument.arg + ("=" if default is not None else "") for argument, default in pairs]
    return ",".join([*written, *([f"**{arguments.kwarg.arg}"] if arguments.kwarg else [])])


def dotted(node: ast.AST) -> str:
    """``a.b.c`` as written, empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    inside = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inside}.{node.attr}" if inside and isinstance(node, ast.Attribute) else ""


def _class(node: ast.ClassDef) -> Binding:
    methods: dict[str, str] = {}
    waiting: list[ast.AST] = list(reversed(node.body))
    bases = [dotted(base) for base in node.bases if dotted(base)]
    for base in node.bases:
        if isinstance(base, ast.Call) and dotted(base.func).endswith("namedtuple") and len(base.args) > 1:
            methods["__new__"] = _fields(base.args[1])
    while waiting:
        inside = waiting.pop()
        if isinstance(inside, ast.FunctionDef | ast.AsyncFunctionDef):
            if not inside.name.startswith("_") or inside.name in ("__init__", "__new__", "__call__"):
                methods[inside.name] = "" if _is_property(inside) else f"({parameters(inside, method=True)})"
        elif isinstance(inside, ast.Assign):
            for target in inside.targets:
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    # A second name for a method, or a value.
                    methods[target.id] = methods.get(dotted(inside.value), "")
        elif not isinstance(inside, ast.ClassDef):
            waiting += reversed(inner(inside))
    return ["class", bases, methods]


def _fields(node: ast.expr) -> str:
    if isinstance(node, ast.List | ast.Tuple):
        return "(" + ",".join(str(item.value) for item in node.elts if isinstance(item, ast.Constant)) + ")"
    return "(*args)"


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(dotted(mark).rpartition(".")[2] in ("property", "setter", "cached_property") for mark in function.decorator_list)


def _import_from(node: ast.ImportFrom, found: dict[str, Binding]) -> None:
    for alias in node.names:
        name = alias.asname or alias.name
        if alias.name == "*":
            name = f"*{sum(1 for known in found if known.startswith('*')) + 1}"
        found[name] = ["from", node.level, node.module or "", alias.name]


def _assign(node: ast.Assign | ast.AnnAssign, found: dict[str, Binding]) -> None:
    if node.value is None:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name):
            found[target.id] = _bound(node.value)


def _bound(value: ast.expr) -> Binding:
    """The binding of a value: an alias if it is another name, even inside a call that only marks a function for export."""
    if name := dotted(value):
        return ["alias", name]
    if isinstance(value, ast.Call) and len(value.args) == 1:
        exports = isinstance(value.func, ast.Call) and dotted(value.func.func).rpartition(".")[2].endswith("export")
        if exports or dotted(value.func).rpartition(".")[2] in _WRAPPERS:
            return _bound(value.args[0])
    return ["value"]


def _delete(node: ast.Delete, found: dict[str, Binding]) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            found.pop(target.id, None)
