"""Lines of a team's good runs: lines in ``healthy/*.log`` of a private folder are not suspects.

A line is compared by its form: numbers and identifiers are ignored. A known line has a limited effect: its record is not taken
for the failure, no failure signature counts on it, and it does not lower the confidence. It never hides an exception, a fatal
line, a message from a shell, a kernel or a scheduler, or a decisive signature on a line that names an exception.
"""

import json
import os
import re
import typing

from tfhelp.collectors.reading.condense import reports_error
from tfhelp.collectors.reading.line_templates import shape, without_identifiers
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.private import HEALTHY, cache_file, keep
from tfhelp.kb.text import Record, Text

if typing.TYPE_CHECKING:
    from tfhelp.index.signatures import Hit

_MOST_BYTES = 32 << 20
"""Total for a folder's logs. Good runs are repetitive, so a few of them are enough."""
_MOST_FORMS = 100_000
_KINDS = ("log", "output", "prose")  # a log line in an unknown format may be read as prose
_LOUD = ("shell", "kernel", "scheduler")
_EXCEPTION = re.compile(r"\b[A-Z]\w{2,60}(?:Error|Exception)\b")
_COMPLAINT = re.compile(r"(?i)\b(?:warn(?:ing)?|error|fail(?:ed|ure)?|cannot|could not|unable to|denied|refused|[EW])\b")
_FORMAT = 1


def form_of(line: str) -> str:
    """A line without the parts that differ from run to run.

    >>> form_of("2026-01-05 02:00:09 E push to 10.2.0.17:9091 failed") == form_of("2026-02-11 23:10:00 E push to 10.2.0.4:80 failed")
    True
    """
    return " ".join(without_identifiers(shape(line)).split())


def known_forms(knowledge: Knowledge) -> frozenset[str]:
    """The forms of all lines of good runs in the private folders."""
    return frozenset(form for part in knowledge.parts for form in _forms_of(part.folder))


def healthy_records(text: Text, hits: "typing.Sequence[Hit]", forms: frozenset[str]) -> frozenset[int]:
    """``id()`` of the records that are not suspects.

    Args:
        text: the parsed text.
        hits: its signatures.
        forms: the forms of the good runs.
    """
    if not forms:
        return frozenset()
    lines = {(line.number, line.worker): line.text for line in text.lines}
    named = {id(hit.record) for hit in hits if hit.signature.strength == "decisive" and _EXCEPTION.search(hit.record.text)}
    return frozenset(
        id(record) for record in text.records if id(record) not in named and _is_quiet(record) and _is_known(record, lines, forms)
    )


def without_healthy(text: Text, healthy: frozenset[int]) -> Text:
    """The text without the warnings and errors of good runs; its other lines show how far the run got."""
    loud = [record for record in text.records if id(record) in healthy and sounds_bad(record)]
    places = {(number, record.worker) for record in loud for number in range(record.first_line, record.last_line + 1)}
    lines = [line for line in text.lines if (line.number, line.worker) not in places]
    gone = set(map(id, loud))
    return Text(lines, [record for record in text.records if id(record) not in gone])


def sounds_bad(record: Record) -> bool:
    """Return whether a record would be a suspect if it were not known: a warning, an error, or a line with such words."""
    return record.level in ("W", "E") or reports_error(record) or bool(_COMPLAINT.search(record.text[:2_000]))


def _is_quiet(record: Record) -> bool:
    return record.kind in _KINDS and not record.exception and record.level != "F" and record.origin not in _LOUD


def _is_known(record: Record, lines: dict[tuple[int, str], str], forms: frozenset[str]) -> bool:
    texts = [lines.get((number, record.worker), "") for number in range(record.first_line, record.last_line + 1)]
    said = [form_of(text) for text in texts if text.strip()]
    return bool(said) and all(form in forms for form in said)


def _forms_of(folder: str) -> list[str]:
    logs = _logs(os.path.join(folder, HEALTHY))
    if not logs:
        return []
    import zlib

    path = cache_file(folder, f"{zlib.crc32(repr((_FORMAT, logs)).encode('utf-8', 'surrogateescape')):08x}.forms")
    try:
        with open(path, encoding="utf-8") as file:
            kept: list[str] = json.load(file)
            return kept
    except (OSError, ValueError):
        pass  # it is built now
    forms = _read_forms([name for name, _, _ in logs])
    keep(path, json.dumps(forms).encode(), os.path.basename(cache_file(folder, "")))
    return forms


def _logs(folder: str) -> list[tuple[str, int, int]]:
    """(path, size in bytes, time of the last change) of the logs, sorted."""
    try:
        entries = sorted((entry for entry in os.scandir(folder) if entry.name.endswith(".log")), key=lambda entry: entry.name)
    except OSError:
        return []
    return [(entry.path, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries if entry.is_file()]


def _read_forms(paths: list[str]) -> list[str]:
    """The forms of the logs' lines, as the text reader cleans lines: without colours and launcher prefixes."""
    from tfhelp.collectors.reading import read

    forms: dict[str, None] = {}
    left = _MOST_BYTES
    for path in paths:
        try:
            with open(path, "rb") as file:
                content = file.read(left)
        except OSError:
            continue  # a file that cannot be read has no effect
        left -= len(content)
        for line in read(content.decode("utf-8", "replace")).lines:
            form = form_of(line.text)
            if form and len(forms) < _MOST_FORMS:
                forms[form] = None
    return list(forms)
