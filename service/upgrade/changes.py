"""Find what a script uses that an installation lacks: names, members and imports. Calls are in ``calls``."""

import ast
import typing

from tfhelp.collectors.code.uses import Use, Uses, column, line, public
from tfhelp.kb import versions
from tfhelp.kb.atlas import instead, renames
from tfhelp.kb.atlas.at_release import At, Gone
from tfhelp.service.upgrade.edits import Edit, Source
from tfhelp.service.vocabulary import PACKAGES

KINDS = ("name", "argument", "order", "value", "setting")
_GRAPH = frozenset(
    [
        "tf.Session",
        "tf.InteractiveSession",
        "tf.placeholder",
        "tf.placeholder_with_default",
        "tf.train.MonitoredTrainingSession",
        "tf.train.Supervisor",
        "tf.global_variables_initializer",
        "tf.initialize_all_variables",
        "tf.reset_default_graph",
    ]
)
"""Names of TensorFlow 1 that only make sense with a graph: a script that uses one builds graphs."""


class Change(typing.NamedTuple):
    """One place that has to change.

    Attributes:
        line, column: the place, both counted from 1, the column in characters.
        kind: one of ``KINDS``.
        name: what the target lacks, ``tf.placeholder``, ``tf.keras.Model.fit(workers)``.
        gone: ``TensorFlow 2.0``, the first release without it; empty for a setting.
        instead: the replacement, as the script would write it; empty if there is no simple one.
        says: sentences about it.
        behaviour: ``same`` or ``differs``: whether the edited program behaves like the old one.
        edits: None if you have to make the change by hand.
    """

    line: int
    column: int
    kind: str
    name: str
    gone: str
    instead: str
    says: tuple[str, ...]
    behaviour: str
    edits: tuple[Edit, ...] | None


