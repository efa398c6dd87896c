"""Which files ``tfhelp lint`` reads, and where its settings come from."""

import io
import json
import os
import pathlib
import subprocess
import sys

import pytest

from tfhelp.service.doors.cli import lint_text
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.lint.sources import Exclude, find

WRONG = "import keras\no = keras.optimizers.Adam(lr=0.1)\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The current folder, with files of all kinds."""
    for name in (
        "train.py",
        "src/model.py",
        "src/old/model.py",
        "notes.txt",
        ".hidden.py",
        ".venv/lib/a.py",
        "myenv/lib/b.py",
        "node_modules/c.py",
        "build/d.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRONG)
    (tmp_path / "myenv/pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "a.ipynb").write_text('{"cells": [], "nbformat": 4}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    patterns = Exclude()
    patterns.add(exclude, os.getcwd())
    return find(paths, patterns).files


def test_a_folder_is_walked_without_what_others_wrote(project: pathlib.Path) -> None:
    assert files(".") == ["a.ipynb", "train.py", "src/model.py", "src/old/model.py"]
    assert files(str(project)) == [str(project / name) for name in files(".")]


def test_a_file_that_is_named_is_read_once_whatever_it_is_called(project: pathlib.Path) -> None:
    assert files("notes.txt", ".hidden.py", "./notes.txt", "src", "src/model.py") == [
        "notes.txt",
        ".hidden.py",
        "src/model.py",
        "src/old/model.py",
    ]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("old", ["a.ipynb", "train.py", "src/model.py"]),
        ("src/old", ["a.ipynb", "train.py", "src/model.py"]),
        ("src/old/", ["a.ipynb", "train.py", "src/model.py"]),
        ("./src/*.py", ["a.ipynb", "train.py"]),
        ("*.ipynb", ["train.py", "src/model.py", "src/old/model.py"]),
        ("model.py", ["a.ipynb", "train.py"]),
        ("odel.py", ["a.ipynb", "train.py", "src/model.py", "src/old/model.py"]),
    ],
)
def test_patterns_leave_out(project: pathlib.Path, pattern: str, left: list[str]) -> None:
    assert files(".", exclude=(pattern,)) == left


def test_a_pattern_also_holds_for_a_file_that_is_named(project: pathlib.Path, capsys: Capture) -> None:
    assert main(["lint", "--exclude", "train.py", "train.py"]) == 0
    assert "train.py: left out, because an exclude pattern names it" in capsys.readouterr().err


