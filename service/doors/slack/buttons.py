"""The buttons below an answer, and the modals that they open.

A button carries the answer's token and never the answer: Slack accepts 2,000 characters, and the token leads only to the redacted
answer in the memory.
"""

import json
import typing

from tfhelp.service.diagnosis.asking import OUTPUT
from tfhelp.service.doors.slack.blocks import (
    MOST_BLOCKS,
    answer_blocks,
    cause_blocks,
    reasons,
    rivals_of,
    steps_shown,
)
from tfhelp.service.doors.slack.mrkdwn import (
    LONGEST_BUTTON,
    code_block,
    context,
    escape,
    fit,
    header,
    plain_text,
    section,
)
from tfhelp.service.doors.slack.web_api import Message, Place
from tfhelp.service.vocabulary import percent

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, CauseRow, Match, Question
    from tfhelp.service.memory.memory import Said, Seen

Json = dict[str, typing.Any]

CAUSES, STEPS, SHARE, REPLY, ASK, SAID, WORDS = "causes", "steps", "share", "reply", "ask", "said", "words"
SHOW, FORGET, PASTE, OPEN = "show", "forget", "paste", "open"
SAID_WORDS: "dict[Said, str]" = {"helped": "It helped", "did-not-help": "It did not", "something-else": "It was something else"}

_MOST_OPTIONS = 12
_MOST_VALUE = 2000
_MOST_INPUT = 3000
_NAME = 60


def answer_message(
    document: "Answer", token: str, seen: "Seen | None" = None, *, public: bool = False, shared_by: str = "", url: str = ""
) -> Message:
    """An answer with its buttons.

    Args:
        document: the answer.
        token: token of the kept answer; empty leaves the buttons out.
        seen: how often the failure was seen before.
        public: whether others see it already, so there is nothing to share.
        shared_by: id of the user who shares it with a channel; empty for a private answer.
        url: address of this server for a browser, where the kept answer has a page; empty without one.
    """
    text, blocks = answer_blocks(document, bool(token), seen)
    if shared_by:
        # Slack shows a name for the id. The id is Slack's own, so it holds no pasted text.
        blocks.insert(0, context(f"<@{shared_by}> shares a diagnosis."))
    below = _below(document, token, public or bool(shared_by), bool(shared_by), url) if token else []
    return Message(text, blocks[: MOST_BLOCKS - len(below)] + below)


def causes_message(document: "Answer") -> Message:
    """The other causes of the first entry, and the other entries, each with its fix."""
    first, *others = document["matches"]
    causes = rivals_of(first)
    blocks: list[Json] = []
    for cause in causes[:6]:
        blocks += [*cause_blocks(cause), *reasons(cause), {"type": "divider"}]
    for match in others[:2]:
        blocks.append(section(f"*It could also be: {escape(match['title'])}* ({percent(match['confidence'])})"))
        blocks += cause_blocks(match["causes"][0]) if match["causes"] else []
    return Message("Other causes", [header("Other causes"), *blocks][:MOST_BLOCKS])


def steps_message(document: "Answer") -> Message:
    """All steps of the first cause's fix, when it does not apply, how to undo it, and its sources."""
    match = document["matches"][0]
    cause = match["causes"][0]
    fix = cause["fix"]
    last = [("Undo", fix.get("undo", "")), ("This is the wrong fix when", fix["wrong_when"])]
    blocks = [header(f"All steps: {match['title']}"), *cause_blocks(cause, steps=len(fix["steps"]))][: MOST_BLOCKS - 3]
    blocks += [section(f"*{word}:* {escape(text)}") for word, text in last if text]
    sources = [str(item.get("url") or item.get("document") or "") for item in fix["sources"]]
    if any(sources):
        blocks.append(context("Sources: " + escape(fit(" \u00b7 ".join(filter(None, sources)), 2000))))
    return Message("All steps", blocks)


def noted_message(token: str, said: "Said") -> Message:
    """Thanks for feedback on an answer, with the offer to add a comment."""
    more = {
        "helped": "What did you change? The next person with this failure will read it.",
        "did-not-help": "What happened instead?",
        "something-else": "What was it?",
    }[said]
    button = _button("Say more", WORDS, {"t": token, "s": said})
    return Message("Noted. Thank you.", [section(f"Noted: *{SAID_WORDS[said]}*. {more}"), _actions([button])])


def reply_view(question: "Question", token: str, place: Place) -> Json:
    """A modal for the reply to a question that needs more than a button."""
    blocks = [section(escape(fit(question["question"], 1500)))]
    if question["command"]:
        blocks.append(section(f"You may run this and paste what it prints:\n{code_block(question['command'], 2000)}"))
    label = "What it prints" if question["type"] == OUTPUT else "Your reply"
    blocks.append(_input("reply", label, question["hint"]))
    kept = {"t": token, "f": question["fact"], "p": list(place)}
    return _modal("reply", "One fact decides", "Send", blocks, kept)


def words_view(token: str, said: "Said") -> Json:
    """A modal for a comment that a user adds to their feedback."""
    label = {"helped": "What you changed", "did-not-help": "What happened", "something-else": "What it was"}[said]
    blocks = [
        _input("words", label, "Secrets are taken out before it is kept."),
        _input("by", "Your name", "Leave it empty to stay anonymous.", multiline=False, optional=True, most=_NAME),
    ]
    return _modal("words", SAID_WORDS[said], "Keep it", blocks, {"t": token, "s": said})


