"""A diagnosis and an entry in the form that the templates show: nothing is decided here, only arranged and put into words."""

import typing

from tfhelp.kb import templates
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.doors.formats import words
from tfhelp.service.doors.web.entry_view import shown
from tfhelp.service.doors.web.excerpts import Lines, Row, matched_lines

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, BenignLine, CauseRow, Match, MatchedLine

Json = dict[str, typing.Any]

_MOST_LINES = 8  # matched lines that are shown for one entry
_AROUND = 2  # lines before and after them
_FEW = 0.05  # a cause below this confidence is folded away, without a number
_OUTCOMES = ("holds", "fails", "unknown")


def answer_view(document: "Answer", given: Json, knowledge: Knowledge) -> Json:
    """What the page shows of one diagnosis.

    Args:
        document: from ``Diagnoser.diagnose``.
        given: ``name``, ``bytes``, ``lines`` and ``excerpts`` of what was diagnosed.
        knowledge: describes the entries and causes.
    """
    lines = Lines(given.get("excerpts", []))
    matches = [_match(match, lines, knowledge) for match in document.get("matches", [])]
    return {
        **document,
        "matches": matches,
        "benign": [_benign(item, lines, knowledge) for item in document.get("benign", [])],
        "fact_rows": fact_rows(document.get("facts") or {}),
        "stepped_back": [{**item, "value": _fact_value(item["value"])} for item in document.get("stepped_back", [])],
        "given": given,
        "no_failure": words.no_failure(document),
        "your_line": words.your_line(document["your_line"]) if "your_line" in document else "",
        "rows": lines.rows({row.number for match in matches for row in match["rows"] if row.hit} | set(matched_lines(document))),
    }


def _match(match: "Match", lines: Lines, knowledge: Knowledge) -> Json:
    entry = _entry_or_empty(knowledge, match["entry"])
    known = {cause["id"]: cause for cause in entry.get("causes", [])}
    causes = [_cause(cause, known.get(cause["cause"], {})) for cause in match.get("causes", [])]
    open_causes = [cause for cause in causes if cause["verdict"] != "ruled-out"]
    return {
        **match,
        "means": match.get("means") or shown(entry.get("means", "")),
        "rows": _rows([found for found in match.get("matched", []) if found["line"] > 0], lines),
        "by_facts": [found["text"] for found in match.get("matched", []) if found["line"] < 1],
        "by_likeness": not any(found.get("by") == "signature" for found in match.get("matched", [])),
        "causes": [cause for place, cause in enumerate(open_causes) if place == 0 or cause["confidence"] >= _FEW],
        "unlikely": [cause for cause in open_causes[1:] if cause["confidence"] < _FEW],
        "ruled_out": [cause for cause in causes if cause["verdict"] == "ruled-out"],
    }


def _cause(cause: "CauseRow", entry_cause: Json) -> Json:
    evidence = cause.get("evidence", [])
    fix = cause["fix"]
    return {
        **cause,
        "means": cause.get("means") or shown(entry_cause.get("means", "")),
        "proof": {"kind": fix.get("proof", ""), "why": fix.get("proof_why", "")},
        "sources": fix.get("sources", []),
        "myths": fix.get("myths", []),
        "evidence": {outcome: [item for item in evidence if item.get("outcome") == outcome] for outcome in _OUTCOMES},
    }


def _rows(matched: "list[MatchedLine]", lines: Lines) -> list[Row]:
    """The matched lines with their surroundings, as pasted; only the matched lines if the surroundings are not kept."""
    numbers = list(dict.fromkeys(found["line"] for found in matched))[:_MOST_LINES]
    messages = [found for found in matched if found["line"] in numbers]
    hits = {number for found in messages for number in lines.of_message(found["line"], found.get("text", ""))}
    if hits:
        return lines.rows(hits, _AROUND)
    said = {found["line"]: found.get("text", "") for found in reversed(matched)}
    return [Row(number, said[number], True, False) for number in sorted(numbers)]


def _benign(item: "BenignLine", lines: Lines, knowledge: Knowledge) -> Json:
    summary = knowledge.summaries.get(item["entry"])
    title = item.get("title") or (summary["title"] if summary else item["entry"])
    return {**item, "title": title, "text": lines.line(item["line"])}


def seen_view(seen: typing.Mapping[str, typing.Any], knowledge: Knowledge) -> Json:
    """How often the failure was seen before, with the title of the cause that helped."""
    entry, _, name = str(seen.get("helped") or "").partition("/")
    causes = _entry_or_empty(knowledge, entry).get("causes", [])
    titles = [cause["title"] for cause in causes if cause["id"] == name]
    return {**seen, "title": titles[0] if titles else ""}


def fact_rows(facts: Json) -> list[Json]:
    """One row per fact: path, value and source."""
    about = facts.get("_about") or {}
    rows = []
    for group, value in sorted(facts.items()):
        if group == "_about":
            continue
        pairs = (
            [(f"{group}.{name}", inner) for name, inner in sorted(value.items())] if isinstance(value, dict) else [(group, value)]
        )
        for path, inner in pairs:
            rows.append({"path": path, "value": _fact_value(inner), "source": (about.get(path) or {}).get("source", "")})
    return rows


def _fact_value(value: object) -> str:
    if value is None:
        return "not there"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "; ".join(", ".join(f"{key} {templates.in_words(inner)}" for key, inner in item.items()) for item in value[:8])
    return templates.in_words(value) if value != [] else "none"


def _entry_or_empty(knowledge: Knowledge, name: str) -> typing.Mapping[str, typing.Any]:
    try:
        return knowledge.entry(name)
    except KeyError:
        return {}
