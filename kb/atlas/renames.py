"""The names and arguments that were renamed, moved or dropped in a way that the sources do not show.

The table is ``renames.tsv``. A row whose old name begins with ``keras.`` also applies to ``tf.keras.`` and ``tf_keras.``.
"""

import functools
import os
import typing

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "renames.tsv")
COLUMNS = ("old", "new", "gone", "edit", "behaviour", "says", "source")
EDITS = ("rename", "drop", "expression", "hand")
BEHAVIOURS = ("same", "differs")
_KERAS = ("tf.keras.", "tf_keras.", "keras.")


class Row(typing.NamedTuple):
    """One row.

    Attributes:
        old: the name; ``keras.optimizers.*`` is every name inside; ``keras.Model.fit(workers)`` is an argument.
        new: the replacement: a name (for an argument, another argument), ``package:name`` for a name in another package, or
            empty if there is no simple replacement.
        gone: the first release without it, ``tensorflow 2.0``; ``keras 3.0, raises`` for a name that still exists and raises when
            it is called, ``keras 3.0, ignored`` for an argument that is accepted and does nothing.
        edit: ``rename``, ``drop`` (the argument is removed), ``expression`` (an edit that the tool can make), ``hand``.
        behaviour: ``same`` or ``differs``.
        says: a sentence for the user.
        source: where this is documented.
    """

    old: str
    new: str
    gone: str
    edit: str
    behaviour: str
    says: str
    source: str

    @property
    def since(self) -> tuple[str, tuple[int, ...]]:
        """The package, and its first release without the old name."""
        package, version = self.gone.partition(",")[0].split(" ")
        return package, tuple(int(part) for part in version.split("."))

    @property
    def how(self) -> str:
        """``raises`` or ``ignored`` for what still exists, else empty."""
        return self.gone.partition(", ")[2]

    @property
    def package(self) -> str:
        """The package to install for a name that another package has, else empty."""
        return self.new.partition(":")[0] if ":" in self.new else ""

    def new_of(self, name: str) -> str:
        """The replacement for a name that the row covers, spelled with the same head (``tf.keras.``, ``keras.``)."""
        new = self.new.partition(":")[2] if self.package else self.new
        if not new:
            return ""
        prefix, plain = _plain(name)
        head = prefix if not self.package and new.startswith("keras.") else ""
        rest = plain[len(self.old) - 1 :] if self.old.endswith(".*") else plain[len(self.old) :]
        new = new.removesuffix("*") + rest
        return f"{head}{new[6:]}" if head else new


@functools.cache
def rows() -> tuple[Row, ...]:
    """The table.

    Raises:
        ValueError: a line of the file does not have the columns.
    """
    found = []
    with open(PATH, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip("\n").split("\t")
            if line.startswith("#") or not line.strip() or tuple(cells) == COLUMNS:
                continue
            if len(cells) != len(COLUMNS) or cells[3] not in EDITS or cells[4] not in BEHAVIOURS:
                raise ValueError(f"{PATH}, line {number}: not {len(COLUMNS)} columns as the first line names them")
            found.append(Row(*cells))
    return tuple(found)


@functools.cache
def _tables() -> tuple[dict[str, Row], dict[tuple[str, str], Row]]:
    names: dict[str, Row] = {}
    arguments: dict[tuple[str, str], Row] = {}
    for row in rows():
        name, _, argument = row.old.removesuffix(")").partition("(")
        if argument:
            arguments[name, argument] = row
        else:
            names[name] = row
    return names, arguments


def of_name(name: str) -> Row | None:
    """The row of a name: its own, else that of the nearest enclosing namespace."""
    names = _tables()[0]
    _, plain = _plain(name)
    exact = names.get(plain)
    if exact is not None:
        return exact
    parts = plain.split(".")
    if plain.startswith("keras.optimizers.") and len(parts) == 4:
        return names.get(f"keras.optimizers.Optimizer.{parts[3]}") or names.get(f"keras.optimizers.{parts[2]}.*")
    for length in range(len(parts) - 1, 0, -1):
        around = names.get(".".join([*parts[:length], "*"]))
        if around is not None:
            return around
    return None


def of_argument(name: str, argument: str) -> Row | None:
    """The row of an argument of a function, class or method: the function's own, else that of the enclosing namespace."""
    arguments = _tables()[1]
    _, plain = _plain(name)
    for place in (plain, f"{plain.rpartition('.')[0]}.*", f"*.{plain.rpartition('.')[2]}"):
        row = arguments.get((place, argument))
        if row is not None:
            return row
    return None


def _plain(name: str) -> tuple[str, str]:
    """(``tf.keras.`` or a similar prefix, the name as in the table)."""
    for short in ("optimizers", "losses", "metrics"):
        if name.startswith(f"tf.{short}."):
            name = f"tf.keras.{name[3:]}"
    for prefix in _KERAS:
        if name.startswith(prefix):
            rest = name[len(prefix) :].replace("models.Model.", "Model.", 1).replace("models.Sequential.", "Model.", 1)
            return prefix, "keras." + (f"Model.{rest[11:]}" if rest.startswith("Sequential.") else rest)
    return "", name
