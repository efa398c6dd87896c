"""Every install line that answers print resolves in the environment that it is for, and installs what it promises."""

import pathlib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.kb.printed import Printed
from tests.kb.resolving import Line, lines, read, requirements_of, resolve, resolver

LINES = lines()
RECORD = read()
# Every line that changed is resolved again, and no other: for the others the record is used.
NEW = {line: place for line, place in LINES.items() if line.key() not in RECORD}


def test_there_are_lines_of_every_kind() -> None:
    assert len(LINES) > 120
    assert {line.platform for line in LINES} == {"linux", "windows", "aarch64-apple-darwin"}
    assert any("[and-cuda]" in line.key() for line in LINES)


@pytest.mark.parametrize("line", [line for line in LINES if line not in NEW], ids=Line.key)
def test_the_resolver_found_what_the_line_asks_for(line: Line) -> None:
    found = RECORD[line.key()]
    assert "fault" not in found, f"{LINES[line]}: {found['fault']}"
    for text in line.requirements:
        wanted = Requirement(text)
        version = found["versions"].get(canonicalize_name(wanted.name))
        assert version, f"{LINES[line]}: {wanted.name} is not installed"
        assert wanted.specifier.contains(version, prereleases=True)


@pytest.mark.slow
@pytest.mark.parametrize("line", sorted(NEW), ids=Line.key)
def test_a_line_that_changed_resolves(line: Line, tmp_path: pathlib.Path) -> None:
    if resolver() is None:
        pytest.skip("uv, the resolver, is not installed")
    found = resolve(line, tmp_path)
    assert "fault" not in found, f"{NEW[line]}: {found['fault']}"


def test_what_pip_commands_ask_for() -> None:
    def asked(code: str) -> list[tuple[str, ...]]:
        return requirements_of(Printed("here", "shell", code))

    assert asked("python -m venv a && a/bin/python -m pip install --upgrade 'x<2' y") == [("x<2", "y")]
    assert asked("pip install -r requirements.txt") == []
    assert asked("pip install PLACEHOLDER 'tensorflow-text==PLACEHOLDER.*'") == [("tensorflow-text==2.18.*",)]
    assert asked("pip list; pip install a | tee log; pip install b") == [("a",), ("b",)]
