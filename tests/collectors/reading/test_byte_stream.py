"""Pieces of a stream: together they are the text that the bytes give when they are read at once."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tfhelp.collectors.reading import byte_stream
from tfhelp.collectors.reading.byte_stream import decoded, pieces

CHARACTERS = [b"\xe2\x80\x80", b"\xf0\x9f\x98\x80", b"\xc3", b"\xa4", b"\xe2", b"\x80", b"\xf0", b"\x00", b"a", b"\n"]


def streamed(content: bytes, first: int) -> str:
    file = io.BytesIO(content)
    return b"".join(pieces(file.read(first), file.read)).decode()


@given(st.lists(st.sampled_from(CHARACTERS) | st.binary(max_size=9), max_size=40).map(b"".join), st.integers(2, 9))
@example(b"\xc3\x00\xa4", 2)  # a zero byte inside a character
@example(b"\xe2\x80\x80\x80\x80" + b"a" * 9, 5)  # more continuations than a character has
@example("ö漢".encode() * 9, 3)
@example("a\0ö\n漢".encode("utf-16"), 2)
def test_pieces_are_the_text(content: bytes, first: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_stream, "PIECE", 8)
        assert streamed(content, first) == decoded(content)


def test_a_character_across_two_pieces_of_an_endless_line_stays_whole() -> None:
    for shift in range(4):
        text = "a" * shift + "ö漢" * byte_stream.PIECE
        assert streamed(text.encode(), 1000) == text
