"""A diagnosis as Slack's Block Kit blocks: first the verdict, cause, fix and first snippet, then the reasons, then the buttons.

All pasted text, and all text of an entry, is escaped as Slack requires (``&``, ``<``, ``>``), marked ``verbatim`` so that
nothing becomes a mention or a link, and kept under Slack's limits.
"""

import time
import typing

from tfhelp.service.doors.formats.words import your_line
from tfhelp.service.doors.slack.mrkdwn import (
    LONGEST_TEXT,
    code_block,
    context,
    cut,
    escape,
    fit,
    header,
    inline_code,
    section,
)
from tfhelp.service.vocabulary import CAUSE_VERDICTS, EXPLAINED, SEVERITIES, VERDICTS, percent

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, EvidenceRow, Match, Question
    from tfhelp.service.memory.memory import Seen

Json = dict[str, typing.Any]

MOST_BLOCKS = 48  # Slack accepts 50
_MOST_REASONS = 4
_MOST_STEPS = 3
_LEAST_SHOWN = 0.05  # a less probable rival is not shown

USAGE = (
    "Usage: `/tfhelp` and then the error, for example\n"
    "`/tfhelp ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] on GPU:0`\n"
    "`/tfhelp` alone opens a form for a longer text and for log files. In the menu of a message, *Explain this error* "
    "reads the message and its files. A mention of me reads its thread. Nobody else sees the answer to a command."
)


def answer_blocks(document: "Answer", buttons: bool = False, seen: "Seen | None" = None) -> tuple[str, list[Json]]:
    """An answer.

    Args:
        document: from ``Diagnoser.diagnose``.
        buttons: whether buttons for the other causes, all steps and the question follow; the blocks then leave these out.
        seen: how often the failure was seen before.

    Returns:
        (plain text for notifications, blocks without buttons).
    """
    of_verdict = {"unknown": _abstention, "explained": _explained, "nothing-failed": _nothing_failed, "undecided": _choices}
    if document["verdict"] in of_verdict:
        text, blocks = of_verdict[document["verdict"]](document, buttons)
        if seen is not None:
            blocks.insert(1, context(seen_words(seen)))
        return text, blocks[:MOST_BLOCKS]
    first, *others = document["matches"]
    blocks = _match_blocks(document, first, buttons, seen)
    if not buttons:
        blocks += [section(f"*To be sure:* {escape(item['question'])}" + _command(item)) for item in document["ask_for"][:1]]
        blocks += _rivals(first, others)
    blocks += _notes(document)
    blocks.append(_footer(document, "With more of the log, the answer is more certain."))
    return escape(fit(f"{first['title']} ({percent(first['confidence'])})", LONGEST_TEXT)), blocks[:MOST_BLOCKS]


def usage_blocks() -> tuple[str, list[Json]]:
    """The answer to ``/tfhelp help``."""
    return "Usage: /tfhelp <error>".replace("<", "&lt;").replace(">", "&gt;"), [section(USAGE)]


def problem_blocks(problem: str) -> tuple[str, list[Json]]:
    """The answer if nothing can be diagnosed."""
    shown = fit(problem, LONGEST_TEXT)
    return escape(shown), [section(escape(shown))]


def cause_blocks(cause: "CauseRow", *, steps: int | None = None) -> list[Json]:
    """One cause with its fix: the steps up to the first snippet, or the given number of steps."""
    shown = _until_snippet(cause) if steps is None else steps
    blocks = [
        section(
            f"*Cause: {escape(cause['title'])}* ({CAUSE_VERDICTS[cause['verdict']]}, {percent(cause['confidence'])})\n"
            f"*Fix:* {escape(cause['fix']['summary'])}"
        )
    ]
    for number, step in enumerate(cause["fix"]["steps"][:shown], start=1):
        blocks += _step_blocks(number, step)
    if cause["fix"].get("verify"):
        blocks.append(section(f"*It worked if:* {escape(cause['fix']['verify'])}"))
    return blocks


