"""Edits of whole expressions without a new name: each new expression does the same as the old one."""

import ast
import typing

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.models import head
from tfhelp.collectors.code.subject import Subject
from tfhelp.collectors.code.uses import Called
from tfhelp.kb.atlas import renames
from tfhelp.service.upgrade.changes import Change, Script, release_of
from tfhelp.service.upgrade.edits import Edit

Made = tuple[str, tuple[Edit, ...]]
"""The replacement in words, and the edits."""
_ITERATORS = {"make_one_shot_iterator", "make_initializable_iterator"}
_RATES = {"SGD": "0.01"}
"""Default learning rates of optimizers; all others have 0.001. From keras 3.15.1."""


def expression(
    script: Script, called: Called, keyword: ast.keyword | None = None, row: "renames.Row | None" = None
) -> Change | None:
    """The change of a call, or of one of its arguments, that the table of renames calls an expression."""
    name = script.effective(called.name)
    row = row or renames.of_name(name)
    if row is None or row.edit != "expression" or not script.at.is_past(row, name):
        return None
    if keyword is None and script.at.gone(name) is None and row.how != "raises":
        return None
    made = _made(script, called, keyword)
    node: ast.AST = keyword if keyword is not None else called.call.func
    whole = f"{name}({keyword.arg})" if keyword is not None else name
    return script.change(
        node,
        "argument" if keyword is not None else "name",
        whole,
        release_of(row, name),
        instead=made[0] if made else "",
        says=(row.says,) if row.says else (),
        behaviour=row.behaviour if made is None or row.old.endswith("(save_format)") else "same",
        edits=made[1] if made else None,
    )


def _made(script: Script, called: Called, keyword: ast.keyword | None) -> Made | None:
    if keyword is not None:
        makers: dict[str, typing.Callable[[Script, Called, ast.keyword], Made | None]] = {
            "decay": _decay,
            "batch_input_shape": _batch_input_shape,
            "save_format": _save_format,
        }
        return makers[str(keyword.arg)](script, called, keyword) if keyword.arg in makers else None
    leaf = called.name.rpartition(".")[2]
    if leaf == "predict_classes":
        return _predict_classes(script, called)
    if leaf == "set_value":
        return _assigned(script, called)
    return _iterator(script, called, leaf) if leaf in _ITERATORS else None


def _decay(script: Script, called: Called, keyword: ast.keyword) -> Made | None:
    """``decay=d``: the same decay as a schedule of the learning rate."""
    source, call = script.source, called.call
    if constant(script.uses.program, keyword.value) == 0:
        dropped = source.without(source.start(keyword), source.end(keyword))
        return ("", (dropped,)) if dropped is not None else None
    prefix = called.name.rpartition(".optimizers.")[0] or "tf.keras"
    schedule = script.written(f"{'tf.keras' if prefix == 'tf' else prefix}.optimizers.schedules.InverseTimeDecay")
    if not schedule:
        return None
    tail = f", decay_steps=1, decay_rate={source.of(keyword.value)})"
    rate = next((one for one in call.keywords if one.arg in ("lr", "learning_rate")), None)
    value = rate.value if rate is not None else call.args[0] if call.args else None
    if value is None:
        known = _RATES.get(called.name.rpartition(".")[2], "0.001")
        text = f"learning_rate={schedule}({known}{tail}"
        return schedule, (Edit(source.start(keyword), source.end(keyword), text),)
    if constant(script.uses.program, value) is None:
        return None  # the value may itself be a schedule
    removed = source.without(source.start(keyword), source.end(keyword))
    around = (Edit(source.start(value), source.end(value), f"{schedule}({source.of(value)}{tail}"),)
    return (schedule, (*around, removed)) if removed is not None else None


