"""The cells that were run, as one program; if a cell was changed and run again, only its last version."""

from __future__ import annotations

import difflib
import json
import typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

_LARGEST = 400_000  # characters of all cells together
_ALIKE = 0.6
_OWN = ("%tfhelp", "%load_ext", "%reload_ext", "%unload_ext")


class Cells:
    """Number -> source of this session's cells."""

    def __init__(self) -> None:
        self._sources: dict[int, str] = {}
        self._identifiers: dict[str, int] = {}

    def add(self, number: int, source: str, identifier: str | None = None) -> None:
        """Add a cell that runs.

        Args:
            number: the number in its ``In[...]``.
            identifier: the same for each version of a cell, if the front end provides it.
        """
        replaced = self._identifiers.get(identifier) if identifier else self._alike(source)
        if replaced is not None:
            self._sources.pop(replaced, None)
        if identifier:
            self._identifiers[identifier] = number
        self._sources[number] = source
        while len(self._sources) > 1 and sum(map(len, self._sources.values())) > _LARGEST:
            self._sources.pop(min(self._sources))

    def _alike(self, source: str) -> int | None:
        """The last cell, if this one is a changed version of it."""
        last = max(self._sources, default=None)
        if last is None or len(source) > 20_000 or len(self._sources[last]) > 20_000:
            return None
        matcher = difflib.SequenceMatcher(None, self._sources[last], source, autojunk=False)
        alike = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE
        return last if alike else None

    def as_notebook(self) -> str:
        """The JSON of a notebook whose n-th code cell is ``In[n]``; empty without code."""
        return notebook_of(self._sources)

    def sources(self) -> dict[int, str]:
        """Number -> source."""
        return dict(self._sources)


def notebook_of(sources: dict[int, str]) -> str:
    """The JSON of a notebook with these cells; empty if none of them is code."""
    code = {number: source for number, source in sources.items() if number > 0 and not source.lstrip().startswith(_OWN)}
    if not any(source.strip() for source in code.values()):
        return ""
    cells = [_cell(code.get(number, "")) for number in range(1, max(code) + 1)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells})


def _cell(source: str) -> Json:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