def reasons(cause: "CauseRow") -> list[Json]:
    """The evidence for a cause; nothing if no check holds."""
    holding = [item for item in cause.get("evidence", []) if item.get("outcome") == "holds"]
    listed = "\n".join(
        f"\u2022 {escape(item.get('because') or item['check'])}{_source(item)}" for item in holding[:_MOST_REASONS]
    )
    return [section(f"*Why*\n{listed}")] if holding else []


def rivals_of(match: "Match") -> "list[CauseRow]":
    """The other causes of the same error that are worth a look."""
    return [cause for cause in match["causes"][1:] if cause["verdict"] != "ruled-out" and cause["confidence"] >= _LEAST_SHOWN]


def steps_shown(cause: "CauseRow") -> int:
    """How many steps of the fix an answer with buttons shows."""
    return _until_snippet(cause)


def seen_words(seen: "Seen", match: "Match | None" = None) -> str:
    """How often a failure was seen, in words, and what helped; ``match`` is its entry, if it has one."""
    times = "once" if seen.times == 1 else f"{seen.times} times"
    words = f"Seen {times} since {_day(seen.first)}"
    if seen.helped or seen.words:
        titles = {f"{match['entry']}/{cause['cause']}": escape(cause["title"]) for cause in match["causes"]} if match else {}
        words += "; what helped last"
        words += f": {titles.get(seen.helped) or inline_code(cut(seen.helped, 120))}" if seen.helped else ""
        words += f", says {escape(cut(seen.by, 60))}" if seen.by else ""
        words += f": {escape(cut(' '.join(seen.words.split()), 300))}" if seen.words else ""
    return words


def _day(at: float) -> str:
    day = time.gmtime(at)
    return f"{day.tm_mday} {time.strftime('%B %Y', day)}"


