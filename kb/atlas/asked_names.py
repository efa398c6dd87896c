"""Look up a public name in the atlas: which releases have it, with which parameters, and which names are similar."""

import typing

from tfhelp.kb.atlas.opened import Opened, Span, each, rows_of

_BARE = frozenset({"object", "ABC", "Iterable", "Iterator", "Sized", "Generic", "Hashable", "Collection"})
"""Base classes of Python itself, by the names that the packages' modules use."""


class Name(typing.NamedTuple):
    """A public name.

    Attributes:
        name: as asked, with ``tf.`` for ``tensorflow.``.
        releases: the releases that have it.
        same: other public names of the same object, the best known first.
        signatures: (parameters, releases) of a function, method or class, oldest first.
    """

    name: str
    releases: tuple[Span, ...]
    same: tuple[str, ...]
    signatures: tuple[tuple[str, tuple[Span, ...]], ...]


class Names(Opened):
    """The part of the atlas for public names."""

    def lookup(self, name: str) -> Name | None:
        """A public name, or a method or attribute of a public class; None if no release has it."""
        asked = canonical(name)
        rows = self._store.get("names", asked)
        if rows is not None:
            return Name(asked, self._joined(rows), self._same(asked, rows), self._signatures(rows, ""))
        parent, _, member = asked.rpartition(".")
        rows = self._store.get("names", parent) if parent else None
        found = self._signatures(rows, member) if rows else ()
        if not rows or not found:
            return None
        return Name(
            asked, self._merged(span for _, spans in found for span in spans), self._same_members(parent, rows, member), found
        )

    def module(self, name: str) -> tuple[Span, ...]:
        """The releases that have a module, such as ``tensorflow.contrib``; empty if none has it."""
        rows = self._store.get("modules", name) or []
        return tuple(span for package, releases in rows for span in self._spans(package, releases))

    def beside(self, place: str) -> int:
        """How many public names are directly inside a public module, such as ``tf.sysconfig``."""
        return len(self._store.get("inside", canonical(place)) or [])

    def nearest(self, name: str, most: int = 3) -> list[str]:
        """Existing public names most similar to one that does not exist: first in the same parent, then elsewhere."""
        import difflib

        asked = canonical(name)
        parent, _, leaf = asked.rpartition(".")
        beside = self._store.get("inside", parent) or []
        close = [f"{parent}.{one}" for one in difflib.get_close_matches(leaf, beside, most, 0.66)]
        elsewhere = sorted(self._store.get("leaves", leaf.lower()) or [], key=_best_known)
        if not close and not elsewhere:
            leaves = [key for key in self._store.keys("leaves", leaf[:1].lower()) if abs(len(key) - len(leaf)) < 3]
            for one in difflib.get_close_matches(leaf.lower(), leaves, most, 0.8):
                elsewhere += sorted(self._store.get("leaves", one), key=_best_known)[:1]
        exact = [key for key in elsewhere if key.rpartition(".")[2] == leaf]
        return list(dict.fromkeys([*exact[:1], *close, *elsewhere]))[:most]

    def beginning(self, text: str, most: int = 5) -> list[str]:
        """Public names that begin with what was typed, the best known first: ``tf.keras.layers.Den``, ``Den``.

        A name without dots is compared with the last part of each name; case only breaks ties.
        """
        parent, dot, leaf = canonical(text).rpartition(".")
        if dot:
            found = [f"{parent}.{one}" for one in self._store.get("inside", parent) or [] if one.lower().startswith(leaf.lower())]
        else:
            keys = sorted(self._store.keys("leaves", leaf.lower()), key=len)[: most * 2]
            found = [min(self._store.get("leaves", key), key=_most_written) for key in keys]
        found.sort(
            key=lambda name: (not name.rpartition(".")[2].startswith(leaf), len(name.rpartition(".")[2]), _most_written(name))
        )
        return list({name.lower(): name for name in reversed(found)}.values())[::-1][:most]

    def named(self, leaf: str) -> list[str]:
        """Every public name whose last part is this one, ignoring case."""
        return list(self._store.get("leaves", leaf.lower()) or [])

    def is_class(self, name: str) -> bool:
        """Return whether a name stands for a class in any release."""
        rows = self._store.get("names", canonical(name)) or []
        objects = (self._store.get("objects", target) for _, target, _ in rows if target)
        return any(row is not None and (row[2] or "__init__" in row[3]) for row in objects)

    def names_of(self, target: str) -> list[str]:
        """Every public name that has stood for an object."""
        return list((self._store.get("objects", target) or [[]])[0])

    def object_of(self, name: str, package: str, release: str) -> str | None:
        """The qualified name of what a public name stands for in a release; empty for a namespace, None if it is not there."""
        index, number = self.packages.index(package), self.releases(package).index(release)
        rows = self._store.get("names", name) or []
        return next((str(target) for of, target, releases in rows if of == index and number in each(releases)), None)

    def parameters_of(self, target: str, member: str, package: str, release: str) -> str | None:
        """Parameters of an object, or of its member, in a release; "" for an attribute, None if the release does not have it."""
        index, number = self.packages.index(package), self.releases(package).index(release)
        return self._signature(target, member, index, number)

    def companion(self, release: str, package: str) -> str | None:
        """The release of another package that a release of TensorFlow is installed with."""
        pairs = self._companions[self.releases("tensorflow").index(release)]
        return next((self._releases[of][number] for of, number in pairs if self.packages[of] == package), None)

    def ancestors(self, target: str, package: str, release: str) -> tuple[list[tuple[str, str | None]], bool]:
        """A class and its base classes, in Python's member lookup order, each with the parameters of its ``__init__``.

        Returns:
            (qualified name, parameters; None if it does not define ``__init__``), and whether every class is known.
        """
        number = self.releases(package).index(release)
        found: dict[str, str | None] = {}
        waiting, whole = [target], True
        while waiting and len(found) < 60:
            name = waiting.pop(0)
            row = self._store.get("objects", name)
            if row is None or not _is_defined_in(row, number):
                whole = whole and row is None and _has_no_members(name)
                continue
            made = (
                text for part in ("__init__", "__new__") for text, releases in row[3].get(part, ()) if number in each(releases)
            )
            found.setdefault(name, next(made, None))
            waiting[:0] = [base for bases, releases in row[2] if number in each(releases) for base in bases]
        return list(found.items()), whole

    def methods_of(self, name: str) -> set[str]:
        """The methods, also inherited ones, that a public class has in the newest release of its package; empty if it is not there."""
        package = "tensorflow" if name.startswith("tf.") else name.partition(".")[0]
        newest = self.releases(package)[-1]
        target = self.object_of(name, package, newest)
        classes = [one for one, _ in self.ancestors(target, package, newest)[0]] if target else []
        named = {member for one in classes for member in (self._store.get("objects", one) or [(), (), (), {}])[3]}
        return {member for member in named if self.parameters_of(str(target), member, package, newest)}

    def range_of(self, names: typing.Iterable[str], package: str = "tensorflow") -> Span | None:
        """The longest span of a package's releases that have all of these names; of equally long spans, the newest.

        Names that no release of the package has are ignored. None if no release has all the others, or no name is known.
        """
        index = self.packages.index(package)
        every = set(range(len(self._releases[index])))
        left, known = set(every), False
        for name in names:
            found = self.lookup(name)
            versions = (
                {number for span in found.releases if span.package == package for number in self._numbers(index, span)}
                if found
                else set()
            )
            if versions:
                left, known = left & versions, True
        rows = rows_of(left) if known else []
        return self._span(index, *max(rows, key=lambda row: (row[1] - row[0], row[1]))) if rows else None

    def _joined(self, rows: list[typing.Any]) -> tuple[Span, ...]:
        """The releases of all objects that a name has stood for, grouped by package."""
        found: dict[int, set[int]] = {}
        for package, _, releases in rows:
            found.setdefault(package, set()).update(each(releases))
        return tuple(self._span(package, *row) for package, numbers in sorted(found.items()) for row in rows_of(numbers))

    def _merged(self, spans: typing.Iterable[Span]) -> tuple[Span, ...]:
        """The same releases in as few spans as possible."""
        found: dict[int, set[int]] = {}
        for span in spans:
            package = self.packages.index(span.package)
            found.setdefault(package, set()).update(self._numbers(package, span))
        return tuple(self._span(package, *row) for package, numbers in sorted(found.items()) for row in rows_of(numbers))

    def _same(self, asked: str, rows: list[typing.Any]) -> tuple[str, ...]:
        names = [name for _, target, _ in reversed(rows) if target for name in (self._store.get("objects", target) or [[]])[0]]
        return tuple(sorted({name for name in names if name != asked}, key=_best_known))

    def _same_members(self, parent: str, rows: list[typing.Any], member: str) -> tuple[str, ...]:
        return tuple(f"{name}.{member}" for name in self._same(parent, rows))

    def _signatures(self, rows: list[typing.Any], member: str) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """The parameters of a name's object, or of its member, by release."""
        found: dict[str, dict[int, set[int]]] = {}
        for package, target, releases in rows:
            for number in each(releases):
                text = self._signature(target, member, package, number)
                if text is not None:
                    found.setdefault(text, {}).setdefault(package, set()).add(number)
        return tuple(
            (text, tuple(self._span(package, *row) for package, numbers in sorted(by.items()) for row in rows_of(numbers)))
            for text, by in found.items()
        )

    def _signature(self, target: str, member: str, package: int, number: int) -> str | None:
        """The parameters of a function, method or class constructor in a release; "" for an attribute. None: not there."""
        inside = self._number_in(target, package, number)
        if inside is None:
            return None
        package, number = inside
        row = self._store.get("objects", target)
        if row is None:
            return None
        if not member:
            for text, releases in row[1]:
                if number in each(releases):
                    return str(text)
        for wanted in [member] if member else ["__init__", "__new__"]:
            text = self._method(target, wanted, package, number, 0)
            if text is not None:
                return text
        return None

    def _method(self, target: str, method: str, package: int, number: int, depth: int) -> str | None:
        inside = self._number_in(target, package, number)
        row = self._store.get("objects", target)
        if inside is None or row is None or depth > 12:
            return None
        package, number = inside
        for text, releases in row[3].get(method, ()):
            if number in each(releases):
                return str(text)
        for bases, releases in row[2]:
            if number in each(releases):
                for base in bases:
                    found = self._method(base, method, package, number, depth + 1)
                    if found is not None:
                        return found
        return None

    def _number_in(self, target: str, package: int, number: int) -> tuple[int, int] | None:
        """(package, release) that defines an object which a release of a package exposes; None if that is not known."""
        head = target.partition(".")[0]
        if head not in self.packages:
            return None
        wanted = self.packages.index(head)
        if wanted == package:
            return package, number
        if package == 0:
            beside = {pair[0]: pair[1] for pair in self._companions[number]}
            return (wanted, beside[wanted]) if wanted in beside else None
        # For Keras and the estimators, inherited members come from the oldest TensorFlow that they are installed with.
        shown = (place for place, pairs in enumerate(self._companions) if [package, number] in pairs)
        place = next(shown, None) if wanted == 0 else None
        return None if place is None else (0, place)


