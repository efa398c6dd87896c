"""Comments that suppress a line (``# noqa``, ``# noqa: TFH101, TFH5``, ``# tfhelp: ignore``) or a file (``# tfhelp:
ignore-file``).
"""

import io
import re
import tokenize
import typing

from tfhelp.service.lint.rules import PREFIX

_NOQA = re.compile(r"#\s*noqa(?:\s*:\s*(?P<codes>[a-z]+[0-9]+(?:[,\s]+[a-z]+[0-9]+)*))?", re.IGNORECASE)
_OWN = re.compile(r"#\s*tfhelp:\s*ignore(?P<file>-file)?")
_EVERYTHING: frozenset[str] = frozenset(("",))


class Suppressed:
    """What a file's comments suppress."""

    __slots__ = ("_lines", "whole_file")

    def __init__(self, source: str) -> None:
        """Args: source: valid Python. If its comments cannot be read, nothing is suppressed."""
        self._lines: dict[int, frozenset[str]] = {}
        self.whole_file = False
        lower = source.lower()
        if "noqa" in lower or "tfhelp:" in lower:
            for line, comment in _comments(source):
                self._read(line, comment)

    def _read(self, line: int, comment: str) -> None:
        own, noqa = _OWN.search(comment), _NOQA.search(comment)
        if own:
            self.whole_file = self.whole_file or bool(own["file"])
            self._lines[line] = _EVERYTHING
        elif noqa:
            codes = re.split(r"[,\s]+", noqa["codes"].upper()) if noqa["codes"] else [""]
            self._lines[line] = frozenset(code for code in codes if not code or code.startswith(PREFIX))

    def leaves_out(self, code: str, lines: typing.Iterable[int]) -> bool:
        """Return whether a rule is suppressed on one of a finding's lines."""
        return self.whole_file or any(code.startswith(prefix) for line in lines for prefix in self._lines.get(line, ()))


def _comments(source: str) -> typing.Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return
