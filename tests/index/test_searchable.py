"""Records that contain a literal: the joined text gives the same result as each record separately."""

from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

import tfhelp.index.searchable
from tfhelp.index.literals import LiteralFinder
from tfhelp.index.searchable import SearchableRecords, searchable
from tfhelp.kb.text import Record

WORD = st.text(alphabet="aBb\u0130 ", max_size=6)


def records_of(texts: list[str]) -> list[Record]:
    return [Record("output", text, number, number) for number, text in enumerate(texts, 1)]


@given(
    st.lists(WORD, max_size=8),
    st.lists(st.lists(st.text(alphabet="ab ", min_size=1, max_size=3), min_size=1, max_size=3), max_size=2),
)
def test_it_finds_what_a_look_at_each_record_finds(texts: list[str], groups: list[list[str]]) -> None:
    records = records_of(texts)
    wanted = [record for record in records if all(any(literal in record.text.lower() for literal in group) for group in groups)]
    literals = [literal for group in groups for literal in group]
    assert list(searchable(records).holding(groups)) == wanted
    assert list(SearchableRecords(records, LiteralFinder(literals)).holding(groups)) == wanted
    assert list(SearchableRecords(records, LiteralFinder(["a", "b a"])).holding(groups)) == wanted
    with mock.patch.object(tfhelp.index.searchable, "_PIECE", 4):  # characters at a time
        assert list(SearchableRecords(records, LiteralFinder(literals)).holding(groups)) == wanted


def test_a_searchable_list_is_not_made_twice() -> None:
    records = searchable(records_of(["one"]))
    assert searchable(records) is records
