"""Facts that stand in the pasted text: one module a source, each with a sample of what it reads.

``read`` finds the lines once (``lines``), shows each reader those that hold one of its words, and settles what the
readers say (``statements``). Everything takes time in proportion to the text.
"""

import re
import types

from tfhelp.collectors.text_facts import (
    allocations,
    cluster,
    device_lines,
    disk_and_memory,
    endings,
    environment_reports,
    environment_variables,
    gpu_libraries,
    issue_form,
    kernel_log,
    limits,
    nvidia_smi,
    nvidia_smi_query,
    operating_system,
    package_lists,
    paths,
    progress,
    prose,
    schedulers,
    tensor_shapes,
    version_banners,
)
from tfhelp.collectors.text_facts.lines import lines_by_word, split
from tfhelp.collectors.text_facts.statements import Statements
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.record import Record

READERS: tuple[types.ModuleType, ...] = (
    allocations,
    cluster,
    device_lines,
    disk_and_memory,
    endings,
    environment_reports,
    environment_variables,
    gpu_libraries,
    issue_form,
    kernel_log,
    limits,
    nvidia_smi,
    nvidia_smi_query,
    operating_system,
    package_lists,
    paths,
    progress,
    schedulers,
    tensor_shapes,
    version_banners,
)
"""Modules with ``WORDS`` (what makes a line worth reading), ``FACTS`` (what they say) and ``read``."""

FACTS: tuple[str, ...] = tuple(sorted({path for reader in (*READERS, prose) for path in reader.FACTS} | {"log.workers"}))

_FEW_RECORDS = 4
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|[Mm]y|[Ww]e|[Oo]ur)\b")
_WORDS: frozenset[bytes] = frozenset().union(*(reader.WORDS for reader in (*READERS, prose)))


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
        at = _places_of(reader, places)
        if at:
            reader.read(lines, at, said)
    at = _sentences(_places_of(prose, places), numbers, records)
    if at:
        prose.read(lines, at, said)
    sheet = said.sheet()
    _count_workers(records, sheet)
    return sheet


def _places_of(reader: types.ModuleType, places: dict[bytes, list[int]]) -> list[int]:
    return sorted({number for word in reader.WORDS if word in places for number in places[word]})


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
