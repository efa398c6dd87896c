"""Facts read from the pasted text: one module per source, each with a sample of its input.

``read`` finds the lines of each process once (``by_word``), shows each reader the lines that contain one of its words, and
decides between the readers' statements (``statements``). The time is proportional to the text.

A reader is a function that declares with ``@reads`` which words concern it and which facts it makes (``reader``). Its module
is imported only when a text contains one of its words, so a cold start loads only a few of them.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.lines import by_process
from tfhelp.collectors.text_facts.by_word import lines_by_word
from tfhelp.collectors.text_facts.reader import Lines, load
from tfhelp.collectors.text_facts.statements import Statements
from tfhelp.collectors.text_facts.word_table import FACTS, WORDS_AND_SIGNS
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Line, Record, Text

__all__ = ["FACTS", "read"]

LONGEST_LINE = 4000
"""Characters; a longer line (a dumped array, a minified page) is cut."""


def _readers_by_word() -> dict[bytes, list[str]]:
    readers: dict[bytes, list[str]] = {}
    for reader, (words, _signs) in WORDS_AND_SIGNS.items():
        for word in words.encode().split():
            readers.setdefault(word, []).append(reader)
    return readers


_READERS_OF = _readers_by_word()
_WORDS = frozenset(_READERS_OF)
_OF_SENTENCES = "prose"  # the reader that sees only what a person wrote
_FEW_RECORDS = 4
_FIRST_PERSON = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Ww]e|[Oo]ur)\b")


def read(text: Text) -> FactSheet:
    """Read the facts of a text.

    The lines of different processes are read separately: a table of one may have lines of another between its rows.

    Returns:
        A sheet with the source ``log line <n>``, counted from 1; ``lost`` holds what a later or better statement overrode.
    """
    said = Statements()
    written = _written_by_a_person(text.records)
    for lines in by_process(text.lines):
        said.show([line.number for line in lines])
        _read(lines, written, said)
    sheet = said.sheet()
    _count_workers(text.records, sheet)
    return sheet


def _read(lines: typing.Sequence[Line], written: set[int], said: Statements) -> None:
    texts = [line.text[:LONGEST_LINE] for line in lines]
    concerned: dict[str, set[int]] = {}
    for word, places in lines_by_word(texts, _WORDS).items():
        for reader in _READERS_OF[word]:
            concerned.setdefault(reader, set()).update(places)
    for reader, (_words, signs) in WORDS_AND_SIGNS.items():
        at = sorted(concerned.get(reader, ()))
        if reader == _OF_SENTENCES:
            at = [place for place in at if lines[place].number in written]
        if at and (not signs or _has_sign(signs, texts, at)):
            load(reader).read(texts, at, said)


def _has_sign(signs: tuple[str, ...], lines: Lines, at: list[int]) -> bool:
    text = "\n".join([lines[number] for number in at])
    return any(sign in text for sign in signs)


def _written_by_a_person(records: list[Record]) -> set[int]:
    """Numbers of the lines that a person wrote: a program's sentences may be about other machines.

    A record of kind ``output`` may be either; it counts if it contains "I" or "my", or if the text has only a few words.
    """
    written: set[int] = set()
    few = len(records) <= _FEW_RECORDS and all(record.kind in ("prose", "output") for record in records)
    for record in records:
        if record.kind == "prose" or (record.kind == "output" and (few or _FIRST_PERSON.search(record.text))):
            written.update(range(record.first_line, record.last_line + 1))
    return written


def _count_workers(records: list[Record], sheet: FactSheet) -> None:
    first_lines: dict[str, int] = {}
    for record in records:
        if record.worker:
            first_lines.setdefault(record.worker, record.first_line)
    if first_lines:
        sheet.put("log.workers", len(first_lines), f"log line {max(first_lines.values())}")
