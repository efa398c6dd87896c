"""The other Pythons on this machine."""

import os
import pathlib


def of_pyenv(pattern: str = "3.*") -> list[pathlib.Path]:
    """The interpreters that pyenv has installed, sorted; none if its folder belongs to another user."""
    root = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv")
    try:
        return sorted(root.glob(f"versions/{pattern}/bin/python"))
    except PermissionError:  # older releases of Python raise it
        return []
