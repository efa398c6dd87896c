"""The parsed form of a pasted text: lines, records, frames. Collectors, index and service share these types."""

import typing

ORIGINS = (
    "tensorflow",
    "keras",
    "user",
    "library",
    "program",
    "shell",
    "kernel",
    "scheduler",
    "installer",
    "person",
    "unknown",
)
"""The possible origins of a record or its exception.

``user`` is the user's own code. ``library`` and ``program`` are followed by a name: ``library:torch``, ``program:ffmpeg``.
"""


class Line(typing.NamedTuple):
    """A clean line: its number in the pasted text (from 1), the process that wrote it, and its content.

    ``program``: the program that a system log names as the writer of the line, else empty.
    """

    number: int
    worker: str
    text: str
    program: str = ""


class Frame(typing.NamedTuple):
    """One call of a traceback: the file as printed, the line in it (0 if unknown), the function, the source line."""

    file: str
    line: int
    function: str
    source: str


class Record:
    """One log line with its continuation, one traceback, a shell's final message, a progress line, or a sentence of prose.

    Attributes:
        kind: ``log``, ``traceback``, ``exception`` (the last line of a traceback, without its frames), ``shell``,
            ``progress``, ``prose``, ``command`` or ``output``.
        text: its content on one line: white space collapsed to single spaces; ANSI codes, prompts, time stamps and launcher
            prefixes removed. Signatures are written against it.
        message: the part with the fault: a traceback's final exception with its message, a log line without its source position;
            else equal to ``text``.
        first_line, last_line: its place in the pasted text, counted from 1.
        level: ``I``, ``W``, ``E`` or ``F`` of a log line, ``F`` for a shell's report of a signal, else empty.
        worker: which of several processes wrote it (``0``, ``worker-1``), else empty.
        exception: class of the final exception without its module, else empty.
        count: how often the same record (ignoring numbers and hexadecimal identifiers) is in the text.
        chain: position of a traceback in its chain of exceptions, 0 the first.
        frames: the calls of a traceback, outermost first; empty for any other kind.
        origin: what wrote or raised it: one of ``ORIGINS``; ``library`` and ``program`` are followed by a colon and a name.
        message_lines: the lines of an exception's message, if it has several; else empty.
    """

    __slots__ = (
        "chain",
        "count",
        "exception",
        "first_line",
        "frames",
        "kind",
        "last_line",
        "level",
        "message",
        "message_lines",
        "origin",
        "text",
        "worker",
    )

    def __init__(self, kind: str, text: str, first_line: int, last_line: int) -> None:
        self.kind = kind
        self.text = text
        self.message = text
        self.first_line = first_line
        self.last_line = last_line
        self.level = ""
        self.worker = ""
        self.exception = ""
        self.count = 1
        self.chain = 0
        self.frames: list[Frame] = []
        self.origin = "unknown"
        self.message_lines: typing.Sequence[Line] = ()

    @property
    def line(self) -> int:
        """Its place in the course of a run: for an exception the end of its traceback, for anything else the start of its record."""
        return self.last_line if self.kind == "traceback" and self.exception else self.first_line

    def line_of(self, offset: int) -> int:
        """The line of the pasted text to point at for a character of ``text``; in a long message, the line that holds it.

        Args:
            offset: of the character. One before the message, in the frames of a traceback, gives the first line of the message.
        """
        end = len(self.text)  # counted from the end, because the middle of a long text is left out
        for line in reversed(self.message_lines):
            end -= len(" ".join(line.text.split()))
            if end <= offset:
                return line.number
            end -= 1
        return self.message_lines[0].number if self.message_lines else self.line

    def __repr__(self) -> str:
        return f"Record({self.kind}, lines {self.first_line}-{self.last_line}, {self.text[:60]!r})"


class Text:
    """A pasted text, parsed once. Every function that analyses a text takes this.

    Attributes:
        lines: the clean lines in order, including empty ones, because they end paragraphs.
        records: in the order of their first line; repeated ones are merged into the first.
    """

    __slots__ = ("lines", "records")

    def __init__(self, lines: typing.Sequence[Line], records: list[Record]) -> None:
        self.lines = lines
        self.records = records
