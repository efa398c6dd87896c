"""A diagnosis as Slack's Block Kit blocks.

All that was pasted, and all that an entry says, is escaped as Slack asks for it (``&``, ``<``, ``>``), marked
``verbatim`` so that nothing becomes a mention or a link, and kept under Slack's limits.
"""

import re
import typing

from tfhelp.service.vocabulary import CAUSE_VERDICTS, EXPLAINED, SEVERITIES, VERDICTS, percent

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, EvidenceRow, Match, Question

Json = dict[str, typing.Any]

_LONGEST_TEXT = 2900  # Slack takes 3000 characters in a section
_LONGEST_HEADER = 150
_MOST_BLOCKS = 48  # Slack takes 50
_MOST_REASONS = 4
_MOST_STEPS = 3

USAGE = (
    "Usage: `/tfhelp` and then the error, for example\n"
    "`/tfhelp ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] on GPU:0`\n"
    "The last lines of a traceback are enough. Nobody else sees the answer."
)


def escape(text: str) -> str:
    """Text as Slack's mrkdwn shows it literally.

    >>> escape("<!channel> & co")
    '&lt;!channel&gt; &amp; co'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """A slash command's text as it was typed; Slack sends the three characters escaped."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def answer_blocks(document: "Answer") -> tuple[str, list[Json]]:
    """The answer to a slash command.

    Args:
        document: from ``Diagnoser.diagnose``.

    Returns:
        (plain text for notifications, blocks).
    """
    of_verdict = {"unknown": _abstention, "explained": _explained, "nothing-failed": _nothing_failed, "undecided": _choices}
    if document["verdict"] in of_verdict:
        return of_verdict[document["verdict"]](document)
    first, *others = document["matches"]
    blocks = _match_blocks(first)
    blocks += [_section(f"*To be sure:* {escape(item['why'])}" + _command(item)) for item in document.get("ask_for", [])[:1]]
    if others:
        listed = "\n".join(f"\u2022 {escape(match['title'])} ({percent(match['confidence'])})" for match in others)
        blocks.append(_section(f"*It could also be*\n{listed}"))
    blocks += _notes(document)
    blocks.append(_footer(document, "More of the log makes the answer surer."))
    return escape(_fit(f"{first['title']} ({percent(first['confidence'])})", _LONGEST_TEXT)), blocks[:_MOST_BLOCKS]


def usage_blocks() -> tuple[str, list[Json]]:
    """What an empty command is answered."""
    return "Usage: /tfhelp <error>".replace("<", "&lt;").replace(">", "&gt;"), [_section(USAGE)]


def problem_blocks(problem: str) -> tuple[str, list[Json]]:
    """What a command is answered that cannot be diagnosed."""
    return escape(problem), [_section(escape(_fit(problem, _LONGEST_TEXT)))]


def code_block(code: str) -> str:
    """Code in mrkdwn. Three backticks inside would end the block, so a zero-width space parts them."""
    safe = re.sub("`{3,}", lambda found: "\u200b".join(found[0]), code).rstrip()
    return f"```\n{escape(_fit(safe, _LONGEST_TEXT - 20))}\n```"


