"""Facts as a probe finds them, and helpers to read files that may not be there.

Standard library only, CPython 3.6 to 3.14: annotations are quoted, and later syntax is avoided.
"""

import os

if False:  # for the type checker only
    from typing import Any as _Any


def _text(value: "_Any") -> "_Any":
    """A text without the lone surrogates that Python makes from bytes it cannot decode; any other value unchanged."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


class Findings:
    """Facts as they are found: path -> value, path -> {"source", "state"}."""

    __slots__ = ("about", "values")

    def __init__(self) -> None:
        self.values = {}  # type: dict[str, object]
        self.about = {}  # type: dict[str, dict[str, str]]

    def put(self, path: str, value: object, source: str, state: str = "ok") -> None:
        """Keep a fact; ``None`` means that it was looked for and does not exist."""
        self.values[_text(path)] = [_text(item) for item in value] if isinstance(value, list) else _text(value)
        self.about[_text(path)] = {"source": _text(source), "state": state}

    def document(self) -> "dict[str, object]":
        """The nested facts document, with ``_about``."""
        result = {"_about": self.about}  # type: dict[str, object]
        for path, value in self.values.items():
            group, _, name = path.partition(".")
            members = result.setdefault(group, {})
            assert isinstance(members, dict)
            members[name] = value
        return result


def read_file(path: str, limit: int = 1 << 20) -> str:
    """A text file's first ``limit`` bytes; the empty string if it cannot be read. Files in /proc have no size."""
    try:
        with open(path, "rb", buffering=0, opener=_without_waiting) as file:
            parts = []
            while limit > 0:
                part = file.read(min(limit, 65536))
                if not part:
                    break
                parts.append(part)
                limit -= len(part)
    except (OSError, ValueError):  # a name with a zero byte is not a file name
        return ""
    return b"".join(parts).decode("utf-8", "replace")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting, in case somebody put a pipe in its place."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def names_in(folder: str) -> "list[str]":
    try:
        return sorted(os.listdir(folder or os.curdir))
    except OSError:
        return []


def guarded(findings: Findings, group: str, reader: "_Any", *arguments: object) -> "_Any":
    """Run one reader; if it fails, mark its facts as unreadable, and continue with the others."""
    try:
        return reader(*arguments)
    except Exception as error:  # noqa: BLE001 - whatever one reader runs into, the others must go on
        findings.about[group] = {"source": f"{type(error).__name__}: {error}", "state": "not-readable"}
        return None
