"""From clean lines to records: log lines with their continuation, whole tracebacks, a shell's last words, prose.

``split`` reads the text once, in linear time. What opens a record and what belongs to it, ``tfhelp.collectors.reading.record_builder`` says.
"""

import typing

from tfhelp.collectors.reading.line_templates import lines_with_shapes, shape, without_identifiers
from tfhelp.collectors.reading.lines import LONGEST_LINE, clean_line
from tfhelp.collectors.reading.record_builder import CHAIN, MAY_TAKE_A_START, RecordBuilder, always_starts, start
from tfhelp.kb.text import Line, Record

MOST_DISTINCT = 20_000  # records; a log with more says new things on every line, and its failure stands near an end


def split(text: str) -> list[Record]:
    """Split a text into records, in the order of their first line; repeated ones are folded into the first."""
    splitter = _Splitter()
    for raws, shapes in lines_with_shapes(text):
        splitter.read(raws, shapes)
    splitter.close()
    return splitter.records


class _Known(typing.NamedTuple):
    """What a line of a known shape is: another one like ``record``.

    ``alone``: nothing that follows can belong to it, so it can be counted at once.
    """

    record: Record
    alone: bool


class _Splitter:
    """The state while a text is read: the open record of each worker, and the shapes seen."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._number = 0
        self._open: dict[str, RecordBuilder] = {}
        self._chained: dict[str, int] = {}
        self._seen: dict[str, Record] = {}
        self._plain: dict[str, Record] = {}
        self._by_shape: dict[str, _Known] = {}
        self._shapes_of: dict[int, list[str]] = {}
        self._waiting: tuple[int, str, Record] | None = None
        self._latest: dict[int, tuple[Record, int, str]] = {}

    def read(self, raws: list[str], shapes: list[str]) -> None:
        """Take lines as pasted. One of a known shape that always starts a record is counted without being looked at."""
        for raw, folded in zip(raws, shapes, strict=True):
            self._number += 1
            known = self._by_shape.get(folded)
            if known is not None and len(raw) <= LONGEST_LINE:
                draft = self._open.get("")
                if draft is None or draft.kind not in MAY_TAKE_A_START:
                    if draft is not None:
                        self._finish(self._open.pop(""))
                    if self._waiting is not None:
                        self._waiting[2].count += 1
                        self._waiting = None
                    if not known.alone:
                        self._waiting = (self._number, raw, known.record)
                        continue
                    known.record.count += 1
                    if known.record.kind == "progress":
                        self._latest[id(known.record)] = (known.record, self._number, raw)
                    continue
            self._look_at_waiting()
            self._look_at(self._number, raw, folded)

    def _look_at_waiting(self) -> None:
        """The line before was of a known shape, but what follows may belong to it."""
        if self._waiting is not None:
            number, raw, _ = self._waiting
            self._waiting = None
            self._look_at(number, raw, "")

    def _look_at(self, number: int, raw: str, folded: str) -> None:
        lines = clean_line(number, raw)
        if len(lines) == 1 and lines[0].text == raw and not lines[0].worker:
            self.take(lines[0], folded)
        else:
            for line in lines:
                self.take(line)

    def take(self, line: Line, folded: str = "") -> None:
        """Take a clean line; ``folded`` is its shape where that of the line as pasted is the same."""
        draft = self._open.get(line.worker)
        known = self._plain.get(folded or shape(line.worker + line.text)) if self._plain else None
        if known is not None:
            # A line like one that was read before and that belongs to nothing around it: most of a long log.
            if draft is not None:
                self._finish(self._open.pop(line.worker))
            self._repeat(known, line)
            return
        if draft is not None:
            if draft.goes_on(line):
                return
            self._finish(self._open.pop(line.worker))
            if draft.chained:
                self._chained[line.worker] = draft.position + 1
        if line.text.strip() and not CHAIN.match(line.text):
            opened = self._open[line.worker] = start(line)
            opened.shape = folded
            if opened.kind == "traceback":
                opened.position = self._chained.pop(line.worker, 0)

    def close(self) -> None:
        """The text is at its end."""
        self._look_at_waiting()
        for draft in self._open.values():
            self._finish(draft)
        self._open = {}
        for record, number, raw in self._latest.values():
            if number > record.last_line:
                self._show(record, number, raw)
        self.records.sort(key=lambda record: record.first_line)

    def _finish(self, draft: RecordBuilder) -> None:
        record = draft.record()
        as_pasted = draft.shape if len(draft.lines) == 1 else ""
        same = as_pasted and record.text == draft.first.text
        key = _key(record, as_pasted if same else shape(record.text))
        known = self._seen.get(key)
        if known is not None:
            self._repeat(known, draft.lines[-1])
        else:
            if len(self.records) >= MOST_DISTINCT:
                self._drop(self.records.pop(MOST_DISTINCT // 2))
            self._seen[key] = known = record
            self.records.append(record)
            if len(draft.lines) == 1 and (record.kind == "progress" or (record.kind == "log" and record.level == "I")):
                plain = shape(draft.first.worker + draft.first.text)
                self._plain[plain] = record
                self._shapes_of.setdefault(id(record), []).append(plain)
        if as_pasted and record.kind in ("log", "progress") and as_pasted not in self._by_shape and always_starts(draft):
            alone = record.kind == "progress" or self._plain.get(as_pasted) is known
            self._by_shape[as_pasted] = _Known(known, alone)
            self._shapes_of.setdefault(id(known), []).append(as_pasted)

    def _drop(self, record: Record) -> None:
        """Forget a record and all that leads to it."""
        self._seen.pop(_key(record, shape(record.text)), None)
        for folded in self._shapes_of.pop(id(record), ()):
            self._plain.pop(folded, None)
            self._by_shape.pop(folded, None)
        self._latest.pop(id(record), None)

    @staticmethod
    def _repeat(known: Record, line: Line) -> None:
        known.count += 1
        if known.kind == "progress":
            _Splitter._show(known, line.number, line.text)

    @staticmethod
    def _show(progress: Record, number: int, text: str) -> None:
        """The last progress line is the one that tells where training stopped."""
        progress.text = progress.message = " ".join(text.split())
        progress.last_line = number


def _key(record: Record, folded: str) -> str:
    """What is the same for records that say the same of other numbers."""
    return record.worker + record.kind + without_identifiers(folded)
