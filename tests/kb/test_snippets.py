"""Commands that people are told to run: Python parses and lints, shell lines pass shellcheck, versions of TensorFlow exist.

Placeholders are filled as they are when no fact is known. Fixed programs are run elsewhere (``tests/faults``).
"""

import ast
import json
import pathlib
import re
import subprocess
import sys
import typing

import pytest

from tfhelp.kb import compiled
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.fixes import fill_fix

KNOWLEDGE = compiled.load()
# A snippet is part of the reader's own program: names, loops and functions around it are the reader's.
_IGNORED_BY_RUFF = "F821,F401,E402,F811,E401,B018,F541,B007,F702,F706"
# These concern what a line for a person's terminal does on purpose: variables of the reader's shell, files that do not
# exist here, a listing of numbered descriptors, an export of a command's output.
_IGNORED_BY_SHELLCHECK = "SC2034,SC2154,SC1090,SC1091,SC2148,SC2164,SC2016,SC2012,SC2155"
# Lists that must be split into words; an exemption that is no longer needed is a fault.
_SPLIT_ON_PURPOSE = {
    ("driver-library-mismatch__driver-upgraded-no-reboot.4", 2046),  # package names
    ("custom-op-undefined-symbol__addon-built-for-other-version.1.4", 2086),  # compiler flags
}


def snippets(language: str) -> list[tuple[str, str]]:
    rows = []
    for identifier in KNOWLEDGE.entries():
        for cause in KNOWLEDGE.entry(identifier)["causes"]:
            for number, step in enumerate(fill_fix(cause, FactSheet())["steps"]):
                for place, action in enumerate((step, *step.get("one_of", ()))):
                    name = f"{identifier}/{cause['id']}.{number}" + (f".{place}" if place else "")
                    if action.get("snippet", {}).get("language") == language:
                        rows.append((name, action["snippet"]["code"]))
    return rows


PYTHON, SHELL = snippets("python"), snippets("shell")


def test_there_are_snippets_in_both_languages() -> None:
    assert len(PYTHON) > 100
    assert len(SHELL) > 100


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[name for name, _ in PYTHON])
def test_python_parses(name: str, code: str) -> None:
    ast.parse(code)


def test_python_has_no_lint(tmp_path: pathlib.Path) -> None:
    for name, code in PYTHON:
        (tmp_path / (name.replace("/", "__") + ".py")).write_text(code + "\n")
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select",
        "E9,F,B0",
        "--ignore",
        _IGNORED_BY_RUFF,
        "--output-format",
        "concise",
        ".",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_shell_lines_pass_shellcheck(tmp_path: pathlib.Path) -> None:
    for name, code in SHELL:
        # A placeholder such as <your TensorFlow version> is for the reader; a shell would take it for a redirection.
        (tmp_path / (name.replace("/", "__") + ".sh")).write_text(
            re.sub(r"<[A-Za-z][^<>|&\n]{2,80}>", "PLACEHOLDER", code) + "\n"
        )
    files = sorted(path.name for path in tmp_path.iterdir())
    command = [_shellcheck(), "--shell=bash", "--format=json", f"--exclude={_IGNORED_BY_SHELLCHECK}", *files]
    faults: list[dict[str, typing.Any]] = json.loads(
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout
    )
    found = {(pathlib.Path(fault["file"]).stem, fault["code"]) for fault in faults}
    assert found == _SPLIT_ON_PURPOSE


def _shellcheck() -> str:
    beside = pathlib.Path(sys.executable).with_name("shellcheck")
    return str(beside) if beside.exists() else "shellcheck"


@pytest.mark.parametrize(("name", "code"), SHELL, ids=[name for name, _ in SHELL])
def test_pinned_tensorflow_releases_exist(name: str, code: str) -> None:
    releases = set(KNOWLEDGE.tables.release_versions())
    for line in code.splitlines():
        if "pip" not in line:
            continue
        for version in re.findall(
            r"\btensorflow(?:-cpu|-gpu)?(?:\[[\w,-]+\])?['\"]?==['\"]?(\d+(?:\.\d+)*(?:rc\d+)?)(\.\*)?", line
        ):
            exact, any_patch = version
            fits = [release for release in releases if release == exact or release.startswith(f"{exact}.")]
            assert fits if any_patch else exact in releases or f"{exact}.0" in releases, f"{line}: no TensorFlow {exact}"
