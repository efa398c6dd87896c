"""``tfhelp lint --fix``: what is fixed, what is left, and that a file is written completely or not at all."""

import json
import os
import pathlib
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors import code
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.lint import fixing
from tfhelp.service.lint.checking import Settings, check_file
from tfhelp.service.lint.edits import apply_fixes
from tfhelp.service.lint.notebook_edits import code_sources, lines_in_file
from tfhelp.service.lint.rules import Selection

Capture = pytest.CaptureFixture[str]
WRONG = "import keras\no = keras.optimizers.Adam(lr=0.1)\n"
RIGHT = "import keras\no = keras.optimizers.Adam(learning_rate=0.1)\n"
TWO = (
    "import keras\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])\n"
    "m.compile(keras.optimizers.Adam(lr=0.1), 'categorical_crossentropy')\n"
)


@pytest.fixture
def script(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "train.py"
    path.write_text(WRONG)
    return path


def test_a_safe_fix_is_written(script: pathlib.Path, capsys: Capture) -> None:
    assert main(["lint", "--fix", str(script)]) == 0
    assert capsys.readouterr().out == "Fixed 1 problem.\nNothing left in 1 file.\n"
    assert script.read_text() == RIGHT


def test_an_unsafe_fix_is_written_only_if_it_is_asked_for(script: pathlib.Path, capsys: Capture) -> None:
    script.write_text(TWO)
    assert main(["lint", "--fix", str(script)]) == 1
    shown = capsys.readouterr().out
    assert "TFH605" in shown
    assert "Fixed 1 problem.\nLeft: 1 problem in 1 of 1 file.\nCan be fixed: 1 with --fix --unsafe-fixes" in shown
    assert "learning_rate=" in script.read_text()
    assert "from_logits" not in script.read_text()
    assert main(["lint", "--fix", "--unsafe-fixes", str(script)]) == 0
    assert "CategoricalCrossentropy(from_logits=True)" in script.read_text()


def test_what_is_left_out_is_not_fixed(script: pathlib.Path) -> None:
    script.write_text(WRONG.replace(")\n", ")  # noqa: TFH505\n"))
    before = script.read_bytes()
    assert main(["lint", "--fix", str(script)]) == 0
    assert main(["lint", "--fix", "--ignore", "TFH505", str(script)]) == 0
    assert script.read_bytes() == before


def test_a_diff_writes_nothing_and_says_what_is_left(script: pathlib.Path, capsys: Capture) -> None:
    script.write_text(TWO)
    assert main(["lint", "--diff", str(script)]) == 1
    shown = capsys.readouterr()
    assert "+m.compile(keras.optimizers.Adam(learning_rate=0.1), 'categorical_crossentropy')" in shown.out
    assert shown.err == "tfhelp: 1 problem would be fixed, 1 would be left; 1 of them with --unsafe-fixes\n"
    assert script.read_text() == TWO


@pytest.mark.parametrize(("left", "text"), [(0, "x = 1\n"), (1, "import keras\no = keras.optimizers.Adam(0.5)\n")])
def test_a_diff_with_nothing_to_fix_says_so_and_is_no_failure(
    script: pathlib.Path, capsys: Capture, left: int, text: str
) -> None:
    script.write_text(text)
    assert main(["lint", "--diff", str(script)]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"tfhelp: nothing would be fixed, {left} would be left\n")


@pytest.mark.parametrize(
    "content",
    [
        WRONG.replace("\n", "\r\n").encode(),
        b"import keras\r\n# mixed\no = keras.optimizers.Adam(lr=0.1)\r\n",
        b"\xef\xbb\xbf" + WRONG.encode(),
        b"# coding: latin-1\n# gr\xf6\xdfer\n" + WRONG.encode(),
        WRONG.rstrip("\n").encode(),
        b"import keras\n# \xe2\x82\xac\no = keras.optimizers.Adam(lr=0.1)  # \xc3\xb6\n",
    ],
)
def test_every_other_byte_stays(script: pathlib.Path, content: bytes) -> None:
    script.write_bytes(content)
    assert main(["lint", "--fix", str(script)]) == 0
    assert script.read_bytes() == content.replace(b"lr=", b"learning_rate=")


def test_permissions_and_links_stay(script: pathlib.Path) -> None:
    script.chmod(0o751)
    link = script.with_name("link.py")
    link.symlink_to(script)
    assert main(["lint", "--fix", str(link)]) == 0
    assert link.is_symlink()
    assert script.read_text() == RIGHT
    assert script.stat().st_mode & 0o777 == 0o751
    assert sorted(os.listdir(script.parent)) == ["link.py", "train.py"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(script: pathlib.Path) -> None:
    os.chown(script, 12345, 12346)
    assert main(["lint", "--fix", str(script)]) == 0
    assert (script.stat().st_uid, script.stat().st_gid) == (12345, 12346)


def test_a_write_that_fails_leaves_the_file(script: pathlib.Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    assert main(["lint", "--fix", str(script)]) == 2
    shown = capsys.readouterr()
    assert f"cannot write {script}: No space left on device" in shown.err
    assert "Edited" not in shown.out
    assert script.read_text() == WRONG
    assert os.listdir(script.parent) == ["train.py"]


def test_a_file_that_changed_meanwhile_is_left(script: pathlib.Path) -> None:
    fixed = fixing.fix(check_file(str(script), Settings(Selection())), Settings(Selection()), unsafe=False)
    script.write_text("print('new')\n")
    with pytest.raises(fixing.InputError, match="another program changed it"):
        fixing.write(fixed)
    assert script.read_text() == "print('new')\n"


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
def test_a_protected_file_is_left(script: pathlib.Path) -> None:
    script.chmod(0o444)
    assert main(["lint", "--fix", str(script)]) == 2
    assert script.read_text() == WRONG


def test_the_generator_keyword_becomes_the_one_of_fit() -> None:
    before = (
        "import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.compile('sgd', 'mse')\n"
        "m.fit_generator(generator=g, steps_per_epoch=3)\n"
    )
    assert apply_fixes(before, code.read(before)).source.endswith("m.fit(x=g, steps_per_epoch=3)\n")


def test_positional_arguments_of_a_generator_method_get_their_names() -> None:
    before = (
        "import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.compile('sgd', 'mse')\n"
        "m.fit_generator(g, 100, 5)\n"
    )
    assert apply_fixes(before, code.read(before)).source.endswith("m.fit(g, steps_per_epoch=100, epochs=5)\n")


def notebook(*cells: typing.Any, indent: int | None = 1) -> str:
    """A notebook with code cells, each a text or a list of lines, and an image among the outputs."""
    made = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        *(
            {
                "cell_type": "code",
                "execution_count": 3,
                "metadata": {"z": 1, "a": 2},
                "outputs": [{"data": {"image/png": "iVBORw0KGgo=\n", "text/plain": ["é"]}, "output_type": "display_data"}],
                "source": cell,
            }
            for cell in cells
        ),
    ]
    document = {"cells": made, "metadata": {"b": 1, "a": 1.50}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=indent, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize(
    "cell",
    [
        ["%matplotlib inline\n", "!pip install keras\n", "o = keras.optimizers.Adam(lr=0.1)  # größer\n", "pass\n", "%time o"],
        "%matplotlib inline\no = keras.optimizers.Adam(lr=0.1)\n",
        ["o = keras.optimizers.Adam(lr=0.1)"],
    ],
)
def test_only_the_fixed_cells_of_a_notebook_change(tmp_path: pathlib.Path, cell: typing.Any, indent: int | None) -> None:
    path = tmp_path / "a.ipynb"
    before = notebook(["import keras\n", "x = 1"], cell, ["print(o)"], indent=indent)
    path.write_text(before, encoding="utf-8")
    assert main(["lint", "--fix", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == before.replace("lr=", "learning_rate=")


def test_a_notebook_shows_cell_and_line(tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(["import keras"], ["%time 1\n", "o = keras.optimizers.Adam(lr=0.1)"]), encoding="utf-8")
    assert main(["lint", str(path)]) == 1
    assert f"{path}:code cell 2:2:5: TFH505 " in capsys.readouterr().out
    path.write_text(path.read_text(encoding="utf-8").replace("lr=0.1)", "lr=0.1)  # noqa"), encoding="utf-8")
    assert main(["lint", str(path)]) == 0


def test_lines_of_cells_in_the_file() -> None:
    text = notebook(["a\n", "b"], "c\nd")
    lines = text.split("\n")
    first, second = lines_in_file(text)
    assert [lines[number - 1].strip() for number in first] == ['"a\\n",', '"b"']
    assert [lines[number - 1].strip() for number in second] == ['"source": "c\\nd"'] * 2


CELLS = st.lists(st.one_of(st.text(max_size=20), st.lists(st.text(max_size=8), max_size=4)), max_size=4)


@given(CELLS, st.sampled_from([None, 0, 1, 4, "\t"]), st.booleans())
def test_the_sources_of_any_notebook_are_found_where_they_lie(cells: list[typing.Any], indent: typing.Any, plain: bool) -> None:
    made = [{"cell_type": "code", "source": cell, "outputs": [[], {}, {"source": "x"}]} for cell in cells]
    text = json.dumps({"a": {"cells": [1]}, "cells": made}, indent=indent, ensure_ascii=plain)
    found = code_sources(text)
    assert [source.value for source in found] == cells
    assert [json.loads(text[source.start : source.end]) for source in found] == cells
