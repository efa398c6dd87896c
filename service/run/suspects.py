"""Refine the suspects of a failed run with its last good run: what occurs in both is not a suspect, what has changed is."""

import re
import typing

from tfhelp.kb import compiled
from tfhelp.service.errors import InputError
from tfhelp.service.run.comparison import Change, SinceLastGood, change_words
from tfhelp.service.run.findings import Findings
from tfhelp.service.run.folder import RunFolder

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, CauseRow, EvidenceRow

_DIFFERS_EACH_TIME = re.compile(r"0x[0-9a-fA-F]{1,32}|\d+")
_LINE_OF_CODE = re.compile(r"(?<!\S)(\S+\.py) line (\d{1,7})")
_MOST_ROUNDS = 3
_FACT_GROUPS = {"package": "packages.", "variable": "env.", "python": "python.version", "driver": "driver.version"}


def refine(
    answer: "Answer", findings: Findings, text: str, again: typing.Callable[[str], "Answer"], knowledge: compiled.Knowledge
) -> "Answer":
    """The answer to a run, with what its last good run adds, and with what was seen of its processes.

    Args:
        answer: the answer to the text and the facts alone.
        findings: of the run; empty for a run by an older tfhelp.
        text: the run's output.
        again: a function that answers a different text with the same facts.
        knowledge: the knowledge base.
    """
    since = findings.get("since_last_good")
    good_text = _good_text(since) if since else ""
    for _ in range(_MOST_ROUNDS if good_text else 0):
        rest = without_known_lines(answer, text, good_text)
        if rest is None:
            break
        text, answer = rest, again(rest)
    if since:
        add_changes(answer, since, knowledge)
    if any(findings.values()):
        answer["run"] = findings
    return answer


def _good_text(since: SinceLastGood) -> str:
    try:
        return RunFolder(since["run"]).read_text()
    except InputError:  # it has been deleted since
        return ""


def form_of(line: str) -> str:
    """The line without the parts that differ from run to run: times, addresses, process ids.

    >>> form_of("2026-11-20 10:00:01.5 W ran out at 0x7f12") == form_of("2026-11-22 11:59:02.7 W ran out at 0x99")
    True
    """
    return " ".join(_DIFFERS_EACH_TIME.sub("#", line).split())


def without_known_lines(answer: "Answer", text: str, good_text: str) -> str | None:
    """The text without the lines that the answer is based on, if all of them also occur in the good run's output.

    Returns:
        the text to ask about again, with the same number of lines; ``None`` if the answer is also based on something else.
    """
    matched = answer["matches"][0]["matched"] if answer["matches"] and not answer["abstained"] else []
    numbers = {row["line"] for row in matched}
    lines = text.removesuffix("\n").split("\n")  # as the reader counts them: the \r of a progress bar is inside a line
    if not numbers or 0 in numbers or max(numbers) > len(lines):
        return None
    known = {form_of(line) for line in good_text.split("\n")}
    if any(form_of(lines[number - 1]) not in known for number in numbers):
        return None
    return "\n".join("" if number in numbers else line for number, line in enumerate(lines, 1))


def add_changes(answer: "Answer", since: SinceLastGood, knowledge: compiled.Knowledge) -> None:
    """Add the changes to the causes whose checks concern them, as evidence that holds."""
    for match in answer["matches"]:
        if match["entry"] not in knowledge.summaries:
            continue
        checks = {cause["id"]: cause.get("checks", []) for cause in knowledge.entry(match["entry"])["causes"]}
        for cause in match["causes"]:
            read = _facts_read(checks.get(cause["cause"], []))
            cause["evidence"] += [_evidence(change, since) for change in since["changes"] if _concerns(change, read, cause)]


def _concerns(change: Change, read: set[str], cause: "CauseRow") -> bool:
    if change["kind"] == "file":
        return any(_is_changed_line(change, row["source"]) for row in cause["evidence"] if row["outcome"] == "holds")
    group = _FACT_GROUPS.get(change["kind"], "")
    path = group + change["name"] if group.endswith(".") else group
    return path in read


def _is_changed_line(change: Change, source: str) -> bool:
    """Return whether evidence from the script comes from a line that has changed."""
    found = _LINE_OF_CODE.search(source)
    if not found or not change["name"].endswith(found[1].rpartition("/")[2]):
        return False
    spans = [span.partition("-") for span in change["lines"] if not span.startswith("after")]
    return any(int(first) <= int(found[2]) <= int(last or first) for first, _, last in spans)


def _facts_read(checks: typing.Sequence[typing.Mapping[str, typing.Any]]) -> set[str]:
    """The facts that checks read, and the facts that these are derived from."""
    from tfhelp.kb.derived import derived_facts

    paths = [str(check["fact"]) for check in checks if check.get("fact")]
    found: set[str] = set()
    known = {fact.path: fact for fact in derived_facts()}
    while paths:
        path = paths.pop()
        if path not in found:
            found.add(path)
            paths += (*known[path].needs, *known[path].uses) if path in known else ()
    return found


def _evidence(change: Change, since: SinceLastGood) -> "EvidenceRow":
    return {
        "check": "it has changed since the last good run",
        "outcome": "holds",
        "because": f"since the last good run: {change_words(change)}",
        "source": f"run {since['run']}",
    }
