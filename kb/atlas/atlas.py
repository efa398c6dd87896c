"""The atlas, asked: who raises this message, since when is there this name, what is like it."""

import functools
import re
import typing

from tfhelp.kb.atlas.fingerprint import Run
from tfhelp.kb.atlas.matching import Anchors, Fingerprint, Found, find
from tfhelp.kb.atlas.store import PATH, Store
from tfhelp.kb.text import Frame

_MOST_SITES = 40
_LESS_USUAL = ("tf_keras", "tensorflow_estimator")
"""Packages that fewer people use than Keras and TensorFlow, which say the same in many places."""
_ADDED = re.compile(r" (?:Call arguments|Arguments) received by ")
"""Keras adds the arguments of the call behind a message of a layer. They belong to no template."""


_FEWEST_WORDS = 4
_FEWEST_IN_A_ROW = 3
"""A fingerprint with fewer fixed words, and fewer of them in a row, counts only where the message is nothing but it and the
exception is the same. Measured on 1,713 messages of 42 other packages: none of 32 matches is left; of fingerprints with more
words, which need no more than to occur, 10 match."""
_CLASS = re.compile(r"(?:[A-Za-z_][\w.]*\.)?([A-Z]\w*): ")


class Span(typing.NamedTuple):
    """Releases in a row of a package: ``first`` to ``last``. ``newest``: the atlas knows no later release."""

    package: str
    first: str
    last: str
    newest: bool


class Place(typing.NamedTuple):
    """A place that raises a message.

    Attributes:
        module: dotted, ``keras.layers.input_spec``; the folder ``src`` of Keras is left out.
        function: qualified name inside the module; empty at its level.
        exception: class without its module; empty where the source computes it.
        public: the public name that the function is best known by, or empty.
        releases: where it stands.
        names: of the values, as the source calls them; empty where it has no short name for one.
    """

    module: str
    function: str
    exception: str
    public: str
    releases: tuple[Span, ...]
    names: tuple[str, ...]


class Explained(typing.NamedTuple):
    """What can have raised a message.

    Attributes:
        place: the likeliest.
        others: other places whose message has the same fingerprint, the likeliest first.
        values: (name in the source, text in the message). Names of values that nothing tells apart are joined by commas.
        fixed: how many words of the message are the template's own.
        whole: the message begins and ends where the template does.
    """

    place: Place
    others: tuple[Place, ...]
    values: tuple[tuple[str, str], ...]
    fixed: int
    whole: bool


class Name(typing.NamedTuple):
    """A public name.

    Attributes:
        name: as asked, with ``tf.`` for ``tensorflow.``.
        releases: where it exists.
        same: other public names of the same object, the best known first.
        signatures: (parameters, releases) of a function, method or class, oldest first.
    """

    name: str
    releases: tuple[Span, ...]
    same: tuple[str, ...]
    signatures: tuple[tuple[str, tuple[Span, ...]], ...]


