"""Where in TensorFlow or Keras a traceback ends, and whether a message is known to be raised there."""

import re
import typing

from tfhelp.collectors.reading.origin import NEUTRAL, of_file
from tfhelp.kb.atlas.atlas import Place
from tfhelp.kb.text import Frame
from tfhelp.service.diagnosis.failure import WRAPPERS

_OURS = ("tensorflow", "keras")
_RAISED_AGAIN = re.compile(r"raise(?: \w+)?(?:\.with_traceback\b.*)?$|(?:six\.)?reraise\(|raise type\(")
_INSTALLED = re.compile(r"(?:site|dist)-packages/")
_HEAD = re.compile(r"(?:^|/)(tensorflow|tensorflow_core|keras|tf_keras|tensorflow_estimator)/(?=[\w/]{1,400}\.pyc?$)")
_SUFFIX = re.compile(r"\.pyc?$")
_CHANGED = {"tensorflow_core": "tensorflow"}
_MACHINERY = (
    "tensorflow.python.client.session", "tensorflow.python.eager", "tensorflow.python.framework.ops", "keras.utils.traceback_utils",
    "tensorflow.python.util", "keras.backend.tensorflow.trainer", "keras.engine.training", "tensorflow.python.keras.engine.training",
    "tensorflow.python.framework.func_graph", "tensorflow.python.framework.errors_impl",
)  # fmt: skip
"""Modules that every call to C++ passes through, so a frame in one of them carries no information."""


class Seen(typing.NamedTuple):
    """The innermost place of a traceback in TensorFlow or Keras.

    Attributes:
        module: dotted, as the atlas writes it.
        function: as the traceback writes it.
        file: module, with ``src`` if the path has it, as in the atlas's releases of files.
    """

    module: str
    function: str
    file: str


def ours(frame: Frame) -> bool:
    """Return whether the frame is in a file of TensorFlow or Keras."""
    return of_file(frame.file) in _OURS


def innermost(frames: typing.Sequence[Frame], native: bool = False) -> Seen | None:
    """The innermost frame of TensorFlow or Keras that is not a wrapper, if no other code is inside it.

    Args:
        frames: outermost first.
        native: the message comes from C++, so frames that pass on every C++ call carry no information.
    """
    for frame in reversed(frames):
        origin = of_file(frame.file)
        if origin not in (*_OURS, NEUTRAL):
            return None
        if origin in _OURS and _leaf(frame.function) not in WRAPPERS:
            seen = _seen(frame)
            if seen is None or not native or not seen.module.startswith(_MACHINERY):
                return seen
    return None


def _seen(frame: Frame) -> Seen | None:
    path = _INSTALLED.split(frame.file.replace("\\\\", "/").replace("\\", "/"))[-1]
    found = _HEAD.search(path)
    if found is None:
        return None
    name = _SUFFIX.sub("", path[found.start(1) :]).removesuffix("/__init__").replace("/", ".")
    head, _, rest = name.partition(".")
    file = f"{_CHANGED.get(head, head)}.{rest}"
    return Seen(file.replace(".src.", ".", 1), frame.function, file)


def is_confirmed(places: typing.Sequence[Place], frames: typing.Sequence[Frame]) -> bool | None:
    """Return whether the frames name one of the places; None if that is unknown."""
    if any(_is_in(place, frame) for place in places for frame in frames):
        return True
    if not frames or _leaf(frames[-1].function) in WRAPPERS or not ours(frames[-1]) or _RAISED_AGAIN.match(frames[-1].source):
        return None
    # A release that the atlas does not know may have a different function in the file, or the same one in a different file.
    return None if any(_may_be(place, frames[-1]) for place in places) else False


def _may_be(place: Place, frame: Frame) -> bool:
    return _file_of(place) in _path(frame) or _leaf(place.function) == _leaf(frame.function)


def _is_in(place: Place, frame: Frame) -> bool:
    return _leaf(frame.function) == _leaf(place.function) and _file_of(place) in _path(frame)


def _leaf(function: str) -> str:
    return function.rpartition(".")[2]


def _file_of(place: Place) -> str:
    return "/".join(place.module.split(".")[-2:])


def _path(frame: Frame) -> str:
    return frame.file.replace("\\", "/").replace("/src/", "/")
