"""The table of literals finds the same as a search for each literal, with NumPy and without."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.literal_table import LiteralTable, packed_literals
from tfhelp.kb.sections import Sections, packed

LITERALS = st.lists(st.text("ab \u00e9\u663e", min_size=2, max_size=12), min_size=1, max_size=40, unique=True)


def table_of(literals: list[str]) -> LiteralTable:
    return LiteralTable(Sections(packed({"format": 0}, packed_literals("literals", literals)), 0), "literals")


@given(LITERALS, st.text("ab \u00e9\u663e\ud800", max_size=60), st.booleans())
def test_it_finds_what_is_there(literals: list[str], text: str, with_numpy: bool) -> None:
    import numpy

    table = table_of(literals)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numpy", numpy if with_numpy else None)
        found = table.occurring(text)
        possible = table.possible(text)
    assert found == [number for number, literal in enumerate(literals) if literal in text]
    assert set(found) <= set(possible)


@given(LITERALS)
def test_a_literal_is_found_by_itself(literals: list[str]) -> None:
    names = table_of(literals).names
    assert [names.find(literal) for literal in literals] == list(range(len(literals)))
    assert names.find("abc none of them") is None


def test_few_literals_are_looked_at_however_many_there_are() -> None:
    """The number of candidates grows with the text, not with the table."""
    table = table_of([f"device {number:06} is lost" for number in range(20_000)])
    assert len(table.possible("device 000017 is lost, and that is all")) <= 16


def test_one_character_is_no_literal() -> None:
    with pytest.raises(ValueError, match="two bytes or more"):
        packed_literals("literals", ["a"])
