"""Secrets in a block of YAML: ``password: |``, and the indented lines below it are the secret, whatever words they hold."""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction import frames, labels

# The end of such a line: "|", perhaps with how the lines are joined, a comment, or the end of the string that quotes the line.
_END = r":[ \t]{1,8}(?:[!&][\w!:.,/-]{0,60}[ \t]{1,8}){0,2}[|>][-+0-9]{0,2}(?P<tail>[ \t]{0,80}(?:#.*)?|(?:\\{1,4}[nr])?\\{0,3}[\"'].*)$"
_MAY_BE_HEADER = re.compile(_END)
_HEADER = Pattern(rf"{labels.NAME}(?:\\{{0,7}}[\"'])?[ \t]{{0,8}}{_END}", re.IGNORECASE)
_NEW_STRING = re.compile(r"\\{0,3}[\"'],?[ \t]{0,8}\\{0,3}[\"']")
_LIST_DASH = re.compile(r"-(?=[ \t]{1,8}$)")
_INDENTED = re.compile(r"([ \t]+)(?=[^ \t])")


class Header(typing.NamedTuple):
    """The line that begins a block.

    Attributes:
        name: what the block's lines are.
        beginnings: the words before the name, split into runs of digits and of other characters. If they end with a dash, it may
            be a logger's, or that of a list, and then the lines below have a space in its place: there is one item for each.
        margin: how far the line is indented.
        quote: the quotation mark that ends each line, if the line is quoted.
        tail: what stands behind the block's sign.
    """

    name: str
    beginnings: list[list[str]]
    margin: int
    quote: str
    tail: str


def header_of(line: str) -> Header | None:
    """The header of a block whose lines are secrets, if the line ends with one."""
    if ("|" not in line and ">" not in line) or not _MAY_BE_HEADER.search(line):
        return None
    found = _HEADER.search(line)
    if not found:
        return None
    name, tail = labels.whole_name(found), found["tail"]
    before = line[: found.end("name") - len(name)]
    if not labels.names_a_secret(name.strip("-.")):
        return None
    beginnings = [frames.parts(words) for words in dict.fromkeys((before, _LIST_DASH.sub(" ", before)))]
    return Header(name.strip("-."), beginnings, len(before) - len(before.lstrip()), frames.quote_of(tail), tail)


def secret_in(header: Header, line: str) -> tuple[int, int, int] | None:
    """The place of the secret in a line below the header, and the column in which it is indented.

    Returns:
        start, end and the width of the indentation; ``None`` if the line is not indented, so that the block has ended.
    """
    at = next((at for words in header.beginnings if (at := frames.behind_words(words, line)) is not None), None)
    least = 1
    if at is None:
        new_string = _NEW_STRING.match(line)
        at, least = (new_string.end(), 1) if new_string else (0, header.margin + 1)
    indented = _INDENTED.match(line, at)
    if not indented or len(indented[1]) < least:
        return None
    start, end = indented.end(), len(line.rstrip())
    if header.quote:
        known = len(frames.without_end(line, header.tail))
        end = known if known < len(line) else frames.end_of_string(line, start, header.quote)
    return start, max(start, end), len(indented[1])


def _is_empty(header: Header, line: str) -> bool:
    """Return whether a line of a block is empty, apart from a logger's words, whose last space may be gone."""
    if not line.strip():
        return True
    line = line.rstrip() + " "
    return any(frames.behind_words(words, line) == len(line) for words in header.beginnings if words)


def secrets(lines: typing.Sequence[str]) -> typing.Iterator[tuple[int, int, int]]:
    """The places of all secrets in blocks: number of the line, start, end. Each line is looked at twice at most.

    Args:
        lines: the lines as they are read; see ``look_alikes``.
    """
    number = 0
    while number < len(lines):
        header = header_of(lines[number])
        number += 1
        if header is None:
            continue
        width = 0
        while number < len(lines):
            if _is_empty(header, lines[number]):
                number += 1
                continue
            place = secret_in(header, lines[number])
            if place is None or place[2] < width:
                break
            start, end, indentation = place
            width = width or indentation
            if labels.is_secret_value(header.name, lines[number][start:end]):
                yield number, start, end
            number += 1
