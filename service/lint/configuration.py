"""Settings of ``tfhelp lint`` in ``pyproject.toml``: the table ``[tool.tfhelp.lint]`` with ``select``, ``ignore`` and ``exclude``."""

import os
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.lint.rules import Selection

FILE_NAME = "pyproject.toml"
_KEYS = ("select", "ignore", "exclude")


class Configuration(typing.NamedTuple):
    """The settings of a file.

    Attributes:
        path: the file; empty if there is none.
        select, ignore, exclude: the lists in it.
    """

    path: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def find(paths: typing.Sequence[str]) -> Configuration:
    """The settings of the nearest ``pyproject.toml`` with the table, searched upward from the common folder of all paths.

    Raises:
        InputError: the file is not TOML, or the table has a fault; the message names the file and the key.
    """
    folder = _common_folder(paths)
    while True:
        path = os.path.join(folder, FILE_NAME)
        if os.path.isfile(path):
            found = _read(path)
            if found is not None:
                return found
        above = os.path.dirname(folder)
        if above == folder:
            return Configuration()
        folder = above


def _common_folder(paths: typing.Sequence[str]) -> str:
    if not paths:
        return os.getcwd()
    try:
        common = os.path.commonpath([os.path.abspath(path) for path in paths])
    except ValueError:  # the paths are on different drives
        return os.getcwd()
    return common if os.path.isdir(common) else os.path.dirname(common)


def read(path: str) -> Configuration:
    """The settings in one file, which must have the table.

    Raises:
        InputError: it cannot be read, is not TOML, or the table is missing or has a fault; the message names the file and key.
    """
    found = _read(path)
    if found is None:
        raise InputError(f"{path}: there is no table [tool.tfhelp.lint]")
    return found


def _read(path: str) -> Configuration | None:
    import tomllib

    try:
        with open(path, "rb") as file:
            content = file.read()
        if b"tfhelp" not in content:
            return None
        table: typing.Any = tomllib.loads(content.decode())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    for name in ("tool", "tfhelp", "lint"):
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InputError(f"{path}: tool.tfhelp.lint: must be a table")
    return _checked(path, table)


def _checked(path: str, table: dict[str, typing.Any]) -> Configuration:
    for key, value in table.items():
        if key not in _KEYS:
            raise InputError(f"{path}: tool.tfhelp.lint.{key}: there is no such setting; there are {', '.join(_KEYS)}")
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise InputError(f"{path}: tool.tfhelp.lint.{key}: must be a list of texts, for example {_example(key)}")
    configuration = Configuration(path, **{key: tuple(value) for key, value in table.items()})
    for key in ("select", "ignore"):
        try:
            Selection(getattr(configuration, key))
        except InputError as error:
            raise InputError(f"{path}: tool.tfhelp.lint.{key}: {str(error).partition(': ')[2]}") from None
    return configuration


def _example(key: str) -> str:
    return '["old/*.py"]' if key == "exclude" else '["TFH1", "TFH505"]'
