"""The output of ``tfhelp doctor`` on a terminal: a line for each part of the machine, with its problems below it."""

import sys
import typing

from tfhelp.service.doors.cli.page import Page, printable
from tfhelp.service.doors.cli.terminal import show_answer, show_fix

Json = dict[str, typing.Any]
_MARKS = {"ok": "[ok]", "warning": "[!]", "failure": "[x]", "absent": "[-]", "unknown": "[?]"}
_SIGNS = {"ok": "[✓]", "warning": "[!]", "failure": "[✗]", "absent": "[–]", "unknown": "[?]"}
_STYLES = {"ok": "good", "warning": "warn", "failure": "bad", "absent": "dim", "unknown": "dim"}
_INDENT = " " * 5
_LONGEST_STEP = 4  # lines; a longer first step is shown with the other steps


def show(document: Json, verbose: bool, timings: bool, stream: typing.TextIO = sys.stdout) -> None:
    """Write the check-up for a reader at a terminal."""
    page = Page(stream)
    marks = _SIGNS if stream.isatty() and (stream.encoding or "").lower().startswith("utf") else _MARKS
    for row in document["summary"]["rows"]:
        _show_row(row, marks, verbose, page)
    page.line()
    _show_missing(document["summary"]["not_looked_for"], page)
    if verbose:
        for finding in document["findings"]:
            _show_finding(finding, page)
    if document["import"]:
        _show_import(document["import"], verbose, page, stream)
    if verbose:
        _show_looked_at(document["looked_at"], page)
    _show_end(document, verbose, page)
    if timings:
        for name, value in document["seconds"].items():
            page.line(f"{value:8.3f} s  {name}")


def _show_row(row: Json, marks: dict[str, str], verbose: bool, page: Page) -> None:
    mark = marks[row["state"]]
    style = _STYLES[row["state"]]
    page.line(f"{page.style(mark, style)}{' ' * (len(_INDENT) - len(mark))}{_upper(printable(row['value']))}")
    if verbose:
        for detail in row["details"]:
            page.paragraph(detail, _INDENT + "  ", style="dim")
    for one in row["wrong"]:
        page.paragraph(one["says"], _INDENT + "  ", style=style)
        if one["fix"]:
            page.paragraph(f"Fix: {one['fix']}", _INDENT + "  ")
        _show_first_step(one["first_step"], page)
        if one["entry"]:
            page.line(f"{_INDENT}  Read: tfhelp explain {one['entry']}")


def _show_first_step(step: Json | None, page: Page) -> None:
    if step and step["code"] and step["code"].count("\n") < _LONGEST_STEP:
        page.paragraph(f"First: {step['say']}", _INDENT + "  ")
        page.code(step["code"], _INDENT + "    ")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _show_missing(missing: list[str], page: Page) -> None:
    for sentence in missing:
        page.paragraph(sentence, "  ", "", "dim")


def _show_finding(finding: Json, page: Page) -> None:
    page.line()
    page.line(page.style(finding["title"], "title") + page.style(f"   {finding['entry']}", "dim"))
    page.paragraph(finding["cause_title"], "  ")
    for evidence in finding["evidence"]:
        page.paragraph(f"{evidence['because']} [{evidence['source']}]", "      ", "    + ", "good")
    show_fix(finding["fix"], page)


def _show_import(fault: Json, verbose: bool, page: Page, stream: typing.TextIO) -> None:
    page.line()
    page.line(page.style(f"Importing TensorFlow: {fault['state']}", "title"))
    for line in fault["output"].splitlines()[-6:]:
        page.paragraph(line, "    ", style="dim")
    page.line()
    show_answer(fault["answer"], stream, verbose, more="tfhelp doctor -v")


def _show_looked_at(looked_at: list[Json], page: Page) -> None:
    page.line()
    for outcome, word in (("fine", "fine"), ("unknown", "not known")):
        for one in looked_at:
            if one["outcome"] == outcome:
                deciding = next(item for item in one["evidence"] if item["outcome"] == {"fine": "fails"}.get(outcome, outcome))
                because = deciding["because"].removeprefix("not known: ")
                says = f"{one['entry']}, {one['cause']}: {because}"
                page.paragraph(says, " " * 13, f"  {word:>9}  ", "dim" if outcome == "unknown" else None)


def _show_end(document: Json, verbose: bool, page: Page) -> None:
    wrong = sum(max(1, len(row["wrong"])) for row in document["summary"]["rows"] if row["state"] in ("warning", "failure"))
    if document["ok"]:
        blind = any(row["state"] == "unknown" for row in document["summary"]["rows"])
        said = "Nothing wrong was found, but not everything could be looked at." if blind else "Nothing is wrong."
        page.line(page.style(said, "dim" if blind else "good") + ("" if verbose else " All details: tfhelp doctor -v"))
    else:
        steps = "" if verbose else " All steps of the fixes: tfhelp doctor -v"
        page.line(page.style(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.", "bad") + steps)
