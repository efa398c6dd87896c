"""Find calls whose arguments an installation does not take, or takes in a different order."""

import ast

from tfhelp.collectors.code.uses import Called
from tfhelp.kb import versions
from tfhelp.kb.atlas import renames
from tfhelp.kb.atlas.asked_names import accepts
from tfhelp.service.upgrade.changes import Change, Script, release_of
from tfhelp.service.upgrade.edits import Edit
from tfhelp.service.upgrade.expressions import expression, path_of
from tfhelp.service.vocabulary import PACKAGES


def calls(script: Script) -> list[Change]:
    """Changes for each argument that the installation lacks, each changed order, and each method that becomes an expression."""
    found: list[Change] = []
    for called in script.uses.calls:
        new = _new_name(script, script.member(called.name) if called.member else script.effective(called.name))
        if new is None:
            change = expression(script, called)
            found += [change] if change is not None else []
        else:
            found += _of_call(script, called, new)
    return found


def _new_name(script: Script, name: str) -> str | None:
    """The name that the call has in the edited script; None if that is not known."""
    if script.at.has(name):
        row = renames.of_name(name)
        raises = row is not None and row.how == "raises" and script.at.is_past(row, name)
        return (row.new_of(name) or None) if raises and row else name
    if script.at.gone(name) is None:
        return None
    new, row = script.replacement(name)
    return new if new and script.at.has(new) and (row is None or row.edit == "rename") else None


def _of_call(script: Script, called: Called, new: str) -> list[Change]:
    found = []
    for keyword in called.call.keywords:
        change = _of_keyword(script, called, keyword, new) if keyword.arg else None
        found += [change] if change is not None else []
    more = (_order(script, called, new), _path(script, called, new))
    return [*found, *(change for change in more if change is not None)]


def _of_keyword(script: Script, called: Called, keyword: ast.keyword, new: str) -> Change | None:
    name = str(keyword.arg)
    taken = script.at.takes(new, name)
    row = renames.of_argument(script.effective(called.name), name) or renames.of_argument(new, name)
    past = row is not None and script.at.is_past(row, new)
    if row is not None and past and (taken is False or row.how == "ignored" or (taken is None and not row.how)):
        return _by_table(script, called, keyword, row)
    since = _since(script, new, name) if taken is False else ""
    if not since:
        return None
    says = ("The target does not take it under this name, and the table of renames does not know it.",)
    whole = f"{script.effective(called.name)}({name})"
    return script.change(keyword, "argument", whole, since, says=says, behaviour="differs")


def _by_table(script: Script, called: Called, keyword: ast.keyword, row: renames.Row) -> Change | None:
    source, name = script.source, str(keyword.arg)
    edits: tuple[Edit, ...] | None = None
    if row.edit == "rename" and not any(other.arg == row.new for other in called.call.keywords):
        start = source.start(keyword)
        edits = (Edit(start, start + len(name), row.new),)
    elif row.edit == "drop":
        edit = source.without(source.start(keyword), source.end(keyword))
        edits = (edit,) if edit is not None else None
    elif row.edit == "expression":
        return expression(script, called, keyword, row)
    whole = f"{script.effective(called.name)}({name})"
    return script.change(
        keyword,
        "argument",
        whole,
        release_of(row, whole),
        instead=row.new,
        says=(row.says,) if row.says else (),
        behaviour=row.behaviour,
        edits=edits,
    )


def _since(script: Script, name: str, keyword: str) -> str:
    """The first release that does not take a keyword that an older one has; empty if none has it."""
    found = script.at.atlas.lookup(name)
    if found is None:
        return ""
    _, package, release = script.at.place(name)
    known = script.at.atlas.releases(package)
    last = max(
        (
            known.index(span.last)
            for text, spans in found.signatures
            if accepts(text, keyword)
            for span in spans
            if span.package == package and known.index(span.last) < known.index(release)
        ),
        default=-1,
    )
    return f"{PACKAGES[package]} {versions.minor_release(known[last + 1])}" if last >= 0 else ""


# -------------------------------------------------------------------- order


def _order(script: Script, called: Called, new: str) -> Change | None:
    """Positional arguments that mean something else in the target, or are too many for it."""
    given = called.call.args
    if not given or any(isinstance(one, ast.Starred) for one in given):
        return None
    old_name = script.effective(called.name)
    before = _positional(script.before.parameters(old_name)) if script.before.has(old_name) else None
    now = _positional(script.at.parameters(new))
    if now is None and before is None:
        before = _last_with_names(script, old_name)
    if before is None or len(given) > len(before):
        return None
    if now is None:
        texts = [isinstance(one, ast.Constant) and isinstance(one.value, str) for one in given]
        first = next(
            (place for place in range(len(given)) if texts[place] and _only_by_name(script, old_name, before[place])), None
        )
    else:
        first = next((place for place in range(len(given)) if place >= len(now) or _differs(before, now, place)), None)
    return None if first is None else _reordered(script, called, new, before, first)


