"""Build the answer's document: a decision and its evidence in the form of ``answer.Answer``."""

import collections
import typing

from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis import candidates, questions
from tfhelp.service.diagnosis.failure import failure_of, only_begins
from tfhelp.service.diagnosis.fixes import fill_fix
from tfhelp.service.diagnosis.guarded import guarded
from tfhelp.service.diagnosis.how_to import asks_which_releases
from tfhelp.service.diagnosis.op_signs import names_an_op

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import (
        Answer,
        BenignLine,
        CauseRow,
        Fix,
        Match,
        MatchedLine,
        Nearest,
        ReadersLine,
        Sign,
        SteppedBack,
    )
    from tfhelp.service.diagnosis.candidates import Candidate
    from tfhelp.service.diagnosis.causes import RankedCause
    from tfhelp.service.diagnosis.reading import Reading
    from tfhelp.service.diagnosis.verdict import Decision, Shown

_ABOUT_NAMES = (
    "has no attribute",
    "cannot import name",
    "No module named",
    "keyword argument",
    "not recognized",
    "not understood",
    "positional argument",
)
"""Words of messages about a missing name or argument."""
_ONLY_BEGINS = "The message is not complete. The lines below its first line name the cause, so paste them too."
_FIT_TOGETHER = (
    "`tfhelp plan` says which releases of TensorFlow, Python, CUDA and the driver fit together: for this machine, or for another one, "
    "for example `tfhelp plan --python 3.11 --gpu 'RTX 3080' --driver 550`."
)
_MOST_LINES = 8
_ABSTAINING = ("explained", "unknown")
_NO_FIX: "Fix" = {
    "summary": "The fix cannot be shown, because it is damaged on this computer.",
    "steps": [],
    "verify": "",
    "wrong_when": "",
    "proof": "documented",
    "sources": [],
    "myths": [],
}
_NAMING = ("diagnosed", "likely")
_MOST_LOST = 20  # values that lost, for each fact


def answer_of(decision: "Decision", reading: "Reading", knowledge: Knowledge) -> "Answer":
    """The answer, without the time that it took.

    Args:
        decision: the verdict and what to show.
        reading: the basis of the decision.
        knowledge: the compiled knowledge base.
    """
    undecided = decision.verdict == "undecided"
    matches = [_match(item, reading, knowledge, place, undecided) for place, item in enumerate(decision.shown)]
    faults, nothing = reading.faults, list[str]()
    facts = reading.sheet.document()
    answer: Answer = {
        "verdict": decision.verdict,
        "abstained": decision.verdict in _ABSTAINING,
        "matches": matches,
        "benign": _benign_lines(decision.benign, knowledge),
        "condensed": reading.condensed,
        "facts": facts,
        "stepped_back": _stepped_back(reading.sheet.lost),
        "ask_for": questions.deciding_facts(
            decision.shown[0].causes if decision.shown else [], reading.sheet, knowledge.fact_types
        ),
        "kb_version": knowledge.version,
        "took_ms": 0.0,
    }
    if decision.verdict != "nothing-failed":
        failure = failure_of(reading.records, decision.shown[0].candidate.hits if matches else [], decision.benign)
        if failure:
            answer["failure"] = failure
    if decision.verdict == "explained" and decision.explained:
        answer["explained"] = decision.explained
    elif matches and decision.explained:
        from tfhelp.service.diagnosis.explained_words import raised_in

        explained = decision.explained
        matches[0]["raised_in"] = guarded(faults, "where it was raised", lambda: raised_in(explained), "")
    if decision.verdict in _NAMING and matches:
        op_says = guarded(faults, "what is known about the operation", lambda: _op_says(decision.shown[0].candidate), nothing)
        if op_says:
            matches[0]["op_says"] = op_says
    your_line = guarded(faults, "the line of your own code", lambda: _your_line(decision, reading), None)
    if your_line:
        answer["your_line"] = your_line
    notes = guarded(faults, "notes on your team's knowledge", lambda: _private_notes(reading, knowledge, matches), nothing)
    notes = [*notes, *guarded(faults, "notes on missing names", lambda: _notes(reading), nothing), *faults]
    if answer["abstained"] and "failure" in answer and only_begins(answer["failure"]):
        notes.append(_ONLY_BEGINS)
    if decision.verdict in ("unknown", "undecided") and asks_which_releases(reading.records):
        notes.append(_FIT_TOGETHER)
    if notes:
        answer["notes"] = notes
    if answer["abstained"]:
        answer["nearest"] = [_nearest(item, knowledge) for item in decision.nearest]
        answer["report"] = questions.bug_report(reading.condensed, facts)
    return answer


def _stepped_back(lost: "typing.Iterable[tuple[str, object, str, str]]") -> "list[SteppedBack]":
    """The facts that lost to a better one. A log with a value in each line would otherwise fill the answer with them."""
    count: collections.Counter[str] = collections.Counter()
    rows: list[SteppedBack] = []
    for path, value, source, why in lost:
        count[path] += 1
        if count[path] <= _MOST_LOST:
            rows.append({"fact": path, "value": value, "source": source, "why": why})
    return rows


