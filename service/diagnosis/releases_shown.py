"""Find the releases that may have produced a text without a stated version, by the frames of its tracebacks.

The atlas is only opened if a text shows a frame inside an installed TensorFlow or Keras.
"""

import typing

from tfhelp.kb import release_range
from tfhelp.kb.derived.releases import SHOWN_KERAS, SHOWN_TENSORFLOW
from tfhelp.kb.derived.versions import DISTRIBUTIONS
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Frame, Text

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Possible

_INSTALLED = ("site-packages", "dist-packages")
_PATHS = {"tensorflow": SHOWN_TENSORFLOW, "keras": SHOWN_KERAS, "tf_keras": SHOWN_KERAS}
_NAMES = {"tensorflow": "TensorFlow", "keras": "Keras", "tf_keras": "tf_keras"}


def put_releases(text: Text, sheet: FactSheet) -> None:
    """Add to the sheet the releases that may have produced the text's frames, for each package whose version is missing."""
    frames = [frame for record in text.records for frame in record.frames if _is_installed(frame)]
    if not frames or (_knows_tensorflow(sheet) and sheet.known("packages.keras")):
        return
    for found in _possible(frames):
        path = _PATHS.get(found.package)
        said = release_range.say(found.minors[0], found.minors[-1], oldest=found.oldest, newest=found.newest)
        if path and said and not sheet.known(path) and not _is_stated(sheet, path):
            sheet.put(path, said, f"frames of the text: {_file(found.frame)} line {found.frame.line}")


def _is_installed(frame: Frame) -> bool:
    return any(part in frame.file for part in _INSTALLED) and ("tensorflow" in frame.file or "keras" in frame.file)


def _possible(frames: list[Frame]) -> "list[Possible]":
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    try:
        return shared().possible(frames)
    except AtlasError:
        return []  # the rest of the answer does not need it


def _knows_tensorflow(sheet: FactSheet) -> bool:
    return any(sheet.known(f"packages.{name}") for name in DISTRIBUTIONS)


def _is_stated(sheet: FactSheet, path: str) -> bool:
    return _knows_tensorflow(sheet) if path == SHOWN_TENSORFLOW else sheet.known("packages.keras")


def _file(frame: Frame) -> str:
    """The path of a frame inside its package's folder."""
    path = frame.file.replace("\\", "/").replace("//", "/")
    return path.rpartition("-packages/")[2]
