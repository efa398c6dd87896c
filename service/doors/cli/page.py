"""Lines for a terminal or a file: wrapped to its width; coloured and linked only on a terminal."""

import os
import typing

_STYLES = {"title": "1", "good": "32", "bad": "31", "warn": "33", "code": "36", "dim": "2"}
_WIDEST = 100  # columns, even on a wider terminal: longer lines are hard to read
_NARROWEST = 20
_LEAST_ROWS, _MOST_ROWS = 24, 40
_UNKNOWN_WIDTH = 80
_SPACES = {ord(character): " " for character in "\t\n\r\v\f"}
_TAKE_LINKS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio")
_TAKE_LINKS_BY_NAME = ("xterm-kitty", "alacritty", "foot", "wezterm", "xterm-ghostty", "contour")
_OLD_VTE = 5000


class Page:
    """Lines for a stream.

    Attributes:
        width: columns to write in.
        rows: lines of an answer that stay on one screen.
    """

    def __init__(self, stream: typing.TextIO, terminal: typing.TextIO | None = None) -> None:
        """Args: stream: to write to. terminal: the terminal behind the stream, if it is a different stream (behind a pager)."""
        self._stream = stream
        shown_on = terminal or stream
        self.is_terminal = shown_on.isatty()
        self._colours = wants_colours(self.is_terminal)
        self._links = self.is_terminal and takes_links()
        columns, rows = size_of(shown_on) if self.is_terminal else (_WIDEST, _MOST_ROWS)
        self.width = min(_WIDEST, max(_NARROWEST, columns))
        self.rows = min(_MOST_ROWS, max(_LEAST_ROWS, rows))

    def style(self, text: str, name: str) -> str:
        """The text in a style, or as it is."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self._colours and text else text

    def link(self, text: str, url: str) -> str:
        """The text as a link (OSC 8) if the terminal supports links, else the plain text."""
        if not self._links or not url.isascii() or not url.isprintable():
            return text
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"

    def line(self, text: str = "") -> None:
        """Write one line unchanged. If you style or link a part of it, make the rest printable first."""
        self._stream.write(text if self._colours or self._links else printable(text))
        self._stream.write("\n")

    def lines(self, lines: typing.Iterable[str]) -> None:
        """Write several lines."""
        for line in lines:
            self.line(line)

    def wrapped(self, text: str, indent: str = "", first: str | None = None, style: str | None = None) -> list[str]:
        """Lines of a paragraph.

        Args:
            text: the words of the paragraph.
            indent: prefix of each line.
            first: prefix of the first line instead.
            style: style of all lines.
        """
        indent = indent[: self.width // 2]
        lead = indent if first is None else first
        lines = _broken(printable(text.translate(_SPACES)), self.width, lead, indent)
        return [self.style(line, style) for line in lines] if style else lines

    def paragraph(self, text: str, indent: str = "", first: str | None = None, style: str | None = None) -> None:
        """Write wrapped text."""
        self.lines(self.wrapped(text, indent, first, style))

    def code_lines(self, code: str, indent: str) -> list[str]:
        """Code, unchanged so that you can copy it."""
        return [indent + self.style(printable(line), "code") if line.strip() else "" for line in code.rstrip().split("\n")]

    def code(self, code: str, indent: str) -> None:
        """Write code."""
        self.lines(self.code_lines(code, indent))


def _broken(text: str, width: int, lead: str, indent: str) -> list[str]:
    """Lines of at most so many columns, broken at spaces. (Importing ``textwrap`` takes longer than writing an answer.)"""
    lines: list[str] = []
    line, begun = lead, False
    for word in text.strip().split(" "):
        if begun and len(line) + 1 + len(word) > width:
            lines.append(line.rstrip())
            line, begun = indent, False
        if begun:
            line += " " + word
            continue
        while len(line) + len(word) > width:  # a word longer than a line
            room = max(1, width - len(line))
            lines.append(line + word[:room])
            line, word = indent, word[room:]
        line, begun = line + word, begun or bool(word) or not lines
    return [*lines, line.rstrip()] if begun or not lines else lines


def printable(text: str) -> str:
    """The text without control characters: a pasted log must not control the reader's terminal."""
    return (
        text if text.isprintable() else "".join(character for character in text if character.isprintable() or character == "\t")
    )


def on_one_line(text: str) -> str:
    """The text with a space for each control character and line end, so that it can neither control the terminal nor break a line."""
    return "".join(character if character.isprintable() else " " for character in text)


def wants_colours(terminal: bool) -> bool:
    """Return whether to colour: ``NO_COLOR`` forbids it, ``FORCE_COLOR`` forces it, else any terminal but a dumb one is coloured.

    Sources: https://no-color.org and https://force-color.org; as in Python's own tools, the first has priority.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced != "0"
    return terminal and os.environ.get("TERM") != "dumb"


def takes_links() -> bool:
    """Return whether the terminal is known to support links; ``FORCE_HYPERLINK`` says so for any terminal.

    Source: https://github.com/Alhadis/OSC8-Adoption.
    """
    environment = os.environ
    forced = environment.get("FORCE_HYPERLINK", "")
    if forced:
        return forced != "0"
    name = environment.get("TERM", "")
    if name == "dumb" or name.startswith(("screen", "tmux")) or "CI" in environment:
        return False
    vte = environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM", "") in _TAKE_LINKS
        or name.startswith(_TAKE_LINKS_BY_NAME)
        or (vte.isascii() and vte.isdigit() and int(vte) >= _OLD_VTE)
        or any(mark in environment for mark in ("WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "DOMTERM"))
    )


def size_of(stream: typing.TextIO) -> tuple[int, int]:
    """(columns, rows) of the terminal behind a stream; where it reports 0, the size of a plain terminal."""
    try:
        size = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return _UNKNOWN_WIDTH, _LEAST_ROWS
    return size.columns or _UNKNOWN_WIDTH, size.lines or _LEAST_ROWS
