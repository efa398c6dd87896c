"""The printed output of a notebook (nbformat 3 and 4): the streams and errors of its code cells, in order.

Rich outputs (images, tables, widgets) are left out. The code is read by ``tfhelp.collectors.code``.
"""

import typing

from tfhelp.collectors.intake import script

Json = dict[str, typing.Any]
_ERRORS = ("error", "pyerr")


def printed(document: Json) -> tuple[str, int, int]:
    """The output that a notebook's cells printed.

    Args:
        document: the notebook as JSON.

    Returns:
        The text, the number of outputs in it, and the number of errors among them.
    """
    parts: list[str] = []
    errors = 0
    for cell in _code_cells(document):
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            said = _said(output)
            if said.strip():
                parts.append(said.rstrip("\n"))
                errors += output.get("output_type") in _ERRORS
    return "\n".join(parts) + "\n" if parts else "", len(parts), errors


def code_cells(document: Json) -> list[str]:
    """The sources of the code cells."""
    return [_joined(cell.get("source", cell.get("input")), "") for cell in _code_cells(document)]


def is_short(cells: list[str]) -> bool:
    """Return whether there is code, and no more of it than can be parsed safely."""
    longest = sum(map(len, cells)) <= script.LONGEST
    return bool(cells) and longest and sum(map(script.statements, cells)) <= script.MOST_STATEMENTS


def _code_cells(document: Json) -> list[Json]:
    return [cell for cell in _cells(document) if isinstance(cell, dict) and cell.get("cell_type") == "code"]


def _cells(document: Json) -> list[typing.Any]:
    cells = document.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = document.get("worksheets")
    found: list[typing.Any] = []
    for sheet in sheets if isinstance(sheets, list) else ():
        inner = sheet.get("cells") if isinstance(sheet, dict) else None
        found += inner if isinstance(inner, list) else []
    return found


def _said(output: object) -> str:
    if not isinstance(output, dict):
        return ""
    if output.get("output_type") == "stream":
        return _joined(output.get("text"), "")
    if output.get("output_type") not in _ERRORS:
        return ""
    traceback = _joined(output.get("traceback"), "\n")
    if traceback.strip():
        return traceback
    name, value = output.get("ename"), output.get("evalue")
    return f"{name}: {value}" if isinstance(name, str) and isinstance(value, str) else ""


def _joined(lines: object, between: str) -> str:
    if isinstance(lines, list):
        return between.join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""
