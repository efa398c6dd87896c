"""The lines of functions, release by release, and the releases in which the frames of a traceback are possible."""

import ast
import json
import pathlib
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.atlas.asked_releases import stands_in
from tfhelp.kb.atlas.atlas import Atlas
from tfhelp.kb.atlas.collect import ranges
from tfhelp.kb.atlas.lines import Lines, places, spans
from tfhelp.kb.text import Frame

TRACEBACKS = pathlib.Path(__file__).with_name("tracebacks.jsonl")
SOURCE = """import os


class Bag:
    def put(self, item):
        def inner():
            return 1

        return inner()

    @property
    def put(self):
        return 2


def put():
    return 3
"""


def test_the_functions_of_a_file() -> None:
    assert spans(ast.parse(SOURCE)) == [
        ("put", ".Bag.put#1", 5, 5),
        ("inner", ".Bag.put.inner#1", 6, 2),
        ("put", ".Bag.put#2", 12, 2),
        ("put", ".put#1", 16, 2),
    ]


FUNCTIONS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(1, 50), st.integers(1, 9)), max_size=6)


@given(st.lists(FUNCTIONS, min_size=1, max_size=8))
def test_what_is_written_is_read_again(releases: list[dict[str, tuple[int, int]]]) -> None:
    lines = Lines()
    for number, functions in enumerate(releases):
        lines.add(number, "m", [(name, f".{name}", *where) for name, where in functions.items()])
    versions, rows = json.loads(json.dumps(lines.table(ranges)["m"]))
    read: dict[int, dict[str, tuple[int, int]]] = {number: {} for number in range(len(releases))}
    for name, wheres in rows.items():
        for version, first, length in places(wheres[0]):
            pairs = versions[version]
            for place in range(0, len(pairs), 2):
                for number in range(pairs[place], pairs[place + 1] + 1):
                    read[number][name] = first, length
    assert [read[number] for number in range(len(releases))] == releases


@pytest.mark.parametrize(
    ("path", "module", "core"),
    [
        ("/usr/lib/python3.8/site-packages/tensorflow/python/ops/math_ops.py", "tensorflow.python.ops.math_ops", False),
        ("/opt/dist-packages/tensorflow_core/python/ops/math_ops.py", "tensorflow.python.ops.math_ops", True),
        ("C:\\Users\\me\\Lib\\site-packages\\keras\\src\\layers\\__init__.py", "keras.src.layers", False),
        ("C:\\\\me\\\\site-packages\\\\tf_keras\\\\src\\\\backend.py", "tf_keras.src.backend", False),
        ("~/venv/site-packages/x/site-packages/keras/models.py", "keras.models", False),
    ],
)
def test_the_place_of_an_installed_file(path: str, module: str, core: bool) -> None:
    found = stands_in(path)
    assert found is not None
    assert (found.module, found.core) == (module, core)


@pytest.mark.parametrize(
    "path", ["", "/home/me/keras/train.py", "/x/site-packages/keras_tuner/a.py", "/x/site-packages/keras/lib.so", "<stdin>"]
)
def test_other_files_have_no_place(path: str) -> None:
    assert stands_in(path) is None


INSTALLED = "/usr/lib/python3.11/site-packages/"


def frame(file: str, line: int, function: str) -> Frame:
    return Frame(INSTALLED + file, line, function, "")


def minors(atlas: Atlas, *frames: Frame) -> dict[str, tuple[str, ...]]:
    return {found.package: found.minors for found in atlas.possible(frames)}


def test_a_line_tells_the_release(small: Atlas) -> None:
    # ``fold`` is at the same lines in both releases, ``unfold`` only in the second.
    assert minors(small, frame("tensorflow/python/ops.py", 15, "fold")) == {"tensorflow": ("2.10", "2.16")}
    assert minors(small, frame("tensorflow/python/ops.py", 24, "unfold")) == {"tensorflow": ("2.16",)}
    assert minors(small, frame("keras/engine/model.py", 13, "fit")) == {"keras": ("2.10",)}
    assert minors(small, frame("keras/src/model.py", 8, "fit")) == {"keras": ("3.0",)}


def test_packages_are_told_apart(small: Atlas) -> None:
    frames = frame("keras/src/model.py", 8, "fit"), frame("tensorflow/python/ops.py", 15, "fold")
    assert minors(small, *frames) == {"keras": ("3.0",), "tensorflow": ("2.10", "2.16")}


@pytest.mark.parametrize(
    "frames",
    [
        [frame("tensorflow/python/ops.py", 400, "fold")],
        [frame("tensorflow/python/ops.py", 15, "never")],
        [frame("tensorflow/python/never.py", 15, "fold")],
        [frame("keras/engine/model.py", 13, "fit"), frame("keras/src/model.py", 8, "fit")],
        [frame("tensorflow_core/python/ops.py", 15, "fold")],
        [frame("numpy/core.py", 15, "fold")],
    ],
    ids=["line", "function", "file", "two releases", "older folder", "another package"],
)
def test_frames_that_no_release_has_say_nothing(small: Atlas, frames: list[Frame]) -> None:
    assert minors(small, *frames) == {}


def test_names_that_stand_anywhere_tell_by_their_file(small: Atlas) -> None:
    for name in ("<module>", "<lambda>", ""):
        assert minors(small, frame("keras/src/model.py", 1, name)) == {"keras": ("3.0",)}


def test_names_as_autograph_and_notebooks_write_them(small: Atlas) -> None:
    for name in ("fold  **", "tf__fold", "fold(x, axis)", "Bag.fold"):
        assert minors(small, frame("tensorflow/python/ops.py", 15, name)) == {"tensorflow": ("2.10", "2.16")}


def test_the_frame_that_tells_most_is_named(small: Atlas) -> None:
    telling = frame("tensorflow/python/ops.py", 24, "unfold")
    found = small.possible([frame("tensorflow/python/ops.py", 15, "fold"), telling])
    assert [(one.frame, one.oldest, one.newest) for one in found] == [(telling, False, True)]


@given(st.lists(st.builds(Frame, st.text(max_size=40), st.integers(0, 10**9), st.text(max_size=20), st.just("")), max_size=5))
def test_any_frames_are_read(small: Atlas, frames: typing.Any) -> None:
    assert small.possible([one._replace(file=INSTALLED + one.file) for one in frames]) == []


def test_generated_modules_keep_no_lines(atlas: Atlas) -> None:
    assert minors(atlas, frame("keras/api/layers/__init__.py", 7, "<module>"))["keras"][0].startswith("3.")


@pytest.mark.parametrize("package", ["tensorflow", "keras"])
def test_frames_of_real_releases(atlas: Atlas, package: str) -> None:
    """``failing_calls.py`` recorded them on releases whose patch versions the atlas does not have."""
    told, wrong = 0, []
    for line in TRACEBACKS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        shown = [frame(*one) for one in row["frames"]]
        if any(one.file.startswith(f"{INSTALLED}{package}/") for one in shown):
            minor = ".".join(row[package].split(".")[:2])
            found = minors(atlas, *shown).get(package, ())
            told += minor in found
            wrong += [(row[package], shown, found)] if minor not in found else []
    assert told > 40
    assert wrong == []
