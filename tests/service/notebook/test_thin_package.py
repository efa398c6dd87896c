"""tfhelp-notebook in an old interpreter: nothing else is installed, and a ``tfhelp`` from elsewhere gives the answers."""

import email
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests.service.notebook.kernels import Notebook
from tests.test_wheel import interpreter_of

OLD = ("3.8", "3.9", "3.7", "3.10")
MISMATCH = "raise ValueError('Shapes (None, 1) and (None, 10) are incompatible')"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(repository: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The wheel, built from a copy."""
    folder = tmp_path_factory.mktemp("thin")
    tree = folder / "tree"
    shutil.copytree(repository / "service" / "doors" / "notebook", tree, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(folder), str(tree)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = folder.glob("tfhelp_notebook-*.whl")
    return path


@pytest.fixture(scope="module")
def old_python(wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An environment with an old Python and the Jupyter kernel of its time."""
    interpreter = next(filter(None, map(interpreter_of, OLD)), None)
    if interpreter is None:
        pytest.skip(f"there is no Python of {', '.join(OLD)} here")
    folder = tmp_path_factory.mktemp("old") / "venv"
    subprocess.run([interpreter, "-m", "venv", str(folder)], check=True, capture_output=True)
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    subprocess.run([python, "-m", "pip", "install", "--quiet", "ipykernel"], check=True, capture_output=True)
    before = installed(python)
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True, capture_output=True)
    assert [line for line in installed(python) if not line.startswith("tfhelp-notebook")] == before
    return python


def installed(python: str) -> list[str]:
    """The packages that pip lists."""
    return subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True, check=True).stdout.splitlines()


def test_it_needs_nothing_and_says_so(wheel: pathlib.Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    assert metadata.get_all("Requires-Dist", []) == []
    assert metadata["Requires-Python"] == ">=3.7"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for an installed tfhelp is a shell script")
def test_a_kernel_of_an_old_python_asks_the_tfhelp_on_the_path(old_python: str, tmp_path: pathlib.Path) -> None:
    command = tmp_path / "bin" / "tfhelp"
    command.parent.mkdir()
    path = os.environ.get("PYTHONPATH", "")
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{path}" exec "{sys.executable}" -m tfhelp.service "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    search = os.pathsep.join((str(command.parent), os.environ.get("PATH", "")))
    notebook = Notebook(tmp_path, PATH=search, PYTHONPATH=str(tmp_path))
    load, name, failed, answered, watched, _ = notebook.run(
        "%load_ext tfhelp_notebook",
        "x = undefined_name",
        f"print('first')\n{MISMATCH}",
        "%tfhelp",
        f"%%tfhelp --hang-after 1\nimport time\ntime.sleep(12)\n{MISMATCH}",
        "import ctypes\nctypes.string_at(0)",
        python=old_python,
    )
    assert load.kinds == []
    assert name.kinds == ["error"]
    assert "Labels and predictions have different shapes" in failed.plain
    assert failed.plain.count("\n") == 0
    assert sorted(answered.shown[0]) == ["text/html", "text/markdown", "text/plain"]
    assert "In[3]" in answered.plain
    assert watched.status == "error"
    assert re.search(r"No output for \d s", watched.plain)
    assert "In[5] line 3: time.sleep(12)" in watched.plain
    assert "In[5] failed after" in watched.plain
    load, told = notebook.run("%load_ext tfhelp_notebook", "%tfhelp", python=old_python)
    assert "crashed (SIGSEGV) while it ran In[6]" in load.plain
    assert "SIGSEGV" in told.plain


def test_without_a_tfhelp_it_says_how_to_get_one(old_python: str, tmp_path: pathlib.Path) -> None:
    notebook = Notebook(tmp_path, PATH=str(pathlib.Path(old_python).parent), HOME=str(tmp_path), PYTHONPATH="")
    load, failed, asked = notebook.run("%load_ext tfhelp_notebook", MISMATCH, "%tfhelp", python=old_python)
    assert "pipx install ./tfhelp-" in load.plain
    assert failed.kinds == ["error"]
    assert "pipx install ./tfhelp-" in asked.plain
