"""Decide which of several places with the same words most likely raised a message.

What decides, in this order: a frame of the traceback; the class of the exception; a class, layer or function that the message
names, and what it inherits from; a name that the user's own code calls; the installed release; then what most people use: Keras
itself before its copies, the newest release, a public function before a helper, and the shorter of two public names, since
``AlphaDropout`` is modelled on ``Dropout``.
"""

import re
import typing

from tfhelp.kb.atlas.opened import Opened, each
from tfhelp.kb.text import Frame

Site = list[typing.Any]
"""A row of the table ``sites``: package, module, function, exception, releases, names of values, public name."""

_LESS_USUAL = ("tf_keras", "tensorflow_estimator")
"""Packages that fewer people use than Keras and TensorFlow, and that have many of the same messages."""
_OTHER_BACKENDS = ("jax", "torch", "numpy", "openvino")
_SAME_CLASS = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError", "FileNotFoundError": "OSError"}
NATIVE = frozenset((
    "AbortedError", "AlreadyExistsError", "CancelledError", "DataLossError", "DeadlineExceededError", "FailedPreconditionError",
    "InternalError", "InvalidArgumentError", "NotFoundError", "OutOfRangeError", "PermissionDeniedError", "ResourceExhaustedError",
    "UnauthenticatedError", "UnavailableError", "UnimplementedError", "UnknownError",
))  # fmt: skip
"""The classes of ``tf.errors``. Nearly all of their messages come from C++."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MOST_WORDS = 400
_SHOWN = re.compile(r"<[^<>]{0,400}>")
"""A value as Python prints it, ``<Dense name=dense>``: an argument, not the code that raised the message."""
_OBJECT = re.compile(r"<(?:[\w.]{1,200}\.)?(\w{1,80}) object at 0x")
_SPEAKER = re.compile(
    r"(?:calling|[Ll]ayer|received by|type|optimizer|metric|loss|to|[Oo]p)(?: layer| function| Op)?:? ?[`\"'(]{0,3}([A-Za-z_]\w{0,80})"
)
_UNKNOWN = re.compile(r"\(None,|, None[,)]|KerasTensor")
_NUMBER = re.compile(r"_\d+$")
_HELPER = "_eager_fallback"
_MOST_CLASSES = 100


class Evidence:
    """What a text shows about a message besides its words.

    Attributes:
        exception: class of the exception, or empty.
        frames: of its traceback.
        speakers: names by which the message identifies what raised it: layers, classes and functions, in lower case without
            underscores.
        words: all names in the message except those inside a printed value, in the same form.
        called: names that the user's code calls, in the same form.
        installed: package -> its installed version.
        above: the classes of the speakers and their base classes, computed when first needed.
        symbolic: a shape in the message has an unknown dimension, as shapes have during Keras' symbolic shape inference.
    """

    __slots__ = ("above", "called", "exception", "frames", "installed", "speakers", "symbolic", "words")

    def __init__(
        self,
        message: str,
        exception: str = "",
        frames: typing.Sequence[Frame] = (),
        code: str = "",
        installed: typing.Mapping[str, str] | None = None,
    ) -> None:
        self.exception = exception
        self.frames = frames
        self.speakers = {spelled(name) for name in [*_SPEAKER.findall(message), *_OBJECT.findall(message)]}
        self.words = {spelled(name) for name in _WORD.findall(_SHOWN.sub(" ", message))[:_MOST_WORDS]}
        self.called = {spelled(name) for name in _WORD.findall(code)[:_MOST_WORDS]}
        self.installed = installed or {}
        self.above: set[str] | None = None
        self.symbolic = _UNKNOWN.search(message) is not None


def spelled(name: str) -> str:
    """A name without its number, its underscores and its case.

    >>> spelled("random_erasing_3"), spelled("RandomErasing")
    ('randomerasing', 'randomerasing')
    """
    return _NUMBER.sub("", name).replace("_", "").lower()


def is_raised_as(raised: str, exception: str) -> bool:
    """Return whether a ``raise`` of that class gives an exception of this class. Unknown classes match anything."""
    return not raised or not exception or _SAME_CLASS.get(raised, raised) == _SAME_CLASS.get(exception, exception)


def is_named(site: Site, frames: typing.Sequence[Frame]) -> bool:
    """Return whether a frame is in this function of this module."""
    tail = "/".join(site[1].split(".")[-2:])
    function = site[2].rpartition(".")[2]
    return any(
        frame.function.rpartition(".")[2] == function and tail in frame.file.replace("\\", "/").replace("/src/", "/")
        for frame in frames
    )


def is_left_behind(module: str) -> bool:
    """Return whether it is one of TensorFlow's internal copies of Keras, or a Keras backend other than TensorFlow."""
    return module.startswith(("tensorflow.python.keras.", "keras.legacy.", "keras.tree.dmtree")) or (
        ".backend." in module and any(f".backend.{other}." in module for other in _OTHER_BACKENDS)
    )


