"""From the pasted bytes to lines and records: the text is read once, here.

read(content) -> Text              of a short or condensed text
read_parts(parts) -> Text          of pieces of a long one
signs_of_ours(text), signs_of_others(text)
"""

import typing

from tfhelp.collectors.reading.lines import as_text, clean_lines
from tfhelp.collectors.reading.records import Splitter
from tfhelp.kb.text import Line, Text

if typing.TYPE_CHECKING:
    from tfhelp.collectors.reading.signs import signs_of_others, signs_of_ours

__all__ = ["read", "read_parts", "signs_of_others", "signs_of_ours"]


def read(content: str | bytes) -> Text:
    """Read a text.

    Args:
        content: as pasted or read from a file; bytes are UTF-8, or UTF-16 where their mark says so. Meant for up to a
            megabyte: a longer text is read as ``read_parts`` of it.

    Returns:
        Its clean lines and its records, in linear time.
    """
    return read_parts([(1, as_text(content))])


def read_parts(parts: typing.Iterable[tuple[int, str]]) -> Text:
    """Read pieces of a long text.

    Args:
        parts: (number of the first line as pasted, text) of each piece, in order. Where lines are left out between two
            pieces, no record goes on from one to the other, and an empty line stands between their lines.
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


def __getattr__(name: str) -> typing.Any:
    """The two readers of signs, which a text that one signature decides never needs."""
    if name in ("signs_of_ours", "signs_of_others"):
        from tfhelp.collectors.reading import signs

        return getattr(signs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
