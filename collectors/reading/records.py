"""From clean lines to records: log lines with their continuation, whole tracebacks, a shell's last messages, prose.

The lines are read once, in linear time. ``record_builder`` decides what opens a record and what belongs to it.
"""

import re
import typing

from tfhelp.collectors.reading import origin
from tfhelp.collectors.reading.line_templates import shape, shapes, without_identifiers
from tfhelp.collectors.reading.record_builder import CHAIN, MAY_TAKE_A_START, RecordBuilder, always_starts, start
from tfhelp.kb.text import Line, Record

_FENCE = re.compile(r"\s{0,3}(?:`{3,}|~{3,})\s{0,2}[\w+-]{0,20}\s*$")


class _Known(typing.NamedTuple):
    """What a line of a known shape is: a repetition of ``record``, which always starts a record.

    ``alone``: no following line can belong to it, so it can be counted immediately.
    """

    record: Record
    alone: bool


class Splitter:
    """The state while lines are read: the open record of each worker, and the shapes seen."""

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._open: dict[str, RecordBuilder] = {}
        self._chained: dict[str, int] = {}
        self._seen: dict[str, Record] = {}
        self._plain: dict[str, Record] = {}
        self._starters: dict[str, _Known] = {}

    def read(self, lines: typing.Sequence[Line]) -> None:
        """Take lines. A line whose shape is known to start its own record is counted without being parsed again."""
        keys = [f"{line.worker} {folded}" for line, folded in zip(lines, shapes(lines), strict=True)]
        keys.append("")
        for place, line in enumerate(lines):
            known = self._starters.get(keys[place])
            if known is None or not self._repeats(known, line, keys[place + 1]):
                self.take(line, keys[place])

    def _repeats(self, known: _Known, line: Line, following: str) -> bool:
        """Count a line that repeats a known record, if it is certain to be the whole record."""
        builder = self._open.get(line.worker)
        if builder is not None and builder.kind in MAY_TAKE_A_START:
            return False
        if not known.alone and (following not in self._starters or not following.startswith(f"{line.worker} ")):
            return False
        if builder is not None:
            self._finish(self._open.pop(line.worker))
        self._repeat(known.record, line)
        return True

    def take(self, line: Line, key: str) -> None:
        """Take a line; ``key`` is its worker and its shape."""
        builder = self._open.get(line.worker)
        known = self._plain.get(key)
        if known is not None:
            # A line that looks like an earlier one and belongs to nothing around it: most of a long log.
            if builder is not None:
                self._finish(self._open.pop(line.worker))
            self._repeat(known, line)
            return
        if ("``" in line.text or "~~" in line.text) and _FENCE.match(line.text):
            # A fence of Markdown ends what is above it: code, a program's output, or a sentence.
            if builder is not None:
                self._finish(self._open.pop(line.worker))
            return
        if builder is not None:
            if builder.goes_on(line):
                return
            self._finish(self._open.pop(line.worker))
            if builder.chained:
                self._chained[line.worker] = builder.position + 1
        if line.text.strip() and not CHAIN.match(line.text):
            opened = self._open[line.worker] = start(line)
            opened.key = key
            if opened.kind == "traceback":
                opened.position = self._chained.pop(line.worker, 0)

    def interrupt(self) -> None:
        """Close the open records, because lines are missing here."""
        for builder in self._open.values():
            self._finish(builder)
        self._open = {}

    def close(self) -> list[Record]:
        """The records, in the order of their first line; repeated ones are folded into the first."""
        self.interrupt()
        self._records.sort(key=lambda record: record.first_line)
        origin.settle(self._records)
        return self._records

    def _finish(self, builder: RecordBuilder) -> None:
        record = builder.record()
        alone = len(builder.lines) == 1
        folded = builder.key if alone and record.text == builder.first.text else f"{record.worker} {shape(record.text)}"
        key = record.kind + without_identifiers(folded)
        known = self._seen.get(key)
        if known is not None:
            self._repeat(known, builder.lines[-1])
        else:
            self._seen[key] = known = record
            self._records.append(record)
            record.frames = builder.frames()
            record.origin = origin.of_record(record, builder.name, builder.first.program)
            if alone and (record.kind == "progress" or (record.kind == "log" and record.level == "I")):
                self._plain[builder.key] = record
        if alone and record.kind in ("log", "progress") and builder.key not in self._starters and always_starts(builder):
            self._starters[builder.key] = _Known(known, record.kind == "progress" or self._plain.get(builder.key) is known)

    @staticmethod
    def _repeat(known: Record, line: Line) -> None:
        known.count += 1
        if known.kind == "progress":
            # The last progress line is the one that shows where training stopped.
            known.text = known.message = " ".join(line.text.split())
            known.last_line = line.number
