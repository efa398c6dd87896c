"""Blocks as HTML with inline style, as Markdown, and as plain text.

The HTML has no script, no style sheet and no address, since front ends remove these (JupyterLab in notebooks that are not
trusted, Colab in saved ones). It sets no colour for text or background, so it fits light and dark themes. Everything in it is
escaped, because it shows lines of logs.
"""

from __future__ import annotations

import html
import re
import textwrap
import typing

from .blocks import Block

_WIDTH = 96
_CODE_FONT = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:0.92em"
_GREY = "rgba(127,127,127,0.16)"
_FRAME = (
    "max-width:60em;margin:0.3em 0;padding:0.4em 0.9em;border-left:4px solid rgba(230,120,20,0.85);line-height:1.45;"
    "font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;text-align:left;overflow-wrap:anywhere"
)
_STYLES = {
    "title": "font-size:1.15em;font-weight:600;margin:0.2em 0",
    "strong": "font-weight:600;margin:0.5em 0 0.2em",
    "text": "margin:0.25em 0",
    "dim": "margin:0.25em 0;opacity:0.72",
    "warning": "margin:0.25em 0;padding-left:0.5em;border-left:3px solid rgba(220,60,40,0.85)",
}
_MARKDOWN_SIGNS = re.compile(r"([\\*_{}\[\]#|~$])")
_INLINE_CODE = re.compile(r"`([^`\n]+)`")


def bundle(blocks: typing.Sequence[Block], full: bool = False) -> dict[str, str]:
    """MIME type -> the answer in that form."""
    return {
        "text/plain": as_plain(blocks, full),
        "text/markdown": as_markdown(blocks),
        "text/html": as_html(blocks, full),
    }


def printable(text: str, keep: str = "\t\n") -> str:
    """The text without control characters and without characters that change the writing direction."""
    if text.isprintable():
        return text
    return "".join(character for character in text if character.isprintable() or character in keep)


def as_html(blocks: typing.Sequence[Block], full: bool = False) -> str:
    """HTML in one element."""
    return f'<div style="{_FRAME}">{"".join(_html(block, full) for block in blocks)}</div>'


def _html(block: Block, full: bool) -> str:
    if block.kind == "code":
        style = f"margin:0.3em 0;padding:0.5em 0.7em;background:{_GREY};border-radius:4px;overflow-x:auto;white-space:pre;{_CODE_FONT}"
        return f'<pre style="{style}">{_escaped(block.text.rstrip())}</pre>'
    if block.kind == "quote":
        style = f"margin:0.25em 0;opacity:0.85;white-space:pre-wrap;{_CODE_FONT}"
        return f'<div style="{style}">{_escaped(block.text)}</div>'
    if block.kind == "steps":
        steps = ("".join(_html(part, full) for part in step) for step in block.parts)
        return f'<ol style="margin:0.2em 0;padding-left:1.6em">{"".join(f"<li>{step}</li>" for step in steps)}</ol>'
    if block.kind == "fold":
        inner = "".join(_html(part, full) for part in block.parts[0])
        opened = " open" if full else ""
        summary = f'<summary style="cursor:pointer;font-weight:600">{_escaped(block.text)}</summary>'
        return f'<details style="margin:0.4em 0"{opened}>{summary}<div style="padding-left:1em">{inner}</div></details>'
    return f'<div style="{_STYLES[block.kind]}">{_html_with_code(block.text)}</div>'


def _html_with_code(text: str) -> str:
    code = f'<code style="padding:0 0.25em;background:{_GREY};border-radius:3px;{_CODE_FONT}">'
    return _INLINE_CODE.sub(lambda found: f"{code}{found.group(1)}</code>", _escaped(text))


def _escaped(text: str) -> str:
    return html.escape(printable(text), quote=True)


def as_markdown(blocks: typing.Sequence[Block]) -> str:
    """Markdown without HTML; folds are headings."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    if block.kind == "code":
        return fenced(printable(block.text.rstrip()), block.language)
    if block.kind == "quote":
        return fenced(printable(block.text), "text")
    if block.kind == "steps":
        steps = ("\n\n".join(_markdown(part) for part in step) for step in block.parts)
        return "\n".join(f"{number}. {textwrap.indent(step, '   ').lstrip()}" for number, step in enumerate(steps, 1))
    if block.kind == "fold":
        return "\n\n".join([f"**{_plain_markdown(block.text)}**", *(_markdown(part) for part in block.parts[0])])
    text = _markdown_with_code(block.text)
    return {"title": f"### {text}", "strong": f"**{text}**", "warning": f"**Careful:** {text}"}.get(block.kind, text)


def fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(found) for found in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _markdown_with_code(text: str) -> str:
    parts = _INLINE_CODE.split(" ".join(printable(text).split()))
    return "".join(f"`{part}`" if place % 2 else _plain_markdown(part) for place, part in enumerate(parts))


def _plain_markdown(text: str) -> str:
    text = html.escape(text.replace("`", "'"), quote=False)
    text = _MARKDOWN_SIGNS.sub(r"\\\1", text)
    return re.sub(r"^([-+]|\d+[.)]) ", lambda found: f"\\{found.group(0)}", text) if text[:1] in "-+" else text


def as_plain(blocks: typing.Sequence[Block], full: bool = False) -> str:
    """Plain text, wrapped; the content of folds is left out unless ``full``."""
    lines = [line for block in blocks for line in _plain(block, "", full)]
    folds = [] if full else [block.text for block in blocks if block.kind == "fold"]
    if folds:
        lines += ["", f"%tfhelp --full shows {'why, and the other causes' if 'Why' in folds else 'what comes nearest'}."]
    return "\n".join(lines)


def _plain(block: Block, indent: str, full: bool) -> list[str]:
    if block.kind == "code":
        return ["", *(f"{indent}    {line}" for line in printable(block.text.rstrip()).split("\n")), ""]
    if block.kind == "steps":
        return [line for number, step in enumerate(block.parts, 1) for line in _plain_step(number, step, indent, full)]
    if block.kind == "fold":
        inner = [line for part in block.parts[0] for line in _plain(part, indent + "  ", full)]
        return ["", f"{indent}{printable(block.text)}:", *inner] if full else []
    first = f"{indent}! " if block.kind == "warning" else indent
    text = (
        _INLINE_CODE.sub(r"\1", printable(block.text, keep="\t")) if block.kind != "quote" else printable(block.text, keep="\t")
    )
    wrapped = textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=indent) or [indent]
    return ["", *wrapped] if block.kind == "strong" else wrapped


def _plain_step(number: int, step: tuple[typing.Any, ...], indent: str, full: bool) -> list[str]:
    lines = [line for part in step for line in _plain(part, indent + "   ", full)]
    place = next((place for place, line in enumerate(lines) if line.strip()), 0)
    lines[place] = f"{indent}{number}. {lines[place].lstrip()}"
    return lines
