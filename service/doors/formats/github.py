"""An answer for GitHub Actions: one annotation, at the user's own line if it is known, and a summary of the step."""

import os
import typing

from tfhelp.service.doors.formats import words
from tfhelp.service.doors.formats.escaping import printable
from tfhelp.service.doors.formats.markdown import markdown, shareable
from tfhelp.service.doors.formats.places import place_of
from tfhelp.service.workflow_commands import annotation, from_workspace

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

_LEVELS = {"fatal": "error", "degraded": "warning", "benign": "note"}
_OF_VERDICT = {"explained": "error", "undecided": "warning", "unknown": "note", "nothing-failed": "note"}
_LARGEST_SUMMARY = 1000 << 10  # bytes; GitHub accepts 1 MiB per step


def github(answer: "Answer | dict[str, typing.Any]", path: str = "") -> str:
    """One workflow command that ends with a line break.

    Args:
        answer: the JSON document of a diagnosis.
        path: the script that was given along with the text; empty without one. A file that only the traceback names must
            be in the checkout.
    """
    place = place_of(typing.cast("Answer", answer), path)  # before user names are removed from paths
    shown = shareable(answer)
    at = {"file": from_workspace(place.file), "line": str(place.line)} if place else {}
    return annotation(level(shown), message(shown), **at, title=f"tfhelp: {words.headline(shown)}") + "\n"


def level(answer: "Answer") -> str:
    """error, warning or note: how prominent the annotation is."""
    if words.names_an_entry(answer):
        return _LEVELS[answer["matches"][0]["severity"]]
    return _OF_VERDICT[answer["verdict"]]


def message(answer: "Answer") -> str:
    """The answer as a few lines of plain text, without control characters."""
    return "\n".join(map(printable, _entry(answer) if words.names_an_entry(answer) else _other(answer)))


def _entry(answer: "Answer") -> list[str]:
    match = answer["matches"][0]
    cause = match["causes"][0]
    lines = [f"Cause, {words.cause_verdict(cause)}: {cause['title']}", f"Fix: {cause['fix']['summary']}"]
    lines += [f"{number}. {step['say']}" for number, step in enumerate(cause["fix"]["steps"], 1)]
    lines += [f"In the log, {words.where(row)}: {words.line_text(row)}" for row in match["matched"][:1] if row["line"]]
    return [*lines, f"More: tfhelp explain {match['entry']}"]


def _other(answer: "Answer") -> list[str]:
    if answer["verdict"] == "explained":
        return list(answer["explained"]["says"])
    if answer["verdict"] == "undecided":
        return [words.SEVERAL, *(f"- {match['title']}: {match['told_by']['sign']}" for match in answer["matches"])]
    if answer["verdict"] == "nothing-failed":
        return [f"Harmless: {match['title']}" for match in answer["matches"]] or [words.RAN_WELL]
    return [words.NO_GUESS, words.more_may_help(answer)]


def write_summary(answer: "Answer | dict[str, typing.Any]") -> str:
    """Add the answer to the step's summary, if GitHub names a file for it. An answer over the size limit is not added.

    Returns:
        The file, also if the answer was not added; empty if there is none.

    Raises:
        OSError: it cannot be written.
    """
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if path:
        text = markdown(answer)
        if len(text.encode()) <= _LARGEST_SUMMARY:
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)
    return path
