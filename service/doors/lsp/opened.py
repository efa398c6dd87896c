"""What is open in an editor: a script, or a notebook whose code cells are separate documents."""

import json
import typing

from lsprotocol.types import Position, Range
from pygls.workspace.position_codec import PositionCodec

from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.linting import Script


class Sheet(typing.NamedTuple):
    """One document of the protocol: a script, or a code cell of a notebook."""

    uri: str
    version: int | None
    text: str


class Opened(typing.NamedTuple):
    """A script or a notebook.

    Attributes:
        uri: URI of the script or of the notebook.
        path: its path, or a name for it.
        is_notebook: whether ``sheets`` are its code cells, in order; otherwise there is one sheet.
        sheets: the documents with their text.
        codec: counts characters as the client does.
    """

    uri: str
    path: str
    is_notebook: bool
    sheets: list[Sheet]
    codec: PositionCodec

    def text(self) -> str:
        """The text as the file would hold it."""
        return as_notebook([sheet.text for sheet in self.sheets]) if self.is_notebook else self.sheets[0].text

    def check(self, settings: Settings) -> Checked:
        """The problems that the rules find in it."""
        name = f"{self.path.removesuffix('.ipynb')}.ipynb" if self.is_notebook else self.path.removesuffix(".ipynb")
        return Checked(name, Script(self.text(), "utf-8"), settings)

    def sheet_of(self, problem: Problem) -> Sheet:
        """The document that holds a problem."""
        return self.sheets[problem.place.cell - 1 if self.is_notebook else 0]

    def range_of(self, problem: Problem) -> Range:
        """The range of a problem in that document."""
        lines = self.sheet_of(problem).text.split("\n")
        place = problem.place
        start = self._position(lines, place.line, place.column)
        return Range(start, self._position(lines, place.last_line, place.last_column))

    def _position(self, lines: list[str], line: int, column: int) -> Position:
        row = lines[line - 1] if line <= len(lines) else ""
        return Position(line - 1, self.codec.client_num_units(row[: column - 1]))

    def position_at(self, text: str, offset: int) -> Position:
        """The position of a character in a sheet's text."""
        start = text.rfind("\n", 0, offset) + 1
        return Position(text.count("\n", 0, offset), self.codec.client_num_units(text[start:offset]))

    def texts_of(self, text: str) -> list[str]:
        """A text like ``text()``, split into the texts of the sheets."""
        return cells_of(text) if self.is_notebook else [text]


def as_notebook(cells: typing.Sequence[str]) -> str:
    """A notebook file with these code cells.

    >>> cells_of(as_notebook(["x = 1", "y = 2"]))
    ['x = 1', 'y = 2']
    """
    rows: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in cells
    ]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def cells_of(text: str) -> list[str]:
    """The code cells of a notebook file."""
    return [cell["source"] for cell in json.loads(text)["cells"]]
