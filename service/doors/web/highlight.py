"""Colours for snippets, made on the server, so that a page needs no script for them."""

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_LONGEST = 20_000  # characters; a longer snippet is shown without colours
_NAMES = {"shell": "bash", "dockerfile": "docker"}


def highlighted(code: str, language: str) -> Markup:
    """Code as HTML with Pygments' short class names; plain escaped text if the language is unknown.

    Nothing is cached: a snippet may hold pasted text.
    """
    if len(code) > _LONGEST:
        return escape(code)
    try:
        lexer = get_lexer_by_name(_NAMES.get(language, language), stripnl=False)
    except ClassNotFound:
        return escape(code)
    return Markup(highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n"))
