"""A program in a scratch folder sees the user's files, writes freely, and changes none of them."""

import os
import pathlib
import subprocess
import sys

import pytest

from tfhelp.collectors.scratch import Scratch, ScratchError, scratch


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with two files."""
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "train.py").write_text("print('mine')\n", encoding="utf-8")
    (folder / "data" / "x.txt").write_text("1 2 3", encoding="utf-8")
    return folder


@pytest.fixture(params=["overlay", "copy"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, project: pathlib.Path) -> str:
    """Both ways; the overlay is left out if the system does not allow one."""
    if request.param == "copy":
        monkeypatch.setattr(Scratch, "_is_allowed", lambda self: False)
    else:
        with Scratch(str(project)) as tried:
            if not tried.overlay:
                pytest.skip("this system allows no overlay")
    return str(request.param)


def said(made: Scratch, code: str) -> str:
    command = made.command([sys.executable, "-I", "-c", code])
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_written_is_seen_there_and_nowhere_else(project: pathlib.Path, kind: str) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    with Scratch(str(project)) as made:
        assert made.overlay == (kind == "overlay")
        assert said(made, "print(open('data/x.txt').read())") == "1 2 3"
        said(made, "import os; open('new.txt', 'w').write('n'); open('data/x.txt', 'w').write('other'); os.unlink('train.py')")
        assert said(made, "import os; print(sorted(os.listdir('.')), open('data/x.txt').read())") == "['data', 'new.txt'] other"
        made.fresh()
        assert said(made, "import os; print(sorted(os.listdir('.')), open('data/x.txt').read())") == "['data', 'train.py'] 1 2 3"
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before
    assert not os.path.exists(made.state)


def test_an_overlay_stands_at_the_folders_own_path(project: pathlib.Path) -> None:
    with Scratch(str(project)) as made:
        if not made.overlay:
            pytest.skip("this system allows no overlay")
        assert said(made, "import os; print(os.getcwd())") == str(project)
        said(made, f"open({str(project / 'train.py')!r}, 'w').write('gone')")
    assert (project / "train.py").read_text(encoding="utf-8") == "print('mine')\n"


def test_a_file_can_be_put_in_place_of_the_users(project: pathlib.Path, kind: str) -> None:
    with Scratch(str(project)) as made:
        made.write(str(project / "train.py"), "print('fixed')\n")
        assert said(made, "print(open('train.py').read())") == "print('fixed')"
        with pytest.raises(ScratchError, match="outside"):
            made.write(str(project.parent / "other.py"), "")
    assert (project / "train.py").read_text(encoding="utf-8") == "print('mine')\n"


def test_a_folder_that_is_too_large_is_not_copied(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scratch, "_is_allowed", lambda self: False)
    monkeypatch.setattr(scratch, "LARGEST_COPY_MIB", 1)
    (project / "data" / "large.bin").write_bytes(b"x" * (2 << 20))
    with pytest.raises(ScratchError, match="more than 1 MiB"):
        Scratch(str(project))
