"""The imports of the code match pyproject.toml: a wheel lacks nothing, and the core contains nothing heavy."""

import ast
import importlib.metadata
import pathlib
import re
import sys
import tomllib
import typing

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOMS = ("kb", "collectors", "index", "service")
# The probe, the injected hooks and the notebook's kernel belong to the user's interpreter, whatever is installed
# there; the table of operations is built with the TensorFlow of the tests.
_WITH_TENSORFLOW = ("import_tensorflow.py", "build_ops.py")
DOORS = ("memory", "postgres", "hosting", "otel", "mcp", "lsp")
"""Extras of ``service``: doors that not everybody needs."""
FIXED = {
    "h11": "0.16.0",  # chunked bodies smuggled requests, CVE-2025-43859
    "jinja2": "3.1.6",  # the sandbox, CVE-2025-27516
    "orjson": "3.11.6",  # deep documents, CVE-2025-67221
    "python-multipart": "0.0.32",  # costly forms, CVE-2026-42561 and CVE-2026-53538 to 53540
    "starlette": "1.3.1",  # ranges, hosts and forms, CVE-2025-62727, CVE-2026-48710, CVE-2026-54282 and 54283
}
"""Distribution -> the first release without the known holes of earlier ones."""
PINNED = re.compile(r"[A-Za-z0-9_.-]+==[^=\s]+")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", name, maxsplit=1)[0]).lower()


@pytest.fixture(scope="session")
def declared(repository: pathlib.Path) -> dict[str, set[str]]:
    """Names of distributions by group: ``core`` and each extra."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"core": project["dependencies"], **project["optional-dependencies"]}
    return {group: {normal(line) for line in lines} for group, lines in groups.items()}


def imports(tree: ast.AST) -> typing.Iterator[tuple[ast.stmt, str]]:
    """(statement, top-level name) of each absolute import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node, node.module.partition(".")[0]


def third_party(folder: pathlib.Path) -> list[tuple[str, str]]:
    """(where, distribution) of each import that comes neither from the standard library nor from this tree."""
    providers = importlib.metadata.packages_distributions()
    found = []
    for path in sorted(folder.rglob("*.py")):
        if "entries" in path.parts or "programs" in path.parts:
            continue
        for statement, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            if name in sys.stdlib_module_names or name in ("tfhelp", "tests", "__future__", "probe"):
                continue
            if path.name in _WITH_TENSORFLOW or "injected" in path.parts or path.parent.parts[-2:] == ("notebook", "kernel"):
                continue
            for provider in providers.get(name, [name])[:1]:
                found.append((f"{path.relative_to(folder.parent)}:{statement.lineno}", normal(provider)))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_is_declared(repository: pathlib.Path, declared: dict[str, set[str]], room: str) -> None:
    doors = set().union(*(declared[extra] for extra in DOORS)) if room == "service" else set()
    allowed = declared["core"] | declared["build"] | doors
    assert [(where, name) for where, name in third_party(repository / room) if name not in allowed] == []


def test_tests_import_only_what_is_declared(repository: pathlib.Path, declared: dict[str, set[str]]) -> None:
    allowed = set().union(*declared.values()) | {"keras", "pip"}  # keras comes with TensorFlow, pip with every environment
    assert [(where, name) for where, name in third_party(repository / "tests") if name not in allowed] == []


def test_the_core_has_no_training_library(declared: dict[str, set[str]]) -> None:
    assert declared["core"] & {"torch", "tensorflow", "transformers", "sentence-transformers", "keras", "scikit-learn"} == set()


def test_the_lock_pins_all_that_is_declared_and_names_no_place(repository: pathlib.Path, declared: dict[str, set[str]]) -> None:
    lines = (repository / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not PINNED.fullmatch(line) or "+" in line] == []
    assert "://" not in "\n".join(lines)
    locked = {normal(line) for line in pins}
    assert set().union(*declared.values()) - locked - {"tomli", "tfhelp"} == set()  # tomli is for Python 3.10, the lock for 3.11


def test_no_minimum_version_has_a_known_vulnerability(repository: pathlib.Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = {normal(line): Requirement(line) for line in project["dependencies"]}
    for name, fixed in FIXED.items():
        [floor] = [Version(one.version) for one in required[name].specifier if one.operator == ">="]
        assert floor >= Version(fixed), name
