"""Pasted text as Markdown that shows the text and does nothing else.

Sources: CommonMark 0.31 (backslash escapes, code spans, fences) and GitHub Flavored Markdown (strikethrough, mentions,
``$`` for mathematics). ``&``, ``<`` and ``>`` become entities, as Slack requires too: ``<!channel>`` notifies nobody.
"""

import re

_APART = "\u200b"
"""A zero-width space: it separates ``@`` from a name, so that there is no mention. A backslash cannot do that."""

_PUNCTUATION = re.compile(r"[\\`*\[~|$]|(?<![^\W_])_|_(?![^\W_])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_NAME_BEHIND = re.compile(r"@(?=\w)|#(?=\d)|\bGH-(?=\d)", re.IGNORECASE)
_BLOCK = re.compile(r"([#+=-]|\d{1,9}(?=[.)]))")
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_TICKS = re.compile("`+")
_SLACKS = re.compile(r"<(?=[!@#])")


def printable(text: str) -> str:
    """The text on one line, without control characters and without characters that change the writing direction."""
    joined = " ".join(text.split())
    return joined if joined.isprintable() else " ".join("".join(filter(str.isprintable, joined)).split())


def literal(text: str) -> str:
    """Text that is shown unchanged: no markup, no mention, no reference.

    >>> literal("*a* [b](c) from_logits _x_ <!channel>")
    '\\\\*a\\\\* \\\\[b](c) from_logits \\\\_x\\\\_ &lt;!channel&gt;'
    """
    return _at_start(_plain(printable(text)))


def prose(text: str) -> str:
    """A sentence in which `code` between backticks is code; everything else is shown unchanged.

    >>> prose("Set `from_logits=True` in *one* place")
    'Set `from_logits=True` in \\\\*one\\\\* place'
    """
    parts = _SPAN.split(printable(text))
    return _at_start("".join(_span(part) if place % 2 else _plain(part) for place, part in enumerate(parts)))


def code(text: str) -> str:
    """Pasted text on one line as a code span, with more backticks around it than it has inside."""
    shown = _apart_for_slack(printable(text))
    if not shown:
        return ""
    ticks = _longer_than(shown, 1)
    padding = " " if len(ticks) > 1 or shown.startswith(" ") else ""
    return f"{ticks}{padding}{shown}{padding}{ticks}"


def fence(lines: str, language: str = "text", indent: str = "", pasted: bool = False) -> list[str]:
    """Lines of Markdown that show code, between fences longer than any run of backticks inside.

    Args:
        lines: the code.
        language: a plain word.
        indent: for a block inside a list.
        pasted: whether it was pasted, so that control characters are removed; a snippet stays unchanged, since it is copied.
    """
    shown = [_apart_for_slack(printable_line(line)) if pasted else line for line in lines.rstrip().split("\n")]
    ticks = _longer_than(lines, 3)
    return [f"{indent}{ticks}{language}", *(f"{indent}{line}".rstrip() for line in shown), f"{indent}{ticks}"]


def printable_line(line: str) -> str:
    """One line with its spaces, without control characters."""
    line = line.expandtabs(4)
    return line if line.isprintable() else "".join(filter(str.isprintable, line))


def _plain(text: str) -> str:
    apart = _NAME_BEHIND.sub(lambda found: found[0] + _APART, _apart_for_slack(text))
    return _PUNCTUATION.sub(r"\\\g<0>", apart).translate(_ENTITIES)


def _at_start(text: str) -> str:
    """The text, with its start escaped if it would begin a heading, a list or another block."""
    found = _BLOCK.match(text)
    if found is None:
        return text
    return (found[1] + "\\" if found[1].isdigit() else "\\" + found[1]) + text[found.end() :]


def _span(text: str) -> str:
    return f"`{_apart_for_slack(text)}`"


def _apart_for_slack(text: str) -> str:
    """Text in which Slack sees no mention. It would see one even in code, and some programs decode entities."""
    return _SLACKS.sub("<" + _APART, text)


def _longer_than(text: str, least: int) -> str:
    return "`" * max(least, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
