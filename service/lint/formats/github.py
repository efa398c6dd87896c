"""``--output-format github``: workflow commands, which GitHub shows next to the lines of a change."""

import typing

from tfhelp.service.lint.checking import Checked, Problem
from tfhelp.service.workflow_commands import MOST, annotation, from_workspace

_ORDER = {"error": 0, "warning": 1, "note": 2}


def lines(files: typing.Sequence[Checked], faults: typing.Sequence[str]) -> list[str]:
    """At most ten annotations, unreadable files and errors first, and a plain line about those that were left out."""
    rows = [(-1, annotation("error", fault, title="tfhelp")) for fault in faults]
    rows += [(_ORDER[problem.severity], _annotation(file, problem)) for file in files for problem in file.problems]
    rows.sort(key=lambda row: row[0])
    shown = [text for _, text in rows[:MOST]]
    if len(rows) > MOST:
        shown.append(f"tfhelp: {len(rows) - MOST} more annotations were left out; 'tfhelp lint' on your machine shows them all")
    return shown


def _annotation(file: Checked, problem: Problem) -> str:
    place = problem.place
    first, last = lines_of(file, problem)
    properties = {"file": from_workspace(file.path), "line": str(first), "endLine": str(last)}
    if not place.cell:
        properties["col"] = str(place.column)
        if last == first and place.last_column > place.column:
            properties["endColumn"] = str(place.last_column)
    properties["title"] = problem.rule.code
    return annotation(problem.severity, problem.message, **properties)


def lines_of(file: Checked, problem: Problem) -> tuple[int, int]:
    """First and last line of a problem in the file itself; for a notebook, lines of its JSON."""
    place = problem.place
    if not place.cell:
        return place.line, max(place.line, place.last_line)
    from tfhelp.service.lint.notebook_edits import lines_in_file

    rows = lines_in_file(file.script.text)
    numbers = rows[place.cell - 1] if place.cell <= len(rows) else []
    if not numbers:
        return 1, 1
    first = numbers[min(place.line, len(numbers)) - 1]
    return first, max(first, numbers[min(place.last_line, len(numbers)) - 1])
