"""Tracebacks that the library Rich draws have the same calls as Python's own."""

import io
import pathlib
import sys
import tempfile
import traceback
import typing

import pytest
from rich.console import Console
from rich.traceback import Traceback

from tfhelp.collectors.reading import read
from tfhelp.kb.text import Record

PROGRAM = '''\
def outer(values):
    """Calls the function that fails."""
    if values:
        return [inner(value) for value in values]


def inner(value):
    table = {"a": 1, "b": [value] * 3}
    return table["c | d"]


outer([1, 2])
'''


LENGTHS = (*range(60, 130), 183, 184)
"""Characters of the path. Where a box cuts it depends on its length, so the tests choose it and count on no folder's name."""


def program(folder: pathlib.Path, length: int) -> pathlib.Path:
    """The program at a path of a given length, which has spaces."""
    path = folder / ("in a folder, " * 20)[: length - len(str(folder)) - len("//x.py")].strip().ljust(8, "o") / "x.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def short_folder() -> typing.Iterator[pathlib.Path]:
    """A folder with a path that is shorter than pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def both(path: pathlib.Path, width: int, show_locals: bool, terminal: bool) -> tuple[Record, Record]:
    """The record of Rich's output and of Python's, for the same exception."""
    try:
        exec(compile(PROGRAM, str(path), "exec"), {"__name__": "__main__"})
    except KeyError:
        kind, error, where = sys.exc_info()
        assert kind and error and where
        where = where.tb_next
        drawn = io.StringIO()
        console = Console(file=drawn, width=width, force_terminal=terminal, color_system="truecolor" if terminal else None)
        console.print(Traceback.from_exception(kind, error, where, width=width, show_locals=show_locals))
        plain = "".join(traceback.format_exception(kind, error, where))
        found = [read(text).records for text in (f"Epoch 1/3\n{drawn.getvalue()}", plain)]
        return found[0][-1], found[1][-1]
    raise AssertionError("the program does not fail")


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_calls_are_the_same(short_folder: pathlib.Path, width: int) -> None:
    for length in LENGTHS:
        _are_the_same(*both(program(short_folder, length), width, show_locals=False, terminal=False))


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize(("show_locals", "terminal"), [(True, False), (False, True)])
def test_local_variables_and_colours_change_nothing(
    short_folder: pathlib.Path, width: int, show_locals: bool, terminal: bool
) -> None:
    _are_the_same(*both(program(short_folder, 120), width, show_locals, terminal))


def _are_the_same(drawn: Record, plain: Record) -> None:
    assert (
        (drawn.kind, drawn.exception, drawn.origin)
        == (plain.kind, plain.exception, plain.origin)
        == ("traceback", "KeyError", "user")
    )
    assert drawn.message == plain.message
    assert [(frame.line, frame.function) for frame in drawn.frames] == [(frame.line, frame.function) for frame in plain.frames]
    assert [frame.file.replace(" ", "") for frame in drawn.frames] == [frame.file.replace(" ", "") for frame in plain.frames]
    assert drawn.frames[-1].source.replace(" ", "") == plain.frames[-1].source.replace(" ", "")


def test_a_box_that_is_cut_keeps_what_it_has() -> None:
    text = read(
        "╭──────── Traceback (most recent call last) ────────╮\n│ /a/train.py:3 in <module>                         │\n"
        "KeyError: 'x'"
    )
    assert [(record.kind, record.exception) for record in text.records] == [("traceback", "KeyError")]
    assert text.records[0].frames[0].file == "/a/train.py"


@pytest.mark.parametrize(
    "text", ["╭── Models ──╮\n│ a.py:1 in b │\n╰────────────╯", "| a.py:1 in b | c |", "Traceback (most recent call last)"]
)
def test_other_boxes_stay(text: str) -> None:
    assert [line.text for line in read(text).lines] == text.split("\n")
