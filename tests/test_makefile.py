"""The arguments that a person passes to `make` reach the program as they were typed."""

import os
import pathlib
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make on this machine")

# `make` ignores everything that it would have to build first.
PRODUCTS = (
    ".venv/.installed-serve",
    ".venv/.installed-all",
    "index/artefacts/manifest.json",
    "service/artefacts/confidence.json",
)
BUILT = [part for product in PRODUCTS for part in ("-o", product)]


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder whose `tfhelp` and `python` print their arguments, one per line, and what they read."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("tfhelp", "python"):
        program = folder / name
        program.write_text("#!/bin/sh\nprintf '<%s>\\n' \"$@\"\nexec cat\n", encoding="utf-8")
        program.chmod(0o755)
    return folder


def make(repository: pathlib.Path, echo: pathlib.Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", "--silent", *BUILT, f"BIN={echo}", *arguments],
        cwd=repository,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


AWKWARD = st.text(alphabet=st.sampled_from("abc $(){}'\"`\\#%;&|<>*?!~=:-\n\t5x\u00e9"), min_size=1, max_size=40)


@settings(max_examples=30, deadline=None)
@given(text=AWKWARD)
def test_a_text_arrives_as_it_was_typed(repository: pathlib.Path, echo: pathlib.Path, text: str) -> None:
    ran = make(repository, echo, "ask", TEXT=text)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"<ask>\n{text}\n"


@pytest.mark.parametrize(
    "text", ['a "b" c', "it's", "cost $5 $$ $(HOME) ${HOME} $HOME", "`id` $(shell id)", "-f /etc/passwd", "a\\nb #c"]
)
def test_a_text_on_the_command_line_too(repository: pathlib.Path, echo: pathlib.Path, text: str) -> None:
    ran = make(repository, echo, "ask", f"TEXT={text}")
    assert (ran.returncode, ran.stdout) == (0, f"<ask>\n{text}\n"), ran.stderr


def test_a_file_is_handed_on_by_name(repository: pathlib.Path, echo: pathlib.Path) -> None:
    ran = make(repository, echo, "ask", "FILE=my $log (1).txt")
    assert (ran.returncode, ran.stdout) == (0, "<ask>\n<--file=my $log (1).txt>\n"), ran.stderr


def test_an_entry_is_handed_on_by_name(repository: pathlib.Path, echo: pathlib.Path) -> None:
    ran = make(repository, echo, "record", "ENTRY=kb/entries/x; touch y")
    assert (ran.returncode, ran.stdout) == (0, "<-m>\n<tests.faults.record>\n<kb/entries/x; touch y>\n"), ran.stderr


@pytest.mark.parametrize(("target", "advice"), [("ask", "make ask TEXT="), ("record", "make record ENTRY=")])
def test_a_target_without_input_says_what_to_give(repository: pathlib.Path, echo: pathlib.Path, target: str, advice: str) -> None:
    ran = make(repository, echo, target, TEXT="", FILE="", ENTRY="")
    assert ran.returncode != 0
    assert advice in ran.stderr


def test_make_alone_lists_every_target_that_is_for_people(repository: pathlib.Path, echo: pathlib.Path) -> None:
    listed = {line.split()[1] for line in make(repository, echo).stdout.splitlines() if line.startswith("  make ")}
    assert {"setup", "serve", "ask", "test", "test-fast", "check", "bench", "record", "kb", "index", "wheel", "clean"} <= listed


def test_a_program_that_cannot_be_installed_is_named(
    repository: pathlib.Path, echo: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    for name in ("sh", "id", "env", "printf", "make"):
        (tmp_path / name).symlink_to(shutil.which(name) or "")
    for name in ("apt-get", "sudo"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    ran = make(repository, echo, "programs", PATH=str(tmp_path))
    assert ran.returncode == 2
    assert "failed: the tests need these programs and they could not be installed: chromium" in ran.stderr
