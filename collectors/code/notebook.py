"""Notebook files (nbformat 3 and 4) as one Python source: the lines of the code cells, numbered in the order of the cells."""

import json
import re

_MAGIC = re.compile(r"^(\s*)(%|!|\?)")
_HELP = re.compile(r"^(\s*)[\w.]+\?{1,2}\s*$")  # tf.data.Dataset?
_SHELL_ASSIGNMENT = re.compile(r"([\w, \t]*=)\s*[!%]")


class NotebookError(ValueError):
    """A notebook file cannot be read; the message says why."""


def source_of_notebook(text: str) -> tuple[str, list[int]]:
    """The code cells, one after another; magics and shell lines become ``pass``, so that line numbers do not change.

    Returns:
        The source, and the line on which each code cell begins, counted from 1.

    Raises:
        NotebookError: it is not JSON or has no cells.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {error}") from None
    cells = document.get("cells") if isinstance(document, dict) else None
    if cells is None and isinstance(document, dict):
        sheets = document.get("worksheets")
        cells = sheets[0].get("cells") if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict) else None
    if not isinstance(cells, list):
        raise NotebookError("not a notebook: it has no cells")
    codes = [plain_cell(code) for cell in cells if (code := _code(cell)) is not None]
    starts, line = [], 1
    for code in codes:
        starts.append(line)
        line += code.count("\n") + 1
    return "\n".join(codes) + "\n", starts


def _code(cell: object) -> str | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else None


def plain_cell(code: str) -> str:
    """A cell without the lines that only a notebook understands."""
    if re.match(r"\s*%%(?!time|capture|tfhelp)", code):
        return "\n".join("pass" for _ in code.split("\n"))  # %%bash, %%html, %%writefile: another language
    lines: list[str] = []
    continued = ""
    for line in code.split("\n"):
        found = _MAGIC.match(line) or _HELP.match(line)
        assigned = _SHELL_ASSIGNMENT.match(line)
        assigned = assigned if assigned and assigned[1].strip(" \t=") else None
        before, goes_on = continued, line.rstrip().endswith("\\")
        if before:
            lines.append(before)
        elif found:
            lines.append(f"{found[1]}pass")
        else:
            lines.append(f"{assigned[1]} None" if assigned else line)
        # The rest of a shell command that goes over several lines is not Python either.
        indent = line[: len(line) - len(line.lstrip())]
        continued = (before or f"{indent}pass") if goes_on and (before or found or assigned) else ""
    return "\n".join(lines)
