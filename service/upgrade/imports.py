"""Imports of names that an installation lacks, and the imports that replace them."""

import ast
import re
import typing

from tfhelp.collectors.code.uses import Use, public
from tfhelp.service.upgrade.changes import Change, Script, release
from tfhelp.service.upgrade.edits import Edit

_MODULE = re.compile(r"from\s+([\w.]+)\s+import\b")


class _Moved(typing.NamedTuple):
    """An alias whose name has moved: the new module and the name in it; the name is empty if it is the module itself."""

    use: Use
    alias: ast.alias
    module: str
    leaf: str


def imports(script: Script) -> list[Change]:
    """Changes for every import of a name that the installation lacks. Records in the script which names the edited imports
    provide.
    """
    found = list(_switches(script))
    statements: dict[ast.Import | ast.ImportFrom, list[Use]] = {}
    for use in script.uses.names:
        if use.statement is not None:
            statements.setdefault(use.statement, []).append(use)
    for statement, uses in statements.items():
        found += _of_statement(script, statement, uses)
    return found


def _switches(script: Script) -> typing.Iterator[Change]:
    """In a script that builds graphs, ``import tensorflow as tf`` becomes the import of TensorFlow 1's interface."""
    for alias in script.switched:
        source = script.source
        statement = script.uses.program.parents[alias]
        name = Edit(source.start(alias), source.start(alias) + len("tensorflow"), "tensorflow.compat.v1")
        calls = Edit(
            source.line_end(statement),
            source.line_end(statement),
            f"\n{source.indent(statement)}{alias.asname}.disable_v2_behavior()",
        )
        edits = (name,) if "disable_v2_behavior" in source.text else (name, calls)
        says: tuple[str, ...] = (
            "The script builds graphs for sessions: it keeps TensorFlow 1's interface, and TensorFlow 2's behaviour is off.",
        )
        if any(use.name.startswith("tf.keras.") for use in script.uses.names) and script.at.keras_3:
            says += ("Keras 3 does not train with TensorFlow 2's behaviour off: use --keras 2.",)
        yield script.change(
            alias,
            "setting",
            "import tensorflow",
            "TensorFlow 2.0",
            instead=f"import tensorflow.compat.v1 as {alias.asname}",
            says=says,
            edits=edits,
        )


def _of_statement(script: Script, statement: ast.Import | ast.ImportFrom, uses: list[Use]) -> list[Change]:
    moved, found = [], []
    for use in uses:
        gone = script.at.gone(use.name)
        if gone is None or not isinstance(use.node, ast.alias):
            continue
        new, row = script.replacement(use.name)
        target = _target(script, statement, use, new) if new and (row is None or row.edit == "rename") else None
        if target is not None:
            moved.append(target)
            script.moved[use.name] = new
        says = (row.says,) if row is not None and row.says else ()
        behaviour = row.behaviour if row is not None else "same" if new else "differs"
        change = script.change(
            use.node, "name", use.name, release(gone), instead=_dotted(new), says=says, behaviour=behaviour, edits=None
        )
        found.append((change, target))
    edits = _edits(script, statement, moved) if moved else None
    if edits is None:
        for one in moved:
            script.moved.pop(one.use.name, None)
        return [change for change, _ in found]
    return [change._replace(edits=edits) if target is not None else change for change, target in found]


def _target(script: Script, statement: ast.Import | ast.ImportFrom, use: Use, new: str) -> _Moved | None:
    alias = use.node
    if not isinstance(alias, ast.alias):
        return None
    dotted = _dotted(new)
    if isinstance(statement, ast.Import):
        # ``import keras.utils.np_utils`` binds keras: its uses are renamed one by one.
        is_module = script.at.object_of(new) == "" or new == "keras" or not public(dotted)
        return _Moved(use, alias, dotted, "") if alias.asname and is_module else None
    module, _, leaf = dotted.rpartition(".")
    return _Moved(use, alias, module, leaf)


def _dotted(new: str) -> str:
    return f"tensorflow.{new[3:]}" if new.startswith("tf.") else new


def _edits(script: Script, statement: ast.Import | ast.ImportFrom, moved: list[_Moved]) -> tuple[Edit, ...] | None:
    source = script.source
    if isinstance(statement, ast.Import):
        return tuple(Edit(source.start(one.alias), source.end(one.alias), f"{one.module} as {one.alias.asname}") for one in moved)
    text = source.of(statement)
    head = _MODULE.match(text)
    modules = {one.module for one in moved}
    plain = all(one.leaf == one.alias.name for one in moved)
    if head and len(moved) == len(statement.names) and len(modules) == 1 and plain and moved[0].module:
        start = source.start(statement)
        return (Edit(start + head.start(1), start + head.end(1), modules.pop()),)
    if not source.is_alone(statement):
        return None
    added = [_statement(one) for one in moved]
    if len(moved) == len(statement.names):
        return (Edit(source.start(statement), source.end(statement), f"\n{source.indent(statement)}".join(added)),)
    removed = _removed(script, statement, moved)
    if removed is None:
        return None
    below = "".join(f"\n{source.indent(statement)}{line}" for line in added)
    return (*removed, Edit(source.line_end(statement), source.line_end(statement), below))


def _statement(one: _Moved) -> str:
    local = one.alias.asname or one.alias.name
    if not one.module:
        return f"import {one.leaf}" + (f" as {local}" if local != one.leaf else "")
    return f"from {one.module} import {one.leaf}" + (f" as {local}" if local != one.leaf else "")


def _removed(script: Script, statement: ast.ImportFrom, moved: list[_Moved]) -> list[Edit] | None:
    """The statement without the moved names. The list of the remaining names is rewritten if that loses no comment."""
    source = script.source
    gone = {one.alias for one in moved}
    first, last = statement.names[0], statement.names[-1]
    start, end = source.start(first), source.end(last)
    if "#" in source.text[start:end]:
        return None
    kept = [source.of(alias) for alias in statement.names if alias not in gone]
    between = source.text[source.end(first) : source.start(statement.names[1])]
    return [Edit(start, end, between.join(kept))]
