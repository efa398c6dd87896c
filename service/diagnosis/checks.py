"""Checks against facts: three-valued, with the reason and its source."""

import typing

from tfhelp.index.signatures import search_text
from tfhelp.kb import templates, versions
from tfhelp.kb.derived import releases
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.text import Record

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCheck
    from tfhelp.service.diagnosis.answer import EvidenceRow, Outcome


class Evidence:
    """The outcome of one check.

    Attributes:
        check: the check as compiled.
        outcome: ``holds``, ``fails`` or ``unknown``.
        because: a sentence with the values.
        source: the source of the fact (``nvml``, ``log line 12``, ``given``), or empty.
    """

    __slots__ = ("because", "check", "outcome", "source")

    def __init__(self, check: "CompiledCheck", outcome: "Outcome", because: str, source: str) -> None:
        self.check = check
        self.outcome = outcome
        self.because = because
        self.source = source

    def document(self) -> "EvidenceRow":
        """The evidence in the form of the answer's JSON."""
        return {"check": self.check["says"], "outcome": self.outcome, "because": self.because, "source": self.source}


def evaluate(check: "CompiledCheck", sheet: FactSheet, records: list[Record]) -> Evidence:
    """Evaluate one check on the facts and the text."""
    return _of_text(check, sheet, records) if "text" in check else _of_fact(check, sheet)


def _of_text(check: "CompiledCheck", sheet: FactSheet, records: list[Record]) -> Evidence:
    line = search_text(check["text"], check["literals"], records)
    if line:
        because = templates.fill(check.get("because", ""), sheet.get) or check["says"]
        return Evidence(check, "holds", because, f"log line {line}")
    if records and ("against" in check or check["required"]):
        if "unless" in check:
            return Evidence(check, "fails", templates.fill(check["unless"], sheet.get), "text")
        return Evidence(check, "fails", f"the text does not show it: {check['says']}", "text")
    return Evidence(check, "unknown", f"the text does not show it: {check['says']}", "")


def _of_fact(check: "CompiledCheck", sheet: FactSheet) -> Evidence:
    path = check["fact"]
    value = sheet.get(path)
    outcome = compare(value, check["is"])
    if outcome is None:
        return _of_releases(check, sheet)
    source = sheet.source(path)
    if outcome:
        because = (
            templates.fill(check["because"], sheet.get) if "because" in check else f"{check['says']} ({path}: {_shown(value)})"
        )
        return Evidence(check, "holds", because, source)
    if "unless" in check:
        return Evidence(check, "fails", templates.fill(check["unless"], sheet.get), source)
    return Evidence(check, "fails", f"not so: {check['says']} ({path}: {_shown(value)})", source)


def _of_releases(check: "CompiledCheck", sheet: FactSheet) -> Evidence:
    """Check an unknown version by the releases that may have produced the text."""
    found = releases.ranged(sheet, check["fact"], check["is"])
    if found is None:
        return Evidence(check, "unknown", f"not known: {check['says']}", "")
    says = check["says"] if found.holds else f"not so: {check['says']}"
    return Evidence(check, "holds" if found.holds else "fails", f"{says} ({found.because})", found.source)


def outcome(sheet: FactSheet, path: str, wanted: typing.Any) -> bool | None:
    """Return whether a fact meets the condition. An unknown version is judged by the releases that may have produced the text."""
    known = compare(sheet.get(path), wanted)
    if known is not None:
        return known
    found = releases.ranged(sheet, path, wanted)
    return found.holds if found else None


def _shown(value: object) -> str:
    return "not there" if value is None else templates.in_words(value)


def compare(value: typing.Any, wanted: typing.Any) -> bool | None:
    """Compare a fact's value with the value that a check needs; ``None`` if the result is unknown.

    A fact that was looked for and is not there (``None``) fails every comparison except ``present: false``.
    """
    if value is UNKNOWN:
        return None
    if isinstance(wanted, dict):
        ((kind, operand),) = wanted.items()
        if kind == "present":
            return (value is not None) is operand
        return False if value is None else _COMPARISONS[kind](value, operand)
    if value is None:
        return False
    if isinstance(value, str) and isinstance(wanted, str):
        return value.lower() == wanted.lower()
    return bool(value == wanted)


def _matches(value: object, pattern: str) -> bool:
    import re2

    return re2.search(pattern, str(value)) is not None


def _contains(value: typing.Any, operand: str) -> bool:
    if isinstance(value, list):
        return any(operand.lower() in str(item).lower() for item in value)
    return operand.lower() in str(value).lower()


_COMPARISONS: dict[str, typing.Callable[[typing.Any, typing.Any], bool | None]] = {
    "above": lambda value, operand: value > operand,
    "below": lambda value, operand: value < operand,
    "at_least": lambda value, operand: value >= operand,
    "at_most": lambda value, operand: value <= operand,
    "version": versions.satisfies,
    "any_of": lambda value, operand: value in operand,
    "none_of": lambda value, operand: value not in operand,
    "contains": _contains,
    "matches": _matches,
}
