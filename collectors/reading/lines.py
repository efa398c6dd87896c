"""From a pasted text to clean lines: ANSI codes, carriage returns, launcher prefixes and JSON envelopes removed.

A pasted line can become several clean ones (a progress bar with a log line after it, a traceback inside one JSON
record); each keeps the number of the pasted line. This is the only cleaner: every other module that needs the lines of a
text uses these.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.envelopes import message_of, unescaped
from tfhelp.collectors.reading.prefixes import Survey, may_have_prefix, without_prefixes
from tfhelp.collectors.reading.rich_boxes import CORNERS, unboxed
from tfhelp.collectors.reading.wrapped import rejoined
from tfhelp.kb.text import Line

LONGEST_LINE = 20_000  # characters; a longer line is data (a base64 image, a weight dump), and its head and tail are enough
_TAIL = 2_000
_DEEPEST = 2  # nested envelopes: a JSON logger inside a container's JSON file

_ANSI = Pattern(r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 27), *range(28, 32), 127, 0xFEFF, 0x200B])

# What word processors and chats turn quotation marks and spaces into.
_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x00A0: " ", 0x2026: "...", 0x200B: None, 0xFEFF: None}

_ENTITIES = (
    *(("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#34;", '"'), ("&#39;", "'"), ("&#x27;", "'"), ("&nbsp;", " ")),
    ("&amp;", "&"),
)

# Tags that people write before and after what they paste. A printed object such as ``<code object f>`` has more than a name between
# the signs, and what stands inside a line is the line's own.
_TAG = Pattern(r"(?i)\s*(?:</?(?:pre|code|details|summary|h[1-6]|p|blockquote)>|<br ?/?>)\s*")

# What starts after something else on the same line, mostly after a progress bar without a newline: a TensorFlow log
# line, a traceback, a shell's last message.
_LATE_START = Pattern(
    r"(?<=\S)\s*(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}: [IWEF] |[IWEF]0000 00:00:\d{10}\.\d{1,9} {1,9}\d{1,9} \w)"
    r"|(?<=\S)(?=Traceback \(most recent call last\))"
    r"|(?<=[\d\])}%.])(?=(?:Killed|Segmentation fault|Bus error|Aborted|Illegal instruction)(?: \(core dumped\))?\s*$)"
)
_LAST_WORDS = ("Killed", "fault", "Bus error", "Aborted", "instruction", "dumped)")


def clean_lines(text: str, first: int = 1) -> list[Line]:
    """The clean lines of a text, in order, including empty ones, because they end paragraphs.

    Args:
        text: as pasted.
        first: number of its first line.
    """
    raws = text.split("\n")
    survey = Survey(raws)
    numbered = rejoined(raws, first)
    if "Traceback" in text and any(corner in text for corner in CORNERS):
        numbered = unboxed([(number, _without_ansi(raw)) for number, raw in numbered])
    lines: list[Line] = []
    for number, raw in numbered:
        if _is_plain(raw, survey):
            lines.append(Line(number, "", raw))
        else:
            lines += _clean(number, raw, survey)
    return lines


def _is_plain(raw: str, survey: Survey) -> bool:
    """A quick check of a line: most lines of a log are already clean."""
    return (
        raw.isascii()
        and raw.isprintable()
        and len(raw) <= LONGEST_LINE
        and raw[:1] != "{"
        and "\\n" not in raw
        and "&" not in raw
        and not _may_have_tags(raw)
        and not may_have_prefix(raw, survey)
        and not _may_start_late(raw)
    )


def _without_tags(text: str) -> str:
    """A line without the tags at its two ends. A loop finds the last ones in linear time; a pattern would not."""
    start, end = 0, len(text)
    while tag := _TAG.match(text, start):
        start = tag.end()
    while (opening := text.rfind("<", start, end)) >= 0 and _TAG.fullmatch(text, opening, end):
        end = opening
    return text[start:end].rstrip() if end < len(text) else text[start:]


def _may_have_tags(raw: str) -> bool:
    return "<" in raw and (raw.lstrip()[:1] == "<" or raw.rstrip()[-1:] == ">")


def _clean(number: int, raw: str, survey: Survey, worker: str = "", program: str = "", depth: int = 0) -> list[Line]:
    text = raw
    if not text.isprintable():
        text = _without_ansi(text)
    if "&" in text:
        text = _without_entities(text)
    if _may_have_tags(text):
        text = _without_tags(text)
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
    unwrapped = without_prefixes(text, survey)
    worker, program, text = unwrapped.worker or worker, unwrapped.program or program, unwrapped.text
    if not text.isprintable():
        text = _last_state(text)
    inside = _inside(text) if depth < _DEEPEST else None
    if inside is not None:
        return [line for piece in inside.split("\n") for line in _clean(number, piece, survey, worker, program, depth + 1)]
    parts = _LATE_START.split(text) if _may_start_late(text) else [text]
    return [Line(number, worker, _cut(part), program) for part in parts if part] or [Line(number, worker, text, program)]


def shown(raw: str) -> str:
    """A line as a terminal shows it: without ANSI codes and control characters, and a progress bar in its last state."""
    return raw if raw.isprintable() else _last_state(_without_ansi(raw))


def _without_ansi(text: str) -> str:
    return (_ANSI.sub("", text) if "\x1b" in text else text).rstrip("\r")


def _without_entities(text: str) -> str:
    """A line copied from the source of a web page, with the characters that HTML replaces."""
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def _last_state(text: str) -> str:
    if "\r" in text:
        # A progress bar overwrites itself: the text written last stays on the screen.
        text = next((part for part in reversed(text.split("\r")) if part.strip()), "")
    if "\x08" in text:
        text = text.rsplit("\x08", 1)[-1] or text
    return text.translate(_CONTROL)


def _inside(text: str) -> str | None:
    if text[:1] == "{" and (message := message_of(text.rstrip())) is not None:
        return message
    return unescaped(text) if "\\n" in text else None


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - _TAIL] + " ... " + text[-_TAIL:]


def _may_start_late(raw: str) -> bool:
    """A quick check before the pattern: in most lines of a log, nothing starts late."""
    return (
        raw.find(": W ", 27) > 0
        or raw.find(": I ", 27) > 0
        or raw.find(": E ", 27) > 0
        or raw.find(": F ", 27) > 0
        or raw.find("0000 00:00:", 2) > 0
        or raw.find("Traceback (", 1) > 0
        or raw.rstrip().endswith(_LAST_WORDS)
    )


def by_process(lines: typing.Sequence[Line]) -> list[typing.Sequence[Line]]:
    """The lines of each process separately: lines of another process may be between them."""
    if not any(line.worker for line in lines):
        return [lines]
    processes: dict[str, list[Line]] = {}
    for line in lines:
        processes.setdefault(line.worker, []).append(line)
    return list(processes.values())
