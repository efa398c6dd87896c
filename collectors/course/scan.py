"""From lines and records to events, for each process in the text.

Most of a long text is repetition, and its records, which fold repeated lines, contain its failures. So in a long text only
the first lines, the last lines and those after failures are read one by one.
"""

import bisect
import typing

from tfhelp.collectors.course import failures
from tfhelp.collectors.course.events import Event
from tfhelp.collectors.course.outputs import of_tensorflow, output
from tfhelp.collectors.course.progress import names_metric, progress
from tfhelp.kb.text import Line, Record, Text

FIRST_LINES = 1_500
LAST_LINES = 3_000
_BEHIND_A_FAILURE = 60
_MOST_FAILURES = 50
_LONGEST = 2_000  # characters of a line that are inspected
_TOLD_BY_RECORDS = frozenset(("log", "shell", "exception", "traceback"))
_SIGNS_OF_A_PERSON = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "my",
        "we",
        "our",
        "why",
        "help",
        "stuck",
        "hangs",
        "crashes",
        "stops",
        "anyone",
        "how",
        "please",
        "problem",
        "issue",
        "slow",
        "wrong",
        "expected",
        "instead",
        "doesn't",
    ]
    + ["can't", "fails", "stopped", "crashed", "never"]
)
_NAMED_WORKERS = ("worker", "rank", "chief", "task", "ps", "process", "replica", "node")

Stories = dict[str, list[Event]]


def events_of(text: Text) -> Stories:
    """The events of each process in order; the unnamed process is that of the text itself."""
    found: Stories = {}
    told = _events_of_records(text.records)
    by_line = {event.line: (record, event) for record, event in told}
    persons = _lines_of_persons(text.records)
    readers: dict[str, _Reader] = {}
    for line in _lines(text.lines, [event.line for _, event in told]):
        reader = readers.setdefault(line.worker, _Reader())
        event = None if line.number in persons else reader.take(line, by_line)
        if event is not None:
            event.line = event.line or line.number
            found.setdefault(_worker(line, event), []).append(event)
    _add_unreported(found, told, readers)
    for story in found.values():
        story.sort(key=lambda event: event.line)
    return found


def _events_of_records(records: typing.Sequence[Record]) -> list[tuple[Record, Event]]:
    told = []
    for record in records:
        if record.kind in _TOLD_BY_RECORDS and (event := failures.of_record(record)):
            told.append((record, event))
    return told


def is_written_by_user(record: Record) -> bool:
    """Return whether a record is a person's account or question, not a sentence that a program prints.

    The record splitter takes every sentence for the user's, but a training program prints sentences too ("Restoring model
    weights from the end of the best epoch"), so the words themselves have to show who wrote it.
    """
    if record.kind not in ("prose", "output"):
        return False
    text = record.text[:_LONGEST]
    return text.endswith("?") or not _SIGNS_OF_A_PERSON.isdisjoint(text.lower().replace(",", " ").replace(".", " ").split())


def _lines_of_persons(records: typing.Sequence[Record]) -> set[int]:
    lines: set[int] = set()
    for record in records:
        if record.kind == "prose" and is_written_by_user(record):
            lines.update(range(record.first_line, record.last_line + 1))
    return lines


def _lines(lines: typing.Sequence[Line], failed_at: list[int]) -> typing.Iterator[Line]:
    if len(lines) <= FIRST_LINES + LAST_LINES:
        yield from lines
        return
    places = set(range(FIRST_LINES)) | set(range(len(lines) - LAST_LINES, len(lines)))
    for number in failed_at[:_MOST_FAILURES]:
        start = bisect.bisect_left(lines, number, key=lambda line: line.number)
        places.update(range(max(start - 1, 0), min(start + _BEHIND_A_FAILURE, len(lines))))
    for place in sorted(places):
        yield lines[place]


class _Reader:
    """Reads one process's lines in order."""

    __slots__ = ("_before", "tracebacks")

    def __init__(self) -> None:
        self.tracebacks = failures.Tracebacks()
        self._before = ""

    def take(self, line: Line, told: dict[int, tuple[Record, Event]]) -> Event | None:
        text = line.text.strip()
        if not text:
            return None
        before, self._before = self._before, text
        if self.tracebacks.inside:
            return self.tracebacks.take(line)
        if "Traceback (most" in text and self.tracebacks.opens(text, before):
            return None
        if text[0] in "DT" and "exception" in text:
            self.tracebacks.chains(text)
        if line.number in told:
            record, event = told[line.number]
            if record.kind != "traceback":
                return event
        if len(text) > _LONGEST:
            text = text[:_LONGEST]
        return _event(text)


def _event(text: str) -> Event | None:
    small = text.lower()
    if ".cc:" in small and "] " in text:
        return of_tensorflow(small.partition("] ")[2])
    late = "slurmstepd" in small or "cancelled at" in small  # they can follow a bar that has no line end
    event = output(text, small) if late else progress(text, small) or output(text, small)
    if event is None and names_metric(small) and any("0" <= letter <= "9" for letter in small):
        return Event("metric")
    return event


def _worker(line: Line, event: Event) -> str:
    if event.worker is not None:
        return event.worker
    if line.worker:
        return line.worker
    head, colon, _ = line.text[:40].partition(":")
    if colon and head[-1:].isdigit() and head.lower().startswith(_NAMED_WORKERS):
        return head.strip().lower()
    return ""


def _add_unreported(found: Stories, told: list[tuple[Record, Event]], readers: dict[str, _Reader]) -> None:
    """Add the failures of records that no line showed: outside the lines that are read, or without a traceback's first line."""
    seen = {event.line for story in found.values() for event in story if event.kind not in ("metric",)}
    for record, event in told:
        lines = range(record.first_line, record.last_line + 1)
        if event.line not in seen and seen.isdisjoint(lines if len(lines) < _LONGEST else lines[:_LONGEST]):
            found.setdefault(record.worker, []).append(event)
    for worker, reader in readers.items():
        if broken_off := reader.tracebacks.broken_off():
            broken_off.line = max((record.last_line for record, _ in told if record.worker == worker), default=1)
            found.setdefault(worker, []).append(broken_off)