def _match_blocks(match: "Match") -> list[Json]:
    blocks: list[Json] = [
        {"type": "header", "text": {"type": "plain_text", "text": _cut(match["title"], _LONGEST_HEADER), "emoji": False}},
        _context(f"{percent(match['confidence'])} sure \u00b7 {SEVERITIES[match['severity']]} \u00b7 `{match['entry']}`"),
    ]
    matched = [found for found in match.get("matched", []) if found.get("text", "").strip()]
    if matched:
        blocks.append(_section(code_block(_cut(matched[0]["text"], 600))))
    if "raised_in" in match:
        blocks.append(_context(escape(match["raised_in"])))
    if "op_says" in match:
        blocks.append(_context(escape(_fit(" ".join(match["op_says"]), _LONGEST_TEXT // 2))))
    if match.get("causes"):
        blocks += _cause_blocks(match["causes"][0], match["entry"])
        rivals = [cause for cause in match["causes"][1:4] if cause["verdict"] != "ruled-out"]
        if rivals:
            listed = "\n".join(f"\u2022 {escape(cause['title'])} ({percent(cause['confidence'])})" for cause in rivals)
            blocks.append(_section(f"*Other causes of the same error*\n{listed}"))
    return blocks


def _cause_blocks(cause: "CauseRow", entry: str) -> list[Json]:
    verdict = CAUSE_VERDICTS[cause["verdict"]]
    blocks = [_section(f"*Cause: {escape(cause['title'])}* ({verdict}, {percent(cause['confidence'])})")]
    holding = [item for item in cause.get("evidence", []) if item.get("outcome") == "holds"]
    if holding:
        reasons = "\n".join(
            f"\u2022 {escape(item.get('because') or item['check'])}{_source(item)}" for item in holding[:_MOST_REASONS]
        )
        blocks.append(_section(f"*Why*\n{reasons}"))
    fix = cause["fix"]
    blocks.append(_section(f"*Fix:* {escape(fix['summary'])}"))
    for number, step in enumerate(fix.get("steps", [])[:_MOST_STEPS], start=1):
        blocks.append(_section(f"{number}. {escape(step['say'])}{_safety(step)}"))
        if step.get("snippet"):
            blocks.append(_section(code_block(step["snippet"]["code"])))
        choices = "\n".join(
            f"\u2022 *{escape(item['when'])}:* {escape(item['say'])}{_choice_code(item)}" for item in step.get("one_of", ())
        )
        if choices:
            blocks.append(_section(choices))
    left = len(fix.get("steps", [])) - _MOST_STEPS
    if left > 0:
        blocks.append(_context(f"{left} more {'step' if left == 1 else 'steps'}: `tfhelp explain {entry}`"))
    if fix.get("verify"):
        blocks.append(_section(f"*Then:* {escape(fix['verify'])}"))
    return blocks


def _choice_code(choice: "Action") -> str:
    return f"\n{code_block(choice['snippet']['code'])}" if "snippet" in choice else ""


def _nothing_failed(document: "Answer") -> tuple[str, list[Json]]:
    text = f"{VERDICTS['nothing-failed']}."
    blocks = [_section(f"*{text}*")]
    for match in document["matches"]:
        blocks.append(_section(f"*{escape(match['title'])}* (harmless)\n{escape(match['causes'][0]['means'])}"))
    blocks.append(_footer(document, "If something is wrong all the same, say what you expected and what happened instead."))
    return text, blocks


def _choices(document: "Answer") -> tuple[str, list[Json]]:
    text = f"{VERDICTS['undecided']} {len(document['matches'])} problems."
    blocks = [_section(f"*{text}* See which of these signs you have:")]
    for match in document["matches"]:
        sign = match["told_by"]
        command = f"\n{code_block(sign['command'])}" if "command" in sign else ""
        blocks.append(_section(f"*{escape(match['title'])}* `{match['entry']}`\n{escape(sign['sign'])}{command}"))
    blocks.append(_footer(document, "Send the error message or the last lines of the output to get one answer."))
    return text, blocks


def _abstention(document: "Answer") -> tuple[str, list[Json]]:
    reason = "Nothing in it matches a known problem well enough."
    text = f"{VERDICTS['unknown']}: {reason[0].lower()}{reason[1:]}"
    blocks = [_section(f"*{VERDICTS['unknown']}.* {reason}")]
    blocks += _nearest(document)
    blocks += [_section(f"*What would help:* {escape(item['why'])}" + _command(item)) for item in document.get("ask_for", [])[:2]]
    blocks += _notes(document)
    blocks.append(_footer(document, "Try again with more of the log: the first error and the last twenty lines."))
    return text, blocks


def _explained(document: "Answer") -> tuple[str, list[Json]]:
    says = document["explained"]["says"]
    blocks = [
        _section(f"*{EXPLAINED}*\n{escape(_fit(' '.join(says), _LONGEST_TEXT // 2))}"),
        *_nearest(document),
        *_notes(document),
    ]
    blocks.append(_footer(document, "More of the log makes the answer surer."))
    return escape(_fit(f"{EXPLAINED} {says[0]}", _LONGEST_TEXT)), blocks


def _nearest(document: "Answer") -> list[Json]:
    nearest = document.get("nearest", [])
    listed = "\n".join(
        f"\u2022 {escape(item['title'])} ({percent(item['confidence'])}) `{item['entry']}`" for item in nearest[:5]
    )
    return [_section(f"*Nearest*\n{listed}")] if nearest else []


def _command(item: "Question") -> str:
    return f"\n{code_block(item['command'])}" if item.get("command") else ""


def _source(item: "EvidenceRow") -> str:
    return f" _({escape(item['source'])})_" if item.get("source") else ""


def _safety(step: "Action") -> str:
    safety = step.get("safety") or {}
    if safety.get("level", "safe") == "safe" or not safety.get("note"):
        return ""
    return f"\n:warning: {escape(safety['note'])}"


def _section(mrkdwn: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": _closed(mrkdwn), "verbatim": True}}


def _context(mrkdwn: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": _closed(mrkdwn), "verbatim": True}]}


def _footer(document: "Answer", advice: str) -> Json:
    return _context(f"{advice} Knowledge {escape(str(document.get('kb_version', '')))}")


def _notes(document: "Answer") -> list[Json]:
    notes = document.get("notes", [])
    return [_context(escape(" ".join(notes)))] if notes else []


def _closed(mrkdwn: str) -> str:
    """A text under Slack's limit, cut between characters of the escaped text, with an open code block closed."""
    if len(mrkdwn) <= _LONGEST_TEXT:
        return mrkdwn
    kept = mrkdwn[: _LONGEST_TEXT - 8]
    entity = kept.rfind("&")
    if entity > len(kept) - 6 and ";" not in kept[entity:]:
        kept = kept[:entity]
    return kept + " \u2026" + ("\n```" if kept.count("```") % 2 else "")


def _fit(text: str, limit: int) -> str:
    """Text cut so that it has at most ``limit`` characters once it is escaped."""
    if len(escape(text)) <= limit:
        return text
    while len(escape(text)) > limit - 2:
        text = text[: len(text) - max(1, (len(escape(text)) - limit + 2) // 5)]
    return text + " \u2026"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 2] + " \u2026"
