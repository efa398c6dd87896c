"""Text that a terminal cut at its width, that has the numbers of its lines, or that is the source of a string."""

import json
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collectors.reading.test_launchers import OUTPUTS, facts, said
from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.lines import clean_lines
from tfhelp.collectors.reading.wrapped import rejoined

LONG = st.sampled_from([output for output in OUTPUTS if output.count("\n") >= 4 and not output.startswith("+--")])
SUMMARY = """\
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 dense (Dense)               (None, 64)                640      |
 dense_1 (Dense)             (None, 32)                2080     |
 dense_2 (Dense)             (None, 1)                 33       |
================================================================="""
BARS = "\n".join(
    f"{step:3}/128 [==============================] - ETA: {128 - step:3}s - loss: 0.{step:03}1" for step in range(1, 128)
)
LOG = "\n".join(
    f"2026-11-24 09:14:{second:02}.123456: W tensorflow/core/framework/op_kernel.cc:1830] OP {second:02}" for second in range(60)
)


def cut(text: str, width: int) -> str:
    """What a terminal of this width gives when its text is copied."""
    return "\n".join("\n".join(line[at : at + width] for at in range(0, len(line) or 1, width)) for line in text.split("\n"))


@pytest.mark.parametrize("width", [80, 100, 120])
def test_lines_that_a_terminal_cut_are_joined(width: int) -> None:
    """Rarely, a cut line looks like a new one: a few texts are not joined completely, but none gets a line that it had not."""
    whole, all_joined = 0, 0
    for output in OUTPUTS:
        lines = [line.rstrip() for line in output.split("\n")]
        pieces = cut("\n".join(lines), width).split("\n")
        if len(pieces) < len(lines) + 4:
            continue
        joined = [text for _, text in rejoined(pieces, 1)]
        whole += 1
        all_joined += joined == lines
        assert "".join(joined) == "".join(lines)
    assert whole > 50 and all_joined > 0.65 * whole


@pytest.mark.parametrize("text", [SUMMARY, BARS, LOG, SUMMARY.replace("|", " ")])
def test_lines_that_are_alike_are_not_joined(text: str) -> None:
    lines = text.split("\n")
    assert rejoined(lines, 7) == list(enumerate(lines, 7))


@given(st.lists(st.text(alphabet="ab 1.|=_", max_size=70), max_size=12), st.integers(1, 100))
def test_no_character_is_lost_and_numbers_grow(lines: list[str], first: int) -> None:
    joined = rejoined(lines, first)
    assert "".join(text for _, text in joined) == "".join(lines)
    assert [number for number, _ in joined] == sorted({number for number, _ in joined})


@pytest.mark.parametrize(
    "numbered",
    [
        lambda number, line: f"{number}:{line}",
        lambda number, line: f"{number}: {line}".rstrip(),
        lambda number, line: f"{number:6}\t{line}",
        lambda number, line: f"{number:>7} {line}",
        lambda number, line: f"{number} | {line}",
    ],
    ids=["grep", "editor", "cat", "less", "compiler"],
)
@settings(max_examples=15, deadline=None)
@given(output=LONG, first=st.integers(1, 5000))
def test_the_numbers_of_lines_are_left_out(numbered: typing.Callable[[int, str], str], output: str, first: int) -> None:
    text = read("\n".join(numbered(number, line) for number, line in enumerate(output.split("\n"), first)))
    plain = read(output)
    assert said(text) == said(plain)
    assert facts(text) == facts(plain)
    assert {record.worker for record in text.records} == {""}


def test_the_ranks_of_processes_are_no_numbers_of_lines() -> None:
    text = read("\n".join(f"{rank}: ready" for rank in range(8)))
    assert {record.worker for record in text.records} == {str(rank) for rank in range(8)}


@pytest.mark.parametrize("source", [repr, json.dumps, lambda text: repr(text.encode())], ids=["repr", "JSON", "bytes"])
@settings(max_examples=30, deadline=None)
@given(output=LONG.filter(str.isascii))
def test_the_source_of_a_string_says_what_the_string_says(source: typing.Callable[[str], str], output: str) -> None:
    assert said(read(source(output))) == said(read(output))


@pytest.mark.parametrize("line", [LOG.split("\n")[0], LOG.split("\n")[0][28:]])
def test_a_log_line_behind_markdowns_mark_of_code_keeps_its_level(line: str) -> None:
    (record,) = read(f"`{line}").records
    assert (record.kind, record.level) == ("log", "W")
    assert read("`model.fit` fails here").records[0].text.startswith("`model.fit`")


def test_the_tags_around_a_log_are_dropped_and_printed_objects_are_kept() -> None:
    pasted = (
        "<h3>Is this an error?</h3>\n<pre>2025-01-02 10:00:00.123456: I tensorflow/a.cc:44] Hi\n</pre>\n<code object f at 0x7f>"
    )
    assert [line.text for line in clean_lines(pasted)] == [
        "Is this an error?",
        "2025-01-02 10:00:00.123456: I tensorflow/a.cc:44] Hi",
        "",
        "<code object f at 0x7f>",
    ]
