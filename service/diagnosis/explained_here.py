"""What the packages installed here add to an explanation: the condition under which the message is raised.

The condition is read from the user's own files and never stored. Only the command line, and a server that was started with
``--local-facts``, pass an interpreter.
"""

import typing

from tfhelp.kb.text import Frame, Record
from tfhelp.service.vocabulary import PACKAGES

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained


class Here(typing.NamedTuple):
    """What is installed.

    Attributes:
        versions: package -> release; a missing package may or may not be installed.
        interpreter: its path, if the files of its packages may be read; else empty.
    """

    versions: typing.Mapping[str, str] = {}
    interpreter: str = ""


def found_here(interpreter: str) -> Here:
    """What is installed for an interpreter."""
    from tfhelp.collectors.environment import installed

    return Here(installed.versions(PACKAGES, installed.folders(interpreter)), interpreter)


def add_guard(document: "Explained", record: Record, here: Here) -> None:
    """Add the condition under which the installed function raises the message; nothing if it is not installed or not found."""
    if not here.interpreter:
        return
    from tfhelp.collectors.environment import guard, installed

    roots = installed.folders(here.interpreter)
    version = installed.versions([document["package"]], roots).get(document["package"])
    source = installed.source(document["module"], roots) if version else None
    if source is None or not version:
        return
    found = guard.guard(
        source.text, document["function"], record.message, _line(record.frames, source.inside, document["function"])
    )
    if found is None:
        return
    document["guard"] = {"version": version, "file": source.inside, "line": found.line, "condition": found.condition}
    document["says"].insert(2, says(document))


def says(document: "Explained") -> str:
    """The condition in a sentence."""
    guard = document["guard"]
    where = f"In your installed {document['package']} {guard['version']}, {guard['file']}:{guard['line']} raises it"
    return f"{where} if `{guard['condition']}`." if guard["condition"] else f"{where}."


def _line(frames: typing.Sequence[Frame], inside: str, function: str) -> int:
    """The line of a function in the traceback, 0 if there is none."""
    name = function.rpartition(".")[2]
    lines = [frame.line for frame in frames if frame.function.rpartition(".")[2] == name and frame.file.endswith(inside)]
    return lines[-1] if lines else 0