class Atlas:
    """The file, opened."""

    def __init__(self, path: str = PATH) -> None:
        """Open it.

        Raises:
            AtlasError: it is missing, damaged or of another format.
        """
        self._store = Store(path)
        self.packages: list[str] = self._store.get("about", "packages")
        self._releases: list[list[str]] = self._store.get("about", "releases")
        self._companions: list[list[list[int]]] = self._store.get("about", "companions")
        self._anchors: Anchors | None = None
        self._sites: dict[int, list[typing.Any]] = {}

    def releases(self, package: str) -> list[str]:
        """The releases that the atlas was made from, oldest first.

        Raises:
            ValueError: no such package.
        """
        return self._releases[self.packages.index(package)]

    # --- messages

    def explain(self, message: str, exception: str = "", frames: typing.Sequence[Frame] = (), most: int = 5) -> list[Explained]:
        """Who can have raised a message, the likeliest first; empty where no fingerprint fits.

        Args:
            message: what the exception says; its class may stand before it.
            exception: class of the exception, where it is known. A place that raises another one comes later.
            frames: of its traceback. A place that they name comes first.
            most: how many are wanted.
        """
        text, exception = _without_class(_ADDED.split(message, maxsplit=1)[0], exception)
        found = find(text, self._anchored(), self._fingerprint)
        meant = (one for one in found if not self._is_weak(one) or self._is_exact(one, exception))
        ranked = sorted(meant, key=lambda one: self._rank(one, exception, frames), reverse=True)
        kept: dict[int, Found] = {}
        for one in _innermost_first(ranked):
            kept.setdefault(one.row, one)
        return [self._explained(one, exception, frames) for one in list(kept.values())[:most]]

    def _anchored(self) -> Anchors:
        if self._anchors is None:
            self._anchors = Anchors(self._store.numbers("digests"), self._store.numbers("rows"))
        return self._anchors

    def _sites_of(self, number: int) -> list[typing.Any]:
        if number not in self._sites:
            self._sites[number] = self._store.get("sites", f"{number:05d}")
        return self._sites[number]

    def _fingerprint(self, number: int) -> Fingerprint:
        runs, gaps, anchor = self._store.get("prints", f"{number:05d}")
        pairs = tuple(Run(runs[place], runs[place + 1]) for place in range(0, len(runs), 2))
        return Fingerprint(pairs, tuple(_gap(parts) for parts in gaps), anchor)

    def _is_weak(self, found: Found) -> bool:
        runs = self._fingerprint(found.row).runs
        return found.fixed < _FEWEST_WORDS and max(run.words for run in runs) < _FEWEST_IN_A_ROW

    def _is_exact(self, found: Found, exception: str) -> bool:
        """Is the message nothing but this template, raised by the class that the source names?"""
        return found.first == 0 and found.ends and any(site[3] == exception for site in self._sites_of(found.row))

    def _rank(self, found: Found, exception: str, frames: typing.Sequence[Frame]) -> tuple[float, int]:
        sites = self._sites_of(found.row)
        score = float(found.fixed) + 2 * found.begins + 2 * found.ends
        if exception and any(site[3] == exception for site in sites):
            score += 3
        if frames and any(_is_named(site, frames) for site in sites[:_MOST_SITES]):
            score += 20
        if any(
            self._is_newest(site) and not _is_left_behind(site[1]) and self.packages[site[0]] not in _LESS_USUAL for site in sites
        ):
            score += 1
        return score, -found.row

    def _explained(self, found: Found, exception: str, frames: typing.Sequence[Frame]) -> Explained:
        sites = sorted(self._sites_of(found.row), key=lambda site: self._site_rank(site, exception, frames, found))
        places = [self._place(site) for site in sites]
        return Explained(
            places[0], tuple(places[1:]), self._values(found, places[0].names), found.fixed, found.begins and found.ends
        )

    def _is_newest(self, site: list[typing.Any]) -> bool:
        return bool(site[4][-1] == len(self._releases[site[0]]) - 1)

    def _site_rank(
        self, site: list[typing.Any], exception: str, frames: typing.Sequence[Frame], found: Found
    ) -> tuple[typing.Any, ...]:
        package, module, function, raised, releases, _, public = site
        return (
            not (frames and _is_named(site, frames)),
            bool(exception) and raised != exception,
            _is_left_behind(module),
            not _is_said(function, found),
            self.packages[package] in _LESS_USUAL,
            not self._is_newest(site),
            not public,
            -releases[-1],
            module,
        )

    def _values(self, found: Found, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        _, gaps, _ = self._store.get("prints", f"{found.row:05d}")
        given = iter(names)
        pairs: list[tuple[str, str]] = []
        for gap, texts in zip(gaps, found.values, strict=True):
            inside = [next(given) for _ in gap[1:]]
            # The last text belongs to all values that nothing tells apart.
            pairs += zip(inside, texts[:-1], strict=False)
            if inside:
                pairs.append((", ".join(name for name in inside[len(texts) - 1 :] if name), texts[-1]))
        return tuple(pairs)

    def _place(self, site: list[typing.Any]) -> Place:
        package, module, function, exception, releases, names, public = site
        return Place(module, function, exception, public, self._spans(package, releases), tuple(names))

    # --- names

    def lookup(self, name: str) -> Name | None:
        """A public name, or a method or attribute of a public class; None where no release has it."""
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
        """The releases that have a module, such as ``tensorflow.contrib``; empty where none has it."""
        rows = self._store.get("modules", name) or []
        return tuple(span for package, releases in rows for span in self._spans(package, releases))

    def beside(self, place: str) -> int:
        """How many public names stand directly inside of a public module, such as ``tf.sysconfig``."""
        return len(self._store.get("inside", canonical(place)) or [])

    def nearest(self, name: str, most: int = 3) -> list[str]:
        """Existing public names that are likest to one that does not exist: of the same parent first, then elsewhere."""
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

    def range_of(self, names: typing.Iterable[str], package: str = "tensorflow") -> Span | None:
        """The longest row of releases of a package that have every one of these names, the newest where two are as long.

        Names that no release of the package has are left out. None where no release has all the others, or none is known.
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
        rows = _rows(left) if known else []
        return self._span(index, *max(rows, key=lambda row: (row[1] - row[0], row[1]))) if rows else None

    def _numbers(self, package: int, span: Span) -> range:
        versions = self._releases[package]
        return range(versions.index(span.first), versions.index(span.last) + 1)

    def _span(self, package: int, first: int, last: int) -> Span:
        versions = self._releases[package]
        return Span(self.packages[package], versions[first], versions[last], last == len(versions) - 1)

    def _spans(self, package: int, releases: list[int]) -> tuple[Span, ...]:
        return tuple(self._span(package, *releases[place : place + 2]) for place in range(0, len(releases), 2))

    def _joined(self, rows: list[typing.Any]) -> tuple[Span, ...]:
        """The releases of all objects that a name has stood for, package by package."""
        found: dict[int, set[int]] = {}
        for package, _, releases in rows:
            found.setdefault(package, set()).update(_each(releases))
        return tuple(self._span(package, *row) for package, numbers in sorted(found.items()) for row in _rows(numbers))

    def _merged(self, spans: typing.Iterable[Span]) -> tuple[Span, ...]:
        """The same releases in as few rows as there can be."""
        found: dict[int, set[int]] = {}
        for span in spans:
            package = self.packages.index(span.package)
            found.setdefault(package, set()).update(self._numbers(package, span))
        return tuple(self._span(package, *row) for package, numbers in sorted(found.items()) for row in _rows(numbers))

    def _same(self, asked: str, rows: list[typing.Any]) -> tuple[str, ...]:
        names = [name for _, target, _ in reversed(rows) if target for name in (self._store.get("objects", target) or [[]])[0]]
        return tuple(sorted({name for name in names if name != asked}, key=_best_known))

    def _same_members(self, parent: str, rows: list[typing.Any], member: str) -> tuple[str, ...]:
        return tuple(f"{name}.{member}" for name in self._same(parent, rows))

    def _signatures(self, rows: list[typing.Any], member: str) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """The parameters of what a name stands for, or of a member of it, by release."""
        found: dict[str, dict[int, set[int]]] = {}
        for package, target, releases in rows:
            for number in _each(releases):
                text = self._signature(target, member, package, number)
                if text is not None:
                    found.setdefault(text, {}).setdefault(package, set()).add(number)
        return tuple(
            (text, tuple(self._span(package, *row) for package, numbers in sorted(by.items()) for row in _rows(numbers)))
            for text, by in found.items()
        )

    def _signature(self, target: str, member: str, package: int, number: int) -> str | None:
        """Of a release: a function's parameters, a class's for making one, a method's, or "" of an attribute. None: not there."""
        head = target.partition(".")[0]
        if head != self.packages[package]:
            pairs = self._companions[number] if package == 0 else []
            beside = {pair[0]: pair[1] for pair in pairs}
            if head not in self.packages or self.packages.index(head) not in beside:
                return None
            number = beside[self.packages.index(head)]
        row = self._store.get("objects", target)
        if row is None:
            return None
        if not member:
            for text, releases in row[1]:
                if number in _each(releases):
                    return str(text)
        for wanted in [member] if member else ["__init__", "__new__"]:
            text = self._method(target, wanted, number, 0)
            if text is not None:
                return text
        return None

    def _method(self, target: str, method: str, number: int, depth: int) -> str | None:
        row = self._store.get("objects", target)
        if row is None or depth > 12:
            return None
        for text, releases in row[3].get(method, ()):
            if number in _each(releases):
                return str(text)
        for bases, releases in row[2]:
            if number in _each(releases):
                for base in bases:
                    found = self._method(base, method, number, depth + 1)
                    if found is not None:
                        return found
        return None


@functools.cache
def shared() -> Atlas:
    """The one in the repository, opened once in a process.

    Raises:
        AtlasError: it is missing, damaged or of another format.
    """
    return Atlas()


def canonical(name: str) -> str:
    """A name as the atlas writes it: ``tensorflow.keras.Model`` is ``tf.keras.Model``."""
    name = name.replace("tf.compat.v2.", "tf.").replace("tensorflow.compat.v2.", "tf.")
    return f"tf.{name[11:]}" if name.startswith("tensorflow.") else "tf" if name == "tensorflow" else name


def _without_class(message: str, exception: str) -> tuple[str, str]:
    """(message without the exception's class before it, the class). The class is read from there where it is not given."""
    found = _CLASS.match(message)
    if found and (found.group(1) == exception or (not exception and found.group(1).endswith(("Error", "Exception")))):
        return message[found.end() :], found.group(1)
    return message, exception


def accepts(parameters: str, name: str) -> bool | None:
    """Does a signature take this keyword? None where it takes any keyword, so that it cannot be told."""
    listed = [part.rstrip("=") for part in parameters.strip("()").split(",")]
    if name in listed:
        return True
    return None if any(part.startswith("**") for part in listed) else False


def _gap(parts: list[str]) -> tuple[str, ...]:
    """Punctuation by itself, as stored, as a gap with values that have no name."""
    return (parts[0], *(text for part in parts[1:] for text in ("", part)))


def _best_known(name: str) -> tuple[bool, bool, int, str]:
    return ("compat.v1" in name or ".raw_ops." in name, ".experimental." in name, len(name), name)


def _each(releases: list[int]) -> set[int]:
    return {number for place in range(0, len(releases), 2) for number in range(releases[place], releases[place + 1] + 1)}


def _rows(numbers: set[int]) -> list[tuple[int, int]]:
    """Numbers in a row as (first, last), ascending."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _is_left_behind(module: str) -> bool:
    """Copies of Keras that TensorFlow keeps for itself, and backends of Keras that are not TensorFlow's."""
    return module.startswith(("tensorflow.python.keras.", "keras.legacy.")) or (
        ".backend." in module and any(f".backend.{other}." in module for other in ("jax", "torch", "numpy", "openvino"))
    )


def _is_said(function: str, found: Found) -> bool:
    """Is a value of the message the name of this function or of its class?"""
    parts = {part for part in function.split(".") if not part.startswith("_")}
    return any(text.strip("`'\"()") in parts for texts in found.values for text in texts)


def _is_named(site: list[typing.Any], frames: typing.Sequence[Frame]) -> bool:
    """Does a frame stand in this function of this module?"""
    tail = "/".join(site[1].split(".")[-2:])
    function = site[2].rpartition(".")[2]
    return any(
        frame.function.rpartition(".")[2] == function and tail in frame.file.replace("\\", "/").replace("/src/", "/")
        for frame in frames
    )


def _innermost_first(ranked: list[Found]) -> list[Found]:
    """Put before a message that only wraps another one the one that it wraps."""
    if not ranked:
        return []
    best, rest = ranked[0], ranked[1:]
    for span, texts in zip(best.spans, best.values, strict=True):
        inside = [one for one in rest if texts and span[0] <= one.first <= span[0] + 4 and one.last < span[1]]
        if inside:
            return [*_innermost_first(inside), best, *(one for one in rest if one not in inside)]
    return ranked
