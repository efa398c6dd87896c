"""Kept output: bounded, with the beginning and the end, line by line."""

from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.run.kept_output import KeptOutput


def test_what_fits_is_kept_as_it_is() -> None:
    kept = KeptOutput()
    kept.add(b"one\ntwo\r")
    kept.add(b"three")
    assert kept.content() == b"one\ntwo\rthree"
    assert kept.total == 13


def test_lines_of_two_streams_do_not_run_into_each_other() -> None:
    kept = KeptOutput()
    kept.add(b"Epoch 1", 1)
    kept.add(b"Traceback\n", 2)
    kept.add(b"/5\n", 1)
    assert kept.content() == b"Traceback\nEpoch 1/5\n"


@given(st.lists(st.tuples(st.binary(max_size=300), st.integers(1, 2)), max_size=60), st.integers(1, 100), st.integers(1, 100))
def test_head_and_tail_stay_whatever_is_written(pieces: list[tuple[bytes, int]], head: int, tail: int) -> None:
    kept = KeptOutput(head, tail)
    for piece, stream in pieces:
        kept.add(piece, stream)
    written = b"".join(piece for piece, _ in pieces)
    content = kept.content()
    assert kept.total == len(written)
    if all(stream == 1 for _, stream in pieces):
        assert content[:head] == written[:head]
        # An unfinished last line is kept in addition to the tail.
        assert written.endswith(content.rpartition(b"are left out here]\n")[2])
        assert len(content) <= len(written) + 60
    else:
        assert len(content) <= len(written) + 60


def test_gigabytes_without_a_line_end_stay_bounded() -> None:
    kept = KeptOutput(1000, 4000)
    piece = b"x" * (1 << 20)
    for _ in range(256):
        kept.add(piece)
    kept.add(b"the end")
    content = kept.content()
    assert len(content) < 6000
    assert content.startswith(b"x" * 1000)
    assert content.endswith(b"xthe end")
    assert f"{(256 << 20) - 5000} bytes are left out".encode() in content
