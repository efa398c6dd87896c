"""A diagnosis and an entry as the templates show them: nothing is decided here, only arranged and put into words."""

import typing

from tfhelp.kb import templates
from tfhelp.kb.compiled import Knowledge

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledEntry
    from tfhelp.service.diagnosis.answer import Answer, BenignLine, CauseRow, Match, MatchedLine

Json = dict[str, typing.Any]

_LONGEST_LINE = 500  # characters of a pasted line that are shown
_MOST_LINES = 5  # matched lines that are shown for one entry
_OUTCOMES = ("holds", "fails", "unknown")


def answer_view(document: "Answer", text: str, knowledge: Knowledge) -> Json:
    """What the page shows of one diagnosis.

    Args:
        document: from ``Diagnoser.diagnose``.
        text: what was diagnosed; its lines are shown as they were pasted.
        knowledge: for what an entry or a cause means.
    """
    lines = text.split("\n")
    matches = [_match(match, lines, knowledge) for match in document.get("matches", [])]
    return {
        **document,
        "matches": matches,
        "benign": [_benign(item, lines, knowledge) for item in document.get("benign", [])],
        "fact_rows": fact_rows(document.get("facts") or {}),
        "stepped_back": [{**item, "value": _fact_value(item["value"])} for item in document.get("stepped_back", [])],
    }


def _match(match: "Match", lines: list[str], knowledge: Knowledge) -> Json:
    entry = _entry_or_empty(knowledge, match["entry"])
    known = {cause["id"]: cause for cause in entry.get("causes", [])}
    causes = [_cause(cause, known.get(cause["cause"], {})) for cause in match.get("causes", [])]
    return {
        **match,
        "means": match.get("means") or shown(entry.get("means", "")),
        "lines": _matched_lines([found for found in match.get("matched", []) if found["line"] > 0], lines),
        "by_facts": [found["text"] for found in match.get("matched", []) if found["line"] < 1],
        "by_likeness": not any(found.get("by") == "signature" for found in match.get("matched", [])),
        "causes": [cause for cause in causes if cause["verdict"] != "ruled-out"],
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


def _matched_lines(matched: "list[MatchedLine]", lines: list[str]) -> list[Json]:
    """The matched lines, each once, in the order of the text, as they were pasted."""
    by_number: dict[int, str] = {}
    for found in matched:
        by_number.setdefault(found["line"], found.get("text", ""))
    rows = []
    for number in list(by_number)[:_MOST_LINES]:
        rows.append({"number": number, "text": _line(lines, number) or by_number[number][:_LONGEST_LINE]})
    return sorted(rows, key=lambda row: row["number"])


def _line(lines: list[str], number: int) -> str:
    if not 1 <= number <= len(lines):
        return ""
    line = lines[number - 1].rstrip("\r").expandtabs(4)
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + " \u2026"


def _benign(item: "BenignLine", lines: list[str], knowledge: Knowledge) -> Json:
    summary = knowledge.summaries.get(item["entry"])
    title = item.get("title") or (summary["title"] if summary else item["entry"])
    return {**item, "title": title, "text": _line(lines, item["line"])}


def fact_rows(facts: Json) -> list[Json]:
    """One row a fact: path, value and where it is from."""
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
        return "; ".join(", ".join(f"{key} {templates.spoken(inner)}" for key, inner in item.items()) for item in value[:8])
    return templates.spoken(value) if value != [] else "none"


def shown(text: str) -> str:
    """A sentence or snippet of an entry outside of any diagnosis: its holes say what they say when nothing is known."""
    return templates.fill(text, lambda path: None)


def entry_view(entry: "CompiledEntry") -> Json:
    """An entry with every hole filled by its default."""
    filled: Json = _filled(entry)
    return filled


def _filled(value: typing.Any) -> typing.Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return [_filled(item) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item) for key, item in value.items()}
    return value


def families(knowledge: Knowledge, query: str) -> tuple[list[tuple[str, list[Json]]], int]:
    """Entries by family, those that hold every word of the query in their own words.

    Returns:
        ((family, entries), ...) and how many entries there are in all of them.
    """
    words = query.lower().split()
    groups: dict[str, list[Json]] = {}
    for name in knowledge.entries():
        summary = knowledge.summaries[name]
        if words and not _holds_all(words, knowledge.entry(name)):
            continue
        groups.setdefault(summary["family"], []).append({"id": name, **summary})
    return sorted(groups.items()), sum(len(group) for group in groups.values())


def _holds_all(words: list[str], entry: "CompiledEntry") -> bool:
    parts = [entry["id"], entry["family"], entry["title"], entry["means"], *entry.get("matches", {}).get("phrases", [])]
    for cause in entry["causes"]:
        parts += [cause["id"], cause["title"], cause["means"], cause["fix"]["summary"]]
    text = " ".join(parts).lower()
    return all(word in text for word in words)


def _entry_or_empty(knowledge: Knowledge, name: str) -> typing.Mapping[str, typing.Any]:
    try:
        return knowledge.entry(name)
    except KeyError:
        return {}
