"""Which lines of a text the page marks as those that decided, and what it costs to find them."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from tfhelp.service.doors.web.excerpts import Lines, count_lines, excerpts_of, lines_of

TEXT = """Detected at node sequential/embedding/GatherV2 defined at (most recent call last):
  File "/home/ada/train.py", line 4, in <module>

  File "/usr/lib/python3/site-packages/keras/src/layers/core/embedding.py", line 196, in call

indices[0,0] = 37 is not in [0, 10)"""


def test_frames_inside_a_message_are_not_marked() -> None:
    _, excerpts = excerpts_of(TEXT, [1])
    assert Lines(excerpts).of_message(1, TEXT) == {1, 6}
    assert Lines(excerpts).of_message(4, TEXT) == {1, 4, 6}  # the line that the answer names is marked, whatever it is


def test_a_line_looks_as_on_a_terminal_and_counts_as_part_of_its_message() -> None:
    """Keras prints the main sentence of many errors in bold."""
    _, excerpts = excerpts_of(
        "ValueError: no\n\n\x1b[1mInput 0 of layer 'dense' does not fit\x1b[0m\r\n 1/3\r 3/3\tdone\x07\n", [1]
    )
    assert excerpts[0]["lines"] == ["ValueError: no", "", "Input 0 of layer 'dense' does not fit", " 3/3    done"]
    assert Lines(excerpts).of_message(1, "ValueError: no Input 0 of layer 'dense' does not fit") == {1, 3}


@given(text=st.text(alphabet="ab\n", max_size=400), matched=st.lists(st.integers(-2, 120), max_size=6), block=st.integers(0, 30))
def test_lines_are_found_block_by_block_as_in_the_whole_text(text: str, matched: list[int], block: int) -> None:
    lines = text.removesuffix("\n").split("\n")
    assert count_lines(text) == len(lines)
    assert lines_of(text, matched, block) == {number: lines[number - 1] for number in matched if 1 <= number <= len(lines)}


def test_a_text_of_many_short_lines_takes_little_memory() -> None:
    """The process that serves HTTP cuts excerpts, several at once, and no limit of a worker holds there."""
    text = "ab\n" * 1_000_000
    tracemalloc.start()
    try:
        count, excerpts = excerpts_of(text, [500_000])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 1_000_000
    assert [excerpt["first"] for excerpt in excerpts] == [1, 499_994, 999_989]
    assert most < 2 * len(text)