class Likeliest(Opened):
    """The part of the atlas that ranks places."""

    def is_newest(self, site: Site) -> bool:
        """Return whether the newest release of its package has it."""
        return bool(site[4][-1] == len(self._releases[site[0]]) - 1)

    def is_usual(self, site: Site) -> bool:
        """Return whether most people have it: it is in the newest release of TensorFlow or Keras."""
        return self.is_newest(site) and not is_left_behind(site[1]) and self.packages[site[0]] not in _LESS_USUAL

    def public_of(self, module: str, function: str) -> str:
        """The best known public name of a function, or of the class that a method belongs to; empty if it has none."""
        parts = function.split(".")
        for kept in range(len(parts), 0, -1):
            row = self._store.get("objects", ".".join([module, *parts[:kept]]))
            if row and row[0]:
                rest = [part for part in parts[kept : kept + 1] if not part.startswith("_") or part == "__call__"]
                return ".".join([row[0][0], *rest])
        return ""

    def order(self, site: Site, evidence: Evidence, punctuated: bool = True) -> tuple[typing.Any, ...]:
        """The sort key of a site: the most likely site has the smallest. ``punctuated``: as in ``matching.Found``."""
        _, module, function, raised, releases, _, public = site
        return (
            not (evidence.frames and is_named(site, evidence.frames)),
            not is_raised_as(raised, evidence.exception),
            is_left_behind(module),
            not punctuated,
            -self._said(site, evidence),
            -_called(site, evidence),
            (function.rpartition(".")[2] == "compute_output_spec") != evidence.symbolic,
            not self._is_installed(site, evidence.installed),
            self.packages[site[0]] in _LESS_USUAL,
            not self.is_newest(site),
            not public,
            function.endswith(_HELPER),
            len(public.rpartition(".")[2]),
            -releases[-1],
            module,
        )

    def _said(self, site: Site, evidence: Evidence) -> int:
        """How clearly the message names this place: 8 as its speaker, 6 by a class that inherits from it, 2 its function by any
        other word, 1 its class by any other word.
        """
        function = site[2].removesuffix(_HELPER)
        parts = {spelled(part) for part in function.split(".") if not part.startswith("_")}
        inside, _, leaf = function.rpartition(".")
        by_words = 2 * (spelled(leaf) in evidence.words) + bool({spelled(part) for part in inside.split(".")} & evidence.words)
        if parts & evidence.speakers:
            return 8 + by_words
        if evidence.above is None:
            evidence.above = self._above(evidence.speakers)
        inherited = "." in site[2] and f"{site[1]}.{site[2].partition('.')[0]}" in evidence.above
        return by_words + 6 * inherited

    def _above(self, words: typing.Iterable[str]) -> set[str]:
        """The public classes of these names, with all of their base classes."""
        waiting = [
            target for word in sorted(words) for name in self._store.get("leaves", word) or [] for target in self._targets(name)
        ]
        seen: set[str] = set()
        while waiting and len(seen) < _MOST_CLASSES:
            one = waiting.pop()
            row = self._store.get("objects", one) if one not in seen else None
            seen.add(one)
            waiting += [base for bases, _ in (row[2] if row else ()) for base in bases]
        return seen

    def _targets(self, name: str) -> list[str]:
        return [target for _, target, _ in self._store.get("names", name) or [] if target]

    def _is_installed(self, site: Site, installed: typing.Mapping[str, str]) -> bool:
        """Return whether the installed release has it. True if the release is unknown."""
        package = self.packages[site[0]]
        version = installed.get(package)
        if version is None:
            return True
        minor = _minor(version)
        known = [number for number, one in enumerate(self._releases[site[0]]) if _minor(one) == minor]
        return not known or bool(set(known) & each(site[4]))


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def _called(site: Site, evidence: Evidence) -> int:
    """How clearly the user's code calls it: by its public name, by that name's class, or by the function's own name."""
    if not evidence.called:
        return 0
    public, function = site[6].split("."), [part for part in site[2].split(".") if not part.startswith("__")]
    kind = public[-2:-1] if public[-2:-1] and public[-2][:1].isupper() else []
    leaves = [*public[-1:], *function[-1:]]
    return sum(
        weight * any(spelled(part) in evidence.called for part in parts if part)
        for weight, parts in ((4, leaves), (2, [*kind, *function[:-1]]))
    )