def _batch_input_shape(script: Script, called: Called, keyword: ast.keyword) -> Made | None:
    """An Input before the first layer of a Sequential."""
    source, call = script.source, called.call
    written = script.written(f"{called.name.partition('.layers')[0]}.Input")
    removed = source.without(source.start(keyword), source.end(keyword))
    parent = script.uses.program.parents.get(call)
    if not written or removed is None:
        return None
    made = f"{written}(batch_shape={source.of(keyword.value)})"
    if isinstance(parent, ast.List) and parent.elts[0] is call:
        return made, (Edit(source.start(call), source.start(call), f"{made}, "), removed)
    statement = script.uses.program.parents.get(parent) if parent is not None else None
    if isinstance(parent, ast.Call) and isinstance(statement, ast.Expr) and parent.args == [call] and source.is_alone(statement):
        adds = isinstance(parent.func, ast.Attribute) and parent.func.attr == "add"
        start = source.start(statement)
        before = f"{source.of(parent.func)}({made})\n{source.indent(statement)}"
        return (made, (Edit(start, start, before), removed)) if adds else None
    return None


def _save_format(script: Script, called: Called, keyword: ast.keyword) -> Made | None:
    """Drop ``save_format`` if the file name's extension means the same."""
    source, call = script.source, called.call
    path = path_of(script, call.args[0]) if call.args else None
    wanted = constant(script.uses.program, keyword.value)
    weights = called.name.endswith("save_weights")
    endings = {"h5": (".weights.h5",) if weights else (".h5", ".hdf5"), "keras": (".keras",)}
    if not isinstance(path, str) or not path.endswith(endings.get(str(wanted), ("\n",))):
        return None
    removed = source.without(source.start(keyword), source.end(keyword))
    return ("", (removed,)) if removed is not None else None


def path_of(script: Script, node: ast.AST) -> typing.Any:
    """A path, or the last part of one that is built from parts, as far as the text shows it."""
    program = script.uses.program
    bound = program.binding(node.id, node) if isinstance(node, ast.Name) else None
    value = bound.value if bound is not None and bound.how == "value" else node
    if isinstance(value, ast.Call) and program.callee(value) == "os.path.join" and value.args:
        value = value.args[-1]
    return constant(program, value) if isinstance(value, ast.expr) else None


def _predict_classes(script: Script, called: Called) -> Made | None:
    """The class of the largest output, or for a sigmoid whether it is above one half; only if the last layer is known."""
    call = called.call
    subject = Subject(script.uses.program)
    model = next((one for one in subject.models if call in one.calls), None)
    last = head(script.uses.program, model) if model is not None else None
    if last is None or not isinstance(call.func, ast.Attribute):
        return None
    start, end = script.source.start(call), script.source.end(call)
    name_end = script.source.end(call.func)
    renamed = Edit(name_end - len(call.func.attr), name_end, "predict")
    if last.activation == "sigmoid" and last.units == 1:
        return '(predict(...) > 0.5).astype("int32")', (
            Edit(start, start, "("),
            renamed,
            Edit(end, end, ' > 0.5).astype("int32")'),
        )
    if last.activation == "softmax" or (isinstance(last.units, int) and last.units > 1):
        return "predict(...).argmax(axis=-1)", (renamed, Edit(end, end, ".argmax(axis=-1)"))
    return None


def _assigned(script: Script, called: Called) -> Made | None:
    """``set_value(x, y)`` is ``x.assign(y)``."""
    call, source = called.call, script.source
    if len(call.args) != 2 or call.keywords or not isinstance(call.args[0], (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return None
    variable, value = call.args
    comma = source.text.find(",", source.end(variable), source.start(value))
    if comma < 0 or "#" in source.text[source.end(variable) : source.start(value)]:
        return None
    while source.text[comma + 1] == " ":
        comma += 1
    # Up to the comma, not up to the value, which may have parentheses of its own.
    between = Edit(source.end(variable), comma + 1, ".assign(")
    return f"{source.of(variable)}.assign(...)", (Edit(source.start(call), source.start(variable), ""), between)


def _iterator(script: Script, called: Called, leaf: str) -> Made | None:
    call = called.call
    written = script.written(f"tf.compat.v1.data.{leaf}")
    if not written or call.args or call.keywords or not isinstance(call.func, ast.Attribute):
        return None
    start, end = script.source.start(call), script.source.end(call)
    return f"{written}(dataset)", (
        Edit(start, start, f"{written}("),
        Edit(script.source.end(call.func.value), end, ")"),
    )
