"""Which interpreter runs a program, and the environments that are created for programs that need a different one."""

import errno
import os
import pathlib
import shlex
import sys
import time

import pytest

from tests.faults import environments
from tests.faults.environments import interpreter_for
from tests.faults.errors import UnsupportedError
from tfhelp.kb.programs import Program, ProgramError, read_program


def program(*lines: str) -> Program:
    return read_program("p.py", "\n".join(["# /// script", *(f"# {line}" for line in lines), "# ///", ""]))


def test_our_own_interpreter_is_taken_where_it_fits() -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    fitting = program('requires-python = ">=3.10"', 'dependencies = ["pytest", "hypothesis>=6"]')
    assert interpreter_for(fitting).executable == sys.executable
    named = program('dependencies = ["pytest"]', "[tool.tfhelp]", f'python = "{own}"')
    assert interpreter_for(named).executable == sys.executable


def test_versions_are_read_from_the_interpreters_own_packages() -> None:
    interpreter = interpreter_for(program("dependencies = []"))
    assert interpreter.package_version("no-such-package", "pytest") == pytest.__version__
    assert interpreter.package_version("no-such-package") is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('requires-python = "about 3"', "p.py: requires-python: "),
        ('dependencies = ["tensorflow=="]', "p.py: dependencies: 'tensorflow==': "),
    ],
)
def test_what_pip_could_not_read_is_named(line: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        interpreter_for(program(line))
    assert str(caught.value).startswith(message)


@pytest.fixture
def empty_cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setattr(environments, "_CACHE", tmp_path / "environments")
    return tmp_path / "environments"


@pytest.mark.slow
def test_an_environment_is_made_once_and_kept(empty_cache: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    older = program('dependencies = ["packaging==21.3"]')
    made = interpreter_for(older)
    assert made.executable.startswith(str(empty_cache))
    assert made.package_version("packaging") == "21.3"
    assert "making an environment" in capsys.readouterr().err
    assert interpreter_for(older).executable == made.executable
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_an_isolated_program_has_nothing_but_its_dependencies(empty_cache: pathlib.Path) -> None:
    made = interpreter_for(program('dependencies = ["packaging"]', "[tool.tfhelp]", "isolated = true"))
    assert made.executable.startswith(str(empty_cache))
    assert made.package_version("packaging")
    assert made.package_version("pytest") is None


@pytest.mark.slow
def test_what_cannot_be_installed_is_told_in_pips_words(empty_cache: pathlib.Path) -> None:
    with pytest.raises(UnsupportedError, match="No matching distribution found for packaging==0.0.0"):
        interpreter_for(program('dependencies = ["packaging==0.0.0"]'))
    assert [path.suffix for path in empty_cache.iterdir()] == [".lock"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_full_disk_is_an_error_and_no_reason_to_skip(tmp_path: pathlib.Path, empty_cache: pathlib.Path) -> None:
    python = tmp_path / "python"
    fails = "with open('/dev/full', 'w') as full: full.write('x')"
    python.write_text(f"""#!/bin/sh\n[ "$2" = venv ] && set -- -c "{fails}"\nexec {shlex.quote(sys.executable)} "$@"\n""")
    python.chmod(0o755)
    with pytest.raises(OSError, match="No space left on device") as caught:
        environments._environment(str(python), ("packaging",))
    assert caught.value.errno == errno.ENOSPC
    assert [path.suffix for path in empty_cache.iterdir()] == [".lock"]


@pytest.mark.slow
def test_environments_that_no_program_used_for_a_month_are_removed(empty_cache: pathlib.Path) -> None:
    month = 31 * 24 * 3600
    ages = {"unused": month, "used": 60}
    for name, age in ages.items():
        (empty_cache / name).mkdir(parents=True)
        (empty_cache / name / "ready").touch()
        os.utime(empty_cache / name / "ready", (time.time() - age,) * 2)
    made = pathlib.Path(interpreter_for(program("dependencies = []", "[tool.tfhelp]", "isolated = true")).prefix)
    assert {path.name for path in empty_cache.iterdir() if path.is_dir()} == {"used", made.name}
    os.utime(made / "ready", (time.time() - month,) * 2)
    interpreter_for(program("dependencies = []", "[tool.tfhelp]", "isolated = true"))
    assert (made / "ready").stat().st_mtime > time.time() - 3600
