"""The page of a rule as Markdown: for a hover, and as a file that an editor opens from a problem's code."""

import os
import pathlib
import sys
import typing

from tfhelp.service.lint.formats.document import rule_document
from tfhelp.service.lint.rules import Rule
from tfhelp.service.version import VERSION


def rule_markdown(rule: Rule, entries: typing.Mapping[str, str]) -> str:
    """Why a rule matters, what to write instead, and an example of both.

    Args:
        rule: the rule.
        entries: fact -> entry (``tfhelp.service.lint.linting.entries_by_fact``).
    """
    document = rule_document(rule, entries)
    parts = [f"### {rule.code}: {rule.title}"]
    if "why" in document:
        parts += [document["why"], f"**Instead:** {document['instead']}"]
        parts += [f"Found:\n```python\n{document['found'].strip()}\n```", f"Clean:\n```python\n{document['clean'].strip()}\n```"]
    parts.append(f"`# noqa: {rule.code}` at the end of a line leaves it out there.")
    parts += [f"`tfhelp explain {document['entry']}` shows the entry."] if document["entry"] else []
    return "\n\n".join(parts) + "\n"


def page_file(rule: Rule, entries: typing.Mapping[str, str]) -> str | None:
    """The page as a file in the user's cache, as a URI; ``None`` if it cannot be written."""
    path = _folder() / f"{rule.code}.md"
    content = rule_markdown(rule, entries)
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return path.resolve().as_uri()
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder
        return None


def _folder() -> pathlib.Path:
    if os.environ.get("XDG_CACHE_HOME"):
        base = pathlib.Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "win32":
        base = pathlib.Path(os.environ.get("LOCALAPPDATA", "~")).expanduser()
    else:
        base = pathlib.Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser()
    return base / "tfhelp" / f"rules-{VERSION}"