def _your_line(decision: "Decision", reading: "Reading") -> "ReadersLine | None":
    """The line of the user's own code in the failure's traceback; None if there is none, or if nothing failed."""
    if decision.verdict == "nothing-failed" or not any(record.frames for record in reading.records):
        return None
    from tfhelp.service.diagnosis.readers_line import of_failure

    named = decision.shown[0].candidate.hits if decision.verdict in _NAMING and decision.shown else []
    return of_failure([hit.record for hit in named], reading.records)


def _notes(reading: "Reading") -> list[str]:
    """What the atlas adds to the entries: about a missing name or argument, and about the releases that the script is for."""
    notes: list[str] = []
    if any(record.exception and any(sign in record.message for sign in _ABOUT_NAMES) for record in reading.records):
        from tfhelp.service.diagnosis.explained_calls import sentences

        says = sentences(reading.records)
        notes += [" ".join(says)] if says else []
    written_for = reading.sheet.get("derived.written_for")
    return [*notes, _written_for(written_for, reading)] if isinstance(written_for, str) else notes


def _private_notes(reading: "Reading", knowledge: Knowledge, matches: "list[Match]") -> list[str]:
    """Notes on private knowledge: which entries are a team's own, which lines its good runs have too, what was left out."""
    if not knowledge.parts:
        return []
    from tfhelp.kb.overlay import faults_in_words
    from tfhelp.service.diagnosis.healthy import sounds_bad

    own = [f"{match['entry']} is from your team's knowledge: {match['private']}" for match in matches if "private" in match]
    lines = [str(record.first_line) for record in reading.records if id(record) in reading.healthy and sounds_bad(record)]
    if lines:
        shown = ", ".join(lines[:_MOST_LINES]) + (f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else "")
        which = f"lines {shown} too, so they are not suspects" if len(lines) > 1 else f"line {shown} too, so it is not a suspect"
        own.append(f"Your team's good runs print {which}")
    return [f"{sentence}." for sentence in own] + faults_in_words(knowledge)


def _written_for(releases: str, reading: "Reading") -> str:
    """``train.py was written for TensorFlow 2.4 to 2.10; TensorFlow 2.21.0 is installed.``"""
    from tfhelp.service.upgrade.words import said_range

    said = [said_range(one) for one in releases.split(", ")]
    version = reading.sheet.get("derived.tensorflow_version")
    installed = f"; TensorFlow {version} is installed" if isinstance(version, str) else ""
    name = str(reading.sheet.source("code.written_for")) or "This script"
    return f"{name} was written for {' and '.join(said)}{installed}. 'tfhelp upgrade' says what would have to change."


def _match(item: "Shown", reading: "Reading", knowledge: Knowledge, place: int, undecided: bool) -> "Match":
    candidate, summary = item.candidate, knowledge.summaries[item.candidate.entry]
    match: Match = {
        "entry": candidate.entry,
        "title": summary["title"],
        "family": summary["family"],
        "severity": summary["severity"],
        "role": "failure" if (place == 0 or candidate.decisive) and not undecided else "alternative",
        "confidence": round(item.confidence, 3),
        "matched": [
            *candidates.lines_matched(candidate, reading.records),
            *(_fact_line(says) for says in candidate.facts),
        ],
        "causes": [_cause(cause, reading) for cause in item.causes],
    }
    if "private" in summary:
        match["private"] = summary["private"]
    if undecided:
        match["told_by"] = _told_by(candidate.entry, knowledge)
    return match


def _op_says(candidate: "Candidate") -> list[str]:
    """What the operation named in the entry's record adds to it."""
    records = [hit.record for hit in candidate.hits if names_an_op(hit.record.text)]
    if not records:
        return []
    from tfhelp.service.diagnosis.explained_ops import beside_an_entry

    return beside_an_entry(records)


def _fact_line(says: str) -> "MatchedLine":
    return {"line": 0, "text": says, "by": "fact"}


def _cause(item: "RankedCause", reading: "Reading") -> "CauseRow":
    name = f"the fix of {item.cause['id']}"
    return {
        "cause": item.cause["id"],
        "title": item.cause["title"],
        "means": item.cause["means"],
        "confidence": round(item.confidence, 3),
        "verdict": item.verdict,
        "evidence": [found.document() for found in item.evidence],
        "fix": guarded(reading.faults, name, lambda: fill_fix(item.cause, reading.sheet), _NO_FIX),
    }


def _told_by(identifier: str, knowledge: Knowledge) -> "Sign":
    """What distinguishes the entry from similar ones: its own sign, else what its checks would ask for."""
    entry = knowledge.entry(identifier)
    if "told_by" in entry:
        sign: Sign = entry["told_by"]
        return sign
    asked = [check["if_unknown"] for cause in entry["causes"] for check in cause["checks"] if "if_unknown" in check]
    for question in asked:
        if question.get("command"):
            return {"sign": question["ask"], "command": question["command"]}
    return {"sign": entry["means"].partition(". ")[0].rstrip(".") + "."}


def _benign_lines(benign: list["Candidate"], knowledge: Knowledge) -> list["BenignLine"]:
    return [
        {"entry": item.entry, "title": knowledge.summaries[item.entry]["title"], "line": hit.record.first_line}
        for item in benign
        for hit in item.hits
    ]


def _nearest(item: "Shown", knowledge: Knowledge) -> "Nearest":
    entry = item.candidate.entry
    return {"entry": entry, "title": knowledge.summaries[entry]["title"], "confidence": round(item.confidence, 3)}
