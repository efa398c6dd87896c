"""What a run showed beyond its text: where it waits, which processes failed, what has changed; as a document and in words."""

import typing

from tfhelp.collectors.run.process_facts import Failure, Waiting
from tfhelp.service.run.comparison import SinceLastGood, words_of

_MOST_SHOWN = 6


class Findings(typing.TypedDict):
    """The part of a run's answer that cannot come from pasted text (``run`` in the JSON document)."""

    waits: list[Waiting]
    failures: list[Failure]
    since_last_good: SinceLastGood | None


def lines_of(findings: Findings) -> list[str]:
    """The findings as lines of plain text."""
    since = findings.get("since_last_good")  # a run by an older tfhelp has none
    return [*_of_failures(findings["failures"]), *_of_waits(findings["waits"]), *([words_of(since)] if since else [])]


def _of_failures(failures: list[Failure]) -> list[str]:
    if not failures:
        return []
    lines = ["First failed: " + _failure(failures[0])]
    lines += ["  after it: " + _failure(failure) for failure in failures[1:_MOST_SHOWN]]
    if len(failures) > _MOST_SHOWN:
        lines.append(f"  after it: {len(failures) - _MOST_SHOWN} more processes")
    return lines


def _failure(failure: Failure) -> str:
    where = f" in {failure['line']}" if failure["line"] else ""
    return f"{failure['process']}: {failure['how']}{where}"


def _of_waits(waits: list[Waiting]) -> list[str]:
    lines: list[str] = []
    process = ""
    for row in waits[: 2 * _MOST_SHOWN]:
        if row["process"] != process:
            process = row["process"]
            lines.append(f"Where {process} is:")
        lines.append(f"  {row['thread']}: {row['line']}{_of_what(row)}")
    return lines


def _of_what(row: Waiting) -> str:
    what = f", waits for {row['waits_for']}" if row["waits_for"] else ""
    return what + (f" ({row['call']})" if row["call"] else "")