def test_files_that_git_ignores_are_left_out(project: pathlib.Path) -> None:
    made = subprocess.run(["git", "init", "-q", str(project)], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("there is no git")
    (project / ".gitignore").write_text("old/\n")
    assert files(".") == ["a.ipynb", "train.py", "src/model.py"]
    assert files("src") == ["src/model.py"]
    assert files("src/old/model.py") == ["src/old/model.py"]
    assert files("src/old") == ["src/old/model.py"]


def test_a_repository_that_is_damaged_hides_nothing(project: pathlib.Path) -> None:
    (project / ".git").write_text("nonsense")
    assert len(files(".")) == 4


def test_a_loop_of_links_ends(project: pathlib.Path) -> None:
    (project / "src/again").symlink_to(project, target_is_directory=True)
    assert files("src") == ["src/model.py", "src/old/model.py"]


def test_without_a_path_the_current_folder_is_read(project: pathlib.Path, capsys: Capture) -> None:
    assert main(["lint"]) == 1
    shown = capsys.readouterr().out
    assert "train.py:2:5: TFH505 " in shown
    assert "Found: 3 problems in 3 of 4 files." in shown


def test_a_folder_without_programs_says_so(tmp_path: pathlib.Path, capsys: Capture) -> None:
    assert main(["lint", str(tmp_path)]) == 0
    assert f"{tmp_path}: no Python script or notebook in this folder" in capsys.readouterr().err


def test_standard_input(project: pathlib.Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert main(["lint", "-", "--stdin-filename", "src/new.py"]) == 1
    assert capsys.readouterr().out.startswith("src/new.py:2:5: TFH505 ")
    assert main(["lint", "-", "train.py"]) == 2
    assert "cannot be combined" in capsys.readouterr().err


def test_standard_input_is_fixed_on_standard_output(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert main(["lint", "--fix", "-"]) == 0
    shown = capsys.readouterr()
    assert shown.out == WRONG.replace("lr=", "learning_rate=")
    assert "Fixed 1 problem." in shown.err


def test_a_notebook_on_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [{"cell_type": "code", "source": WRONG, "outputs": [], "metadata": {}}]
    content = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert main(["lint", "-", "--stdin-filename", "a.ipynb"]) == 1
    assert capsys.readouterr().out.startswith("a.ipynb:code cell 1:2:5: TFH505 ")


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_long_check_says_on_a_terminal_how_far_it_is(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint_text, "_PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr", Terminal())
    main(["lint", "."])
    assert "\r1 of 4 files" in sys.stderr.getvalue()
    assert sys.stderr.getvalue().endswith("\r\x1b[K")
    monkeypatch.setattr("sys.stderr", io.StringIO())
    main(["lint", "."])
    assert sys.stderr.getvalue() == ""


def test_colours_are_for_terminals(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for stream, coloured in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stdout", stream)
        main(["lint", "train.py"])
        assert ("\x1b[31mTFH505\x1b[0m" in stream.getvalue()) is coloured
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", Terminal())
    main(["lint", "train.py"])
    assert "\x1b" not in sys.stdout.getvalue()


def test_settings_of_the_project(project: pathlib.Path, capsys: Capture) -> None:
    (project / "pyproject.toml").write_text('[tool.tfhelp.lint]\nselect = ["TFH5"]\nexclude = ["src/old"]\n')
    assert main(["lint", "src"]) == 1
    assert "Found: 1 problem in 1 of 1 file." in capsys.readouterr().out
    assert main(["lint", "--select", "TFH1", str(project / "src")]) == 0
    (project / "pyproject.toml").write_text('[tool.tfhelp.lint]\nignore = ["TFH505"]\n')
    assert main(["lint", "."]) == 0
    assert main(["lint", "--select", "TFH505", "."]) == 1
    (project / "src/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert main(["lint", "src"]) == 0
    (project / "other.toml").write_text("[tool.tfhelp.lint]\n")
    assert main(["lint", "--config", "other.toml", "src"]) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[tool.tfhelp.lint]\nselct = ['TFH1']\n", "tool.tfhelp.lint.selct: there is no such setting"),
        ("[tool.tfhelp.lint]\nselect = 'TFH1'\n", "tool.tfhelp.lint.select: must be a list of texts"),
        ("[tool.tfhelp.lint]\nignore = ['X']\n", "tool.tfhelp.lint.ignore: no rule's code begins with 'X'"),
        ("[tool.tfhelp.lint]\nexclude = [1]\n", "tool.tfhelp.lint.exclude: must be a list of texts"),
        ("[tool.tfhelp]\nlint = 1\n", "tool.tfhelp.lint: must be a table"),
        ("[tool.tfhelp.lint\n", "not TOML"),
    ],
)
def test_a_fault_in_the_settings_names_file_and_key(project: pathlib.Path, capsys: Capture, content: str, said: str) -> None:
    (project / "pyproject.toml").write_text(content)
    assert main(["lint", "train.py"]) == 2
    error = capsys.readouterr().err
    assert f"{project / 'pyproject.toml'}: {said}" in error


def test_a_settings_file_without_the_table(project: pathlib.Path, capsys: Capture) -> None:
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert main(["lint", "--config", "pyproject.toml", "train.py"]) == 2
    assert "there is no table [tool.tfhelp.lint]" in capsys.readouterr().err
    assert main(["lint", "--config", "missing.toml", "train.py"]) == 2
    assert "cannot read missing.toml" in capsys.readouterr().err


def test_options_that_do_not_go_together(project: pathlib.Path, capsys: Capture) -> None:
    assert main(["lint", "--unsafe-fixes", "train.py"]) == 2
    assert "--unsafe-fixes needs --fix or --diff" in capsys.readouterr().err
    assert main(["lint", "--json", "--output-format", "sarif", "train.py"]) == 2
    assert "cannot be combined with --output-format" in capsys.readouterr().err
    assert main(["lint", "--json", "--diff", "train.py"]) == 2
    assert "--diff writes text" in capsys.readouterr().err


def test_a_folder_that_cannot_be_read_does_not_hide_the_others(
    project: pathlib.Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("old"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert main(["lint", "src"]) == 2
    shown = capsys.readouterr()
    assert "src/model.py:2:5: TFH505 " in shown.out
    assert "cannot read src/old: Permission denied" in shown.err
