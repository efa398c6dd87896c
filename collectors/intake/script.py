"""A text that is one Python script: it is read as code only, because its comments and strings are not messages.

A script inside a longer text stays there; the diagnosis reads it both as code and as text.
"""

import ast

from tfhelp.collectors.intake import Intake, Json, Script
from tfhelp.collectors.syntax_tree import syntax_tree

LONGEST = 256 << 10  # characters; parsing takes about a kilobyte of memory for a short statement
MOST_STATEMENTS = 20_000
_FEWEST = 3  # statements; fewer pasted lines may be anything
_LAST_WORDS = frozenset(("Killed", "Aborted", "Terminated", "Hangup"))
_MESSAGES = ("Error", "Exception", "Warning", "Interrupt", "Exit")
_VALUES = frozenset(("nan", "NaN", "inf", "Inf"))


def take_out(intake: Intake, name: str = "") -> None:
    """Move the text into ``scripts`` if all of it is one script."""
    named = name.lower().endswith((".py", ".pyw"))
    source = intake.text.replace("\r\n", "\n")
    tree, fault = _parsed(source)
    if tree is None:
        if named and fault:
            intake.notes.append(f"{name} is not Python 3 ({fault}), so it was read as a text.")
        return
    if not named and not _is_script(tree):
        return
    shown = name if named else "script"
    intake.scripts.append(Script(shown, source))
    intake.kinds.append("script")
    intake.notes.append(f"Read {name if named else 'the text'} as a Python script.")
    variables = _environment(tree, shown)
    if variables:
        intake.facts.append(variables)
    intake.text = ""


def statements(source: str) -> int:
    """An upper bound on the number of statements, counted without parsing."""
    return source.count("\n") + source.count(";") + source.count(":") + 1


def _parsed(source: str) -> tuple[ast.Module | None, str]:
    if len(source) > LONGEST or statements(source) > MOST_STATEMENTS:
        return None, "it is too long for a script"
    if any(sign in source for sign in ("\nTraceback (most recent", '\n  File "')) or source.startswith("Traceback (most"):
        return None, "it holds a traceback"
    if "\n%" in source or "\n!" in source or source.startswith(("%", "!")):
        from tfhelp.collectors.code.notebook import plain_cell

        source = plain_cell(source)
    try:
        return syntax_tree(source), ""
    except SyntaxError as error:
        return None, f"line {error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return None, "it is nested too deeply"


def _is_script(tree: ast.Module) -> bool:
    """Return whether parsed code was written to be run: an import, a few statements, and no line that is a message."""
    if not any(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in tree.body):
        return False
    if any(_is_message(statement) for statement in tree.body):
        return False
    return sum(not _is_bare(statement) for statement in tree.body) >= _FEWEST


def _is_bare(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Name, ast.Constant, ast.Attribute))


def _is_message(statement: ast.stmt) -> bool:
    """``ValueError: x``, ``error: "x y"`` and ``loss: nan`` parse as annotations, ``Killed`` as a name, and ``loss is nan`` as a comparison."""
    if isinstance(statement, ast.AnnAssign) and statement.value is None:
        target = statement.target
        name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
        said = statement.annotation
        quoted = isinstance(said, ast.Constant) and isinstance(said.value, str) and " " in said.value
        return name.endswith(_MESSAGES) or quoted or (isinstance(said, ast.Name) and said.id in _VALUES)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Compare):
        return True
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Name)
        and (statement.value.id in _LAST_WORDS or statement.value.id.endswith(_MESSAGES))
    )


def _environment(tree: ast.Module, name: str) -> Json:
    """Environment variables that the script sets to a constant, as facts: those that affect training, and no others."""
    from tfhelp.collectors.text_facts.environment_variables import allowed

    variables: dict[str, str] = {}
    about: dict[str, dict[str, str]] = {}
    for node in ast.walk(tree):
        key, value = map(_constant, _setting(node))
        if key and value is not None and key not in variables and (allowed(key) or key == "USE_TF"):
            variables[key] = value
            about[f"env.{key}"] = {"source": f"{name} line {getattr(node, 'lineno', 1)}", "state": "ok"}
    return {"_about": about, "env": variables} if variables else {}


def _constant(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _setting(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """Name and value of ``os.environ[name] = value``, ``os.environ.setdefault(name, value)`` or ``os.putenv``."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
        target = node.targets[0]
        if _ends_with(target.value, "environ"):
            return target.slice, node.value
    if isinstance(node, ast.Call) and len(node.args) == 2 and isinstance(node.func, ast.Attribute):
        called = node.func
        if (called.attr == "setdefault" and _ends_with(called.value, "environ")) or called.attr == "putenv":
            return node.args[0], node.args[1]
    return None, None


def _ends_with(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == name) or (isinstance(node, ast.Name) and node.id == name)
