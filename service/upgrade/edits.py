"""Edit a source text at places in its syntax tree: everything else stays as it was typed."""

import ast
import bisect
import io
import tokenize
import typing


class Edit(typing.NamedTuple):
    """The replacement for ``source[start:end]``; an insertion if both are equal. Offsets are in characters."""

    start: int
    end: int
    text: str


class Source:
    """A source text that converts places in its tree to offsets.

    Attributes:
        text: as Python reads it, with line feeds as line ends.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._signs: list[tuple[int, str]] | None = None

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; lines from 1, columns in UTF-8 bytes as in ``ast``."""
        text = self._lines[line - 1]
        inside = column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + inside

    def start(self, node: typing.Any) -> int:
        """Where a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: typing.Any) -> int:
        """Where a node ends."""
        return self.offset(node.end_lineno, node.end_col_offset)

    def of(self, node: typing.Any) -> str:
        """The source text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def indent(self, node: typing.Any) -> str:
        """White space before the line on which a node begins."""
        line = self._lines[node.lineno - 1]
        return str(line[: len(line) - len(line.lstrip())])

    def is_alone(self, statement: ast.stmt) -> bool:
        """Return whether a statement is alone on its lines (a comment after it is allowed)."""
        before = self.text[self._starts[statement.lineno - 1] : self.start(statement)]
        after = (
            self._lines[(statement.end_lineno or statement.lineno) - 1].encode()[statement.end_col_offset or 0 :].decode().strip()
        )
        return not before.strip() and (not after or after.startswith("#"))

    def line_end(self, node: typing.Any) -> int:
        """Where the last line of a node ends, before its line feed."""
        return int(self._starts[node.end_lineno]) - 1

    def line_start(self, node: typing.Any) -> int:
        """Where the first line of a node begins."""
        return int(self._starts[node.lineno - 1])

    # ---------------------------------------------------------------- items of a list

    def without(self, start: int, end: int) -> Edit | None:
        """Remove one item, with its comma, from a call's arguments or an import's names.

        Args:
            start, end: of the item, which may have its own parentheses.

        Returns:
            The edit; None if the tokens around it are not those of a list.
        """
        before, after = self._around(start, end)
        while before is not None and after is not None and (before[1], after[1]) == ("(", ")") and self._is_own(before[0], start):
            start, end = before[0], after[0] + 1
            before, after = self._around(start, end)
        if before is None or after is None:
            return None
        if before[1] == ",":
            return Edit(before[0], end, "")
        if after[1] == ",":
            following = after[0] + 1
            while self.text[following : following + 1] in (" ", "\t", "\n"):
                following += 1
            return Edit(start, following, "")
        return Edit(start, end, "")

    def _is_own(self, bracket: int, start: int) -> bool:
        """Return whether an opening parenthesis only groups: there is nothing callable before it."""
        head = self.text[:bracket].rstrip()
        return bool(head) and head[-1] in "(,=" and bracket < start

    def _around(self, start: int, end: int) -> tuple[tuple[int, str] | None, tuple[int, str] | None]:
        signs = self._all_signs()
        places = [place for place, _ in signs]
        left, right = bisect.bisect_left(places, start) - 1, bisect.bisect_left(places, end)
        return (signs[left] if left >= 0 else None), (signs[right] if right < len(signs) else None)

    def _all_signs(self) -> list[tuple[int, str]]:
        """(offset, text) of every token except comments and line ends."""
        if self._signs is None:
            skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
            self._signs = [
                (self._starts[token.start[0] - 1] + token.start[1], token.string) for token in tokens if token.type not in skipped
            ]
        return self._signs


def apply(text: str, edits: typing.Iterable[Edit]) -> str:
    """The text with all edits made.

    Raises:
        ValueError: two edits overlap.
    """
    made, at = [], 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            raise ValueError("two edits overlap")
        made += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*made, text[at:]])


def overlap(edits: typing.Iterable[Edit], others: typing.Iterable[Edit]) -> bool:
    """Return whether edits overlap with others."""
    return any(one != other and one.start < other.end and other.start < one.end for one in edits for other in others)
