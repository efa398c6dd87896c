"""Text to and from Slack: pasted text neither notifies nor links, and Slack's markup is turned back into what was typed."""

import re
import typing

Json = dict[str, typing.Any]

LONGEST_TEXT = 2900  # Slack accepts 3000 characters in a section
LONGEST_HEADER = 150
LONGEST_BUTTON = 75

# Slack escapes what was typed, so these brackets are its own: <@U1>, <!channel>, <https://host/a|shown>.
_MARKUP = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")


def escape(text: str) -> str:
    """Text escaped so that Slack's mrkdwn shows it literally.

    >>> escape("<!channel> & co")
    '&lt;!channel&gt; &amp; co'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """A text as it was typed; Slack sends three characters escaped."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(text: str) -> str:
    """A message as it was typed: links become their text, mentions are removed, and code block marks become line ends.

    >>> typed("<@U1> see <http://train.py|train.py>: ```x &lt; 3```").split()
    ['see', 'train.py:', 'x', '<', '3']
    """
    return unescape(_MARKUP.sub(_shown, text).replace("```", "\n"))


def _shown(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    if label:
        return label
    if target.startswith(("@", "!", "#")):
        return ""
    return target.removeprefix("mailto:").removeprefix("tel:")


def code_block(code: str, limit: int = LONGEST_TEXT) -> str:
    """Code in mrkdwn. Three backticks inside would end the block, so zero-width spaces separate them."""
    safe = re.sub("`{3,}", lambda found: "\u200b".join(found[0]), code).rstrip()
    return f"```\n{escape(fit(safe, limit - 20))}\n```"


def inline_code(text: str) -> str:
    """A short text between backticks."""
    return f"`{escape(text.replace('`', chr(0x2019)))}`"


def section(mrkdwn: str) -> Json:
    """A block of text. ``verbatim`` stops Slack from turning text that looks like links and mentions into them."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": closed(mrkdwn), "verbatim": True}}


def context(mrkdwn: str) -> Json:
    """A block of small text."""
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": closed(mrkdwn), "verbatim": True}]}


def header(text: str) -> Json:
    """A block with a title."""
    return {"type": "header", "text": plain_text(text, LONGEST_HEADER)}


def plain_text(text: str, limit: int) -> Json:
    """A text object without markup."""
    return {"type": "plain_text", "text": cut(" ".join(text.split()), limit) or "\u2026", "emoji": False}


def closed(mrkdwn: str) -> str:
    """A text cut to Slack's limit. The cut never splits an escaped character, and an open code block is closed."""
    if len(mrkdwn) <= LONGEST_TEXT:
        return mrkdwn
    kept = mrkdwn[: LONGEST_TEXT - 8]
    entity = kept.rfind("&")
    if entity > len(kept) - 6 and ";" not in kept[entity:]:
        kept = kept[:entity]
    return kept + " \u2026" + ("\n```" if kept.count("```") % 2 else "")


def fit(text: str, limit: int) -> str:
    """Text, cut so that it has at most ``limit`` characters once it is escaped."""
    if len(escape(text)) <= limit:
        return text
    while len(escape(text)) > limit - 2:
        text = text[: len(text) - max(1, (len(escape(text)) - limit + 2) // 5)]
    return text + " \u2026"


def cut(text: str, limit: int) -> str:
    """Text of at most ``limit`` characters."""
    return text if len(text) <= limit else text[: limit - 2] + " \u2026"
