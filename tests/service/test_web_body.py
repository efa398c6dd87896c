"""Reading bytes and JSON from requests."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.intake.encodings import decode
from tfhelp.service.doors.http.interface import size_in_words
from tfhelp.service.doors.http.strict_json import JsonError, _first_duplicate, dump, lone_surrogate, parse, parse_bytes

plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain, inner, max_size=4),
    max_leaves=20,
)


@given(plain, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_text_is_read_in_the_encodings_that_logs_have(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, [])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_and_what_was_lost_is_said(data: bytes) -> None:
    text, notes = decode(data)
    assert "\x00" not in text
    assert lone_surrogate(text) is None
    try:
        data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
        assert notes == []
    except UnicodeDecodeError:
        assert len(notes) == 1 and "\ufffd" in text


@given(values)
def test_json_survives_the_way_there_and_back(value: object) -> None:
    assert parse_bytes(dump(value)) == value
    assert parse(json.dumps(value)) == value


@given(st.binary(max_size=60) | st.text(st.sampled_from('{}[]",:\\u0d8e1 -.Nan'), max_size=40).map(str.encode))
def test_any_bytes_are_json_or_an_error_that_says_why(data: bytes) -> None:
    try:
        value = parse_bytes(data)
    except JsonError as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert value == json.loads(data)


@pytest.mark.parametrize(("count", "words"), [(16 << 20, "16 MiB"), (3 << 19, "1.5 MiB"), (4096, "4 KiB"), (12, "12 bytes")])
def test_sizes_are_said_as_people_say_them(count: int, words: str) -> None:
    assert size_in_words(count) == words


def test_a_duplicate_key_among_many_is_found_in_linear_time() -> None:
    class Key(str):
        asked = 0

        def __eq__(self, other: object) -> bool:
            Key.asked += 1
            return str.__eq__(self, other)  # type: ignore[arg-type]

        __hash__ = str.__hash__

    names = [Key(number) for number in range(5_000)]
    assert _first_duplicate([(name, 1) for name in [*names, Key(4_999)]]) == "4999"
    assert Key.asked < 50_000
    with pytest.raises(JsonError, match="'39999' occurs twice"):
        parse("{" + ",".join(f'"{number}":1' for number in [*range(40_000), 39_999]) + "}")
