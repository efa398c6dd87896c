"""The walls between the rooms: imports run ``service -> index, collectors -> kb`` and in no other direction."""

import ast
import pathlib
import typing

import pytest

ROOT = pathlib.Path(__file__).parents[1]
MAY_IMPORT = {
    "kb": {"kb"},
    "collectors": {"collectors", "kb"},
    "index": {"index", "kb"},
    "service": {"service", "index", "collectors", "kb"},
}
"""Room -> rooms that it may import."""

CORE = ("access", "diagnosis", "run", "lint", "plan", "doctor", "curation", "memory", "search", "trying", "upgrade")
"""Parts of service that know no door."""


def modules(room: str) -> list[pathlib.Path]:
    return [path for path in sorted((ROOT / room).rglob("*.py")) if "entries" not in path.relative_to(ROOT).parts]


def imported(path: pathlib.Path) -> typing.Iterator[tuple[int, str]]:
    """(line, module under ``tfhelp``) of every import, including those inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            # The environment's probe is run by path, and the notebook's kernel is also a separate package, so their modules
            # use relative imports.
            assert node.level == 0 or path.parent.name in ("probe", "kernel"), f"{path}:{node.lineno}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("tfhelp."):
                yield node.lineno, name.removeprefix("tfhelp.")


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_stands_below_it(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: imports {name}"
        for path in modules(room)
        for line, name in imported(path)
        if name.partition(".")[0] not in MAY_IMPORT[room]
    ]
    assert wrong == []


def test_the_core_of_service_knows_no_door() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: imports {name}"
        for part in CORE
        for path in modules(f"service/{part}")
        for line, name in imported(path)
        if name.startswith("service.doors")
    ]
    assert wrong == []


def test_the_check_sees_imports() -> None:
    assert sum(1 for room in MAY_IMPORT for path in modules(room) for _ in imported(path)) > 300
