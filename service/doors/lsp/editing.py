"""Edits of an open document: one fix, all safe fixes, or a comment that suppresses a rule on a line."""

import re
import typing

from lsprotocol.types import Range, TextEdit

from tfhelp.service.doors.lsp.opened import Opened, Sheet
from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.edits import apply_fixes
from tfhelp.service.lint.fixing import fix

Edits = list[tuple[Sheet, TextEdit]]
_NOQA = re.compile(r"#\s*noqa:[^#]*", re.IGNORECASE)


def one_fix(opened: Opened, checked: Checked, problem: Problem) -> Edits:
    """The mechanical fix of one problem; empty if it cannot be made."""
    text = checked.script.text
    try:
        if opened.is_notebook:
            from tfhelp.service.lint.notebook_edits import apply_fixes_to_notebook

            edited = apply_fixes_to_notebook(text, checked.examination, [problem.finding])
        else:
            edited = apply_fixes(text, [problem.finding])
    except ValueError:
        return []
    return edits_between(opened, edited.source) if edited.fixes else []


def all_safe_fixes(opened: Opened, checked: Checked, settings: Settings) -> Edits:
    """All fixes that keep the program's meaning."""
    fixed = fix(checked, settings, unsafe=False)
    return edits_between(opened, fixed.after.script.text) if fixed.fixes else []


def leave_out(opened: Opened, problem: Problem, settings: Settings) -> Edits:
    """A comment that suppresses the problem's rule on its line; empty if no comment has that effect."""
    sheet = opened.sheet_of(problem)
    before = len(opened.check(settings).problems)
    first = problem.place.line - (problem.finding.line - problem.finding.span[0])
    for line in dict.fromkeys((problem.place.line, problem.place.last_line, first)):
        commented = with_noqa(sheet.text, line, problem.rule.code)
        changed = opened._replace(sheets=[one._replace(text=commented) if one == sheet else one for one in opened.sheets])
        after = changed.check(settings)
        if not after.fault and len(after.problems) < before:
            return [(sheet, edit_between(opened, sheet.text, commented))]
    return []


def with_noqa(text: str, line: int, code: str) -> str:
    """A text with ``# noqa: CODE`` at the end of a line, or with the code added to a ``noqa`` comment that is already there.

    >>> with_noqa("f()\\ng()  # noqa: E501", 2, "TFH505")
    'f()\\ng()  # noqa: E501, TFH505'
    >>> with_noqa("f()\\r\\n", 1, "TFH505")
    'f()  # noqa: TFH505\\r\\n'
    """
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return text
    row = lines[line - 1]
    end = "\r" if row.endswith("\r") else ""
    row = row.removesuffix("\r").rstrip()
    found = _NOQA.search(row)
    if found:
        row = f"{row[: found.end()].rstrip()}, {code}{'  ' if row[found.end() :] else ''}{row[found.end() :]}"
    else:
        row = f"{row}  # noqa: {code}"
    lines[line - 1] = row + end
    return "\n".join(lines)


def edits_between(opened: Opened, after: str) -> Edits:
    """The edits that turn the sheets into a text like ``Opened.text()``."""
    texts: typing.Iterable[tuple[Sheet, str]] = zip(opened.sheets, opened.texts_of(after), strict=True)
    return [(sheet, edit_between(opened, sheet.text, text)) for sheet, text in texts if text != sheet.text]


def edit_between(opened: Opened, before: str, after: str) -> TextEdit:
    """The smallest edit that turns one text into the other."""
    start = _common(before, after)
    most = min(len(before), len(after)) - start
    end = min(_common(before[::-1], after[::-1]), most)
    if before[start - 1 : start] == "\r":  # no position lies between the two characters of a CR LF line end
        start, end = start - 1, min(end, most)
    if end and before[len(before) - end] == "\n" and before[len(before) - end - 1 : len(before) - end] == "\r":
        end -= 1
    last = len(before) - end
    where = Range(opened.position_at(before, start), opened.position_at(before, last))
    return TextEdit(where, after[start : len(after) - end])


def _common(one: str, other: str) -> int:
    """The length of the common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
