"""Look up a traceback in the atlas: in which releases its frames are possible.

A frame names a file, a function and a line. The atlas has the lines of every function in every file of every release. The
releases in which a frame is possible are those whose file has this function at this line; a traceback is possible where all of
its frames are.
"""

import functools
import typing

from tfhelp.kb.atlas.lines import places
from tfhelp.kb.atlas.opened import Opened, each
from tfhelp.kb.text import Frame

_MOST_FRAMES = 12
"""Maximum number of frames that are looked up, innermost first: the outer ones add nothing to the inner ones."""
_ANYWHERE = ("", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")
"""Frame names that do not identify a function, because any function may contain one."""
_KEPT_FRAMES = 2_000
"""Number of frames whose releases a process caches, a few hundred bytes each."""


class Possible(typing.NamedTuple):
    """The releases of a package in which frames are possible.

    Attributes:
        package: ``tensorflow``, ``keras``, ``tf_keras`` or ``tensorflow_estimator``.
        minors: minor releases in their order, ``("2.4", "2.5")``.
        oldest: the first is the oldest that the atlas knows, so an older one may be possible too.
        newest: the last is the newest that the atlas knows.
        frame: the frame that leaves the fewest releases.
    """

    package: str
    minors: tuple[str, ...]
    oldest: bool
    newest: bool
    frame: Frame


class Stands(typing.NamedTuple):
    """What the path of a frame shows: package, module, and whether its folder is the one of TensorFlow 1.15 to 2.1."""

    package: str
    module: str
    core: bool


class Releases(Opened):
    """The part of the atlas for the lines of functions."""

    def possible(self, frames: typing.Sequence[Frame]) -> list[Possible]:
        """The releases of each package in which all of its frames are possible.

        A package is left out if none of its frames is shown, or if no release has all of its frames. In the second case the text
        shows several runs, or a custom build.
        """
        left: dict[str, frozenset[str]] = {}
        fewest: dict[str, tuple[int, Frame]] = {}
        for frame, stands in _ours(frames):
            minors = self._minors_of(stands, frame)
            left[stands.package] = left.get(stands.package, minors) & minors
            if stands.package not in fewest or len(minors) < fewest[stands.package][0]:
                fewest[stands.package] = len(minors), frame
        return [self._possible(package, minors, fewest[package][1]) for package, minors in left.items() if minors]

    def _possible(self, package: str, minors: typing.Collection[str], frame: Frame) -> Possible:
        known = list(dict.fromkeys(map(_minor, self._lined(package))))
        ordered = tuple(minor for minor in known if minor in minors)
        return Possible(package, ordered, ordered[0] == known[0], ordered[-1] == known[-1], frame)

    def _lined(self, package: str) -> list[str]:
        """The releases whose lines the atlas has: more than those whose names it has."""
        return self._all_lined[self.packages.index(package)]

    @functools.cached_property
    def _all_lined(self) -> list[list[str]]:
        return typing.cast(list[list[str]], self._store.get("about", "lined"))

    def _minors_of(self, stands: Stands, frame: Frame) -> frozenset[str]:
        """The minor releases in which a frame is possible. Tracebacks share many frames, so the latest ones are cached."""
        known = self._minors.get((stands, frame))
        if known is None:
            if len(self._minors) >= _KEPT_FRAMES:
                self._minors.clear()
            known = self._minors[stands, frame] = frozenset(self._look_up(stands, frame))
        return known

    @functools.cached_property
    def _minors(self) -> dict[tuple[Stands, Frame], frozenset[str]]:
        return {}

    def _look_up(self, stands: Stands, frame: Frame) -> set[str]:
        row = self._store.get("lines", stands.module)
        if row is None:
            return set()
        versions, functions = row
        releases = self._lined(stands.package)
        numbers = {number for version in _versions(functions, frame, len(versions)) for number in each(versions[version])}
        if stands.package == "tensorflow" and stands.module != "tensorflow":
            numbers = {number for number in numbers if (_minor(releases[number]) in _CORE) == stands.core}
        return {_minor(releases[number]) for number in numbers}


_CORE = ("1.15", "2.0", "2.1")
"""Releases of TensorFlow whose Python files are in the folder ``tensorflow_core``."""
_HEADS = {
    "tensorflow": "tensorflow",
    "tensorflow_core": "tensorflow",
    "keras": "keras",
    "tf_keras": "tf_keras",
    "tensorflow_estimator": "tensorflow_estimator",
}


def _ours(frames: typing.Sequence[Frame]) -> list[tuple[Frame, Stands]]:
    """The innermost frames inside the packages, each place once."""
    found: dict[tuple[str, int, str], tuple[Frame, Stands]] = {}
    for frame in reversed(frames):
        stands = stands_in(frame.file)
        if stands is not None:
            found.setdefault(frame[:3], (frame, stands))
        if len(found) == _MOST_FRAMES:
            break
    return list(found.values())


def stands_in(path: str) -> Stands | None:
    """What the path of an installed file shows; None for any other path.

    >>> stands_in("/usr/lib/python3/dist-packages/tensorflow_core/python/ops/math_ops.py")
    Stands(package='tensorflow', module='tensorflow.python.ops.math_ops', core=True)
    >>> stands_in("C:\\\\Python\\\\Lib\\\\site-packages\\\\keras\\\\src\\\\layers\\\\__init__.py").module
    'keras.src.layers'
    >>> stands_in("/home/me/keras/train.py") is None
    True
    """
    path = path.replace("\\", "/").replace("//", "/")
    start = max(path.rfind("site-packages/"), path.rfind("dist-packages/"))
    if start < 0 or not path.endswith(".py"):
        return None
    parts = path[start + len("site-packages/") : -len(".py")].split("/")
    package = _HEADS.get(parts[0])
    if package is None:
        return None
    parts = [package, *parts[1:]]
    return Stands(
        package, ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path.startswith("tensorflow_core/", start + 14)
    )


def _versions(functions: dict[str, list[list[typing.Any]]], frame: Frame, known: int) -> set[int]:
    """The versions of a file that have the frame's function at its line."""
    name = frame.function.partition("(")[0].split(" ")[0].rpartition(".")[2].removeprefix("tf__")
    if not functions or name in _ANYWHERE or name == "<module>":
        return set(range(known))
    found = set()
    for row in functions.get(name, ()):
        for version, first, length in places(row):
            if not frame.line or first <= frame.line < first + length:
                found.add(version)
    return found


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])
