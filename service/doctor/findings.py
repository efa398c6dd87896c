"""Find causes that the machine's facts alone show. The entries define which ones, and by which facts (``checkup``)."""

import typing

from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.diagnosis.checks import Evidence, evaluate
from tfhelp.service.diagnosis.fixes import fill_fix

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCause, CompiledCheck, CompiledEntry, Condition

Json = dict[str, typing.Any]


class Finding:
    """One cause that was looked for.

    Attributes:
        entry: the entry as compiled.
        cause: the cause as compiled.
        outcome: ``found`` (all of its conditions hold), ``fine`` (one of them does not), ``unknown`` (one is not known).
        evidence: the outcome of each condition.
    """

    __slots__ = ("cause", "entry", "evidence", "outcome")

    def __init__(self, entry: "CompiledEntry", cause: "CompiledCause", evidence: list[Evidence]) -> None:
        self.entry = entry
        self.cause = cause
        self.evidence = evidence
        outcomes = {one.outcome for one in evidence}
        self.outcome = "fine" if "fails" in outcomes else "unknown" if "unknown" in outcomes else "found"

    def document(self, sheet: FactSheet) -> Json:
        """The finding as JSON; the filled fix only if something was found."""
        found: Json = {
            "entry": self.entry["id"],
            "title": self.entry["title"],
            "severity": self.entry["severity"],
            "cause": self.cause["id"],
            "cause_title": self.cause["title"],
            "outcome": self.outcome,
            "evidence": [one.document() for one in self.evidence],
        }
        if self.outcome == "found":
            found |= {"means": self.cause["means"], "fix": fill_fix(self.cause, sheet)}
        return found


def look(knowledge: Knowledge, sheet: FactSheet) -> list[Finding]:
    """Look for every cause that has a check-up.

    Args:
        knowledge: the compiled knowledge base.
        sheet: the machine's facts, derived ones included.

    Returns:
        All causes with a check-up: found ones first, failures before slowdowns; inside an entry, the cause that the entry's
        checks support best comes first.
    """
    findings: list[Finding] = []
    for identifier in knowledge.entries():
        entry = knowledge.entry(identifier)
        if any(cause.get("checkup") for cause in entry["causes"]):
            findings += [
                Finding(entry, item.cause, [_evaluate(condition, sheet) for condition in item.cause["checkup"]])
                for item in rank(entry, sheet, [])
                if item.cause.get("checkup")
            ]
    places = {"found": 0, "unknown": 1, "fine": 2}
    findings.sort(key=lambda one: (places[one.outcome], one.entry["severity"] != "fatal"))
    return findings


def _evaluate(condition: "Condition", sheet: FactSheet) -> Evidence:
    """Evaluate a condition: a check on a fact, without a weight; only its outcome counts."""
    return evaluate(typing.cast("CompiledCheck", condition), sheet, [])
