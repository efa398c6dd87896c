"""From the pasted bytes to lines and records: this is the only place that reads the text.

read(content) -> Text              of a short or condensed text
read_parts(parts) -> Text          of pieces of a long one
"""

import typing

from tfhelp.collectors.reading.byte_stream import decoded
from tfhelp.collectors.reading.lines import clean_lines
from tfhelp.collectors.reading.records import Splitter
from tfhelp.kb.text import Line, Text

__all__ = ["read", "read_parts"]


def read(content: str | bytes) -> Text:
    """Read a text.

    Args:
        content: as pasted or read from a file; bytes are UTF-8, or UTF-16 if they have its byte order mark. Meant for up to a
            megabyte: read a longer text with ``read_parts``.

    Returns:
        Its clean lines and its records, in linear time.
    """
    return read_parts([(1, content if isinstance(content, str) else decoded(content))])


def read_parts(parts: typing.Iterable[tuple[int, str]]) -> Text:
    """Read pieces of a long text.

    Args:
        parts: (number of the first line as pasted, text) of each piece, in order. If lines are left out between two
            pieces, no record continues from one to the other, and an empty line separates them.
    """
    splitter = Splitter()
    lines: list[Line] = []
    following = 1
    for first, text in parts:
        if lines and first > following:
            splitter.interrupt()
            lines.append(Line(following, "", ""))
        piece = clean_lines(text, first)
        splitter.read(piece)
        lines += piece
        following = first + text.count("\n") + 1
    return Text(lines, splitter.close())
