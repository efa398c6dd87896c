"""Which interpreter runs the training: the one that the user named, or the one active where tfhelp was called."""

import os
import sys

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.machine.files import names_in, read_file

_INSIDE = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")


def find_interpreter(python: str | None = None) -> str:
    """The path of an interpreter.

    Args:
        python: path of an interpreter, folder of a virtual or conda environment, name of a program on PATH or of a conda
            environment; ``None`` for the active environment, else ``python3`` or ``python`` on PATH.

    Raises:
        CollectorError: there is none; the message names what was searched for.
    """
    if python is None:
        return _default_interpreter()
    if os.path.isdir(python):
        return _in_folder(python)
    if os.path.isfile(python):
        if not os.access(python, os.X_OK):
            raise CollectorError(f"--python {python}: this file is not executable")
        return os.path.abspath(python)
    if os.sep in python or "/" in python:
        raise CollectorError(f"--python {python}: no such file or folder")
    found = _on_path(python)
    if found:
        return found
    folder = _conda_environments().get(python)
    if folder:
        return _in_folder(folder)
    known = ", ".join(sorted(_conda_environments()))
    hint = f"; conda environments here: {known}" if known else ""
    raise CollectorError(f"--python {python}: no file, no folder, no program on PATH and no conda environment of that name{hint}")


def _default_interpreter() -> str:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        folder = os.environ.get(variable, "")
        if folder:
            for inside in _INSIDE:
                if os.path.isfile(os.path.join(folder, inside)):
                    return os.path.join(folder, inside)
    for name in ("python3", "python"):
        found = _on_path(name)
        if found and "WindowsApps" not in found:  # Windows keeps a placeholder there that opens its app store
            return found
    raise CollectorError(
        "no python found: no environment is active and neither python3 nor python is on PATH; name one with --python"
    )


def _in_folder(folder: str) -> str:
    for inside in _INSIDE:
        file = os.path.join(folder, inside)
        if os.path.isfile(file):
            if not os.access(file, os.X_OK):
                raise CollectorError(f"--python {folder}: {file} is not executable")
            return os.path.abspath(file)
        if os.path.islink(file):
            raise CollectorError(f"--python {folder}: {file} points to {os.readlink(file)}, which no longer exists")
    raise CollectorError(f"--python {folder}: this folder holds no interpreter ({', '.join(_INSIDE)})")


def _on_path(name: str) -> str:
    """A program on PATH; the empty string if there is none. A pyenv shim is resolved, because it starts a shell first."""
    import shutil

    found = shutil.which(name) or ""
    shims = os.path.join(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"), "shims")
    if found and os.path.dirname(found) == shims:
        return _behind_shim(os.path.dirname(shims), os.path.basename(found)) or found
    return found


def _behind_shim(root: str, name: str) -> str:
    """The interpreter that pyenv would start: PYENV_VERSION, ``.python-version`` in this folder or one above, ``version``."""
    chosen = os.environ.get("PYENV_VERSION", "")
    try:
        folder = os.getcwd()
    except OSError:  # the folder was removed while a shell was in it
        folder = os.sep
    while not chosen:
        chosen = _first_word(os.path.join(folder, ".python-version"))
        if folder == os.path.dirname(folder):
            break
        folder = os.path.dirname(folder)
    chosen = chosen or _first_word(os.path.join(root, "version"))
    file = os.path.join(root, "versions", chosen.partition(":")[0], "bin", name)
    return file if chosen and os.path.isfile(file) else ""


def _first_word(path: str) -> str:
    return (read_file(path, 1000).split() or [""])[0]


def _conda_environments() -> dict[str, str]:
    """Name -> folder, without asking conda: its list of environments, and the ``envs`` folder of every installation known."""
    lines = read_file(os.path.expanduser("~/.conda/environments.txt")).splitlines()
    listed = [line.strip() for line in lines if line.strip()]
    roots = [os.path.dirname(os.path.dirname(os.environ[name])) for name in ("CONDA_EXE", "MAMBA_EXE") if os.environ.get(name)]
    roots += [os.environ[name] for name in ("CONDA_PREFIX", "MAMBA_ROOT_PREFIX", "CONDA_ROOT") if os.environ.get(name)]
    roots += [os.path.expanduser(f"~/{name}") for name in ("miniconda3", "anaconda3", "miniforge3", "mambaforge")]
    roots += ["/opt/conda", sys.prefix]
    found: dict[str, str] = {}
    for root in roots:
        folder = os.path.join(root, "envs")
        if os.path.isdir(folder):
            listed += [os.path.join(folder, name) for name in names_in(folder)]
        if os.path.isdir(os.path.join(root, "conda-meta")) and os.path.basename(os.path.dirname(root)) != "envs":
            found.setdefault("base", root)
    for folder in listed:
        if os.path.isdir(os.path.join(folder, "conda-meta")):
            found.setdefault(os.path.basename(folder), folder)
    return found
