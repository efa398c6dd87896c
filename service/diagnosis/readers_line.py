"""The line of the user's own code that a traceback names."""

import re
import typing

from tfhelp.collectors.reading.condense import primary
from tfhelp.collectors.reading.origin import of_file
from tfhelp.kb.text import Frame, Record

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import ReadersLine

_LONGEST_LINE = 200
_CALLED = re.compile(r"([A-Za-z_][\w.]{0,120}) ?\(")


def readers_line(frames: typing.Sequence[Frame]) -> "ReadersLine | None":
    """The innermost line of the user's own code, and what it called.

    Args:
        frames: the frames of one traceback, outermost first.
    """
    for number in range(len(frames) - 1, -1, -1):
        frame = frames[number]
        if of_file(frame.file) == "user":
            inside = frames[number + 1].function if number + 1 < len(frames) else ""
            source = frame.source[:_LONGEST_LINE]
            line: ReadersLine = {"file": frame.file, "line": frame.line, "source": source, "called": _called(source, inside)}
            return line
    return None


def of_failure(matched: typing.Sequence[Record], records: typing.Sequence[Record]) -> "ReadersLine | None":
    """The line that led to the failure.

    Args:
        matched: records that support the identified entry, best first; empty if there is none.
        records: the records of the whole text; if no matched one has frames, the clearest failure among them is used.
    """
    failure = primary([record for record in records if record.frames])
    for record in (*matched, *([failure] if failure else [])):
        line = readers_line(record.frames)
        if line is not None:
            return line
    return None


def _called(source: str, inside: str) -> str:
    """The name that a line calls: the next frame's if the line contains it, else the first."""
    names = _CALLED.findall(source)
    return next((name for name in names if name.rpartition(".")[2] == inside), names[0] if names else "")
