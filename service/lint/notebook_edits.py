"""Fix notebooks: the text of a code cell changes in the file, and every other character of the file stays the same."""

import bisect
import json
import json.decoder
import re
import typing

import libcst as cst

from tfhelp.collectors.code import Examination
from tfhelp.collectors.code.finding import Finding
from tfhelp.collectors.code.notebook import plain_cell, source_of_notebook
from tfhelp.service.lint.edits import Edited, Names, apply_fixes

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


class Value(typing.NamedTuple):
    """A JSON value and the place of its text in the file."""

    value: typing.Any
    start: int
    end: int


def apply_fixes_to_notebook(text: str, examination: Examination, findings: typing.Sequence[Finding]) -> Edited:
    """The notebook's file with every automatic fix made.

    Args:
        text: the file.
        examination: of this text.
        findings: those to fix.

    Raises:
        ValueError: a cell cannot be fixed without a change to syntax that only notebooks have.
    """
    names = Names(cst.parse_module(source_of_notebook(text)[0]))
    sources = code_sources(text)
    replaced: list[tuple[Value, str]] = []
    count = 0
    for number, group in _by_cell(examination, findings).items():
        if number > len(sources):
            raise ValueError("cannot be fixed: its cells are laid out in an unusual way")
        code = _joined(sources[number - 1].value)
        plain = plain_cell(code)
        edited = apply_fixes(plain, group, names)
        if edited.fixes:
            replaced.append((sources[number - 1], _with_magics(code, plain, edited.source)))
            count += edited.fixes
    for place, code in sorted(replaced, key=lambda item: -item[0].start):
        text = text[: place.start] + _written(text, place, code) + text[place.end :]
    return Edited(text, count)


def code_sources(text: str) -> list[Value]:
    """The source of each code cell (a string, or a list of lines) with its place in the file, in the order of cells."""
    document = _members(text, _skip(text, 0))
    cells = document.get("cells")
    if cells is None and "worksheets" in document:
        sheets = _elements(text, document["worksheets"].start)
        cells = _members(text, sheets[0].start).get("cells") if sheets else None
    found = []
    for cell in _elements(text, cells.start) if cells else []:
        members = _members(text, cell.start) if isinstance(cell.value, dict) else {}
        source = members.get("source") or members.get("input")
        if "cell_type" in members and members["cell_type"].value == "code" and source and isinstance(source.value, (str, list)):
            found.append(source)
    return found


def lines_in_file(text: str) -> list[list[int]]:
    """For each code cell, the numbers of its lines in the file, counted from 1."""
    ends = [place for place, character in enumerate(text) if character == "\n"]

    def line(place: int) -> int:
        return bisect.bisect_left(ends, place) + 1

    rows = []
    for source in code_sources(text):
        if isinstance(source.value, list):
            rows.append([line(item.start) for item in _elements(text, source.start)])
        else:
            rows.append([line(source.start)] * (source.value.count("\n") + 1))
    return rows


def _by_cell(examination: Examination, findings: typing.Sequence[Finding]) -> dict[int, list[Finding]]:
    """Findings by cell, with line numbers inside the cell."""
    groups: dict[int, list[Finding]] = {}
    for finding in findings:
        first, start, last, end = finding.span
        number = bisect.bisect_right(examination.cells, first)
        before = examination.cells[number - 1] - 1
        span = (first - before, start, last - before, end)
        moved = Finding(finding.fact, finding.line - before, span, finding.message, finding.severity, finding.fix)
        groups.setdefault(number, []).append(moved)
    return groups


def _with_magics(code: str, plain: str, fixed: str) -> str:
    """The fixed cell, with the original lines that had been replaced by Python for the examination.

    Raises:
        ValueError: they cannot be put back.
    """
    import difflib

    before, after, original = plain.split("\n"), fixed.split("\n"), code.split("\n")
    lines: list[str] = []
    for what, first, last, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        lines += original[first:last] if what == "equal" else after[start:end]
    if plain_cell("\n".join(lines)) != fixed:
        raise ValueError("cannot be fixed: a cell mixes Python and magics on one line")
    return "\n".join(lines)


def _joined(source: typing.Any) -> str:
    return source if isinstance(source, str) else "".join(line for line in source if isinstance(line, str))


def _written(text: str, place: Value, code: str) -> str:
    """A cell's source as JSON, formatted like the one that it replaces."""
    ascii_only = text.isascii()
    if isinstance(place.value, str):
        return json.dumps(code, ensure_ascii=ascii_only)
    items = _elements(text, place.start)
    before = text[place.start + 1 : items[0].start]
    between = text[items[0].end : items[1].start] if len(items) > 1 else "," + before
    behind = text[items[-1].end : place.end - 1]
    lines = [line + "\n" for line in code.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    written = [json.dumps(line, ensure_ascii=ascii_only) for line in lines if line]
    return "[" + before + between.join(written) + behind + "]"


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _value(text: str, place: int) -> Value:
    start = _skip(text, place)
    value, end = _DECODER.raw_decode(text, start)
    return Value(value, start, end)


def _members(text: str, start: int) -> dict[str, Value]:
    """The members of the object that begins at a place in valid JSON."""
    members: dict[str, Value] = {}
    place = _skip(text, start + 1)
    while text[place] != "}":
        key, place = _DECODER.raw_decode(text, place)
        value = _value(text, _skip(text, place) + 1)
        members[key] = value
        place = _skip(text, value.end)
        place = _skip(text, place + 1) if text[place] == "," else place
    return members


def _elements(text: str, start: int) -> list[Value]:
    """The elements of the list that begins at a place in valid JSON."""
    elements: list[Value] = []
    place = _skip(text, start + 1)
    while text[place] != "]":
        elements.append(_value(text, place))
        place = _skip(text, elements[-1].end)
        place = _skip(text, place + 1) if text[place] == "," else place
    return elements
