"""An exception as text, with cell numbers in place of IPython's file names for cells."""

from __future__ import annotations

import re
import traceback
import types
import typing

_TENSORFLOW = re.compile(r"(?:tensorflow|keras|tf_keras)(?:_\w+)?(?:\.|$)")
_OLD_CELL = re.compile(r"<ipython-input-(\d+)-[0-9a-f]+>")
_SPEAKS = re.compile(
    r"tensorflow|keras|\btf\.|cuda|cudnn|nvidia|\bgpu|protobuf|descriptor|numpy|h5py|ml_dtypes|out of memory|MemoryError|"
    r"libdevice|\bxla\b|\bshapes?\b",
    re.IGNORECASE,
)
_PLAIN = (NameError, SyntaxError, KeyboardInterrupt, SystemExit, GeneratorExit)
_MOST = 50  # exceptions of a chain that are examined
_LONGEST = 400_000  # characters


def text_of(error: BaseException, numbers: typing.Mapping[str, int]) -> str:
    """The traceback, with its causes and the members of a group, as Python prints it.

    Args:
        numbers: file name of a cell -> its number.
    """
    frames = _from_first_cell(error.__traceback__, numbers)
    text = "".join(traceback.format_exception(type(error), error, frames))
    if len(text) > _LONGEST:
        text = text[: _LONGEST // 2] + "\n  ...\n" + text[-_LONGEST // 2 :]
    return with_cells(text, numbers)


def with_cells(text: str, numbers: typing.Mapping[str, int]) -> str:
    """The text with ``Cell In[3]`` in place of the file of the third cell."""
    for file, number in numbers.items():
        text = text.replace(file, f"Cell In[{number}]")
    return _OLD_CELL.sub(r"Cell In[\1]", text)


def _from_first_cell(frames: types.TracebackType | None, numbers: typing.Mapping[str, int]) -> types.TracebackType | None:
    """The frames without IPython's own, which ran the cell."""
    found = frames
    while found is not None and not is_cell(found.tb_frame.f_code.co_filename, numbers):
        found = found.tb_next
    return found or frames


def is_cell(file: str, numbers: typing.Mapping[str, int]) -> bool:
    """Return whether a file is the code of a cell."""
    return file in numbers or file.startswith("<ipython-input-")


def chain(error: BaseException) -> list[BaseException]:
    """The exception, its causes and contexts, and the members of groups."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < _MOST:
        item = waiting.pop(0)
        if any(item is known for known in found):
            continue
        found.append(item)
        others = (item.__cause__, None if item.__suppress_context__ else item.__context__, *getattr(item, "exceptions", ()))
        waiting += [other for other in others if isinstance(other, BaseException)]
    return found


def modules_of(error: BaseException) -> list[str]:
    """Names of the modules whose functions the exception passed through, outermost first."""
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__)]


def is_of_tensorflow(error: BaseException) -> bool:
    """Return whether TensorFlow or Keras raised it, or it passed through them. A name that the reader misspelt does not count."""
    if isinstance(error, NameError):
        return any(_TENSORFLOW.match(name) for name in modules_of(error)[-1:])
    return any(_TENSORFLOW.match(name) for item in chain(error) for name in (*modules_of(item), str(type(item).__module__)))


def may_be_known(error: BaseException, text: str) -> bool:
    """Return whether it is worth asking about an exception that passed through no TensorFlow function."""
    return not isinstance(error, _PLAIN) and _SPEAKS.search(text) is not None
