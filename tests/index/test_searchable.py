"""Records that hold a literal, found in the joined text as in each one."""

from hypothesis import given
from hypothesis import strategies as st

from tfhelp.index.searchable import searchable
from tfhelp.index.signatures import scan
from tfhelp.kb.compiled import SignatureRow
from tfhelp.kb.record import Record

WORD = st.text(alphabet="aBb\u0130 ", max_size=6)


def records_of(texts: list[str]) -> list[Record]:
    return [Record("output", text, number, number) for number, text in enumerate(texts, 1)]


@given(st.lists(WORD, max_size=8), st.lists(st.text(alphabet="ab ", min_size=1, max_size=3), max_size=3))
def test_it_finds_what_a_look_at_each_record_finds(texts: list[str], literals: list[str]) -> None:
    records = records_of(texts)
    wanted = [record for record in records if not literals or any(literal in record.text.lower() for literal in literals)]
    assert list(searchable(records).holding(literals)) == wanted


def test_a_searchable_list_is_not_made_twice() -> None:
    records = searchable(records_of(["one"]))
    assert searchable(records) is records


def test_a_long_text_gets_the_same_hits_by_the_set() -> None:
    rows = [SignatureRow("x", "decisive", r"step (?P<n>\d+) failed", ["failed"], {"n": "log.x"})]
    few = records_of(["all is well", "step 12 failed"])
    many = [*few, *records_of([f"{number}" + "fine" * 1_000 for number in range(100)])]
    assert [hit.captured for hit in scan(rows, few)] == [hit.captured for hit in scan(rows, many)] == [{"log.x": "12"}]
