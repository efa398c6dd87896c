"""Facts that stand in the pasted text: one module a source, each with a sample of what it reads.

``read`` finds the lines once (``lines``), shows each reader those that hold one of its words, and settles what the
readers say (``statements``). Everything takes time in proportion to the text.
"""

import types

from tfhelp.collectors.text_facts import (
    allocations,
    device_lines,
    endings,
    environment_variables,
    gpu_libraries,
    issue_form,
    nvidia_smi,
    operating_system,
    package_lists,
    paths,
    progress,
    schedulers,
    version_banners,
)
from tfhelp.collectors.text_facts.lines import lines_by_word, split
from tfhelp.collectors.text_facts.statements import Statements
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.record import Record

READERS: tuple[types.ModuleType, ...] = (
    allocations,
    device_lines,
    endings,
    environment_variables,
    gpu_libraries,
    issue_form,
    nvidia_smi,
    operating_system,
    package_lists,
    paths,
    progress,
    schedulers,
    version_banners,
)
"""Modules with ``WORDS`` (what makes a line worth reading), ``FACTS`` (what they say) and ``read``."""

FACTS: tuple[str, ...] = tuple(sorted({path for reader in READERS for path in reader.FACTS} | {"log.workers"}))

_WORDS: frozenset[bytes] = frozenset().union(*(reader.WORDS for reader in READERS))


def read(text: str, records: list[Record]) -> FactSheet:
    """Read the facts of a text.

    Args:
        text: as pasted.
        records: the same text as ``tfhelp.collectors.records.split`` makes it.

    Returns:
        A sheet with the source ``log line <n>``, counted from 1; what a later or better statement beat is in ``lost``.
    """
    lines, numbers = split(text)
    places = lines_by_word(lines, _WORDS)
    said = Statements(numbers)
    for reader in READERS:
        at = sorted({number for word in reader.WORDS if word in places for number in places[word]})
        if at:
            reader.read(lines, at, said)
    sheet = said.sheet()
    _count_workers(records, sheet)
    return sheet


def _count_workers(records: list[Record], sheet: FactSheet) -> None:
    first_lines: dict[str, int] = {}
    for record in records:
        if record.worker:
            first_lines.setdefault(record.worker, record.first_line)
    if first_lines:
        sheet.put("log.workers", len(first_lines), f"log line {max(first_lines.values())}")
