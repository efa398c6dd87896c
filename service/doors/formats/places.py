"""The line of the reader's own code that an answer points to, as a file in the checkout."""

import os
import re
import typing

from tfhelp.service.workflow_commands import workspace

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, ReadersLine

_SOURCE = re.compile(r"(.{1,300}) line (\d{1,7})\Z")
_LARGEST = 4 << 20  # bytes of a file in which lines are compared


class Place(typing.NamedTuple):
    """A line of a file."""

    file: str
    line: int


def place_of(answer: "Answer", path: str = "") -> Place | None:
    """The place of the user's own line.

    A line that a fact of the script names has priority, since the fix belongs there. Otherwise it is the traceback's line, if its
    file is in the checkout and has that line.

    Args:
        answer: the document.
        path: the script that was given along with the text; empty without one.
    """
    return (_of_script(answer, path) if path else None) or _of_traceback(answer.get("your_line"), path)


def _of_script(answer: "Answer", path: str) -> Place | None:
    if answer["verdict"] not in ("diagnosed", "likely") or not answer["matches"]:
        return None
    for row in answer["matches"][0]["causes"][0]["evidence"]:
        named = _SOURCE.match(row["source"])
        if row["outcome"] == "holds" and named and named[1] in (path, os.path.basename(path)):
            return Place(path, int(named[2]))
    return None


def _of_traceback(line: "ReadersLine | None", path: str) -> Place | None:
    if line is None or line["line"] < 1 or not line["file"].isprintable():
        return None
    parts = [part for part in re.split(r"[/\\]+", line["file"]) if part not in ("", ".", "..")]
    root = os.path.realpath(workspace())
    known = [path] if path and parts and os.path.basename(path) == parts[-1] else []
    # A path in a container or in another checkout ends like the one here; the longest match is the most certain.
    for candidate in (*known, *(os.path.join(root, *parts[first:]) for first in range(len(parts)))):
        inside = candidate in known or os.path.realpath(candidate).startswith(root + os.sep)
        if inside and _has_line(candidate, line["line"], line["source"]):
            return Place(candidate, line["line"])
    return None


def _has_line(path: str, number: int, source: str) -> bool:
    """Return whether a file has that line; if the line's text is unknown, whether the file has that many lines."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:
            return False
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    except (OSError, ValueError):
        return False
    return number <= len(lines) and source.strip() in lines[number - 1]
