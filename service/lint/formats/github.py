"""``--output-format github``: workflow commands, which GitHub shows beside the lines of a change.

Source: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands and, for what is escaped, the
``@actions/core`` toolkit (``escapeData`` and ``escapeProperty``).
"""

import os
import typing

from tfhelp.service.lint.checking import Checked, Problem

MOST = 10
"""GitHub shows ten annotations of a kind for each step, and drops the rest without a word."""

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_ORDER = {"error": 0, "warning": 1, "note": 2}


def lines(files: typing.Sequence[Checked], faults: typing.Sequence[str]) -> list[str]:
    """At most ten annotations, what cannot be read and errors first, and a plain line about those that were left out."""
    rows = [(-1, f"::error title=tfhelp::{_data(fault)}") for fault in faults]
    rows += [(_ORDER[problem.severity], _annotation(file, problem)) for file in files for problem in file.problems]
    rows.sort(key=lambda row: row[0])
    shown = [text for _, text in rows[:MOST]]
    if len(rows) > MOST:
        shown.append(f"tfhelp: {len(rows) - MOST} more annotations were left out; 'tfhelp lint' on your machine shows them all")
    return shown


def _annotation(file: Checked, problem: Problem) -> str:
    place = problem.place
    first, last = lines_of(file, problem)
    properties = {"file": _from_workspace(file.path), "line": str(first), "endLine": str(last)}
    if not place.cell:
        properties["col"] = str(place.column)
        if last == first and place.last_column > place.column:
            properties["endColumn"] = str(place.last_column)
    properties["title"] = problem.rule.code
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[problem.severity]} {said}::{_data(problem.message)}"


def lines_of(file: Checked, problem: Problem) -> tuple[int, int]:
    """First and last line of a problem in the file itself; those of a notebook are lines of its JSON."""
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


def _from_workspace(path: str) -> str:
    workspace = os.environ.get("GITHUB_WORKSPACE") or os.getcwd()
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(workspace))
    return (path if relative.startswith("..") else relative).replace(os.sep, "/")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