def paste_view(place: Place) -> Json:
    """The modal of ``/tfhelp`` without a text."""
    files: Json = {
        "type": "input",
        "block_id": "files",
        "optional": True,
        "label": plain_text("Or attach the log", 100),
        "hint": plain_text("Logs (also .gz), scripts, notebooks, or the output of 'tfhelp collect'. 10 MB each.", 150),
        "element": {"type": "file_input", "action_id": "value", "max_files": 5},
    }
    blocks = [
        _input("text", "The error, or the end of the log", "Up to 3,000 characters; attach what is longer.", optional=True),
        files,
        _input("facts", "Script, or facts of the machine", "Output of 'tfhelp collect', pip list, nvidia-smi.", optional=True),
    ]
    return _modal("paste", "Explain an error", "Explain", blocks, {"p": list(place)})


def shown_view(message: Message) -> Json:
    """A modal that shows an answer."""
    return {
        "type": "modal",
        "callback_id": "shown",
        "title": plain_text("Answer", 24),
        "close": plain_text("Close", 24),
        "blocks": message.blocks,
    }


def home_view(recent: list[tuple[str, str]], kept: str) -> Json:
    """The App Home.

    Args:
        recent: token and one line of each of the user's answers, the newest first.
        kept: how long answers are kept, in words.
    """
    blocks: list[Json] = [
        header("tfhelp"),
        section("From a TensorFlow error to the fix that fits. No language model, and nothing leaves this server."),
        _actions([_button("Explain an error", PASTE, {}, "primary")]),
        {"type": "divider"},
        section("*Your recent answers*" if recent else "You have asked nothing yet. Your recent answers will appear here."),
    ]
    for token, line in recent[:20]:
        blocks.append(section(line))
        blocks.append(_actions([_button("Show", SHOW, {"t": token}), _button("Delete", FORGET, {"t": token}, "danger")]))
    blocks.append(context(f"Only you see this list. {kept}"))
    return {"type": "home", "blocks": blocks}


def recent_line(document: "Answer", when: str) -> str:
    """One line for an answer in the App Home."""
    if document["matches"]:
        match = document["matches"][0]
        return f"*{escape(fit(match['title'], 200))}* ({percent(match['confidence'])}) \u00b7 {when}"
    condensed = " ".join(document["condensed"].split()) or "no text"
    return f"No entry fits: {escape(fit(condensed, 200))} \u00b7 {when}"


def read_value(value: str) -> Json:
    """The value that a button or a modal carries; empty if it is not ours."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _below(document: "Answer", token: str, public: bool, shared: bool, url: str) -> list[Json]:
    blocks = _question(document["ask_for"][0], token) if document["ask_for"] and not shared else []
    row = _more(document["matches"], token) if document["verdict"] in ("diagnosed", "likely") else []
    if not public:
        row.append(_button("Share in the channel", SHARE, {"t": token}))
    if url:
        row.append(_button("Open in the browser", OPEN, {"t": token}) | {"url": f"{url}/a/{token}"})
    if row:
        blocks.append(_actions(row))
    blocks.append(_actions([_button(words, f"{SAID}:{said}", {"t": token, "s": said}) for said, words in SAID_WORDS.items()]))
    return blocks


def _more(matches: "list[Match]", token: str) -> list[Json]:
    causes: list[CauseRow] = matches[0]["causes"]
    others = len(rivals_of(matches[0])) + len(matches) - 1
    row = []
    if causes and len(causes[0]["fix"]["steps"]) > steps_shown(causes[0]):
        row.append(_button(f"All {len(causes[0]['fix']['steps'])} steps", STEPS, {"t": token}))
    elif causes:
        row.append(_button("When it is wrong", STEPS, {"t": token}))
    if others:
        row.append(_button(f"Other causes ({others})", CAUSES, {"t": token}))
    return row


def _question(question: "Question", token: str) -> list[Json]:
    """The question, and a button for each reply; a modal takes replies that are typed or pasted."""
    command = f"\n{code_block(question['command'], 1000)}" if question["command"] else ""
    asked = {"t": token, "f": question["fact"]}
    row = [
        _button(option["label"].capitalize(), f"{REPLY}:{number}", {**asked, "r": option["reply"]})
        for number, option in enumerate(question["options"][:_MOST_OPTIONS])
    ]
    if question["command"]:
        row.append(_button("Paste its output", ASK, asked))
    elif question["type"] in ("version", "text", "number"):
        row.append(_button("Write it", ASK, asked))
    shown = section(f"*To be sure:* {escape(fit(question['question'], 1500))}{command}")
    return [shown, _actions(row)] if row else [shown]


def _button(words: str, action: str, value: Json, style: str = "") -> Json:
    written = json.dumps(value, separators=(",", ":"))
    if len(written) > _MOST_VALUE:
        raise ValueError(f"a button of {len(written)} characters; Slack takes {_MOST_VALUE}")
    button: Json = {
        "type": "button",
        "text": plain_text(words, LONGEST_BUTTON),
        "action_id": f"tfhelp:{action}"[:255],
        "value": written,
    }
    return button | ({"style": style} if style else {})


def _actions(elements: list[Json]) -> Json:
    return {"type": "actions", "elements": elements}


def _input(name: str, label: str, hint: str, *, multiline: bool = True, optional: bool = False, most: int = _MOST_INPUT) -> Json:
    block: Json = {
        "type": "input",
        "block_id": name,
        "optional": optional,
        "label": plain_text(label, 100),
        "element": {"type": "plain_text_input", "action_id": "value", "multiline": multiline, "max_length": most},
    }
    return block | ({"hint": plain_text(hint, 150)} if hint else {})


def _modal(callback: str, title: str, submit: str, blocks: list[Json], kept: Json) -> Json:
    return {
        "type": "modal",
        "callback_id": callback,
        "title": plain_text(title, 24),
        "submit": plain_text(submit, 24),
        "close": plain_text("Cancel", 24),
        "private_metadata": json.dumps(kept, separators=(",", ":")),
        "blocks": blocks,
    }
