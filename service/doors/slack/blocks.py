"""A diagnosis as Slack's Block Kit blocks.

All that was pasted, and all that an entry says, is escaped as Slack asks for it (``&``, ``<``, ``>``), marked
``verbatim`` so that nothing becomes a mention or a link, and kept under Slack's limits.
"""

import re
import typing

Json = dict[str, typing.Any]

_LONGEST_TEXT = 2900  # Slack takes 3000 characters in a section
_LONGEST_HEADER = 150
_MOST_BLOCKS = 48  # Slack takes 50
_MOST_REASONS = 4
_MOST_STEPS = 3
_SEVERITIES = {"fatal": "stops the run", "degraded": "runs, but badly", "benign": "harmless"}
_VERDICTS = {"confirmed": "confirmed", "likely": "likely", "possible": "possible", "ruled-out": "ruled out"}

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


def answer_blocks(document: Json) -> tuple[str, list[Json]]:
    """The answer to a slash command.

    Args:
        document: from ``Diagnoser.diagnose``.

    Returns:
        (plain text for notifications, blocks).
    """
    if document.get("abstained") or not document.get("matches"):
        return _abstention(document)
    first, *others = document["matches"]
    blocks = _match_blocks(first)
    blocks += [_section(f"*To be sure:* {escape(item['why'])}" + _command(item)) for item in document.get("ask_for", [])[:1]]
    if others:
        listed = "\n".join(f"\u2022 {escape(match['title'])} ({_percent(match)})" for match in others)
        blocks.append(_section(f"*It could also be*\n{listed}"))
    blocks += _notes(document)
    blocks.append(_footer(document, "More of the log makes the answer surer."))
    return escape(_fit(f"{first['title']} ({_percent(first)})", _LONGEST_TEXT)), blocks[:_MOST_BLOCKS]


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


def _match_blocks(match: Json) -> list[Json]:
    blocks: list[Json] = [
        {"type": "header", "text": {"type": "plain_text", "text": _cut(match["title"], _LONGEST_HEADER), "emoji": False}},
        _context(
            f"{_percent(match)} sure \u00b7 {_SEVERITIES.get(match['severity'], match['severity'])} \u00b7 `{match['entry']}`"
        ),
    ]
    matched = [found for found in match.get("matched", []) if found.get("text", "").strip()]
    if matched:
        blocks.append(_section(code_block(_cut(matched[0]["text"], 600))))
    if match.get("causes"):
        blocks += _cause_blocks(match["causes"][0], match["entry"])
        rivals = [cause for cause in match["causes"][1:4] if cause["verdict"] != "ruled-out"]
        if rivals:
            listed = "\n".join(f"\u2022 {escape(cause['title'])} ({_percent(cause)})" for cause in rivals)
            blocks.append(_section(f"*Other causes of the same error*\n{listed}"))
    return blocks


def _cause_blocks(cause: Json, entry: str) -> list[Json]:
    verdict = _VERDICTS.get(cause["verdict"], cause["verdict"])
    blocks = [_section(f"*Cause: {escape(cause['title'])}* ({verdict}, {_percent(cause)})")]
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


def _choice_code(choice: Json) -> str:
    return f"\n{code_block(choice['snippet']['code'])}" if "snippet" in choice else ""


def _abstention(document: Json) -> tuple[str, list[Json]]:
    text = "I do not know this one: nothing in it matches a known problem well enough."
    blocks = [_section(f"*I do not know this one.* {escape(text.partition(': ')[2].capitalize())}")]
    nearest = document.get("nearest", [])
    if nearest:
        listed = "\n".join(f"\u2022 {escape(item['title'])} ({_percent(item)}) `{item['entry']}`" for item in nearest[:5])
        blocks.append(_section(f"*Nearest*\n{listed}"))
    blocks += [_section(f"*What would help:* {escape(item['why'])}" + _command(item)) for item in document.get("ask_for", [])[:2]]
    blocks += _notes(document)
    blocks.append(_footer(document, "Try again with more of the log: the first error and the last twenty lines."))
    return text, blocks


def _command(item: Json) -> str:
    return f"\n{code_block(item['command'])}" if item.get("command") else ""


def _source(item: Json) -> str:
    return f" _({escape(item['source'])})_" if item.get("source") else ""


def _safety(step: Json) -> str:
    safety = step.get("safety") or {}
    if safety.get("level", "safe") == "safe" or not safety.get("note"):
        return ""
    return f"\n:warning: {escape(safety['note'])}"


def _percent(item: Json) -> str:
    return f"{round(item['confidence'] * 100)} %"


def _section(mrkdwn: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": _closed(mrkdwn), "verbatim": True}}


def _context(mrkdwn: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": _closed(mrkdwn), "verbatim": True}]}


def _footer(document: Json, advice: str) -> Json:
    return _context(f"{advice} Knowledge {escape(str(document.get('kb_version', '')))}")


def _notes(document: Json) -> list[Json]:
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
