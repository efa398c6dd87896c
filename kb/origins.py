"""Write ``kb/origin_names.py`` from ``kb/origins.yaml``.

    python -m tfhelp.kb.origins

The names are in a Python module, so that a cold start reads neither YAML nor JSON for them.
"""

import pathlib
import typing

SOURCE = pathlib.Path(__file__).with_name("origins.yaml")
TARGET = pathlib.Path(__file__).with_name("origin_names.py")

_HEAD = '"""Modules of TensorFlow, of Keras, and of libraries that say nothing about the program. Made from origins.yaml by ``python -m tfhelp.kb.origins``."""\n\n# fmt: off\n'


class OriginsError(ValueError):
    """``origins.yaml`` is not a mapping of names to lists of names, or a name is listed twice. The message says where."""


def module_text(source: pathlib.Path = SOURCE) -> str:
    """The module's text; the same file gives the same text.

    Raises:
        OriginsError: the file is malformed, or a package is listed both as ours and as neutral.
    """
    import yaml

    document = yaml.safe_load(source.read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise OriginsError(f"{source}: expected lists under names")
    lines = [f"{key.upper()} = frozenset({tuple(sorted(_names(key, value)))!r})" for key, value in document.items()]
    _refuse_duplicates(document)
    return _HEAD + "\n".join(lines) + "\n"


def _names(key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise OriginsError(f"{key}: expected a list of names")
    return value


def _refuse_duplicates(document: dict[str, typing.Any]) -> None:
    seen: dict[str, str] = {}
    for key in ("tensorflow", "keras", "neutral"):
        for name in document.get(key, ()):
            if name in seen:
                raise OriginsError(f"{key}: {name} stands under {seen[name]} as well")
            seen[name] = key


if __name__ == "__main__":
    TARGET.write_text(module_text(), encoding="utf-8")
