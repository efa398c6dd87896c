"""An answer's document as blocks, which ``rendering`` writes as HTML, Markdown and plain text.

The words are the same at all doors (tfhelp.service.vocabulary); a test compares them.
"""

from __future__ import annotations

import typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

VERDICTS = {
    "diagnosed": "Found",
    "likely": "Probably",
    "undecided": "Undecided between",
    "explained": "Explained",
    "nothing-failed": "Nothing failed in this text",
    "unknown": "I do not know this one",
}
CAUSE_VERDICTS = {"confirmed": "confirmed", "likely": "likely", "possible": "possible", "ruled-out": "ruled out"}
EXPLAINED = "No entry of the knowledge base fits, but the message is known."
SAFETY = {
    "safe": "safe",
    "changes-results": "changes results",
    "restarts": "restarts something",
    "deletes": "deletes something",
    "needs-root": "needs administrator rights",
}
_MARKS = {"holds": "+", "fails": "-", "unknown": "?"}
_RIVAL = 0.05  # confidence below which another cause is left out of a short answer


class Block(typing.NamedTuple):
    """A piece of an answer.

    Attributes:
        kind: ``title``, ``strong``, ``text``, ``dim``, ``warning``, ``code``, ``quote`` (a line of the reader's text), ``steps``
            or ``fold``.
        text: its words; for a fold, its heading.
        parts: the steps, each a list of blocks; for a fold, one list with its content.
        language: language of the code.
    """

    kind: str
    text: str
    parts: typing.Tuple[typing.Tuple[typing.Any, ...], ...] = ()
    language: str = ""


def percent(share: float) -> str:
    """A whole percentage; never 0 or 100, since nothing here is certain."""
    return "under 1%" if share < 0.01 else f"{min(share, 0.99):.0%}"


def headline(answer: Json) -> str:
    """The answer in one line: ``Found: The input does not fit the layer.``"""
    matches = answer.get("matches") or []
    if answer["verdict"] in ("diagnosed", "likely", "undecided") and matches:
        titles = [match["title"] for match in (matches if answer["verdict"] == "undecided" else matches[:1])]
        return f"{VERDICTS[answer['verdict']]}: {'; '.join(titles)}."
    if answer["verdict"] == "explained":
        says = answer.get("explained", {}).get("says") or [EXPLAINED]
        return str(says[0])
    return f"{VERDICTS.get(answer['verdict'], answer['verdict'])}."


def blocks_of(answer: Json, full: bool = False) -> list[Block]:
    """The blocks of an answer; with ``full``, also the fix of every cause and the other entries."""
    verdict = answer["verdict"]
    if verdict in ("diagnosed", "likely"):
        found = _entries(answer, full)
    elif verdict == "undecided":
        found = _choices(answer)
    elif verdict == "explained":
        found = [Block("title", EXPLAINED), *(Block("text", says) for says in answer["explained"]["says"]), *_nearest(answer)]
    elif verdict == "nothing-failed":
        found = _nothing_failed(answer)
    else:
        found = _unknown(answer)
    return [*found, *(Block("text", str(note)) for note in answer.get("notes", []))]


def _entries(answer: Json, full: bool) -> list[Block]:
    match, others = answer["matches"][0], answer["matches"][1:]
    found = [
        Block("title", match["title"]),
        Block("dim", f"{match['entry']}; {VERDICTS[answer['verdict']].lower()}, {percent(match['confidence'])} sure"),
    ]
    found += _cause_and_fix(match["causes"][0]) if match["causes"] else []
    found += [Block("text", says) for says in match.get("op_says", [])]
    found.append(Block("fold", "Why", (tuple(_why(match, full)),)))
    rivals = [cause for cause in match["causes"][1:] if full or _is_rival(cause)]
    if rivals:
        parts = [block for cause in rivals for block in (_cause_and_fix(cause) if full else _cause(cause))]
        found.append(Block("fold", "Other causes", (tuple(parts),)))
    if others:
        parts = [block for other in others for block in _other(other, full)]
        found.append(Block("fold", "Also possible", (tuple(parts),)))
    return [*found, *_question(answer), *_harmless(answer)]


def _is_rival(cause: Json) -> bool:
    return bool(cause["verdict"] != "ruled-out" and cause["confidence"] >= _RIVAL)


def _cause(cause: Json) -> list[Block]:
    sure = f"{CAUSE_VERDICTS[cause['verdict']]}, {percent(cause['confidence'])}"
    return [Block("strong", f"{cause['title']} ({sure})"), Block("text", cause["means"])]


