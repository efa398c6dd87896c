"""How long a tool's answer may be: its Markdown and its structured part together, in tokens of a language model."""

import json
import typing

from pydantic import BaseModel

Document = typing.TypeVar("Document", bound=BaseModel)

MOST_TOKENS = 1500
CHARACTERS_A_TOKEN = 3.5
"""For English with code; the model's own tokenizer is unknown."""


def tokens(text: str) -> int:
    """The approximate number of tokens in a text.

    >>> tokens("seven characters")
    5
    """
    return -int(-len(text) // CHARACTERS_A_TOKEN)


def packed(document: BaseModel) -> dict[str, typing.Any]:
    """The structured part as it is sent: without empty fields."""
    return document.model_dump(mode="json", exclude_none=True)


def cost(document: BaseModel, markdown: str) -> int:
    """Tokens of an answer, both parts together: some clients give both to the model."""
    return tokens(json.dumps(packed(document), ensure_ascii=False)) + tokens(markdown)


def fitted(document: Document, field: str, render: typing.Callable[[Document], str]) -> tuple[Document, str]:
    """A document with its Markdown, cut to fit the limit.

    Rows of ``field`` are cut from the end; ``<field>_left_out`` counts them. The first row stays, so both may exceed the limit.
    """
    markdown = render(document)
    while cost(document, markdown) > MOST_TOKENS and len(getattr(document, field) or []) > 1:
        setattr(document, field, getattr(document, field)[:-1])
        setattr(document, f"{field}_left_out", (getattr(document, f"{field}_left_out") or 0) + 1)
        markdown = render(document)
    return document, markdown


def cut(text: str, most: int) -> str:
    """A text on one line, without control characters, with at most ``most`` characters.

    >>> cut("a\\x1b[1m\\n b" * 3, 7)
    'a[1m b\u2026'
    """
    line = "".join(character for character in " ".join(text[: 4 * most].split()) if character.isprintable())
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 1].rstrip() + "\u2026"