def _last_with_names(script: Script, name: str) -> list[str] | None:
    """The positional parameters of the last release without ``*args``."""
    found = script.at.atlas.lookup(name)
    taken = [_positional(text) for text, _ in found.signatures] if found is not None else []
    return next((one for one in reversed(taken) if one is not None), None)


def _only_by_name(script: Script, name: str, parameter: str) -> bool:
    """Return whether, for a target with ``*args``, the table of renames says that a parameter is keyword-only."""
    row = renames.of_argument(name, parameter)
    return row is not None and row.new == parameter and script.at.is_past(row, name)


def _positional(parameters: str | None) -> list[str] | None:
    """The positional parameters; None if ``*args`` takes any number."""
    if not parameters:
        return None
    listed: list[str] = []
    for part in parameters.strip("()").split(","):
        if part == "*" or part.startswith("**"):
            break
        if part.startswith("*"):
            return None
        if part and part != "/":
            listed.append(part.rstrip("="))
    return listed


def _differs(before: list[str], now: list[str], place: int) -> bool:
    """Return whether a position means another parameter. A parameter that is only renamed is the same one."""
    return before[place] != now[place] and (before[place] in now or now[place] in before)


def _reordered(script: Script, called: Called, new: str, before: list[str], first: int) -> Change | None:
    given = called.call.args
    names = [_renamed(script, called.name, before[place]) for place in range(first, len(given))]
    if any(keyword.arg in names for keyword in called.call.keywords):
        return None
    kept = all(script.at.takes(new, name) for name in names)
    edits = tuple(
        Edit(script.source.start(one), script.source.start(one), f"{name}=")
        for one, name in zip(given[first:], names, strict=True)
    )
    says = f"Argument {first + 1} by position was {before[first]} and means something else in the target: give it by name."
    if not kept:
        says = f"Argument {first + 1} by position was {before[first]}, which the target does not take there."
    whole = f"{script.effective(called.name)}({before[first]})"
    return script.change(
        given[first],
        "order",
        whole,
        "",
        instead=f"{names[0]}=" if kept else "",
        says=(says,),
        behaviour="same" if kept else "differs",
        edits=edits if kept else None,
    )


def _renamed(script: Script, name: str, parameter: str) -> str:
    row = renames.of_argument(name, parameter)
    return row.new if row is not None and row.edit == "rename" and row.new else parameter


# -------------------------------------------------------------------- values

_MODEL_FILES = (".keras", ".h5", ".hdf5")
_PATHS = {
    "save": (_MODEL_FILES, "The file's name has to end in .keras or .h5; model.export writes a SavedModel."),
    "save_weights": ((".weights.h5",), "The file's name has to end in .weights.h5."),
    "ModelCheckpoint": (
        (".keras", ".h5", ".weights.h5"),
        "The file's name has to end in .keras, or in .weights.h5 for weights alone.",
    ),
}
"""File name extensions that Keras 3 accepts. From keras 3.15.1, saving/saving_api.py and callbacks/model_checkpoint.py."""


def _path(script: Script, called: Called, new: str) -> Change | None:
    """A file name that Keras 3 rejects. The file is written and read in more than one place, so no edit is made."""
    leaf = new.rpartition(".")[2]
    owner = new.rpartition(".")[0]
    of_model = owner.endswith((".Model", ".Sequential")) if leaf != "ModelCheckpoint" else owner.endswith(".callbacks")
    if (
        leaf not in _PATHS
        or not of_model
        or not script.at.keras_3
        or any(one.arg == "save_format" for one in called.call.keywords)
    ):
        return None
    given = (
        called.call.args[0]
        if called.call.args
        else next((one.value for one in called.call.keywords if one.arg == "filepath"), None)
    )
    path = path_of(script, given) if given is not None else None
    endings, says = _PATHS[leaf]
    if given is None or not isinstance(path, str) or path.endswith(endings):
        return None
    since = "TensorFlow 2.16 (Keras 3)" if new.startswith("tf.") else "Keras 3.0"
    return script.change(given, "value", f"{new}({path!r})", since, says=(says,), behaviour="differs")