def _cause_and_fix(cause: Json) -> list[Block]:
    fix = cause["fix"]
    found = [*_cause(cause), Block("strong", f"Fix: {fix['summary']}")]
    found.append(Block("steps", "", tuple(tuple(_step(step)) for step in fix["steps"])))
    found.append(Block("text", f"It worked if: {fix['verify']}"))
    if "undo" in fix:
        found.append(Block("text", f"To undo: {fix['undo']}"))
    return [*found, Block("dim", f"Not the right fix if: {fix['wrong_when']}")]


def _step(step: Json) -> list[Block]:
    found = [Block("text", step["say"]), *_action(step)]
    for choice in step.get("one_of", ()):
        found += [Block("text", f"{choice['when']}: {choice['say']}"), *_action(choice)]
    return found


def _action(action: Json) -> list[Block]:
    found = []
    if "snippet" in action:
        found.append(Block("code", action["snippet"]["code"], language=action["snippet"]["language"]))
    if "why" in action:
        found.append(Block("dim", action["why"]))
    safety = action["safety"]
    if safety["level"] != "safe":
        found.append(Block("warning", f"{SAFETY.get(safety['level'], safety['level'])}: {safety.get('note', '')}"))
    return found


def _why(match: Json, full: bool) -> list[Block]:
    found = []
    for row in match["matched"][: None if full else 3]:
        found.append(Block("quote", f"{'line %d' % row['line'] if row['line'] else 'facts'}: {row['text'][:300]}"))
    if "raised_in" in match:
        found.append(Block("text", match["raised_in"]))
    for row in match["causes"][0]["evidence"] if match["causes"] else ():
        if row["outcome"] != "unknown" or full:
            source = f" [{row['source']}]" if row["source"] else ""
            found.append(Block("text", f"{_MARKS.get(row['outcome'], '?')} {row['because']}{source}"))
    return found


def _other(match: Json, full: bool) -> list[Block]:
    says = [Block("text", f"{match['title']} ({match['entry']}, {percent(match['confidence'])})")]
    return [*says, *_cause_and_fix(match["causes"][0])] if full and match["causes"] else says


def _choices(answer: Json) -> list[Block]:
    found = [Block("title", "The text does not say enough to name one problem. It may be one of these:")]
    for match in answer["matches"]:
        told_by = match.get("told_by", {})
        found += [Block("strong", match["title"]), Block("text", f"How to tell: {told_by.get('sign', '')}")]
        if "command" in told_by:
            found.append(Block("code", told_by["command"], language="bash"))
    return found


def _nothing_failed(answer: Json) -> list[Block]:
    found = [Block("title", f"{VERDICTS['nothing-failed']}.")]
    found += [Block("text", f"{match['title']}: {match['causes'][0]['means']}") for match in answer["matches"] if match["causes"]]
    if not answer["matches"]:
        found.append(Block("text", _no_failure(answer.get("facts", {}).get("log", {}))))
    return [*found, Block("dim", "If something still looks wrong, say what you expected: %tfhelp my loss stays at 0.69")]


def _no_failure(log: Json) -> str:
    if log.get("told_solved"):
        return "The text says that the problem is solved."
    if log.get("asks_for_feature"):
        return "The text asks for a feature or proposes a change, and reports no failure."
    return "The program ran to its end, and no line shows a failure."


def _unknown(answer: Json) -> list[Block]:
    found = [Block("title", f"{VERDICTS['unknown']}.")]
    if answer.get("condensed"):
        found.append(Block("quote", answer["condensed"][:400]))
    return [*found, *_nearest(answer)]


def _nearest(answer: Json) -> list[Block]:
    rows = answer.get("nearest") or []
    if not rows:
        return []
    says = tuple(Block("text", f"{row['title']} ({row['entry']})") for row in rows)
    return [Block("fold", "Nearest, but not sure enough to be an answer", (says,))]


def _question(answer: Json) -> list[Block]:
    if not answer.get("ask_for"):
        return []
    question = answer["ask_for"][0]
    found = [Block("strong", f"What would decide: {question['why']} ({question['fact']})")]
    return [*found, Block("code", question["command"], language="bash")] if question["command"] else found


def _harmless(answer: Json) -> list[Block]:
    shown = {match["entry"] for match in answer["matches"]}
    names = sorted({row["title"] for row in answer.get("benign", []) if row["entry"] not in shown})
    return [Block("dim", f"Harmless, nothing to do: {'; '.join(names)}")] if names else []