def _match_blocks(document: "Answer", match: "Match", buttons: bool, seen: "Seen | None") -> list[Json]:
    blocks: list[Json] = [
        header(match["title"]),
        context(
            f"{VERDICTS[document['verdict']]} \u00b7 {percent(match['confidence'])} sure \u00b7 {SEVERITIES[match['severity']]} "
            f"\u00b7 {inline_code(match['entry'])}"
        ),
    ]
    if seen is not None:
        blocks.append(context(seen_words(seen, match)))
    if match["causes"]:
        cause = match["causes"][0]
        steps = _until_snippet(cause) if buttons else _MOST_STEPS
        blocks += cause_blocks(cause, steps=steps)
        left = len(cause["fix"]["steps"]) - steps
        if left > 0 and not buttons:
            blocks.append(context(f"{left} more {'step' if left == 1 else 'steps'}: `tfhelp explain {escape(match['entry'])}`"))
        blocks += reasons(cause)
    matched = [found for found in match.get("matched", []) if found.get("text", "").strip()]
    if matched:
        blocks.append(section(code_block(cut(matched[0]["text"], 600))))
    if "your_line" in document:
        blocks.append(context(f"Your line: {inline_code(cut(your_line(document['your_line']), 300))}"))
    if "raised_in" in match:
        blocks.append(context(escape(match["raised_in"])))
    if "op_says" in match:
        blocks.append(context(escape(fit(" ".join(match["op_says"]), LONGEST_TEXT // 2))))
    return blocks


def _until_snippet(cause: "CauseRow") -> int:
    steps = cause["fix"]["steps"][:_MOST_STEPS]
    return next((number for number, step in enumerate(steps, start=1) if "snippet" in step or "one_of" in step), len(steps))


def _step_blocks(number: int, step: "Action") -> list[Json]:
    blocks = [section(f"{number}. {escape(step['say'])}{_safety(step)}")]
    if step.get("snippet"):
        blocks.append(section(code_block(step["snippet"]["code"])))
    one_of: list[Action] = step.get("one_of", [])  # type: ignore[assignment]
    for choice in one_of:
        code = f"\n{code_block(choice['snippet']['code'], LONGEST_TEXT // 2)}" if "snippet" in choice else ""
        blocks.append(section(f"\u2022 *{escape(choice.get('when', ''))}:* {escape(fit(choice['say'], 1000))}{code}"))
    return blocks


def _rivals(first: "Match", others: "list[Match]") -> list[Json]:
    blocks = []
    causes = rivals_of(first)[:3]
    if causes:
        listed = "\n".join(f"\u2022 {escape(cause['title'])} ({percent(cause['confidence'])})" for cause in causes)
        blocks.append(section(f"*Other causes of the same error*\n{listed}"))
    others = [match for match in others if match["confidence"] >= _LEAST_SHOWN]
    if others:
        listed = "\n".join(f"\u2022 {escape(match['title'])} ({percent(match['confidence'])})" for match in others)
        blocks.append(section(f"*It could also be*\n{listed}"))
    return blocks


def _nothing_failed(document: "Answer", buttons: bool) -> tuple[str, list[Json]]:
    text = f"{VERDICTS['nothing-failed']}."
    blocks = [section(f"*{text}*")]
    for match in document["matches"]:
        blocks.append(section(f"*{escape(match['title'])}* (harmless)\n{escape(match['causes'][0]['means'])}"))
    blocks += _notes(document)
    blocks.append(_footer(document, "If something still looks wrong, say what you expected and what happened instead."))
    return text, blocks


def _choices(document: "Answer", buttons: bool) -> tuple[str, list[Json]]:
    text = f"{VERDICTS['undecided']} {len(document['matches'])} problems."
    blocks = [section(f"*{text}* See which of these signs you have:")]
    for match in document["matches"]:
        sign = match["told_by"]
        command = f"\n{code_block(sign['command'], LONGEST_TEXT // 2)}" if "command" in sign else ""
        blocks.append(section(f"*{escape(match['title'])}* {inline_code(match['entry'])}\n{escape(sign['sign'])}{command}"))
    blocks += _notes(document)
    blocks.append(_footer(document, "Send the error message or the last lines of the output to get one answer."))
    return text, blocks


def _abstention(document: "Answer", buttons: bool) -> tuple[str, list[Json]]:
    reason = "Nothing in it matches a known problem well enough."
    text = f"{VERDICTS['unknown']}: {reason[0].lower()}{reason[1:]}"
    blocks = [section(f"*{VERDICTS['unknown']}.* {reason}")]
    blocks += _nearest(document)
    asked = document["ask_for"][1:2] if buttons else document["ask_for"][:2]  # the first one gets buttons
    blocks += [section(f"*What would help:* {escape(item['question'])}" + _command(item)) for item in asked]
    blocks += _notes(document)
    blocks.append(_footer(document, "Try again with more of the log: the first error and the last twenty lines."))
    return text, blocks


def _explained(document: "Answer", buttons: bool) -> tuple[str, list[Json]]:
    says = document["explained"]["says"]
    blocks = [
        section(f"*{EXPLAINED}*\n{escape(fit(' '.join(says), LONGEST_TEXT // 2))}"),
        *_nearest(document),
        *_notes(document),
    ]
    blocks.append(_footer(document, "With more of the log, the answer is more certain."))
    return escape(fit(f"{EXPLAINED} {says[0]}", LONGEST_TEXT)), blocks


def _nearest(document: "Answer") -> list[Json]:
    nearest = [item for item in document.get("nearest", []) if item["confidence"] >= _LEAST_SHOWN]
    listed = "\n".join(
        f"\u2022 {escape(item['title'])} ({percent(item['confidence'])}) {inline_code(item['entry'])}" for item in nearest[:5]
    )
    return [section(f"*Nearest*\n{listed}")] if nearest else []


def _command(item: "Question") -> str:
    return f"\n{code_block(item['command'])}" if item.get("command") else ""


def _source(item: "EvidenceRow") -> str:
    return f" _({escape(item['source'])})_" if item.get("source") else ""


def _safety(step: "Action") -> str:
    safety: Json = dict(step.get("safety") or {})
    if safety.get("level", "safe") == "safe" or not safety.get("note"):
        return ""
    return f"\n:warning: {escape(safety['note'])}"


def _footer(document: "Answer", advice: str) -> Json:
    return context(f"{advice} Knowledge {escape(str(document.get('kb_version', '')))}")


def _notes(document: "Answer") -> list[Json]:
    notes = document.get("notes", [])
    return [context(escape(fit(" ".join(notes), LONGEST_TEXT)))] if notes else []
