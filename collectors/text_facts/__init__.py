"""Facts that stand in the pasted text: one module a source, each with a sample of what it reads.

``read`` finds the lines once (``lines``), shows each reader those that hold one of its words (``words``), and settles
what the readers say (``statements``). Everything takes time in proportion to the text.

A reader is a module with ``FACTS``, the paths that it says, and ``read(lines, at, said)``. It is imported when a text
holds one of its words: a cold start reads a few of them.
"""

import importlib
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.lines import Lines, lines_by_word, split
from tfhelp.collectors.text_facts.statements import Statements
from tfhelp.collectors.text_facts.words import SIGNS_OF, WORDS_OF
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record

if typing.TYPE_CHECKING:
    FACTS: tuple[str, ...]


def _readers_by_word() -> dict[bytes, list[str]]:
    readers: dict[bytes, list[str]] = {}
    for reader, words in WORDS_OF.items():
        for word in words:
            readers.setdefault(word, []).append(reader)
    return readers


_READERS_OF = _readers_by_word()
_WORDS = frozenset(_READERS_OF)
_FEW_RECORDS = 4
_FIRST_PERSON = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Ww]e|[Oo]ur)\b")


def __getattr__(name: str) -> typing.Any:
    """``FACTS``: the paths that this collector makes; asking for it imports every reader."""
    if name != "FACTS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(sorted({path for reader in WORDS_OF for path in reader_module(reader).FACTS} | {"log.workers"}))


def reader_module(name: str) -> typing.Any:
    """A reader by the name that it has in ``words``."""
    return importlib.import_module(f"{__name__}.{name}")


def read(text: str, records: list[Record]) -> FactSheet:
    """Read the facts of a text.

    Args:
        text: as pasted.
        records: the same text as ``tfhelp.collectors.reading.records.split`` makes it.

    Returns:
        A sheet with the source ``log line <n>``, counted from 1; what a later or better statement beat is in ``lost``.
    """
    lines, numbers = split(text)
    concerned: dict[str, set[int]] = {}
    for word, places in lines_by_word(lines, _WORDS).items():
        for reader in _READERS_OF[word]:
            concerned.setdefault(reader, set()).update(places)
    said = Statements(numbers)
    for reader in WORDS_OF:
        at = sorted(concerned.get(reader, ()))
        if reader == "prose":
            at = _sentences(at, numbers, records)
        if at and _has_sign(reader, lines, at):
            reader_module(reader).read(lines, at, said)
    sheet = said.sheet()
    _count_workers(records, sheet)
    return sheet


def _has_sign(reader: str, lines: Lines, at: list[int]) -> bool:
    signs = SIGNS_OF.get(reader)
    if not signs:
        return True
    text = "\n".join([lines[number] for number in at])
    return any(sign in text for sign in signs)


def _sentences(at: list[int], numbers: list[int] | None, records: list[Record]) -> list[int]:
    """Those of the lines that a person wrote: a program's sentences speak of other machines.

    A record of kind ``output`` may be either; it counts when it says "I" or "my", or when the text is a few words only.
    """
    written: set[int] = set()
    few = len(records) <= _FEW_RECORDS and all(record.kind in ("prose", "output") for record in records)
    for record in records:
        if record.kind == "prose" or (record.kind == "output" and (few or _FIRST_PERSON.search(record.text))):
            written.update(range(record.first_line, record.last_line + 1))
    return [number for number in at if (numbers[number] if numbers else number + 1) in written]


def _count_workers(records: list[Record], sheet: FactSheet) -> None:
    first_lines: dict[str, int] = {}
    for record in records:
        if record.worker:
            first_lines.setdefault(record.worker, record.first_line)
    if first_lines:
        sheet.put("log.workers", len(first_lines), f"log line {max(first_lines.values())}")