class Script:
    """One script that is upgraded to an installation.

    Attributes:
        source, uses, at: the text, what it uses, the installation where it should run.
        before: an installation that the script was written for.
        graphs: it is a TensorFlow 1 script that builds graphs, so it keeps TensorFlow 1's interface.
        local: local name -> dotted name, as in the edited script's imports.
    """

    def __init__(self, source: Source, uses: Uses, at: At, before: At) -> None:
        self.source, self.uses, self.at, self.before = source, uses, at, before
        self.switched = self._switched()
        self.graphs = bool(self.switched)
        self.local = dict(uses.local)
        for alias in self.switched:
            self.local[alias.asname or ""] = "tensorflow.compat.v1"
        self.moved: dict[str, str] = {}
        """Names that an edited import provides under their old local name."""

    def _switched(self) -> list[ast.alias]:
        """Imports to change so that they provide TensorFlow 1's interface, in a script that needs it."""
        names = {use.name for use in self.uses.names}
        needs = any(name in _GRAPH and self.at.gone(name) for name in names)
        if not needs or any(name.endswith("enable_eager_execution") for name in names):
            return []
        aliases = [use for use in self.uses.names if use.name == "tf" and isinstance(use.node, ast.alias) and use.node.asname]
        plain = [use for use in aliases if use.statement is not None and self._is_plain(use.statement)]
        return [use.node for use in plain if isinstance(use.node, ast.alias)] if len(plain) == len(aliases) else []

    def _is_plain(self, statement: ast.Import | ast.ImportFrom) -> bool:
        at_top = not self.uses.program.place(statement).function
        return isinstance(statement, ast.Import) and len(statement.names) == 1 and at_top and self.source.is_alone(statement)

    # ---------------------------------------------------------------- what a name becomes

    def effective(self, name: str) -> str:
        """The meaning of a name in the script after the imports have been switched."""
        return f"tf.compat.v1.{name[3:]}" if self.graphs and name.startswith("tf.") and self._is_through_alias(name) else name

    @staticmethod
    def _is_through_alias(name: str) -> bool:
        return not name.startswith("tf.compat.")

    def replacement(self, name: str) -> tuple[str, "renames.Row | None"]:
        """(the new name, its row of the table); empty if there is none."""
        known = instead.known(self.at.atlas, name, self.at)
        if known is not None and (known[0] or not known[1].old.endswith("*")):
            return known
        found = self.at.atlas.lookup(name)
        same = self._as_meant(found) or instead.same(self.at.atlas, found, self.at) if found is not None else []
        if same:
            return self._preferred(same), None
        return known if known is not None else ("", None)

    def _as_meant(self, found: typing.Any) -> list[str]:
        """The target's names of what a name meant in the script's own release, if later releases had another object under it."""
        atlas, span = self.at.atlas, found.releases[-1]
        meant = self.before.object_of(found.name)
        if not meant or meant == atlas.object_of(found.name, span.package, span.last):
            return []
        return [one for one in atlas.names_of(meant) if self.at.object_of(one) == meant]

    def member(self, name: str) -> str:
        """A member of an object, by the object's class in the edited script; empty if that is not known."""
        parent, _, leaf = self.effective(name).rpartition(".")
        row = renames.of_name(parent)
        raises = row is not None and row.how == "raises" and self.at.is_past(row, parent)
        if not raises and self.at.gone(parent) is None:
            return f"{parent}.{leaf}"
        new = row.new_of(parent) if raises and row is not None else self.replacement(parent)[0]
        return f"{new}.{leaf}" if new and self.at.has(new) else ""

    def _preferred(self, names: list[str]) -> str:
        """From several names of one object, one that the script can write without a new import."""
        return next((name for name in names if self.written(name)), names[0])

    def written(self, name: str) -> str:
        """A public name as the script can write it with its imports; empty if it cannot."""
        wanted = [f"tensorflow.{name[3:]}" if name.startswith("tf.") else name]
        if self.graphs and name.startswith("tf.") and self.at.has(f"tf.compat.v1.{name[3:]}"):
            wanted.append(f"tensorflow.compat.v1.{name[3:]}")
        for dotted in wanted:
            for local, meaning in sorted(self.local.items(), key=lambda item: -len(item[1])):
                if dotted == meaning or (dotted.startswith(f"{meaning}.") and not self._is_gone(meaning)):
                    return local + dotted[len(meaning) :]
        return ""

    def _is_gone(self, dotted: str) -> bool:
        name = f"tf{dotted[10:]}" if dotted.startswith("tensorflow") else dotted
        return "." in name and self.at.gone(name) is not None

    def change(self, node: ast.AST, kind: str, name: str, gone: str, **rest: typing.Any) -> Change:
        """A change at a node."""
        first = getattr(node, "lineno", 1)
        shown = line(node)
        place = self.source.offset(first, column(node)) - self.source.offset(first, 0) + 1 if shown == first else 1
        given = {"instead": "", "says": (), "behaviour": "same", "edits": None} | rest
        return Change(shown, place, kind, name, gone, **given)


def names(script: Script) -> list[Change]:
    """Changes for every name and member that the installation lacks, except in imports."""
    found = []
    for use in script.uses.names:
        if use.statement is None:
            change = _of_member(script, use) if use.member else _of_name(script, use)
            if change is not None:
                found.append(change)
    return found


def _of_name(script: Script, use: Use) -> Change | None:
    name = use.name
    gone = script.at.gone(name)
    if gone is None:
        return _that_raises(script, use)
    if _is_brought(script, use):
        return None
    node, whole = _part(use.node, name, gone.name), gone.name
    new, row = script.replacement(name)
    if _is_expression(script, use, row):
        return None
    if not new and _import_is_listed(script, use):
        return None
    if new or (row is not None and not row.old.endswith("*")):
        node, whole = use.node, name
    else:
        new, row = script.replacement(whole)
    switched = script.effective(whole)
    if script.graphs and switched != whole and script.at.has(switched) and (not row or not row.package):
        return _change_of_name(script, node, whole, gone, switched, row, ())
    return _change_of_name(script, node, whole, gone, new, row, _rename(script, node, new, row))


def _is_brought(script: Script, use: Use) -> bool:
    """Return whether an edited import or assignment already provides the replacement under the old local name."""
    moved = script.moved
    if use.alias and script.at.gone(use.alias) is not None:
        moved = {**moved, use.alias: script.replacement(use.alias)[0]}
    for old, new in moved.items():
        if use.name == old:
            return True
        if new and use.name.startswith(f"{old}."):
            known, row = script.replacement(use.name)
            by_hand = row is not None and row.edit == "hand" and not row.old.endswith("*")
            return known in ("", new + use.name[len(old) :]) and not by_hand
    return False


