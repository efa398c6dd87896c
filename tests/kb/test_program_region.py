"""The marked region of a program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.program_region import RegionError, region

SOURCE = """\
import keras

def build():
    # --- shown
    model = keras.Sequential()

    if model:
        model.summary()
    # --- end

# --- second-one
x = 1
# --- end
"""


def test_region_is_dedented_and_keeps_inner_structure() -> None:
    assert region(SOURCE) == "model = keras.Sequential()\n\nif model:\n    model.summary()"


def test_what_follows_a_region_is_not_part_of_it() -> None:
    assert region("a\n# --- shown\nb\n# --- end\nc\n") == "b"


def test_a_file_may_hold_several_regions() -> None:
    assert region(SOURCE, "second-one") == "x = 1"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\n", "no region '# --- shown'"),
        ("# --- shown\nx = 1\n", "line 1: region 'shown' has no '# --- end'"),
        ("# --- end\n", "line 1: '# --- end' closes no region"),
        ("# --- shown\n# --- other\nx = 1\n# --- end\n", "line 2: region 'other' begins before 'shown' has ended"),
        ("# --- shown\n\n   \n# --- end\n", "region 'shown' is empty"),
        ("# --- shown\na\n# --- end\n# --- shown\nb\n# --- end\n", "line 4: a second region 'shown'"),
    ],
)
def test_a_broken_region_is_named(source: str, message: str) -> None:
    with pytest.raises(RegionError) as caught:
        region(source)
    assert message in str(caught.value)


code_lines = st.lists(
    st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126), min_size=1).filter(
        lambda line: line.strip() and not line.lstrip().startswith("# ---")
    ),
    min_size=1,
)


@given(code_lines, st.integers(0, 8))
def test_what_stands_between_the_marks_comes_out_whatever_the_indentation(lines: list[str], width: int) -> None:
    lines[0] = lines[0].lstrip()
    indented = "\n".join(" " * width + line for line in ["# --- shown", *lines, "# --- end"])
    assert [line.rstrip() for line in region(indented).split("\n")] == [line.rstrip() for line in lines]
