"""Files of named sections that are read in place: a line of JSON, followed by the sections that it names.

A process maps such a file and only touches the sections that a question needs. The pages are read-only, so all processes on a
machine share one copy of them. The compiled knowledge base and the classifier are such files.
"""

import json
import os
import sys
import typing

Json = dict[str, typing.Any]
_ALIGNMENT = 64  # bytes; numbers can be read in place, and a row of weights begins at a cache line of the processor


class SectionsError(ValueError):
    """The file is damaged or has a different format. The message states which, worded to follow the file's name."""


def packed(head: Json, sections: typing.Mapping[str, bytes]) -> bytes:
    """The bytes of a file; the same sections give the same bytes.

    Args:
        head: what every reader needs. ``format`` is the one that the reader expects. ``version``, a hash of everything, is added.
        sections: name -> content.
    """
    import hashlib

    places, position = {}, 0
    for name, content in sections.items():
        places[name] = [position, len(content)]
        position += len(content) + _gap(len(content))
    head = {**head, "byteorder": sys.byteorder, "sections": places, "length": position}
    digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for content in sections.values():
        digest.update(content)
    line = json.dumps({"version": digest.hexdigest()[:12], **head}, ensure_ascii=False, separators=(",", ":")).encode()
    parts = [line, b" " * _gap(len(line) + 1), b"\n"]
    for content in sections.values():
        parts += [content, bytes(_gap(len(content)))]
    return b"".join(parts)


def _gap(length: int) -> int:
    return -length % _ALIGNMENT


def mapped(path: str) -> memoryview:
    """A file's content, read page by page when it is used. A writer has to replace the file (``os.replace``), not change it.

    Raises:
        OSError: it cannot be read.
    """
    import mmap

    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


class Sections:
    """The sections of a file.

    Attributes:
        head: the first line.
    """

    __slots__ = ("_body", "_places", "head")

    def __init__(self, content: bytes | memoryview, form: int) -> None:
        """Args: content: of the file. form: its format.

        Raises:
            SectionsError: it is damaged, or has a different format.
        """
        content = memoryview(content)
        line = _first_line(content)
        try:
            head = json.loads(line)
            found = head.get("format")
        except (ValueError, AttributeError):
            raise SectionsError("damaged") from None
        if found != form or head.get("byteorder") != sys.byteorder:
            raise SectionsError("of another version of tfhelp")
        if len(content) != len(line) + head["length"]:
            raise SectionsError("damaged: it was cut off or added to")
        self.head: Json = head
        self._body = content[len(line) :]
        self._places: dict[str, list[int]] = head["sections"]

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def part(self, name: str) -> memoryview:
        """The bytes of a section.

        Raises:
            KeyError: there is no such section.
        """
        start, length = self._places[name]
        return self._body[start : start + length]

    def numbers(self, name: str, kind: str) -> memoryview:
        """A section of numbers, without a copy. ``kind``: a type code of ``array`` (``I``, ``Q``, ``f``).

        Raises:
            KeyError: there is no such section.
        """
        return self.part(name).cast(kind)  # type: ignore[call-overload, no-any-return]


_CHUNK = 1 << 16


def _first_line(content: memoryview) -> bytes:
    """The first line with its line end; if there is none, the bytes that were searched for it."""
    line = b""
    for start in range(0, min(len(content), 64 * _CHUNK), _CHUNK):
        piece = bytes(content[start : start + _CHUNK])
        end = piece.find(b"\n")
        if end >= 0:
            return line + piece[: end + 1]
        line += piece
    return line
