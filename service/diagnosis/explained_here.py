"""What the packages that are installed here add to an explanation: which place it is, and under which condition it raises.

The condition is read from the reader's own files and never stored. Only the command line gives an interpreter, and a server that
was started with ``--local-facts``.
"""

import typing

from tfhelp.kb.atlas.atlas import Explained as Found
from tfhelp.kb.atlas.atlas import Place
from tfhelp.kb.text import Frame, Record
from tfhelp.service.vocabulary import PACKAGES

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained


class Here(typing.NamedTuple):
    """What is installed.

    Attributes:
        versions: package -> release; a package that is left out may be there or not.
        interpreter: its path, where the files of its packages may be read; else empty.
    """

    versions: typing.Mapping[str, str] = {}
    interpreter: str = ""


def found_here(interpreter: str) -> Here:
    """What is installed for an interpreter."""
    from tfhelp.collectors.environment import installed

    return Here(installed.versions(PACKAGES, installed.folders(interpreter)), interpreter)


def prefer(found: Found, here: Here, frames: typing.Sequence[Frame]) -> Found:
    """The same with the places first that the installed releases have, unless a frame names the first one."""
    every = (found.place, *found.others)
    if not here.versions or not found.others or any(_is_named(found.place, frame) for frame in frames):
        return found
    ordered = sorted(every, key=lambda place: _standing(place, here.versions))
    names = dict(zip(found.place.names, ordered[0].names, strict=False))
    values = tuple((", ".join(names.get(name, name) for name in joined.split(", ")), text) for joined, text in found.values)
    return found._replace(place=ordered[0], others=tuple(ordered[1:]), values=values)


def _is_named(place: Place, frame: Frame) -> bool:
    file = "/".join(place.module.split(".")[-2:])
    return frame.function.rpartition(".")[2] == place.function.rpartition(".")[2] and file in frame.file.replace("\\", "/")


def _standing(place: Place, versions: typing.Mapping[str, str]) -> int:
    """0 where the installed release has the place, 1 where that is not known, 2 where it has not."""
    spans = [(span, _minor(versions[span.package])) for span in place.releases if versions.get(span.package)]
    if not spans:
        return 1
    return 0 if any(_minor(span.first) <= minor and (span.newest or minor <= _minor(span.last)) for span, minor in spans) else 2


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def add_guard(document: "Explained", record: Record, here: Here) -> None:
    """Say under which condition the installed function raises the message; nothing where it is not installed or not found."""
    if not here.interpreter or "op" in document:
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
    """The line that the traceback gives of a function, 0 where it gives none."""
    name = function.rpartition(".")[2]
    lines = [frame.line for frame in frames if frame.function.rpartition(".")[2] == name and frame.file.endswith(inside)]
    return lines[-1] if lines else 0
