"""From a pasted text to clean lines: ANSI codes, carriage returns, launcher prefixes and JSON escapes removed.

A pasted line can become several clean ones (a progress bar with a log line behind it); each keeps the number of the
line it was pasted as.
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.text import Line

LONGEST_LINE = 20_000  # characters; a longer line is data (a base64 image, a weight dump), its head and tail say enough
_TAIL = 2_000

_ANSI = Pattern(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 27), *range(28, 32), 127, 0xFEFF, 0x200B])

# What word processors and chats make of quotation marks and blanks.
_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x00A0: " ", 0x2026: "...", 0x200B: None, 0xFEFF: None}

# What starts behind something else on the same line, mostly behind a progress bar without a newline: a TensorFlow log
# line, a traceback, a shell's last word.
_LATE_START = Pattern(
    r"(?<=\S)\s*(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}: [IWEF] |[IWEF]0000 00:00:\d{10}\.\d+ +\d+ \w)"
    r"|(?<=\S)(?=Traceback \(most recent call last\))"
    r"|(?<=[\d\])}%.])(?=(?:Killed|Segmentation fault|Bus error|Aborted|Illegal instruction)(?: \(core dumped\))?\s*$)"
)
_LAST_WORDS = ("Killed", "fault", "Bus error", "Aborted", "instruction", "dumped)")

# What launchers put before each line of a process, by the characters that it can start with; the group is the worker.
_MPIRUN = Pattern(r"\[(\d+),\d+\]<std(?:err|out)>:\s?")  # mpirun --tag-output
_TORCHRUN = Pattern(r"\[(?:rank|default)(\d+)\]:\s?")
_LABEL = Pattern(r"\[((?:worker|chief|ps|rank|node|task)[ _-]?\d+)\]:?\s?", re.IGNORECASE)
_RAY = Pattern(r"\((?:\w+ )?pid=(\d+)(?:, ip=[\d.]+)?\)\s?")
_COMPOSE = Pattern(r"([\w.-]{0,40}(?:worker|chief|ps|replica|trainer|node|rank|master|launcher)[\w.-]{0,40})\s*(?:\|| -\|)\s?")
_SRUN = Pattern(r"(\d{1,4}): (?=\S)")  # srun --label
_CONTAINER = Pattern(r"()\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) (?:std(?:out|err) [FP] )?")
_JOURNAL = Pattern(r"()[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w.-]+\[\d+\]: ")
_QUOTATION = Pattern(r"()(?:>(?!>)|\|) ?(?=\S)")  # a mail's or a forum's
_PYTEST = Pattern(r"()E {2,}(?=\S)")
_PREFIXES: dict[str, tuple[Pattern, ...]] = {
    "[": (_MPIRUN, _TORCHRUN, _LABEL),
    "(": (_RAY,),
    ">": (_QUOTATION,),
    "|": (_QUOTATION,),
    "E": (_PYTEST,),
    **dict.fromkeys("0123456789", (_SRUN, _CONTAINER)),
    **dict.fromkeys("JFMASOND", (_JOURNAL,)),
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", (_COMPOSE,)),
}


def clean_lines(text: str) -> typing.Iterator[Line]:
    """The clean lines of a text, in order; empty ones too, since they end paragraphs."""
    for number, raw in enumerate(text.split("\n"), 1):
        yield from clean_line(number, raw)


def clean_line(number: int, raw: str) -> list[Line]:
    """The clean lines of one line as pasted: mostly one, more where something starts behind something else."""
    if len(raw) > LONGEST_LINE:
        raw = raw[: LONGEST_LINE - _TAIL] + " ... " + raw[-_TAIL:]
    if not raw.isprintable():
        raw = _printable(raw)
    if not raw.isascii():
        raw = raw.translate(_TYPOGRAPHY)
    return [Line(number, *_without_prefix(part)) for part in _parts(raw)]


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
    if _may_start_late(raw):
        return [part for part in _LATE_START.split(raw) if part] or [raw]
    return [raw]


def _may_start_late(raw: str) -> bool:
    """A quick look before the pattern: most lines of a log start once."""
    return (
        raw.find(": W ", 27) > 0
        or raw.find(": I ", 27) > 0
        or raw.find(": E ", 27) > 0
        or raw.find(": F ", 27) > 0
        or raw.find("0000 00:00:", 2) > 0
        or raw.find("Traceback (", 1) > 0
        or raw.rstrip().endswith(_LAST_WORDS)
    )


def _without_prefix(text: str) -> tuple[str, str]:
    worker = ""
    for _ in range(3):  # a container's time stamp before a launcher's label before a quotation mark
        prefixes = _PREFIXES.get(text[:1])
        if prefixes is None or (prefixes[0] is _COMPOSE and "|" not in text[:90]):
            break
        found = next((match for match in (prefix.match(text) for prefix in prefixes) if match), None)
        if not found:
            break
        worker = found[1] or worker
        text = text[found.end() :]
    return worker, text