def _is_defined_in(row: list[typing.Any], number: int) -> bool:
    """Return whether the sources of a release define a class, as far as its bases and methods show."""
    rows = [*row[2], *(one for methods in row[3].values() for one in methods)]
    return any(number in each(releases) for _, releases in rows)


def _has_no_members(name: str) -> bool:
    """Return whether a base class that the sources do not define adds no member that a program would use."""
    leaf = name.rpartition(".")[2]
    return leaf in _BARE or not name.startswith(("tensorflow", "keras", "tf_keras"))


def canonical(name: str) -> str:
    """A name as the atlas writes it: ``tensorflow.keras.Model`` is ``tf.keras.Model``."""
    name = name.replace("tf.compat.v2.", "tf.").replace("tensorflow.compat.v2.", "tf.")
    return f"tf.{name[11:]}" if name.startswith("tensorflow.") else "tf" if name == "tensorflow" else name


def accepts(parameters: str, name: str) -> bool | None:
    """Return whether a signature takes this keyword; None if it takes any keyword, so the answer is unknown."""
    listed = [part.rstrip("=") for part in parameters.strip("()").split(",")]
    if name in listed:
        return True
    return None if any(part.startswith("**") for part in listed) else False


def _best_known(name: str) -> tuple[bool, bool, int, str]:
    return ("compat.v1" in name or ".raw_ops." in name, ".experimental." in name, len(name), name)


def _most_written(name: str) -> tuple[bool, bool, bool, int, str]:
    """Sort key: first the name that most programs import an object by, last a module's file (``keras.layers.core``)."""
    past = "compat.v1" in name or ".raw_ops." in name or "legacy" in name
    return (past, ".experimental." in name, not name.startswith("tf.keras."), len(name), name)
