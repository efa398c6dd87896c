"""From a pasted text to clean lines: ANSI codes, carriage returns, launcher prefixes and JSON escapes removed.

A pasted line can become several clean ones (a progress bar with a log line behind it); each keeps the number of the
line it was pasted as.
"""

import re
import typing

LONGEST_LINE = 20_000  # characters; a longer line is data (a base64 image, a weight dump), its head and tail say enough
_TAIL = 2_000

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = dict.fromkeys([*range(0, 9), 11, 12, *range(14, 27), *range(28, 32), 127, 0xFEFF, 0x200B])

# What word processors and chats make of quotation marks and blanks.
_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x00A0: " ", 0x2026: "...", 0x200B: None, 0xFEFF: None}

# What starts behind something else on the same line, mostly behind a progress bar without a newline: a TensorFlow log
# line, a traceback, a shell's last word.
_LATE_START = re.compile(
    r"(?<=\S)\s*(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}: [IWEF] |[IWEF]0000 00:00:\d{10}\.\d+ +\d+ \w)"
    r"|(?<=\S)(?=Traceback \(most recent call last\))"
    r"|(?<=[\d\])}%.])(?=(?:Killed|Segmentation fault|Bus error|Aborted|Illegal instruction)(?: \(core dumped\))?\s*$)"
)
_LATE_WORDS = ("] ", "Traceback (", "Killed", "fault", "error", "Aborted", "Illegal")

# What launchers put before each line of a process: (pattern, group of the worker's name).
_PREFIXES = (
    re.compile(r"\[(\d+),\d+\]<std(?:err|out)>:\s?"),  # mpirun --tag-output
    re.compile(r"\[(?:rank|default)(\d+)\]:\s?"),  # torchrun
    re.compile(r"\((?:\w+ )?pid=(\d+)(?:, ip=[\d.]+)?\)\s?"),  # Ray
    re.compile(r"([\w.-]*(?:worker|chief|ps|replica|trainer|node|rank|master|launcher)[\w.-]*?)\s*(?:\|| -\|)\s?"),  # compose
    re.compile(r"\[((?:worker|chief|ps|rank|node|task)[ _-]?\d+)\]:?\s?", re.IGNORECASE),
    re.compile(r"(\d{1,4}): (?=\S)"),  # srun --label
    re.compile(r"()\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) (?:std(?:out|err) [FP] )?"),  # Kubernetes, Docker
    re.compile(r"()[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w.-]+\[\d+\]: "),  # journald
    re.compile(r"()(?:>|\|) ?(?=\S)"),  # a mail's or a forum's quotation
    re.compile(r"()E {2,}(?=\S)"),  # pytest
)
_FIRST_CHARACTERS = frozenset("[(0123456789>|EJFMASOND") | frozenset("abcdefghijklmnopqrstuvwxyz")


class Line(typing.NamedTuple):
    """A clean line: its number in the text as pasted (from 1), the process that said it, what it says."""

    number: int
    worker: str
    text: str


def clean_lines(text: str) -> typing.Iterator[Line]:
    """The clean lines of a text, in order; empty ones too, since they end paragraphs."""
    for number, raw in enumerate(text.split("\n"), 1):
        if len(raw) > LONGEST_LINE:
            raw = raw[: LONGEST_LINE - _TAIL] + " ... " + raw[-_TAIL:]
        if not raw.isprintable():
            raw = _printable(raw)
        if not raw.isascii():
            raw = raw.translate(_TYPOGRAPHY)
        for part in _parts(raw):
            worker, rest = _without_prefix(part)
            yield Line(number, worker, rest)


def _printable(raw: str) -> str:
    if "\x1b" in raw:
        raw = _ANSI.sub("", raw)
    if "\r" in raw:
        # A progress bar overwrites itself: what was written last stays on the screen.
        parts = [part for part in raw.split("\r") if part.strip()]
        raw = parts[-1] if parts else ""
    if "\x08" in raw:
        raw = raw.rsplit("\x08", 1)[-1] or raw
    return raw.translate(_CONTROL)


def _parts(raw: str) -> list[str]:
    if "\\n" in raw and raw.count("\\n") > 1 and '"' in raw:
        # A notebook's error as JSON: one string with escaped newlines.
        raw = raw.replace("\\n", "\n").replace('\\"', '"').replace("\\u001b", "\x1b")
        return [part for piece in _ANSI.sub("", raw).split("\n") for part in _parts(piece)]
    if any(word in raw for word in _LATE_WORDS):
        return [part for part in _LATE_START.split(raw) if part] or [raw]
    return [raw]


def _without_prefix(text: str) -> tuple[str, str]:
    worker = ""
    for _ in range(3):  # a container's time stamp before a launcher's label before a quotation mark
        if not text or text[0] not in _FIRST_CHARACTERS:
            break
        found = next((match for match in (prefix.match(text) for prefix in _PREFIXES) if match), None)
        if not found:
            break
        worker = found[1] or worker
        text = text[found.end() :]
    return worker, text
