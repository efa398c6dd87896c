"""Files of sections: the content comes out as it was put in, the bytes are the same every time, and damage is reported."""

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.packed_rows import Groups, Rows, packed_groups, packed_rows
from tfhelp.kb.sections import Sections, SectionsError, mapped, packed


@given(st.dictionaries(st.text(max_size=5), st.binary(max_size=90), max_size=4))
def test_sections_come_out_as_they_went_in(sections: dict[str, bytes]) -> None:
    content = packed({"format": 3, "note": "\u663e"}, sections)
    assert content == packed({"format": 3, "note": "\u663e"}, sections)
    read = Sections(content, 3)
    assert {name: bytes(read.part(name)) for name in sections} == sections
    assert all(name in read for name in sections)


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=5), max_size=8))
def test_groups_come_out_as_they_went_in(groups: list[list[int]]) -> None:
    read = Groups(Sections(packed({"format": 3}, packed_groups("groups", groups)), 3), "groups")
    assert [read[number].tolist() for number in range(len(groups))] == groups


def test_a_file_is_read_where_it_lies(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rows.bin"
    path.write_bytes(packed({"format": 3}, packed_rows("rows", [{"a": 1}, ["\u663e"], None])))
    rows = Rows(Sections(mapped(str(path)), 3), "rows")
    assert [rows.row(number) for number in range(len(rows))] == [{"a": 1}, ["\u663e"], None]
    with pytest.raises(IndexError):
        rows.row(3)


def test_a_damaged_row_is_named() -> None:
    content = packed({"format": 3}, packed_rows("rows", [{"a": 1}])).replace(b'{"a":1}', b'{"a":1]')
    with pytest.raises(ArtefactError, match="rows 0 cannot be read"):
        Rows(Sections(content, 3), "rows").row(0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged"),
        (b"[]\n", "damaged"),
        (packed({"format": 4}, {}), "another version"),
        (packed({"format": 3}, {}) + b"x", "cut"),
    ],
)
def test_a_file_of_another_format_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(SectionsError, match=reason):
        Sections(content, 3)