def _import_is_listed(script: Script, use: Use) -> bool:
    """Return whether the import of an expression's first name is already listed as gone."""
    word: ast.AST = use.node
    while isinstance(word, ast.Attribute):
        word = word.value
    meaning = public(script.uses.local.get(word.id, "")) if isinstance(word, ast.Name) else ""
    return "." in meaning and script.at.gone(meaning) is not None


def _that_raises(script: Script, use: Use) -> Change | None:
    row = renames.of_name(use.name)
    if row is None or row.how != "raises" or not script.at.is_past(row, use.name) or _is_expression(script, use, row):
        return None
    new = row.new_of(use.name)
    if not script.at.has(new):
        new = ""
    return _change_of_name(
        script, use.node, use.name, Gone(use.name, row.since[0], "", _version(row)), new, row, _rename(script, use.node, new, row)
    )


def _is_expression(script: Script, use: Use, row: "renames.Row | None") -> bool:
    """Return whether the whole call changes, not just the name."""
    call = script.uses.program.parents.get(use.node)
    return row is not None and row.edit == "expression" and isinstance(call, ast.Call) and call.func is use.node


def _version(row: renames.Row) -> str:
    return ".".join(map(str, row.since[1]))


def _part(node: ast.AST, name: str, gone: str) -> ast.AST:
    """The part of a dotted expression that stands for the name that is gone."""
    for _ in range(name.count(".") - gone.count(".")):
        if isinstance(node, ast.Attribute):
            node = node.value
    return node


def _rename(script: Script, node: ast.AST, new: str, row: "renames.Row | None") -> tuple[Edit, ...] | None:
    if not new or (row is not None and row.edit != "rename"):
        return None
    written = script.written(new)
    return (Edit(script.source.start(node), script.source.end(node), written),) if written else None


def _change_of_name(
    script: Script, node: ast.AST, name: str, gone: Gone, new: str, row: "renames.Row | None", edits: tuple[Edit, ...] | None
) -> Change:
    says = (row.says,) if row is not None and row.says and not (script.graphs and edits == ()) else ()
    if not new and row is None:
        near = [one for one in instead.nearest(script.at.atlas, name) if one.rpartition(".")[2] == name.rpartition(".")[2]]
        says = (f"With the same name: {near[0]}.",) if near else ()
    behaviour = row.behaviour if row is not None and edits != () else "same" if new else "differs"
    shown = new if edits == () else script.written(new) or new
    return script.change(node, "name", name, release(gone), instead=shown, says=says, behaviour=behaviour, edits=edits)


def release(gone: Gone) -> str:
    """The release in words, ``TensorFlow 2.0``."""
    return _of(gone.name, gone.package, gone.since)


def release_of(row: renames.Row, name: str) -> str:
    """As ``release``, for a row of the table of renames."""
    return _of(name, row.since[0], _version(row))


def _of(name: str, package: str, version: str) -> str:
    """The release in words. ``tf.keras`` uses TensorFlow's release: Keras 3 came with 2.16, and before that, both had the
    same number.
    """
    minor = str(versions.minor_release(version))
    if package == "keras" and name.startswith("tf."):
        return "TensorFlow 2.16 (Keras 3)" if minor.startswith("3.") else f"TensorFlow {minor}"
    of_keras = " (Keras 3)" if minor == "2.16" and name.startswith("tf.keras") else ""
    return f"{PACKAGES.get(package, package)} {minor}{of_keras}"


def _of_member(script: Script, use: Use) -> Change | None:
    name = script.member(use.name)
    gone = script.at.gone(name) if name else None
    if gone is None or gone.name != name or not isinstance(use.node, ast.Attribute):
        return None
    row = renames.of_name(name)
    new = row.new_of(name) if row is not None and not row.old.endswith("*") else ""
    leaf = new.rpartition(".")[2]
    if row is not None and row.edit == "expression":
        return None  # the whole call changes
    edits = None
    if new and row is not None and row.edit == "rename":
        end = script.source.end(use.node)
        edits = (Edit(end - len(use.node.attr), end, leaf),)
    says = (row.says,) if row is not None and row.says else ()
    behaviour = row.behaviour if row is not None else "differs"
    return script.change(use.node, "name", name, release(gone), instead=leaf, says=says, behaviour=behaviour, edits=edits)
